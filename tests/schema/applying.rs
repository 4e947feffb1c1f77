//! What statements of a migration do, and what is said of it.

use super::{made_by, made_with, outcome, outcomes};
use planlint::schema::{Alteration, Effect, IndexDefinition, Kind, Live, RefusalKind, Settings};

fn refusal(live: &mut Live, sql: &str) -> RefusalKind {
    outcome(live, sql).expect_err(sql).kind
}

fn does(live: &mut Live, sql: &str) -> Effect {
    outcome(live, sql).expect(sql)
}

#[test]
fn ranges_are_those_of_the_statements_alone() {
    let text = "\n-- a table\nCREATE TABLE t(a) ; -- and\n\n INSERT INTO t VALUES('ä');\n";
    let ranges: Vec<&str> = made_by("").apply(text).iter().map(|one| &text[one.start..one.end]).collect();
    assert_eq!(ranges, ["CREATE TABLE t(a)", "INSERT INTO t VALUES('ä')"]);
}

#[test]
fn a_refused_statement_does_not_stop_those_after_it() {
    let text = "CREATE TABLE a(x); CREATE TABEL b(x); INSERT INTO nowhere VALUES(1);
                CREATE TRIGGER tr AFTER INSERT ON a BEGIN SELECT x FROM; END; CREATE TABLE c(x)";
    let came = outcomes(&mut made_by(""), text);
    assert_eq!(came.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, false, true]);
}

#[test]
fn what_is_wrong_is_told_apart() {
    let mut live =
        made_by("CREATE TABLE t(a UNIQUE, b); CREATE INDEX i ON t(a); INSERT INTO t VALUES(1, 2);");
    let cases = [
        ("SELEC 1", RefusalKind::Syntax),
        ("SELECT 'a", RefusalKind::Syntax),
        ("INSERT INTO t VALUES(", RefusalKind::Incomplete),
        ("SELECT * FROM nowhere", RefusalKind::NoSuchTable("nowhere".to_owned())),
        ("SELECT c FROM t", RefusalKind::NoSuchColumn("c".to_owned())),
        ("SELECT t.c FROM t", RefusalKind::NoSuchColumn("t.c".to_owned())),
        ("INSERT INTO t(c) VALUES(1)", RefusalKind::NoSuchColumn("t.c".to_owned())),
        ("SELECT hash(a) FROM t", RefusalKind::NoSuchFunction("hash".to_owned())),
        ("SELECT a FROM t ORDER BY a COLLATE human", RefusalKind::NoSuchCollation("human".to_owned())),
        ("DROP INDEX nowhere", RefusalKind::NoSuchIndex("nowhere".to_owned())),
        ("SELECT * FROM t INDEXED BY nowhere", RefusalKind::NoSuchIndex("nowhere".to_owned())),
        ("CREATE TABLE t(x)", RefusalKind::AlreadyExists("t".to_owned())),
        ("CREATE INDEX i ON t(b)", RefusalKind::AlreadyExists("i".to_owned())),
        ("CREATE INDEX t ON t(b)", RefusalKind::AlreadyExists("t".to_owned())),
        ("ALTER TABLE t ADD COLUMN b", RefusalKind::DuplicateColumn("b".to_owned())),
        ("INSERT INTO t VALUES(1, 3)", RefusalKind::Constraint),
        ("SELECT a, FROM t", RefusalKind::Syntax),
    ];
    for (sql, kind) in cases {
        assert_eq!(refusal(&mut live, sql), kind, "{sql}");
    }
}

#[test]
fn the_offset_is_that_of_the_word_complained_of() {
    let mut live = made_by("CREATE TABLE t(a)");
    let wrong = outcome(&mut live, "SELECT a, wrong FROM t").unwrap_err();
    assert_eq!(wrong.offset, Some(10));
    let text = "-- ä\nEXPLAIN SELECT a, wrong FROM t";
    assert_eq!(live.explain(text).unwrap_err().offset, text.find("wrong"));
}

#[test]
fn an_if_not_exists_that_does_nothing_says_so_and_what_is_there() {
    let mut live = made_by(
        "CREATE TABLE t(a, b); CREATE TABLE u(a); CREATE INDEX i ON t(a, lower(b) DESC) WHERE a > 1;",
    );
    let effect = does(&mut live, "CREATE INDEX IF NOT EXISTS i ON u(a)");
    let on_u =
        IndexDefinition { table: "u".to_owned(), columns: vec!["a".to_owned()], unique: false, filter: None };
    let on_t = IndexDefinition {
        table: "t".to_owned(),
        columns: vec!["a".to_owned(), "lower(b) DESC".to_owned()],
        unique: false,
        filter: Some("a > 1".to_owned()),
    };
    assert_eq!((effect.changed, effect.index, effect.existing), (false, Some(on_u), Some(on_t)));
    for sql in [
        "CREATE TABLE IF NOT EXISTS t(z)",
        "CREATE TABLE IF NOT EXISTS T(z)",
        "DROP TABLE IF EXISTS nowhere",
        "DROP INDEX IF EXISTS nowhere",
        "DROP VIEW IF EXISTS nowhere",
        "DROP TRIGGER IF EXISTS nowhere",
        "DELETE FROM t",
    ] {
        assert!(!does(&mut live, sql).changed, "{sql}");
    }
    for sql in [
        "CREATE TABLE IF NOT EXISTS v(z)",
        "CREATE INDEX IF NOT EXISTS j ON v(z)",
        "CREATE VIEW IF NOT EXISTS w AS SELECT * FROM v",
        "CREATE TRIGGER IF NOT EXISTS x AFTER INSERT ON v BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE IF NOT EXISTS y USING fts5(a)",
        "CREATE TEMP TABLE IF NOT EXISTS tt(a)",
        "INSERT INTO t VALUES(1, 2), (3, 4)",
    ] {
        assert!(does(&mut live, sql).changed, "{sql}");
    }
    assert!(!does(&mut live, "CREATE VIEW IF NOT EXISTS w AS SELECT 1").changed);
    assert!(!does(&mut live, "CREATE TRIGGER IF NOT EXISTS x AFTER DELETE ON t BEGIN SELECT 1; END").changed);
    assert!(!does(&mut live, "CREATE VIRTUAL TABLE IF NOT EXISTS y USING fts5(b)").changed);
}

#[test]
fn an_effect_names_its_object_and_table() {
    let mut live = made_by("CREATE TABLE t(a, b)");
    let named = |live: &mut Live, sql: &str| {
        let effect = does(live, sql);
        let text = |name: Option<String>| name.unwrap_or_default();
        (effect.kind, format!("{}.{} {}", text(effect.schema), text(effect.object), text(effect.table)))
    };
    let cases = [
        ("CREATE UNIQUE INDEX \"i x\" ON t(a)", Kind::CreateIndex, "main.i x t"),
        ("CREATE INDEX main.j ON t(a)", Kind::CreateIndex, "main.j t"),
        ("CREATE TEMP TABLE [t t](a)", Kind::CreateTable, "temp.t t t t"),
        ("CREATE TABLE temp.`u`(a)", Kind::CreateTable, "temp.u u"),
        ("CREATE TRIGGER tr AFTER UPDATE OF a ON t BEGIN SELECT 1; END", Kind::CreateTrigger, "main.tr t"),
        ("CREATE VIEW v(x) AS SELECT a FROM t", Kind::CreateView, "main.v v"),
        ("INSERT INTO t DEFAULT VALUES", Kind::Insert, "main.t t"),
        ("INSERT OR REPLACE INTO main.t VALUES(1, 2)", Kind::Replace, "main.t t"),
        ("REPLACE INTO t VALUES(2, 2)", Kind::Replace, "main.t t"),
        ("WITH c AS (SELECT 1) UPDATE OR IGNORE t SET b = 3", Kind::Update, "main.t t"),
        ("DELETE FROM t WHERE a = 1", Kind::Delete, "main.t t"),
        ("DROP INDEX j", Kind::DropIndex, "main.j t"),
        ("ALTER TABLE t RENAME TO t2", Kind::AlterTable, "main.t t"),
    ];
    for (sql, kind, names) in cases {
        assert_eq!(named(&mut live, sql), (kind, names.to_owned()), "{sql}");
    }
}

#[test]
fn alterations_are_told() {
    let mut live = made_by("CREATE TABLE t(a, b)");
    let mut alters = |sql: &str| does(&mut live, sql).alteration.unwrap();
    let renamed = Alteration::RenameColumn { from: "a".to_owned(), to: "to".to_owned() };
    assert_eq!(alters("ALTER TABLE t RENAME COLUMN a TO \"to\""), renamed);
    assert_eq!(
        alters("ALTER TABLE t ADD COLUMN c INTEGER NOT NULL DEFAULT 0"),
        Alteration::AddColumn("c".to_owned())
    );
    assert_eq!(alters("ALTER TABLE t ADD d"), Alteration::AddColumn("d".to_owned()));
    assert_eq!(alters("ALTER TABLE t DROP COLUMN c"), Alteration::DropColumn("c".to_owned()));
    assert_eq!(alters("ALTER TABLE t RENAME TO u"), Alteration::RenameTable("u".to_owned()));
}

#[test]
fn a_dropped_table_takes_its_indexes_and_triggers_along() {
    let mut live = made_by(
        "CREATE TABLE t(a UNIQUE, b); CREATE INDEX i ON t(b); CREATE TABLE u(a); CREATE INDEX j ON u(a);
         CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END;",
    );
    let dropped = does(&mut live, "DROP TABLE T").dropped;
    let mut names: Vec<String> = dropped.iter().map(|one| format!("{} {}", one.kind, one.name)).collect();
    assert_eq!(names.remove(0), "table t");
    names.sort();
    assert_eq!(names, ["index i", "index sqlite_autoindex_t_1", "trigger tr"]);
    let dropped = does(&mut live, "DROP INDEX j").dropped;
    assert_eq!(dropped[0].index.as_ref().unwrap().columns, ["a"]);
}

#[test]
fn rows_are_those_the_statement_itself_changed() {
    let mut live = made_by(
        "CREATE TABLE t(a); CREATE TABLE log(a);
         CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES(1), (2); END;",
    );
    assert_eq!(does(&mut live, "INSERT INTO t VALUES(1), (2)").rows, 2);
    assert_eq!(does(&mut live, "UPDATE log SET a = 3").rows, 4);
    assert_eq!(does(&mut live, "DELETE FROM log").rows, 4);
    assert_eq!(does(&mut live, "SELECT * FROM t").rows, 0);
}

#[test]
fn transactions_of_the_text_really_run() {
    let mut live = made_by("CREATE TABLE t(a)");
    outcomes(
        &mut live,
        "BEGIN; INSERT INTO t VALUES(1); CREATE TABLE gone(a); ROLLBACK; SAVEPOINT s; INSERT INTO t VALUES(2); RELEASE s",
    );
    assert_eq!(live.objects().unwrap().tables.len(), 1);
    assert_eq!(does(&mut live, "UPDATE t SET a = a").rows, 1);
    assert!(outcome(&mut live, "COMMIT").is_err());
}

#[test]
fn a_transaction_left_open_is_told_and_committed() {
    let mut live = made_by("CREATE TABLE t(a)");
    let applied = live.apply("BEGIN; INSERT INTO t VALUES(1)");
    assert_eq!(applied.iter().map(|one| one.left_open).collect::<Vec<_>>(), [false, true]);
    assert_eq!(does(&mut live, "UPDATE t SET a = a").rows, 1);
    assert!(outcome(&mut live, "ROLLBACK").is_err());
}

#[test]
fn vacuum_fails_in_a_transaction_as_it_does_in_sqlite() {
    let mut live = made_by("CREATE TABLE t(a)");
    let came = outcomes(&mut live, "VACUUM; BEGIN; VACUUM; COMMIT; VACUUM main");
    assert_eq!(came.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false, true, true]);
}

#[test]
fn foreign_keys_are_enforced_as_the_migration_sets_them() {
    let schema = "CREATE TABLE p(a PRIMARY KEY); CREATE TABLE c(a REFERENCES p(a)); ";
    let orphan = "INSERT INTO c VALUES(1)";
    assert!(outcome(&mut made_by(schema), orphan).is_ok());
    let enforced = Settings { foreign_keys: true, ..Settings::default() };
    let mut live = made_with(&enforced, schema);
    assert_eq!(refusal(&mut live, orphan), RefusalKind::Constraint);
    assert!(outcomes(&mut live, &format!("PRAGMA foreign_keys = OFF; {orphan}")).iter().all(Result::is_ok));
    assert_eq!(live.explain("DELETE FROM p WHERE a = 1").unwrap().plan.steps.len(), 2);
    assert!(outcome(&mut live, orphan).is_ok(), "the setting stays until it is set again");
    does(&mut live, "PRAGMA foreign_keys = ON");
    assert_eq!(refusal(&mut live, orphan), RefusalKind::Constraint);
    let came = outcomes(&mut live, "BEGIN; PRAGMA foreign_keys = OFF; INSERT INTO c VALUES(1)");
    assert!(came[2].is_err(), "it cannot be set in a transaction");
}

#[test]
fn a_virtual_table_of_a_module_that_is_not_there_becomes_a_plain_one() {
    let mut live = made_by("");
    let sql = "CREATE VIRTUAL TABLE IF NOT EXISTS v USING vec0(id INTEGER PRIMARY KEY, +note TEXT, \"an embedding\" float[4], distance_metric=cosine)";
    let effect = does(&mut live, sql);
    assert_eq!((effect.kind, effect.changed), (Kind::CreateVirtualTable, true));
    assert_eq!(effect.replaced_module.as_deref(), Some("vec0"));
    let objects = live.objects().unwrap();
    let names: Vec<&str> = objects.tables[0].columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["id", "note", "an embedding"]);
    does(&mut live, "CREATE VIRTUAL TABLE w USING spellfix1");
    does(&mut live, "CREATE VIRTUAL TABLE f USING fts5(a, b, tokenize='porter ascii')");
    assert!(live.explain("SELECT * FROM f WHERE f MATCH 'x'").is_ok());
    // Such a tokenizer may be one's own, and so may the one that it goes on with.
    for (name, option) in [("g", "seafarer"), ("h", "porter seafarer remove_diacritics 2")] {
        does(&mut live, &format!("CREATE VIRTUAL TABLE {name} USING fts5(a, tokenize = '{option}')"));
    }
    let wrong = live.apply("CREATE VIRTUAL TABLE i USING fts5(a, tokenize = 'porter unicode61 no_option 1')");
    assert!(wrong[0].outcome.is_err());
}

#[test]
fn written_statistics_are_used() {
    let mut live =
        made_by("CREATE TABLE t(a, b); CREATE INDEX t_a ON t(a); CREATE INDEX t_b ON t(b); ANALYZE;");
    let sql = "SELECT * FROM t WHERE a = ? AND b = ?";
    outcomes(
        &mut live,
        "INSERT INTO sqlite_stat1 VALUES('t', 't_a', '100000 2'), ('t', 't_b', '100000 50000')",
    );
    assert!(live.explain(sql).unwrap().plan.steps[0].detail.contains("t_a"));
    outcomes(
        &mut live,
        "UPDATE sqlite_stat1 SET stat = CASE idx WHEN 't_b' THEN '100000 2' ELSE '100000 50000' END",
    );
    assert!(live.explain(sql).unwrap().plan.steps[0].detail.contains("t_b"));
}

#[test]
fn what_a_program_brings_along_can_be_named() {
    let settings = Settings {
        functions: vec![
            ("hash".to_owned(), 1),
            ("any".to_owned(), -1),
            ("lower".to_owned(), 1),
            ("max".to_owned(), -1),
        ],
        collations: vec!["human".to_owned()],
        modules: vec!["words".to_owned()],
        pragmas: [("recursive_triggers".to_owned(), "on".to_owned())].into(),
        ..Settings::default()
    };
    let mut live = made_with(
        &settings,
        "CREATE TABLE t(a TEXT COLLATE human, b); CREATE INDEX i ON t(hash(b)); INSERT INTO t VALUES('a', 2);
         CREATE VIEW v AS SELECT any(a, b, 1) AS c, lower(a), max(a, b), pow(b, 2), sqrt(b), a REGEXP 'x' FROM t;
         SELECT * FROM v; SELECT max(a) FROM t;",
    );
    let plan = live.explain("SELECT a FROM t WHERE hash(b) = ?").unwrap();
    assert!(plan.plan.steps[0].detail.contains("USING INDEX i"));
    let words = live.explain("SELECT * FROM t WHERE a IN (SELECT value FROM words(?, 2))").unwrap();
    assert!(words.plan.steps.iter().any(|step| step.table.as_deref() == Some("words")));
    assert_eq!(refusal(&mut live, "SELECT other(a) FROM t"), RefusalKind::NoSuchFunction("other".to_owned()));
    live.add_function("other").unwrap();
    live.add_collation("animal").unwrap();
    assert!(live.explain("SELECT other(a, 1) FROM t ORDER BY a COLLATE animal").is_ok());
}

#[test]
fn attached_schemas_are_there_when_they_are_named() {
    let settings =
        Settings { attached: vec!["ledger".to_owned(), "odd name".to_owned()], ..Settings::default() };
    let text = "CREATE TABLE ledger.t(a); CREATE INDEX ledger.i ON t(a); CREATE TABLE \"odd name\".t(b);";
    let mut live = made_with(&settings, text);
    let plan = live.explain("SELECT * FROM \"odd name\".t x JOIN ledger.t ON t.a = x.b").unwrap().plan;
    let schemas: Vec<&str> = plan.steps.iter().filter_map(|step| step.schema.as_deref()).collect();
    assert_eq!(schemas, ["odd name", "ledger"]);
    live.attach("late").unwrap();
    assert!(outcome(&mut live, "CREATE TABLE late.t(a)").is_ok());
    assert!(matches!(refusal(&mut live, "ATTACH ':memory:' AS later"), RefusalKind::Forbidden(_)));
}

#[test]
fn a_view_over_what_was_never_declared_hinders_no_alteration() {
    let text = "CREATE TABLE q(a); CREATE TABLE q_new(a, b); CREATE VIEW v AS SELECT * FROM made_elsewhere;";
    let mut live = made_with(&Settings::default(), text);
    assert!(outcome(&mut live, "ALTER TABLE q_new RENAME TO q2").is_ok());
    assert!(outcome(&mut live, "ALTER TABLE q2 RENAME COLUMN b TO c").is_ok());
    // A view over a table that was dropped is one that the program trips over.
    assert!(outcome(&mut live, "CREATE VIEW w AS SELECT * FROM q").is_ok());
    assert!(outcome(&mut live, "DROP TABLE q").is_ok());
    assert_eq!(
        refusal(&mut live, "ALTER TABLE q2 RENAME TO q"),
        RefusalKind::NoSuchTable("main.q".to_owned())
    );
}

#[test]
fn a_key_that_is_written_for_several_engines_is_that_of_sqlite() {
    let mut live =
        made_with(&Settings::default(), "CREATE TABLE berths (id BIGSERIAL, ship TEXT, PRIMARY KEY (id))");
    let plan = live.explain("SELECT ship FROM berths WHERE id > ?").unwrap().plan;
    assert!(plan.steps[0].detail.contains("USING INTEGER PRIMARY KEY"), "{plan:?}");
    assert!(outcome(&mut live, "UPDATE berths SET ship = CURRENT_TIMESTAMP()").is_ok());
}
