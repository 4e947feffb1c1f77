//! What a value that may be missing is turned into, by a closure or without one: each is a variant. An `impl` of [`Folder`], apart
//! for its length.

use super::{Folder, MAX_DEPTH, MAX_VARIANTS, Spot, is_only_hole};
use crate::extract::{lexer::Kind, text::Text};

impl Folder<'_> {
    /// The texts of `map_or_else(|| "", |name| format!("… {name}"))`, and of `name.unwrap_or("…")`, by the method's name;
    /// `None` for other methods, and where no text is known. `value` is what it is called of.
    pub(super) fn of_option(&self, spot: Spot, method: usize, value: &[Text]) -> Option<Vec<Text>> {
        let name = self.word(spot, method);
        let is_lazy = matches!(name, "map_or_else" | "unwrap_or_else");
        let is_mapped = matches!(name, "map_or" | "map_or_else");
        let is_unwrapped = matches!(name, "unwrap_or" | "unwrap_or_else");
        if !(is_mapped || is_unwrapped) || spot.depth > MAX_DEPTH || !self.language(spot)?.block_values {
            return None;
        }
        let (arguments, _) = self.arguments(spot, method + 1);
        let &(without, _) = arguments.first()?;
        let inner = spot.deeper();
        let mut texts = if is_lazy { self.closure(inner, without) } else { self.chain(inner, without).0 };
        if is_mapped {
            texts.extend(self.closure(inner, arguments.get(1)?.0));
        } else if value.iter().all(is_only_hole) {
            // In the place of a name another one stands for all; of a clause it does not.
            let is_bare = method > 1 && self.kind(spot, method - 2) == Some(Kind::Word);
            let is_name = |text: &Text| {
                let name = text.as_str();
                let is_part = |one: char| one.is_alphanumeric() || one == '_';
                !name.is_empty() && name.chars().all(is_part) && !["true", "false", "1"].contains(&name)
            };
            texts.retain(|text| is_bare && is_name(text));
        } else {
            texts.extend_from_slice(value);
        }
        texts.retain(|text| !is_only_hole(text));
        texts.truncate(MAX_VARIANTS);
        (!texts.is_empty()).then_some(texts)
    }

    /// What a closure gives back: `|name| value`, `|| { …; value }`, or `String::new`.
    fn closure(&self, spot: Spot, at: usize) -> Vec<Text> {
        let at = at + usize::from(self.word(spot, at) == "move");
        if !self.is(spot, at, b'|') {
            let is_new =
                self.word(spot, at) == "String" && matches!(self.word(spot, at + 3), "new" | "default");
            return if is_new { vec![Text::default()] } else { Vec::new() };
        }
        let close = (at + 1..at + 16).find(|&close| self.is(spot, close, b'|'));
        match close.map(|close| close + 1) {
            Some(body) if self.is(spot, body, b'{') => self.block(spot, body),
            Some(body) => self.chain(spot, body).0,
            None => Vec::new(),
        }
    }
}
