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
    assert_eq!(first(&["INSERT INTO t (a, b) VALUES ", ""]), "INSERT INTO t (a, b) VALUES (?, ?)");
    assert_eq!(first(&["SELECT a FROM t ", ""]), "SELECT a FROM t ");
    assert_eq!(first(&["SELECT a FROM t LIMIT ", ""]), "SELECT a FROM t LIMIT ?");
    assert_eq!(first(&["SELECT ", " FROM t"]), "SELECT * FROM t");
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
        let all = fillings(&text, &names).0;
        all.iter().map(|one| one.as_str().replace("SELECT a FROM ", "")).collect::<Vec<_>>()
    };
    assert_eq!(filled(&[(1, "list-x"), (2, "made")]), ["\"list-x\"", "\"made\""]);
    assert_eq!(filled(&[(1, "list-x"), (1, "made")]), ["\"made\""]);
}

#[test]
fn names_come_from_the_schema() {
    let names = Names {
        tables: vec!["blocks".into()],
        columns: vec!["origin_nonce".into(), "sponsor_nonce".into()],
        ..Names::default()
    };
    let (all, is_table) = fillings(&text(&["SELECT a FROM ", " WHERE b = 1"]), &names);
    assert!(is_table);
    assert_eq!(all[0].as_str(), "SELECT a FROM \"blocks\" WHERE b = 1");
    let (all, _) = fillings(&text(&["SELECT ", "_nonce FROM t"]), &names);
    assert_eq!(
        all.iter().map(Text::as_str).collect::<Vec<_>>(),
        ["SELECT origin_nonce FROM t", "SELECT sponsor_nonce FROM t"]
    );
}
