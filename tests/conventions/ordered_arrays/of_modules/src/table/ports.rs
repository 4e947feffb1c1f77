pub const S: &[S<'static>] = &[
    S::up(2026_01_01, "CREATE TABLE port (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"),
    S::up(2026_01_03, "ALTER TABLE port ADD COLUMN flag TEXT"),
];
