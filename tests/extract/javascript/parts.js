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
