// What callers hand to a function of the file that makes text of it.

function index(db, table, columns, unique = false, name = null) {
  const kind = unique ? "UNIQUE " : "";
  const label = name || `${table}_by_${columns.join("_")}`;
  db.exec(`CREATE ${kind}INDEX IF NOT EXISTS ${label} ON ${table} (${columns.join(", ")})`);
}

function indexes(db) {
  index(db, "book", ["author"]);
  index(db, "book", ["isbn"], true);
  index(db, "author", ["name", "born"], false, "by_name");
  for (const [table, columns] of [["loan", ["reader", "due"]], ["shelf", ["room"]]]) {
    index(db, table, columns);
  }
}
