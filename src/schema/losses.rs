//! What goes with a table that a history drops and makes anew: its indexes and triggers, where nothing makes them again,
//! and views that no longer compile. Who needs them is found out elsewhere.
//!
//! What was meant to go is not lost: what has a DROP of its own, an index on columns that are gone, a trigger that would
//! no longer compile, all that belongs to a table that is gone for good.

use super::apply::Dropped;
use super::head::Head;
use super::history::History;
use super::objects::{Generated, Objects, Table, event_of};
use super::same;
use super::variant::{Outcome, Variant, build_of};
use super::{Kind, Live, RefusalKind, SchemaError, Settings, quoted};
use crate::{
    extract::text::Text,
    migration::{Computed, Declaration, Runs, Step, mentions},
};
use std::collections::HashSet;

/// What kind of object was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossKind {
    /// An index.
    Index,
    /// A trigger.
    Trigger,
    /// A view that no longer compiles.
    View,
}

impl LossKind {
    /// The word of the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Trigger => "trigger",
            Self::View => "view",
        }
    }
}

/// An object that a history loses without saying so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The DROP with which it went, as an index of the outcomes.
    pub drop: usize,
    /// What made it, as an index of the outcomes.
    pub made: usize,
    /// What it was.
    pub kind: LossKind,
    /// Its name.
    pub name: String,
    /// The table that has the place of the dropped one, by the name that it has in the end.
    pub table: String,
    /// Of an index, its terms in their parentheses, and its WHERE.
    pub terms: Option<String>,
    /// Of a trigger, what it fired on: `INSERT`, `UPDATE` or `DELETE`.
    pub event: Option<String>,
}

/// What a history lost, in the order of the DROPs.
pub fn find(declaration: &Declaration, variant: &mut Variant) -> Vec<Loss> {
    let Variant { live, objects, outcomes, .. } = variant;
    let drops = || {
        outcomes.iter().enumerate().filter_map(|(at, outcome)| {
            let effect = outcome.applied.outcome.as_ref().ok()?;
            let (first, rest) = effect.dropped.split_first()?;
            let is_main = effect.schema.as_deref().is_none_or(|schema| same(schema, "main"));
            (is_main && matches!(effect.kind, Kind::DropTable | Kind::DropView)).then_some((at, first, rest))
        })
    };
    let is_broken = objects.views.iter().any(|view| view.columns.is_empty());
    if !drops().any(|(_, _, rest)| is_broken || !rest.is_empty()) {
        return Vec::new();
    }
    let history = History::new(declaration, outcomes);
    let mut search = Search { declaration, history: &history, outcomes, live, objects };
    let mut found = Vec::new();
    for (at, first, rest) in drops().filter(|(at, ..)| history.is_certain(*at)) {
        let Some(today) = history.successor(at, &first.name) else { continue };
        found.extend(rest.iter().filter_map(|gone| match gone.kind.as_str() {
            "index" => search.index(at, first, gone, &today),
            "trigger" => search.trigger(at, gone, &today),
            _ => None,
        }));
        found.extend(search.views(at, first, &today));
    }
    // Of several rebuilds, the first lost an object; a view, the last.
    found.reverse();
    let mut seen = Vec::new();
    found.retain(|loss: &Loss| {
        let is_new = loss.kind != LossKind::View || !seen.contains(&loss.name);
        seen.push(loss.name.clone());
        is_new
    });
    found.reverse();
    found
}

/// What the migrations lost of a database that is made as if they had run: by themselves, from the first one on, and of what
/// a new one has. `variant` is what all steps made, in whose outcomes the losses have their places.
///
/// # Errors
/// As [`super::variant::build`].
pub fn find_beside_snapshot(
    declaration: &Declaration,
    variant: &mut Variant,
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
) -> Result<Vec<Loss>, SchemaError> {
    let of_new = find(declaration, variant);
    let steps = declaration.steps.iter().enumerate();
    let steps: Vec<(usize, &Step)> = steps.filter(|(_, step)| step.runs == Runs::Migration).collect();
    let mut own = build_of(&steps, declaration.origin, settings, fill)?;
    let mut found = find(declaration, &mut own);
    let place = |at: usize| {
        let one = own.outcomes.get(at)?;
        let is_it = |other: &Outcome| other.step == one.step && other.applied.start == one.applied.start;
        variant.outcomes.iter().position(is_it)
    };
    found.retain_mut(|loss| {
        let places = place(loss.drop).zip(place(loss.made));
        (loss.drop, loss.made) = places.unwrap_or((loss.drop, loss.made));
        places.is_some()
    });
    // What a step of theirs makes on the new table is there in older databases. On what only a new database has before, its
    // IF NOT EXISTS does nothing.
    let made: HashSet<(Kind, String)> = own
        .outcomes
        .iter()
        .filter_map(|outcome| outcome.applied.outcome.as_ref().ok().filter(|effect| effect.changed))
        .filter_map(|effect| Some((effect.kind, effect.object.as_ref()?.to_lowercase())))
        .collect();
    let is_other = |loss: &Loss| {
        let kind = if loss.kind == LossKind::Index { Kind::CreateIndex } else { Kind::CreateTrigger };
        let is_own = found.iter().any(|own| own.kind == loss.kind && same(&own.name, &loss.name));
        !is_own && !made.contains(&(kind, loss.name.to_lowercase()))
    };
    let others: Vec<Loss> =
        of_new.into_iter().filter(|loss| loss.kind != LossKind::View && is_other(loss)).collect();
    found.extend(others);
    found.sort_by_key(|loss| loss.drop);
    Ok(found)
}

struct Search<'a> {
    declaration: &'a Declaration,
    history: &'a History<'a>,
    outcomes: &'a [Outcome],
    live: &'a mut Live,
    objects: &'a Objects,
}

impl Search<'_> {
    fn table(&self, name: &str) -> Option<&Table> {
        self.objects.table("main", name)
    }

    /// Whether the program may make something again under a name that it computes.
    fn is_computed(&self, kind: &str, is_on: impl Fn(&str) -> bool) -> bool {
        let of = |one: &Computed| one.kind == kind && one.table.as_deref().is_none_or(&is_on);
        self.declaration.computed.iter().any(of)
    }

    /// The statement that made an object which a DROP took; `None` where it is not certain, or where one that is not
    /// surely earlier makes the object again, or drops it.
    fn only_made_before(&self, drop: usize, name: &str, is_it: impl Fn(&Head) -> bool) -> Option<usize> {
        let mut made = None;
        for (at, head) in self.history.heads().filter(|(at, head)| *at != drop && is_it(head)) {
            if !self.history.is_before(at, drop) {
                return None;
            }
            if self.history.worked(at) && is_named(head, name) {
                made = Some(at);
            }
        }
        made
    }

    fn index(&mut self, drop: usize, of: &Dropped, gone: &Dropped, today: &str) -> Option<Loss> {
        let declared = gone.index.as_ref()?;
        let is_on = |table: &str| same(table, today) || same(table, &of.name) || same(table, &gone.table);
        if self.is_computed("index", is_on) {
            return None;
        }
        // An index of that name on another table is another one.
        let is_its =
            |head: &Head| is_named(head, &gone.name) && head.index().is_none_or(|index| is_on(&index.table));
        let is_alike = |head: &Head| {
            let index = head.index().filter(|index| is_on(&index.table));
            index.is_some_and(|index| serves(&gone.columns, &lower(&index.columns)))
        };
        let made = self.only_made_before(drop, &gone.name, |head| match head.kind {
            Kind::CreateIndex => is_its(head) || is_alike(head),
            Kind::DropIndex => is_named(head, &gone.name),
            _ => false,
        })?;
        let table = self.table(today)?;
        let now = self.objects.indexes_of("main", today).map(|index| {
            let key = index.columns.iter().filter(|column| column.key);
            key.map(|one| one.name.clone().or_else(|| one.expression.clone()).unwrap_or_default()).collect()
        });
        let later = self.outcomes.iter().skip(drop + 1);
        let later = later.filter_map(|outcome| outcome.applied.outcome.as_ref().ok());
        let later = later.flat_map(|effect| &effect.dropped);
        let later =
            later.filter(|one| one.kind == "index" && is_on(&one.table)).map(|one| one.columns.clone());
        let mut others = now.chain(later).chain(rowid(table));
        if others.any(|other: Vec<String>| serves(&gone.columns, &lower(&other))) {
            return None;
        }
        if self.became_column(drop, &declared.columns) {
            return None;
        }
        let is_there = |name: &str| table.columns.iter().any(|column| same(&column.name, name));
        // A name in double quotes that no column has would be taken for a string.
        if gone.columns.iter().any(|name| is_plain(name) && !is_there(name)) {
            return None;
        }
        let named =
            declared.columns.iter().map(|term| if is_there(term) { quoted(term) } else { term.clone() });
        let filter = declared.filter.as_ref().map_or_else(String::new, |filter| format!(" WHERE {filter}"));
        let terms = format!("({}){filter}", named.collect::<Vec<_>>().join(", "));
        let mut workshop = self.live.workshop().ok()?;
        workshop.plan_with("main", today, std::slice::from_ref(&terms), "SELECT 1")?;
        Some(Loss {
            drop,
            made,
            kind: LossKind::Index,
            name: gone.name.clone(),
            table: today.to_owned(),
            terms: Some(terms),
            event: None,
        })
    }

    /// Whether the copy computes an expression of an index: then it has become a column.
    fn became_column(&self, drop: usize, terms: &[String]) -> bool {
        let copies = self.history.heads().filter(|(at, head)| {
            matches!(head.kind, Kind::Insert | Kind::Replace) && self.history.is_one(*at, drop)
        });
        let copies: String = copies.map(|(at, _)| squeezed(self.history.sql(at))).collect();
        terms.iter().filter(|term| !is_plain(term)).any(|term| copies.contains(squeezed(term).as_str()))
    }

    fn trigger(&mut self, drop: usize, gone: &Dropped, today: &str) -> Option<Loss> {
        if self.is_computed("trigger", |table| same(table, today) || same(table, &gone.table)) {
            return None;
        }
        let made = self.only_made_before(drop, &gone.name, |head| {
            matches!(head.kind, Kind::CreateTrigger | Kind::DropTrigger) && is_named(head, &gone.name)
        })?;
        let text = self.history.sql(made);
        let event = event_of(text);
        // One on the same event that was made since may do its work.
        let is_since = |name: &str| {
            let is_it = |head: &Head| head.kind == Kind::CreateTrigger && is_named(head, name);
            self.history.heads().any(|(at, head)| is_it(head) && !self.history.is_before(at, drop))
        };
        let on = self.objects.triggers.iter().filter(|trigger| same(&trigger.table, today));
        if on.filter(|trigger| trigger.event == event).any(|trigger| is_since(&trigger.name)) {
            return None;
        }
        let probe = match event.as_str() {
            "INSERT" => format!("INSERT INTO {} DEFAULT VALUES", quoted(today)),
            "DELETE" => format!("DELETE FROM {}", quoted(today)),
            _ => update(today, &self.columns(today)?),
        };
        let mut workshop = self.live.workshop().ok()?;
        // One that would not work any more was to go.
        let plans = workshop.plans_after(text, &[&probe]);
        plans.first().is_some_and(Option::is_some).then(|| Loss {
            drop,
            made,
            kind: LossKind::Trigger,
            name: gone.name.clone(),
            table: today.to_owned(),
            terms: None,
            event: Some(event),
        })
    }

    /// The columns of a table or view that can be written.
    fn columns(&self, name: &str) -> Option<Vec<String>> {
        let of_table = self.table(name).map(|table| {
            let written = table.columns.iter().filter(|column| column.generated == Generated::No);
            written.map(|column| column.name.clone()).collect()
        });
        let view = || self.objects.views.iter().find(|view| same(&view.name, name));
        of_table.or_else(|| view().map(|view| view.columns.clone()))
    }

    /// The views that no longer compile for want of what a DROP took.
    fn views(&mut self, drop: usize, of: &Dropped, today: &str) -> Vec<Loss> {
        let broken =
            self.objects.views.iter().filter(|view| view.columns.is_empty() && view.schema == "main");
        // A column that the program computes may be the one that is missing.
        let broken = broken.filter(|_| self.declaration.is_complete && !self.is_computed("view", |_| true));
        let broken: Vec<_> = broken.map(|view| (view.name.clone(), mentions(&view.sql).used)).collect();
        let mut found = Vec::new();
        for (name, used) in broken {
            let made = self.only_made_before(drop, &name, |head| {
                matches!(head.kind, Kind::CreateView | Kind::DropView) && is_named(head, &name)
            });
            let refusal = self.live.explain(&format!("SELECT * FROM {}", quoted(&name))).err();
            let (Some(made), Some(refusal)) = (made, refusal) else { continue };
            let bare = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
            let names = |table: &str| used.iter().any(|one| same(one, table));
            let is_gone = match &refusal.kind {
                RefusalKind::NoSuchTable(missing) => {
                    same(&bare(missing), &of.name) && !same(&of.name, today) && names(&of.name)
                }
                RefusalKind::NoSuchColumn(missing) => {
                    of.columns.contains(&bare(missing)) && (names(&of.name) || names(today))
                }
                _ => false,
            };
            if is_gone && self.table(today).is_some() {
                let (kind, table) = (LossKind::View, today.to_owned());
                found.push(Loss { drop, made, kind, name, table, terms: None, event: None });
            }
        }
        found
    }
}

/// Whether a term is a name alone.
fn is_plain(term: &str) -> bool {
    term.chars().all(|one| one.is_alphanumeric() || one == '_')
}

/// An expression without white space, case, and parentheses around it.
fn squeezed(text: &str) -> String {
    let text: String = text.chars().filter(|one| !one.is_whitespace()).flat_map(char::to_lowercase).collect();
    let mut inner = text.as_str();
    while let Some(bare) = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        inner = bare;
    }
    inner.to_owned()
}

fn is_named(head: &Head, name: &str) -> bool {
    head.object.as_deref().is_some_and(|object| same(object, name))
}

fn update(table: &str, columns: &[String]) -> String {
    let set: Vec<String> = columns.iter().map(|name| format!("{0} = {0}", quoted(name))).collect();
    format!("UPDATE {} SET {}", quoted(table), set.join(", "))
}

/// The terms of an index in lower case, whatever their direction.
fn lower(terms: &[String]) -> Vec<String> {
    let undirected = |term: String| {
        let bare = term.strip_suffix(" desc").or_else(|| term.strip_suffix(" asc")).unwrap_or(&term);
        bare.trim_end().to_owned()
    };
    terms.iter().map(|term| undirected(term.to_lowercase())).collect()
}

/// The key of a table that is its rowid.
fn rowid(table: &Table) -> Option<Vec<String>> {
    table.rowid_alias().map(|alias| vec![alias.name.clone()])
}

/// Whether an index on one key does what one on another did: it begins with the same columns, or has the same in another
/// order.
fn serves(lost: &[String], other: &[String]) -> bool {
    other.starts_with(lost) || (other.len() == lost.len() && lost.iter().all(|column| other.contains(column)))
}
