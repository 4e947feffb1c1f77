//! Lists of marks for parameters in a text: those that the program makes of as many as it has values. Knows no more of SQL than
//! their signs and the words in front of them.

use super::Text;

/// What stands behind marks that the program puts there as often as it needs them, once or more.
pub const MORE: char = '\u{3}';

/// The most places of a text where a program repeats marks.
const MOST: usize = 64;

impl Text {
    /// Makes a list of each text that SQLite never takes, or that asks for nothing, and that the program puts one in the place
    /// of: `???`, marks with a comma behind the last, and, in a text of several pieces, `IN ()` and `VALUES ()`.
    pub fn open_lists(&mut self) {
        self.open_repeated();
        let mut from = 0;
        while let Some((start, end)) = self.unfinished_list(from) {
            let mut opened = self.part(0, start);
            if let Some((source, offset)) =
                self.locate(start.min(self.content.len().saturating_sub(1)) as u32)
            {
                opened.push_hole("", true, source, offset);
            }
            from = opened.content.len();
            opened.append(&self.part(end, self.content.len()));
            *self = opened;
        }
    }

    /// The range of the first such list at or behind an offset.
    fn unfinished_list(&self, from: usize) -> Option<(usize, usize)> {
        const LIST: &str = "???";
        let rest = self.content.get(from..)?;
        let asked = rest.find(LIST).map(|at| (from + at, from + at + LIST.len()));
        let closes = rest.match_indices(')').map(|(at, _)| from + at);
        let mut open = closes.filter_map(|close| self.unfinished_marks(close));
        match (asked, open.next()) {
            (Some(asked), Some(open)) => Some(asked.min(open)),
            (asked, open) => asked.or(open),
        }
    }

    /// The marks in front of a closing parenthesis, where the last has a comma behind it, or where an IN has none.
    fn unfinished_marks(&self, close: usize) -> Option<(usize, usize)> {
        let before = self.content.get(..close)?;
        let start = before.trim_end_matches(['?', ',', ' ', '\n', '\t']).len();
        let marks = before.get(start..)?;
        if marks.trim_end().ends_with(',') && marks.trim_start().starts_with('?') {
            return Some((start, close));
        }
        let head = before.get(..start)?.strip_suffix('(').filter(|_| marks.trim().is_empty())?;
        let word = head.trim_end().rsplit(|one: char| !(one.is_alphanumeric() || one == '_')).next()?;
        let takes_some = word.eq_ignore_ascii_case("in") || word.eq_ignore_ascii_case("values");
        (takes_some && self.segments.len() > 1).then_some((start, close))
    }

    /// Makes a list of the marks that are repeated where a row of an INSERT needs as many as it has columns. Elsewhere one more
    /// makes two.
    fn open_repeated(&mut self) {
        // Many are of a text that has such signs of its own.
        if self.content.matches(MORE).count() > MOST {
            return;
        }
        let mut from = 0;
        while let Some(at) = self.content.get(from..).and_then(|rest| rest.find(MORE)).map(|at| at + from) {
            let (start, end) = self.repeated_marks(at);
            let mut opened = self.part(0, start);
            if self.is_in_row(start)
                && let Some((source, offset)) = self.locate(start as u32)
            {
                opened.push_hole("", true, source, offset);
                from = opened.content.len();
                opened.append(&self.part(end, self.content.len()));
            } else {
                opened = self.part(0, at);
                from = at;
                opened.append(&self.part(at + MORE.len_utf8(), self.content.len()));
            }
            *self = opened;
        }
    }

    /// The range of the marks that stand around a sign of repetition.
    fn repeated_marks(&self, at: usize) -> (usize, usize) {
        let between = |one: char| one == ',' || one.is_whitespace();
        let before = self.content.get(..at).unwrap_or("");
        let unit = before.trim_end_matches(between);
        let mut start = unit.strip_suffix('?').unwrap_or(unit);
        let mut end = at + MORE.len_utf8();
        let after = self.content.get(end..).unwrap_or("");
        if unit.len() < before.len() {
            // `?, ?`: the last has no comma behind it.
            end += usize::from(after.starts_with('?'));
        } else {
            // `?, ?`: the first has no comma in front of it.
            start = start.trim_end_matches(between).strip_suffix('?').unwrap_or(start);
        }
        (start.len(), end)
    }

    /// Whether a place is one among the values of a row: `VALUES (1, …`.
    fn is_in_row(&self, at: usize) -> bool {
        let open = self.content.get(..at).and_then(opening);
        let word = open.and_then(|open| self.content.get(..open)).map_or("", str::trim_end);
        let from = word.len().saturating_sub("values".len());
        word.get(from..).is_some_and(|word| word.eq_ignore_ascii_case("values"))
    }
}

/// Where the parenthesis opens that a text would close.
pub fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, one) in text.char_indices().rev() {
        match one {
            ')' => depth += 1,
            '(' if depth == 0 => return Some(at),
            '(' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{
        super::{HOLE, Text},
        MORE,
    };
    use crate::source::SourceId;

    #[test]
    fn marks_that_a_loop_puts_together_are_a_list() {
        let opened = |pieces: &[&str]| {
            let mut text = Text::default();
            for (at, piece) in (0..).zip(pieces) {
                text.push(piece, SourceId(0), 100 * at);
            }
            text.open_lists();
            text.as_str().replace(HOLE, "_")
        };
        assert_eq!(opened(&["a IN (", "?", ",", ") AND b = ?"]), "a IN (_) AND b = ?");
        assert_eq!(opened(&["a IN (", ")"]), "a IN (_)");
        assert_eq!(opened(&["a IN ()", " AND f()"]), "a IN (_) AND f()");
        assert_eq!(opened(&["VALUES (", ")"]), "VALUES (_)");
        assert_eq!(opened(&["a IN ()"]), "a IN ()");
        assert_eq!(opened(&["a IN ???, f(?, ?)"]), "a IN _, f(?, ?)");
    }

    #[test]
    fn marks_that_are_repeated_in_a_row_are_a_list() {
        let opened = |sql: &str| {
            let mut text = Text::exact(&sql.replace('*', &MORE.to_string()), SourceId(0), 0);
            text.open_lists();
            text.as_str().replace(HOLE, "_")
        };
        assert_eq!(opened("VALUES (?, *?)"), "VALUES (_)");
        assert_eq!(opened("VALUES (1, ?,*?)"), "VALUES (1, _)");
        assert_eq!(opened("VALUES (1, f(2), ?,?*)"), "VALUES (1, f(2), _)");
        assert_eq!(opened("VALUES (?, ?,*?, now())"), "VALUES (?, _, now())");
        assert_eq!(opened("a IN (?,*?)"), "a IN (?,?)");
        assert_eq!(opened("a IN (?,*)"), "a IN (_)");
        assert_eq!(opened("a IN (?,?*) AND b IN (?*)"), "a IN (?,?) AND b IN (?)");
    }
}
