class Work {
  refresh(age) {
    this.changes = this.db.prepare('UPDATE ship SET old = 1 WHERE age > ?').run(age).changes;
    this.loaded = true
    this.db.prepare('DELETE FROM crew WHERE ship IS NULL').run()
  }

  report(all) {
    for (const one of all) {
      this.execute(this.changes, one);
      this.exec(this.loaded, one);
    }
  }

  task(ids) {
    for (const id of ids) {
      const task = this.tasks.byName(id);
      task.run(id);
    }
  }
}
