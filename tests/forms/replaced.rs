//! Texts that the program puts something else into before SQLite sees them: numbered places, templates, markers.

use super::{outcomes, planned};

#[test]
fn numbers_of_qt_are_given_their_values_the_lowest_first() {
    let code = "const char* Store::kTable = \"book\";\nconst QStringList Store::kColumns = QStringList() << \"id\" << \"title\";\n\
                const QString Store::kColumnSpec = Store::kColumns.join(\", \");\n\
                void Store::list(QSqlQuery& q) {\n  \
                q.prepare(QString(\"SELECT %1.year, %2 FROM %1 WHERE author = :author\").arg(kTable).arg(kColumnSpec));\n  \
                q.prepare(QString(\"SELECT %3 FROM %1 S WHERE S.year = %2\").arg(kTable, \"1990\", \"title\"));\n}\n";
    let expected = [
        "SELECT book.year, id, title FROM book WHERE author = :author",
        "SELECT title FROM book S WHERE S.year = 1990",
    ];
    assert_eq!(planned(&[("store.cpp", code)]), expected);
}

#[test]
fn a_text_that_the_program_replaces_is_what_makes_the_statement_compile() {
    let php = "<?php\nclass Pdo {\n  function query($sql) {\n    \
               return $this->pdo->query(str_replace('`_', '`' . $this->prefix, $sql));\n  }\n}\n\
               function f($pdo) {\n  $pdo->query('SELECT title FROM `_book` WHERE author = 1');\n}\n";
    assert_eq!(planned(&[("a.php", php)]), ["SELECT title FROM `book` WHERE author = 1"]);
    let script = "function f(db, table) {\n  let sql = 'SELECT title FROM _TABLE_NAME_ WHERE author = 1';\n  \
                  sql = sql.replace(/_TABLE_NAME_/g, table);\n  db.exec(sql);\n}\n";
    assert_eq!(planned(&[("a.js", script)]), ["SELECT title FROM \"book\" WHERE author = 1"]);
    let go = "package a\n\nfunc f(db *sql.DB, sql string) {\n\tsql = strings.ReplaceAll(sql, \"%shelf\", \"book\")\n\t\
              db.Query(\"SELECT title FROM %shelf WHERE author = 1\")\n}\n";
    assert_eq!(planned(&[("a.go", go)]), ["SELECT title FROM book WHERE author = 1"]);
}

#[test]
fn a_text_that_is_sql_as_it_stands_is_not_replaced() {
    let code = "def f(db, text):\n    text.replace(\"ORDER\", \"book\")\n    text.replace(\"TITLE\", \"author\")\n    \
                db.execute(\"SELECT TITLE FROM book ORDER BY id\")\n";
    assert_eq!(planned(&[("a.py", code)]), ["SELECT TITLE FROM book ORDER BY id"]);
}

#[test]
fn a_value_that_a_template_of_go_puts_in_is_known_by_its_name() {
    let code = "package a\n\nfunc f(s *Store) {\n\ts.prepare(`SELECT id FROM book WHERE year & {{.Mask}} != 0`)\n}\n";
    let found = planned(&[("a.go", code)]);
    assert!(found.len() == 1 && !found[0].contains(['{', '?']), "{found:?}");
}

#[test]
fn what_is_attached_under_a_name_that_is_not_known_is_not_refused() {
    let code = "def f(db):\n    db.execute(\"SELECT id FROM archive.book\")\n";
    assert_eq!(outcomes(&[("a.py", code)]), ["dynamic | nothing is known to be attached under that name"]);
}

#[test]
fn no_more_is_replaced_than_the_call_replaces() {
    let python = |call: &str| {
        let code = format!(
            "COLUMNS = \", id, title\"\ndef f(db):\n    db.execute(\"SELECT year\" + COLUMNS.{call} + \" FROM book\")\n"
        );
        planned(&[("a.py", &code)])
    };
    assert_eq!(python("replace(\", \", \" + \")"), ["SELECT year + id + title FROM book"]);
    assert_eq!(python("replace(\", \", \" + \", -1)"), ["SELECT year + id + title FROM book"]);
    assert_ne!(python("replace(\", \", \" + \", 1)"), ["SELECT year + id + title FROM book"]);
    let script = |call: &str| {
        let code = format!(
            "const COLUMNS = ', id, title';\nfunction f(db) {{\n  db.exec('SELECT year' + COLUMNS.{call} + ' FROM book');\n}}\n"
        );
        planned(&[("a.js", &code)])
    };
    for call in ["replaceAll(', ', ' + ')", "replace(/, /g, ' + ')"] {
        assert_eq!(script(call), ["SELECT year + id + title FROM book"], "{call}");
    }
    for call in ["replace(', ', ' + ')", "replace(/, /, ' + ')"] {
        assert_ne!(script(call), ["SELECT year + id + title FROM book"], "{call}");
    }
    let go = |count: &str| {
        let code = format!(
            "package a\n\nconst columns = \", id, title\"\n\nfunc f(db *sql.DB) {{\n\tdb.Query(\"SELECT year\" + strings.Replace(columns, \", \", \" + \", {count}) + \" FROM book\")\n}}\n"
        );
        planned(&[("a.go", &code)])
    };
    assert_eq!(go("-1"), ["SELECT year + id + title FROM book"]);
    assert_ne!(go("1"), ["SELECT year + id + title FROM book"]);
}

#[test]
fn a_text_that_grows_with_each_call_is_left_as_it_is() {
    let call = format!(".replace(\"-\", \"{}\")", "-".repeat(10));
    let code = format!("def f(db):\n    db.execute(\"SELECT -id FROM book\"{})\n", call.repeat(12));
    assert!(planned(&[("a.py", &code)]).iter().all(|text| text.len() < 2000));
}
