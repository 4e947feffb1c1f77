export function ships(db: Database, name: string) {
  return db.prepare("SELECT id FROM ships WHERE name = ?").all(name);
}
