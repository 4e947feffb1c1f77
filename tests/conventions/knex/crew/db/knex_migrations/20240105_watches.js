exports.up = function (knex) {
  return knex.schema
    .createTable("watch", function (t) {
      t.increments();
      t.integer("crew_id").notNullable().references("id").inTable("crew");
      t.datetime("start").notNullable();
      t.unique(["crew_id", "start"]);
      t.index("start", "watch_start");
    })
    .alterTable("crew", (t) => {
      t.dropColumn("berth");
      t.renameColumn("ashore", "away");
      t.text("note");
    });
};

exports.down = function (knex) {
  return knex.schema.dropTable("watch");
};
