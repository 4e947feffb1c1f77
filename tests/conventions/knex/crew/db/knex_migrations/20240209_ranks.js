exports.up = async (knex) => {
  await knex.schema.createTable("old", (table) => {
    table.increments("id");
  });
  await knex.schema.table("crew", (table) => {
    table.dropIndex(["rank"]);
  });
  await knex.schema.dropTable("old");
  await knex.schema.table("crew", (table) => {
    table.index(["name"], "crew_away", { predicate: knex.whereRaw("away = 1").whereNotNull("rank") });
  });
  if (knex.client.dialect === "mysql") {
    await knex.schema.alterTable("watch", (table) => {
      table.index(["crew_id"], "watch_crew");
    });
  }
};

exports.down = async (knex) => {
  await knex.schema.table("crew", (table) => {
    table.index(["rank"]);
  });
};
