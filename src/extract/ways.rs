//! The ways in which an expression comes to be a text: with its optional pieces and without them, and for each caller of the
//! function around.

use super::{
    fold::{Folder, MAX_VARIANTS, Spot, distinct, leave_twins_out, writes_anywhere},
    sql::{key, makes_schema},
    text::{Choice, Pieces, Text, Wanted},
};

/// The most choices of a text of which each is tried alone, how many of them are, some of these the last, and the longest text for which that is done.
const MOST_CHOICES: usize = 64;
const MOST_ALONE: usize = 12;
const MOST_LAST: usize = 2;
const LONGEST: usize = 16_384;

/// The most tables that a helper is followed into.
const MOST_FILLED: usize = 64;

/// The texts that an expression can be, whoever calls the function around, and the token behind it; `None` where it is a
/// piece of another text, or says what another does.
pub(super) fn all_ways(folder: &Folder<'_>, spot: Spot, start: usize) -> Option<(Vec<Text>, usize)> {
    if folder.is_label(spot, start) {
        return None;
    }
    let (texts, end) = ways(folder, spot, start)?;
    // A helper fills as many tables as call it.
    let is_filling = texts.iter().any(writes_anywhere);
    let most = if is_filling { MOST_FILLED } else { MAX_VARIANTS };
    let mut seen = folder.callers(spot, &texts, most);
    if seen.is_empty() {
        seen = folder.in_own_turns(spot, start, &texts);
    }
    let is_called = !seen.is_empty();
    // Of callers in other files, more may be there than are seen; and they may name other tables than those of its own.
    let is_open = seen.iter().any(|one| one.is_from_elsewhere())
        || (is_called && is_filling && folder.is_called_elsewhere(spot));
    let mut each: Vec<_> = Vec::new();
    for seen in seen {
        each.push(ways(folder, seen, start)?.0.into_iter());
    }
    let mut all = some_of_each(each);
    if is_open {
        // That there are more stays known, however many are.
        leave_twins_out(&mut all);
        all.truncate(most.saturating_sub(texts.len()).max(MAX_VARIANTS / 2));
        all.extend(texts);
        // What a caller hands on that is not known is not nothing.
        all.iter_mut().for_each(Text::mark_made);
    } else if !is_called {
        all = texts;
        if !all.iter().all(Text::is_handed) {
            return Some((all, end));
        }
    }
    leave_twins_out(&mut all);
    all.truncate(if is_called { most } else { MAX_VARIANTS });
    // What makes schema is run by each of the callers, and in each turn of a loop.
    if all.len() > 1 && all.iter().all(|text| makes_schema(text.as_str())) {
        leave_doubted_out(&mut all);
        let mut one = Text::default();
        for text in &all {
            one.append(text);
            let last = text.as_str().len().saturating_sub(1);
            if let Some((source, offset)) = text.locate(last as u32) {
                one.push_at(";", source, offset);
            }
        }
        all = vec![one];
    }
    Some((all, end))
}

/// The texts of several, in turns, for only so many are kept.
fn some_of_each(mut each: Vec<std::vec::IntoIter<Text>>) -> Vec<Text> {
    let mut all = Vec::new();
    while each.iter().any(|texts| texts.len() > 0) {
        all.extend(each.iter_mut().filter_map(Iterator::next));
    }
    all
}

/// Leaves out the unique index where whether it is one is not known: no claim is made of rows that need not hold.
fn leave_doubted_out(all: &mut Vec<Text>) {
    let keys: Vec<String> = all.iter().map(|text| key(text.as_str())).collect();
    all.retain(|text| {
        let own = key(text.as_str());
        let plain = own.strip_prefix("create unique index").map(|rest| format!("create index{rest}"));
        plain.is_none_or(|plain| !keys.contains(&plain))
    });
}

/// The text with all of its pieces, the one without those that are put on only sometimes, and those with what one choice alone
/// puts on.
fn ways(folder: &Folder<'_>, spot: Spot, start: usize) -> Option<(Vec<Text>, usize)> {
    let (texts, end) = folder.grouped(spot, start);
    let mut texts = folder.whole(spot, (start, end), texts)?;
    folder.go_on_in_call(spot, (start, end), &mut texts);
    folder.fill_in_call(spot, (start, end), &mut texts);
    let mut choices: Vec<Choice> = texts.iter().flat_map(Text::choices).copied().collect();
    choices.sort_unstable();
    choices.dedup();
    if choices.is_empty() {
        return Some((texts, end));
    }
    let with = |pieces: Pieces| {
        let spot = Spot { pieces, ..spot };
        folder.whole(spot, (start, end), folder.grouped(spot, start).0)
    };
    if let Some(filters) = folder.filters(spot).filter(|_| choices.len() <= MOST_CHOICES) {
        let (unit, function) = (spot.unit as u32, spot.function);
        let sets = 0..filters.sets.len() as u16;
        let wanted = sets.filter_map(|set| with(Pieces::Wanted(Wanted { unit, function, set }))).flatten();
        let mut wanted: Vec<Text> = wanted.collect();
        distinct(&mut wanted);
        if !filters.is_open && !wanted.is_empty() && wanted.iter().all(|text| text.choices().is_empty()) {
            return Some((wanted, end));
        }
        // What is surely run is told before what may be.
        texts.splice(0..0, wanted);
    }
    let without = with(Pieces::No)?;
    let is_left_whole = |text: &Text| makes_schema(text.as_str()) || text.as_str().len() > LONGEST;
    if (2..=MOST_CHOICES).contains(&choices.len()) && !texts.iter().chain(&without).any(is_left_whole) {
        // What is put on last, as a LIMIT is, says most about a plan.
        let last = choices.len().min(MOST_LAST);
        let (first, last) = choices.split_at(choices.len() - last);
        let tried = first.iter().take(MOST_ALONE - MOST_LAST).chain(last);
        let alone = tried.map(|&choice| {
            let mut alone = with(Pieces::Of(choice)).unwrap_or_default();
            alone.iter_mut().for_each(Text::mark_alone);
            alone
        });
        let mut alone: Vec<Vec<Text>> = alone.collect();
        if texts.len() + without.len() + alone.iter().map(Vec::len).sum::<usize>() > MAX_VARIANTS {
            // With all and with none of them are told before each alone.
            alone.extend([without, texts]);
            alone.reverse();
            texts = some_of_each(alone.into_iter().map(Vec::into_iter).collect());
        } else {
            texts.extend(without);
            texts.extend(alone.into_iter().flatten());
        }
        distinct(&mut texts);
    } else {
        texts.extend(without);
    }
    Some((texts, end))
}
