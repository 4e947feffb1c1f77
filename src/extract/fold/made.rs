//! Lists that an expression makes of others: the keys of a dictionary, what a comprehension makes of each element, several one
//! behind the other, one element as often as another list is long. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, Spot,
    builders::beside,
    handed::Written,
    lists::{LIST, append, is_list_value, listed},
};
use crate::extract::{lexer::Kind, text::Text};
use rustc_hash::FxHashSet as HashSet;
use std::ops::Range;

/// The functions that make a list of all elements of a value.
const LISTS: [&str; 3] = ["list", "sorted", "tuple"];

/// The most elements that are written one by one.
const MOST: usize = 256;

/// The longest expression that is read, in tokens: it may stand within another, and so on.
const LONGEST: usize = 160;

/// The parameter of a lambda that is called, and what it is handed.
type Bound<'b> = Option<(&'b str, Written)>;

impl Folder<'_> {
    /// The list that an expression makes of others, where it does; `None` where not all elements are known.
    pub(super) fn made_list(&self, spot: Spot, range: Range<usize>) -> Option<Vec<Text>> {
        self.language(spot).filter(|language| language.comprehensions)?;
        self.made((spot, range), &None).map(|list| vec![list])
    }

    /// The keys of the dictionary that some tokens stand for.
    pub(super) fn keys_list(&self, spot: Spot, range: Range<usize>) -> Option<Vec<Text>> {
        self.language(spot).filter(|language| language.comprehensions)?;
        self.keys((spot, range), &None).map(|list| vec![list])
    }

    fn made(&self, (spot, range): Written, bound: &Bound<'_>) -> Option<Text> {
        let (start, end) = (range.start, range.end);
        let code =
            self.code(spot).filter(|_| spot.depth <= MAX_DEPTH && start < end && range.len() <= LONGEST)?;
        if let Some(each) = self.top_level(spot, range.clone(), |at| code.word(at) == "for") {
            return self.comprehended((spot, range), each, bound);
        }
        if let Some(sign) = self.top_level(spot, range.clone(), |at| code.is(at, b'+')) {
            let mut list = self.any_list((spot, start..sign), bound)?;
            append(&mut list, &self.any_list((spot, sign + 1..end), bound)?);
            return Some(list);
        }
        let close = if code.opens(start) { code.matching(start) } else { start };
        if code.is(start, b'[') {
            let within = start + 1..close;
            if close + 1 == end {
                self.top_level(spot, within.clone(), |at| code.word(at) == "for")?;
                return self.made((spot, within), bound);
            }
            return self.as_often((spot, within), close + 1..end, bound);
        }
        let open = start + 1;
        if code.is(open, b'(') && code.matching(open) + 1 == end && code.is_word(start) {
            let argument = (spot, open + 1..end - 1);
            if LISTS.contains(&code.word(start)) {
                return self.any_list(argument, bound);
            }
            let (name, body) = self.lambda(spot, start)?;
            return self.made((spot.deeper(), body), &Some((name, self.behind_bound(argument, bound))));
        }
        let dot = end.checked_sub(4).filter(|&dot| dot > start && code.is(dot, b'.'))?;
        let is_keys = code.word(dot + 1) == "keys" && code.is(dot + 2, b'(');
        if is_keys { self.keys((spot, start..dot), bound) } else { None }
    }

    /// A list that is made of others, written, named, or the keys of a dictionary.
    fn any_list(&self, (spot, range): Written, bound: &Bound<'_>) -> Option<Text> {
        if let Some(list) = self.made((spot, range.clone()), bound) {
            return Some(list);
        }
        let name = self.word(spot, range.start);
        let is_bound = bound.as_ref().is_some_and(|(bound, _)| *bound == name);
        let is_changed = || {
            let value = self.value_given(spot, name, range.start);
            value.is_some_and(|value| !self.is_kept(spot, range.start, value))
        };
        let lists = if is_bound || is_changed() { None } else { self.list_of(spot, range.start, range.end) };
        match lists.as_deref() {
            Some([only]) if is_list_value(only) => Some(only.clone()),
            Some(_) => None,
            None => self.keys((spot, range), bound),
        }
    }

    /// The tokens that a parameter stands for, where some are that.
    fn behind_bound(&self, (spot, range): Written, bound: &Bound<'_>) -> Written {
        let handed =
            bound.as_ref().filter(|(name, _)| range.len() == 1 && self.word(spot, range.start) == *name);
        handed.map_or_else(|| (spot, range), |(_, written)| written.clone())
    }

    /// What `element for name in list` makes of each, where the word stands at a token.
    fn comprehended(&self, (spot, range): Written, each: usize, bound: &Bound<'_>) -> Option<Text> {
        let is_in = |at: usize| self.word(spot, at) == "in";
        let between = self.top_level(spot, each + 1..range.end, is_in)?;
        let walked = between + 1..range.end;
        let chooses = |at: usize| matches!(self.word(spot, at), "if" | "for" | "else");
        if self.top_level(spot, walked.clone(), chooses).is_some() {
            return None;
        }
        let name = each + 1;
        let list = match between - name {
            1 => self.any_list((spot, walked), bound)?,
            // `for key, value in values.items()`
            3 => {
                let dot = walked.end.checked_sub(4).filter(|&dot| self.word(spot, dot + 1) == "items")?;
                self.keys((spot, walked.start..dot), bound)?
            }
            _ => return None,
        };
        let held = Spot { held: name as u32, ..spot };
        let (element, end) = self.chain(held, range.start);
        let [element] = element.as_slice() else { return None };
        (end == each).then_some(())?;
        let name = self.word(spot, name);
        Some(listed(elements_of(&list).map(|one| element.put_in(name, &one))))
    }

    /// `["?"] * len(list)`: the element between some brackets, as often as what stands behind them says.
    fn as_often(&self, (spot, element): Written, factor: Range<usize>, bound: &Bound<'_>) -> Option<Text> {
        let open = factor.start + 2;
        let is_length = self.is(spot, factor.start, b'*')
            && self.word(spot, factor.start + 1) == "len"
            && self.is(spot, open, b'(')
            && self.matching(spot, open) + 1 == factor.end;
        let counted =
            if is_length { self.any_list((spot, open + 1..factor.end - 1), bound)? } else { return None };
        let (value, end) = self.chain(spot, element.start);
        let [value] = value.as_slice() else { return None };
        (end == element.end).then(|| listed(elements_of(&counted).map(|_| value.clone())))
    }

    /// The keys of a dictionary: written there, named, or handed over by who calls the function.
    fn keys(&self, (spot, range): Written, bound: &Bound<'_>) -> Option<Text> {
        if spot.depth > MAX_DEPTH {
            return None;
        }
        let at = range.start;
        if self.is(spot, at, b'{') && self.matching(spot, at) + 1 == range.end {
            return self.written_keys(spot, at);
        }
        let name = self.word(spot, at);
        if range.len() != 1 || self.kind(spot, at) != Some(Kind::Word) {
            return None;
        }
        if let Some((_, (spot, range))) = bound.as_ref().filter(|(bound, _)| *bound == name) {
            return self.keys((spot.deeper(), range.clone()), &None);
        }
        if let Some(value) = self.value_given(spot, name, at) {
            let mut keys = self.is(spot, value, b'{').then(|| self.written_keys(spot, value)).flatten()?;
            self.is_kept(spot, at, value).then_some(())?;
            self.put_keys(spot, (name, self.matching(spot, value) + 1..at), &mut keys)?;
            return Some(keys);
        }
        if let Some((caller, range)) = self.argument_of(spot, name) {
            let mut keys = self.keys((caller, range), &None)?;
            keys.mark_handed();
            return Some(keys);
        }
        let (inner, value) = self.lookup_tree(spot, name, ("", &[]))?;
        self.is(inner, value, b'{').then(|| self.written_keys(inner, value)).flatten()
    }

    /// The keys of a dictionary that is written out.
    fn written_keys(&self, spot: Spot, open: usize) -> Option<Text> {
        let (entries, _) = self.arguments(spot, open);
        let key = |&(start, end): &(usize, usize)| {
            let is_entry = start + 2 < end && self.is(spot, start + 1, b':');
            (is_entry && self.kind(spot, start) == Some(Kind::Text))
                .then(|| self.literal(spot, start).pop())?
        };
        let keys: Option<Vec<Text>> = entries.iter().map(key).collect();
        keys.filter(|keys| keys.len() <= MOST).map(listed)
    }

    /// Whether the value that the function around gave a name last in front of a token is what it has there, but for
    /// `values["label"] = …` on the same way: nothing else is done with it than to read it.
    fn is_kept(&self, spot: Spot, at: usize, value: usize) -> bool {
        let name = self.word(spot, at);
        let function =
            self.units.get(spot.unit).and_then(|unit| unit.sketch.functions.get(spot.function as usize));
        let floor = function.map_or(0, |function| function.name as usize);
        let is_on_way = |place: usize| {
            let around = self.levels(spot, floor, at).zip(self.levels(spot, floor, place));
            around.and_then(|(around, levels)| beside(levels, &around)).is_some_and(|rest| rest.is_empty())
        };
        let is_read = |place: usize| {
            let (before, next) = (place.saturating_sub(1), place + 1);
            let asks = |word| matches!(word, "values" | "items" | "keys" | "get" | "copy");
            let is_asked = self.is(spot, next, b'.') && asks(self.word(spot, place + 2));
            let takes = |word| matches!(word, "len" | "list" | "tuple" | "sorted" | "join");
            let is_taken = self.is(spot, before, b'(') && takes(self.word(spot, before.saturating_sub(1)));
            let starts = || self.code(spot).is_some_and(|code| code.starts_statement(place));
            let is_put = self.is(spot, next, b'[') && starts() && is_on_way(place);
            is_asked || is_taken || is_put || self.word(spot, before) == "in"
        };
        let behind = self.code(spot).map_or(value, |code| code.behind(value));
        let is_whole = self.opens(spot, value) && matches!(self.kind(spot, behind), Some(Kind::Line) | None);
        is_whole && is_on_way(value) && self.places_of(spot, behind..at, name).all(is_read)
    }

    /// Puts the keys of `values["label"] = …` behind others; `None` where one is not known.
    fn put_keys(&self, spot: Spot, (name, range): (&str, Range<usize>), keys: &mut Text) -> Option<()> {
        let mut known: HashSet<String> = elements_of(keys).map(|one| one.as_str().to_owned()).collect();
        for at in self.places_of(spot, range, name) {
            let open = at + 1;
            let close = self.matching(spot, open);
            if !self.is(spot, open, b'[') || !self.assigns(spot, close + 1) {
                continue;
            }
            let is_text = close == open + 2 && self.kind(spot, open + 1) == Some(Kind::Text);
            let key = is_text.then(|| self.literal(spot, open + 1).pop()).flatten()?;
            if known.insert(key.as_str().to_owned()) {
                append(keys, &key);
            }
            if known.len() > MOST {
                return None;
            }
        }
        Some(())
    }

    /// The parameter and the body of the lambda that the name at a token stands for: `name = lambda one: …`.
    fn lambda(&self, spot: Spot, at: usize) -> Option<(&str, Range<usize>)> {
        let value = self.value_given(spot, self.word(spot, at), at)?;
        let is_one = self.word(spot, value) == "lambda" && self.is(spot, value + 2, b':');
        let body = value + 3;
        let end = if self.opens(spot, body) { self.matching(spot, body) + 1 } else { body };
        let is_whole = end > body && matches!(self.kind(spot, end), Some(Kind::Line) | None);
        (is_one && is_whole).then(|| (self.word(spot, value + 1), body..end))
    }

    /// Where the value stands that the function around gave a name last in front of a token.
    fn value_given(&self, spot: Spot, name: &str, at: usize) -> Option<usize> {
        let function = self.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let places = self.places_of(spot, self.body_of(spot).unwrap_or(function.name as usize)..at, name);
        // `store(values=values)` gives it nothing.
        let code = self.code(spot)?;
        let is_given = |one: &usize| code.assigns(one + 1) && code.starts_statement(*one);
        places.filter(is_given).last().map(|one| one + 2)
    }

    /// The first token of a range that is so, brackets left out.
    fn top_level(&self, spot: Spot, range: Range<usize>, is_so: impl Fn(usize) -> bool) -> Option<usize> {
        let code = self.code(spot)?;
        let mut at = range.start;
        while at < range.end {
            if is_so(at) {
                return Some(at);
            }
            at = code.behind(at);
        }
        None
    }
}

/// The elements of a list.
fn elements_of(list: &Text) -> impl Iterator<Item = Text> + '_ {
    let content = list.as_str();
    let starts = content.match_indices(LIST).map(|(at, _)| at + LIST.len_utf8());
    let ends = content.match_indices(LIST).skip(1).map(|(at, _)| at).chain([content.len()]);
    starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| list.part(start, end))
}
