// Texts side by side, raw texts, names in texts, functions with values, loops.
import 'package:sqflite/sqflite.dart';

const String table = 'notes';
const columnTitle = "title";

class Store {
  Store(this.db);
  static const String create = 'CREATE TABLE $table ('
      'id INTEGER PRIMARY KEY, '
      '$columnTitle TEXT)';
  static const steps = <String>[
    'ALTER TABLE $table ADD COLUMN body TEXT',
    '''
      CREATE INDEX notes_title ON ${table} ($columnTitle)
    ''',
  ];
  final Database db;

  Future<int?> count() async => Sqflite.firstIntValue(await db.rawQuery('SELECT count(*) FROM notes'));

  Future<void> strings({required bool newest, List<int> ids = const []}) async {
    await db.rawQuery("SELECT 'it' FROM notes WHERE title = \"a\"");
    await db.rawQuery(r'SELECT id FROM notes WHERE price = "$1"');
    await db.rawQuery('SELECT id FROM notes ORDER BY id ${newest ? 'DESC' : "ASC"}');
    await db.rawQuery('SELECT id FROM notes WHERE id IN (${List.filled(ids.length, '?').join(',')})');
    await db.rawQuery('SELECT id FROM notes ' + 'WHERE title = ?', ['a']);
    await db.execute(create);
  }

  Future<void> saveAll(List<Note> notes) async {
    await db.transaction((txn) async {
      for (final note in notes) {
        await txn.rawInsert('INSERT INTO notes (title) VALUES (?)', [note.title]);
      }
      for (var i = 0; i < 3; i++) await txn.execute('DELETE FROM tags WHERE note = ?', [i]);
      await txn.execute('DELETE FROM tags WHERE note IS NULL');
    });
    notes.forEach((note) => db.rawDelete('DELETE FROM notes WHERE id = ?', [note.id]));
  }

  void _onCreate(Database db, int version) async {
    await db.execute('CREATE TABLE tags (note INTEGER, tag TEXT)');
  }
}
