exports.up = async function (knex) {
  await knex.raw("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
};

exports.down = async function (knex) {
  await knex.raw("DROP TABLE harbours");
};
