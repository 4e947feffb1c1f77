//! What is nested deeply, in every language and format, on a stack no larger than that of a thread. No reader may follow
//! brackets as deep as they go.

use super::read;
use super::subjects::ENDINGS;
use std::thread;

/// The stack of a thread, unless something else is asked for.
const STACK: usize = 2 << 20;

/// Runs a subject on texts, on a small stack.
fn bears(subject: &'static str, texts: Vec<Vec<u8>>) {
    let subject = super::subject(subject);
    let work = move || texts.iter().for_each(|text| read(subject, text));
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// An opening and what closes it, so often, around a word; and without what closes it.
fn nests(open: &str, inner: &str, close: &str, depth: usize) -> [String; 2] {
    let opened = format!("{}{inner}", open.repeat(depth));
    [format!("{opened}{}", close.repeat(depth)), opened]
}

/// What is nested in code: brackets, calls, strings with expressions in them, branches, functions, chains.
const CODE: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("f(", ")"),
    ("a[", "]"),
    ("if a {", "}"),
    ("if (a) {", "}"),
    ("if a:\n", ""),
    ("for x in y {", "}"),
    ("fn f() {", "}"),
    ("function f() {", "}"),
    ("mod m {", "}"),
    ("class A {", "}"),
    ("x = (\"SELECT a FROM t\" + ", ")"),
    ("x ? \"SELECT\" : ", ""),
    ("x ? (\"SELECT 1\") : (", ")"),
    ("match a { _ => ", "}"),
    ("\"SELECT \" + ", ""),
    ("\"SELECT \" . ", ""),
    ("\"SELECT \" ", ""),
    ("f\"{", "}\""),
    ("`${", "}`"),
    ("\"\\(", ")\""),
    ("\"#{", "}\""),
    ("\"${", "}\""),
    ("$\"{", "}\""),
    ("format!(\"{}\", ", ")"),
    (".a(|x| ", ")"),
    ("x => ", ""),
    (".push_str(\"SELECT\")", ""),
    ("&", ""),
    ("!", ""),
    ("/*", "*/"),
    ("r#\"", "\"#"),
    ("begin\n", "end\n"),
    ("do |x|\n", "end\n"),
    ("#if A\n", "#endif\n"),
    ("#define A ", ""),
    ("let a = \"SELECT 1\"; ", ""),
];

#[test]
fn code_that_is_nested_deeply_is_read_to_its_end() {
    let mut all = Vec::new();
    for index in 0..ENDINGS.len() {
        for (open, close) in CODE {
            for inner in nests(open, "db.query(\"SELECT a FROM t WHERE b = 1\")", close, 1_500) {
                all.push(format!("{}execute({inner});\n", (b'a' + index as u8) as char).into_bytes());
            }
        }
    }
    bears("sources", all);
}

/// What is nested in SQL.
const SQL: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("(SELECT ", "1", ")"),
    ("abs(", "1", ")"),
    ("NOT ", "1", ""),
    ("- ", "1", ""),
    ("~", "1", ""),
    ("CASE WHEN 1 THEN ", "1", " END"),
    ("1 + ", "1", ""),
    ("a = 1 OR ", "b = 2", ""),
    ("a = 1 AND ", "b = 2", ""),
    ("a || ", "b", ""),
    ("a IN (", "1", ")"),
    ("a IN (SELECT ", "1", ")"),
    ("EXISTS (SELECT ", "1", ")"),
    ("(1, ", "1", ")"),
    ("1 UNION ALL SELECT ", "1", ""),
    ("a COLLATE ", "nocase", ""),
    ("CAST(", "1", " AS TEXT)"),
    ("a BETWEEN 1 AND ", "1", ""),
    ("1 IS NOT ", "1", ""),
    ("json_array(", "1", ")"),
];

#[test]
fn sql_that_is_nested_deeply_is_read_to_its_end() {
    let mut all = Vec::new();
    for (open, inner, close) in SQL {
        for part in nests(open, inner, close, 10_000) {
            for frame in
                ["SELECT {}", "SELECT a FROM t WHERE {} ORDER BY 1", "UPDATE t SET b = {} WHERE c = 1"]
            {
                all.push(frame.replace("{}", &part).into_bytes());
            }
        }
    }
    let frames: &[(&str, &str, &str)] = &[
        ("WITH a AS (", "SELECT 1", ") SELECT * FROM a"),
        ("SELECT * FROM (", "SELECT 1", ")"),
        ("SELECT * FROM t JOIN (", "u", ") ON 1"),
        ("EXPLAIN ", "SELECT 1", ""),
        ("CREATE TRIGGER x AFTER INSERT ON t BEGIN ", "SELECT 1;", "END;"),
        ("CREATE TABLE x(a DEFAULT (", "1", "))"),
        ("SELECT * FROM t, ", "u", ""),
        ("/* ", "", " */"),
        ("CASE ", "1", " END"),
        ("BEGIN ", "", " END;"),
        ("CREATE VIEW x AS ", "SELECT 1", ""),
    ];
    for (open, inner, close) in frames {
        all.extend(nests(open, inner, close, 10_000).map(String::into_bytes));
    }
    bears("statements", all);
}

/// Views upon views, triggers that fire triggers and queries within queries, through all of a check: on the stacks that
/// threads have.
#[test]
fn programs_that_are_nested_deeply_are_judged() {
    let many = |one: &dyn Fn(usize) -> String| (1..300).map(one).collect::<String>();
    let views = many(&|at| format!("CREATE VIEW v{at} AS SELECT a FROM v{} WHERE a > {at};\n", at - 1));
    let triggers = many(&|at| {
        format!(
            "CREATE TABLE t{at}(a); CREATE TRIGGER r{at} AFTER INSERT ON t{} BEGIN INSERT INTO t{at} VALUES(1); END;\n",
            at - 1
        )
    });
    let keys = many(&|at| {
        format!("CREATE TABLE k{at}(a PRIMARY KEY REFERENCES k{}(a) ON DELETE CASCADE);\n", at - 1)
    });
    let schema = format!(
        "CREATE TABLE t0(a); CREATE VIEW v0 AS SELECT a FROM t0; CREATE TABLE k0(a PRIMARY KEY);\n{views}{triggers}{keys}"
    );
    let nested = |open: &str, inner: &str, close: &str, depth| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let mut queries = vec![
        "SELECT a FROM v299 WHERE a = ?".to_owned(),
        "INSERT INTO t0 VALUES(?)".to_owned(),
        "DELETE FROM k0 WHERE a = ?".to_owned(),
    ];
    for depth in [40, 90, 900] {
        queries.push(format!("SELECT * FROM t0 WHERE a = {}", nested("(", "?", ")", depth)));
        queries.push(format!(
            "SELECT * FROM t0 WHERE a IN {}",
            nested("(SELECT a FROM t0 WHERE a IN ", "(1)", ")", depth)
        ));
        queries.push(nested("WITH c AS (", "SELECT a FROM t0", ") SELECT a FROM c", depth));
        queries.push(nested("SELECT a FROM (", "SELECT a FROM t0", ")", depth));
        queries.push(format!("SELECT * FROM t0 WHERE {} a = 1", "a = ? OR ".repeat(depth)));
        queries.push(format!("SELECT * FROM t0 WHERE {} a = 1", "a = ? AND ".repeat(depth)));
        queries.push(format!("SELECT {} FROM t0", nested("CASE WHEN a THEN ", "1", " END", depth)));
        queries.push(format!("SELECT a FROM t0 {}", "UNION SELECT a FROM t0 ".repeat(depth)));
        queries.push(format!("SELECT * FROM t0 {}", "JOIN t0 USING (a) ".repeat(depth)));
        queries.push(format!("SELECT a FROM t0 ORDER BY {}", nested("abs(", "a", ")", depth)));
    }
    let runs = queries.iter().map(|query| format!("def f(db):\n    db.execute(\"{query}\", (1,))\n"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schema.sql"), schema).unwrap();
    std::fs::write(folder.path().join("store.py"), runs.collect::<String>()).unwrap();
    let work = move || planlint::check(&planlint::CheckRequest::new(folder.path())).unwrap().to_string();
    let said = thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
    assert!(said.contains("statements: "), "{said}");
}

/// Calls in branches within branches, and in more of them side by side than anybody writes: each is asked what stands around it.
#[test]
fn branches_deep_and_wide_are_judged() {
    let head = "const SCHEMA: &str = \"CREATE TABLE t(a INTEGER PRIMARY KEY, b)\";\n\
                fn make(db: &Connection) { db.execute_batch(SCHEMA).unwrap(); }\n\
                fn step(db: &Connection, a: i64) { db.execute(\"UPDATE t SET b = 1 WHERE a = ?1\", [a]).unwrap(); }\n";
    let all = |one: &dyn Fn(usize) -> String, count| (0..count).map(one).collect::<String>();
    let deep = all(&|at| format!("match a {{ {at} => {{ step(db, {at});\n"), 500);
    let deep = format!("fn deep(db: &Connection, a: i64) {{ {deep}{} }}\n", "} _ => {} }".repeat(500));
    let wide = all(&|at| format!("{at} => {{ step(db, {at}); }}\n"), 10_000);
    let wide = format!("fn wide(db: &Connection, a: i64) {{ match a {{ {wide} _ => {{}} }} }}\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lib.rs"), format!("{head}{deep}{wide}")).unwrap();
    let said = planlint::check(&planlint::CheckRequest::new(folder.path())).unwrap().to_string();
    assert!(said.contains("statements: 1 found"), "{said}");
}

#[test]
fn files_that_are_nested_deeply_are_read_to_their_end() {
    const DEPTH: usize = 20_000;
    let toml = |inner: String| format!("a = {inner}\n").into_bytes();
    let mut files = Vec::new();
    for (open, close) in [("[", "]"), ("{a=", "}"), ("a.", ""), ("[a,", "]")] {
        files.extend(nests(open, "1", close, DEPTH).map(toml));
    }
    files.push(format!("[{}a]\n", "a.".repeat(DEPTH)).into_bytes());
    files.push(format!("{}a = 1\n", "a.".repeat(DEPTH)).into_bytes());
    for subject in ["configuration", "sizes"] {
        bears(subject, files.clone());
    }
    let mut lines = Vec::new();
    for (open, close) in [("[", "]"), ("{\"a\": ", "}"), ("(", ")"), ("{'a': ", "}"), ("\"", "\"")] {
        for text in nests(open, "1", close, DEPTH) {
            for frame in [
                "{\"sql\": \"SELECT a FROM t\", \"params\": {}}\n",
                "(0.001) SELECT a FROM t; args={}\n",
                "  T Load (0.1ms)  SELECT a FROM t  {}\n",
                "{}\nSELECT a FROM t\n",
            ] {
                lines.push(frame.replace("{}", &text).into_bytes());
            }
        }
    }
    bears("logs", lines);
    let deep = (0..DEPTH).map(|_| "\u{1}SCAN t\n").collect::<String>();
    bears("plans", vec![deep.into_bytes()]);
}
