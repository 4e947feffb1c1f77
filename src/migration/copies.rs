//! Files that make the tables which code makes too, to the letter: they are for those who make the database by hand, and it is the
//! same. Knows words and brackets; no grammar.

use super::{Declaration, Step};
use crate::{extract::Extraction, source::Sources};
use std::collections::BTreeMap;

/// Tables of settings and versions look alike in many databases.
const FEWEST: usize = 3;

/// Leaves out what files make once more, and says so where the code's database is spoken of.
pub(super) fn join(sources: &Sources, extraction: &Extraction, declared: &mut Vec<Declaration>) {
    for index in (0..declared.len()).rev() {
        let Some(copy) = declared.get(index).filter(|one| one.is_files(sources)) else { continue };
        let made = tables(whole(copy));
        if made.len() < FEWEST {
            continue;
        }
        let is_same = |one: &Declaration| {
            !one.is_files(sources) && {
                let others = tables(one.create.iter().chain(&one.steps));
                made.iter().all(|(name, body)| others.get(name) == Some(body))
            }
        };
        let mut same = (0..declared.len()).filter(|&at| declared.get(at).is_some_and(is_same));
        let (Some(at), None) = (same.next(), same.next()) else { continue };
        let first = whole(copy).next().and_then(|step| extraction.literals.get(step.literal));
        let site = first.map(|literal| literal.site);
        let copy = declared.remove(index);
        if let Some(one) = declared.get_mut(if at > index { at - 1 } else { at }) {
            let code = one.homes.first().map_or("", |&home| sources.path(home));
            let said = format!("{code} makes the same tables as this, which is taken for the same database");
            one.guesses.extend(site.map(|site| (site, said)));
            one.aside.extend(copy.steps.iter().chain(&copy.create).map(|step| step.literal));
        }
    }
}

/// The steps of files that make a whole schema at once: those that go on from an older one aside.
fn whole(one: &Declaration) -> impl Iterator<Item = &Step> {
    one.create.iter().chain(one.steps.iter().filter(|step| step.version.is_none() && one.create.is_empty()))
}

/// The tables that steps make, and what stands in the brackets of each, white space and case aside. Of several the first counts.
fn tables<'a>(steps: impl Iterator<Item = &'a Step>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for step in steps {
        // The key is without comments, and has words apart by one space.
        let text = step.key.as_str();
        for (at, head) in text.match_indices("create table") {
            let rest = text.get(at + head.len()..).unwrap_or("");
            let Some((name, _)) = rest.split_once('(') else { continue };
            let body = brackets(rest.get(name.len()..).unwrap_or(""));
            let name = name.trim().trim_start_matches("if not exists").trim();
            let name = name.trim_matches(['"', '`', '[', ']']).to_owned();
            found.entry(name).or_insert_with(|| body.to_owned());
        }
    }
    found
}

/// A text up to the bracket that closes its first one.
fn brackets(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, one) in text.char_indices() {
        match one {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text.get(..=at).unwrap_or(text);
        }
    }
    text
}
