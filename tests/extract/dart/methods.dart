import 'package:sqflite/sqflite.dart';

const table = 'ships';

class Harbour {
  Future<void> add(Database db, Ship ship) async {
    await db.insert(
      table,
      {'name': ship.name, 'depth': ship.depth},
      conflictAlgorithm: ConflictAlgorithm.ignore,
    );
    await db.insert('harbours', ship.harbour.toMap());
  }

  Future<void> rename(Ship ship) async {
    final values = <String, Object?>{'name': ship.name};
    values['depth'] = ship.depth;
    final db = await database;
    await db.update(table, values, where: 'id = ?', whereArgs: [ship.id]);
  }

  Future<List<Map<String, Object?>>> find(Transaction txn, String name) async {
    await txn.delete(table, where: 'depth < ?', whereArgs: [1]);
    return txn.query(table, columns: ['id'], where: 'name = ?', whereArgs: [name], orderBy: 'depth', limit: 5);
  }

  Future<void> nested(Ship ship) async {
    await (await database).insert(table, {'name': ship.name, 'data': jsonEncode({'lat': ship.lat})});
    await db.insert('logs', {'n': Sqflite.firstIntValue(await db.rawQuery('SELECT count(*) FROM ships'))});
  }

  void others(Map<String, int> map) {
    map.update('ships', (depth) => depth + 1);
    map.remove('ships');
  }
}

class Logs {
  Future<void> spread(Database db, Map<String, Object?> entry) async {
    await db.insert('logs', {...entry, 'written': 1}, conflictAlgorithm: ConflictAlgorithm.replace);
    await db.update('logs', {...entry, 'written': 1}, where: 'id = ?', conflictAlgorithm: ConflictAlgorithm.ignore);
    await db.insert('logs', {'id': 1, if (entry.isEmpty) 'text': 'none'});
    await db.update('logs', entry, where: 'id = ?');
  }

  Future<void> page(Database db, String? where) async {
    await db.query('logs', where: where, limit: 20);
    await db.query('logs', where: where == null ? null : 'id < ?', limit: 20);
  }
}
