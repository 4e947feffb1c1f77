//! What an editor offers for a finding: the index that was proved to help, made where the program makes its schema, and the
//! comment that accepts it. Changes nothing itself.

use crate::{
    extract::{
        Extraction,
        comments::{self, MARK},
        languages,
    },
    migration,
    report::{Diagnostic, advice::Index},
    run::{Outcome, advising},
    source::{Source, Sources},
};
use std::path::Path;

/// A text that is put into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    /// The file, from the root of the tree.
    pub path: String,
    /// In front of this byte.
    pub at: u32,
    /// What is put there.
    pub text: String,
}

/// How an index is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// CREATE INDEX.
    pub sql: String,
    /// New files, by their paths from the root of the tree, with what is in them.
    pub files: Vec<(String, String)>,
    /// What is put into others.
    pub inserts: Vec<Insert>,
    /// What is still to be done then, in words; `None` where that is all.
    pub rest: Option<String>,
}

/// A comment that accepts a finding, once its reason is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The comment, without the reason.
    pub insert: Insert,
    /// The byte of its text at which the reason goes.
    pub reason: usize,
}

impl Outcome {
    /// How the proved indexes of a finding are made: in the next migration, or in the list or the text of the code that
    /// makes the schema. `None` where there is none, or its place is not sure.
    pub fn index_for(&self, one: &Diagnostic, root: &Path) -> Option<Made> {
        let cure = one.cures.iter().find(|cure| cure.kind == "index" && cure.proved)?;
        let name = one.database.as_ref()?;
        let database = self.analysis.databases.iter().position(|one| one.declaration.name == *name)?;
        let table = migration::mentions(&cure.sql).used.into_iter().next().unwrap_or_default();
        let index = Index { sql: cure.sql.clone(), trees: (table, 0, 0), ..Index::default() };
        let (files, inserts, rest) = match advising::made(self, root, database, &[index]) {
            advising::Made::Files(files, rest) => (files, Vec::new(), rest),
            advising::Made::Told(told) => {
                let of_file = |(source, insertions): (_, Vec<_>)| {
                    let path = self.sources.path(source).to_owned();
                    let insert = move |one: advising::Insertion| Insert {
                        path: path.clone(),
                        at: one.at as u32,
                        text: one.text,
                    };
                    insertions.into_iter().map(insert)
                };
                (Vec::new(), told.insertions.into_iter().flat_map(of_file).collect(), None)
            }
        };
        let is_some = !files.is_empty() || !inserts.is_empty();
        is_some.then(|| Made { sql: cure.sql.clone(), files, inserts, rest })
    }

    /// The comment that accepts a finding. `None` where no comment would be read there.
    pub fn allowance(&self, one: &Diagnostic) -> Option<Allowance> {
        let place = one.place.as_ref()?;
        let (id, source) = self.sources.find(&place.path)?;
        let language = languages::of(&place.path)?;
        let sign = language.line_comments.first()?;
        let at = place.start.offset;
        let is_around = |start: u32, end: u32| (start..end.max(start + 1)).contains(&at);
        let sites = |is_sql: bool| {
            let literals = self.analysis.extraction.literals.iter().map(|one| one.site);
            let statements = self.analysis.statements.iter().map(|one| one.site);
            let own: Vec<_> = if is_sql { statements.collect() } else { literals.collect() };
            own.into_iter().filter(move |site| site.source == id)
        };
        let anchor = sites(language.is_sql)
            .filter(|site| is_around(site.start, site.end))
            .map(|site| site.start)
            .max();
        let anchor = anchor.unwrap_or(at);
        let said = format!("{sign} {MARK} allow({}) ", one.rule);
        let line = source.line(source.position(anchor).line);
        let indent: String =
            source.slice(line.0, line.1).chars().take_while(|one| one.is_whitespace()).collect();
        let end = if source.text().contains("\r\n") { "\r\n" } else { "\n" };
        let above = (line.0, format!("{indent}{said}"), end);
        let behind = (line.1, format!(" {said}"), "");
        let mut ways = [above, behind].into_iter();
        let (at, text, end) =
            ways.find(|(at, text, end)| language.is_sql || is_read(source, (*at, text, end), anchor))?;
        let insert = Insert { path: place.path.clone(), at, text: format!("{text}{end}") };
        Some(Allowance { insert, reason: text.len() })
    }
}

/// Whether a comment that is put into a file is about what stands at a place of it.
fn is_read(source: &Source, (at, text, end): (u32, &str, &str), anchor: u32) -> bool {
    let (Some(before), Some(behind)) = (source.text().get(..at as usize), source.text().get(at as usize..))
    else {
        return false;
    };
    let reason = "why";
    let edited = format!("{before}{text}{reason}{end}{behind}");
    let added = (edited.len() - source.text().len()) as u32;
    let anchor = if anchor >= at { anchor + added } else { anchor };
    let sources = Sources::of(vec![Source::new(source.path.as_str(), edited)]);
    let found = comments::comments(&sources, &Extraction::default());
    let is_ours = |comment: &&comments::Comment| (at..at + added).contains(&comment.site.start);
    found
        .iter()
        .find(is_ours)
        .and_then(|comment| comment.about)
        .is_some_and(|about| (about.start..about.end).contains(&anchor))
}
