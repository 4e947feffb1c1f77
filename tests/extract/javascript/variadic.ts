// Parameters that take all arguments which remain.
function index(db: Database, table: string, ...columns: string[]) {
  const name = `${table}_${columns.join("_")}`;
  db.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${table} (${columns.join(", ")})`);
}

function each(db: Database, told: (...texts: string[]) => void, column: string) {
  db.exec(`CREATE INDEX lamp_${column} ON lamp (${column})`);
  told(column);
}

export function indexes(db: Database, more: string[]) {
  const ores = ["vein", "depth"];
  index(db, "mine", "shaft");
  index(db, "mine", "owner", "opened");
  index(db, "ore", ...ores);
  index(db, "cart", ...more);
  each(db, console.log, "miner");
}

function named(db: Database, table: string, columns: string) {
  const name = table + "_" + columns.replace(/, /g, "_");
  db.exec(`CREATE INDEX ${name} ON ${table} (${columns})`);
}

export function names(db: Database) {
  named(db, "mine", "opened, closed");
  named(db, "mine", "closed");
}
