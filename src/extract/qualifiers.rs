//! Tables whose schema the program computes: `SELECT … FROM {}.parcels`. Which file the schema is of is not known, but its
//! table is, so that the text without the qualifier asks the same.

use super::text::{HOLE, Text};
use memchr::memchr_iter;

/// The words in front of what may have a qualifier.
const BEFORE: [&str; 9] = ["from", "join", "into", "update", "table", "index", "view", "trigger", "exists"];

/// The signs that may stand around a name.
const QUOTES: [(u8, u8); 4] = [(b'"', b'"'), (b'`', b'`'), (b'\'', b'\''), (b'[', b']')];

/// The text without the schemas that holes stand for. One that is attached is looked through by SQLite all the same.
#[must_use]
pub(super) fn without(text: Text) -> Text {
    let content = text.as_str();
    let mut found =
        memchr_iter(HOLE as u8, content.as_bytes()).filter_map(|at| qualifier(content, at)).peekable();
    if found.peek().is_none() {
        return text;
    }
    let mut short = Text::default();
    let mut from = 0;
    for (start, end) in found {
        short.append(&text.part(from, start));
        from = end;
    }
    short.append(&text.part(from, content.len()));
    short
}

/// Where the qualifier stands whose name is a hole, with its quotes and its dot.
fn qualifier(content: &str, hole: usize) -> Option<(usize, usize)> {
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
    let before = content.get(..start)?;
    let words = before.trim_ascii_end();
    let is_word = |byte: u8| byte.is_ascii_alphabetic();
    let first = words.bytes().rev().take_while(|&byte| is_word(byte)).count();
    let word = words.get(words.len() - first..)?;
    let is_table = words.len() < before.len() && BEFORE.iter().any(|one| one.eq_ignore_ascii_case(word));
    is_table.then_some((start, end + 1))
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
    fn what_is_no_schema_stays() {
        for sql in [
            "SELECT ~.a FROM t",
            "SELECT a FROM t WHERE b IN (~)",
            "SELECT a FROM ~",
            "UPDATE ~ SET a = ~",
            "~.b",
        ] {
            assert_eq!(short(sql), sql);
        }
    }
}
