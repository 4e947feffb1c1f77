//! Values: the texts that an expression can be, put together, and told from one another. Knows no tokens.

use super::MAX_VARIANTS;
use crate::extract::text::{HOLE, Text};

/// Which of sixteen texts, by the parity of the bits of their numbers under a mask, take the second side of a choice. Both parities of
/// a mask meet both of each other one and of each bit, equally often: an orthogonal array.
const MASKS: [usize; 11] = [3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15];

/// The pairs of texts of the left and of the right, by their numbers and in order. Where they are more than the variants that are
/// followed, each of either side is in one, the last of both are together, and no choice follows another: `written`, how long the
/// left is, differs from one to the next.
pub fn pairs(left: usize, right: usize, written: usize) -> Vec<(usize, usize)> {
    let all = (0..left).flat_map(|one| (0..right).map(move |other| (one, other)));
    if left.saturating_mul(right) <= MAX_VARIANTS {
        return all.collect();
    }
    let last = (left - 1, right - 1);
    let mask = MASKS.get(written % MASKS.len()).copied().unwrap_or(1);
    let mixed = (0..left).map(|at| (at, (at & mask).count_ones() as usize % right));
    // Of two sides the mask has both.
    let each = (if right > 2 { 0..right } else { 0..0 }).map(|at| (at % left, at));
    let mut chosen: Vec<(usize, usize)> = Vec::with_capacity(MAX_VARIANTS);
    for pair in std::iter::once(last).chain(each).chain(mixed).chain(all) {
        if chosen.len() == MAX_VARIANTS {
            break;
        }
        if !chosen.contains(&pair) {
            chosen.push(pair);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The pairs of some texts and of those that are put behind them, as [`pairs`], where parts of one value stay together.
pub fn partners<'t>(left: impl Iterator<Item = &'t Text>, right: &[Text]) -> Vec<(usize, usize)> {
    let left: Vec<&Text> = left.collect();
    let written = left.first().map_or(0, |text| text.as_str().len());
    let mut fitting: Vec<(usize, usize)> = Vec::new();
    if right.iter().any(Text::is_part) {
        let of = |(at, one): (usize, &&Text)| {
            let others = (0..).zip(right).filter(|(_, other)| one.goes_with(other));
            others.map(move |(other, _)| (at, other)).collect::<Vec<_>>()
        };
        fitting = left.iter().enumerate().flat_map(of).collect();
    }
    if fitting.is_empty() || fitting.len() == left.len() * right.len() {
        return pairs(left.len(), right.len(), written);
    }
    fitting.truncate(MAX_VARIANTS);
    fitting
}

/// Every text of the left with every text of the right, as far as the variants are followed.
pub fn product(mut left: Vec<Text>, right: &[Text]) -> Vec<Text> {
    if let [only] = right
        && !only.is_part()
    {
        for text in &mut left {
            text.append(only);
        }
        left.truncate(MAX_VARIANTS);
        return left;
    }
    let joined = partners(left.iter(), right).into_iter().filter_map(|(one, other)| {
        let mut text = left.get(one)?.clone();
        text.append(right.get(other)?);
        Some(text)
    });
    joined.collect()
}

/// Which of its values each name took that an expression joins: who names it twice gets the same twice.
pub struct Joined<'n> {
    names: Vec<&'n str>,
    /// Of each text, by the names; nothing is kept while each has one value.
    chosen: Vec<Vec<usize>>,
}

impl<'n> Joined<'n> {
    /// Begins with the values of a name, or of what has none.
    pub fn of(name: &'n str, value: &[Text]) -> Self {
        let names = if value.len() > 1 { vec![name] } else { Vec::new() };
        let chosen = if value.len() > 1 { (0..value.len()).map(|at| vec![at]).collect() } else { Vec::new() };
        Self { names, chosen }
    }

    /// Puts the values of a name behind some texts, or of what has none.
    pub fn product(&mut self, mut left: Vec<Text>, (name, right): (&'n str, &[Text])) -> Vec<Text> {
        if right.len() == 1 {
            return product(left, right);
        }
        if left.len() != self.chosen.len() {
            // Something else was made of them since.
            self.names.clear();
            self.chosen = vec![Vec::new(); left.len()];
        }
        if let Some(place) = self.names.iter().position(|one| *one == name && !name.is_empty()) {
            for (text, chosen) in left.iter_mut().zip(&self.chosen) {
                let at = chosen.get(place).copied().unwrap_or(0);
                right.get(at).or(right.first()).into_iter().for_each(|value| text.append(value));
            }
            return left;
        }
        self.names.push(name);
        let (mut texts, mut all) = (Vec::new(), Vec::new());
        for (one, at) in partners(left.iter(), right) {
            let (Some(text), Some(chosen), Some(value)) =
                (left.get(one), self.chosen.get(one), right.get(at))
            else {
                continue;
            };
            let mut text = text.clone();
            text.append(value);
            texts.push(text);
            all.push([chosen.as_slice(), &[at]].concat());
        }
        self.chosen = all;
        texts
    }
}

/// Whether nothing of a text is known.
pub fn is_only_hole(text: &Text) -> bool {
    !text.holes().is_empty() && text.as_str().chars().all(|character| character == HOLE)
}

/// Whether a text puts rows in a table of which the name is computed, or changes some there.
pub fn writes_anywhere(text: &Text) -> bool {
    let mut words = text.as_str().split_whitespace();
    words.any(|word| word.eq_ignore_ascii_case("into") || word.eq_ignore_ascii_case("update"))
        && words.next().is_some_and(|name| name.contains(HOLE))
}

/// Whether a name speaks of a list of placeholders.
pub fn is_list(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["placeholder", "repeat", "qmarks", "question_marks", "join", "implode"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Texts with the values of a name in the place of its holes.
pub(super) fn put_in(texts: &[Text], name: &str, values: &[Text]) -> Vec<Text> {
    let mut all: Vec<Text> = Vec::new();
    for text in texts {
        let room = MAX_VARIANTS.saturating_sub(all.len());
        if text.has_hole(name) {
            let is_any = !values.iter().any(|value| text.goes_with(value));
            let fitting = values.iter().filter(|value| is_any || text.goes_with(value));
            all.extend(fitting.take(room).map(|value| text.put_in(name, value)));
        } else if room > 0 {
            all.push(text.clone());
        }
    }
    all
}

/// Leaves out texts that are there already, and those above the variants that are followed.
pub fn distinct(texts: &mut Vec<Text>) {
    leave_twins_out(texts);
    texts.truncate(MAX_VARIANTS);
}

/// Leaves out texts that are there already.
pub fn leave_twins_out(texts: &mut Vec<Text>) {
    let mut at = 0;
    while at < texts.len() {
        let (before, rest) = texts.split_at_mut(at);
        let twin = rest.first().and_then(|one| {
            let known = before.iter_mut().find(|other| other.as_str() == one.as_str())?;
            known.stand_for(one);
            Some(())
        });
        if twin.is_some() {
            texts.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Whether a text is only commas and blanks, with or without values that are not known.
pub(super) fn is_separated(text: &Text, with_holes: bool) -> bool {
    let holes = text.holes().len();
    (with_holes || holes == 0)
        && text.as_str().chars().all(|one| one == ',' || one == HOLE || one.is_whitespace())
}

/// Whether what may be put to some texts is not known.
pub(super) fn opens(before: &[Text], after: &[Text]) -> bool {
    let holes = |texts: &[Text]| texts.iter().map(|text| text.holes().len()).max().unwrap_or(0);
    holes(after) > holes(before)
}
