//! Folders of .sql files: which of them are migrations, in which order, and which part of a file leads forward.
//! Knows the habits of migration tools; knows no schema.

use super::{
    Declaration, Runs, Step,
    convention::{Place, comments, is_script_of_another, kept, own_parts},
    conventions::ALL,
    directions,
    engines::{self, of_system, system_of_path},
    file_number, inlined, mentions, natural,
    servers::Servers,
    starts::{is_rerun, join_snapshots, unnumbered},
    stems::{Named, stems},
    temporary,
};
use crate::{
    extract::{Extraction, Literal, Role, sql::skip_leading, text::Text},
    source::{Source, Sources, folder_of},
};
use std::{
    cell::LazyCell,
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// A file of SQL, and its path.
struct File<'a> {
    literal: usize,
    path: &'a str,
    text: &'a Text,
    /// Its place in the list of all of them, where there is one.
    place: Option<usize>,
    /// Its number.
    number: Option<u64>,
}

/// The place of a file in a list of paths without endings.
fn listed(list: &[String], path: &str) -> Option<usize> {
    let stem = path.strip_suffix(".sql")?;
    list.iter().position(|one| one == stem)
}

/// The databases that folders of .sql files declare.
pub(super) fn declarations(
    sources: &Sources,
    extraction: &Extraction,
    servers: &Servers<'_>,
) -> Vec<Declaration> {
    let mut folders: BTreeMap<&str, Vec<File<'_>>> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate() {
        let (Some(text), path) = (literal.variants.first(), sources.path(literal.site.source)) else {
            continue;
        };
        if is_schema_file(literal, path) && !servers.has(path) {
            // What code declares in words of its own is a database by itself.
            let folder = if literal.constant.is_some() { path } else { series(path) };
            folders.entry(folder).or_default().push(File {
                literal: index,
                path,
                text,
                place: None,
                number: number(path),
            });
        }
    }
    let lists: Vec<Vec<String>> =
        sources.iter().filter_map(|(_, source)| ALL.iter().find_map(|one| (one.lists)(source))).collect();
    let mut found: Vec<(&str, bool, Declaration)> = Vec::new();
    let undoing = take_undoing(sources, &mut folders);
    let naming = LazyCell::new(|| inlined::naming(sources));
    for ((folder, pattern), mut files) in by_stem(folders) {
        leave_out_foreign(&mut files);
        // What documents a schema, as a tool for diagrams writes it down, makes none.
        if folder.split('/').any(|part| matches!(part, "doc" | "docs" | "documentation")) {
            let is_drawn = |file: &File<'_>| file.number.is_none() && engines::slips(file.text.as_str());
            files.retain(|file| !is_drawn(file) || inlined::is_named(&naming, file.path));
        }
        let list = lists.iter().find(|list| files.iter().any(|file| listed(list, file.path).is_some()));
        if let Some(list) = list {
            // A file that is there and not in the list is never run.
            files.retain_mut(|file| {
                file.place = listed(list, file.path);
                file.place.is_some()
            });
        }
        let aside = take_unnamed((sources, &naming), folder, &mut files);
        let is_series = files.iter().filter(|file| file.number.is_some()).count() >= 2;
        let declared = declaration(extraction, folder, &pattern, files);
        found.extend(declared.map(|one| (folder, is_series, Declaration { aside, ..one })));
    }
    for (folder, literal) in undoing {
        if let Some((.., one)) = found.iter_mut().find(|(own, ..)| *own == folder) {
            one.aside.push(literal);
        }
    }
    join_snapshots(&mut found);
    found.into_iter().map(|(.., one)| one).collect()
}

/// Leaves out what is written for another engine, or named after one: a series as a whole, what stands beside it file by file.
fn leave_out_foreign(files: &mut Vec<File<'_>>) {
    let numbered = files.iter().filter(|file| file.number.is_some());
    let texts: Vec<_> = numbered.map(|file| own_parts(file.text.as_str())).collect();
    let are_foreign = engines::are_of_another(texts.iter().map(AsRef::as_ref));
    let is_foreign = |file: &File<'_>| {
        (are_foreign && file.number.is_some())
            || (file.number.is_none() && is_named_after_another(file.path))
            || is_script_of_another(file.text.as_str())
    };
    files.retain(|file| !is_foreign(file));
    directions::drop_others_twins(files, |file| file.path);
}

/// Whether the name of a file speaks of another engine, and not of what is made of that: `schema_from_mysql.sql`.
fn is_named_after_another(path: &str) -> bool {
    const OVER: [&str; 5] = ["from", "to", "into", "with", "sync"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let goes_over = |part: &str| OVER.iter().any(|word| word.eq_ignore_ascii_case(part));
    of_system(name) == Some(true) && !name.split(|one: char| !one.is_alphanumeric()).any(goes_over)
}

/// Takes the files away that code does not name, beside others that it names, where none has a number.
fn take_unnamed<'s, F: FnOnce() -> Vec<&'s Source>>(
    (sources, naming): (&'s Sources, &LazyCell<Vec<&'s Source>, F>),
    folder: &str,
    files: &mut Vec<File<'_>>,
) -> Vec<usize> {
    if files.len() < 2 || files.iter().any(|file| file.number.is_some() || file.place.is_some()) {
        return Vec::new();
    }
    let all: Vec<(&str, &str)> = files.iter().map(|file| (file.path, file.text.as_str())).collect();
    let left = inlined::unnamed((sources, naming), folder, &all);
    let aside = left.iter().filter_map(|&at| files.get(at)).map(|file| file.literal).collect();
    let mut at = 0..;
    files.retain(|_| at.next().is_none_or(|at| !left.contains(&at)));
    aside
}

/// Takes the files away that undo others of their folder.
fn take_undoing<'a>(
    sources: &Sources,
    folders: &mut BTreeMap<&'a str, Vec<File<'a>>>,
) -> Vec<(&'a str, usize)> {
    let mut taken = Vec::new();
    let are_asked = LazyCell::new(|| directions::are_asked(sources));
    for (folder, files) in folders {
        let all: Vec<usize> = files.iter().map(|file| file.literal).collect();
        directions::drop_undoing(files, |file| file.path);
        directions::keep_forward(files, |file| file.path, || *are_asked);
        let is_gone = |literal: &usize| !files.iter().any(|file| file.literal == *literal);
        taken.extend(all.into_iter().filter(is_gone).map(|literal| (*folder, literal)));
    }
    taken
}

/// The files of each folder, those apart that share a name but for a number, with that name.
fn by_stem<'a>(folders: BTreeMap<&'a str, Vec<File<'a>>>) -> BTreeMap<(&'a str, String), Vec<File<'a>>> {
    let name = |path: &'a str| path.rsplit('/').next().unwrap_or(path);
    let all = folders.iter().flat_map(|(folder, files)| files.iter().map(move |file| (*folder, file)));
    // A convention that knows the place of a file knows its number.
    let named: Vec<Named<'_>> = all
        .filter(|(_, file)| place(file.path).is_none())
        .map(|(folder, file)| Named { folder, file: name(file.path), text: file.text.as_str() })
        .collect();
    let mut stems = stems(&named);
    let mut found: BTreeMap<(&str, String), Vec<File<'_>>> = BTreeMap::new();
    for (folder, files) in folders {
        for mut file in files {
            let stem = stems.remove(&(folder, name(file.path))).filter(|_| place(file.path).is_none());
            let (folder, pattern) = match stem {
                Some(stem) => {
                    file.number = stem.number;
                    (stem.folder, stem.pattern)
                }
                None => (folder, String::new()),
            };
            found.entry((folder, pattern)).or_default().push(file);
        }
    }
    found
}

/// The tables that a step creates, changes or fills.
pub(super) fn touched(step: &Step) -> Vec<String> {
    let found = mentions(step.text.as_str());
    found.created.into_iter().chain(found.used).collect()
}

/// What may run again is there to be run again, behind the migrations too.
pub(super) fn as_snapshot(step: Step) -> Step {
    let runs = if mentions(step.text.as_str()).creates_once { Runs::Create } else { Runs::Open };
    Step { runs, ..step }
}

fn is_schema_file(literal: &Literal, path: &str) -> bool {
    literal.language.is_sql && literal.role != Role::Test && !leads_back(path) && !is_foreign(path)
}

/// The folder of a series of migrations. Tools that give each migration a folder of its own share the one above.
pub(super) fn series(path: &str) -> &str {
    place(path).map_or_else(|| folder_of(path), |place| place.folder)
}

/// The place of a file, where a convention knows more of it than its name.
fn place(path: &str) -> Option<Place<'_>> {
    ALL.iter().find_map(|one| (one.place)(path))
}

/// The words by which files and folders are named that lead back to an older version.
pub(super) const BACKWARD: [&str; 5] = ["down", "rollback", "revert", "undo", "downgrade"];

/// Files that lead back to an older version.
pub fn leads_back(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let last = folder.rsplit('/').next().unwrap_or("");
    let stem = file.strip_suffix(".sql").unwrap_or(file);
    let ends = BACKWARD.iter().filter(|end| **end != "downgrade");
    ends.into_iter()
        .any(|end| stem == *end || stem.ends_with(&format!(".{end}")) || stem.ends_with(&format!("_{end}")))
        || BACKWARD.contains(&last)
}

/// The version of a file whose name is this letter, a version and two underscores in front of a description.
pub(super) fn prefixed(path: &str, letter: char) -> Option<&str> {
    let file = path.rsplit('/').next()?;
    let version = file.strip_prefix(letter)?.split_once("__")?.0;
    version.starts_with(|first: char| first.is_ascii_digit()).then_some(version)
}

/// Whether a file is written for another database: by what the nearest folder that speaks of one is called, `migrations_pg`, or as a
/// convention tells. What a package is built with makes one of its own.
pub(super) fn is_foreign(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_system = system_of_path(folder) == Some(true);
    file == "build.rs" || is_system || ALL.iter().any(|one| (one.is_foreign)(path))
}

fn declaration(
    extraction: &Extraction,
    folder: &str,
    pattern: &str,
    mut files: Vec<File<'_>>,
) -> Option<Declaration> {
    files.sort_by(|a, b| a.place.cmp(&b.place).then_with(|| compare(a.path, b.path)));
    let is_last = |file: &File<'_>| ALL.iter().any(|one| (one.is_last)(file.path));
    let has_ddl = |file: &File<'_>| mentions(file.text.as_str()).has_ddl;
    let numbered = files.iter().filter(|file| file.number.is_some()).count();
    let numbers: BTreeSet<u64> = files.iter().filter_map(|file| file.number).collect();
    // Numbers of scripts that make what is not there are no versions where some have the same.
    let is_rerun = numbers.len() < numbered && files.iter().all(|file| is_rerun(file.text.as_str()));
    let is_series = numbered >= 2 && numbered * 2 > files.len() && !is_rerun;
    let mut snapshots = Vec::new();
    if is_series {
        if !files.iter().any(|file| file.number.is_some() && has_ddl(file)) {
            return None;
        }
        let last;
        (last, files) = files.into_iter().partition(is_last);
        let jumps = |file: &File<'_>| ALL.iter().any(|one| (one.jumps_to)(file.text.as_str()).is_some());
        let is_snapshot = |file: &File<'_>| {
            jumps(file) || (file.number.is_none() && !mentions(file.text.as_str()).created.is_empty())
        };
        (snapshots, files) = files.into_iter().partition(is_snapshot);
        files.retain(|file| file.number.is_some());
        files.extend(last);
    } else {
        files.retain(|file| has_ddl(file) && !temporary::is_temporary(file.text.as_str()));
    }
    let homes = files
        .iter()
        .chain(&snapshots)
        .filter_map(|file| extraction.literals.get(file.literal))
        .map(|literal| literal.site.source);
    let homes: Vec<_> = homes.collect();
    let endings: BTreeSet<&str> =
        files.iter().filter_map(|file| Some(file.path.rsplit_once('.')?.1)).collect();
    let head = pattern.split('*').next().unwrap_or("");
    let of_folder = |ending| format!("{folder}/*.{ending}").trim_start_matches('/').to_owned();
    let places = if !pattern.is_empty() {
        vec![format!("{folder}/{pattern}").trim_start_matches('/').to_owned()]
    } else if is_series || files.len() > 1 {
        endings.into_iter().map(of_folder).collect()
    } else {
        vec![files.first()?.path.to_owned()]
    };
    let steps = files.iter().map(|file| {
        let step = step(file.literal, file.path, file.text, is_series);
        let version = file.place.map(|place| place as u64 + 1).or(file.number);
        if is_rerun { unnumbered(step) } else { Step { version, ..step } }
    });
    let create =
        snapshots.iter().map(|file| as_snapshot(step(file.literal, file.path, file.text, false))).collect();
    let name = name(extraction, &files, folder, head);
    Some(Declaration { create, ..Declaration::of(name, places, homes, steps.collect()) })
}

/// What a database is called: as the code that declares it in words of its own, or after its folder and its files.
fn name(extraction: &Extraction, files: &[File<'_>], folder: &str, head: &str) -> String {
    let own = files.first().and_then(|file| extraction.literals.get(file.literal)?.constant.clone());
    own.unwrap_or_else(|| folder_name(&format!("{folder}/{}", head.trim_end_matches(['-', '_', '.']))))
}

/// Compares files by their versions, part by part where names have several, else by their names.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let version = |path| ALL.iter().find_map(|one| (one.version)(path));
    let versions = version(a).zip(version(b)).filter(|_| series(a) == series(b));
    versions.map_or(Ordering::Equal, |(a, b)| a.cmp(&b)).then_with(|| natural(a, b))
}

/// A step of a file.
pub(super) fn step(literal: usize, path: &str, text: &Text, is_ordered: bool) -> Step {
    let all = text.as_str();
    let (end, behind) = forward_end(all);
    let down = Some(text.part(behind, all.len())).filter(|down| !skip_leading(down.as_str()).is_empty());
    let text = match kept(all) {
        Some(kept) => kept.into_iter().fold(Text::default(), |mut whole, part| {
            whole.append(&text.part(part.start, part.end));
            whole
        }),
        None if end < all.len() => text.part(0, end),
        None => text.clone(),
    };
    let records = ALL.iter().find_map(|one| (one.jumps_to)(all));
    Step { down, is_ordered, records, ..Step::new(literal, text, path, number(path)) }
}

/// The number of a migration, in front of its file's name or of its folder's.
fn number(path: &str) -> Option<u64> {
    let number = place(path).and_then(|place| place.number);
    number.or_else(|| numbered_part(path).and_then(file_number))
}

/// The part of a path in front of which the number of a migration stands.
pub(super) fn numbered_part(path: &str) -> Option<&str> {
    place(path).map(|place| place.part).or_else(|| path.rsplit('/').next())
}

/// Where the part of a file that leads forward ends, and where behind the mark that one begins which leads back.
fn forward_end(text: &str) -> (usize, usize) {
    let leads_back = |comment: &str| ALL.iter().any(|one| (one.leads_back)(comment));
    let mark = comments(text).find(|(_, comment)| leads_back(comment));
    mark.map_or((text.len(), text.len()), |(at, _)| {
        let line = text.get(at..).and_then(|rest| rest.split_inclusive('\n').next());
        (at, at + line.map_or(0, str::len))
    })
}

/// What a folder of migrations calls its database: the nearest part of the path that is not just a habit.
fn folder_name(folder: &str) -> String {
    const HABITS: [&str; 20] = [
        "upgrade",
        "upgrades",
        "version",
        "versions",
        "migrations",
        "migration",
        "sql",
        "db",
        "database",
        "schema",
        "schemas",
        "src",
        "sqlite",
        "sqlite3",
        "up",
        "migrate",
        "resources",
        "scripts",
        "internal",
        "lib",
    ];
    let named = folder.rsplit('/').find(|part| !part.is_empty() && !HABITS.contains(part));
    named.unwrap_or("main").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_back_is_cut_off() {
        let text = "-- +goose Up\nCREATE TABLE a(b);\n-- +goose Down\nDROP TABLE a;\n";
        let (end, behind) = forward_end(text);
        assert_eq!(text.get(..end).unwrap(), "-- +goose Up\nCREATE TABLE a(b);\n");
        assert_eq!(text.get(behind..).unwrap(), "DROP TABLE a;\n");
        assert_eq!(prefixed("db/V1.2__x.sql", 'V'), Some("1.2"));
        assert_eq!(prefixed("db/V_x__y.sql", 'V'), None);
        assert!(
            leads_back("db/2_x.down.sql") && leads_back("m/1/down.sql") && !leads_back("m/1_slow_down_x.sql")
        );
        assert!(is_foreign("migrations/postgres/1.sql") && !is_foreign("migrations/sqlite/1.sql"));
        assert_eq!(series("m/2024_x/up.sql"), "m");
        assert_eq!(folder_name("crates/wallet/migrations/sqlite"), "wallet");
    }
}
