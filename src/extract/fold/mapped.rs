//! Lists that a closure makes of others, where it makes the same of each element, or one text of the first and another of those
//! behind: `names.map(() => "name = ?").join(" OR ")`. How many there are is not known: one, or more. An `impl` of [`Folder`], apart for
//! its length.

use super::{
    Folder, Spot, is_only_hole,
    lists::{is_list_value, listed},
};
use crate::extract::text::Text;

/// The most texts that an element can be.
const MOST: usize = 4;

/// The longest list of parameters of a closure, in tokens.
const LONGEST: usize = 12;

impl Folder<'_> {
    /// The lists that some tokens may make of another one; `between` is what stands between the elements. Where that is no word, it is of
    /// marks or of columns, of which so many are meant as something else has.
    pub(super) fn mapped(
        &self,
        spot: Spot,
        (start, end): (usize, usize),
        between: &[Text],
    ) -> Option<Vec<Text>> {
        let code = self.code(spot).filter(|code| code.language().arrows)?;
        let open =
            end.checked_sub(1).and_then(|close| code.opening(close)).filter(|&open| open > start + 1)?;
        let (arguments, _) = self.arguments(spot, open);
        let &[(closure, _)] = arguments.as_slice() else { return None };
        if self.word(spot, open - 1) != "map" || !self.is(spot, open - 2, b'.') {
            return None;
        }
        let head = code.behind(closure);
        let is_arrow = self.is(spot, head, b'=') && self.is(spot, head + 1, b'>');
        let body = Some(head + 2).filter(|&body| is_arrow && !self.is(spot, body, b'{'))?;
        if let Some((first, rest)) = self.first_and_rest(spot, closure..head, body) {
            return lists(&first, &rest);
        }
        let is_word = |text: &Text| text.as_str().contains(|one: char| one.is_alphabetic());
        let all = self.chain(spot.deeper(), body).0;
        let is_known = all.iter().all(|text| text.holes().is_empty() && is_word(text));
        (is_known && between.iter().all(is_word)).then(|| pairs_of(&all)).flatten()
    }

    /// What is made of the first element, and of those behind: `(_, place) => place === 0 ? "…" : "…"`, `place > 0 ? "…" : "…"`.
    fn first_and_rest(
        &self,
        spot: Spot,
        parameters: std::ops::Range<usize>,
        body: usize,
    ) -> Option<(Vec<Text>, Vec<Text>)> {
        let comma = parameters.clone().take(LONGEST).find(|&at| self.is(spot, at, b','))?;
        let is_place =
            parameters.contains(&(comma + 1)) && self.word(spot, comma + 1) == self.word(spot, body);
        let ask = (body..body + 6).find(|&at| self.is(spot, at, b'?'))?;
        let condition: Vec<&str> = (body + 1..ask).map(|at| self.word(spot, at)).collect();
        let is_first = matches!(condition.as_slice(), ["=", "=", "0"] | ["=", "=", "=", "0"]);
        if !is_place || !(is_first || condition == [">", "0"]) {
            return None;
        }
        let (yes, colon) = self.chain(spot.deeper(), ask + 1);
        let no = self.is(spot, colon, b':').then(|| self.chain(spot.deeper(), colon + 1).0)?;
        Some(if is_first { (yes, no) } else { (no, yes) })
    }
}

/// Each text alone, and twice.
fn pairs_of(all: &[Text]) -> Option<Vec<Text>> {
    let twice = all.iter().filter_map(|one| lists(std::slice::from_ref(one), std::slice::from_ref(one)));
    let found: Vec<Text> = twice.take(MOST).flatten().collect();
    (!found.is_empty()).then_some(found)
}

/// Lists of a first text alone, and with one behind.
fn lists(first: &[Text], rest: &[Text]) -> Option<Vec<Text>> {
    let is_text = |text: &&Text| !text.as_str().is_empty() && !is_only_hole(text) && !is_list_value(text);
    let first: Vec<&Text> = first.iter().filter(is_text).take(MOST).collect();
    let rest = rest.iter().filter(is_text).take(MOST);
    let more: Vec<Text> = rest.flat_map(|one| first.iter().map(move |head| listed([*head, one]))).collect();
    let is_known = !first.is_empty() && !more.is_empty();
    is_known.then(|| first.iter().map(|one| listed([*one])).chain(more).collect())
}
