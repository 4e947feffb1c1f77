async function watches(knex, start) {
  return knex.raw("SELECT crew.name FROM watch JOIN crew ON crew.id = watch.crew_id WHERE watch.start = ?", [start]);
}
