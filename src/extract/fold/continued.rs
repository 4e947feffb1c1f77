//! Texts that are only the beginning of what is run, though the function that has them puts nothing behind: they are kept in a
//! field, or handed to a function, which put more behind. An `impl` of [`Folder`], apart for its length.

use super::{
    Folded, Folder, Spot,
    deeds::{Deed, Does},
    is_only_hole,
};
use crate::extract::{
    code::Code,
    lexer::Kind,
    sketch::NOWHERE,
    sql::{self, Looks},
    text::{Pieces, Text},
};
use crate::source::folder_of;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The longest piece that is looked through, in tokens.
const LONGEST_PIECE: usize = 40;

/// What is done with the fields of a folder, by their names.
#[derive(Default)]
pub(super) struct Fields {
    /// Behind these is put what a query goes on with.
    behind: HashSet<String>,
    /// These are put into texts that go on.
    pieces: HashSet<String>,
    /// These are run as they are.
    run: HashSet<String>,
}

impl Folder<'_> {
    /// The expression that starts at a token, as [`chain`](Self::chain) evaluates it; where parentheses hold nothing else, with
    /// what stands behind them: `("SELECT " "…") % value`.
    pub fn grouped(&self, spot: Spot, start: usize) -> Folded {
        let (mut value, mut next) = self.chain(spot, start);
        let mut at = start;
        let is_group = |open: usize| {
            let before = open.checked_sub(1);
            let is_sign = |before| b"(,=".iter().any(|&sign| self.is(spot, before, sign));
            before.is_none_or(|before| is_sign(before) || self.word(spot, before) == "return")
        };
        while let Some(open) = at.checked_sub(1)
            && self.is(spot, open, b'(')
            && self.matching(spot, open) == next
            && is_group(open)
        {
            at = open;
            let behind = self.postfix(spot, open, value, next + 1);
            (value, next) = self.chain_behind((spot, open), behind.0, behind.1);
        }
        (value, next)
    }

    /// Whether the function around gives its parameter another value than what it is handed with more behind it, a default among them.
    pub(in crate::extract) fn is_given_anew(&self, spot: Spot, at: usize) -> bool {
        let name = self.word(spot, at);
        let functions = self.units.get(spot.unit).map(|unit| &unit.sketch.functions);
        let floor =
            functions.and_then(|all| all.get(spot.function as usize)).map_or(0, |one| one.name as usize);
        let deeds = self.deeds_of(spot, name, floor, at);
        deeds.iter().any(|deed| deed.does == Does::Gives && self.word(spot, deed.value as usize) != name)
    }

    /// The name of the function around, which no other function has, where it runs or gives back what stands at a token, and hands its
    /// parameter, as it is, to nobody.
    pub(in crate::extract) fn name_of_taker(&self, spot: Spot, at: usize, parameter: &str) -> Option<&str> {
        let (code, language) = (self.code(spot)?, self.language(spot)?);
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let name = self.word(spot, function.name as usize);
        let called = |at: usize| {
            code.around(at).next().and_then(|open| open.checked_sub(1)).map_or("", |name| code.word(name))
        };
        let is_back = at.checked_sub(1).is_some_and(|before| code.word(before) == "return");
        let is_run = is_back || language.sink(called(at)).is_some();
        // Without what is put on only sometimes.
        let least = Spot { pieces: Pieces::No, ..spot };
        let is_alone = |one: usize| {
            self.local(least, code.word(at), one).is_none_or(|texts| texts.iter().all(is_only_hole))
        };
        let signs = |at: usize, signs: &[u8]| signs.iter().any(|&sign| code.is(at, sign));
        // What is read there without a clause is read everywhere.
        let is_read = code.word(at) == parameter && signs(at + 1, b"),;") && is_alone(at);
        let is_bare = |one: usize| {
            one != at
                && code.word(one) == parameter
                && signs(one - 1, b"(,")
                && signs(one + 1, b"),")
                && is_alone(one)
        };
        let mut body = self.body_of(spot).unwrap_or(at)..function.end as usize;
        (is_run && self.functions_of(name).len() == 1 && (is_read || !body.any(is_bare))).then_some(name)
    }

    /// The parameter behind which what starts at a token always puts more: `f"{query} LIMIT 5"`.
    pub(in crate::extract) fn parameter_in_front(&self, spot: Spot, at: usize) -> Option<String> {
        let text = self.chain(Spot { pieces: Pieces::No, ..spot }, at).0.into_iter().next()?;
        let first = text.holes().first().filter(|hole| hole.at == 0)?;
        let goes_on = text.as_str().contains(char::is_alphabetic);
        (goes_on && self.taken(spot, &first.name).is_some()).then(|| first.name.clone())
    }

    /// What a caller hands to a parameter that more is put behind first; a hole where none is looked at.
    pub(super) fn begun_by_caller(&self, spot: Spot, name: &str, first: &Deed) -> Option<Vec<Text>> {
        let value = first.value as usize;
        let goes_on = match first.does {
            Does::Appends => true,
            Does::Gives => !first.declares && self.word(spot, value) == name,
            _ => false,
        };
        self.taken(spot, name).filter(|_| goes_on)?;
        // A builder that is handed over is empty.
        let held = Spot { held: first.name, ..spot };
        if self.chain(held, value).0.iter().any(|text| sql::looks(text.as_str()) != Looks::No) {
            return None;
        }
        Some(self.handed(spot, name).unwrap_or_else(|| vec![self.hole(spot, value, name, false)]))
    }

    /// Whether others go on with the text that the expression at a token puts into a field.
    pub(in crate::extract) fn is_continued(&self, spot: Spot, start: usize) -> bool {
        self.deed_at(spot, start).is_some_and(|deed| self.goes_on_elsewhere(spot, &deed))
    }

    /// Whether others go on with what is put into a field.
    pub(super) fn goes_on_elsewhere(&self, spot: Spot, deed: &Deed) -> bool {
        let (Some(code), Some(unit)) = (self.code(spot), self.units.get(spot.unit)) else { return false };
        let Some(fields) = self.fields_by_folder().get(folder_of(self.sources.path(unit.source))) else {
            return false;
        };
        let (name, word) = (deed.name as usize, code.word(deed.name as usize));
        match deed.does {
            Does::Appends | Does::Writes => is_member(code, name) && fields.behind.contains(word),
            Does::Gives if !deed.declares => {
                let is_piece = fields.pieces.contains(word) && !fields.run.contains(word);
                is_piece && (is_member(code, name) || (code.language().typed && !self.is_own(spot, name)))
            }
            _ => false,
        }
    }

    /// Leaves texts open at their end that read whole tables, so far.
    pub(in crate::extract) fn leave_open(&self, spot: Spot, at: usize, texts: &mut [Text]) {
        for text in texts {
            let lower = text.as_str().trim_start().to_ascii_lowercase();
            if lower.starts_with("select") && !lower.contains("where") {
                let mut tail = self.hole(spot, at, self.word(spot, at), false);
                tail.mark_needed();
                text.append(&tail);
            }
        }
    }

    /// Whether a name is a parameter of the function around, or declared in it in front of a token.
    fn is_own(&self, spot: Spot, name: usize) -> bool {
        let unit = self.units.get(spot.unit);
        let Some(function) = unit.and_then(|unit| unit.sketch.functions.get(spot.function as usize)) else {
            return true;
        };
        let word = self.word(spot, name);
        let is_typed = |at: usize| {
            self.kind(spot, at) == Some(Kind::Word) && !matches!(self.word(spot, at), "return" | "else")
                || b">&*".iter().any(|&sign| self.is(spot, at, sign))
        };
        self.parameter(spot, function, word).is_some()
            || (function.name as usize + 1..name).any(|at| self.word(spot, at) == word && is_typed(at - 1))
    }

    fn fields_by_folder(&self) -> &HashMap<String, Fields> {
        self.fields.get_or_init(|| {
            let mut all: HashMap<String, Fields> = HashMap::default();
            for (index, unit) in self.units.iter().enumerate().filter(|(_, unit)| !unit.is_test) {
                let language = unit.language;
                let puts = !language.appends.is_empty() || language.typed;
                if puts && let Some(code) = self.code(Spot::at(index, NOWHERE)) {
                    let folder = folder_of(self.sources.path(unit.source));
                    read(code, all.entry(folder.to_owned()).or_default());
                }
            }
            all
        })
    }
}

/// Whether the name at a token is that of a field: `query.text`, `this->text`.
fn is_member(code: Code<'_>, name: usize) -> bool {
    name.checked_sub(2).is_some_and(|before| {
        code.is(before + 1, b'.') || (code.is(before + 1, b'>') && code.is(before, b'-'))
    })
}

/// Reads what a file does with fields.
fn read(code: Code<'_>, fields: &mut Fields) {
    let language = code.language();
    // How often more is put behind a name, and what.
    let mut targets: HashMap<&str, usize> = HashMap::default();
    let mut pieces: Vec<(&str, &str)> = Vec::new();
    for (at, token) in code.tokens_in(0..code.length()) {
        if token.kind != Kind::Word {
            continue;
        }
        let (name, value) = if code.is(at + 1, language.joins) && code.assigns(at + 2) {
            (at, at + 3)
        } else if code.is(at + 1, b'(') && at > 1 && code.is(at - 1, b'.') && code.is_word(at - 2) {
            if !language.appends.contains(&code.word(at)) {
                continue;
            }
            (at - 2, at + 2)
        } else {
            let is_first = at > 1 && code.is(at - 1, b'(') && b",)".iter().any(|&sign| code.is(at + 1, sign));
            if is_first && language.sink(code.word(at - 2)).is_some() {
                fields.run.insert(code.word(at).to_owned());
            }
            continue;
        };
        let target = code.word(name);
        *targets.entry(target).or_default() += 1;
        if is_member(code, name) && goes_on(code, value) {
            fields.behind.insert(target.to_owned());
        }
        pieces.extend(named_pieces(code, value).into_iter().map(|piece| (target, piece)));
    }
    let more = pieces.into_iter().filter(|(target, _)| targets.get(target).is_some_and(|&count| count > 1));
    fields.pieces.extend(more.map(|(_, piece)| piece.to_owned()));
}

/// Whether the literal at a token is what a query goes on with.
fn goes_on(code: Code<'_>, at: usize) -> bool {
    let Some(token) = code.tokens().get(at).filter(|token| token.kind == Kind::Text) else { return false };
    sql::begins_clause(code.word(at).get(token.open as usize..).unwrap_or(""))
}

/// The names that the expression at a token stands for: `name`, `this.name`, `empty ? name : "…"`.
fn named_pieces(code: Code<'_>, value: usize) -> Vec<&str> {
    let is_choice = |at: usize| code.is(at, b'?') || code.is(at, b':');
    let ends = |at: usize| {
        code.is(at, b';') || code.closes(at) || (at > value && code.by_lines() && code.is_on_new_line(at))
    };
    let mut found = Vec::new();
    let mut at = value;
    while at < value + LONGEST_PIECE && !ends(at) {
        let starts = at == value || is_choice(at - 1) || is_member(code, at);
        if code.is_word(at) && starts && (is_choice(at + 1) || ends(at + 1)) {
            found.push(code.word(at));
        }
        at = code.behind(at);
    }
    found
}
