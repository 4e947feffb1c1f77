//! What generators of code make of a text before SQLite sees it: `sqlc.arg(name)` and its like. Knows their spellings;
//! parses no SQL.

use super::{
    sql::{contains_word, is_word, may_start},
    template,
    text::Text,
};

/// What starts each of them.
const START: &str = "sqlc.";

/// The text as SQLite gets it: `sqlc.arg(a)` and `sqlc.narg(a)` as parameters, `sqlc.slice(a)` as a list of them,
/// `sqlc.embed(a)` as all columns.
#[must_use]
pub(super) fn expand(text: Text) -> Text {
    let content = text.as_str();
    // Most texts have none.
    if !content.contains(START) && !content.contains(SLICE) {
        return text;
    }
    let mut expanded = Text::default();
    let mut from = 0;
    while let Some(found) = next(content, from) {
        expanded.append(&text.part(from, found.start));
        let at = text.locate(found.start as u32);
        let open = text.locate(found.name_at.saturating_sub(1) as u32);
        if let (Some((source, offset)), Some((_, before))) = (at, open) {
            let name = text.part(found.name_at, found.name_at + found.name.len());
            match found.means {
                Means::Value => {
                    expanded.push_at(":", source, before);
                    expanded.append(&name);
                }
                Means::List => expanded.push_hole(found.name, true, source, offset),
                Means::Columns => {
                    expanded.append(&name);
                    expanded.push_at(".*", source, offset);
                }
            }
        }
        from = found.end;
    }
    expanded.append(&text.part(from, content.len()));
    expanded
}

/// The text with what is put in before it runs: macros, marks, names and values.
pub(super) fn opened(text: Text) -> Text {
    template::values(open_names(open_marks(expand(text))))
}

/// The text with a hole for each word that a builder puts more in the place of: `/**where**/`. Without what stands there
/// rows are found by, it is not whole.
#[must_use]
fn open_marks(mut text: Text) -> Text {
    const MARKS: [&str; 9] =
        ["select", "where", "join", "innerjoin", "leftjoin", "rightjoin", "groupby", "having", "orderby"];
    if !text.as_str().contains("/**") {
        return text;
    }
    for mark in MARKS {
        let part = format!("/**{mark}**/");
        let Some((source, offset)) = text.as_str().find(&part).and_then(|at| text.locate(at as u32)) else {
            continue;
        };
        let mut hole = Text::default();
        hole.push_hole(mark, false, source, offset);
        if mark == "where" || mark.ends_with("join") {
            hole.mark_needed();
        }
        text = text.replace(&part, &hole);
    }
    text
}

/// Takes the name of a table that came out empty, between its quotes, for one that is not known: a function gives that where
/// there is none to give, and what runs then is no statement.
fn open_names(mut text: Text) -> Text {
    while let Some(at) = empty_name(text.as_str()) {
        let Some((source, offset)) = text.locate(at as u32) else { break };
        let mut opened = text.part(0, at);
        opened.push_hole("name", false, source, offset);
        opened.append(&text.part(at + EMPTY, text.as_str().len()));
        text = opened;
    }
    text
}

/// The bytes of a pair of quotes.
const EMPTY: usize = 2;

fn empty_name(text: &str) -> Option<usize> {
    const BEFORE: [&str; 6] = ["from", "join", "into", "update", "table", "exists"];
    let is_behind = |at: usize| {
        let before = text.get(..at).unwrap_or("");
        let mut words = before.trim_end().rsplit(|one| !is_word(one));
        let word = words.next().unwrap_or("");
        // `a IS DISTINCT FROM ""` compares with an empty text.
        BEFORE.iter().any(|one| word.eq_ignore_ascii_case(one))
            && !words.next().is_some_and(|word| word.eq_ignore_ascii_case("distinct"))
            && before.matches('\'').count() % 2 == 0
    };
    let pairs = ["[]", "``", "\"\""].into_iter();
    pairs.flat_map(|pair| text.match_indices(pair)).map(|(at, _)| at).find(|&at| is_behind(at))
}

/// What generated code has in the place of a list.
const SLICE: &str = "/*SLICE:";

enum Means {
    Value,
    List,
    Columns,
}

struct Found<'t> {
    start: usize,
    end: usize,
    name: &'t str,
    name_at: usize,
    means: Means,
}

/// The first of them at or behind an offset.
fn next(content: &str, from: usize) -> Option<Found<'_>> {
    let rest = content.get(from..)?;
    let call = rest.match_indices(START).find_map(|(at, _)| call(content, from + at));
    let slice = rest.find(SLICE).and_then(|at| slice(content, from + at));
    match (call, slice) {
        (Some(call), Some(slice)) => Some(if call.start < slice.start { call } else { slice }),
        (call, slice) => call.or(slice),
    }
}

/// `sqlc.arg(name)`, `sqlc.slice('name')`
fn call(content: &str, start: usize) -> Option<Found<'_>> {
    let rest = content.get(start + START.len()..)?;
    let (word, behind) = rest.split_once('(')?;
    let (inside, _) = behind.split_once(')')?;
    let means = match word.trim_end() {
        "arg" | "narg" => Means::Value,
        "slice" => Means::List,
        "embed" => Means::Columns,
        _ => return None,
    };
    let end = start + START.len() + word.len() + inside.len() + 2;
    let name = inside.trim().trim_matches(['\'', '"']);
    let is_name = !name.is_empty() && name.chars().all(|one| one.is_alphanumeric() || one == '_');
    let name_at = end - 1 - inside.len() + inside.find(name).unwrap_or(0);
    is_name.then_some(Found { start, end, name, name_at, means })
}

/// `/*SLICE:name*/?`
fn slice(content: &str, start: usize) -> Option<Found<'_>> {
    let rest = content.get(start + SLICE.len()..)?;
    let (name, behind) = rest.split_once("*/")?;
    behind.starts_with('?').then_some(Found {
        start,
        end: start + SLICE.len() + name.len() + 3,
        name,
        name_at: start + SLICE.len(),
        means: Means::List,
    })
}

/// The text of a file with a `;` in front of each line that names what follows, where none ends what stands before: libraries that
/// read such files part them by these lines alone (<https://nackjicholson.github.io/aiosql/defining-sql-queries.html>). Not within
/// parentheses, quotes or a trigger, and only where a verb follows.
#[must_use]
pub(super) fn parted(text: Text) -> Text {
    let content = text.as_str();
    let (mut ends, mut headings) = (Vec::new(), 0);
    let (mut at, mut last, mut depth, mut is_within, mut is_quoted) = (0, ';', 0_i32, false, false);
    let mut is_trigger = false;
    for line in content.split_inclusive('\n') {
        let bare = line.split("--").next().unwrap_or("");
        let block = bare.find("/*").filter(|_| !is_quoted);
        // `a /* b */ c`: what stands behind the comment counts as well.
        let behind = block.and_then(|at| line.get(at..)?.split_once("*/")).map_or("", |(_, behind)| behind);
        let before = if is_quoted { line } else { bare.get(..block.unwrap_or(bare.len())).unwrap_or("") };
        let code = format!("{before} {behind}");
        let code = code.trim();
        if is_within {
            is_within = !line.contains("*/");
            at += line.len();
            continue;
        }
        is_within = block.is_some() && !line.contains("*/");
        if let Some(sign) = code.chars().next_back() {
            is_quoted ^= code.matches('\'').count() % 2 == 1;
            depth += code.matches('(').count() as i32 - code.matches(')').count() as i32;
            let is_created = contains_word(code, "create") && contains_word(code, "trigger");
            is_trigger = (is_trigger || is_created) && !contains_word(code, "end");
            if sign == ';' {
                depth = 0;
            }
            last = sign;
        } else if !is_within && is_heading(line.trim()) && depth == 0 && !is_quoted && !is_trigger {
            headings += 1;
            if last != ';' && content.get(at..).is_some_and(may_start) {
                ends.push(at);
            }
            last = ';';
        }
        at += line.len();
    }
    if headings < 2 || ends.is_empty() {
        return text;
    }
    let (mut parted, mut from) = (Text::default(), 0);
    for end in ends {
        parted.append(&text.part(from, end));
        if let Some((source, offset)) = text.locate(end as u32) {
            parted.push_at(";", source, offset);
        }
        from = end;
    }
    parted.append(&text.part(from, text.as_str().len()));
    parted
}

/// Whether a line is a comment that names what follows: `-- name: books`, `-- STMT_SELECT_BOOKS`.
fn is_heading(line: &str) -> bool {
    let is_part = |one: char| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_';
    let is_constant = |word: &str| word.contains('_') && word.chars().all(is_part);
    query_name(line).is_some() || line.strip_prefix("-- ").is_some_and(is_constant)
}

/// The name of a query that is written as a comment in front of it: `-- name: list_books :many`, `-- :name list-books :?`.
pub fn query_name(sql: &str) -> Option<&str> {
    let comments = sql.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with("--"));
    comments.into_iter().find_map(|line| {
        let comment = line.trim_start_matches('-').trim_start();
        let name = comment.strip_prefix("name:").or_else(|| comment.strip_prefix(":name "))?;
        name.split_whitespace().next().map(|name| name.trim_end_matches(['!', '^', '$', '*', '#', '<']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn expanded(sql: &str) -> String {
        expand(Text::exact(sql, SourceId(0), 0)).as_str().to_owned()
    }

    #[test]
    fn what_generators_read_becomes_what_sqlite_reads() {
        assert_eq!(expanded("a = sqlc.arg(title) OR b = sqlc.narg( 'x' )"), "a = :title OR b = :x");
        assert_eq!(expanded("id IN (sqlc.slice(ids))"), "id IN (\u{1})");
        assert_eq!(expanded("id IN (/*SLICE:ids*/?)"), "id IN (\u{1})");
        assert_eq!(expanded("SELECT sqlc.embed(book), 1"), "SELECT book.*, 1");
        assert_eq!(expanded("SELECT sqlc.other(book), sqlc."), "SELECT sqlc.other(book), sqlc.");
    }

    #[test]
    fn marks_of_a_builder_are_holes() {
        let opened = |sql: &str| open_marks(Text::exact(sql, SourceId(0), 0));
        let text = opened("SELECT /**select**/ FROM book /**where**/ /**orderby**/");
        assert_eq!(text.as_str(), "SELECT \u{1} FROM book \u{1} \u{1}");
        assert_eq!(text.holes().iter().map(|hole| hole.needed).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(opened("SELECT /* select */ /** all **/ 1").as_str(), "SELECT /* select */ /** all **/ 1");
    }

    #[test]
    fn a_table_is_not_called_nothing() {
        let opened = |sql: &str| open_names(Text::exact(sql, SourceId(0), 0)).as_str().to_owned();
        assert_eq!(opened("DELETE FROM [] WHERE a = '[]'"), "DELETE FROM \u{1} WHERE a = '[]'");
        assert_eq!(
            opened("SELECT a FROM `` JOIN \"\" USING (b)"),
            "SELECT a FROM \u{1} JOIN \u{1} USING (b)"
        );
        for whole in [
            "UPDATE t SET a = \"\", b = '[]'",
            "SELECT a FROM t WHERE b IS DISTINCT FROM \"\"",
            "UPDATE t SET a = 'moved from \"\" to b' WHERE b = 1",
        ] {
            assert_eq!(opened(whole), whole);
        }
    }

    #[test]
    fn what_is_named_is_parted() {
        let text = |sql: &str| parted(Text::exact(sql, SourceId(0), 0)).as_str().to_owned();
        assert_eq!(
            text("-- name: a\nSELECT 1\n\n/* -- name: no */\n-- name: b\nSELECT 2;\n-- name: c\nSELECT 3"),
            "-- name: a\nSELECT 1\n\n/* -- name: no */\n;-- name: b\nSELECT 2;\n-- name: c\nSELECT 3"
        );
        assert_eq!(
            text("-- GET_A\nSELECT 1 -- one\n-- GET_B\nSELECT 2"),
            "-- GET_A\nSELECT 1 -- one\n;-- GET_B\nSELECT 2"
        );
        for whole in [
            "SELECT 1,\n-- TODO\n2",
            "SELECT\n-- name: a\n1",
            "-- name: a\nSELECT 1;\n-- name: b\nSELECT 2",
            "CREATE TABLE t (a,\n-- OF_ALL\nPRIMARY KEY (a));\n-- NO_MORE\nSELECT 1",
            "-- GET_A\nCREATE TRIGGER g AFTER INSERT ON t BEGIN\n-- GET_B\nDELETE FROM u; END",
            "-- GET_A\nINSERT INTO t VALUES ('x\n-- GET_B\nSELECT 1')",
        ] {
            assert_eq!(text(whole), whole);
        }
    }

    #[test]
    fn a_query_is_named_by_the_comment_in_front_of_it() {
        assert_eq!(query_name("-- name: ListBooks :many\nSELECT 1"), Some("ListBooks"));
        assert_eq!(query_name("\n-- old\n-- name: list_books^\nSELECT 1"), Some("list_books"));
        assert_eq!(query_name("-- :name list-books :? :*\nSELECT 1"), Some("list-books"));
        assert_eq!(query_name("SELECT 1 -- name: x"), None);
    }
}
