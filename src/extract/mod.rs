//! From source files to the SQL in them: each text with its variants, its place, its function and its call.
//! Knows host languages as descriptions; whether a text is SQL is for SQLite to say, further on.

pub mod beside;
pub mod comments;
pub mod languages;
pub mod names;
pub mod sql;
pub mod text;

mod again;
mod calls;
mod code;
mod constants;
mod counted;
mod filled;
mod flow;
mod fold;
mod format;
mod heads;
mod lexer;
mod library;
mod macros;
mod makers;
mod methods;
mod near;
mod outline;
mod pieces;
mod qualifiers;
mod roles;
mod rows;
mod script;
mod sketch;
mod strings;
mod template;
mod units;
mod ways;
pub mod words;

pub use again::{Kept, extract_and_keep};
pub use calls::{Call, Setup, Sink, What};
pub(crate) use code::blanked;
pub use code::literals;
pub use constants::{Constant, Element, Marker, named_in_code};
pub(crate) use flow::added_column;
pub use flow::{Argument, Begins, LoopSource, Origin, Run};
pub use macros::query_name;
pub use roles::{Function, Role, has_words, leading_number};

use crate::source::{Site, SourceId, Sources, folder_of};
use fold::{Folder, Known, Spot, Unit};
use languages::Language;
use lexer::Table;
use rayon::prelude::*;
use roles::Graph;
use sketch::Candidate;
use sql::Looks;
use std::{
    collections::{HashMap, HashSet},
    hash::{Hash, Hasher},
    sync::OnceLock,
};
use text::Text;
use units::Restorer;

/// An expression that may be SQL, with every text that it can take.
#[derive(Debug)]
pub struct Literal {
    /// The literal in which the SQL starts; the whole file for a file of SQL.
    pub site: Site,
    /// The texts that it can take, at most 16.
    pub variants: Vec<Text>,
    /// The function that it stands in or, for a constant, the one that uses it, as an index of the functions.
    pub function: Option<u32>,
    /// The call that it is handed to.
    pub sink: Option<Sink>,
    /// The name that it is given at the level of the file.
    pub constant: Option<String>,
    /// What part of the program's life it belongs to.
    pub role: Role,
    /// How sure its first words make us.
    pub looks: Looks,
    /// The language around it.
    pub language: &'static Language,
    /// The loops around the call that runs it, and what that binds to its parameters.
    pub run: Run,
    /// The texts that may take it in, as ranges of bytes in its file, where a local variable keeps it and nothing but these names that;
    /// else empty.
    pub takers: Vec<(u32, u32)>,
    /// Whether a call of which nothing is known is handed the constant as it is.
    pub is_argument: bool,
}

impl Literal {
    /// Whether the call that it is handed to takes the first row of what it returns, and no other.
    pub fn takes_first(&self) -> bool {
        self.sink.as_ref().is_some_and(|sink| self.language.first_rows.contains(&sink.name.as_str()))
    }

    /// A text that stands in no code.
    pub fn bare(site: Site, text: Text, language: &'static Language) -> Self {
        Self {
            site,
            variants: vec![text],
            function: None,
            sink: None,
            constant: None,
            role: Role::Production,
            looks: Looks::Yes,
            language,
            run: Run::default(),
            takers: Vec::new(),
            is_argument: false,
        }
    }
}

/// All that was found in a tree.
#[derive(Debug, Default)]
pub struct Extraction {
    /// By file and place.
    pub literals: Vec<Literal>,
    /// The functions that hold SQL, and those that call them.
    pub functions: Vec<Function>,
    /// The calls of functions that hold SQL.
    pub calls: Vec<Call>,
    /// The names that stand for SQL, or for lists of it.
    pub constants: Vec<Constant>,
    /// The places at which steps of a schema are run.
    pub setups: Vec<Setup>,
    /// The texts that the program replaces with others.
    pub markers: Vec<Marker>,
    /// The literals of each function, where somebody asked for them.
    by_function: OnceLock<HashMap<u32, Vec<usize>>>,
}

impl Extraction {
    /// Gives the literals that turned out to be steps of a schema, those in folders or lists of migrations or in files that a
    /// time numbers, and those handed to what is called so, the role of a migration.
    pub fn mark_migrations(&mut self, sources: &Sources, literals: impl IntoIterator<Item = usize>) {
        let mut steps: HashSet<usize> = literals.into_iter().collect();
        steps.extend(constants::listed_for_migrations(&self.constants, &self.literals));
        let is_migration = |source: SourceId| {
            let path = sources.path(source);
            let is_folder =
                |one: &str| one.starts_with("migration") || one.ends_with("_migrations") || one == "migrate";
            // `20240131120000_phones.go`
            let name = path.rsplit('/').next().unwrap_or(path);
            let behind = name.trim_start_matches(|one: char| one.is_ascii_digit());
            let is_time = name.len() - behind.len() >= 10 && behind.starts_with(['_', '-']);
            is_time || folder_of(path).split('/').any(is_folder)
        };
        for (index, literal) in self.literals.iter_mut().enumerate() {
            let is_step = steps.contains(&index) || is_migration(literal.site.source);
            if literal.role != Role::Test && (is_step || roles::migrates(literal.sink.as_ref())) {
                literal.role = Role::Migration;
            }
        }
    }
}

/// Whether files of this path are read.
pub fn is_wanted(path: &str) -> bool {
    languages::of(path).is_some()
}

/// Whether files of this path are SQL alone.
pub fn is_sql(path: &str) -> bool {
    languages::of(path).is_some_and(|language| language.is_sql)
}

/// Whether indentation makes the blocks of the code in files of this path.
pub fn is_indented(path: &str) -> bool {
    languages::of(path).is_some_and(|language| language.indented)
}

/// Whether a file is test code by its path, so that nothing in it is judged.
pub fn is_test_code(path: &str) -> bool {
    let language = languages::of(path);
    language.is_some_and(|language| !language.is_sql && language.is_test_path(path))
}

/// Whether a file is none of the program's own: markup in a file of code's name, lines that are longer than a screen holds,
/// on average, or the sources of SQLite.
pub fn is_generated(path: &str, text: &str) -> bool {
    const LONG: usize = 1000;
    const SQLITE: [&[u8]; 2] = [b"tool/mkshellc.tcl", b"of many separate C source files from SQLite"];
    let Some(language) = languages::of(path).filter(|_| text.len() > LONG) else { return false };
    let head = text.as_bytes().get(..LONG).unwrap_or(&[]);
    if language.adjacent
        && language.typed
        && SQLITE.iter().any(|words| memchr::memmem::find(head, words).is_some())
    {
        return true;
    }
    let is_markup = text.starts_with("<?xml") || text.starts_with("<!DOCTYPE");
    let is_long = || text.len() > LONG * memchr::memchr_iter(b'\n', text.as_bytes()).count().max(1);
    language.bundled && (is_markup || is_long())
}

/// Whether two texts of one file hold the same tokens: comments, white space and tests without SQL apart.
pub fn is_same_code(path: &str, one: &str, other: &str) -> bool {
    let language = languages::of(path);
    let Some(language) = language.filter(|language| !language.is_sql) else { return one == other };
    let table = Table::new(language);
    let (tokens, _) = sketch::sketch(one, language, &table, false);
    let (others, _) = sketch::sketch(other, language, &table, false);
    tokens.len() == others.len()
        && tokens.iter().zip(&others).all(|(a, b)| a.kind == b.kind && a.text(one) == b.text(other))
}

/// A number for what a file says, comments and white space apart: equal for equal tokens.
pub fn code_number(path: &str, text: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    match languages::of(path).filter(|language| !language.is_sql) {
        None => text.hash(&mut hasher),
        Some(language) => {
            for token in lexer::lex(text, language, &Table::new(language)) {
                (token.kind as u8, token.text(text)).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// Finds the SQL of all sources. `is_offline` says which paths hold tools and not the program.
pub fn extract(sources: &Sources, is_offline: &(dyn Fn(&str) -> bool + Sync)) -> Extraction {
    freed(take(sources, is_offline, false))
}

/// To free so much takes its time, too, and nobody waits for it.
fn freed((extraction, kept): (Extraction, Kept)) -> Extraction {
    rayon::spawn(move || drop(kept));
    extraction
}

/// The same for who asks what sources declare, and not what else the program does: without calls, and without what is known of
/// those that literals are handed to.
pub fn declaring(sources: &Sources) -> Extraction {
    freed(take(sources, &|_| false, true))
}

fn take(sources: &Sources, is_offline: &(dyn Fn(&str) -> bool + Sync), is_brief: bool) -> (Extraction, Kept) {
    let table = |language: &&'static Language| {
        let mut table = Table::new(language);
        table.has_methods = methods::are_used(sources, language);
        table
    };
    let tables: Vec<Table> = languages::ALL.iter().map(table).collect();
    let (names, is_large) = (outline::Names::default(), sources.is_large());
    let code = sources.iter().filter(|(_, source)| !source.is_excerpt()).filter_map(|(id, source)| {
        let number = languages::of_path(&source.path)?;
        Some(((id, source), *languages::ALL.get(number)?, tables.get(number)?))
    });
    let code: Vec<_> = code.collect();
    // Files differ in size: each is a task of its own. There are so many that each goes to a place that is known before.
    let of = |&(file, language, table): &_| units::outlined(file, is_large, language, table, &names);
    let mut units: Vec<Unit> = code.par_iter().with_max_len(1).map(of).collect();
    units::mark_test_modules(sources, &mut units);
    heads::settle(sources, &mut units);
    let names = names.listed();
    let outlines = roles::Outlines::take(&mut units, &names);
    let known = Known::default();
    let graph = || Graph::new(sources, &units, outlines, is_offline);
    let (graph, (mut found, markers, known)) = if units.iter().any(Unit::is_outlined) {
        let (mut graph, numbers) = graph();
        let restorer = Restorer { sources, tables: &tables, names: &names, numbers: &numbers };
        restorer.restore(&mut units, &mut graph);
        (graph, fold_all(Folder::new(sources, &units, &tables, known)))
    } else {
        let ((graph, _), folded) =
            rayon::join(graph, || fold_all(Folder::new(sources, &units, &tables, known)));
        (graph, folded)
    };
    units::drop_tokens(&mut units, &graph);
    let folder = Folder::new(sources, &units, &tables, known);
    let mut constants = constants::constants(sources, &folder, &mut found);
    let (mut functions, calls, setups) = calls::relevant((&folder, &graph), &mut found, &constants, is_brief);
    constants::settle_turns(&mut constants, &mut functions, &calls, &mut found);
    for literal in found.iter_mut().map(|one| &mut one.literal) {
        let is_loose = literal.function.is_none() && literal.role == Role::Production;
        if is_loose && is_offline(sources.path(literal.site.source)) {
            literal.role = Role::Offline;
        }
    }
    let known = folder.into_known();
    rayon::spawn(move || drop(known));
    let literals = found.into_iter().map(|one| one.literal).collect();
    let by_function = OnceLock::new();
    (
        Extraction { literals, functions, calls, constants, setups, markers, by_function },
        Kept { units, tables },
    )
}

/// A literal, and where the walk found it.
pub(crate) struct Found {
    literal: Literal,
    unit: u32,
    candidate: Candidate,
    /// The token behind its expression.
    end: u32,
    /// Where it is handed to what runs it.
    handed: Option<calls::Handed>,
}

/// All literals, by file and place, and what was found out on the way.
fn fold_all(folder: Folder<'_>) -> (Vec<Found>, Vec<Marker>, Known) {
    let units = (0..folder.units.len()).into_par_iter().with_max_len(4);
    let mut found: Vec<Found> = units.flat_map_iter(|unit| fold_unit(&folder, unit)).collect();
    heads::leave_beginnings_out(&folder, &mut found);
    rows::leave_printed_out(&folder, &mut found);
    heads::leave_filled_out(&folder, &mut found);
    found.sort_by_key(|one| (one.literal.site.source, one.literal.site.start));
    (found, folder.markers().to_vec(), folder.into_known())
}

fn fold_unit(folder: &Folder<'_>, index: usize) -> Vec<Found> {
    let Some(unit) = folder.units.get(index) else { return Vec::new() };
    if unit.language.is_sql {
        return script::whole(folder, unit, index).into_iter().collect();
    }
    let mut found: Vec<Found> = Vec::new();
    for candidate in &unit.sketch.candidates {
        // A literal within the expression before is a part of it.
        if found
            .last()
            .is_some_and(|last| candidate.literal < last.end && candidate.start >= last.candidate.start)
        {
            continue;
        }
        found.extend(fold_candidate(folder, index, unit, *candidate));
    }
    found
}

fn fold_candidate(folder: &Folder<'_>, index: usize, unit: &Unit, candidate: Candidate) -> Option<Found> {
    let spot = Spot::at(index, candidate.function);
    let token = unit.tokens.get(candidate.literal as usize)?;
    let role = if candidate.is_test || unit.is_test { Role::Test } else { Role::Production };
    let run = Run { loop_depth: candidate.loop_depth, ..Run::default() };
    if candidate.callee.is_some_and(|(name, _)| name == candidate.literal) {
        let (mut variants, end) = methods::statements(folder, spot, candidate.literal as usize)?;
        variants.iter_mut().for_each(Text::open_lists);
        let end = unit.tokens.get(end.checked_sub(1)?).map_or(token.end, |close| close.end);
        let site = Site { source: unit.source, start: token.start, end };
        let bare = Literal::bare(site, Text::default(), unit.language);
        let is_sure = methods::is_marked(unit.language, unit.text(folder.sources));
        let looks = if is_sure { Looks::Yes } else { Looks::Perhaps };
        let literal = Literal { variants, role, looks, run, ..bare };
        // A statement within its arguments is one of its own.
        let end = candidate.literal + 1;
        return Some(Found { literal, unit: index as u32, candidate, end, handed: None });
    }
    if candidate.is_named {
        return heads::fold(folder, index, unit, candidate);
    }
    let first = candidate.start.checked_sub(1).and_then(|open| folder.joining_around(spot, open as usize));
    let mut starts = vec![first.map_or(candidate.start, |first| first as u32), candidate.literal];
    starts.dedup();
    for start in starts {
        let (mut variants, end) = fold_texts(folder, spot, unit, start as usize)?;
        folder.fill_with_key(spot, (start as usize, end), &mut variants);
        let looks = variants.iter().map(|text| sql::looks(text.as_str()));
        let Some(looks) = looks.max_by_key(|looks| *looks == Looks::Yes) else { continue };
        let site = Site { source: unit.source, start: token.start, end: token.end };
        let bare = Literal::bare(site, Text::default(), unit.language);
        let literal = Literal { variants, role, looks, run, ..bare };
        return Some(Found {
            literal,
            unit: index as u32,
            candidate: Candidate { start, ..candidate },
            end: end as u32,
            handed: None,
        });
    }
    None
}

/// The texts that are SQL of those that an expression can be, and the token behind it; `None` where it is a piece of another.
fn fold_texts(folder: &Folder<'_>, spot: Spot, unit: &Unit, start: usize) -> Option<(Vec<Text>, usize)> {
    let (mut variants, end) = ways::all_ways(folder, spot, start)?;
    for text in &mut variants {
        text.open_lists();
        let run = constants::as_run(std::mem::take(text), folder.markers());
        *text = qualifiers::without(filled::filled(macros::opened(run), unit, folder.sources));
        if unit.language.percent_texts {
            *text = format::fill_percents(text, folder.markers());
        }
    }
    variants.retain(|text| sql::looks(text.as_str()) != Looks::No);
    fold::leave_twins_out(&mut variants);
    Some((variants, end))
}
