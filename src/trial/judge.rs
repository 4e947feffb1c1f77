//! Whether a statement is better off on a schema that is changed for it: planned and measured on a copy, held against
//! what was measured before. Where nothing is measured, the plans alone tell.

use super::{Action, Change, Cure, Effect, Subject, Verdict, change, compare, cured};
use crate::{
    growth::{Again, Class, Growth, grows, size::TableSize},
    obstacle::{After, weight},
    plan::{Index, Step, TermKind},
    schema::{Explained, Live, Objects, Origin},
    workload::Statement,
};

/// A database on which changes are tried.
pub(super) struct Judge<'a> {
    pub live: &'a mut Live,
    pub objects: &'a Objects,
    pub subjects: &'a [Subject<'a>],
    /// `None` where nothing is measured.
    pub again: Option<&'a Again<'a>>,
    pub sizes: &'a [&'a TableSize],
}

/// A statement on the changed schema.
struct Tried<'a> {
    at: usize,
    subject: &'a Subject<'a>,
    explained: Explained,
    /// `None` where nothing could be measured before, either.
    growth: Option<Growth>,
}

impl Tried<'_> {
    /// Whether a costly statement costs less, as far as an index can have it.
    fn is_relieved(&self) -> bool {
        let before = self.subject.growth;
        self.subject.is_costly && self.growth.as_ref().is_some_and(|one| one.relief(before, "").is_some())
    }

    /// How its cost grows, to be held against what it was.
    fn measured(&self) -> Option<After> {
        cured::after(self.growth.as_ref()?, self.subject.growth, self.explained.proven_constant)
    }
}

/// What a change does.
#[derive(Default)]
pub(super) struct Effects {
    pub all: Vec<Effect>,
    /// The texts, as indexes of the subjects, that are no better off for another index, which takes the place of one that
    /// is left out.
    pub taken_over: Vec<(usize, String)>,
}

impl<'a> Judge<'a> {
    /// What a change does to texts, as indexes of the subjects, whose plan it changes; `None` where it can't be made.
    pub fn effects(&mut self, change: &Change, subjects: &[usize]) -> Option<Effects> {
        self.weighed(change, subjects, false)
    }

    /// The same for who asks for the verdicts alone: how much dearer a text becomes is not found out.
    pub fn verdicts(&mut self, change: &Change, subjects: &[usize]) -> Option<Effects> {
        self.weighed(change, subjects, true)
    }

    fn weighed(&mut self, change: &Change, subjects: &[usize], is_glance: bool) -> Option<Effects> {
        let (tried, refused) = self.tried(&change.run, subjects, is_glance)?;
        let mut effects = Effects::default();
        for one in &tried {
            let Some((mut verdict, after)) = self.verdict(one) else { continue };
            if change.action == Action::NoStatistics && !self.turns(one, verdict) {
                continue;
            }
            if change.action == Action::AddIndex && verdict == Verdict::Same && one.is_relieved() {
                verdict = Verdict::Better;
            }
            let (was, is) = (&one.subject.explained.plan, &one.explained.plan);
            let is_harmed = !is_glance && change.action == Action::DropIndex && verdict == Verdict::Better;
            let cure = if is_harmed { self.cure(change, one) } else { None };
            let (plan, gone, come) = (is.lines(), compare::only_in(was, is), compare::only_in(is, was));
            let measured = if is_harmed { one.measured() } else { None };
            let effect = |&statement| {
                let (plan, gone, come) = (plan.clone(), gone.clone(), come.clone());
                let before = one.subject.growth.class();
                Effect { statement, verdict, before, after, measured, plan, gone, come, cure: cure.clone() }
            };
            effects.all.extend(one.subject.places.iter().map(effect));
            if verdict != Verdict::Better {
                effects.taken_over.extend(self.heir(change, one).map(|heir| (one.at, heir)));
            }
        }
        effects
            .all
            .extend(refused.iter().flat_map(|subject| subject.places.iter().map(|at| gone(*at, subject))));
        Some(effects)
    }

    /// Plans texts on a copy with the change, and measures those whose plan is another one. Gives those that SQLite does not
    /// accept then, too.
    fn tried(
        &mut self,
        change: &str,
        subjects: &[usize],
        is_glance: bool,
    ) -> Option<(Vec<Tried<'a>>, Vec<&'a Subject<'a>>)> {
        let mut copy = change::done(self.live, change)?;
        let (mut tried, mut refused) = (Vec::new(), Vec::new());
        for &at in subjects {
            let Some(subject) = self.subjects.get(at) else { continue };
            match copy.explain(subject.statement.text.as_str()) {
                Err(_) => refused.push(subject),
                Ok(explained) if explained.plan.lines() == subject.explained.plan.lines() => {}
                Ok(explained) => tried.push(Tried { at, subject, explained, growth: None }),
            }
        }
        let is_measured = |one: &Tried<'_>| one.subject.growth.unmeasured.is_none();
        let planned: Vec<(usize, &Statement, Explained)> = tried
            .iter()
            .filter(|one| is_measured(one))
            .filter_map(|one| {
                Some((*one.subject.places.first()?, one.subject.statement, one.explained.clone()))
            })
            .collect();
        let before: Vec<&Growth> =
            tried.iter().filter(|one| is_measured(one)).map(|one| one.subject.growth).collect();
        let growths = match self.again {
            Some(again) if is_glance => again.hold_against(&mut copy, &planned, &before),
            Some(again) => again.measure(&mut copy, &planned),
            None => Vec::new(),
        };
        for (one, growth) in tried.iter_mut().filter(|one| is_measured(one)).zip(growths) {
            one.growth = Some(growth);
        }
        Some((tried, refused))
    }

    /// Whether a statement is better off, and how its cost grows; `None` where nothing is known.
    fn verdict(&self, one: &Tried<'_>) -> Option<(Verdict, Class)> {
        let (was, is) = (one.subject.explained, &one.explained);
        let (class, is_costly) = match &one.growth {
            Some(growth) if growth.unmeasured.is_some() => return None,
            Some(growth) => {
                let is_open = one.subject.is_costly && growth.leaves_open(one.subject.growth);
                (growth.class(), growth.is_wasteful() || is_open)
            }
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

    /// Whether a statement becomes costly that was not, or the reverse.
    fn turns(&self, one: &Tried<'_>, verdict: Verdict) -> bool {
        verdict == Verdict::Better
            || !one.subject.is_costly
                && match &one.growth {
                    Some(growth) => growth.is_wasteful(),
                    None => {
                        self.is_narrow(one, one.subject.explained) && !self.is_narrow(one, &one.explained)
                    }
                }
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
        let (tried, _) = self.tried(&another.run, &[one.at], true)?;
        let with = tried
            .first()
            .filter(|with| self.verdict(with).is_some_and(|(verdict, _)| verdict == Verdict::Better))?;
        let step = with.explained.plan.steps.iter().find(|step| compare::goes_by(step, &another.index))?;
        Some(Cure { sql: another.sql, step: step.detail.clone() })
    }

    /// The index that takes the place of one that is left out.
    fn heir(&self, change: &Change, one: &Tried<'_>) -> Option<String> {
        let lost =
            one.subject.explained.plan.steps.iter().find(|step| compare::goes_by(step, &change.index))?;
        let heir = compare::named_like(&one.explained.plan, lost).find(|step| self.can_be_widened(step))?;
        let Some(Index::Named { name, .. }) = &heir.index else { return None };
        Some(name.clone())
    }

    /// Whether a step goes by an index that CREATE INDEX made, and that keeps nothing unique.
    fn can_be_widened(&self, step: &Step) -> bool {
        let Some(Index::Named { name, .. }) = &step.index else { return false };
        let mut indexes = self.objects.indexes.iter().filter(|index| index.origin == Origin::Create);
        indexes.any(|index| index.name.eq_ignore_ascii_case(name) && !index.unique)
    }
}

/// The effect on a statement that SQLite does not accept any more, such as one that names the index.
fn gone(statement: usize, subject: &Subject<'_>) -> Effect {
    let class = subject.growth.class();
    let (plan, gone, come) = (Vec::new(), subject.explained.plan.lines(), Vec::new());
    let verdict = Verdict::Worse;
    Effect { statement, verdict, before: class, after: class, measured: None, plan, gone, come, cure: None }
}

/// The columns that a step seeks in this way.
fn columns(step: &Step, kind: TermKind) -> Vec<&str> {
    step.terms.iter().filter(|term| term.kind == kind).map(|term| term.column.as_str()).collect()
}
