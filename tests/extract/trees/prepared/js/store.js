class Store {
  constructor(db) {
    this.byName = db.prepare('SELECT id FROM ship WHERE name = ?');
    this.all = db.prepare('SELECT id, name FROM ship');
  }

  ids(names) {
    return names.map((name) => this.byName.get(name).id);
  }

  list() {
    return this.all.all();
  }
}
