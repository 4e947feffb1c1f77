//! Which shapes of columns may please the CHECKs of a table, one after the other: which columns stand beside others, and
//! which have no value together. Knows no values; SQLite says which shapes it lets in.

use super::data::{Shape, Shapes};
use super::literals::Checks;
use super::model::TableModel;
use super::uses::At;
use crate::schema::{Table, same, tokens::Tokens};

/// The most combinations of one kind that are tried.
const TRIES: usize = 600;
/// Of so many columns, all sets are tried without a value.
const MOST_EMPTY: u32 = 9;

/// For each column that a CHECK compares with another one, the first of those that does not lead back to it.
pub(super) fn held(table: &Table, checks: &Checks<'_>) -> Vec<(usize, usize, i64)> {
    let number = |name: &str| table.columns.iter().position(|one| one.name.eq_ignore_ascii_case(name));
    let mut found: Vec<(usize, usize, i64)> = Vec::new();
    for (one, other, more) in checks.compared() {
        let (Some(one), Some(other)) = (number(&one), number(&other)) else { continue };
        let holder = |at: usize| found.iter().find(|pair| pair.1 == at).map(|pair| pair.0);
        let is_free = |from: usize, to: usize| {
            holder(to).is_none() && std::iter::successors(Some(from), |at| holder(*at)).all(|at| at != to)
        };
        // What is equal to a key of another table takes its value from there.
        if more != 0 && is_free(one, other) {
            found.push((one, other, more));
        } else if is_free(other, one) {
            found.push((other, one, -more));
        }
    }
    found
}

/// The shapes to try, beside those that are known: first each column beside the one that is below it, then the choices that
/// each column has, and last any of the columns that a CHECK names without a value.
pub(super) fn attempts<'a>(
    (index, table): (usize, &TableModel),
    choices: &'a [(At, Vec<Option<Shape>>)],
    known: &'a Shapes,
) -> impl Iterator<Item = Shapes> + 'a {
    let mut beside = known.clone();
    for &(one, other, more) in &table.held {
        beside.0.insert((index, other), Shape::Beside((index, one), more));
    }
    let is_held = !table.held.is_empty();
    let bases = move || is_held.then(|| beside.clone()).into_iter().chain(std::iter::once(known.clone()));
    let plain = std::iter::once(known.clone()).chain(bases.clone()());
    let empty: Vec<At> = (0..)
        .zip(&table.columns)
        .filter(|(_, column)| column.is_checked && column.can_be_null && !column.is_computed)
        .map(|(number, _)| (index, number))
        .take(MOST_EMPTY as usize)
        .collect();
    let total = choices.iter().try_fold(1_usize, |all, (_, some)| all.checked_mul(some.len()));
    let chosen = bases.clone()().flat_map(move |base| {
        (0..total.unwrap_or(TRIES).min(TRIES)).map(move |number| with_choices(&base, choices, number))
    });
    let emptied = bases().flat_map(move |base| {
        let empty = empty.clone();
        (0..1_u32 << empty.len()).map(move |set| without(&base, &empty, set))
    });
    plain.chain(chosen).chain(emptied)
}

/// The shapes that please one CHECK after the other: SQLite names the one that fails, and each choice is kept with which it names
/// another. `None` where that leads nowhere.
pub(super) fn pleasing(
    table: &TableModel,
    choices: &[(At, Vec<Option<Shape>>)],
    known: &Shapes,
    refused: &mut dyn FnMut(&Shapes) -> Option<String>,
) -> Option<Shapes> {
    let mut shapes = known.clone();
    let mut why = refused(&shapes);
    for _ in 0..choices.len() {
        let Some(said) = &why else { return Some(shapes) };
        let words: Vec<String> = Tokens::from(said, 0).map(|token| token.name()).collect();
        let is_word = |name: &str| words.iter().any(|word| same(word, name));
        let is_named = |at: &At| table.columns.get(at.1).is_some_and(|column| is_word(&column.name));
        let named = choices.iter().filter(|(at, _)| is_named(at));
        let ways = named.flat_map(|(at, some)| some.iter().flatten().map(move |shape| (*at, shape)));
        let next = ways.map(|(at, shape)| {
            let mut tried = shapes.clone();
            tried.0.insert(at, shape.clone());
            let now = refused(&tried);
            (tried, now)
        });
        (shapes, why) = next.into_iter().find(|(_, now)| now != &why)?;
    }
    why.is_none().then_some(shapes)
}

/// Shapes with one of the choices of each column.
fn with_choices(base: &Shapes, choices: &[(At, Vec<Option<Shape>>)], number: usize) -> Shapes {
    let mut rest = number;
    let mut shapes = base.clone();
    for (at, some) in choices {
        if let Some(Some(shape)) = some.get(rest % some.len().max(1)) {
            shapes.0.insert(*at, shape.clone());
        }
        rest /= some.len().max(1);
    }
    shapes
}

/// Shapes with no value in those of the columns whose bit is set, and always one in the others.
fn without(base: &Shapes, columns: &[At], set: u32) -> Shapes {
    let mut shapes = base.clone();
    for (bit, at) in columns.iter().enumerate() {
        if set & 1 << bit != 0 {
            shapes.0.insert(*at, Shape::Null);
        } else {
            shapes.0.entry(*at).or_insert(Shape::Ordinary);
        }
    }
    shapes
}
