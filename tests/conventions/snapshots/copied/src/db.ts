const TABLES = `
CREATE TABLE IF NOT EXISTS harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS masts (id INTEGER PRIMARY KEY, ship INTEGER NOT NULL, height INTEGER);
`;

export async function init(db: Database) {
    await db.exec(TABLES);
}

export async function ships(db: Database, harbour: number) {
    return db.prepare("SELECT id FROM ships WHERE harbour = ?").all(harbour);
}
