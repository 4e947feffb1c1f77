pub const S: &[S<'static>] = &[
    S::up(2026_01_02, "CREATE TABLE last_update (at INTEGER NOT NULL)"),
    S::up(2026_01_03, "ALTER TABLE last_update ADD COLUMN version TEXT"),
];
