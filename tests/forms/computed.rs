//! Values that the program computes: what they may be is asked of the program first, and where nothing tells, nothing is
//! claimed of them.

use super::{outcomes, planned, rows};

/// A function of Go that hands some texts on.
fn go(body: &str) -> String {
    format!("package store\n\nfunc (s *Store) list() {{\n{body}\n}}\n")
}

#[test]
fn any_table_is_none_where_the_condition_is_unknown_as_well() {
    let code = "def f(db, shelf):\n    db.execute(\"SELECT id FROM \" + shelf.table + \" WHERE \" + shelf.where)\n    \
                db.execute(\"UPDATE \" + shelf.table + \" SET year = 1 WHERE \" + shelf.key + \" = 2\")\n";
    assert_eq!(
        outcomes(&[("a.py", code)]),
        ["dynamic | `table` is computed", "dynamic | `table` is computed"]
    );
    let code =
        "def f(db, shelf):\n    db.execute(\"SELECT year FROM \" + shelf.table + \" WHERE author = ?\")\n";
    assert_eq!(planned(&[("a.py", code)]), ["SELECT year FROM \"book\" WHERE author = ?"]);
}

#[test]
fn a_function_that_programs_add_is_not_the_one_that_ranks_rows_of_a_window() {
    let sql = "SELECT id, rank() OVER (ORDER BY id) FROM book ORDER BY rank(author, 1.0) DESC";
    assert_eq!(planned(&[("a.py", &format!("def f(db):\n    db.execute(\"{sql}\")\n"))]), [sql]);
}

#[test]
fn a_table_is_left_open_where_code_beside_makes_tables_with_computed_names() {
    let query = go("\ts.db.Query(\"SELECT year FROM \" + s.table + \" WHERE author = ?\")");
    let makes = go("\ts.db.Exec(\"CREATE TABLE \" + s.table + \" (id INTEGER PRIMARY KEY, author TEXT)\")");
    let files = [("kept/query.go", query.as_str()), ("kept/make.go", makes.as_str())];
    assert_eq!(outcomes(&files)[1], "dynamic | the name of its table is computed");
    let apart = [("query/query.go", query.as_str()), ("kept/make.go", makes.as_str())];
    assert_eq!(planned(&apart), ["SELECT year FROM \"book\" WHERE author = ?"]);
}

#[test]
fn what_a_function_of_the_folder_gives_back_is_known() {
    let query = go("\ts.db.Query(\"SELECT id FROM book WHERE \" + ofAuthor(s.author))");
    let helper = "package store\n\nfunc ofAuthor(author string) string {\n\treturn \"author = 'x'\"\n}\n";
    let files = [("store/query.go", query.as_str()), ("store/helper.go", helper)];
    assert_eq!(planned(&files), ["SELECT id FROM book WHERE author = 'x'"]);
    let other = [("store/query.go", query.as_str()), ("other/helper.go", helper)];
    assert_eq!(outcomes(&other), ["dynamic | `ofAuthor(s.author)` is computed"]);
}

#[test]
fn a_method_is_also_what_a_type_made_of_its_own_has_in_its_place() {
    let base = "<?php\nclass Books {\n  function ignore() {\n    return 'IGNORE';\n  }\n  function add() {\n    \
                $this->pdo->prepare('INSERT ' . $this->ignore() . ' INTO book(title) VALUES(?)');\n  }\n}\n";
    let heir =
        "<?php\nclass SqliteBooks extends Books {\n  function ignore() {\n    return 'OR IGNORE';\n  }\n}\n";
    let stranger = heir.replace("SqliteBooks extends Books", "Shelves").replace("OR IGNORE", "OR ABORT");
    let files =
        [("app/Books.php", base), ("app/SqliteBooks.php", heir), ("app/Shelves.php", stranger.as_str())];
    assert_eq!(planned(&files), ["INSERT OR IGNORE INTO book(title) VALUES(?)"]);
}

#[test]
fn a_text_goes_on_behind_a_member() {
    let code = "<?php\nfunction f($pdo) {\n  $pdo->prepare('SELECT ' . $this->columns . ' FROM book WHERE id = ?');\n  \
                $pdo->prepare('SELECT ' . $this->columns(1) . ' FROM book WHERE year = ?');\n}\n";
    let expected = ["SELECT * FROM book WHERE id = ?", "SELECT * FROM book WHERE year = ?"];
    assert_eq!(planned(&[("a.php", code)]), expected);
}

#[test]
fn unknown_columns_are_those_that_claim_least() {
    let code = "def f(db, columns, column, terms):\n    db.execute(\"SELECT id, \" + columns + \" FROM book\")\n    \
                db.execute(\"UPDATE book SET \" + column + \" = ? WHERE id = ?\")\n    \
                db.execute(\"UPDATE book SET \" + \", \".join(terms) + \" WHERE id = ?\")\n";
    let expected = [
        "SELECT id, * FROM book",
        "UPDATE book SET \"author\" = ? WHERE id = ?",
        "UPDATE book SET \"author\" = ? WHERE id = ?",
    ];
    assert_eq!(planned(&[("a.py", code)]), expected);
    let code =
        "def f(db, terms):\n    db.execute(\"SELECT title FROM book WHERE \" + \" or \".join(terms))\n";
    assert_eq!(outcomes(&[("a.py", code)]), ["dynamic | `terms` is computed"]);
    let code = "def f(db, column):\n    db.execute(\"SELECT title FROM book WHERE \" + column + \" = ?\")\n";
    assert_eq!(outcomes(&[("a.py", code)]), ["dynamic | `column` is computed"]);
}

#[test]
fn marks_that_a_loop_puts_together_are_a_list() {
    let code = "def f(db, ids):\n    marks = \"(\"\n    for _ in ids:\n        marks += \"?\"\n        marks += \",\"\n    \
                marks = marks[:-1] if len(marks) > 1 else \"(\"\n    marks += \")\"\n    \
                db.execute(f\"DELETE FROM book WHERE id IN {marks}\", ids)\n";
    assert_eq!(planned(&[("a.py", code)]), ["DELETE FROM book WHERE id IN (?, ?)"]);
    let code = "<?php\nfunction f($pdo, $ids) {\n  $pdo->prepare('DELETE FROM book WHERE id IN (' . \
                str_repeat('?,', count($ids) - 1) . '?)');\n}\n";
    assert_eq!(planned(&[("a.php", code)]), ["DELETE FROM book WHERE id IN (?,?)"]);
}

#[test]
fn what_a_function_may_put_behind_a_text_is_unknown() {
    let code = "fn f(db: &Db, ids: &[i64]) {\n    let mut sql = String::from(\"SELECT title FROM book WHERE id IN \");\n    \
                put_ids(&mut sql, ids);\n    sql.push_str(\" ORDER BY id\");\n    db.query(&sql);\n}\n";
    assert_eq!(planned(&[("a.rs", code)]), ["SELECT title FROM book WHERE id IN (?, ?) ORDER BY id"]);
}

#[test]
fn a_list_that_a_function_may_fill_stays_what_is_known_of_it() {
    let code =
        go("\twhere := []string{\"1 = 1\"}\n\taddTerms(&where)\n\twhere = append(where, \"author = ?\")\n\t\
                   s.db.Query(\"SELECT id FROM book WHERE \" + strings.Join(where, \" AND \"))");
    assert_eq!(planned(&[("a.go", code.as_str())]), ["SELECT id FROM book WHERE 1 = 1 AND author = ?"]);
}

#[test]
fn a_constant_belongs_to_the_function_that_gives_it_another_name() {
    let code = "const listBooks = `SELECT title FROM book WHERE author = ?`\n\nfunc (s *Store) List(n int) {\n\t\
                query := listBooks\n\tfor i := 0; i < n; i++ {\n\t\ts.db.Query(query, i)\n\t}\n}\n";
    let found = rows(
        &[("a.go", code)],
        "SELECT function.name, CAST(loop_depth AS TEXT) FROM statement JOIN function ON function.id = function WHERE loop_depth > 0",
    );
    assert_eq!(found, ["List | 1"]);
}

#[test]
fn each_turn_of_a_loop_over_a_written_list_has_a_text() {
    let python = "def f(db):\n    for column in (\"title\", \"author\"):\n        \
                  db.execute(f\"SELECT id FROM book WHERE {column} = ?\")\n";
    let script = "function f(db) {\n  const columns = ['title', 'author'];\n  for (let i = 0; i < columns.length; i++) {\n    \
                  const column = columns[i];\n    db.exec(`SELECT id FROM book WHERE ${column} = ?`);\n  }\n}\n";
    let go = go("\tfor _, column := range []string{\"title\", \"author\"} {\n\t\t\
                 s.db.Query(\"SELECT id FROM book WHERE \" + column + \" = ?\")\n\t}");
    let expected = ["SELECT id FROM book WHERE title = ?", "SELECT id FROM book WHERE author = ?"];
    for (path, code) in [("a.py", python), ("a.ts", script), ("a.go", go.as_str())] {
        assert_eq!(planned(&[(path, code)]), expected, "{path}");
    }
}

#[test]
fn a_schema_has_what_each_turn_of_a_loop_makes() {
    let code = "def make(db):\n    for name in [\"shelf\", \"room\"]:\n        \
                db.execute(f\"CREATE TABLE {name} (id INTEGER PRIMARY KEY, kind TEXT)\")\n    \
                db.execute(\"SELECT id FROM shelf WHERE kind = ?\")\n    db.execute(\"SELECT id FROM room\")\n";
    assert_eq!(planned(&[("a.py", code)]), ["SELECT id FROM shelf WHERE kind = ?", "SELECT id FROM room"]);
}

#[test]
fn a_value_within_a_blob_is_one_of_hexadecimal_digits() {
    let code = "def f(db, key):\n    db.execute(f\"SELECT id FROM book WHERE title > x'{key}'\")\n";
    assert_eq!(planned(&[("a.py", code)]), ["SELECT id FROM book WHERE title > x'00'"]);
}

/// The indexes that a tree has.
fn indexes(code: &str) -> Vec<String> {
    rows(&[("a.py", code)], "SELECT name FROM \"index\" ORDER BY name")
}

/// A function of Python that makes a table, and more.
fn shelves(more: &str) -> String {
    let table = "CREATE TABLE IF NOT EXISTS shelf (id INTEGER PRIMARY KEY, room TEXT, year INT)";
    format!("def make(db, more):\n    db.execute(\"{table}\")\n{more}")
}

#[test]
fn an_index_of_unknown_columns_is_none_and_is_counted() {
    let code = shelves(
        "    index(db, \"by_more\", more)\n    index(db, \"by_none\", [])\n    index(db, \"by_year\", [\"year\"])\n    \
         db.execute(f\"CREATE INDEX by_one ON shelf ({more})\")\n\n\
         def index(db, name, columns):\n    \
         db.execute(f\"CREATE INDEX IF NOT EXISTS {name} ON shelf ({', '.join(columns)})\")\n",
    );
    assert_eq!(indexes(&code), ["by_year"]);
    let computed = ["dynamic | `columns` is computed", "dynamic | part of it is computed"];
    let found = outcomes(&[("a.py", &code)]);
    assert!(computed.iter().all(|one| found.iter().any(|other| other == one)), "{found:?}");
    assert!(found.iter().any(|one| one == "dynamic | `more` is computed"), "{found:?}");
}

#[test]
fn an_index_whose_first_column_is_known_is_one() {
    let code = shelves(
        "    db.execute(f\"CREATE INDEX by_room ON shelf (room {more})\")\n    \
         db.execute(f\"CREATE INDEX by_year ON shelf (year, {more})\")\n",
    );
    assert_eq!(indexes(&code), ["by_room", "by_year"]);
}

#[test]
fn a_comment_behind_unknown_columns_is_no_sign_between_values() {
    let of = |comment: &str| {
        let code = format!(
            "def f(db, columns):\n    db.execute(f\"\"\"SELECT {{columns}} {comment} FROM book\"\"\")\n"
        );
        planned(&[("a.py", &code)]).concat()
    };
    for comment in ["-- those that are shown\n", "/* all */", "/* a */ -- b\n"] {
        assert_eq!(of(comment), format!("SELECT * {comment} FROM book"));
    }
}

#[test]
fn the_module_around_one_that_is_written_within_a_file_is_that_of_the_file() {
    let fleet = "pub fn table() -> String { \"book\".to_owned() }\npub mod reads {\n    \
                 pub fn all(db: &Connection) {\n        \
                 db.prepare(&format!(\"SELECT id FROM {} WHERE year = 1\", super::table()));\n    }\n}\n";
    let whole = "mod fleet;\npub fn table() -> String { \"harbours\".to_owned() }\n";
    let cargo = "[package]\nname = \"m\"\n[dependencies]\nrusqlite = \"0.31\"\n";
    let files = [("src/fleet.rs", fleet), ("src/lib.rs", whole), ("Cargo.toml", cargo)];
    assert_eq!(planned(&files), ["SELECT id FROM book WHERE year = 1"]);
}
