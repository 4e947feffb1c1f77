//! Code for another engine that runs on SQLite, too: methods of a class that one on SQLite's side extends,
//! `class Notes extends \App\mysql\Notes`. Which side a file is on, its path says.

use crate::{
    extract::{Extraction, Literal, sql::contains_word},
    migration::system_of_path,
    source::{SourceId, Sources, folder_of},
};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// What stands between the folder of a class and its name, in code and in paths.
const SEPARATORS: [&str; 4] = ["\\", "/", ".", "::"];

/// What a class names those by that it is made of.
const EXTENDS: &str = "extends ";

/// The files on SQLite's side, by the files for other engines whose classes theirs extend.
pub(super) struct Heirs<'a> {
    extraction: &'a Extraction,
    sources: &'a Sources,
    by_base: HashMap<SourceId, Vec<SourceId>>,
}

impl<'a> Heirs<'a> {
    pub fn find(sources: &'a Sources, extraction: &'a Extraction) -> Self {
        let holders: BTreeSet<SourceId> = extraction.literals.iter().map(|one| one.site.source).collect();
        let is_base = |id: &SourceId| system_of_path(sources.path(*id)) == Some(true);
        let bases: Vec<SourceId> = holders.into_iter().filter(is_base).collect();
        let mut by_base: HashMap<SourceId, Vec<SourceId>> = HashMap::default();
        let own = sources.iter().filter(|(_, source)| system_of_path(&source.path) == Some(false));
        for (heir, source) in own.filter(|_| !bases.is_empty()) {
            source.peek(|text| {
                for &base in bases.iter().filter(|base| extends(text, sources.path(**base))) {
                    by_base.entry(base).or_default().push(heir);
                }
            });
        }
        Self { extraction, sources, by_base }
    }

    /// Whether a text stands in a method that a class on SQLite's side has from there, and not one of its own in its place.
    pub fn have(&self, literal: &Literal) -> bool {
        let Some(heirs) = self.by_base.get(&literal.site.source) else { return false };
        let method = literal.function.and_then(|one| self.extraction.functions.get(one as usize));
        heirs.iter().any(|heir| {
            let source = self.sources.get(*heir);
            let is_own = |name: &str| source.is_some_and(|source| source.peek(|text| declares(text, name)));
            !method.is_some_and(|method| is_own(&method.name))
        })
    }
}

/// Whether a class of a text extends the one that a file is named like, told from others of its name by its folder: there, or where it
/// is imported.
fn extends(text: &str, path: &str) -> bool {
    let folder = folder_of(path).rsplit('/').next().unwrap_or("");
    let class = path.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or("");
    if folder.is_empty() || class.is_empty() || !text.contains(EXTENDS) {
        return false;
    }
    let places = SEPARATORS.map(|separator| format!("{folder}{separator}{class}"));
    let names_it = |code: &str| places.iter().any(|place| contains_word(code, place));
    text.match_indices(EXTENDS).any(|(at, word)| {
        let behind = text.get(at + word.len()..).unwrap_or("").trim_start();
        let is_end = |one: char| one.is_whitespace() || "{(<,".contains(one);
        let base = behind.split(is_end).next().unwrap_or("");
        let is_import = |line: &&str| {
            let line = line.trim_start();
            ["use ", "import "].iter().any(|word| line.starts_with(word)) && contains_word(line, base)
        };
        names_it(base) || (!base.is_empty() && text.lines().filter(is_import).any(names_it))
    })
}

/// Whether a function of this name is declared in a text.
fn declares(text: &str, name: &str) -> bool {
    contains_word(text, &format!("function {name}")) || {
        // `async find(id: string) {`
        let begins = |line: &str| {
            let head = line.split('(').next().unwrap_or("").trim_end();
            head.len() < line.len()
                && head.split_whitespace().next_back() == Some(name)
                && line.ends_with('{')
        };
        text.lines().any(|line| begins(line.trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_told_from_others_of_its_name_by_its_folder() {
        let path = "src/mysql/Notes.php";
        assert!(extends("final class Notes extends \\App\\mysql\\Notes {", path));
        assert!(extends("use App\\mysql\\Notes as Base;\nclass Notes extends Base {", path));
        assert!(extends(
            "import { Notes } from '../mysql/Notes'\nclass B extends Notes {",
            "a/mysql/Notes.ts"
        ));
        assert!(!extends("use App\\mysql\\Notes;\nclass Tags extends Model { private Notes $notes; }", path));
        assert!(!extends("class Notes extends \\App\\base\\Notes {", path));
        assert!(!extends("class Notes extends \\App\\mysql\\NotesOfOld {", path));
    }

    #[test]
    fn a_method_of_its_own_stands_in_the_place_of_another() {
        assert!(declares("public function add(string $title): void {", "add"));
        assert!(declares("  async add(title: string) {", "add"));
        assert!(!declares("$this->add($title);", "add") && !declares("function addAll() {", "add"));
    }
}
