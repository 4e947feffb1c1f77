async function ships(knex, name) {
  return knex.raw("SELECT id FROM ships WHERE name = ?", [name]);
}
