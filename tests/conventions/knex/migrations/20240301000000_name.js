exports.up = (knex) => knex.raw("ALTER TABLE ships ADD COLUMN name TEXT");

exports.down = (knex) => knex.raw("ALTER TABLE ships DROP COLUMN name");
