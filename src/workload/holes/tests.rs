//! What holes are filled with.

use super::*;
use crate::source::SourceId;

fn text(pieces: &[&str]) -> Text {
    let mut text = Text::default();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            text.push_hole("", false, SourceId(0), 0);
        }
        text.push(piece, SourceId(0), 0);
    }
    text
}

fn first(pieces: &[&str]) -> String {
    likeliest(&text(pieces)).as_str().to_owned()
}

#[test]
fn a_hole_is_filled_by_what_stands_around_it() {
    assert_eq!(first(&["SELECT a FROM t WHERE b = ", ""]), "SELECT a FROM t WHERE b = ?");
    assert_eq!(first(&["SELECT a FROM t WHERE b IN (", ")"]), "SELECT a FROM t WHERE b IN (?, ?)");
    assert_eq!(first(&["SELECT a FROM t WHERE b LIKE '", "%'"]), "SELECT a FROM t WHERE b LIKE 'x%'");
    assert_eq!(
        first(&["SELECT date('now', '-", " days'), '", " daze'"]),
        "SELECT date('now', '-1 days'), 'x daze'"
    );
    assert_eq!(first(&["INSERT INTO t (a, b) VALUES ", ""]), "INSERT INTO t (a, b) VALUES (?, ?)");
    assert_eq!(first(&["INSERT INTO t (a, b) VALUES", ""]), "INSERT INTO t (a, b) VALUES(?, ?)");
    assert_eq!(first(&["SELECT a FROM t ", ""]), "SELECT a FROM t ");
    assert_eq!(first(&["SELECT a FROM t LIMIT ", ""]), "SELECT a FROM t LIMIT ?");
    assert_eq!(first(&["SELECT ", " FROM t"]), "SELECT * FROM t");
}

#[test]
fn a_parameter_that_the_program_numbers_is_one_of_its_own() {
    assert_eq!(
        first(&["SELECT a FROM t WHERE b = $2 AND a > $", " AND a < $", " LIMIT $1"]),
        "SELECT a FROM t WHERE b = $2 AND a > $3 AND a < $4 LIMIT $1"
    );
    assert_eq!(
        first(&["INSERT INTO t (a, b) VALUES ($", ", $", ")"]),
        "INSERT INTO t (a, b) VALUES ($1, $2)"
    );
}

#[test]
fn a_row_has_as_many_values_as_columns_stand_in_front() {
    for (lead, row) in [
        ("WITH wanted(n, url) AS (VALUES ", "(?, ?)"),
        ("WITH a AS (SELECT 1), wanted (n, url, b) AS MATERIALIZED (VALUES ", "(?, ?, ?)"),
        ("WITH wanted AS (VALUES ", "(?)"),
        ("SELECT a FROM t WHERE (a, b) IN (VALUES ", "(?, ?)"),
        ("SELECT a FROM t WHERE f(a, b) = 1 AND c IN (VALUES ", "(?)"),
    ] {
        assert_eq!(first(&[lead, ")"]), format!("{lead}{row})"));
    }
}

#[test]
fn a_hole_of_a_query_that_has_a_name_behind_it_is_one_value() {
    for (pieces, filled) in [
        (["SELECT ", " AS kind, a FROM t"], "SELECT ? AS kind, a FROM t"),
        (["SELECT a, ", "\n AS kind FROM t"], "SELECT a, ?\n AS kind FROM t"),
        (["SELECT a, ", " - b FROM t"], "SELECT a, ? - b FROM t"),
        (["SELECT ifnull(a, ", "), b FROM t"], "SELECT ifnull(a, ?), b FROM t"),
        (["SELECT a IN (1, ", ") FROM t"], "SELECT a IN (1, ?) FROM t"),
        (["CREATE VIEW v AS SELECT a, ", " AS kind FROM t"], "CREATE VIEW v AS SELECT a, 1 AS kind FROM t"),
        // Columns, as many as there may be.
        (["SELECT ", ", b FROM t"], "SELECT *, b FROM t"),
        (["SELECT a, ", " FROM t"], "SELECT a, * FROM t"),
        (["SELECT (SELECT a, ", " FROM t) FROM u"], "SELECT (SELECT a, * FROM t) FROM u"),
        (["SELECT a FROM ", " AS b"], "SELECT a FROM  AS b"),
    ] {
        assert_eq!(first(&pieces), filled);
    }
}

#[test]
fn a_hole_in_a_row_is_all_values_that_no_other_is() {
    let row = |pieces: &[&str]| first(pieces).replace("INSERT INTO t (a, b, c, d) ", "");
    assert_eq!(row(&["INSERT INTO t (a, b, c, d) VALUES (?, ", ")"]), "VALUES (?, ?, ?, ?)");
    assert_eq!(
        row(&["INSERT INTO t (a, b, c, d) VALUES (", ", f(1, 2), ',')"]),
        "VALUES (?, ?, f(1, 2), ',')"
    );
    assert_eq!(row(&["INSERT INTO t (a, b, c, d) VALUES (1, 2, 3, ", ")"]), "VALUES (1, 2, 3, ?)");
    assert_eq!(row(&["INSERT INTO t (a, b, c, d) VALUES (1, ", ", ", ", 4)"]), "VALUES (1, ?, ?, 4)");
    assert_eq!(first(&["INSERT INTO t (a, ", ") VALUES (1, ", ")"]), "INSERT INTO t (a, ?) VALUES (1, ?)");
}

#[test]
fn what_the_source_calls_a_value_is_its_name_in_quotes() {
    let mut text = Text::exact("SELECT a FROM \"", SourceId(0), 0);
    text.push_hole("self.made", false, SourceId(0), 0);
    text.push("\" WHERE b = '", SourceId(0), 0);
    text.push_hole("self.made", false, SourceId(0), 0);
    text.push("'", SourceId(0), 0);
    let mut filled = likeliest(&text);
    assert_eq!(filled.as_str(), "SELECT a FROM \"selfmade\" WHERE b = 'selfmade'");
    filled = likeliest(&Text::exact("SELECT 1", SourceId(0), 0));
    assert_eq!(filled.as_str(), "SELECT 1");
}

#[test]
fn a_made_up_name_is_that_of_a_temporary_table_of_its_file() {
    let mut text = Text::exact("SELECT a FROM \"", SourceId(1), 0);
    text.push_hole("made", false, SourceId(1), 0);
    text.push("\"", SourceId(1), 0);
    let filled = |temporary: &[(u32, &str)]| {
        let temporary = temporary.iter().map(|&(file, name)| (SourceId(file), name.to_owned())).collect();
        let names = Names { temporary, ..Names::default() };
        let all = fillings(&text, &names).groups.concat();
        all.iter().map(|one| one.as_str().replace("SELECT a FROM ", "")).collect::<Vec<_>>()
    };
    assert_eq!(filled(&[(1, "list-x"), (2, "made")]), ["\"list-x\"", "\"made\""]);
    assert_eq!(filled(&[(1, "list-x"), (1, "made")]), ["\"made\""]);
}

#[test]
fn a_name_in_quotes_that_nobody_makes_up_is_that_of_any_table() {
    let names = Names { tables: vec!["cards".into(), "decks".into()], ..Names::default() };
    for (open, close) in [('"', '"'), ('`', '`'), ('[', ']')] {
        let found = fillings(&text(&[&format!("SELECT a FROM {open}"), &format!("{close}")]), &names);
        let all: Vec<String> = found.groups.concat().iter().map(|one| one.as_str().to_owned()).collect();
        let table = |name: &str| format!("SELECT a FROM {open}{name}{close}");
        assert_eq!(all, [table("cards"), table("decks")]);
        assert!(found.names_table);
    }
    let names = Names { makers: [SourceId(0)].into(), ..names };
    let made = fillings(&text(&["SELECT a FROM \"", "\""]), &names);
    assert!(!made.names_table, "its file makes tables under such names");
}

#[test]
fn a_table_of_which_a_part_is_computed_is_each_that_fits_or_has_no_prefix() {
    let tables = ["notes", "old_notes", "team_opts", "user_opts"];
    let names = Names { tables: tables.map(str::to_owned).to_vec(), ..Names::default() };
    let groups = |pieces: &[&str]| {
        let groups = fillings(&text(pieces), &names).groups.into_iter();
        groups.map(|one| one.first().map_or("", Text::as_str).to_owned()).collect::<Vec<_>>()
    };
    let each = ["SELECT a FROM team_opts", "SELECT a FROM user_opts"];
    assert_eq!(groups(&["SELECT a FROM ", "_opts"]), each);
    assert_eq!(groups(&["SELECT a FROM ", "notes"]), ["SELECT a FROM notes"]);
    let others = fillings(&text(&["INSERT INTO ", "notes VALUES (1)"]), &names).others.concat();
    assert_eq!(others.first().map(Text::as_str), Some("INSERT INTO old_notes VALUES (1)"));
    let mut qualified = Text::default();
    for piece in ["SELECT a FROM ", "notes WHERE ", "notes.b = ?"] {
        if !qualified.as_str().is_empty() {
            qualified.push_hole("prefix", false, SourceId(0), 0);
        }
        qualified.push(piece, SourceId(0), 0);
    }
    let filled = fillings(&qualified, &names).groups.concat();
    assert_eq!(filled.first().map(Text::as_str), Some("SELECT a FROM notes WHERE notes.b = ?"));
}

#[test]
fn names_come_from_the_schema() {
    let names = Names {
        tables: vec!["blocks".into()],
        columns: vec!["origin_nonce".into(), "sponsor_nonce".into()],
        ..Names::default()
    };
    let found = fillings(&text(&["SELECT a FROM ", " WHERE b = 1"]), &names);
    assert!(found.names_table);
    let all = found.groups.concat();
    assert_eq!(all[0].as_str(), "SELECT a FROM \"blocks\" WHERE b = 1");
    let all = fillings(&text(&["SELECT ", "_nonce FROM t"]), &names).groups.concat();
    assert_eq!(
        all.iter().map(Text::as_str).collect::<Vec<_>>(),
        ["SELECT origin_nonce FROM t", "SELECT sponsor_nonce FROM t"]
    );
}

#[test]
fn a_hole_behind_a_column_is_how_it_is_compared() {
    assert_eq!(
        first(&["SELECT a FROM t WHERE a = 1 AND t.b ", ""]),
        "SELECT a FROM t WHERE a = 1 AND t.b IN (?, ?)"
    );
    assert_eq!(first(&["DELETE FROM t WHERE b", " AND c = ?"]), "DELETE FROM t WHERE b IN (?, ?) AND c = ?");
    assert_eq!(
        first(&["SELECT a FROM t WHERE (b ", ") ORDER BY a"]),
        "SELECT a FROM t WHERE (b IN (?, ?)) ORDER BY a"
    );
    for pieces in [
        ["SELECT a FROM t WHERE b = c ", ""],
        ["SELECT a FROM t WHERE b IS NULL ", ""],
        ["SELECT a FROM t AS b ", ""],
    ] {
        assert_eq!(first(&pieces), pieces[0]);
    }
}

#[test]
fn the_upper_bound_of_a_range_is_a_value() {
    assert_eq!(
        first(&["SELECT a FROM t WHERE b BETWEEN 1 AND ", " AND c = 2"]),
        "SELECT a FROM t WHERE b BETWEEN 1 AND ? AND c = 2"
    );
    assert_eq!(
        first(&["SELECT a FROM t WHERE b BETWEEN 1 AND 2 AND ", ""]),
        "SELECT a FROM t WHERE b BETWEEN 1 AND 2 AND 1"
    );
}

#[test]
fn a_condition_that_is_all_of_a_query_is_not_made_up() {
    let is_open = |pieces: &[&str]| first(pieces).contains(HOLE);
    assert!(is_open(&["SELECT a FROM t WHERE ", " ORDER BY a"]));
    assert!(is_open(&["SELECT a FROM t WHERE a IN (SELECT b FROM u WHERE (", "))"]));
    assert!(is_open(&["SELECT a FROM t WHERE b = ? OR ", ""]));
    assert!(is_open(&["SELECT a FROM t WHERE ", " AND ", ""]));
    assert!(is_open(&["SELECT a FROM t WHERE ", " LIKE ?"]));
    assert_eq!(first(&["SELECT a FROM t WHERE b = ? AND (", ")"]), "SELECT a FROM t WHERE b = ? AND (1)");
    assert_eq!(first(&["SELECT a FROM t WHERE ", " AND b = ?"]), "SELECT a FROM t WHERE 1 AND b = ?");
    assert_eq!(first(&["DELETE FROM t WHERE ", ""]), "DELETE FROM t WHERE 1");
}

#[test]
fn of_each_table_the_likeliest_is_tried_first_and_a_name_tells_which() {
    let names =
        Names { tables: vec!["orders".into(), "open_orders".into(), "users".into()], ..Names::default() };
    let mut text = Text::exact("SELECT a FROM ", SourceId(0), 0);
    text.push_hole("table", false, SourceId(0), 0);
    text.push(" WHERE b = ", SourceId(0), 0);
    text.push_hole("marks", false, SourceId(0), 0);
    let found = |text: &Text| {
        let groups = fillings(text, &names).groups;
        groups.into_iter().map(|group| group[0].as_str().replace("SELECT a FROM ", "")).collect::<Vec<_>>()
    };
    let all = ["\"orders\" WHERE b = ?", "\"open_orders\" WHERE b = ?", "\"users\" WHERE b = ?"];
    assert_eq!(found(&text), all);
    let mut told = Text::exact("SELECT a FROM ", SourceId(0), 0);
    told.push_hole("sqlTableOpenOrders", false, SourceId(0), 0);
    assert_eq!(found(&told), ["\"open_orders\""]);
    let mut kind = Text::exact("SELECT a FROM ", SourceId(0), 0);
    kind.push_hole("usersTableName_", false, SourceId(0), 0);
    assert_eq!(found(&kind), ["\"users\""]);
}

#[test]
fn what_stands_in_quotes_where_a_value_is_due_is_one() {
    let valued = |pieces: &[&str]| with_values(&text(pieces)).as_str().replace(HOLE, "_");
    assert_eq!(
        valued(&["SELECT a FROM t WHERE hex(b) = \"", "\" AND c <> \"", "\""]),
        "SELECT a FROM t WHERE hex(b) = _ AND c <> _"
    );
    assert_eq!(
        valued(&["SELECT a FROM t WHERE b IN (\"", "\", \"", "\")"]),
        "SELECT a FROM t WHERE b IN (_, _)"
    );
    assert_eq!(
        valued(&["SELECT a FROM t WHERE b = '", "' AND c IN ('", "', 'd') AND e LIKE '%", "'"]),
        "SELECT a FROM t WHERE b = _ AND c IN (_, 'd') AND e LIKE '%_'"
    );
    assert_eq!(
        valued(&["INSERT INTO t VALUES ('it''s', '", "', '", "')"]),
        "INSERT INTO t VALUES ('it''s', _, _)"
    );
    for pieces in [
        ["SELECT a AS '", "' FROM t"],
        ["SELECT \"", "\" FROM t"],
        ["INSERT INTO t (a, \"", "\") VALUES (?, ?)"],
        ["SELECT a FROM t WHERE \"", "\" = ?"],
        ["SELECT a FROM t WHERE b = 'x=\"", "\"'"],
    ] {
        assert_eq!(valued(&pieces), pieces.join("_"));
    }
}

#[test]
fn the_name_of_a_hole_behind_a_column_may_say_that_it_is_the_key() {
    let filled = |name: &str| {
        let mut text = Text::exact("CREATE TABLE a (id ", SourceId(0), 0);
        text.push_hole(name, false, SourceId(0), 0);
        text.push(", at ", SourceId(0), 0);
        text.push_hole("Timestamp", false, SourceId(0), 0);
        text.push(")", SourceId(0), 0);
        likeliest(&text).as_str().to_owned()
    };
    assert_eq!(
        filled("AutoincrementPrimaryKey"),
        "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, at )"
    );
    assert_eq!(filled("primary_key"), "CREATE TABLE a (id INTEGER PRIMARY KEY, at )");
    assert_eq!(filled("kind"), "CREATE TABLE a (id , at )");
}
