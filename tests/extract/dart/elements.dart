class Store {
  Future<List> page(Database db, DateTime? until) =>
      db.rawQuery('SELECT id FROM book WHERE ' + ['author = ?', if (until != null) 'year < ?'].join(' AND '));

  Future<List> either(Database db, bool newest) =>
      db.rawQuery('SELECT id FROM book ' + [if (newest) 'ORDER BY year DESC' else 'ORDER BY year'].join(' '));

  Future<List> log(Database db, String? word) {
    final parts = <String>['author = 1'];
    if (word != null) {
      parts.add('title LIKE ?');
    }
    return db.rawQuery('SELECT id FROM book WHERE ' + parts.join(' AND '));
  }
}
