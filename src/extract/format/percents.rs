//! Holes behind per cent signs: `%s` and `%d` of printf, `%1` of Qt. Knows how they are written, and nothing of what fills
//! them.

use super::{Field, Folder, FormatStyle, Piece, Spot, Text, unnamed};
use crate::extract::{constants::Marker, lexer::Kind, text::HOLE};

/// The longest name that stands behind a per cent sign, in bytes.
const LONGEST: usize = 200;

impl Folder<'_> {
    /// Fills the verbs of texts that an argument is, of a call that nobody knows and that has as many arguments behind it: what is no
    /// driver's prints them, `text("SELECT id FROM %s", table)`.
    pub fn fill_in_call(&self, spot: Spot, (start, end): (usize, usize), texts: &mut Vec<Text>) {
        let Some(code) = self.code(spot).filter(|code| code.language().percent_texts) else { return };
        let Some(open) = code.around(start).next().filter(|&open| code.is(open, b'(') && open > 0) else {
            return;
        };
        let (arguments, _) = code.arguments(open);
        let Some(place) = arguments.iter().position(|&own| own == (start, end)) else { return };
        let values = arguments.get(place + 1..).unwrap_or(&[]);
        // What stands in quotes may be a pattern, or the format of a date.
        let is_filled = |text: &Text| {
            let verbs = percents(text.as_str(), false);
            let holes = verbs.iter().filter(|piece| matches!(piece, Piece::Hole(..))).count();
            let is_bare = |piece: &Piece<'_>| match piece {
                Piece::Hole(at, field) => {
                    *field == Field::Next
                        && text.part(0, *at).as_str().matches('\'').count().is_multiple_of(2)
                }
                Piece::Text(..) => true,
            };
            holes == values.len() && verbs.iter().all(is_bare)
        };
        let word = code.word(open - 1);
        let is_known = code.kind(open - 1) != Some(Kind::Word)
            || code.language().sinks.iter().any(|(sink, _)| *sink == word)
            || code.language().formats.iter().any(|format| format.name == word);
        if !is_known && !values.is_empty() && texts.iter().all(is_filled) {
            *texts = self.fill_all(spot, texts, values, FormatStyle::Percent);
        }
    }
}

/// A text whose verbs, `%s` and `%w`, are holes: which function puts values there is not known. What stands in quotes may
/// be a pattern of LIKE or of a date, unless another verb tells that the text is printed. What the program replaces is no verb.
pub fn fill_percents(text: &Text, markers: &[Marker]) -> Text {
    let mut filled = Text::default();
    let mut quotes = 0;
    let is_printed = is_printed(text.as_str());
    for piece in percents(text.as_str(), true) {
        match piece {
            Piece::Text(start, end) => {
                let part = text.part(start, end);
                quotes += part.as_str().matches('\'').count();
                filled.append(&part);
            }
            Piece::Hole(at, field) => {
                let length = text.as_str().get(at..).map_or(0, percent_length);
                let rest = text.as_str().get(at..).unwrap_or("");
                let is_marker = markers.iter().any(|marker| rest.starts_with(&marker.text));
                let is_verb = quotes % 2 == 0 || is_printed && field == Field::Next;
                if is_verb && !is_marker {
                    // What has a number stands wherever that does.
                    let numbered = matches!(field, Field::Number(_));
                    let name = text.as_str().get(at..at + length).filter(|_| numbered).unwrap_or("");
                    filled.append(&unnamed(text, at, name, false));
                } else {
                    filled.append(&text.part(at, at + length));
                }
            }
        }
    }
    filled
}

/// Whether a text is printed: `%q` is a verb of SQLite alone, `= '%d'` and `= '%w %w'` compare with no such value, and `, '%w'` is no
/// format of a date.
fn is_printed(text: &str) -> bool {
    let is = |at: usize, wanted: &str| text.get(at..).is_some_and(|rest| rest.starts_with(wanted));
    let before =
        |at: usize| text.get(..at).and_then(|before| before.strip_suffix('\'')).unwrap_or("").trim_end();
    let verb_end = |at: usize| at + percent_length(text.get(at..).unwrap_or(""));
    let is_quoted = |at: usize| {
        let mut end = verb_end(at);
        while ["q", "w", "s", "d"].iter().any(|verb| is(end, &format!(" %{verb}"))) {
            end = verb_end(end + 1);
        }
        before(at).ends_with(['=', '<', '>']) && is(end, "'")
    };
    let is_word = |one: char| one.is_alphanumeric() || one == '_';
    let is_own = |at: usize| {
        let is_alone = !text.get(at + 2..).is_some_and(|rest| rest.starts_with(is_word));
        is_alone && (is(at, "%q") || is(at, "%w'") && before(at).ends_with(','))
    };
    percents(text, false).iter().any(|piece| match piece {
        Piece::Hole(at, Field::Next) => is_own(*at) || is_quoted(*at),
        _ => false,
    })
}

/// The pieces of `… %s %d %(name)s %[1]s %% …`; with numbers, of `… %1 %L2 …` as well.
pub(super) fn percents(text: &str, with_numbers: bool) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    while let Some(offset) = text.get(from..).and_then(|rest| rest.find('%')) {
        let at = from + offset;
        pieces.push(Piece::Text(from, at));
        let rest = text.get(at + 1..).unwrap_or("");
        if rest.starts_with('%') {
            pieces.push(Piece::Text(at, at + 1));
            from = at + 2;
            continue;
        }
        let number = number(rest).filter(|(_, length)| with_numbers && !is_modulo(text, at, *length));
        let (field, length) = match number {
            Some((number, length)) => (Some(Field::Number(number)), length),
            None => percent_field(rest),
        };
        match field {
            Some(field) => pieces.push(Piece::Hole(at, field)),
            None => pieces.push(Piece::Text(at, at + 1 + length)),
        }
        from = at + 1 + length;
    }
    pieces.push(Piece::Text(from, text.len()));
    pieces
}

/// The values that a verb puts in: `%Q` of `sqlite3_mprintf` has its quotes, <https://www.sqlite.org/printf.html>.
pub(super) fn quoted(text: &Text, verb: usize, values: Vec<Text>) -> Vec<Text> {
    let is_quoting = text.as_str().get(verb..).is_some_and(|rest| rest.starts_with("%Q"));
    let Some((source, offset)) = text.locate(verb as u32).filter(|_| is_quoting) else { return values };
    let as_value = |mut value: Text| {
        if value.as_str().chars().eq([HOLE]) {
            value.mark_value();
        }
        if !value.holes().is_empty() || value.as_str().contains('\'') {
            return value;
        }
        let mut all = Text::default();
        all.push_at("'", source, offset);
        all.append(&value);
        all.push_at("'", source, offset);
        all
    };
    values.into_iter().map(as_value).collect()
}

/// How long the verb is that a text starts with, per cent sign included.
fn percent_length(text: &str) -> usize {
    let rest = text.get(1..).unwrap_or("");
    number(rest).map_or_else(|| percent_field(rest).1, |(_, length)| length) + 1
}

/// What stands behind a per cent sign, and how long it is.
fn percent_field(rest: &str) -> (Option<Field<'_>>, usize) {
    let mut field = Field::Next;
    let mut at = 0;
    for (open, close) in [('(', b')'), ('[', b']')] {
        if rest.starts_with(open)
            && let Some(end) = rest.bytes().take(LONGEST).position(|byte| byte == close)
        {
            let inner = rest.get(1..end).unwrap_or("");
            field = match inner.parse::<usize>() {
                Ok(number) => Field::Number(number.saturating_sub(1)),
                Err(_) => Field::Name(inner),
            };
            at = end + 1;
        }
    }
    let behind = rest.get(at..).unwrap_or("");
    let flags_end = |signs: &str| behind.len() - behind.trim_start_matches(|one| signs.contains(one)).len();
    let mut flags = flags_end("+-# 0123456789.*");
    // A space is a flag only where nothing but signs stands in front of it, and a number is put there.
    let is_spaced = behind.get(..flags).is_some_and(|flags| flags.contains(' '));
    let mut verb = behind.get(flags..).unwrap_or("").chars();
    let is_number = verb.next().is_some_and(|one| "diufeg".contains(one))
        && !verb.next().is_some_and(|one| one.is_alphanumeric() || one == '_');
    let is_flagged =
        behind.get(..flags).is_some_and(|flags| !flags.trim_end().contains(|one: char| one.is_ascii_digit()));
    if is_spaced && !(is_number && is_flagged) {
        flags = flags_end("+-#0123456789.*");
    }
    let is_flag = |flags: usize, sign: char| behind.get(flags..).is_some_and(|rest| rest.starts_with(sign));
    // `%2$s`
    if is_flag(flags, '$')
        && let Some(Ok(number)) = behind.get(..flags).map(str::parse::<usize>)
    {
        (field, flags) = (Field::Number(number.saturating_sub(1)), flags + 1);
    }
    // `%lld`, `%zu`
    while let Some(verb) = behind.get(flags + 1..).and_then(|rest| rest.chars().next())
        && "hljzt".chars().any(|length| is_flag(flags, length))
        && "hldiuxXofg".contains(verb)
    {
        flags += 1;
    }
    match behind.get(flags..).and_then(|verb| verb.chars().next()) {
        Some(verb) if verb.is_ascii_alphabetic() => (Some(field), at + flags + 1),
        _ => (None, 0),
    }
}

/// The number behind a per cent sign, from 0, where it numbers a value and is not the width of one: `%1`, `%L2`; and how long
/// it is.
fn number(rest: &str) -> Option<(usize, usize)> {
    let localised = usize::from(rest.starts_with('L'));
    let behind = rest.get(localised..)?;
    let digits = behind.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let number: usize = behind.get(..digits)?.parse().ok()?;
    let mut after = behind.get(digits..)?.chars();
    let is_width = match after.next() {
        Some('$' | '*') => true,
        Some('.') => after.next().is_some_and(|one| one.is_ascii_digit() || one == '*'),
        Some(verb) => "diouxXeEfFgGaAcspnqQwhlzjt".contains(verb) && localised == 0,
        None => false,
    };
    (number > 0 && !is_width && !behind.starts_with('0')).then(|| (number - 1, localised + digits))
}

/// Whether a per cent sign with a number stands between operands: `id%2 = 0`.
fn is_modulo(text: &str, at: usize, length: usize) -> bool {
    let is_word = |one: &u8| one.is_ascii_alphanumeric() || *one == b'_';
    let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
    let behind = text.as_bytes().get(at + 1 + length);
    before.is_some_and(|one| one.is_ascii_alphanumeric() || *one == b')') && !behind.is_some_and(is_word)
}

/// The pieces of `… %1 %3 %L2 …` of which so many numbers, the lowest, are given values; the others stay.
pub(super) fn numbered(text: &str, count: usize) -> Vec<Piece<'_>> {
    let found = |(at, _): (usize, &str)| {
        let (number, length) = number(text.get(at + 1..)?)?;
        Some((at, number, length))
    };
    let all: Vec<(usize, usize, usize)> = text.match_indices('%').filter_map(found).collect();
    let mut lowest: Vec<usize> = all.iter().map(|one| one.1).collect();
    lowest.sort_unstable();
    lowest.dedup();
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, number, length) in all {
        let Some(place) = lowest.iter().take(count).position(|&one| one == number) else { continue };
        pieces.push(Piece::Text(from, at));
        pieces.push(Piece::Hole(at, Field::Number(place)));
        from = at + 1 + length;
    }
    pieces.push(Piece::Text(from, text.len()));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn filled(text: &str) -> String {
        fill_percents(&Text::exact(text, SourceId(0), 0), &[]).as_str().replace('\u{1}', "_")
    }

    #[test]
    fn a_number_behind_a_per_cent_sign_is_a_hole_and_a_width_is_part_of_one() {
        assert_eq!(filled("SELECT %1.a FROM %1 S, %2 WHERE %L3"), "SELECT _.a FROM _ S, _ WHERE _");
        assert_eq!(filled("LIMIT %5d OFFSET %10lld, %1$s, %1.5f"), "LIMIT _ OFFSET _, _, _");
        assert_eq!(filled("a % b, 5 % 2, x LIKE '%1 S'"), "a % b, 5 % 2, x LIKE '%1 S'");
        assert_eq!(filled("% d, %-5s, %+d, a % desc"), "_, _, _, a % desc");
    }

    #[test]
    fn in_quotes_a_verb_is_one_where_the_text_is_printed() {
        assert_eq!(filled("WHERE a = '%q' AND b LIKE '%%%q%%'"), "WHERE a = '_' AND b LIKE '%_%'");
        assert_eq!(filled("SET a = '%d', b = '%s' WHERE c = '%lld'"), "SET a = '_', b = '_' WHERE c = '_'");
        assert_eq!(filled("WHERE a = '%w %w' AND b > 2"), "WHERE a = '_ _' AND b > 2");
        assert_eq!(filled("VALUES (1, '%w', '%w')"), "VALUES (1, '_', '_')");
        for pattern in [
            "WHERE a LIKE '%d'",
            "WHERE a LIKE '%queue'",
            "SELECT strftime('%s', a), strftime('%m')",
            "SELECT strftime('%w', a) FROM t WHERE b = '100 %'",
        ] {
            assert_eq!(filled(pattern), pattern);
        }
    }

    #[test]
    fn a_text_with_a_number_twice_has_one_value_there() {
        let text = fill_percents(&Text::exact("SELECT %2.a FROM %2, %1", SourceId(0), 0), &[]);
        let names: Vec<&str> = text.holes().iter().map(|hole| hole.name.as_str()).collect();
        assert_eq!(names, ["%2", "%2", "%1"]);
    }
}
