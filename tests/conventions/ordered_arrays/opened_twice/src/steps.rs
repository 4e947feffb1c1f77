pub const CORE_STEPS: &[&str] = &["CREATE TABLE ship (name TEXT PRIMARY KEY)", "ALTER TABLE ship ADD COLUMN flag TEXT"];
pub const EXTRA_STEPS: &[&str] = &["CREATE TABLE lighthouse (flag TEXT PRIMARY KEY, height INTEGER)"];
