//! Macros of C that are called beside literals, where no function can be: `"… DEFAULT " STRING(PORT) ", …"`. What one makes is known
//! where its file says that it quotes what it is handed. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot};
use crate::extract::{lexer::Kind, text::Text};
use rustc_hash::FxHashMap as HashMap;

impl Folder<'_> {
    /// Whether a macro is called between literals, or behind one.
    pub(super) fn is_macro_call(&self, spot: Spot, at: usize) -> bool {
        let is_followed = || self.kind(spot, self.matching(spot, at + 1) + 1) == Some(Kind::Text);
        self.language(spot).is_some_and(|language| language.declares.contains(&"define"))
            && self.kind(spot, at) == Some(Kind::Word)
            && self.is(spot, at + 1, b'(')
            && (self.is_macro(spot, at) || is_followed())
    }

    /// What the macro called at a token makes of one word or number: `#define STRING(x) #x`, or by way of another one, which gets the
    /// value of the word.
    pub(super) fn quoting(&self, spot: Spot, at: usize) -> Option<Vec<Text>> {
        let argument = at + 2;
        if !self.is(spot, argument + 1, b')') {
            return None;
        }
        let quotes_value = self.quotes_value(spot, self.word(spot, at))?;
        let value = || self.value_of(spot.deeper(), self.word(spot, argument), argument);
        let exact = || vec![self.exactly(self.word(spot, argument), spot, argument)];
        match self.kind(spot, argument)? {
            Kind::Word if quotes_value => value(),
            Kind::Word | Kind::Atom => Some(exact()),
            _ => None,
        }
    }

    /// Whether the macro of a name, as its file declares it, quotes the value of what it is handed, and not the word; `None` where it
    /// quotes nothing.
    fn quotes_value(&self, spot: Spot, name: &str) -> Option<bool> {
        let (parameter, body) = self.defined(spot, name)?;
        if self.is(spot, body, b'#') {
            return (self.word(spot, body + 1) == parameter).then_some(false);
        }
        let hands_on = self.is(spot, body + 1, b'(') && self.word(spot, body + 2) == parameter;
        let (inner, body) = self.defined(spot, self.word(spot, body)).filter(|_| hands_on)?;
        (self.is(spot, body, b'#') && self.word(spot, body + 1) == inner).then_some(true)
    }

    /// The only parameter of a macro, and the first token of its body.
    fn defined(&self, spot: Spot, name: &str) -> Option<(&str, usize)> {
        let at = *self.known.unit(spot.unit)?.defines.get_or_init(|| self.defines(spot)).get(name)? as usize;
        Some((self.word(spot, at + 2), at + 4))
    }

    /// The macros of one parameter, each where it is first declared.
    fn defines(&self, spot: Spot) -> HashMap<String, u32> {
        let mut found = HashMap::default();
        for at in self.places_of(spot, 0..self.tokens(spot).len(), "define") {
            let name = at + 1;
            if self.is(spot, name + 3, b')') {
                found.entry(self.word(spot, name).to_owned()).or_insert(name as u32);
            }
        }
        found
    }
}
