//! Texts that are kept in a variable: those that other texts take in are judged there, where they run.

use super::{outcomes, planned};

#[test]
fn what_only_another_text_takes_in_is_judged_there() {
    let python = "def f(db, year):\n    old = \"SELECT id FROM book WHERE author = 'a'\"\n    \
                  return db.execute(f\"SELECT title FROM book WHERE id IN ({old}) AND year = ?\", (year,))\n";
    let whole = ["SELECT title FROM book WHERE id IN (SELECT id FROM book WHERE author = 'a') AND year = ?"];
    assert_eq!(planned(&[("a.py", python)]), whole);
    let sharp = "class A {\n  void F(Db db, int year) {\n    var old = \"SELECT id FROM book WHERE author = 'a'\";\n    \
                 db.Execute($\"SELECT title FROM book WHERE id IN ({old}) AND year = ?\", year);\n    \
                 old = \"other\";\n    Log($\"{old}\");\n  }\n}\n";
    assert_eq!(planned(&[("A.cs", sharp)]), whole);
}

#[test]
fn what_is_run_as_well_or_may_be_elsewhere_is_a_statement() {
    let run = "def f(db, year):\n    old = \"SELECT id FROM book WHERE author = 'a'\"\n    rows = ask(db, old)\n    \
               return rows, db.execute(f\"SELECT title FROM book WHERE id IN ({old})\")\n";
    assert_eq!(planned(&[("a.py", run)]).len(), 2);
    let field = "class A {\n  string old;\n  void F(Db db) {\n    old = \"SELECT id FROM book WHERE author = 'a'\";\n    \
                 db.Execute($\"SELECT title FROM book WHERE id IN ({old})\");\n  }\n  \
                 void G(Db db) {\n    Run(db, old);\n  }\n}\n";
    assert_eq!(planned(&[("A.cs", field)]).len(), 2);
}

#[test]
fn what_another_text_may_hand_on_alone_is_a_statement() {
    for alone in ["f\"{old}\"", "f\"/* all */ {old}\"", "f\"{old};\"", "\"{old}\".format(**locals())"] {
        let code = format!(
            "def f(db):\n    old = \"SELECT id FROM book WHERE author = 'a'\"\n    \
             rows = db.execute(f\"SELECT title FROM book WHERE id IN ({{old}})\")\n    \
             return rows, db.execute({alone})\n"
        );
        assert!(
            planned(&[("a.py", &code)]).contains(&"SELECT id FROM book WHERE author = 'a'".to_owned()),
            "{alone}"
        );
    }
    let code = "function f(db) {\n  const old = `SELECT id FROM book WHERE author = 'a'`;\n  \
                db.all(`SELECT title FROM book WHERE id IN (${old})`);\n  return db.all(`${old}`);\n}\n";
    assert_eq!(planned(&[("a.js", code)]).len(), 2);
}

#[test]
fn what_a_variable_outside_keeps_is_a_statement() {
    let global = "OLD = None\ndef f(db):\n    global OLD\n    OLD = \"SELECT id FROM book WHERE author = 'a'\"\n    \
                  db.execute(f\"SELECT title FROM book WHERE id IN ({OLD})\")\ndef g(db):\n    db.execute(OLD)\n";
    assert_eq!(planned(&[("a.py", global)]).len(), 2);
    let field = "class A {\n  string old;\n  void F(Db db, bool all) {\n    if (all) return;\n    \
                 else old = \"SELECT id FROM book WHERE author = 'a'\";\n    \
                 db.Execute($\"SELECT title FROM book WHERE id IN ({old})\");\n  }\n  \
                 void G(Db db) {\n    Run(db, old);\n  }\n}\n";
    assert_eq!(planned(&[("A.cs", field)]).len(), 2);
    let either = "class A {\n  void F(Db db, bool all) {\n    var old = \"SELECT id FROM book WHERE author = 'a'\";\n    \
                  db.Execute($\"SELECT title FROM book WHERE id IN ({old})\");\n    if (all) { old = \"none\"; }\n    \
                  Run(db, $\"{old}\");\n  }\n}\n";
    assert_eq!(planned(&[("A.cs", either)]).len(), 2);
    let turn = "def f(db, years):\n    old = \"SELECT id FROM book\"\n    for year in years:\n        db.execute(old)\n        \
                old = \"SELECT id FROM book WHERE author = 'a'\"\n        \
                db.execute(f\"SELECT title FROM book WHERE id IN ({old})\")\n";
    assert!(planned(&[("a.py", turn)]).contains(&"SELECT id FROM book WHERE author = 'a'".to_owned()));
}

#[test]
fn what_a_schema_takes_in_is_a_statement() {
    let code = "def f(db):\n    old = \"SELECT id FROM book WHERE author = 'a'\"\n    \
                db.execute(f\"CREATE TEMP TABLE chosen AS {old}\")\n";
    assert_eq!(planned(&[("a.py", code)]), ["SELECT id FROM book WHERE author = 'a'"]);
}

#[test]
fn a_beginning_that_a_function_gives_back_is_judged_where_the_rest_is_put_behind() {
    let code = "class Books {\n  #head() { return \"INSERT OR IGNORE INTO book\"; }\n  add(db, title) {\n    \
                db.run(`${this.#head()} (title) VALUES (?)`, title);\n  }\n}\n";
    assert_eq!(outcomes(&[("a.js", code)]), ["part | it is a part of other texts", "planned | "]);
}
