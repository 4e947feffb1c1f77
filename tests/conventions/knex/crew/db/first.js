async function createTables(knex) {
  await knex.schema.createTable("crew", (table) => {
    table.increments("id");
    table.string("name", 255).notNullable().unique();
    table.integer("berth").unsigned().nullable();
    table.boolean("ashore").notNullable().defaultTo(false);
    table.string("rank", 30).defaultTo("hand").index();
  });
}
module.exports = { createTables };
