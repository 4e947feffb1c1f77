//! Texts in which a call puts one separator in the place of another: `name = columns.replace(", ", "_")`, or a name in the place of a
//! marker: `CREATE.replace("{table}", "ships")`. A marker for which no text is known is replaced where the schema is. An `impl` of
//! [`Folder`], apart for its length.

use super::{Folded, Folder, Spot, is_only_hole, lists::is_list_value};
use crate::extract::{
    constants::{REPLACES, is_marker},
    lexer::Kind,
    sketch::FunctionSketch,
    text::Text,
};

/// The longest text that is made so, in bytes: what grows with every call soon fills the memory. One with markers is a template.
const LONGEST: usize = 1024;
const LONGEST_TEMPLATE: usize = 16_384;

/// The most tokens of a function that does little but replace.
const LONGEST_HELPER: usize = 120;

/// The most places in a text that are replaced.
const MOST: usize = 64;

impl Folder<'_> {
    /// What a method that is called behind the dot at a token makes of a text.
    pub(super) fn replacing_method(&self, spot: Spot, value: &[Text], dot: usize) -> Option<Folded> {
        let (name, open) = (dot + 1, dot + 2);
        if !REPLACES.contains(&self.word(spot, name)) {
            return None;
        }
        let (arguments, close) = self.arguments(spot, open);
        let is_package = self.language(spot)?.receivers && self.word(spot, dot.checked_sub(1)?) == "strings";
        // `strings.ReplaceAll(columns, ", ", "_")`
        let (of, rest) = if is_package {
            let (&(start, _), rest) = arguments.split_first()?;
            (&*self.chain(spot, start).0, rest)
        } else {
            (value, &*arguments)
        };
        let most = if self.replaces_all(spot, name, rest) { MOST } else { 1 };
        let texts = self.replaced(spot, of, rest, most)?;
        Some((texts, close + 1))
    }

    /// What `str_replace(", ", "_", $columns)` gives back.
    pub(super) fn replacing_call(&self, spot: Spot, name: &str, open: usize) -> Option<Vec<Text>> {
        if name != "str_replace" {
            return None;
        }
        let (arguments, _) = self.arguments(spot, open);
        let &(start, _) = arguments.get(2)?;
        self.replaced(spot, &self.chain(spot, start).0, &arguments, MOST)
    }

    /// Whether a method replaces each match, as far as its name and its arguments tell.
    fn replaces_all(&self, spot: Spot, name: usize, arguments: &[(usize, usize)]) -> bool {
        let word = self.word(spot, name);
        let is_first = word == "replace" && self.language(spot).is_some_and(|one| one.name == "JavaScript");
        match arguments {
            _ if word == "replacen" => false,
            // `/, /g` asks for all of them.
            [(start, _), _] if is_first => {
                let flags = self.word(spot, *start).rsplit_once('/').map_or("", |(_, flags)| flags);
                self.kind(spot, *start) == Some(Kind::Atom) && flags.contains('g')
            }
            [_, _] => true,
            // What stands behind may be a count, and of these one means all.
            [_, _, (count, end)] => {
                count + 2 == *end && self.is(spot, *count, b'-') && self.word(spot, count + 1) == "1"
            }
            _ => false,
        }
    }

    /// Whether a name at a token is a template that a call fills which is no format: `NAME.replace("{table}", …)`, or what begins at
    /// `start`, `text(NAME, …)`, of a function that replaces; `None` where that begins with a call that does something else.
    pub(in crate::extract) fn is_template(&self, spot: Spot, (start, at): (usize, usize)) -> Option<bool> {
        let code = self.code(spot)?;
        let call = code.around(at).next().and_then(|open| open.checked_sub(1)).filter(|&name| name >= start);
        let Some(name) = call else {
            return Some(code.is(at + 1, b'.') && REPLACES.contains(&code.word(at + 2)));
        };
        let word = code.word(name);
        if code.language().formats.iter().any(|format| !format.bang && format.name == word) {
            return Some(false);
        }
        let is_package = || code.language().receivers && REPLACES.contains(&word);
        let is_helper = || {
            let ((unit, index), one) = self.called(spot, name, word)?;
            self.replaces_within(Spot::at(unit, index), one).then_some(true)
        };
        if is_package() { Some(true) } else { is_helper() }
    }

    /// Whether a short function calls what replaces texts.
    pub(super) fn replaces_within(&self, spot: Spot, function: &FunctionSketch) -> bool {
        let (from, end) = (function.name as usize, function.end as usize);
        end.saturating_sub(from) <= LONGEST_HELPER
            && (from..end).any(|at| self.is(spot, at + 1, b'(') && REPLACES.contains(&self.word(spot, at)))
    }

    /// Texts with the second of two arguments in the place of the first, where that is no word and does not stand there more often
    /// than is replaced.
    fn replaced(
        &self,
        spot: Spot,
        texts: &[Text],
        arguments: &[(usize, usize)],
        most: usize,
    ) -> Option<Vec<Text>> {
        let [old, new, ..] = arguments else { return None };
        let old = self.separator(spot, *old)?;
        let is_known = |text: &Text| !is_only_hole(text) && !is_list_value(text);
        if old.as_str().is_empty() || texts.is_empty() || !texts.iter().all(is_known) {
            return None;
        }
        let is_word = old.as_str().contains(|one: char| one.is_alphanumeric() || one == '_');
        let (new, longest) = if !is_word {
            (self.separator(spot, *new)?, LONGEST)
        } else if !is_marker(old.as_str()) {
            return None;
        } else if !texts.iter().any(|text| text.as_str().contains(old.as_str())) {
            return Some(texts.to_vec());
        } else {
            (self.put_for_marker(spot, *new)?, LONGEST_TEMPLATE)
        };
        let is_short = |text: &Text| {
            let count = text.as_str().matches(old.as_str()).take(most + 1).count();
            count <= most && text.as_str().len() + count * new.as_str().len() <= longest
        };
        let is_within = texts.iter().all(is_short);
        is_within.then(|| texts.iter().map(|text| text.replace(old.as_str(), &new)).collect())
    }

    /// What is put in the place of a marker: one text, or what callers of the function around hand to it.
    fn put_for_marker(&self, spot: Spot, (start, end): (usize, usize)) -> Option<Text> {
        let (texts, next) = self.chain(spot, self.behind_label(spot, start));
        let is_one = texts.len() == 1 && next == end;
        let is_told = |text: &Text| {
            !is_list_value(text) && text.holes().iter().all(|hole| self.taken(spot, &hole.name).is_some())
        };
        texts.into_iter().next().filter(|text| is_one && is_told(text))
    }

    /// The one text that an argument is, with its label or without, or that its regular expression finds: `/, /g`.
    fn separator(&self, spot: Spot, (start, end): (usize, usize)) -> Option<Text> {
        let start = self.behind_label(spot, start);
        if self.kind(spot, start) == Some(Kind::Atom) && start + 1 == end {
            let (inner, _) = self.word(spot, start).strip_prefix('/')?.rsplit_once('/')?;
            let is_plain = inner.chars().all(|one| one.is_alphanumeric() || " ,_-".contains(one));
            return is_plain.then(|| self.exactly(inner, spot, start));
        }
        let (texts, next) = self.chain(spot, start);
        let is_one = texts.len() == 1 && next == end;
        texts.into_iter().next().filter(|text| is_one && text.holes().is_empty())
    }
}
