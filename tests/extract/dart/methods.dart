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
