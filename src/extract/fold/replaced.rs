//! Texts in which a call puts one separator in the place of another: `name = columns.replace(", ", "_")`. What stands for a word is
//! a marker, and those are replaced where the schema is known. An `impl` of [`Folder`], apart for its length.

use super::{Folded, Folder, Spot, is_only_hole, lists::is_list_value};
use crate::extract::{constants::REPLACES, lexer::Kind, text::Text};

/// The longest text that is made so, in bytes: what grows with every call soon fills the memory.
const LONGEST: usize = 1024;

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
        let (old, new) = (self.separator(spot, *old)?, self.separator(spot, *new)?);
        let is_known = |text: &Text| !is_only_hole(text) && !is_list_value(text);
        let is_word = old.as_str().contains(|one: char| one.is_alphanumeric() || one == '_');
        if is_word || old.as_str().is_empty() || texts.is_empty() || !texts.iter().all(is_known) {
            return None;
        }
        let is_short = |text: &Text| {
            let count = text.as_str().matches(old.as_str()).take(most + 1).count();
            count <= most && text.as_str().len() + count * new.as_str().len() <= LONGEST
        };
        let is_within = texts.iter().all(is_short);
        is_within.then(|| texts.iter().map(|text| text.replace(old.as_str(), &new)).collect())
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
