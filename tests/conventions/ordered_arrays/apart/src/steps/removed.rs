pub const S: &[S<'static>] = &[S::up(2026_02_01, "CREATE TABLE removed (ship TEXT PRIMARY KEY)")];
