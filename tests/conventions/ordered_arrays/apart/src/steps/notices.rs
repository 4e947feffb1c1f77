pub const S: &[S<'static>] = &[S::up(2026_01_01, "CREATE TABLE notice (id INTEGER PRIMARY KEY, seen INTEGER)")];
