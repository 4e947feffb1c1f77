pub const S: &[S<'static>] = &[
    S::up(2026_01_02, "CREATE TABLE ship (name TEXT PRIMARY KEY, port INTEGER NOT NULL REFERENCES port)"),
    S::up(2026_01_04, "ALTER TABLE ship ADD COLUMN flag TEXT"),
    S::up(2026_01_05, "INSERT INTO ship SELECT name, id, flag FROM port"),
];
