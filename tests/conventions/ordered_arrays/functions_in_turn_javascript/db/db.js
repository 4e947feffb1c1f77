const Database = require('better-sqlite3');

function splitNames(db) {
  db.exec('CREATE TABLE people_next (id INTEGER PRIMARY KEY, first TEXT, last TEXT)');
  db.exec('INSERT INTO people_next SELECT id, name, name FROM people');
  db.exec('DROP TABLE people');
  db.exec('ALTER TABLE people_next RENAME TO people');
}

const steps = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)',
  'CREATE INDEX people_by_name ON people (name)',
  splitNames,
  'CREATE TABLE visits (person INTEGER, day TEXT)',
];

function upgrade(db) {
  const version = db.pragma('user_version', { simple: true });
  for (const step of steps.slice(version)) {
    if (typeof step === 'function') step(db);
    else db.exec(step);
  }
}

function find(db, last) {
  return db.prepare('SELECT id FROM people WHERE last = ?').all(last);
}
module.exports = { upgrade, find };
