//! What a unit says it does to the tables that were there: which it renames, drops, fills from which, and deletes from.

use super::unit::has_word;
use crate::schema::{
    Alteration, Kind, Objects,
    rehearsal::{Ran, Rehearsal},
};

/// What became of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Fate {
    /// The table that has its place in the end, by name; `None` where none has.
    pub successor: Option<String>,
    /// The statement that dropped it.
    pub dropped: Option<usize>,
    /// The statement that filled the table that takes its place.
    pub copy: Option<usize>,
    /// The table that took its place got its name by RENAME.
    pub was_renamed_into: bool,
    /// The name that it has where it is still there beside its successor.
    pub aside: Option<String>,
}

/// What a unit did, statement by statement.
pub(super) struct Deeds<'a> {
    pub parts: &'a [&'a str],
    pub rehearsal: &'a Rehearsal,
}

impl<'a> Deeds<'a> {
    /// The text of a statement.
    pub fn sql(&self, ran: &Ran) -> &'a str {
        self.parts.get(ran.part).and_then(|part| part.get(ran.applied.start..ran.applied.end)).unwrap_or("")
    }

    fn ran(&self) -> impl Iterator<Item = (usize, &'a Ran)> {
        self.rehearsal.ran.iter().enumerate()
    }

    /// What became of a table, by its name before.
    pub fn fate(&self, table: &str, after: &Objects) -> Fate {
        let mut fate = Fate::default();
        let mut current = table.to_owned();
        for (at, ran) in self.ran() {
            let Some(effect) = ran.effect() else { continue };
            let is_it = effect.object.as_deref().is_some_and(|name| same(name, &current));
            match (&effect.alteration, effect.kind) {
                (Some(Alteration::RenameTable(to)), _) if is_it && fate.dropped.is_none() => {
                    current.clone_from(to);
                }
                (Some(Alteration::RenameTable(to)), _) if same(to, table) && !same(&current, table) => {
                    fate.was_renamed_into = true;
                }
                (Some(Alteration::RenameTable(to)), _) if same(to, table) && fate.dropped.is_some() => {
                    fate.was_renamed_into = true;
                }
                (_, Kind::DropTable) if is_it && effect.changed && fate.dropped.is_none() => {
                    fate.dropped = Some(at);
                }
                (_, Kind::Insert | Kind::Replace) if fate.dropped.is_none() => {
                    let reads = effect.reads.iter().any(|name| same(name, &current));
                    if reads && fate.copy.is_none() && !is_it {
                        fate.copy = Some(at);
                    }
                }
                _ => {}
            }
        }
        let is_there = |name: &str| after.table("main", name).is_some();
        let moved = !same(&current, table);
        fate.successor = if (fate.dropped.is_some() || moved) && is_there(table) {
            Some(table.to_owned())
        } else if fate.dropped.is_none() {
            Some(current.clone())
        } else {
            None
        };
        fate.aside = (fate.dropped.is_none() && moved && is_there(table)).then_some(current);
        fate
    }

    /// Whether the unit says that rows of a table go, or are changed: it deletes from it or replaces them, by this name or
    /// one that the table has for a while.
    pub fn deletes_from(&self, table: &str) -> bool {
        self.writes(table, &[Kind::Delete, Kind::Replace])
    }

    /// Whether it says that rows of a table go for good.
    pub fn deletes(&self, table: &str) -> bool {
        self.writes(table, &[Kind::Delete])
    }

    /// Whether it updates rows of a table.
    pub fn updates(&self, table: &str) -> bool {
        self.writes(table, &[Kind::Update, Kind::Delete, Kind::Replace])
    }

    fn writes(&self, table: &str, kinds: &[Kind]) -> bool {
        self.ran().any(|(_, ran)| {
            let is_one = |kind: &Kind| kinds.contains(kind);
            let upserts = |sql: &str| has_word(sql, "conflict") && kinds.contains(&Kind::Update);
            ran.effect().is_some_and(|effect| {
                let about = effect.object.as_deref().or(effect.table.as_deref());
                let is_it = about.is_some_and(|name| same(name, table) || self.comes_to(name, table));
                is_it && (is_one(&effect.kind) || (effect.kind == Kind::Insert && upserts(self.sql(ran))))
            })
        })
    }

    /// Whether a table of this name is renamed to another one's within the unit, or the reverse.
    fn comes_to(&self, name: &str, table: &str) -> bool {
        self.ran().any(|(_, ran)| {
            ran.effect().is_some_and(|effect| match (&effect.alteration, &effect.object) {
                (Some(Alteration::RenameTable(to)), Some(from)) => {
                    (same(from, name) && same(to, table)) || (same(to, name) && same(from, table))
                }
                _ => false,
            })
        })
    }

    /// Whether a copy is meant to leave rows out.
    pub fn selects(&self, at: usize) -> bool {
        const WORDS: [&str; 9] =
            ["where", "join", "distinct", "limit", "group", "ignore", "replace", "conflict", "except"];
        let sql = self.rehearsal.ran.get(at).map_or("", |ran| self.sql(ran));
        WORDS.iter().any(|word| has_word(sql, word))
            || sql.matches(',').count() == 0 && has_word(sql, "values")
    }

    /// The columns that a copy names, in lower case; `None` where it names none.
    pub fn columns(&self, at: usize) -> Option<Vec<String>> {
        let sql = self.rehearsal.ran.get(at).map_or("", |ran| self.sql(ran));
        let lower = sql.to_ascii_lowercase();
        let into = word(&lower, "into")?;
        let rest = lower.get(into..)?;
        let source = ["select", "values", "with"].iter().filter_map(|one| word(rest, one)).min()?;
        let list = rest.get(..source)?;
        let (open, close) = (list.find('(')?, list.rfind(')')?);
        let bare = |name: &str| name.trim().trim_matches(['"', '`', '[', ']', '\'']).to_owned();
        Some(list.get(open + 1..close)?.split(',').map(bare).collect())
    }

    /// The last statement of the unit that dropped, deleted from or altered one of these.
    pub fn last_on(&self, tables: &[&str]) -> Option<usize> {
        self.ran()
            .filter(|(_, ran)| {
                ran.effect().is_some_and(|effect| {
                    let is_one = |name: &str| tables.iter().any(|table| same(table, name));
                    let changes = matches!(
                        effect.kind,
                        Kind::DropTable | Kind::DropView | Kind::AlterTable | Kind::Delete | Kind::Update
                    );
                    changes && effect.object.as_deref().is_some_and(is_one)
                })
            })
            .map(|(at, _)| at)
            .last()
    }
}

/// Where a word stands in a text, and is no name in quotes.
fn word(text: &str, word: &str) -> Option<usize> {
    let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '"' | '`' | '[' | ']');
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|head| head.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

pub(super) fn same(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

#[cfg(test)]
mod tests;
