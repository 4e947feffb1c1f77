exports.up = (knex) =>
  knex.raw(`CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)`);

exports.down = (knex) => knex.raw(`ALTER TABLE ships RENAME TO gone`);
