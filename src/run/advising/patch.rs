//! Indexes for a schema that code makes, as a diff to read: behind the last of a list of migrations, or behind what runs at
//! every open. It changes nothing; where it is not sure, it says the place alone.

use super::{
    diff::{self, Insertion},
    written::is_numbered,
};
use crate::{
    extract::{
        self, Literal,
        beside::{Beside, List, beside},
        sql,
    },
    migration::{self, Declaration, Runs, Step, mentions},
    report::advice::Index,
    run::Outcome,
    source::{Source, SourceId, plain},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// What is told in the place of a file that is written.
pub(in crate::run) struct Told {
    /// A line: where the statements go.
    pub line: String,
    /// The diff.
    pub patch: Option<String>,
    /// The same, file by file.
    pub insertions: Vec<(SourceId, Vec<Insertion>)>,
}

/// Where to put the indexes of a database that no numbered files make.
pub(super) fn patch(outcome: &Outcome, root: &Path, database: usize, indexes: &[Index]) -> Told {
    let all = Databases { outcome, root };
    let declaration = outcome.analysis.databases.get(database).map(|one| &one.declaration);
    let Some(declaration) = declaration.filter(|one| !one.steps.is_empty()) else {
        let line = "not written: it is not known what makes the schema".to_owned();
        return Told { line, patch: None, insertions: Vec::new() };
    };
    let mut files: BTreeMap<SourceId, Vec<Insertion>> = BTreeMap::new();
    let mut places = BTreeSet::new();
    let mut by_hand = Vec::new();
    let mut taken_out = Vec::new();
    let mut spots: BTreeMap<(SourceId, usize), (Target<'_>, Vec<String>)> = BTreeMap::new();
    for (target, wanted) in targets(declaration, indexes) {
        let statements = all.statements(declaration, &target, &wanted, &mut taken_out);
        let Some(spot) = all.spot(target.step) else { continue };
        spots.entry(spot).or_insert_with(|| (target, Vec::new())).1.extend(statements);
    }
    for (target, statements) in spots.into_values() {
        match all.insertions(declaration, &target, &statements) {
            Some((source, insertions)) => {
                files.entry(source).or_default().extend(insertions);
                places.insert(target.step.literal);
            }
            None => by_hand.push(all.by_hand(declaration, &target, &statements)),
        }
    }
    let one = |(source, insertions): (&SourceId, &Vec<Insertion>)| {
        let source = outcome.sources.get(*source)?;
        diff::unified(&source.path, source.text(), insertions)
    };
    let diffs: String = files.iter().filter_map(one).collect();
    let place = |literal: &usize| all.place(*literal);
    let mut told = Vec::new();
    if !diffs.is_empty() {
        let at: Vec<String> = places.iter().map(place).collect();
        told.push(format!("a patch to read, not applied: after {}", at.join(", ")));
    }
    told.extend(by_hand);
    told.extend(taken_out);
    let line = format!("not written: {}", told.join("; "));
    Told { line, patch: (!diffs.is_empty()).then_some(diffs), insertions: files.into_iter().collect() }
}

/// The step behind which an index goes.
struct Target<'a> {
    step: &'a Step,
    /// Its place among the steps.
    at: usize,
    is_open: bool,
}

/// For each place, the indexes that go there.
fn targets<'a, 'i>(declaration: &'a Declaration, indexes: &'i [Index]) -> Vec<(Target<'a>, Vec<&'i Index>)> {
    let steps = || declaration.steps.iter().enumerate();
    let last = steps().rfind(|(_, step)| is_versioned(step));
    let is_open = last.is_none();
    let mut all: BTreeMap<usize, (Target<'a>, Vec<&'i Index>)> = BTreeMap::new();
    for index in indexes {
        let is_about = |step: &Step| {
            let found = mentions(step.text.as_str());
            found.created.iter().chain(&found.used).any(|name| name.eq_ignore_ascii_case(&index.trees.0))
        };
        let own = || steps().rfind(|(_, step)| step.runs == Runs::Open && is_about(step));
        let Some((at, step)) = last.or_else(own).or_else(|| steps().next_back()) else { continue };
        all.entry(at).or_insert_with(|| (Target { step, at, is_open }, Vec::new())).1.push(index);
    }
    all.into_values().collect()
}

/// Whether a step leads from one version to the next.
fn is_versioned(step: &Step) -> bool {
    step.runs == Runs::Migration || step.version.is_some_and(|one| one > 0)
}

/// A statement that may run again and again.
pub(super) fn lenient(statement: &str) -> String {
    let behind = |words: &str| statement.strip_prefix(words);
    match (behind("CREATE INDEX "), behind("DROP INDEX ")) {
        (Some(rest), _) => format!("CREATE INDEX IF NOT EXISTS {rest}"),
        (_, Some(rest)) => format!("DROP INDEX IF EXISTS {rest}"),
        _ => statement.to_owned(),
    }
}

struct Databases<'a> {
    outcome: &'a Outcome,
    root: &'a Path,
}

impl<'a> Databases<'a> {
    fn literal(&self, literal: usize) -> Option<&'a Literal> {
        self.outcome.analysis.extraction.literals.get(literal)
    }

    fn place(&self, literal: usize) -> String {
        self.literal(literal).map_or_else(String::new, |one| super::place_of(self.outcome, one.site))
    }

    /// Where something behind a step goes: the end of its list, or of its text.
    fn spot(&self, step: &Step) -> Option<(SourceId, usize)> {
        let literal = self.literal(step.literal)?;
        let source = self.outcome.sources.get(literal.site.source)?;
        let list = beside(literal.language, source.text(), literal.site.start).and_then(|one| one.list);
        Some((literal.site.source, list.map_or(literal.site.end as usize, |list| list.inside.1)))
    }

    /// The statements that make indexes at a step. What makes one at every open that they replace would make it again.
    fn statements(
        &self,
        declaration: &Declaration,
        target: &Target<'_>,
        wanted: &[&Index],
        taken_out: &mut Vec<String>,
    ) -> Vec<String> {
        let mut all = Vec::new();
        for index in wanted {
            for drop in &index.replaced {
                let name = drop.trim_start_matches("DROP INDEX ");
                let is_own = |one: &String| one.eq_ignore_ascii_case(name.trim_matches('"'));
                let makes = |step: &&Step| {
                    !is_versioned(step) && mentions(step.text.as_str()).indexes.iter().any(is_own)
                };
                match declaration.steps.iter().find(makes).filter(|step| step.runs == Runs::Open) {
                    Some(step) => {
                        let (place, drop) = (self.place(step.literal), lenient(drop));
                        taken_out.push(format!("by hand, instead of its CREATE INDEX at {place}: {drop}"));
                    }
                    None => all.push(drop.clone()),
                }
            }
            all.extend(index.statements().map(str::to_owned));
        }
        if target.is_open { all.iter().map(|one| lenient(one)).collect() } else { all }
    }

    /// Where statements go that no patch puts there.
    fn by_hand(&self, declaration: &Declaration, target: &Target<'_>, statements: &[String]) -> String {
        let source =
            self.literal(target.step.literal).and_then(|one| self.outcome.sources.get(one.site.source));
        let how = if !target.is_open {
            "as a new version after"
        } else if source.is_some_and(|source| is_named(source, target.step)) {
            "as the code looks for an index of that text by its name, after"
        } else {
            "after"
        };
        let (sources, extraction) = (&self.outcome.sources, &self.outcome.analysis.extraction);
        let beside = migration::beside_index(sources, extraction, declaration);
        let beside = beside.map_or_else(String::new, |beside| format!(". {beside}"));
        format!("by hand, {how} {}: {}{beside}", self.place(target.step.literal), statements.join("; "))
    }

    /// What to put where, behind a step; `None` where that is not sure.
    fn insertions(
        &self,
        declaration: &Declaration,
        target: &Target<'_>,
        statements: &[String],
    ) -> Option<(SourceId, Vec<Insertion>)> {
        let literal = self.literal(target.step.literal)?;
        let source = self.outcome.sources.get(literal.site.source)?;
        // What is shown elsewhere, or is a part of a file, can't be patched.
        let is_whole =
            plain::read_text(&self.root.join(&source.path)).is_ok_and(|text| text == source.text());
        let is_sure = is_whole
            && diff::takes(&source.path)
            && declaration.create.is_empty()
            && target.step.is_on_new
            && !target.step.is_upgrade
            && target.step.unless.is_empty()
            && literal.variants.len() == 1
            && !is_later(declaration, target)
            && !is_named(source, target.step);
        if !is_sure {
            return None;
        }
        let insertions = if literal.language.is_sql {
            let is_open = target.is_open && target.step.runs == Runs::Open;
            let whole = (0, source.text().len());
            let is_one = is_open && extract::is_sql(&source.path) && !is_numbered(&source.path);
            behind(source, whole, statements, |content| Some(content.to_owned())).filter(|_| is_one)?
        } else {
            let beside = beside(literal.language, source.text(), literal.site.start)?;
            match &beside.list {
                Some(list) if self.is_added_to(declaration, target, list, source) => {
                    elements(source, &beside, list, statements)?
                }
                None if target.is_open && target.step.runs == Runs::Open => {
                    within(source, &beside, target.step, statements)?
                }
                _ => return None,
            }
        };
        Some((literal.site.source, insertions))
    }

    /// Whether one more element of a list runs on each database.
    fn is_added_to(
        &self,
        declaration: &Declaration,
        target: &Target<'_>,
        list: &List<'_>,
        source: &Source,
    ) -> bool {
        let is_in = |step: &&Step| {
            self.literal(step.literal).is_some_and(|one| {
                let is_here = self.outcome.sources.path(one.site.source) == source.path;
                is_here && (list.inside.0..list.inside.1).contains(&(one.site.start as usize))
            })
        };
        let own: Vec<&Step> = declaration.steps.iter().filter(is_in).collect();
        if target.is_open {
            return own.iter().all(|step| step.runs == Runs::Open && step.unless.is_empty());
        }
        // The elements of one version belong together; those of a history are counted.
        let units: BTreeSet<usize> = own.iter().map(|step| step.unit).collect();
        list.is_last
            && units.len() == own.len()
            && own.iter().all(|step| step.version.is_none_or(|version| version == 0))
            && (own.len() > 1 || migration::is_history(&target.step.name))
            && !is_counted(source.text(), own.len())
    }
}

/// Whether a step behind another changes what that is about, or runs once.
fn is_later(declaration: &Declaration, target: &Target<'_>) -> bool {
    let behind = declaration.steps.get(target.at + 1..).unwrap_or(&[]);
    target.is_open && behind.iter().any(|step| step.runs != Runs::Open || mentions(step.text.as_str()).alters)
}

/// Whether the code asks for an index of a step by its name: it may not run the text where that is there.
fn is_named(source: &Source, step: &Step) -> bool {
    let quoted = |name: &String| {
        ['"', '\'', '`'].iter().any(|quote| source.text().contains(&format!("{quote}{name}{quote}")))
    };
    step.runs == Runs::Open && mentions(step.text.as_str()).indexes.iter().any(quoted)
}

/// Whether a line of code says how many versions there are: `const VERSION: u32 = 3;`, `PRAGMA user_version = 3`, `version: 3`.
fn is_counted(text: &str, versions: usize) -> bool {
    let number = versions.to_string();
    text.lines().map(str::to_lowercase).any(|line| {
        let behind = line.split_once("version").map_or("", |(_, behind)| behind);
        let mut words = behind.split(|one: char| !one.is_alphanumeric() && one != '_');
        words.any(|word| word == number)
    })
}

/// More elements behind the last of a list.
fn elements(
    source: &Source,
    beside: &Beside<'_>,
    list: &List<'_>,
    statements: &[String],
) -> Option<Vec<Insertion>> {
    let text = source.text();
    let content = text.get(beside.inner.0..beside.inner.1)?;
    let end = if content.trim_end().ends_with(';') { ";" } else { "" };
    let before = format!("{}{}", line_break(text), indent(text, list.last.0));
    let new = statements.iter().map(|one| beside.element(&format!("{one}{end}"), content, &before));
    let new: Vec<String> = new.collect::<Option<_>>()?;
    let last_end = list.comma.unwrap_or(list.last.1);
    if !text.get(last_end..list.inside.1)?.contains('\n') {
        let own_line = text.get(..list.last.0)?.ends_with(&before);
        let between = if own_line { format!(",{before}") } else { ", ".to_owned() };
        let text = new.iter().flat_map(|one| [between.as_str(), one.as_str()]).collect();
        return Some(vec![Insertion { at: list.last.1, text }]);
    }
    let line = text.get(last_end..)?.find('\n').map(|length| last_end + length)?;
    let line = if text.get(..line)?.ends_with('\r') { line - 1 } else { line };
    let (comma, end) = if list.comma.is_some() { ("", ",") } else { (",", "") };
    let new = new.join(&format!(",{before}"));
    let mut all = vec![Insertion { at: line, text: format!("{before}{new}{end}") }];
    if !comma.is_empty() {
        all.insert(0, Insertion { at: last_end, text: comma.to_owned() });
    }
    Some(all)
}

/// More statements at the end of a text that holds several, or may.
fn within(
    source: &Source,
    beside: &Beside<'_>,
    step: &Step,
    statements: &[String],
) -> Option<Vec<Insertion>> {
    let text = source.text();
    let content = text.get(beside.inner.0..beside.inner.1)?;
    let runs_many =
        step.sink.as_ref().is_some_and(|(_, kind)| *kind == extract::languages::SinkKind::RunsMany);
    let is_read = !(beside.has_escapes() && content.contains('\\'));
    let several = content.trim_end().trim_end_matches(';').contains(';');
    // A `;` within a trigger or a word proves nothing: what refuses more than one would have refused it.
    if !is_read || !step.text.holes().is_empty() || !(runs_many || several && step.sink.is_none()) {
        return None;
    }
    behind(source, beside.inner, statements, |content| beside.escaped(content))
}

/// Statements behind the last one of a range of SQL.
fn behind(
    source: &Source,
    range: (usize, usize),
    statements: &[String],
    escaped: impl Fn(&str) -> Option<String>,
) -> Option<Vec<Insertion>> {
    let text = source.text();
    let content = text.get(range.0..range.1)?;
    let trimmed = content.trim_end();
    let comments = sql::comments(content);
    // Behind a comment at the end, the last statement may want its `;`.
    if trimmed.is_empty() || comments.iter().any(|&(_, end)| end >= trimmed.len()) {
        return None;
    }
    let end = if trimmed.ends_with(';') { "" } else { ";" };
    let is_line = !trimmed.contains('\n') && !extract::is_sql(&source.path);
    let between = if is_line { " ".to_owned() } else { format!("{}{}", line_break(text), least(trimmed)) };
    let mut new = end.to_owned();
    for statement in statements {
        new.push_str(&between);
        new.push_str(&escaped(statement)?);
        new.push(';');
    }
    let at = range.0 + trimmed.len();
    if at == text.len() {
        new.push_str(line_break(text));
    }
    Some(vec![Insertion { at, text: new }])
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The white space in front of the line of a place.
fn indent(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or("");
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or("")
}

/// The least white space in front of a line of a text, apart from its first.
fn least(text: &str) -> &str {
    let mut all = text.match_indices('\n').map(|(at, _)| at + 1).filter_map(|start| {
        let line = text.get(start..)?.lines().next()?;
        (!line.trim().is_empty()).then(|| indent(text, start))
    });
    let first = all.next().unwrap_or("");
    all.fold(first, |least, one| if one.len() < least.len() { one } else { least })
}
