//! Tables whose schema the program computes: `SELECT … FROM {}.parcels`. Which file the schema is of is not known, but its
//! table is, so that the text without the qualifier asks the same.

use super::text::{HOLE, Text};
use memchr::memchr_iter;

/// The words in front of a table that is read, written, or made where it is not there. What is dropped, changed or made in any
/// case is that of the other schema alone.
const BEFORE: [&str; 5] = ["from", "join", "into", "update", "exists"];

/// The most tables of one text of which that is asked.
const MOST: usize = 16;

/// The most bytes of the words in front of a name.
const NEAR: usize = 64;

/// The signs that may stand around a name.
const QUOTES: [(u8, u8); 4] = [(b'"', b'"'), (b'`', b'`'), (b'\'', b'\''), (b'[', b']')];

/// A qualifier whose name is a hole, with its quotes and its dot, and the name behind it.
struct Qualifier<'t> {
    start: usize,
    end: usize,
    name: &'t str,
    is_table: bool,
}

/// The text without the schemas that holes stand for. One that is attached is looked through by SQLite all the same.
#[must_use]
pub(super) fn without(text: Text) -> Text {
    let content = text.as_str();
    let holes = memchr_iter(HOLE as u8, content.as_bytes());
    let mut all: Vec<Qualifier<'_>> = holes.filter_map(|at| qualifier(content, at)).collect();
    // What stands in a string is no name.
    let (mut from, mut quotes) = (0, 0);
    all.retain(|one| {
        quotes += memchr_iter(b'\'', content.as_bytes().get(from..one.start).unwrap_or(&[])).count();
        from = one.start;
        quotes % 2 == 0
    });
    let mut tables: Vec<&str> = all.iter().filter(|one| one.is_table).map(|one| one.name).collect();
    tables.sort_unstable();
    tables.dedup();
    // Beside the table of another schema, it is another one.
    let is_beside = || tables.iter().any(|table| stands_bare(content, table));
    if tables.is_empty() || tables.len() > MOST || is_beside() {
        return text;
    }
    let mut short = Text::default();
    let mut from = 0;
    // `{}.parcels.label` is a column of it.
    let is_of_one = |one: &&Qualifier<'_>| {
        let is_column = content.get(one.end + one.name.len()..).is_some_and(|rest| rest.starts_with('.'));
        one.is_table || (is_column && tables.contains(&one.name))
    };
    for one in all.iter().filter(is_of_one) {
        short.append(&text.part(from, one.start));
        from = one.end;
    }
    short.append(&text.part(from, content.len()));
    short
}

/// The qualifier whose name is a hole.
fn qualifier(content: &str, hole: usize) -> Option<Qualifier<'_>> {
    let bytes = content.as_bytes();
    let (mut start, mut end) = (hole, hole + HOLE.len_utf8());
    let around = (start.checked_sub(1).and_then(|before| bytes.get(before)), bytes.get(end));
    if QUOTES.iter().any(|(open, close)| around == (Some(open), Some(close))) {
        (start, end) = (start - 1, end + 1);
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_\"`[".contains(&byte) || byte == HOLE as u8;
    if bytes.get(end) != Some(&b'.') || !bytes.get(end + 1).is_some_and(|&next| is_name(next)) {
        return None;
    }
    end += 1;
    let before = content.get(..start)?;
    let before = before.get(before.ceil_char_boundary(before.len().saturating_sub(NEAR))..)?;
    let mut words = before.rsplit(|one: char| !one.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let is = |word: Option<&str>, wanted: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(wanted));
    let word = words.next().filter(|word| before.trim_ascii_end().ends_with(word));
    let earlier = words.next();
    let is_known =
        BEFORE.iter().any(|one| is(word, one)) && before.ends_with(|one: char| one.is_ascii_whitespace());
    // `IS DISTINCT FROM {}.label` compares, and `DROP TABLE IF EXISTS {}.parcels` drops.
    let is_table = is_known && !is(earlier, "distinct") && (!is(word, "exists") || is(earlier, "not"));
    let name = content.get(end..)?;
    let length = name.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
    Some(Qualifier { start, end, name: name.get(..length)?, is_table })
}

/// Whether a table is named without a schema, too.
fn stands_bare(content: &str, table: &str) -> bool {
    let mut words = content.split(|one: char| one.is_ascii_whitespace() || "(,;".contains(one));
    let mut before = "";
    words.any(|word| {
        let is_bare = BEFORE.iter().any(|one| before.eq_ignore_ascii_case(one))
            && word.trim_matches(['"', '`', '[', ']', ')']).eq_ignore_ascii_case(table);
        if !word.is_empty() {
            before = word;
        }
        is_bare && !table.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::{HOLE, Text, without};
    use crate::source::SourceId;

    fn short(sql: &str) -> String {
        let mut text = Text::default();
        for (index, part) in sql.split('~').enumerate() {
            if index > 0 {
                text.push_hole("", false, SourceId(0), 0);
            }
            text.push_at(part, SourceId(0), 0);
        }
        without(text).as_str().replace(HOLE, "~")
    }

    fn all_stay(texts: &[&str]) {
        for &sql in texts {
            assert_eq!(short(sql), sql);
        }
    }

    #[test]
    fn schema_that_is_computed_is_left_out() {
        assert_eq!(
            short("SELECT a FROM ~.t JOIN \"~\".u ON ~.x = u.x"),
            "SELECT a FROM t JOIN u ON ~.x = u.x"
        );
        assert_eq!(short("CREATE TABLE IF NOT EXISTS ~.t (a)"), "CREATE TABLE IF NOT EXISTS t (a)");
        assert_eq!(short("INSERT INTO ~.idx_~_~ (k) VALUES (~)"), "INSERT INTO idx_~_~ (k) VALUES (~)");
    }

    #[test]
    fn what_is_done_to_another_schema_alone_stays() {
        all_stay(&[
            "DROP INDEX ~.by_label",
            "DROP TABLE IF EXISTS ~.t",
            "CREATE TABLE ~.t (a, b)",
            "ALTER TABLE ~.t ADD COLUMN c",
            "INSERT INTO ~.t SELECT a FROM t",
            "SELECT a FROM t WHERE a IS DISTINCT FROM ~.b",
            "INSERT INTO u VALUES ('x from ~.y')",
        ]);
        assert_eq!(short("SELECT ~.t.a FROM ~.t"), "SELECT t.a FROM t");
    }

    #[test]
    fn what_is_no_schema_stays() {
        all_stay(&[
            "SELECT ~.a FROM t",
            "SELECT a FROM t WHERE b IN (~)",
            "SELECT a FROM ~",
            "UPDATE ~ SET a = ~",
            "~.b",
        ]);
    }
}
