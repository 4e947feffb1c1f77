//! Whether a statement is better off on a schema that is changed for it: planned and measured on a copy, held against
//! what was measured before. Where nothing is measured, the plans alone tell.

use super::{Action, Change, Cure, Effect, Subject, Verdict, change, compare};
use crate::{
    growth::{Again, Class, Growth, grows, size::TableSize},
    obstacle::weight,
    plan::{Index, Step, TermKind},
    schema::{Explained, Live, Objects, Origin},
    workload::Statement,
};

/// A database on which changes are tried.
pub(super) struct Judge<'a> {
    pub live: &'a mut Live,
    pub objects: &'a Objects,
    /// `None` where nothing is measured.
    pub again: Option<Again<'a>>,
    pub sizes: &'a [&'a TableSize],
}

/// A statement on the changed schema.
struct Tried<'a> {
    subject: &'a Subject<'a>,
    explained: Explained,
    /// `None` where nothing could be measured before, either.
    growth: Option<Growth>,
}

impl Judge<'_> {
    /// What a change does to texts whose plan it changes; `None` where it can't be made.
    pub fn effects(&mut self, change: &Change, subjects: &[&Subject<'_>]) -> Option<Vec<Effect>> {
        let tried = self.tried(&change.run, subjects)?;
        let mut effects = Vec::new();
        for one in &tried {
            let Some((verdict, after)) = self.verdict(one) else { continue };
            let (was, is) = (&one.subject.explained.plan, &one.explained.plan);
            let is_harmed = change.action == Action::DropIndex && verdict == Verdict::Better;
            let cure = if is_harmed { self.cure(change, one) } else { None };
            let effect = |&statement| Effect {
                statement,
                verdict,
                before: one.subject.growth.class(),
                after,
                plan: is.lines(),
                gone: compare::only_in(was, is),
                come: compare::only_in(is, was),
                cure: cure.clone(),
            };
            effects.extend(one.subject.places.iter().map(effect));
        }
        Some(effects)
    }

    /// Plans texts on a copy with the change, and measures those whose plan is another one.
    fn tried<'b>(&mut self, change: &str, subjects: &[&'b Subject<'b>]) -> Option<Vec<Tried<'b>>> {
        let mut copy = self.live.copy().ok()?;
        if copy.apply(change).iter().any(|applied| applied.outcome.is_err()) {
            return None;
        }
        let mut tried: Vec<Tried<'b>> = Vec::new();
        for &subject in subjects {
            let Ok(explained) = copy.explain(subject.statement.text.as_str()) else { continue };
            if explained.plan.lines() != subject.explained.plan.lines() {
                tried.push(Tried { subject, explained, growth: None });
            }
        }
        let is_measured = |one: &&Tried<'_>| one.subject.growth.unmeasured.is_none();
        let planned: Vec<(usize, &Statement, Explained)> = tried
            .iter()
            .filter(is_measured)
            .filter_map(|one| {
                Some((*one.subject.places.first()?, one.subject.statement, one.explained.clone()))
            })
            .collect();
        let growths = self.again.as_ref().map_or_else(Vec::new, |again| again.measure(&mut copy, &planned));
        let wanted = tried.iter_mut().filter(|one| one.subject.growth.unmeasured.is_none());
        for (one, growth) in wanted.zip(growths) {
            one.growth = Some(growth);
        }
        Some(tried)
    }

    /// Whether a statement is better off, and how its cost grows; `None` where nothing is known.
    fn verdict(&self, one: &Tried<'_>) -> Option<(Verdict, Class)> {
        let (was, is) = (one.subject.explained, &one.explained);
        let (class, is_costly) = match &one.growth {
            Some(growth) if growth.unmeasured.is_some() => return None,
            Some(growth) => (growth.class(), growth.is_wasteful()),
            None => {
                let is_better = self.is_narrow(one, is) && !self.is_narrow(one, was);
                let is_costly = one.subject.is_costly && !is_better;
                (if is_costly { Class::Linear } else { Class::Constant }, is_costly)
            }
        };
        let verdict = match (one.subject.is_costly, is_costly) {
            (true, false) => Verdict::Better,
            (false, true) => Verdict::Worse,
            _ if weight(&is.plan) > weight(&was.plan) => Verdict::Worse,
            _ => Verdict::Same,
        };
        Some((verdict, class))
    }

    fn is_narrow(&self, one: &Tried<'_>, explained: &Explained) -> bool {
        let grows = |table: &str| {
            let mut tables = self.objects.tables.iter().filter(|one| one.name.eq_ignore_ascii_case(table));
            tables.any(|table| grows(self.sizes, table))
        };
        explained.proven_constant
            || compare::is_narrow(&explained.plan, one.subject.statement.names.as_deref(), grows)
    }

    /// An index on the columns by which a text is searched without an index, and on those by which it was searched with
    /// it: of more columns, it wins. Only where what serves the text can be widened so.
    fn cure(&mut self, change: &Change, one: &Tried<'_>) -> Option<Cure> {
        let (was, is) = (&one.subject.explained.plan, &one.explained.plan);
        let lost = was.steps.iter().find(|step| compare::goes_by(step, &change.index))?;
        let come = compare::named_like(is, lost).find(|step| self.can_be_widened(step))?;
        let mut columns = columns(come, TermKind::Equal);
        let sought = columns.len();
        for column in self::columns(lost, TermKind::Equal) {
            if !columns.iter().any(|one| one.eq_ignore_ascii_case(column)) {
                columns.push(column);
            }
        }
        if sought == 0 || columns.len() == sought || columns.contains(&"<expr>") {
            return None;
        }
        let another = change::another(self.objects, &change.schema, &change.table, &columns);
        let tried = self.tried(&another.run, &[one.subject])?;
        let with = tried
            .first()
            .filter(|with| self.verdict(with).is_some_and(|(verdict, _)| verdict == Verdict::Better))?;
        let step = with.explained.plan.steps.iter().find(|step| compare::goes_by(step, &another.index))?;
        Some(Cure { sql: another.sql, step: step.detail.clone() })
    }

    /// Whether a step goes by an index that CREATE INDEX made.
    fn can_be_widened(&self, step: &Step) -> bool {
        let Some(Index::Named { name, .. }) = &step.index else { return false };
        let mut indexes = self.objects.indexes.iter().filter(|index| index.origin == Origin::Create);
        indexes.any(|index| index.name.eq_ignore_ascii_case(name) && !index.unique)
    }
}

/// The columns that a step seeks in this way.
fn columns(step: &Step, kind: TermKind) -> Vec<&str> {
    step.terms.iter().filter(|term| term.kind == kind).map(|term| term.column.as_str()).collect()
}
