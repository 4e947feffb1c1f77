//! Elements of lists that are written out: what a loop gives to a name one by one, and what stands at a place. An `impl` of
//! [`Folder`], apart for its length.

use super::{
    Folder, MAX_DEPTH, MAX_VARIANTS, Spot, distinct, is_only_hole,
    lists::{LIST, is_list_value},
};
use crate::extract::{lexer::Kind, text::Text};

impl Folder<'_> {
    /// The texts that a name has in a loop around a token, one in each turn.
    pub(super) fn looped(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        self.heads_around(spot, at).find_map(|head| {
            head.names.clone().any(|at| self.word(spot, at) == name).then_some(())?;
            self.each(spot.deeper(), head.list)
        })
    }

    /// The elements of the list at a token, written there or named.
    fn each(&self, spot: Spot, at: usize) -> Option<Vec<Text>> {
        if spot.depth > MAX_DEPTH {
            return None;
        }
        let lists =
            self.tuple(spot, at).or_else(|| self.list_at(spot, at)).or_else(|| self.named_list(spot, at));
        elements(&lists?, None)
    }

    /// `("a", "b")` in Python.
    fn tuple(&self, spot: Spot, at: usize) -> Option<Vec<Text>> {
        let is_tuple = self.is(spot, at, b'(') && self.language(spot)?.indented;
        let (ranges, _) = self.arguments(spot, at);
        (is_tuple && ranges.len() > 1).then(|| {
            let one = |&(start, _): &(usize, usize)| self.chain(spot, start).0;
            ranges.iter().flat_map(one).collect()
        })
    }

    /// The list that the name at a token stands for, where nothing is made of it.
    fn named_list(&self, spot: Spot, at: usize) -> Option<Vec<Text>> {
        let at = if self.is(spot, at, b'$') || self.is(spot, at, b'&') { at + 1 } else { at };
        let name = self.word(spot, at);
        let goes_on = self.is(spot, at + 1, b'.') || self.is(spot, at + 1, b'(');
        if self.kind(spot, at) != Some(Kind::Word) || goes_on || self.is_held(spot, name) {
            return None;
        }
        self.local(spot, name, at).or_else(|| self.distant_list(spot, name))
    }

    /// What stands in a list at the place between brackets, which one of them opens: each element where that is not known.
    pub(super) fn element(&self, spot: Spot, open: usize) -> Option<Vec<Text>> {
        let close = self.matching(spot, open);
        let is_slice = close == open + 1 || (open..close).any(|at| self.is(spot, at, b':'));
        if is_slice || spot.depth > MAX_DEPTH {
            return None;
        }
        if close == open + 2 && self.kind(spot, open + 1) == Some(Kind::Text) {
            return self.member_by_key(spot, open);
        }
        let number = self.word(spot, open + 1).parse().ok().filter(|_| close == open + 2);
        if let Some(texts) = number.and_then(|number| self.turned_part(spot, open, number)) {
            return Some(texts);
        }
        let lists = self.named_list_in_front(spot.deeper(), open)?;
        elements(&lists, number)
    }

    /// Whether the value that a brace opens is that of a variable declared as an array: `char *names[] =`, `String[] names =`,
    /// `std::vector<QString> names =`.
    pub(super) fn gives_array(&self, spot: Spot, open: usize) -> bool {
        let Some(last) = open.checked_sub(2).filter(|_| self.is(spot, open - 1, b'=')) else { return false };
        let before = |at: usize| at.checked_sub(1);
        if self.is(spot, last, b']') {
            let within =
                |at: usize| (at..last).all(|next| !b"[]".iter().any(|&sign| self.is(spot, next, sign)));
            let opened = (last.saturating_sub(4)..last).find(|&at| self.is(spot, at, b'[') && within(at + 1));
            let front = opened.and_then(before).and_then(before);
            return front
                .is_some_and(|at| self.kind(spot, at) == Some(Kind::Word) || self.is(spot, at, b'*'));
        }
        let is_array = |at: usize| {
            self.is(spot, at, b']') || self.is(spot, at, b'>') || self.word(spot, at).ends_with("List")
        };
        self.kind(spot, last) == Some(Kind::Word) && before(last).is_some_and(is_array)
    }

    fn named_list_in_front(&self, spot: Spot, open: usize) -> Option<Vec<Text>> {
        let name = open.checked_sub(1).filter(|&name| self.kind(spot, name) == Some(Kind::Word))?;
        let word = self.word(spot, name);
        if self.is_held(spot, word) {
            return None;
        }
        let lists = self.local(spot, word, name).or_else(|| self.distant_list(spot, word))?;
        lists.iter().all(is_list_value).then_some(lists)
    }
}

/// The elements of lists, or the one at a place; `None` where some are not known. Which of them a text has, what is around
/// it decides.
fn elements(lists: &[Text], number: Option<usize>) -> Option<Vec<Text>> {
    let mut found = Vec::new();
    for list in lists {
        let content = list.as_str();
        let marks: Vec<usize> = content.match_indices(LIST).map(|(at, _)| at).collect();
        if marks.is_empty() {
            found.push(list.clone());
            continue;
        }
        let ends = marks.iter().skip(1).copied().chain([content.len()]);
        let ranges = marks.iter().map(|at| at + LIST.len_utf8()).zip(ends);
        let wanted = ranges.enumerate().filter(|(at, _)| number.is_none_or(|number| number == *at));
        found.extend(wanted.map(|(_, (start, end))| list.part(start, end)));
    }
    distinct(&mut found);
    let is_text = |text: &Text| !text.as_str().is_empty() && !is_only_hole(text);
    if found.is_empty() || found.len() > MAX_VARIANTS || !found.iter().all(is_text) {
        return None;
    }
    if found.len() > 1 {
        found.iter_mut().for_each(Text::mark_handed);
    }
    Some(found)
}
