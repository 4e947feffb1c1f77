pub const S: &[S<'static>] =
    &[S::up(2026_01_01, "CREATE TABLE sighting (ship TEXT NOT NULL, at INTEGER NOT NULL)")];
