//! What is said of a file while it is being edited: of its statements that have changed since the last run, what SQLite
//! says at once on the databases of that run. Whether it is a finding only the next run knows.

mod fixes;
mod hover;

pub use fixes::{Allowance, Insert, Made};
pub use hover::Hover;

use super::{Analysis, Outcome};
use crate::{
    extract::{Kept, Literal, Role, text::Text},
    growth::size,
    migration,
    plan::Op,
    report::{Diagnostic, State},
    source::{Site, Source, SourceId, difference},
    workload::{self, Outcome as Became, Statement},
};
use std::collections::{BTreeMap, HashSet};

/// What is needed to judge one file again, and what was found of it last.
pub(super) struct Typing {
    kept: Kept,
    /// The literals and the statements of the run: what stands behind them was found since.
    base: Option<(usize, usize)>,
    /// The files that were changed since, as they are now.
    files: BTreeMap<String, SourceId>,
    /// The literals that are steps of a schema.
    steps: HashSet<usize>,
}

impl Typing {
    pub fn new(kept: Kept) -> Self {
        Self { kept, base: None, files: BTreeMap::new(), steps: HashSet::new() }
    }

    /// A file that was changed since, as it is now.
    pub fn file(&self, path: &str) -> Option<SourceId> {
        self.files.get(path).copied()
    }
}

/// What is known at once of a file that was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retold {
    /// The bytes of the texts that were changed: what was found there may be so no more.
    pub changed: Vec<(u32, u32)>,
    /// What is seen in them.
    pub seen: Vec<Typed>,
}

/// Something that is seen in a changed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The first byte, in the file as it is now.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
    /// What it is.
    pub seen: Seen,
}

/// What can be said of a statement at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// SQLite refuses it, in these words.
    Refused(String),
    /// It reads all rows of this table, which grows.
    Scans(String),
}

impl Outcome {
    /// What can be said at once of a file whose text is another one since the run. A text that makes a schema is not looked
    /// at: it changes more than this file.
    pub fn typed(&mut self, path: &str, text: &str) -> Retold {
        let before = self.sources.find(path).map(|(id, _)| id);
        let Analysis { extraction, databases, statements, typing, .. } = &mut self.analysis;
        let Some(typing) = typing else { return Retold::default() };
        if typing.base.is_none() {
            let steps = databases.iter().flat_map(|database| &database.declaration.steps);
            typing.steps = steps.map(|step| step.literal).collect();
        }
        let (base, told) = *typing.base.get_or_insert((extraction.literals.len(), statements.len()));
        extraction.literals.truncate(base);
        statements.truncate(told);
        let source = Source::new(path, text);
        let now = match typing.files.get(path) {
            Some(id) => {
                self.sources.put(*id, source);
                *id
            }
            None => self.sources.add(source),
        };
        typing.files.insert(path.to_owned(), now);
        let mut literals = typing.kept.again(&self.sources, before.filter(|id| *id != now), now);
        migration::leave_others(&self.sources, &mut literals);
        let old = before.and_then(|id| self.sources.get(id)).map_or("", |source| source.text());
        let moved = Moved::between(old, text);
        let own = extraction.literals.iter().enumerate();
        let own: BTreeMap<u32, usize> = own
            .filter(|(_, one)| Some(one.site.source) == before)
            .map(|(index, one)| (one.site.start, index))
            .collect();
        let before_texts: HashSet<String> =
            own.values().filter_map(|index| extraction.literals.get(*index)).map(texts).collect();
        let mut changed = Vec::new();
        for mut literal in literals.into_iter().filter(|one| !before_texts.contains(&texts(one))) {
            let index = moved.back(literal.site.start).and_then(|start| own.get(&start)).copied();
            let old = index.and_then(|index| extraction.literals.get(index));
            if !literal.language.is_sql {
                changed.push((literal.site.start, literal.site.end));
            }
            let is_step = index.is_some_and(|index| typing.steps.contains(&index));
            if is_step || old.is_some_and(|old| old.role == Role::Migration) {
                continue;
            }
            if let Some(old) = old {
                (literal.role, literal.function) = (old.role, old.function);
                (literal.sink, literal.constant) = (old.sink.clone(), old.constant.clone());
                literal.run = old.run.clone();
            }
            extraction.literals.push(literal);
        }
        statements.extend(workload::bind_again(&self.sources, extraction, databases, base));
        let own = statements.iter().take(told).filter(|one| Some(one.site.source) == before);
        let raw: HashSet<String> = own.map(|one| one.raw.clone()).collect();
        let mut at = 0;
        // Of a file of queries, most are as they were.
        statements.retain(|one| {
            at += 1;
            at <= told || !raw.contains(&one.raw)
        });
        let new = statements.iter().skip(told).filter(|one| one.site.source == now);
        changed.extend(new.map(|one| (one.site.start, one.site.end)));
        Retold { changed, seen: self.seen(told, now, &moved) }
    }

    /// What is seen in the statements from a number on.
    fn seen(&self, from: usize, now: SourceId, moved: &Moved) -> Vec<Typed> {
        let statements = self.analysis.statements.iter().skip(from);
        let mut found: Vec<Typed> = Vec::new();
        for one in statements.filter(|one| one.site.source == now && !self.is_accepted(one, moved)) {
            let (site, seen) = match &one.outcome {
                Became::Refused { refusal, .. } => {
                    let site = refusal.offset.and_then(|at| word(&one.text, at));
                    let site = site.filter(|site| site.source == now).unwrap_or(one.site);
                    (site, Seen::Refused(refusal.message.clone()))
                }
                Became::Planned { .. } => match self.scanned(one) {
                    Some(table) => (one.site, Seen::Scans(table)),
                    None => continue,
                },
                _ => continue,
            };
            let typed = Typed { start: site.start, end: site.end, seen };
            if !found.contains(&typed) {
                found.push(typed);
            }
        }
        found
    }

    /// Whether the user accepts what was found where a statement stood before.
    fn is_accepted(&self, one: &Statement, moved: &Moved) -> bool {
        let path = self.sources.path(one.site.source);
        let Some(start) = moved.back(one.site.start) else { return false };
        let is_here = |found: &&Diagnostic| {
            found.place.as_ref().is_some_and(|place| {
                place.path == path && place.start.offset <= start && start < place.end.offset
            })
        };
        self.report.diagnostics.iter().filter(is_here).any(|found| found.state != State::New)
    }

    /// The first table that grows and of which a statement reads all rows.
    fn scanned(&self, one: &Statement) -> Option<String> {
        let database = one.database()?;
        let steps = one.explained()?.plan.steps.iter();
        let own = steps.filter(|step| step.op == Op::Scan && step.program.is_none());
        let grows = |table: &str| {
            self.analysis.sizes.iter().any(|size| {
                size.database == database
                    && size.table.eq_ignore_ascii_case(table)
                    && matches!(size.class, size::Class::Growing | size::Class::Churning)
            })
        };
        own.filter_map(|step| step.table.clone()).find(|table| grows(table))
    }
}

/// All texts that a literal can take.
fn texts(literal: &Literal) -> String {
    literal.variants.iter().map(Text::as_str).collect::<Vec<_>>().join("\0")
}

/// The word of a text at which SQLite stopped.
fn word(text: &Text, at: usize) -> Option<Site> {
    let rest = text.as_str().get(at..)?;
    let length = rest.find(|one: char| !one.is_alphanumeric() && one != '_').unwrap_or(rest.len());
    text.site(at as u32, (at + length.max(1)) as u32)
}

/// How a text became another: what they have in common in front, and behind.
struct Moved {
    front: u32,
    old: u32,
    new: u32,
}

impl Moved {
    fn between(old: &str, new: &str) -> Self {
        let (front, old, new) = difference(old, new);
        Self { front: front as u32, old: old as u32, new: new as u32 }
    }

    /// Where a byte of the new text was; `None` within what is new.
    fn back(&self, at: u32) -> Option<u32> {
        if at <= self.front { Some(at) } else { at.checked_sub(self.new).map(|behind| behind + self.old) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_again_around_a_change() {
        let moved = Moved::between("one two three", "one twenty three");
        assert_eq!([0, 4, 6].map(|at| moved.back(at)), [Some(0), Some(4), Some(6)]);
        assert_eq!((moved.back(8), moved.back(11)), (None, Some(8)));
        assert_eq!(Moved::between("aa", "aaa").back(3), Some(2));
    }
}
