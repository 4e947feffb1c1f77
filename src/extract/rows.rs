//! What rows of a list say about their statements: `{ CREATE_BOATS, "create table boats" }`. Which member of a row is run, the code
//! tells that walks over them; what it only prints is no SQL, however it begins. Knows the structs of the same file alone.

use super::{Found, code::Code, fold::Folder, lexer::Kind, sketch::Candidate};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// How far back the start of a statement is sought, in tokens.
const LONGEST: usize = 60;

/// The most tokens of a struct that are read.
const LONGEST_STRUCT: usize = 400;

/// Leaves out the members of rows that are only printed, where another member of the same row is run.
pub(super) fn leave_printed_out(folder: &Folder<'_>, found: &mut Vec<Found>) {
    let mut known: HashMap<u32, Members<'_>> = HashMap::default();
    found.retain(|one| {
        let Some(unit) = folder.units.get(one.unit as usize) else { return true };
        if !(unit.language.typed && unit.language.streams) || one.candidate.is_named {
            return true;
        }
        let code = Code::new(folder.sources, unit);
        let Some(row) = Row::around(code, &one.candidate) else { return true };
        let members = known.entry(one.unit).or_insert_with(|| Members::of(code));
        !members.is_printed(code, &row)
    });
}

/// A row of a list: the name of its type, or the brace that declares one without, and the members that stand in it.
struct Row<'a> {
    of: &'a str,
    declared: Option<usize>,
    values: Vec<(usize, usize)>,
    /// The place of the text among them.
    own: usize,
}

impl<'a> Row<'a> {
    /// The row that a text is a member of: `const struct step steps[] = { { …, … }, … }`.
    fn around(code: Code<'a>, candidate: &Candidate) -> Option<Self> {
        let at = candidate.start as usize;
        let mut around = code.around(at);
        let row = around.next().filter(|&open| code.is(open, b'{'))?;
        let list = around.next().filter(|&open| code.is(open, b'{'))?;
        let close = list.checked_sub(2).filter(|&close| code.is(list - 1, b'=') && code.is(close, b']'))?;
        let of = code.opening(close)?.checked_sub(2)?;
        let declared = if code.is(of, b'}') { code.opening(of) } else { None };
        let (values, _) = code.arguments(row);
        let own = values.iter().position(|&(start, end)| (start..end).contains(&at))?;
        Some(Self { of: code.word(of), declared, values, own })
    }
}

/// The members of the structs of a file.
struct Members<'a> {
    /// By the name of the struct, in order.
    of: HashMap<&'a str, Vec<&'a str>>,
    run: HashSet<&'a str>,
    /// Those with which anything else is done than to print them.
    used: HashSet<&'a str>,
}

impl<'a> Members<'a> {
    fn of(code: Code<'a>) -> Self {
        let mut of: HashMap<&str, Vec<&str>> = HashMap::default();
        let (mut run, mut used) = (HashSet::default(), HashSet::default());
        for at in (0..code.length()).filter(|&at| code.is_word(at)) {
            if code.word(at) == "struct" {
                of.extend(declared(code, at));
            }
            if code.receiver(at).is_some() || is_of_element(code, at) {
                let open = code.around(at).next().filter(|&open| code.is(open, b'('));
                let called = open.and_then(|open| open.checked_sub(1)).map_or("", |name| code.word(name));
                if code.language().sink(called).is_some() {
                    run.insert(code.word(at));
                } else if !is_told(code, at) {
                    used.insert(code.word(at));
                }
            }
        }
        Self { of, run, used }
    }

    /// Whether the text of a row is only printed, and another member is run.
    fn is_printed(&self, code: Code<'a>, row: &Row<'_>) -> bool {
        let unnamed = row.declared.and_then(|open| members_in(code, open));
        let Some(members) = unnamed.as_ref().or_else(|| self.of.get(row.of)) else { return false };
        let member = |place: usize| {
            let (start, _) = *row.values.get(place)?;
            // `.sql = "…"`
            let name = if code.is(start, b'.') { Some(code.word(start + 1)) } else { None };
            name.or_else(|| members.get(place).copied())
        };
        let is_run = |place: usize| member(place).is_some_and(|name| self.run.contains(name));
        let is_other =
            member(row.own).is_some_and(|name| !self.run.contains(name) && !self.used.contains(name));
        is_other && (0..row.values.len()).any(is_run)
    }
}

/// `steps[i].sql`
fn is_of_element(code: Code<'_>, at: usize) -> bool {
    at > 1 && code.is(at - 1, b'.') && code.is(at - 2, b']')
}

/// Whether a text stands in front of a token in its statement, or what writes to a stream.
fn is_told(code: Code<'_>, at: usize) -> bool {
    let ends = |at: &usize| b";{}".iter().any(|&sign| code.is(*at, sign));
    let mut before = (at.saturating_sub(LONGEST)..at).rev().take_while(|at| !ends(at));
    before.any(|at| code.kind(at) == Some(Kind::Text) || (code.is(at, b'<') && code.is(at + 1, b'<')))
}

/// The name of the struct that is declared at a token, and those of its members: `struct step { const char *sql; const char *what; }`,
/// `typedef struct { … } step`.
fn declared(code: Code<'_>, at: usize) -> Option<(&str, Vec<&str>)> {
    let open = (at + 1..at + 3).find(|&open| code.is(open, b'{'))?;
    let close = code.matching(open);
    let is_typedef = at.checked_sub(1).is_some_and(|before| code.word(before) == "typedef");
    let name = if is_typedef { close + 1 } else { open - 1 };
    (code.is_word(name) && name != at).then_some(())?;
    Some((code.word(name), members_in(code, open)?))
}

/// The names of the members that are declared in braces.
fn members_in(code: Code<'_>, open: usize) -> Option<Vec<&str>> {
    let close = code.matching(open);
    if close - open > LONGEST_STRUCT {
        return None;
    }
    let (mut members, mut next) = (Vec::new(), open + 1);
    while next < close {
        let ends = code.is(next, b';') || code.is(next, b',');
        if ends && !code.is(next - 1, b'}') {
            // `char name[20];`
            let last = if code.is(next - 1, b']') { code.opening(next - 1)? } else { next };
            members.push(code.word(last - 1));
        }
        next = code.behind(next);
    }
    Some(members)
}
