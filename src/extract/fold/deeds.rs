//! What code does to names: gives them a value, puts more text behind it, or one more element. By the shape of tokens;
//! whether the name stands for text is for who asks. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, Spot,
    lent::Writers,
    objects::Objects,
    parts::{Part, apart},
};
use crate::extract::{code::Code, lexer::Kind, sketch::Binding};
use std::ops::Range;

/// What is done to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    /// It is given a value.
    Gives,
    /// Its value is put behind.
    Appends,
    /// What its value leaves open is put in.
    Fills,
    /// A formatted text is put behind: the value is the call.
    Writes,
    /// An element is put behind.
    Adds,
    /// An element is put in front.
    Leads,
    /// A parameter is put behind.
    Binds,
    /// A list of what is not known is put behind.
    Lists,
    /// The values of rows are put behind.
    Values,
    /// It is handed to a call that may change it: something may be put behind.
    Lends,
}

/// One deed.
#[derive(Debug, Clone, Copy)]
pub struct Deed {
    /// The token of the name.
    pub(super) name: u32,
    /// Where it is done: of a chain of calls, each its own.
    pub(super) at: u32,
    /// The first token of the value.
    pub(super) value: u32,
    /// What is done.
    pub(super) does: Does,
    /// Whether the name is new here.
    pub(super) declares: bool,
    /// The function that it is done in, where the walk told.
    pub(super) function: Option<u32>,
    /// Which part of the value the name stands for.
    pub(super) part: Part,
}

impl Folder<'_> {
    /// The deeds of a range of tokens, in order.
    pub(super) fn deeds(&self, unit: usize, range: Range<usize>) -> &[Deed] {
        let Some(known) = self.known.unit(unit) else { return &[] };
        let all = known.deeds.get_or_init(|| {
            let code = self.code(Spot::at(unit, crate::extract::sketch::NOWHERE));
            let bindings = self.units.get(unit).map_or(&[][..], |unit| &unit.sketch.bindings);
            code.map_or_else(Vec::new, |code| read(code, bindings))
        });
        let place = |at: usize| all.partition_point(|deed| (deed.at as usize) < at);
        all.get(place(range.start)..place(range.end)).unwrap_or(&[])
    }
}

/// All deeds of a file.
fn read(code: Code<'_>, bindings: &[Binding]) -> Vec<Deed> {
    let mut all = Vec::new();
    for binding in bindings {
        let name = binding.name as usize;
        let (value, declares) = (binding.value as usize, code.declares_name(name));
        let from = all.len();
        match code.names_before(name) {
            Some(first) => together(code, first, name, value, declares, &mut all),
            None => all.push(deed((name, name), value, Does::Gives, declares)),
        }
        all.iter_mut().skip(from).for_each(|deed| deed.function = Some(binding.function));
    }
    let (objects, writers) = (Objects::of(code), Writers::of(code));
    for (at, pair) in code.tokens().windows(2).enumerate() {
        let [token, next] = pair else { continue };
        if token.kind == Kind::Word && next.kind == Kind::Sign {
            word(code, at, (next.form, &objects, &writers), &mut all);
        }
        if token.kind == Kind::Word {
            let names = code.declared_empty(at);
            all.extend(names.into_iter().map(|name| deed((name, name), at, Does::Gives, true)));
        }
    }
    all.sort_by_key(|deed| deed.at);
    // The walk may know an assignment already.
    all.dedup_by_key(|deed| (deed.at, deed.value));
    all
}

pub(super) fn deed((name, at): (usize, usize), value: usize, does: Does, declares: bool) -> Deed {
    Deed {
        name: name as u32,
        at: at as u32,
        value: value as u32,
        does,
        declares,
        function: None,
        part: Part::Whole,
    }
}

/// Whether a language has values side by side without brackets around them.
pub(super) fn has_bare_values(code: Code<'_>) -> bool {
    let language = code.language();
    language.receivers || language.indented || language.commands
}

/// `a, b := x, y`: each name with its own value.
fn together(code: Code<'_>, first: usize, last: usize, value: usize, declares: bool, all: &mut Vec<Deed>) {
    let mut at = value;
    let mut name = first;
    while name <= last {
        all.push(deed((name, name), at, Does::Gives, declares));
        let end = code.length().min(at + 200);
        while at < end && !code.is(at, b',') && !code.closes(at) && code.kind(at) != Some(Kind::Line) {
            at = code.behind(at);
        }
        // One value for all of them is taken apart.
        if name == first && name < last && at < end && !code.is(at, b',') && has_bare_values(code) {
            all.pop();
            let names = (first..=last).step_by(2).enumerate();
            all.extend(names.map(|(place, name)| {
                let part = Part::At(place as u16);
                Deed { part, ..deed((name, name), value, Does::Gives, declares) }
            }));
            return;
        }
        if name < last && !code.is(at, b',') {
            all.truncate(all.len() - (name - first) / 2 - 1);
            return;
        }
        at += 1;
        name += 2;
    }
}

/// The bracket behind a comma that the last name of a pattern has behind it, past what is left: `{ clause, .. }`; else the comma.
fn behind_rest(code: Code<'_>, comma: usize) -> usize {
    let is_left = code.is(comma + 1, b'.') && code.is(comma + 2, b'.');
    let close = if is_left { comma + 3 } else { comma + 1 };
    if b")]}".iter().any(|&sign| code.is(close, sign)) { close } else { comma }
}

/// What is done to the name at a token, or by the call that it names; `next` is the sign behind it.
fn word<'a>(
    code: Code<'a>,
    at: usize,
    (next, objects, writers): (u8, &Objects<'a>, &Writers<'a>),
    all: &mut Vec<Deed>,
) {
    let language = code.language();
    let is_method = at.checked_sub(1).is_some_and(|before| code.is(before, b'.'));
    let close = if next == b',' { behind_rest(code, at + 1) } else { at + 1 };
    if (close > at + 1 || b")]}".contains(&next)) && b"=:".iter().any(|&sign| code.is(close + 1, sign)) {
        apart(code, close, all);
    }
    match next {
        sign if sign == language.joins && code.assigns(at + 2) => {
            all.push(deed((at, at), at + 3, Does::Appends, false));
        }
        b'+' if code.is(at + 2, b'=') => all.push(deed((at, at), at + 3, Does::Appends, false)),
        b'%' if language.percent_operator && code.assigns(at + 2) => {
            all.push(deed((at, at), at + 3, Does::Fills, false));
        }
        b'<' if language.streams
            && code.is(at + 2, b'<')
            && touches(code, at + 1)
            && (!language.typed || objects.holds(code, at)) =>
        {
            streamed(code, at, all);
        }
        // `name | condition = … | otherwise = …`
        b'|' if language.has_layout() && code.starts_statement(at) => {
            all.push(deed((at, at), at + 1, Does::Gives, false));
        }
        b'.' if objects.built(code, at, all) => {}
        b'.' if language.joins != b'.' => methods(code, at, all),
        b'[' if code.is(at + 2, b']') && code.assigns(at + 3) => {
            all.push(deed((at, at), at + 4, Does::Adds, false));
        }
        b'(' | b'{' if language.streams && constructs_text(code, at) => {
            all.push(deed((at, at), at + 2, Does::Gives, true));
        }
        b'(' | b'!' => called(code, at, is_method, all),
        b',' | b')' if is_lent(code, at) || writers.take(code, at) => {
            all.push(deed((at, at), at, Does::Lends, false));
        }
        // `clause, values = build(…)`
        b'=' | b':'
            if at > 1
                && code.is(at - 1, b',')
                && has_bare_values(code)
                && code.assigns(at + 1 + usize::from(next == b':')) =>
        {
            let value = at + 2 + usize::from(next == b':');
            if let Some(first) = code.names_before(at) {
                together(code, first, at, value, code.declares_name(at), all);
            }
        }
        // `command.CommandText = "…"` and `sql = sql + "…"` are no bindings.
        b'=' if !code.is(at + 2, b'=')
            && ((is_method && language.typed) || code.word(at + 2) == code.word(at)) =>
        {
            all.push(deed((at, at), at + 2, Does::Gives, false));
        }
        _ => {}
    }
}

/// Whether a text is declared with what its constructor is given: `std::string sql("…")`, `QString sql{"…" + name}`.
fn constructs_text(code: Code<'_>, at: usize) -> bool {
    let is_text = |at: usize| code.word(at).to_ascii_lowercase().ends_with("string");
    let declares = at.checked_sub(1).is_some_and(is_text) && code.around(at).next().is_some();
    let (arguments, _) = if declares { code.arguments(at + 1) } else { Default::default() };
    let [(start, end)] = arguments.as_slice() else { return false };
    (*start..*end).any(|at| code.kind(at) == Some(Kind::Text))
}

/// Whether a name is handed to a function so that this can change it: `add_order(&mut sql)`, `addOrder(&sql)`.
fn is_lent(code: Code<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let mutable = code.word(before) == "mut";
    let Some(sign) = before.checked_sub(usize::from(mutable)).filter(|&sign| code.is(sign, b'&')) else {
        return false;
    };
    let starts = sign.checked_sub(1).is_some_and(|first| code.is(first, b'(') || code.is(first, b','));
    starts && (mutable || code.language().receivers) && lender(code, at).is_some()
}

/// The name of the function that the name at a token is handed to, where that is not one which puts text there that is read.
pub(super) fn lender(code: Code<'_>, at: usize) -> Option<usize> {
    let open = code.around(at).next().filter(|&open| code.is(open, b'('))?;
    let name = open.checked_sub(1).filter(|&name| code.is_word(name))?;
    (!code.language().writes.contains(&code.word(name))).then_some(name)
}

/// Whether a sign stands right in front of the next.
fn touches(code: Code<'_>, at: usize) -> bool {
    let place = |at: usize| code.tokens().get(at);
    place(at).map(|token| token.end) == place(at + 1).map(|token| token.start)
}

/// `name << a << b`
fn streamed(code: Code<'_>, name: usize, all: &mut Vec<Deed>) {
    let mut at = name + 1;
    while code.is(at, b'<') && code.is(at + 1, b'<') {
        let does = Does::Appends;
        all.push(deed((name, at), at + 2, does, false));
        at += 2;
        let end = code.length().min(at + 60);
        while at < end && !code.is(at, b'<') && !code.is(at, b';') && !code.closes(at) {
            if code.kind(at) == Some(Kind::Line) {
                return;
            }
            at = code.behind(at);
        }
    }
}

/// `name.append(a).append(b)`
fn methods(code: Code<'_>, name: usize, all: &mut Vec<Deed>) {
    let language = code.language();
    let mut at = name + 2;
    while code.is_word(at) && code.is(at + 1, b'(') {
        let word = code.word(at);
        let formats = || language.formats.iter().any(|format| !format.bang && format.name == word);
        if language.appends.contains(&word) {
            let (does, value) = if formats() { (Does::Writes, at) } else { (Does::Appends, at + 2) };
            if !code.closes(at + 2) {
                all.push(deed((name, at), value, does, false));
            }
        } else if language.streams && word == "str" && code.kind(at + 2) == Some(Kind::Text) {
            // `sql.str("")` empties a stream.
            all.push(deed((name, at), at + 2, Does::Gives, false));
        } else if !elements(code, name, at, all) {
            return;
        }
        at = code.matching(at + 1) + 1;
        if !code.is(at, b'.') {
            return;
        }
        at += 1;
    }
}

/// `name.push(a, b)`, `name.unshift(a)`, `name.insert(0, a)`; whether the method puts elements into a list.
fn elements(code: Code<'_>, name: usize, at: usize, all: &mut Vec<Deed>) -> bool {
    let (language, word) = (code.language(), code.word(at));
    let (pushes, leads) = (language.pushes.contains(&word), language.leads.contains(&word));
    let (arguments, _) = code.arguments(at + 1);
    let values: Vec<usize> = arguments.iter().map(|&(start, _)| start).collect();
    match values.as_slice() {
        &[place, value] if code.kind(place) == Some(Kind::Atom) && (pushes || word == "insert") => {
            let does = if code.word(place) == "0" { Does::Leads } else { Does::Adds };
            all.push(deed((name, at), value, does, false));
        }
        _ if pushes => {
            // `text.push(' ')`
            let does = |value| if code.is_character(value) { Does::Appends } else { Does::Adds };
            all.extend(values.into_iter().map(|value| deed((name, at), value, does(value), false)));
        }
        // The last of them is put there first.
        _ if leads => {
            let values = values.into_iter().rev();
            all.extend(values.map(|value| deed((name, at), value, Does::Leads, false)));
        }
        _ => return false,
    }
    true
}

/// `write!(name, "…")`, `append(name, value)`
fn called(code: Code<'_>, at: usize, is_method: bool, all: &mut Vec<Deed>) {
    let language = code.language();
    let word = code.word(at);
    let open = if code.is(at + 1, b'!') { at + 2 } else { at + 1 };
    let (writes, pushes) = (language.writes.contains(&word), !is_method && language.pushes.contains(&word));
    if !(writes || pushes) || !code.is(open, b'(') {
        return;
    }
    let (arguments, _) = code.arguments(open);
    let Some(&(start, end)) = arguments.first() else { return };
    let Some(name) = end.checked_sub(1).filter(|&name| name >= start && code.is_word(name)) else { return };
    if writes {
        all.push(deed((name, at), at, Does::Writes, false));
        return;
    }
    for &(value, _) in arguments.iter().skip(1) {
        all.push(deed((name, value), value, Does::Adds, false));
    }
}

impl Code<'_> {
    /// Whether the name at a token is declared there, so that it hides what had that name before.
    fn declares_name(&self, name: usize) -> bool {
        let Some(before) = name.checked_sub(1) else { return false };
        let language = self.language();
        let word = self.word(before);
        let walrus = language.receivers && self.is(name + 1, b':');
        let typed = language.typed
            && (self.is_word(before) && !matches!(word, "return" | "else")
                || b">]*&".iter().any(|&sign| self.is(before, sign)));
        walrus || typed || language.declares.contains(&word) || word == "mut"
    }

    /// Whether a statement starts at a token.
    pub(super) fn starts_statement(&self, at: usize) -> bool {
        at.checked_sub(1).is_none_or(|before| {
            self.kind(before).is_none_or(|kind| kind == Kind::Line)
                || b";{}".iter().any(|&sign| self.is(before, sign))
        }) || (self.by_lines() && self.is_on_new_line(at))
    }

    /// The first of the names that are given values together, where the one at a token is the last.
    fn names_before(&self, last: usize) -> Option<usize> {
        let mut first = last;
        while first > 1 && self.is(first - 1, b',') && self.is_word(first - 2) {
            first -= 2;
        }
        let before = first.checked_sub(1).map_or("", |before| self.word(before));
        let starts = self.starts_statement(first)
            || self.language().declares.contains(&before)
            || matches!(before, "if" | "for" | "switch");
        (first < last && starts && !self.language().typed).then_some(first)
    }
}
