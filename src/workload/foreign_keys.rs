//! Whether a program enforces foreign keys, and whether its migrations run without: as configured, as its sources set it, else
//! as the library does by which it opens its databases. Told by words; what is set in a language that is not read is not seen.

mod openers;

use openers::{OPENS, Opener, flags, is_of_build, names_file, openers};

use super::pragmas::restored;
use crate::{
    config::Config,
    extract::{
        self, Extraction, Literal, Role,
        sql::{contains_word, is_on},
    },
    migration::{Callers, Declaration, Servers, ToolCalls, callers, common_parts, mentions},
    schema::Settings,
    source::{Site, Source, SourceId, Sources, Words, folder_of},
};
use rayon::prelude::*;
use std::{cmp::Reverse, collections::BTreeSet, sync::OnceLock};

/// What options that turn foreign keys on are called.
static OPTIONS: Words<'_> = Words::new(&["foreign_keys", "_fk", "SQLITE_DBCONFIG_ENABLE_FKEY"]);

/// How many bytes in front of a setting are looked at, and the most settings of a file.
const NEAR: usize = 2000;
const PLACES: usize = 16;

/// A place, and the function that it stands in, where that is one that holds SQL.
type Place = (Site, Option<u32>);

/// What is known of a program's foreign keys.
pub(super) struct Keys<'a> {
    sources: &'a Sources,
    extraction: &'a Extraction,
    /// What in its sources turns them on.
    sets: Vec<Site>,
    /// The files that declare its databases.
    homes: Vec<SourceId>,
    servers: Servers<'a>,
    /// What turns them off, and not within a migration.
    offs: Vec<Place>,
    /// What connects without them by an option.
    without: Vec<Place>,
    /// What opens databases, once it is asked for.
    openers: OnceLock<Vec<Opener>>,
    /// What calls tools, once it is asked for.
    tools: OnceLock<ToolCalls>,
}

impl<'a> Keys<'a> {
    pub fn find(sources: &'a Sources, extraction: &'a Extraction, declarations: &[Declaration]) -> Self {
        let (with, without) = options(sources, extraction);
        let by_option = with.into_iter().map(|(site, _)| site);
        let sets: Vec<Site> = set_by_pragma(sources, extraction).into_iter().chain(by_option).collect();
        let offs = offs(extraction, declarations).into_iter().chain(without.iter().copied()).collect();
        let homes = declarations.iter().flat_map(|one| one.homes.iter().copied()).collect();
        let servers = Servers::find(sources, extraction);
        let (openers, tools) = (OnceLock::new(), OnceLock::new());
        Self { sources, extraction, sets, homes, servers, offs, without, openers, tools }
    }

    /// What turns them on for a database: the first place in its package, else in one that declares no database itself.
    fn set(&self, declaration: &Declaration) -> Option<Site> {
        self.sets.first()?;
        let homes = declaration.homes.iter().filter_map(|home| self.sources.get(*home));
        let opening: Vec<&str> = homes.map(Source::text).filter(|text| OPENS.is_in(text)).collect();
        let is_for = |site: &&Site| !self.is_opened_beside(declaration, &opening, site.source);
        let mut sets =
            self.sets.chunk_by(|one, other| one.source == other.source).filter_map(<[Site]>::first);
        let own = sets.clone().find(|site| self.is_near(**site, &declaration.homes) && is_for(site));
        own.or_else(|| sets.find(|site| !self.is_near(**site, &self.homes) && is_for(site))).copied()
    }

    /// Whether a file of a database opens it, and names neither a file of another folder nor that folder, so that what is set
    /// there is for others; `opening`: those that do.
    fn is_opened_beside(&self, declaration: &Declaration, opening: &[&str], setter: SourceId) -> bool {
        let folder = |source: SourceId| folder_of(self.sources.path(source));
        if opening.is_empty() || declaration.homes.iter().any(|home| folder(*home) == folder(setter)) {
            return false;
        }
        opening.iter().any(|text| !names_file(text, self.sources.path(setter)))
    }

    /// Whether a place is in the package of one of these files.
    fn is_near(&self, site: Site, homes: &[SourceId]) -> bool {
        let path = self.sources.path(site.source);
        homes.iter().any(|home| self.servers.are_near(path, self.sources.path(*home)))
    }

    /// Whether what a place sets is for a database: it is in its package, or in one that declares none.
    fn concerns(&self, site: Site, declaration: &Declaration) -> bool {
        self.is_near(site, &declaration.homes) || !self.is_near(site, &self.homes)
    }

    fn openers(&self) -> &[Opener] {
        kept(&self.openers, || openers(self.sources)).as_slice()
    }

    /// Settles it for a database: what was guessed, and where that is told.
    pub fn settle(
        &self,
        config: &Config,
        declaration: &Declaration,
        settings: &mut Settings,
    ) -> Vec<(Site, String)> {
        let configured = declaration.config.and_then(|index| config.databases.get(index));
        let told = configured.and_then(|one| one.pragmas.get("foreign_keys")).map(|value| is_on(value));
        let migrating = configured.and_then(|one| one.migration_pragmas.get("foreign_keys"));
        settings.migrating_keys = migrating.map(|value| is_on(value));
        let mut guesses = Vec::new();
        let has_keys =
            || declaration.steps.iter().any(|step| contains_word(step.text.as_str(), "references"));
        let set = self.set(declaration);
        if let Some(site) = set.filter(|_| told.is_none() && has_keys()) {
            guesses.push((
                site,
                format!("foreign keys of `{}` are enforced, as this sets them", declaration.name),
            ));
        }
        // What one package sets says nothing of the databases of another, which have what the library does.
        let may_be = told.is_none()
            && set.is_none()
            && has_keys()
            && !self.is_opened_without(declaration)
            && self.openers().iter().any(|one| one.enforces);
        // The code that runs migrations is looked for where that decides something.
        let is_asked =
            may_be || (settings.migrating_keys.is_none() && set.is_some() && !self.offs.is_empty());
        if !is_asked {
            settings.foreign_keys = told.unwrap_or(set.is_some());
            return guesses;
        }
        let callers = {
            let tools = kept(&self.tools, || ToolCalls::find(self.sources));
            callers(self.sources, self.extraction, declaration, tools)
        };
        let opener = self.opener(declaration, &callers).filter(|_| may_be);
        if let Some(one) = opener {
            let said =
                format!("foreign keys of `{}` are enforced, as {} does it", declaration.name, one.name);
            guesses.push((one.site, said));
            settings.migrating_keys = settings.migrating_keys.or(one.migrates_without.then_some(false));
        }
        let is_on = set.is_some() || opener.is_some();
        settings.foreign_keys = told.unwrap_or(is_on);
        let has = |(site, function): &&Place| callers.has(self.sources, self.extraction, *site, *function);
        let off = self.offs.iter().find(has);
        if let Some((site, _)) = off.filter(|_| is_on && settings.migrating_keys.is_none()) {
            settings.migrating_keys = Some(false);
            let name = &declaration.name;
            let said = format!("migrations of `{name}` run with foreign keys off, as this sets them");
            guesses.push((*site, said));
        }
        guesses
    }

    /// Whether a connection to a database, or a function that opens such, turns them off.
    fn is_opened_without(&self, declaration: &Declaration) -> bool {
        let opens = |(site, function): &&Place| {
            let function = function.and_then(|one| self.extraction.functions.get(one as usize));
            let site = function.map_or(*site, |function| function.site);
            let text = self.sources.get(site.source).map_or("", |source| source.slice(site.start, site.end));
            let lower = text.to_ascii_lowercase();
            lower.contains("open") || lower.contains("connect")
        };
        let mut all = self.without.iter().chain(self.offs.iter().filter(opens));
        all.any(|(site, _)| self.concerns(*site, declaration))
    }

    /// What opens a database, if that enforces foreign keys: of what runs its migrations, else of what is near, all do.
    fn opener(&self, declaration: &Declaration, callers: &Callers) -> Option<&Opener> {
        let near = |path: &str| {
            let homes = declaration.homes.iter().map(|home| self.sources.path(*home));
            homes.map(|home| if home == path { usize::MAX } else { common_parts(home, path) }).max()
        };
        let rank = |one: &Opener| (callers.stands_in(one.source), near(self.sources.path(one.source)));
        let best = self.openers().iter().map(rank).max()?;
        let nearest = || self.openers().iter().filter(|one| rank(one) == best);
        nearest().all(|one| one.enforces).then(|| nearest().min_by_key(|one| Reverse(one.enforces)))?
    }
}

/// What a cell holds, made where it holds nothing. What makes it works on all cores: a thread that waits there takes up another
/// database, which asks for the same cell. So nobody waits for who makes it, and who comes second makes it as well.
fn kept<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    cell.get().unwrap_or_else(|| {
        let value = make();
        cell.get_or_init(|| value)
    })
}

/// The PRAGMAs in the program's SQL that turn foreign keys on.
fn set_by_pragma(sources: &Sources, extraction: &Extraction) -> Vec<Site> {
    let askers = restored(extraction);
    let sets = |literal: &Literal| {
        // What turns them off and on again gives back what was there.
        let mut texts = literal.variants.iter().filter(|text| !sets_keys(text.as_str(), false));
        let restores = || literal.function.is_some_and(|function| askers.contains(&function));
        texts.any(|text| sets_keys(text.as_str(), true)) && !restores() && !is_for_tests(sources, literal)
    };
    let is_own =
        |literal: &&Literal| literal.role != Role::Test && !is_of_build(sources.path(literal.site.source));
    let own = extraction.literals.iter().filter(is_own);
    own.filter(|literal| sets(literal)).map(|literal| literal.site).collect()
}

/// The literals that turn foreign keys off, and not within a migration.
fn offs(extraction: &Extraction, declarations: &[Declaration]) -> Vec<Place> {
    let steps: BTreeSet<usize> = declarations
        .iter()
        .flat_map(|one| one.steps.iter().chain(&one.create))
        .map(|step| step.literal)
        .collect();
    let is_one = |literal: &Literal| {
        let is_run = matches!(literal.role, Role::Production | Role::StartUp | Role::Migration);
        let mut texts = literal.variants.iter();
        is_run && texts.any(|text| sets_keys(text.as_str(), false) && !mentions(text.as_str()).has_ddl)
    };
    let all = extraction.literals.iter().enumerate().filter(|(index, _)| !steps.contains(index));
    all.filter(|(_, literal)| is_one(literal)).map(|(_, literal)| (literal.site, literal.function)).collect()
}

/// Where code, tests aside, turns foreign keys on by an option of a connection, and where off.
fn options(sources: &Sources, extraction: &Extraction) -> (Vec<Place>, Vec<Place>) {
    let of = |(id, source): (SourceId, &Source)| {
        let path = source.path.as_str();
        let is_code = extract::is_wanted(path) && !extract::is_test_code(path) && !is_of_build(path);
        let both = |text: &str| -> Vec<(bool, Site)> {
            // Most files name none, and are searched once.
            let ways = if OPTIONS.is_in(text) { &[true, false][..] } else { &[] };
            let found = |on: bool| options_of(text, on).into_iter().map(move |at| (on, Site::at(id, at)));
            let flags = flags(text).into_iter().map(|at| (false, Site::at(id, at)));
            ways.iter().flat_map(|&on| found(on)).chain(flags).collect()
        };
        if is_code { source.peek(both) } else { Vec::new() }
    };
    let all: Vec<(bool, Site)> = sources.par_iter().flat_map_iter(of).collect();
    let functions = &extraction.functions;
    let place = |site: Site| {
        let function = functions.iter().position(|one| one.site.contains(site)).map(|one| one as u32);
        (site, function)
    };
    let is_run = |(_, function): &Place| {
        let function = function.and_then(|one| functions.get(one as usize));
        function.is_none_or(|function| function.role != Role::Test)
    };
    let (with, without): (Vec<_>, Vec<_>) = all.into_iter().partition(|(on, _)| *on);
    let places =
        |all: Vec<(bool, Site)>| all.into_iter().map(|(_, site)| place(site)).filter(is_run).collect();
    (places(with), places(without))
}

/// Whether a literal stands behind a question that names tests.
pub(super) fn is_for_tests(sources: &Sources, literal: &Literal) -> bool {
    is_behind_test(
        sources.get(literal.site.source).and_then(|source| source.text().get(..literal.site.start as usize)),
    )
}

pub(super) fn is_behind_test(before: Option<&str>) -> bool {
    let asks = |line: &str| line.trim_start().trim_start_matches("} else ").starts_with("if");
    let before = before.unwrap_or("");
    // A line may be as long as a file.
    let mut starts = before.len().saturating_sub(NEAR)..=before.len();
    let near = starts.find_map(|start| before.get(start..)).unwrap_or("");
    let mut lines = near.lines().rev().take(10);
    lines.find(|line| asks(line)).is_some_and(|line| line.to_ascii_lowercase().contains("test"))
}

/// Where a text has an option that turns foreign keys on, or off: `_foreign_keys=on`, `_fk=true`, `_pragma=foreign_keys(1)`,
/// `foreign_keys(true)`, `"foreign_keys", true`, `name: "foreign_keys", value: "on"`, `SQLITE_DBCONFIG_ENABLE_FKEY, true`.
fn options_of(text: &str, on: bool) -> Vec<usize> {
    let is_option = |name: &str, at: usize| {
        let before = text.get(..at).unwrap_or("");
        let begins = match name {
            "_fk" => before.ends_with(['&', '?', '"', '\'', '`']),
            "foreign_keys" => before.ends_with(['_', '=', '.', '&', '?', '"', '\'']),
            _ => true,
        };
        // Not as a part of another name.
        let before = before.strip_suffix('_').unwrap_or(before);
        let is_whole = !before.ends_with(|one: char| one.is_alphanumeric() || one == '_');
        let behind = text.get(at + name.len()..).unwrap_or("");
        let is_set = sets(behind, on) || (is_field(before) && sets_next_field(behind, on));
        begins && is_whole && is_set && !is_behind_test(text.get(..at))
    };
    let set = OPTIONS.all(text).filter(|(name, at)| is_option(name, *at));
    set.map(|(_, at)| at).take(PLACES).collect()
}

/// Whether a text sets foreign keys on, or off.
fn sets_keys(text: &str, on: bool) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("foreign_keys").any(|(at, name)| sets(lower.get(at + name.len()..).unwrap_or(""), on))
}

/// Whether what stands behind the name of a setting turns it on, or off.
pub(super) fn sets(behind: &str, on: bool) -> bool {
    let value = behind.trim_start_matches(|one: char| one.is_whitespace() || "=('\",&".contains(one));
    // A key of a map is set by what follows: `"foreign_keys": "ON"`, `"foreign_keys" => 1`, `foreign_keys: true`.
    let mapped =
        value.strip_prefix(':').or_else(|| value.strip_prefix('>')).filter(|rest| !rest.starts_with(':'));
    let value =
        mapped.unwrap_or(value).trim_start_matches(|one: char| one.is_whitespace() || "'\"".contains(one));
    let word = value.split(|one: char| !one.is_alphanumeric()).next().unwrap_or("");
    let is_no = || ["0", "off", "false", "no"].iter().any(|no| word.eq_ignore_ascii_case(no));
    value.len() < behind.len() && if on { is_on(word) } else { is_no() }
}

/// Whether what stands in front of a name makes it the value of a field, as `name: "` does.
fn is_field(before: &str) -> bool {
    let Some(before) = before.strip_suffix(['"', '\'', '`']) else { return false };
    before.trim_end().ends_with([':', '=']) || before.trim_end().ends_with("=>")
}

/// Whether the field behind that of the name turns it on, or off: `", value: "on"`.
fn sets_next_field(behind: &str, on: bool) -> bool {
    let is_quote = |one: char| "'\"`".contains(one);
    let rest = behind.trim_start_matches(is_quote).trim_start();
    let Some(rest) = rest.strip_prefix(',').map(|rest| rest.trim_start().trim_start_matches(is_quote)) else {
        return false;
    };
    let rest = rest.trim_start_matches(|one: char| one.is_alphanumeric() || one == '_');
    let rest = rest.trim_start_matches(is_quote).trim_start();
    let value = ["=>", ":", "="].iter().find_map(|sign| rest.strip_prefix(sign));
    value.is_some_and(|value| sets(&format!("={value}"), on))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_first_does_not_wait_for_who_asks_next() {
        use std::{sync::mpsc, thread, time::Duration};
        let (ended, end) = mpsc::channel();
        thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
            let part = |part: u32| thread::sleep(Duration::from_micros(u64::from(part % 7) * 100));
            let all = || (0..256_u32).into_par_iter().with_max_len(1);
            for _ in 0..20 {
                let cell = OnceLock::new();
                let make = || all().map(part).count();
                let ask =
                    |place| if place % 32 == 31 { assert_eq!(kept(&cell, make), &256) } else { part(place) };
                pool.install(|| all().for_each(ask));
            }
            ended.send(()).unwrap();
        });
        assert_eq!(end.recv_timeout(Duration::from_mins(2)), Ok(()));
    }

    #[test]
    fn foreign_keys_are_seen_where_a_program_sets_them() {
        assert!(sets_keys("PRAGMA foreign_keys = ON;", true));
        assert!(sets_keys("PRAGMA foreign_keys(1)", true));
        assert!(!sets_keys("PRAGMA foreign_keys = OFF", true));
        assert!(sets_keys("PRAGMA foreign_keys = OFF", false));
        assert!(!sets_keys("PRAGMA foreign_keys", true));
        assert!(is_behind_test(Some("if env(\"IS_TEST\") {\n  // Only there.\n  pragmas = append(")));
        assert!(!is_behind_test(Some("if env(\"IS_TEST\") {\n}\nif enforce {\n  pragmas = append(")));
    }

    #[test]
    fn foreign_keys_are_seen_in_what_a_program_connects_with() {
        for text in [
            "sql.Open(\"sqlite\", \"file:x?_foreign_keys=on\")",
            "sql.Open(\"sqlite\", \"x?_foreign_keys=1\") //  \u{43a}\u{43b}\u{44e}\u{447}\u{438}",
            "\"\u{444}\u{430}\u{439}\u{43b}?_foreign_keys=1\"",
            "\"x?_pragma=foreign_keys(1)\"",
            "options.foreign_keys(true)",
            "\"x.db?_fk=true&_rt=true\"",
            "\"_fk=1\"",
            "db.pragma_update(None, \"foreign_keys\", true)",
            "db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)",
            "{\n name:  \"foreign_keys\",\n value: \"on\",\n}",
            "{\"pragma\": \"foreign_keys\", \"value\": 1}",
            "pragmas = map[string]string{\"foreign_keys\": \"ON\", \"journal_mode\": \"WAL\"}",
            "['foreign_keys' => 1]",
        ] {
            assert!(!options_of(text, true).is_empty(), "{text}");
            assert!(options_of(text, false).is_empty(), "{text}");
        }
        for text in [
            "\"x?user_fk=1\"",
            "\"x?_fk=off\"",
            "skip_foreign_keys=1",
            "{\"foreign_keys\": \"OFF\"}",
            "match a { foreign_keys::On => 1 }",
            "[\"foreign_keys\", timeout: 1]",
            "{name: \"foreign_keys\"}, {value: \"on\"}",
            "if testing {\n  dsn += \"&_fk=1\"\n}",
        ] {
            assert!(options_of(text, true).is_empty(), "{text}");
        }
        assert_eq!(options_of("options.foreign_keys(false)", false), [8]);
    }
}
