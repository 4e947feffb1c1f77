//! Lists of statements.

const STEPS: &[&str] = &[
    "CREATE TABLE one (id INTEGER PRIMARY KEY)",
    // "CREATE TABLE not_this (id)",
    "CREATE INDEX one_id ON one (id)",
    SECOND,
    concat!("CREATE TABLE three ", "(id)"),
    &format!("DROP TABLE {}", "one"),
];
const SECOND: &str = r#"
    CREATE TABLE two (id, one REFERENCES one);
"#;
const NAMES: [&str; 2] = [SECOND, self::THIRD];
const THIRD: &str = "DROP TABLE two";
static PAIRS: &[(u32, &str)] = &[(1, "ALTER TABLE one ADD COLUMN a"), (2, THIRD)];

lazy_static! {
    static ref MIGRATIONS: Vec<M<'static>> = vec![
        M::up("CREATE TABLE lazy (id)"),
        M::up(SECOND),
        M::up("ALTER TABLE lazy ADD COLUMN b").comment("a column"),
    ];
    static ref LAST: String = format!("{} WHERE id = 1", "SELECT id FROM lazy");
}

fn all(db: &Connection) {
    run_all(STEPS);
    db.execute_batch(&[SECOND, "VACUUM"].join(";"));
    Migrations::from_slice(&MIGRATIONS).to_latest(db);
    db.prepare(&LAST);
}
