//! Functions that hand one connection to what makes the tables of several files: all of these are of one database. Knows
//! words of names; what a connection is open on is not known.

use super::groups::Member;
use crate::{
    extract::{Extraction, Role, What},
    source::{Site, SourceId, Sources},
};
use std::collections::{BTreeMap, HashMap};

/// The pairs of files whose functions are handed the same connection, where they do not make the same tables.
pub(super) fn links(
    sources: &Sources,
    extraction: &Extraction,
    number: &HashMap<SourceId, usize>,
    members: &[Member],
) -> Vec<(usize, usize)> {
    let mut handed: BTreeMap<(u32, &str), Vec<usize>> = BTreeMap::new();
    let mut named: Vec<(u32, usize)> = Vec::new();
    for setup in &extraction.setups {
        let What::Call(callee) = setup.what else { continue };
        let functions = &extraction.functions;
        let role = functions.get(setup.function as usize).map(|one| one.role);
        let home = functions.get(callee as usize).and_then(|one| number.get(&one.site.source));
        let Some(&home) = home.filter(|_| role.is_some_and(|role| role != Role::Test)) else { continue };
        match given(sources, setup.site) {
            Some(given) => {
                if let Some(connection) = connection(given) {
                    handed.entry((setup.function, connection)).or_default().push(home);
                }
            }
            None => named.push((setup.function, home)),
        }
    }
    // What is named for others to call is called with the one connection that is there.
    for (function, home) in named {
        let mut own = handed.range_mut((function, "")..).take_while(|((of, _), _)| *of == function);
        if let (Some((_, homes)), None) = (own.next(), own.next()) {
            homes.push(home);
        }
    }
    let clash = |one: usize, other: usize| {
        members.get(one).zip(members.get(other)).is_none_or(|(one, other)| one.clashes(other))
    };
    let mut found = Vec::new();
    for homes in handed.into_values() {
        let Some((&first, rest)) = homes.split_first() else { continue };
        found.extend(
            rest.iter().filter(|&&home| home != first && !clash(first, home)).map(|&home| (first, home)),
        );
    }
    found
}

/// What stands in the brackets of a call; `None` where a function is named, and not called.
fn given(sources: &Sources, call: Site) -> Option<&str> {
    let behind = sources.get(call.source)?.text().get(call.end as usize..)?;
    let behind = behind.get(..behind.floor_char_boundary(200)).unwrap_or_default().trim_start();
    // `create[int](db)`
    let types = behind.strip_prefix('[').and_then(|types| types.split_once(']'));
    types.map_or(behind, |(_, behind)| behind).strip_prefix('(')
}

/// The connection that a call hands over first, by its name.
fn connection(given: &str) -> Option<&str> {
    let argument = given.split([',', ')']).next()?.trim().trim_start_matches(['&', '*']);
    let name = argument.strip_prefix("mut ").unwrap_or(argument).trim();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte));
    let lower = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let speaks = has(&["db", "database", "conn", "sqlite"]) || ["tx", "txn", "c"].contains(&lower.as_str());
    (is_name && speaks && !has(&["path", "dir", "name", "file", "url", "config"])).then_some(name)
}
