//! Functions that are called by a name which is the text of a string, where a program asks an object for what has that name.

use crate::{
    extract::{
        fold::Unit,
        lexer::{Kind, Token},
    },
    source::{Source, Sources, Words},
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// What asks an object for a member by a name that is a value.
static ASKS: Words<'_> = Words::new(&["getattr(", "MethodByName(", "methodcaller("]);

/// The names, by their numbers, that stand alone in a string of code that is no test, where code of the language asks for
/// members by names, and that functions of it have.
pub(super) fn spoken(sources: &Sources, units: &[Unit], names: &HashMap<&str, u32>) -> Vec<u32> {
    let text = |unit: &Unit| sources.get(unit.source).map_or("", Source::text);
    let asks = |unit: &Unit| sources.get(unit.source).is_some_and(|source| source.has_any(&ASKS));
    let asking: Vec<&str> = units
        .par_iter()
        .filter(|unit| unit.language.closed && !unit.is_test && asks(unit))
        .map(|unit| unit.language.name)
        .collect();
    let own: Vec<&Unit> =
        units.iter().filter(|unit| !unit.is_test && asking.contains(&unit.language.name)).collect();
    let word = |unit: &Unit, token: &Token| text(unit).get(token.start as usize..token.end as usize);
    let declared = own.par_iter().flat_map_iter(|unit| {
        let functions = unit.sketch.functions.iter().filter_map(|one| unit.tokens.get(one.name as usize));
        functions.filter_map(|token| word(unit, token))
    });
    let declared: HashSet<&str> = declared.collect::<Vec<&str>>().into_iter().collect();
    let outlined = own.par_iter().filter(|unit| unit.is_outlined()).flat_map_iter(|unit| {
        let quoted = |text: &str| -> Vec<u32> {
            text.split(['"', '\'', '`']).filter_map(|name| names.get(name).copied()).collect()
        };
        sources.get(unit.source).map_or(Vec::new(), |source| source.peek(quoted))
    });
    let outlined: Vec<u32> = outlined.collect();
    let said = own.par_iter().flat_map_iter(|unit| {
        let strings = unit.tokens.iter().filter(|token| token.kind == Kind::Text);
        strings.filter_map(|token| Some(word(unit, token)?.trim_matches(['"', '\'', '`'])))
    });
    let said = said.filter(|name| declared.contains(name)).filter_map(|name| names.get(name).copied());
    said.chain(outlined).collect()
}
