//! Where code hands in a step of a schema, with its number or in its turn: `register(12, TEXT)`, `add(Step { version: 7, up: f })`,
//! `@step(3)`, a row of a list. Knows brackets and words; what the step is, is for who asks.

use super::calls;
use crate::migration::{file_number, levels::Level, lines};

/// The most brackets around a step up to the one with its number, where a function is named.
const NEAR: usize = 3;

/// The most fields in front of a step that are looked at, and the longest of them, in bytes.
const FIELDS: usize = 8;
const LONGEST: usize = 120;

/// The most decorators of a function.
const DECORATORS: usize = 4;

/// What takes steps.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Door {
    /// What is called so, wherever in a folder.
    Named(String),
    /// The list that begins at this byte of a file.
    List(usize),
}

/// How a step is handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// To what.
    pub door: Door,
    /// The list around it, as the byte at which that begins.
    pub list: Option<usize>,
    /// The bracket that it stands in, as a byte: what stands there beside it has its number.
    pub row: usize,
    /// How many commas stand in front of it there.
    pub column: usize,
    /// By which it runs.
    pub number: u64,
    /// Whether that is written there, and not its turn alone.
    pub is_version: bool,
    /// Whether it undoes a step, by the name of its field.
    pub leads_back: bool,
    /// Whether it may run where it is handed in, as far as names tell.
    pub runs_there: bool,
}

impl Entry {
    /// One with a number that is written, at a door that runs nothing.
    fn kept(door: Door, row: usize, number: u64) -> Self {
        Self {
            door,
            list: None,
            row,
            column: 0,
            number,
            is_version: true,
            leads_back: false,
            runs_there: false,
        }
    }
}

/// How a place in code is handed in, by the brackets around it and the code in front of it and behind; `is_name`: a name stands
/// there, and no text.
pub(super) fn entry(levels: &[Level<'_>], (text, behind): (&str, &str), is_name: bool) -> Option<Entry> {
    let near = levels.iter().take(if is_name { NEAR } else { levels.len() });
    let numbered = near.enumerate().find_map(|(depth, level)| Some((depth, number(level, text)?)));
    let Some((depth, (number, is_key))) = numbered else {
        return listed(levels).filter(|_| is_name).or_else(|| assigned(levels, text, is_name));
    };
    let row = levels.get(depth)?;
    let outer = levels.get(depth + 1);
    let range = row.range(row.index())?;
    let own = text.get(range.clone()).unwrap_or("");
    if is_key {
        let list = Some(row.open());
        return Some(Entry { list, ..Entry::kept(Door::List(row.open()), range.start, number) });
    }
    let list = outer.filter(|outer| is_list(outer)).map(Level::open);
    let call =
        outer.filter(|outer| row.sign() != b'(' && outer.sign() == b'(').map(|outer| path(outer.head()));
    let call = call.filter(|path| !path.is_empty());
    let name = call.unwrap_or_else(|| path(row.head()));
    let is_call = call.is_some() || (row.sign() == b'(' && !calls::is_element(levels, depth, behind));
    let (keeps, has_connection) = (keeps(levels, depth), is_call && has_connection(levels, depth, behind));
    if calls::counts(name) || (has_connection && !keeps) {
        return None;
    }
    let runs_there = is_call && (has_connection || !keeps);
    let door = match (name, list) {
        ("", Some(list)) => Door::List(list),
        (name, _) => Door::Named(name.to_owned()),
    };
    let (leads_back, column) = (leads_back(own.trim_start()), row.index());
    Some(Entry { list, column, leads_back, runs_there, ..Entry::kept(door, row.open(), number) })
}

/// Whether a call, or the one around it, says that it keeps steps.
fn keeps(levels: &[Level<'_>], depth: usize) -> bool {
    levels.iter().skip(depth).take(2).any(|level| calls::keeps(path(level.head())))
}

/// Whether a call, or the one around it, has a connection to run a step on.
fn has_connection(levels: &[Level<'_>], depth: usize, behind: &str) -> bool {
    let is_call = |at: &usize| levels.get(*at).is_some_and(|level| level.sign() == b'(');
    (depth..depth + 2).filter(is_call).any(|at| calls::is_handed_connection(levels, at, behind))
}

/// Whether a name, or what begins with one, leads back to an older version.
pub(super) fn leads_back(name: &str) -> bool {
    const WORDS: [&str; 5] = ["down", "rollback", "revert", "undo", "backward"];
    let name = name.get(..name.find(|one| !is_name(one)).unwrap_or(name.len())).unwrap_or("");
    let lower = name.to_ascii_lowercase();
    let is_last = |word: &str| {
        // `flagsDown`, `FLAGS_DOWN`, and not `countdown`.
        let head = name.get(..name.len().saturating_sub(word.len())).unwrap_or("");
        let tail = name.get(head.len()..).unwrap_or("");
        lower.ends_with(word) && (head.ends_with('_') || tail.starts_with(|one: char| one.is_uppercase()))
    };
    WORDS.iter().any(|word| lower.starts_with(word)) || WORDS.iter().any(|word| is_last(word))
}

/// The number under which a step is put into a map: `steps[7] = f`, `steps[7] = function (db) {`. The text ends at the step.
fn assigned(levels: &[Level<'_>], text: &str, is_name: bool) -> Option<Entry> {
    let of_level = |level: &&Level<'_>| !is_name && level.sign() == b'{';
    let blocks = levels.iter().filter(of_level).map(Level::open);
    let ends = blocks.chain(levels.is_empty().then_some(text.len()));
    let put = |end: usize| {
        let before = text.get(text.floor_char_boundary(end.saturating_sub(2 * LONGEST))..end)?;
        let start = before.rfind(['\n', ';']).map_or(0, |at| at + 1);
        let line = before.get(start..).filter(|line| line.len() <= LONGEST)?;
        let (map, value) = line.split_once('=')?;
        let (name, number) = map.trim().strip_suffix(']')?.split_once('[')?;
        let is_whole = !value.starts_with(['=', '>']) && (!is_name || is_path(value.trim()));
        let number = digits(number.trim()).filter(|_| is_whole && is_path(name) && !name.is_empty())?;
        Some(Entry::kept(Door::Named(format!("{name}[]")), end, number))
    };
    ends.into_iter().find_map(put)
}

/// The turn of a function in a list of such, or of rows with one each.
fn listed(levels: &[Level<'_>]) -> Option<Entry> {
    let (inner, outer) = (levels.first()?, levels.get(1));
    let (list, row) = if is_list(inner) && is_bare(inner) {
        (inner, inner)
    } else {
        (outer.filter(|outer| is_list(outer) && inner.index() > 0)?, inner)
    };
    // Of the functions of a list, each is a row.
    let row = if list.open() == row.open() { list.range(list.index())?.start } else { row.open() };
    let door = Door::List(list.open());
    let number = list.index() as u64 + 1;
    Some(Entry { list: Some(list.open()), is_version: false, ..Entry::kept(door, row, number) })
}

/// Whether nothing stands in front of a place in its part of a bracket but the path of a name.
fn is_bare(level: &Level<'_>) -> bool {
    let own = level.part(level.index()).unwrap_or("");
    own.len() <= LONGEST && is_path(own)
}

fn is_path(text: &str) -> bool {
    text.chars().all(|one| is_name(one) || ".:&".contains(one))
}

/// Whether a bracket is that of a list, by what stands in front of it.
fn is_list(level: &Level<'_>) -> bool {
    const OTHERS: [&str; 11] =
        ["import", "export", "const", "let", "var", "return", "default", "type", "else", "do", "try"];
    let head = level.head();
    let last = head.get(head.trim_end_matches(is_name).len()..).unwrap_or("");
    match level.sign() {
        b'[' => last.is_empty() && !head.ends_with([')', ']']),
        b'{' if last.is_empty() => {
            head.ends_with(')') || head.strip_suffix('=').is_some_and(|head| head.trim_end().ends_with(']'))
        }
        b'{' => !OTHERS.contains(&last),
        _ => false,
    }
}

/// The number in front of a place in its bracket, and whether it is the key of what stands there in a map.
fn number(level: &Level<'_>, text: &str) -> Option<(u64, bool)> {
    let field = |index: usize| {
        let range = level.range(index)?;
        let own = text.get(range.clone()).filter(|_| range.len() <= LONGEST)?;
        Some(own).filter(|own| !calls::counts(label(own)))
    };
    let fields = || (0..level.index().min(FIELDS)).filter_map(field);
    let key = || {
        let own = level.range(level.index()).and_then(|own| text.get(own)).unwrap_or("").trim_start();
        key(own.get(..own.floor_char_boundary(LONGEST)).unwrap_or("")).filter(|_| !chooses(level))
    };
    let written = || fields().find_map(plain);
    written()
        .map(|number| (number, false))
        .or_else(|| Some((key()?, true)))
        .or_else(|| Some((fields().find_map(quoted)?, false)))
}

/// Whether a bracket holds the ways that a value chooses.
fn chooses(level: &Level<'_>) -> bool {
    let head = level.head();
    let head = head.get(head.floor_char_boundary(head.len().saturating_sub(LONGEST))..).unwrap_or("");
    let line = head.get(head.rfind(['\n', ';']).map_or(0, |end| end + 1)..).unwrap_or("");
    ["match", "when", "switch"].iter().any(|word| line.split(|one| !is_name(one)).any(|own| own == *word))
}

/// The number of a field: `7`, `version: 7`, `ID = 2024_01_31`.
fn plain(field: &str) -> Option<u64> {
    if field.contains(['"', '\'', '`']) && !field.trim_start().starts_with(['"', '\'']) {
        return None;
    }
    digits(unlabelled(field))
}

/// The number that a text begins with in a field: `"0007_names"`, `id: '202401'`.
fn quoted(field: &str) -> Option<u64> {
    let value = unlabelled(field);
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
    let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
    let behind = inner.trim_start_matches(|one: char| one.is_ascii_digit());
    let is_number =
        inner.len() - behind.len() >= 2 && behind.chars().next().is_none_or(|one| "_-.".contains(one));
    file_number(inner).filter(|_| is_number || (behind.is_empty() && !inner.is_empty()))
}

/// The number by which a map has what stands behind: `7: f`, `7 => f`, `[7] = f`.
fn key(own: &str) -> Option<u64> {
    let own = own.strip_prefix('[').unwrap_or(own).trim_start();
    let end = own.find(|one: char| !one.is_ascii_digit() && one != '_')?;
    let (number, behind) = own.split_at_checked(end)?;
    let behind = behind.trim_start_matches([']', ' ']);
    let is_key = behind.starts_with("=>") || (behind.starts_with([':', '=']) && !behind.starts_with("=="));
    digits(number).filter(|_| is_key)
}

/// A field without its label: `version: 7`, `"version" => 7`, `.version = 7`.
pub(super) fn unlabelled(field: &str) -> &str {
    let field = field.trim();
    let behind = field.trim_start_matches(|one: char| is_name(one) || ".'\" ".contains(one));
    let value = behind.strip_prefix("=>").or_else(|| behind.strip_prefix([':', '=']));
    value.filter(|value| !value.starts_with(['=', ':'])).map_or(field, str::trim)
}

/// The label of a field.
fn label(field: &str) -> &str {
    let field = field.trim();
    field.strip_suffix(unlabelled(field)).unwrap_or("")
}

fn digits(text: &str) -> Option<u64> {
    let end = text.find(|one: char| !one.is_ascii_digit() && one != '_').unwrap_or(text.len());
    let (number, suffix) = text.split_at_checked(end)?;
    let is_whole = ["", "L", "l", "n", "u", "u32", "u64", "i32", "i64", "usize"].contains(&suffix);
    number
        .replace('_', "")
        .parse()
        .ok()
        .filter(|_| is_whole && number.starts_with(|first: char| first.is_ascii_digit()))
}

/// How a function is handed in by what stands on the lines in front of it: `@step(3)`, `@step(version=3)`, `#[step(3)]`.
pub(super) fn decorated(text: &str, at: usize) -> Option<Entry> {
    let from = text.floor_char_boundary(at.saturating_sub((DECORATORS + 1) * LONGEST));
    let near = text.get(from..at)?;
    let above = lines::lines_up(near, near.len()).skip(1).take(DECORATORS);
    let mut above = above.take_while(|line| line.text.starts_with(['@', '[']) && line.text.len() <= LONGEST);
    above.find_map(|line| {
        let open = line.text.find('(')?;
        let name = line.text.get(..open)?;
        let inside = lines::bracketed(line.text.get(open..)?)?;
        let fields = || inside.split(',').filter(|field| !calls::counts(label(field)));
        let number = fields().find_map(plain).or_else(|| fields().find_map(quoted))?;
        Some(Entry::kept(Door::Named(name.to_owned()), from + line.start, number))
            .filter(|_| !calls::counts(name))
    })
}

/// The name that ends a text, with what it belongs to: `registry.add`.
fn path(head: &str) -> &str {
    let start = head.trim_end_matches(|one| is_name(one) || matches!(one, '.' | ':')).len();
    head.get(start..).unwrap_or("").trim_start_matches([':', '.'])
}

fn is_name(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migration::levels::Walk;

    fn said(code: &str, is_name: bool) -> Option<String> {
        let (before, _) = code.split_once('§').unwrap();
        // Of texts, the code has the spaces alone.
        let blank: String = before
            .split('"')
            .enumerate()
            .map(|(at, part)| if at % 2 == 1 { " ".repeat(part.len() + 2) } else { part.to_owned() })
            .collect();
        let mut walk = Walk::through(blank);
        let levels = walk.levels(before.len());
        entry(&levels, (before, ""), is_name).map(|one| {
            let door = match one.door {
                Door::Named(name) => name,
                Door::List(_) => "list".to_owned(),
            };
            format!("{door} {}{}", one.number, if one.leads_back { " back" } else { "" })
        })
    }

    #[test]
    fn a_step_is_handed_in_with_a_number_or_in_its_turn() {
        for (code, is_name, wanted) in [
            ("func init() {\n\tRegister(12, §", true, Some("Register 12")),
            ("m.Add(&Step{ID: 7, Name: \"a, b\", Up: §", true, Some("m.Add 7")),
            ("reg.add({ version: 3, down: §", false, Some("reg.add 3 back")),
            ("reg.add({ id: \"0003_x\", up: (db) => { db.exec(§", false, Some("reg.add 3")),
            ("var all = []step{{1, one}, {2, §", true, Some("list 2")),
            ("var all = []func(*sql.Tx) error{one, §", true, Some("list 2")),
            ("const ALL: &[S] = &[one, two, §", true, Some("list 3")),
            ("all = [Step(\"first\", one), Step(\"second\", §", true, Some("list 2")),
            ("STEPS = {1: one, 2: §", true, Some("list 2")),
            ("x()\nSTEPS[3] = §", true, Some("STEPS[] 3")),
            ("steps[4] = (db) => {\n  db.exec(§", false, Some("steps[] 4")),
            ("import { one, two, §", true, None),
            ("switch (v) {\n 1 => one, 2 => run(§", false, None),
            ("retry(one, §", true, None),
            ("exec(db, §", false, None),
            ("retry(db, 3, §", true, None),
            ("timeout(500, () => db.exec(§", false, None),
            ("on({ priority: 3, run: §", true, None),
            ("on({ priority: 3, version: 4, run: §", true, Some("on 4")),
            ("log(\"2 things\", §", false, None),
        ] {
            assert_eq!(said(code, is_name).as_deref(), wanted, "{code}");
        }
    }

    #[test]
    fn a_decorator_has_the_number_of_its_function() {
        let of = |text: &str| decorated(text, text.len()).map(|one| (one.door, one.number));
        assert_eq!(of("\n@step(version=3)\ndef f"), Some((Door::Named("@step".to_owned()), 3)));
        assert_eq!(
            of("@cached\n@step(\"0012_a\")\nasync def f"),
            Some((Door::Named("@step".to_owned()), 12))
        );
        assert_eq!(of("step(3)\ndef f"), None);
    }

    #[test]
    fn names_that_lead_back_are_told() {
        for name in ["down", "downFlags", "flagsDown", "FLAGS_DOWN", "rollback_3", "Undo: f"] {
            assert!(leads_back(name), "{name}");
        }
        for name in ["countdown", "upFlags", "flags", "teardown_x"] {
            assert!(!leads_back(name), "{name}");
        }
    }
}
