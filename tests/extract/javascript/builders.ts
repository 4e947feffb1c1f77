async function appended(db, newest) {
  let sql = "SELECT id FROM book";
  sql += " WHERE author = ?";
  if (newest) sql += " AND year > 2000";
  return db.prepare(sql).all();
}

function listed(db, author, year) {
  const conditions = [];
  if (author) {
    conditions.push("author = ?");
  }
  if (year) conditions.push("year = ?");
  const where = conditions.length ? `WHERE ${conditions.join(" AND ")}` : "";
  return db.prepare(`SELECT id FROM book ${where} ORDER BY id`).all();
}

function pieces(db) {
  const sql = ["SELECT id", "FROM book", "WHERE author = ?"].join(" ");
  return db.prepare(sql).all();
}

function either(db, kind) {
  let sql = `SELECT id FROM book`;
  switch (kind) {
    case 1:
      sql += ` ORDER BY year`;
      break;
    default:
      sql += ` ORDER BY id`;
  }
  return db.prepare(sql).all();
}

function anew(db, limit) {
  let sql = "SELECT id FROM book";
  if (limit) {
    sql = sql + " LIMIT ?";
  } else {
    sql = `${sql} LIMIT 10`;
  }
  return db.prepare(sql).all();
}

function ahead(db, wanted, title) {
  const columns = [];
  columns.push("title", "year");
  columns.unshift("id", "author");
  return db.prepare("INSERT INTO book (" + columns.join(", ") + ") VALUES (?, ?, ?, ?)").run(wanted);
}
