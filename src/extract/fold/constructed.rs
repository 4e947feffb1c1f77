//! What the constructor of a type is handed for a field: `Store("ships")`, `super().__init__(table="ships")`, and `names["table"] =
//! "ships"` in the class of an heir that hands all it has on by name. An `impl` of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, MAX_VARIANTS, Spot, distinct, is_only_hole, lists::is_list_value};
use crate::extract::{
    lexer::Kind,
    sketch::{CallSketch, FunctionSketch, NOWHERE},
    text::Text,
};
use std::sync::PoisonError;

/// The most calls that are looked at.
const MOST: usize = 32;

impl Folder<'_> {
    /// The texts that calls and heirs hand to the parameter of a constructor whose name is the value at a token; `None` where that is
    /// none.
    pub(super) fn of_constructor(&self, spot: Spot, value: usize) -> Option<Vec<Text>> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let name = self.word(spot, value);
        let is_alone = matches!(self.kind(spot, value + 1), Some(Kind::Line) | None);
        let makes = self.called_as(spot, function) != self.word(spot, function.name as usize);
        self.parameter(spot, function, name).filter(|_| is_alone && makes && spot.depth < MAX_DEPTH)?;
        let known = self.known.unit(spot.unit)?;
        let read = || known.constructed.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = read().get(&(spot, value)).cloned();
        if let Some(texts) = seen {
            return texts;
        }
        let texts = self.handed_to_constructor(spot, function, name);
        read().insert((spot, value), texts.clone());
        texts
    }

    fn handed_to_constructor(&self, spot: Spot, function: &FunctionSketch, name: &str) -> Option<Vec<Text>> {
        let calls = self.calls_of(spot, function).into_iter().filter(|call| call.is_call);
        let here =
            calls.take(MOST).map(|call: &CallSketch| Spot { caller: call.name, from: NOWHERE, ..spot });
        let elsewhere = self.seen_from_elsewhere(spot, function, MOST);
        let handed: Vec<Option<Vec<Text>>> =
            here.chain(elsewhere).map(|one| self.handed(one, name)).collect();
        let heirs = self.heirs_of(spot, self.word(spot, function.owner as usize)).into_iter();
        let mut texts: Vec<Text> =
            heirs.flat_map(|(class, end)| self.named_within(class, end, name)).collect();
        // What an heir hands on as it came is what stands under that name.
        if texts.is_empty() && handed.iter().any(Option::is_none) {
            return None;
        }
        texts.extend(handed.into_iter().flatten().flatten());
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text) && text.holes().is_empty());
        texts.retain(|text| !text.as_str().is_empty());
        distinct(&mut texts);
        (!texts.is_empty() && texts.len() <= MAX_VARIANTS).then_some(texts)
    }

    /// The texts that stand under a name in the body of a class: `table="ships"` among what is handed over, `names["table"] = "ships"`.
    fn named_within(&self, class: Spot, (from, end): (usize, usize), name: &str) -> Vec<Text> {
        let Some(code) = self.code(class) else { return Vec::new() };
        let value = |at: usize| {
            let is_label = code.word(at) == name && code.assigns(at + 1) && !code.starts_statement(at);
            let is_key = code.kind(at) == Some(Kind::Text)
                && code.word(at).trim_matches(['"', '\'']) == name
                && code.is(at - 1, b'[')
                && code.is(at + 1, b']')
                && code.assigns(at + 2);
            if is_label { Some(at + 2) } else { is_key.then_some(at + 3) }
        };
        let values = (from.max(1)..end).filter_map(value);
        let texts = values.flat_map(|value| {
            let function = self.function_around(class.unit, value).map_or(NOWHERE, |(index, _)| index);
            self.chain(Spot { function, depth: class.depth + 2, ..class }, value).0
        });
        texts.collect()
    }
}
