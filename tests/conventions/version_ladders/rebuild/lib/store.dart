import 'package:sqflite/sqflite.dart';

Future<Database> openStore(String path) {
  return openDatabase(
    path,
    version: 2,
    onCreate: (db, version) async {
      final batch = db.batch();
      _createShips(batch);
      await batch.commit();
    },
    onUpgrade: (db, oldVersion, newVersion) async {
      final batch = db.batch();
      if (oldVersion < 2) _changeShips2(batch);
      await batch.commit();
    },
  );
}

void _createShips(Batch batch) {
  batch.execute('CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, crew INTEGER NOT NULL)');
}

void _changeShips2(Batch batch) {
  batch.execute('CREATE TABLE ships_new (id INTEGER PRIMARY KEY, name TEXT, crew INTEGER NOT NULL)');
  batch.execute('INSERT INTO ships_new (id, name, crew) SELECT id, name, 0 FROM ships');
  batch.execute('DROP TABLE ships');
  batch.execute('ALTER TABLE ships_new RENAME TO ships');
}

Future<List<Map<String, Object?>>> find(Database db, String name) {
  return db.rawQuery('SELECT id FROM ships WHERE name = ?', [name]);
}
