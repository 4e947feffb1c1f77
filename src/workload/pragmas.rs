//! The pragmas that change plans, or what a statement does, as the program sets them on its connections. Foreign keys are
//! told apart, in `foreign_keys`: libraries set them too. What is turned on and off again is left as it is by itself.

use super::foreign_keys::{is_behind_test, is_for_tests, sets};
use crate::{
    extract::{self, Extraction, Role},
    migration::{Declaration, common_parts},
    schema::Settings,
    source::{Site, Source, SourceId, Sources, Words},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The pragmas, and what each does when it is on, or off.
const PRAGMAS: [(&str, [&str; 2]); 3] = [
    ("automatic_index", ["makes indexes for single statements", "makes no index for a single statement"]),
    ("case_sensitive_like", ["tells capitals apart in LIKE", "tells no capitals apart in LIKE"]),
    ("recursive_triggers", ["lets triggers fire themselves", "lets no trigger fire itself"]),
];

/// What a driver of Go calls one in short, in the options behind a path: `file:fleet.db?_cslike=1`.
const SHORT: (&str, &str) = ("cslike", PRAGMAS[1].0);

/// What they are called.
static NAMES: Words<'_> = Words::new(&[PRAGMAS[0].0, PRAGMAS[1].0, PRAGMAS[2].0, SHORT.0]);

/// The pragmas that a program sets, each with its places and whether it turns them on.
pub(super) struct Pragmas<'a> {
    sources: &'a Sources,
    set: BTreeMap<&'static str, Vec<Set>>,
}

/// One that is set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Set {
    site: Site,
    is_on: bool,
    /// How near the nearest database is declared.
    nearness: usize,
}

impl<'a> Pragmas<'a> {
    pub fn find(sources: &'a Sources, extraction: &Extraction, declarations: &[Declaration]) -> Self {
        let mut all: Vec<(&'static str, Site, bool)> = Vec::new();
        let is_run = |role: Role| matches!(role, Role::Production | Role::StartUp);
        for literal in extraction.literals.iter().filter(|literal| is_run(literal.role)) {
            for text in &literal.variants {
                let lower = text.as_str().to_ascii_lowercase();
                for (name, _) in PRAGMAS.iter().filter(|(name, _)| lower.contains(name)) {
                    if let Some(on) = said(&lower, name).filter(|_| !is_for_tests(sources, literal)) {
                        all.push((name, literal.site, on));
                    }
                }
            }
        }
        let options: Vec<_> = sources.par_iter().flat_map_iter(|(id, source)| options(id, source)).collect();
        let mut set: BTreeMap<&'static str, Vec<Set>> = BTreeMap::new();
        for (name, site, is_on) in all.into_iter().chain(options) {
            let near = declarations.iter().map(|one| nearness(sources, one, site));
            set.entry(name).or_default().push(Set { site, is_on, nearness: near.max().unwrap_or(0) });
        }
        Self { sources, set }
    }

    /// Sets what the program sets for a database, and says it. The configuration is stronger.
    pub fn settle(&self, declaration: &Declaration, settings: &mut Settings) -> Vec<(Site, String)> {
        let mut guesses = Vec::new();
        for (name, [on, off]) in PRAGMAS {
            // Of several databases, the nearest is the one that it is set for.
            let is_its = |one: &&Set| nearness(self.sources, declaration, one.site) == one.nearness;
            let mut own = self.set.get(name).into_iter().flatten().filter(is_its);
            let Some(Set { site, is_on, .. }) = own.clone().min() else { continue };
            if own.any(|other| other.is_on != *is_on) || settings.pragmas.contains_key(name) {
                continue;
            }
            settings.pragmas.insert(name.to_owned(), if *is_on { "on" } else { "off" }.to_owned());
            let does = if *is_on { on } else { off };
            guesses.push((*site, format!("what connects to `{}` {does}, as this sets it", declaration.name)));
        }
        guesses
    }
}

/// Whether a text turns foreign keys on, or off; `None` where it does neither, or both.
pub fn foreign_keys_on(text: &str) -> Option<bool> {
    said(&text.to_ascii_lowercase(), "foreign_keys")
}

/// The functions that ask whether foreign keys are on before they turn them off: what they turn on is what was there.
pub(super) fn restored(extraction: &Extraction) -> BTreeSet<u32> {
    let asks = |text: &str| {
        let lower = text.trim_matches(|one: char| one == ';' || one.is_whitespace()).to_ascii_lowercase();
        lower.starts_with("pragma") && lower.ends_with("foreign_keys")
    };
    let (mut asked, mut found) = (BTreeSet::new(), BTreeSet::new());
    let of_functions = extraction.literals.iter().filter_map(|one| Some((one, one.function?)));
    let settings =
        of_functions.filter(|(one, _)| one.variants.iter().any(|text| mentions_keys(text.as_str())));
    let mut settings: Vec<_> = settings.collect();
    settings.sort_by_key(|(one, _)| one.site);
    for (one, function) in settings {
        let text = one.variants.first().map_or("", |text| text.as_str());
        if asks(text) {
            asked.insert(function);
        } else if foreign_keys_on(text) == Some(false) && asked.contains(&function) {
            found.insert(function);
        }
    }
    found
}

fn mentions_keys(text: &str) -> bool {
    text.len() < 200 && text.to_ascii_lowercase().contains("foreign_keys")
}

/// How near a database is declared to a place.
pub(super) fn nearness(sources: &Sources, declaration: &Declaration, site: Site) -> usize {
    let path = sources.path(site.source);
    let homes = declaration.homes.iter().map(|&home| sources.path(home));
    homes.map(|home| if home == path { usize::MAX } else { common_parts(home, path) }).max().unwrap_or(0)
}

/// Whether a text turns a pragma on, or off; `None` where it does neither, or both.
fn said(lower: &str, name: &str) -> Option<bool> {
    if !lower.contains("pragma") {
        return None;
    }
    let behind = || lower.match_indices(name).map(|(at, _)| lower.get(at + name.len()..).unwrap_or(""));
    let is = |on: bool| behind().any(|behind| sets(behind, on));
    match (is(true), is(false)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Where code sets one by a call: `pragma_update(None, "automatic_index", false)`.
fn options(id: SourceId, source: &Source) -> Vec<(&'static str, Site, bool)> {
    if !extract::is_wanted(&source.path)
        || extract::is_sql(&source.path)
        || extract::is_test_code(&source.path)
    {
        return Vec::new();
    }
    let found = |text: &str| -> Vec<(&'static str, Site, bool)> {
        let set = |(word, at)| {
            let name = if word == SHORT.0 { SHORT.1 } else { word };
            let on = sets_option(text, word, at).or_else(|| gives_option(text, word, at))?;
            Some((name, Site::at(id, at), on))
        };
        NAMES.all(text).filter_map(set).collect()
    };
    source.peek(found)
}

/// Whether the name at a place is one of a call that turns it on, or off.
fn sets_option(text: &str, name: &str, at: usize) -> Option<bool> {
    let before = text.get(..at)?;
    let behind = text.get(at + name.len()..)?.strip_prefix(['"', '\''])?;
    let behind = behind.lines().next()?;
    let on = if sets(behind, true) {
        true
    } else if sets(behind, false) {
        false
    } else {
        return None;
    };
    let is_name = before.ends_with(['"', '\'']) && behind.trim_start().starts_with(',');
    (is_name && !is_behind_test(Some(before))).then_some(on)
}

/// Whether the option at a place, behind a path, turns its pragma on, or off.
fn gives_option(text: &str, word: &str, at: usize) -> Option<bool> {
    let before = text.get(..at)?.strip_suffix('_')?;
    let behind = text.get(at + word.len()..)?.lines().next()?;
    let on = sets(behind, true);
    let is_given = before.ends_with(['?', '&', '"', '\'', '`'])
        && behind.starts_with('=')
        && (on || sets(behind, false));
    (is_given && !is_behind_test(Some(before))).then_some(on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pragma_is_set_by_its_value_and_not_by_its_name() {
        assert_eq!(said("pragma automatic_index = off", "automatic_index"), Some(false));
        assert_eq!(said("pragma case_sensitive_like(1);", "case_sensitive_like"), Some(true));
        assert_eq!(said("pragma recursive_triggers", "recursive_triggers"), None);
        let both = "pragma case_sensitive_like=1; select 1; pragma case_sensitive_like=0";
        assert_eq!(said(both, "case_sensitive_like"), None);
    }

    #[test]
    fn a_call_sets_a_pragma_by_name_and_value() {
        let found = |text: &str| {
            options(SourceId(0), &Source::new("a.rs", text)).into_iter().map(|one| one.2).collect::<Vec<_>>()
        };
        assert_eq!(found("db.pragma_update(None, \"automatic_index\", false)?;"), [false]);
        assert_eq!(found(".pragma(\"case_sensitive_like\", \"ON\")"), [true]);
        assert_eq!(found("sql.Open(\"sqlite3\", path+\"?_fk=1&_cslike=TRUE\")"), [true]);
        assert_eq!(found("Open(`file:x?_recursive_triggers=false`)"), [false]);
        assert!(found("let last_rt = 1; a(\"?start_rt=1\")").is_empty());
        assert!(found("log(\"automatic_index\"); let on = true;").is_empty());
        assert!(
            options(SourceId(0), &Source::new("tests/a.rs", "db.pragma(\"automatic_index\", false)"))
                .is_empty()
        );
    }
}
