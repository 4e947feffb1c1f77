from yoyo import step

steps = [step("CREATE TABLE masts (ship INTEGER NOT NULL)", "ALTER TABLE masts RENAME TO old_masts")]
