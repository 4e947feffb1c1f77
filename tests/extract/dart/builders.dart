Future<void> appended(Database db, bool newest) async {
  var sql = 'SELECT id FROM book';
  sql += ' WHERE author = ?';
  if (newest) {
    sql += ' AND year > 2000';
  }
  await db.rawQuery(sql);
}

Future<void> buffered(Database db, bool newest) async {
  final sql = StringBuffer('SELECT id FROM book');
  sql.write(' WHERE author = ?');
  if (newest) sql.write(' AND year > 2000');
  await db.rawQuery(sql.toString());
}
