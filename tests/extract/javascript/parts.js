function shelfClause(shelf) {
  if (shelf) return ["WHERE shelf = ?", [shelf]];
  return ["WHERE shelf IS NULL", []];
}

function weightClause(kilos) {
  return kilos ? { clause: "WHERE kilos > ?", values: [kilos] } : { clause: "WHERE kilos IS NULL", values: [] };
}

function onShelf(db, shelf) {
  const [clause, values] = shelfClause(shelf);
  return db.prepare(`SELECT label FROM crates ${clause}`).all(values);
}

function heavier(db, kilos) {
  const { values, clause } = weightClause(kilos);
  return db.prepare(`SELECT kilos FROM crates ${clause}`).all(values);
}

function renamed(db, kilos) {
  const { clause: condition } = weightClause(kilos);
  return db.prepare(`SELECT shelf FROM crates ${condition}`).all();
}

function shelfOf(shelf) {
  let where = "";
  if (shelf) { where += " WHERE shelf = ?"; } return { where, count: 1 };
}

function counted(db, shelf) {
  const { where } = shelfOf(shelf);
  return db.prepare("SELECT count(*) FROM crates" + where).all();
}

function spread(db, rest) {
  const [first, second] = [...rest, "crates"];
  const { table, columns = ["label", "shelf"] } = rest;
  return db.prepare("SELECT label FROM " + second).all(first, table, columns);
}
