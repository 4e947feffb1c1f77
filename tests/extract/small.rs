//! Small sources with what is found in them in the same place.

use super::{found, found_in, shown};
use planlint::extract::Role;
use planlint::source::{Source, Sources};

/// The texts of a file.
fn texts(path: &str, text: &str) -> Vec<String> {
    let (_, extraction) = found_in(path, text);
    extraction.literals.iter().flat_map(|literal| &literal.variants).map(shown::line).collect()
}

/// The first literal of a file: function, loops and role.
fn place(path: &str, text: &str) -> (String, u8, Role) {
    let (_, extraction) = found_in(path, text);
    let literal = extraction.literals.first().unwrap();
    let function = literal.function.map_or("", |index| &extraction.functions[index as usize].name);
    (function.to_owned(), literal.run.loop_depth, literal.role)
}

#[test]
fn a_file_of_another_language_holds_nothing() {
    assert!(texts("a.txt", "SELECT a FROM b").is_empty());
    assert!(texts("rs", "fn f() { run(\"SELECT a FROM b\") }").is_empty());
}

#[test]
fn an_empty_file_holds_nothing() {
    let endings = planlint::extract::languages::ALL.iter().flat_map(|language| language.extensions);
    for path in endings.filter(|ending| **ending != "sql").map(|ending| format!("a.{ending}")) {
        let path = path.as_str();
        assert!(texts(path, "").is_empty(), "{path}");
        assert!(texts(path, "\u{feff}").is_empty(), "{path}");
        assert!(texts(path, "\"").is_empty(), "{path}");
        assert!(texts(path, "'").is_empty(), "{path}");
    }
}

#[test]
fn the_site_of_a_literal_is_the_literal_with_its_quotes_and_prefix() {
    let rows = [
        ("a.rs", "fn f() { run(r#\"SELECT \"a\" FROM b\"#) }", "r#\"SELECT \"a\" FROM b\"#"),
        ("a.py", "run(rf'SELECT a FROM {b}')", "rf'SELECT a FROM {b}'"),
        ("a.py", "run('''SELECT a FROM b''')", "'''SELECT a FROM b'''"),
        ("a.go", "func f() { run(`SELECT a FROM b`) }", "`SELECT a FROM b`"),
        ("a.ts", "run(`SELECT ${x ? `y` : \"}\"} FROM b`)", "`SELECT ${x ? `y` : \"}\"} FROM b`"),
        ("a.kt", "val a = run(\"\"\"SELECT \"a\" FROM b\"\"\")", "\"\"\"SELECT \"a\" FROM b\"\"\""),
        (
            "a.cs",
            "var a = run($@\"SELECT \"\"{b[\"c\"]}\"\" FROM d\");",
            "$@\"SELECT \"\"{b[\"c\"]}\"\" FROM d\"",
        ),
        ("a.cpp", "auto a = run(R\"x(SELECT \")\" FROM b)x\");", "R\"x(SELECT \")\" FROM b)x\""),
        ("a.swift", "run(#\"SELECT \"a\" FROM b\"#)", "#\"SELECT \"a\" FROM b\"#"),
        ("a.php", "<?php run(<<<SQL\nSELECT a FROM b\nSQL);", "<<<SQL\nSELECT a FROM b\nSQL"),
        ("a.rb", "run(<<~SQL, 1)\n  SELECT a FROM b\nSQL\n", "<<~SQL, 1)\n  SELECT a FROM b\nSQL"),
    ];
    for (path, text, literal) in rows {
        let (sources, extraction) = found_in(path, text);
        assert_eq!(sources.text(extraction.literals[0].site), literal);
    }
}

#[test]
fn variants_are_at_most_sixteen() {
    let choice = "if a { \"x\" } else { \"y\" }, ";
    let text =
        format!("fn f() {{ run(&format!(\"SELECT {} FROM t\", {})) }}", "{}".repeat(6), choice.repeat(6));
    assert_eq!(texts("a.rs", &text).len(), 16);
}

#[test]
fn names_that_name_each_other_end() {
    let text = "const A: &str = concat!(B, \"x\");\nconst B: &str = concat!(A, \"y\");\n\
                fn f() { run(&format!(\"SELECT {A} FROM t\")) }";
    assert_eq!(texts("a.rs", text).len(), 1);
}

#[test]
fn brackets_that_never_close_are_no_hindrance() {
    let deep = format!("fn f() {{ run({}\"SELECT a FROM b\" }}", "(".repeat(2000));
    assert_eq!(texts("a.rs", &deep), ["SELECT a FROM b"]);
    let closed = format!("fn f() {{ {} run(\"SELECT a FROM b\") }}", ")".repeat(2000));
    assert_eq!(texts("a.rs", &closed), ["SELECT a FROM b"]);
}

#[test]
fn a_loop_counts_within_its_function_only() {
    let text = "fn f() { for a in b { fn g() { run(\"SELECT a FROM b\") } } }";
    assert_eq!(place("a.rs", text), ("g".to_owned(), 0, Role::Production));
}

#[test]
fn an_implementation_for_a_type_is_no_loop() {
    let text = "impl<T> A<T> for B { const C: u8 = { run(\"SELECT a FROM b\"); 1 }; }";
    assert_eq!(place("a.rs", text).1, 0);
}

#[test]
fn files_in_folders_of_tests_are_tests() {
    let text = "fn f() { run(\"SELECT a FROM b\") }";
    for path in
        ["tests/a.rs", "app/_tests/a.rs", "x/benches/a.rs", "src/tests.rs", "src/a_test.rs", "testing/a.rs"]
    {
        assert_eq!(place(path, text).2, Role::Test, "{path}");
    }
    for path in ["src/a.rs", "src/latest.rs", "contest/a.rs"] {
        assert_eq!(place(path, text).2, Role::Production, "{path}");
    }
    assert_eq!(place("a_test.go", "func f() { run(\"SELECT a FROM b\") }").2, Role::Test);
    assert_eq!(place("conftest.py", "run(\"SELECT a FROM b\")").2, Role::Test);
}

#[test]
fn steps_and_folders_of_migrations_get_their_role() {
    let text = "fn f() { run(\"SELECT a FROM b\"); run(\"SELECT c FROM d\") }";
    let sources = Sources::of(vec![
        Source::new("db/old_migrations/m.rs", text),
        Source::new("src/a.rs", text),
        Source::new("tests/migrations/m.rs", text),
    ]);
    let mut extraction = found(&sources);
    extraction.mark_migrations(&sources, [3]);
    let roles: Vec<Role> = extraction.literals.iter().map(|literal| literal.role).collect();
    let (production, migration, tests) = (Role::Production, Role::Migration, Role::Test);
    assert_eq!(roles, [migration, migration, production, migration, tests, tests]);
}

#[test]
fn what_is_handed_to_a_function_that_migrates_is_a_migration() {
    let text =
        "fn f() { db.execute_migration(\"UPDATE a SET b = 1\", 7); db.execute(\"UPDATE a SET b = 2\") }";
    let sources = Sources::of(vec![Source::new("src/a.rs", text)]);
    let mut extraction = found(&sources);
    extraction.mark_migrations(&sources, []);
    let roles: Vec<Role> = extraction.literals.iter().map(|literal| literal.role).collect();
    assert_eq!(roles, [Role::Migration, Role::Production]);
}

#[test]
fn what_a_file_of_migrations_runs_is_a_migration() {
    let run = "pub fn run(db: &Db) { db.execute(\"UPDATE a SET b = 1\") }";
    assert_eq!(place("src/sql/migrations.rs", run).2, Role::Migration);
    assert_eq!(place("src/sql/queries.rs", run).2, Role::Production);
    let closure = "fn f(db: &Db) { db.migrate_to(|step| { step.execute(\"UPDATE a SET b = 1\") }, 7) }";
    assert_eq!(place("src/a.rs", closure).2, Role::Migration);
    let closure = "fn f(db: &Db) { db.transact(|step| { step.execute(\"UPDATE a SET b = 1\") }, 7) }";
    assert_eq!(place("src/a.rs", closure).2, Role::Production);
}

#[test]
fn tests_of_each_language_are_told_by_their_paths() {
    let rows = [
        ("src/a.test.ts", "run(`SELECT a FROM b`)"),
        ("src/__tests__/a.js", "run('SELECT a FROM b')"),
        ("app/src/androidTest/A.kt", "fun f() { run(\"SELECT a FROM b\") }"),
        ("app/src/test/ATest.java", "class A { void f() { run(\"SELECT a FROM b\"); } }"),
        ("App.Tests/A.cs", "class A { void F() { Run(\"SELECT a FROM b\"); } }"),
        ("Tests/AppTests/A.swift", "func f() { run(\"SELECT a FROM b\") }"),
        ("spec/a_spec.rb", "run(\"SELECT a FROM b\")"),
        ("lib/a_test.dart", "void f() { run('SELECT a FROM b'); }"),
    ];
    for (path, text) in rows {
        assert_eq!(place(path, text).2, Role::Test, "{path}");
    }
}

#[test]
fn files_that_nobody_reads_are_generated() {
    let long = format!("{}\n", "x;".repeat(2000));
    let lines = "let x = 1;\n".repeat(400);
    let is_generated = planlint::extract::is_generated;
    assert!(is_generated("a.js", &long) && !is_generated("a.js", &lines));
    assert!(!is_generated("a.rs", &long) && !is_generated("a.sql", &long));
    assert!(is_generated("a.ts", &format!("<?xml version=\"1.0\"?>\n{lines}")));
}

#[test]
fn a_text_that_is_compared_is_not_run() {
    assert!(texts("a.kt", "fun f() { if (sql.startsWith(\"SELECT a FROM b\")) g() }").is_empty());
    assert!(texts("a.c", "void f() { if (sqlite3_strglob(\"CREATE TABLE *\", z) == 0) g(); }").is_empty());
}

#[test]
fn strings_that_never_end_are_no_hindrance() {
    for path in ["a.ts", "a.kt", "a.cs", "a.swift", "a.dart", "a.php", "a.rb"] {
        let open = format!("{}{}", "`${\"\\(#{$\"{".repeat(300), "run(\"SELECT a FROM b\")");
        texts(path, &open);
    }
}

#[test]
fn tools_are_offline_and_their_tests_are_tests() {
    assert_eq!(place("tools/a.rs", "fn f() { run(\"SELECT a FROM b\") }").2, Role::Offline);
    assert_eq!(place("tools/a.rs", "#[test]\nfn f() { run(\"SELECT a FROM b\") }").2, Role::Test);
}

/// The roles of the literals of a tree, in order.
fn roles(files: &[(&str, &str)]) -> Vec<Role> {
    let sources = Sources::of(files.iter().map(|&(path, text)| Source::new(path, text)).collect());
    found(&sources).literals.iter().map(|literal| literal.role).collect()
}

#[test]
fn what_a_trait_of_another_crate_asks_for_is_not_dead() {
    let method = |name: &str| format!("fn {name}(&self) {{ run(\"SELECT a FROM {name}\") }}\n");
    let text = format!(
        "trait Own {{ fn used(&self); fn unused(&self); }}\nimpl Own for Mine {{\n{}{}}}\n\
         impl net::Store<u8> for Mine {{\n{}}}\nimpl Mine {{\n{}}}\nfn main() {{ mine.used(); }}\n",
        method("used"),
        method("unused"),
        method("since"),
        method("nobody"),
    );
    let (production, dead) = (Role::Production, Role::Dead);
    assert_eq!(roles(&[("src/main.rs", text.as_str())]), [production, dead, production, dead]);
    // The trait may be declared in another file.
    let elsewhere = text.replace("net::Store<u8>", "Store");
    let declared = ("src/traits.rs", "pub trait Store: Send { fn since(&self); }");
    assert_eq!(roles(&[("src/main.rs", &elsewhere), declared]), [production, dead, dead, dead]);
}

#[test]
fn what_a_class_of_somebody_else_asks_for_is_not_dead() {
    let class = |head: &str, name: &str| {
        format!("class {head}:\n    def {name}(self):\n        self.db.execute(\"SELECT a FROM {name}\")\n\n")
    };
    let text = [
        class("Base", "nobody"),
        class("Mine(Base, web.Handler)", "own"),
        class("Page(web.Handler)", "asked"),
        class("Kind(object)", "plain"),
        "def main():\n    used(db)\n\ndef used(db):\n    db.execute(\"SELECT a FROM used\")\n".to_owned(),
    ]
    .concat();
    let (production, dead) = (Role::Production, Role::Dead);
    assert_eq!(roles(&[("app/page.py", text.as_str())]), [dead, dead, production, dead, production]);
}

#[test]
fn a_signature_of_an_interface_calls_nothing() {
    let text = "package main\n\ntype Reads interface {\n\tListNew(ctx Context) ([]File, error)\n\tOne(ctx Context)\n}\n\n\
                func (q *Queries) ListNew(ctx Context) { q.db.Query(\"SELECT a FROM b\") }\n\
                func (s *service) ListNew(ctx Context) { s.q.ListNew(ctx) }\n\
                func (q *Queries) One(ctx Context) { q.db.Query(\"SELECT c FROM d\") }\n\
                func main() { reads.One(ctx) }\n";
    assert_eq!(roles(&[("main.go", text)]), [Role::Dead, Role::Production]);
}

#[test]
fn a_generator_that_is_not_built_starts_no_program() {
    let store = "package store\n\nfunc (s *Store) Close() { s.db.Exec(`DELETE FROM a WHERE b = 1`) }\n\
                 func (s *Store) All() { s.db.Query(`SELECT b FROM a`) }\n";
    let make = "package main\n\nfunc main() { file.Close() }\n";
    let ignored = format!("//go:build ignore\n\n{make}");
    assert_eq!(roles(&[("store.go", store), ("gen.go", &ignored)]), [Role::StartUp, Role::Production]);
    assert_eq!(roles(&[("store.go", store), ("gen.go", make)]), [Role::StartUp, Role::Dead]);
}

#[test]
fn what_a_migration_and_a_tool_call_is_no_migration() {
    let shared = "def shared(db):\n    db.execute(\"DELETE FROM a WHERE b = 1\")\n";
    let step = ("src/steps.py", "def upgrade_1_to_2(db):\n    shared(db)\n");
    let tool = ("tools/clean.py", "def clean(db):\n    shared(db)\n");
    let shared = ("src/app.py", shared);
    assert_eq!(roles(&[shared, step, tool]), [Role::Offline]);
    assert_eq!(roles(&[shared, step]), [Role::Migration]);
    assert_eq!(roles(&[shared, tool]), [Role::Offline]);
}

#[test]
fn a_name_that_speaks_of_migration_is_overruled_by_work_that_hands_it_what_to_move() {
    let text = |signature: &str, bound: &str, call: &str| {
        format!(
            "package chat\n\nfunc (s *Store) {signature} {{ s.db.Exec(`UPDATE a SET b = $1 WHERE c = $2`{bound}) }}\n\
             func (c *Client) {call}\n"
        )
    };
    let given = text(
        "MigrateUser(from, to string)",
        ", to, from",
        "onMessage(m Message) { s.MigrateUser(m.From, m.To) }",
    );
    assert_eq!(roles(&[("chat.go", &given)]), [Role::Production]);
    let at_start = given.replace("onMessage", "openDatabase");
    assert_eq!(roles(&[("chat.go", &at_start)]), [Role::Migration]);
    let bare = text("MigrateUsers()", ", 1, 2", "onMessage(m Message) { s.MigrateUsers() }");
    assert_eq!(roles(&[("chat.go", &bare)]), [Role::Migration]);
}

#[test]
fn what_python_calls_by_a_name_or_decorates_is_not_dead() {
    let calls = |of: &str| format!("def {of}(db):\n    db.execute(\"SELECT a FROM {of}\")\n\n");
    let mut text = ["by_name", "nobody", "used"].map(calls).concat();
    text.push_str("@route(\n    path=\"x\",\n    limits={\"n\": 1},\n)\n");
    text.push_str(&calls("decorated"));
    text.push_str("def main():\n    used(db)\n    getattr(store, next(iter([\"by_name\"])))(db)\n");
    let (_, extraction) = found_in("app/store.py", &text);
    let roles: Vec<Role> = extraction.literals.iter().map(|literal| literal.role).collect();
    assert_eq!(roles, [Role::Production, Role::Dead, Role::Production, Role::Production]);
}
