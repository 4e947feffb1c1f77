//! What a stranger's SQL must not do: reach a file, load code, loosen the guard, or run without end.

use super::{made_with, outcome, outcomes};
use planlint::schema::{Limits, Live, RefusalKind, Settings, open_in_memory, sqlite::OpenFlags};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// With time enough for a busy machine, so that the other limits are met first.
fn patient(limits: &Limits) -> Settings {
    Settings { limits: Limits { milliseconds: 120_000, ..limits.clone() }, ..Settings::default() }
}

fn open() -> Live {
    made_with(&patient(&Limits::default()), "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2);")
}

fn refused(sql: &str) -> RefusalKind {
    let begun = Instant::now();
    let kind = outcome(&mut open(), sql).expect_err(sql).kind;
    assert!(begun.elapsed() < Duration::from_mins(1), "{sql} took {:?}", begun.elapsed());
    kind
}

fn forbids(sql: &str, what: &str) {
    assert_eq!(refused(sql), RefusalKind::Forbidden(what.to_owned()), "{sql}");
}

fn limits(sql: &str, limit: &str) {
    let shown: String = sql.chars().take(100).collect();
    assert_eq!(refused(sql), RefusalKind::Limit(limit.to_owned()), "{shown}");
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn no_file_is_made_changed_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("secret"), "left alone").unwrap();
    let before = names_in(folder.path());
    let here = names_in(Path::new("."));
    let secret = file("secret");
    let texts = [
        format!("ATTACH '{}' AS x", file("attached.db")),
        format!("ATTACH 'file:{}?mode=rwc' AS x", file("attached.db")),
        format!("VACUUM INTO '{}'", file("vacuumed.db")),
        format!("VACUUM main INTO '{}'", file("vacuumed.db")),
        format!("SELECT load_extension('{secret}')"),
        format!("SELECT readfile('{secret}')"),
        format!("SELECT writefile('{secret}', 'x')"),
        format!("SELECT edit('x', 'touch {}')", file("edited")),
        format!("PRAGMA temp_store_directory = '{}'", folder.path().display()),
        format!("PRAGMA data_store_directory = '{}'", folder.path().display()),
        format!("CREATE VIRTUAL TABLE x USING csv(filename='{secret}')"),
        format!("CREATE VIRTUAL TABLE x USING zipfile('{secret}')"),
        "CREATE TABLE in_memory(a); INSERT INTO in_memory VALUES(zeroblob(100000)); VACUUM".to_owned(),
        "PRAGMA temp_store = FILE; CREATE TEMP TABLE big AS
         WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
         SELECT i, hex(zeroblob(100)) FROM n ORDER BY -i"
            .to_owned(),
        "PRAGMA journal_mode = WAL; PRAGMA journal_mode = DELETE; INSERT INTO t VALUES(1, 2)".to_owned(),
        "ATTACH 'planlint-hostile.db' AS x; CREATE TABLE x.y(a)".to_owned(),
    ];
    for text in texts {
        let mut live = open();
        live.apply(&text);
        let _ = live.explain(&text);
    }
    assert_eq!(names_in(folder.path()), before);
    assert_eq!(names_in(Path::new(".")), here);
    assert_eq!(fs::read_to_string(file("secret")).unwrap(), "left alone");
}

#[test]
fn what_reaches_a_file_is_forbidden_by_name() {
    forbids("ATTACH 'x.db' AS x", "ATTACH \"x.db\"");
    forbids("ATTACH ':memory:' AS x", "ATTACH \":memory:\"");
    forbids("ATTACH DATABASE 'x' || '.db' AS x KEY 'y'", "ATTACH");
    forbids("DETACH main", "DETACH \"main\"");
    forbids("VACUUM INTO 'x.db'", "VACUUM INTO");
    forbids("vacuum main /* now */ into 'x.db'", "VACUUM INTO");
    forbids("SELECT load_extension('x')", "load_extension()");
    forbids("INSERT INTO t(a) SELECT Load_Extension('x', 'y')", "load_extension()");
    forbids("SELECT fts3_tokenizer('simple')", "fts3_tokenizer()");
    forbids("SELECT fts3_tokenizer('simple', x'00')", "fts3_tokenizer()");
    forbids("SELECT readfile('x')", "readfile()");
    forbids("SELECT writefile('x', 'y')", "writefile()");
    forbids("SELECT edit('x')", "edit()");
    forbids("PRAGMA writable_schema = ON", "PRAGMA writable_schema");
    forbids("PRAGMA writable_schema(1)", "PRAGMA writable_schema");
    forbids("PRAGMA temp_store_directory = '/'", "PRAGMA temp_store_directory");
    forbids("PRAGMA main.data_store_directory = '/'", "PRAGMA data_store_directory");
}

#[test]
fn a_trigger_or_a_view_cannot_do_what_is_forbidden() {
    let text = "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT load_extension('x'); END;
                CREATE VIEW v AS SELECT fts3_tokenizer('simple') AS f;
                INSERT INTO t VALUES(3, 4);
                SELECT * FROM v;";
    let came = outcomes(&mut open(), text);
    for at in [2, 3] {
        let refusal = came[at].as_ref().unwrap_err();
        assert!(matches!(refusal.kind, RefusalKind::Forbidden(_)), "{refusal:?}");
    }
}

#[test]
fn a_stub_of_a_forbidden_function_is_forbidden_too() {
    let mut live = open();
    live.add_function("readfile").unwrap();
    let refusal = outcome(&mut live, "SELECT readfile('x')").unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Forbidden("readfile()".to_owned()));
}

#[test]
fn the_schema_cannot_be_written_as_rows() {
    let mut live = open();
    outcomes(
        &mut live,
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x'; PRAGMA schema_version = 9",
    );
    assert_eq!(live.objects().unwrap().tables.len(), 1);
    assert!(live.explain("SELECT a FROM t").is_ok());
}

#[test]
fn what_runs_without_end_is_stopped() {
    limits(
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "steps",
    );
    limits(
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) INSERT INTO t SELECT i, i FROM n",
        "steps",
    );
    let join = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                SELECT count(*) FROM n a, n b, n c WHERE a.i + b.i + c.i < 0";
    limits(join, "steps");
    let mut live = open();
    let text = "PRAGMA recursive_triggers = ON;
                CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO t VALUES(new.a + 1, 1); END;
                INSERT INTO t VALUES(1, 1);";
    let came = outcomes(&mut live, text);
    assert_eq!(came[2].as_ref().unwrap_err().kind, RefusalKind::Limit("depth".to_owned()));
}

#[test]
fn what_takes_too_much_memory_is_stopped() {
    limits("INSERT INTO t VALUES(zeroblob(1000000000), 1)", "length");
    limits("SELECT randomblob(1000000000)", "length");
    limits("SELECT hex(hex(hex(hex(hex(hex(hex(zeroblob(100000))))))))", "length");
    limits("SELECT replace(hex(zeroblob(400000)), '00', 'aaaaaaaaaaaaaaaa')", "length");
    limits("SELECT printf('%*c', 1000000000, 'x')", "length");
    let rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n)";
    let small = Limits { pages: 2_000, memory_bytes: 200_000_000, ..Limits::default() };
    let mut live = made_with(&patient(&small), "CREATE TABLE t(a, b)");
    let sorted =
        outcome(&mut live, &format!("{rows} SELECT randomblob(900000) AS r FROM n ORDER BY r")).unwrap_err();
    assert_eq!(sorted.kind, RefusalKind::Limit("memory".to_owned()));
    let came = outcomes(
        &mut live,
        &format!(
            "PRAGMA max_page_count = 1000000000; PRAGMA hard_heap_limit = 1; {rows} INSERT INTO t SELECT randomblob(900000), i FROM n"
        ),
    );
    assert_eq!(came[2].as_ref().unwrap_err().kind, RefusalKind::Limit("pages".to_owned()));
}

#[test]
fn no_single_step_takes_long() {
    let long = "hex(zeroblob(490000))";
    let mut live = open();
    let begun = Instant::now();
    for call in [
        format!("instr({long}, substr({long}, 1, 480000) || '1')"),
        format!("replace({long}, substr({long}, 1, 480000) || '1', 'x')"),
        format!("trim({long}, replace({long}, '0', '1') || '0')"),
        format!("{long} LIKE '%' || substr({long}, 1, 150) || '1'"),
        format!("{long} GLOB '*0*0*0*0*0*0*0*0*0*0*0*1'"),
    ] {
        outcome(&mut live, &format!("SELECT {call}")).unwrap();
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn functions_without_quadratic_time_compute_what_sqlite_does() {
    let mut live = open();
    let own = open_in_memory(OpenFlags::default()).unwrap();
    for call in [
        "instr('ärger', 'g')",
        "instr('abc', '')",
        "instr('abc', 'x')",
        "instr(x'0102', x'02')",
        "instr(NULL, 'a')",
        "instr(1234, 3)",
        "replace('aXbX', 'X', 'yy')",
        "replace('abc', '', 'x')",
        "replace('abc', NULL, 'x')",
        "replace(12.5, '.', ',')",
        "trim('xxaxx', 'x')",
        "ltrim('xyax', 'yx')",
        "rtrim(10.50, '0')",
        "trim('abc', '')",
        "trim(NULL, 'x')",
        "trim('  a ')",
    ] {
        let sql = format!("SELECT quote({call})");
        let ask = |connection: &planlint::schema::sqlite::Connection| -> String {
            connection.query_row(&sql, [], |row| row.get(0)).unwrap()
        };
        assert_eq!(ask(live.connection().unwrap()), ask(&own), "{call}");
    }
}

#[test]
fn what_costs_much_to_compile_is_stopped() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("SELECT {}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    limits(&nested("(", "1", ")", 100_000), "depth");
    limits(&nested("abs(", "1", ")", 5_000), "depth");
    limits(&nested("(SELECT ", "1", ")", 5_000), "depth");
    limits(&format!("SELECT 1{}", " + 1".repeat(50_000)), "depth");
    limits(&format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(5_000)), "depth");
    limits(&format!("SELECT '{}'", "x".repeat(3_000_000)), "length");
    let list = vec!["1"; 200_000].join(",");
    let begun = Instant::now();
    outcome(&mut open(), &format!("SELECT * FROM t WHERE a IN ({list})")).unwrap();
    assert!(open().explain(&format!("SELECT * FROM t WHERE a IN ({list})")).is_ok());
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn views_upon_views_end_too() {
    let mut live = open();
    let mut text = "CREATE VIEW v0 AS SELECT a FROM t UNION ALL SELECT b FROM t;".to_owned();
    for level in 1..40 {
        let below = level - 1;
        let same = format!("SELECT a FROM v{below}");
        write!(text, "CREATE VIEW v{level} AS {same} UNION ALL {same};").unwrap();
    }
    outcomes(&mut live, &text);
    let begun = Instant::now();
    let refusal = live.explain("SELECT * FROM v39").unwrap_err();
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?} {refusal:?}", begun.elapsed());
}

#[test]
fn a_limit_ends_one_statement_and_not_those_after_it() {
    let text = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;
                CREATE TABLE after(a); INSERT INTO after VALUES(1);";
    let came = outcomes(&mut open(), text);
    assert!(came[0].is_err() && came[1].is_ok() && came[2].is_ok());
}

#[test]
fn settings_of_a_normal_program_are_no_failure() {
    let pragmas = "PRAGMA journal_mode=WAL; PRAGMA journal_mode; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;
        PRAGMA user_version=5; PRAGMA cache_size=-2000; PRAGMA busy_timeout=5000; PRAGMA temp_store=MEMORY;
        PRAGMA mmap_size=268435456; PRAGMA page_size=8192; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA locking_mode=EXCLUSIVE;
        PRAGMA key='secret'; PRAGMA cipher_page_size=4096; PRAGMA wal_autocheckpoint=1000; PRAGMA optimize;
        PRAGMA application_id=7; PRAGMA recursive_triggers=ON; PRAGMA secure_delete=ON; PRAGMA encoding='UTF-8';
        PRAGMA integrity_check; PRAGMA foreign_key_check; PRAGMA table_info('t'); PRAGMA writable_schema=OFF;
        PRAGMA hard_heap_limit=1000000; PRAGMA max_page_count=10; PRAGMA trusted_schema=ON; PRAGMA query_only=ON;
        PRAGMA threads=4; PRAGMA wal_checkpoint(TRUNCATE); VACUUM; ANALYZE; REINDEX;
        INSERT INTO t VALUES(1, 2);";
    let mut live = open();
    for applied in live.apply(pragmas) {
        assert!(applied.outcome.is_ok(), "{}: {:?}", &pragmas[applied.start..applied.end], applied.outcome);
    }
}

#[test]
fn planning_a_setting_does_not_set_it() {
    let settings = Settings { foreign_keys: true, ..Settings::default() };
    let mut live = Live::open(&settings).unwrap();
    live.apply("CREATE TABLE p(a PRIMARY KEY); CREATE TABLE c(a REFERENCES p(a));");
    live.explain("PRAGMA foreign_keys = OFF").unwrap();
    live.explain("PRAGMA case_sensitive_like = ON").unwrap();
    assert_eq!(live.explain("DELETE FROM p WHERE a = 1").unwrap().plan.steps.len(), 2);
    assert!(outcome(&mut live, "INSERT INTO c VALUES(1)").is_err());
}

#[test]
fn a_small_stack_is_enough() {
    let work = || {
        let mut live = open();
        let deep = format!("SELECT {}1{}", "(SELECT abs(".repeat(400), "))".repeat(400));
        let _ = live.explain(&deep);
        let sum = format!("SELECT a FROM t WHERE a = 1{}", " OR b = 1".repeat(900));
        let _ = live.explain(&sum);
        let _ = outcome(&mut live, &sum);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn time_is_the_last_limit() {
    let limits = Limits { milliseconds: 50, steps: u64::MAX, ..Limits::default() };
    let mut live = made_with(&Settings { limits, ..Settings::default() }, "");
    let endless = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let refusal = outcome(&mut live, endless).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Limit("time".to_owned()));
}
