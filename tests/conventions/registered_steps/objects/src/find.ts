export function nicks(db, name: string) {
  return db.prepare("SELECT nick FROM users JOIN accounts ON accounts.id = account WHERE name = ?").all(name);
}
