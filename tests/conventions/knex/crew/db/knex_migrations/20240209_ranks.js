exports.up = async (knex) => {
  await knex.schema.createTable("old", (table) => {
    table.increments("id");
  });
  await knex.schema.table("crew", (table) => {
    table.dropIndex(["rank"]);
  });
  await knex.schema.dropTable("old");
};

exports.down = async (knex) => {
  await knex.schema.table("crew", (table) => {
    table.index(["rank"]);
  });
};
