//! What helps a statement without another index or other conditions: the planner is told what the rows are like, by
//! ANALYZE, or which of the indexes it is to take, by INDEXED BY. Each is planned, and measured on the same rows as before;
//! what is not measured to help is not said.
//!
//! Both are for statements that no index and no other text was proved to help: an index is right for whatever the rows are
//! like, and these are for rows as they were made. ANALYZE is tried with the statistics of rows in which the statement
//! costs most, and is no cure where it makes another statement slower; what a program's own statistics mend is no
//! defect of it. INDEXED BY binds the program to a name, and is the last resort. Knows nothing of the statistics that a
//! database in the field has.

use super::{Known, Subject, compare, cured, slower};
use crate::{
    growth::{Again, Class, Data},
    obstacle::{After, Fix, FixKind, Kind, Obstacle, Obstructed, spelled},
    plan::{Index, Op, Plan, Step},
    schema::{
        Explained, IndexObject, Live, Objects, Origin, StatementKind,
        replan::Workshop,
        same,
        tokens::{self, Token, Tokens},
    },
    workload::Statement,
};
use std::collections::BTreeSet;

/// The most texts that are tried with the name of an index, for one statement.
const MOST: usize = 24;
/// The most of them that are measured.
const MOST_MEASURED: usize = 4;

/// What was found of a statement, by its place among all.
pub(super) type Hint = (usize, Obstacle);

/// A costly statement that the planner could run in another way.
struct Case<'a> {
    at: &'a Subject<'a>,
    place: usize,
}

/// What is asked of a database.
pub(super) struct Asked<'a, 'b> {
    pub objects: &'a Objects,
    pub subjects: &'b [Subject<'a>],
    pub known: &'b Known<'b>,
    /// The tables of which the program keeps statistics, in lower case.
    pub kept: &'b BTreeSet<String>,
    pub obstacles: &'b [Obstructed],
    pub is_told: super::Tells<'b>,
    /// Its statements are planned with statistics.
    pub is_analyzed: bool,
}

impl Asked<'_, '_> {
    /// Whether anything may be tried.
    pub fn has_any(&self) -> bool {
        self.subjects.iter().any(|one| one.is_costly && self.place(one).is_some())
    }

    /// The costly statements that are told of aloud, which nothing was proved to help, and where the planner has a choice:
    /// an index that it does not take, or the order of two tables.
    fn cases(&self, measured: &[cured::Measured]) -> Vec<Case<'_>> {
        let costly = self.subjects.iter().filter(|one| one.is_costly && !one.growth.trials.is_empty());
        let has_choice =
            |at: &Subject<'_>| reading(&at.explained.plan).nth(1).is_some() || self.passes_over(at);
        let case = |at| {
            let place = *self.place(at)?;
            // With statistics it may skip a column of few values.
            let is_open = self.keeps(at) || (has_choice(at) && !self.is_cured(place, measured));
            is_open.then_some(Case { at, place })
        };
        costly.filter_map(case).collect()
    }

    /// Whether the program keeps statistics of all that a statement touches.
    fn keeps(&self, one: &Subject<'_>) -> bool {
        !self.kept.is_empty() && slower::tables(one.explained).all(|table| self.kept.contains(&table))
    }

    /// Whether a statement does not go by an index of a table that it reads, and says the first column of it.
    fn passes_over(&self, one: &Subject<'_>) -> bool {
        let (plan, sql) = (&one.explained.plan, one.statement.text.as_str());
        let mut steps = reading(plan);
        steps.any(|(_, step)| self.indexes(step).any(|index| !compare::uses(plan, index) && says(sql, index)))
    }

    /// The indexes of the table of a step.
    fn indexes<'c>(&'c self, step: &'c Step) -> impl Iterator<Item = &'c IndexObject> {
        let of = step.schema.as_deref().zip(step.table.as_deref());
        of.into_iter().flat_map(|(schema, table)| self.objects.indexes_of(schema, table))
    }

    fn place<'c>(&self, one: &'c Subject<'_>) -> Option<&'c usize> {
        one.places.iter().find(|at| self.known.statements.get(**at).is_some_and(self.is_told))
    }

    /// Whether something was proved to help a statement.
    fn is_cured(&self, place: usize, measured: &[cured::Measured]) -> bool {
        let mut own = self.obstacles.iter().enumerate().filter(|(_, one)| one.statement == place);
        own.any(|(at, one)| {
            one.obstacles.iter().enumerate().any(|(number, obstacle)| {
                // What was measured with others comes behind what was measured alone.
                let after = measured.iter().rfind(|one| (one.0, one.1) == (at, number)).map(|one| one.2);
                obstacle.fix.as_ref().is_some_and(|fix| Fix { after, ..fix.clone() }.is_proved())
            })
        })
    }

    /// Whether statements are planned with statistics already, or the schema brings some: how they run with others is not
    /// known.
    fn has_statistics(&self) -> bool {
        let has_table = || self.objects.tables.iter().any(|table| same(&table.name, "sqlite_stat1"));
        self.is_analyzed || has_table()
    }

    /// What helps, for all costly statements.
    pub fn hints(&self, again: &Again<'_>, live: &mut Live, measured: &[cured::Measured]) -> Vec<Hint> {
        if self.has_statistics() {
            return Vec::new();
        }
        let cases = self.cases(measured);
        let mut hints = Vec::new();
        for data in [Data::Uniform, Data::FirstCommon, Data::LastCommon, Data::FewGroups] {
            let is_worst =
                |case: &&Case<'_>| case.at.growth.trials.first().is_some_and(|one| one.data == data);
            let (kept, others): (Vec<&Case<'_>>, Vec<&Case<'_>>) =
                cases.iter().filter(is_worst).partition(|case| self.keeps(case.at));
            for (kind, own) in [(FixKind::Kept, kept), (FixKind::Analyze, others)] {
                if !own.is_empty() {
                    hints.extend(self.analyzed(again, live, (data, kind), &own).unwrap_or_default());
                }
            }
        }
        let is_left = |case: &&Case<'_>| hints.iter().all(|(place, _): &Hint| *place != case.place);
        let left: Vec<&Case<'_>> = cases.iter().filter(is_left).collect();
        hints.extend(self.named(again, live, &left).unwrap_or_default());
        let all = hints.into_iter().flat_map(|(place, obstacle)| {
            let subject = self.subjects.iter().find(|one| one.places.contains(&place));
            let places = subject.map_or_else(Vec::new, |one| one.places.clone());
            places.into_iter().map(move |place| (place, obstacle.clone()))
        });
        all.collect()
    }

    /// What ANALYZE does, where rows are like this.
    fn analyzed(
        &self,
        again: &Again<'_>,
        live: &mut Live,
        (data, kind): (Data, FixKind),
        cases: &[&Case<'_>],
    ) -> Option<Vec<Hint>> {
        let mut copy = live.copy().ok()?;
        let touched = self.touched(cases);
        let explained: Vec<&Explained> = touched.iter().map(|one| one.explained).collect();
        again.analyze(&mut copy, data, &explained)?;
        let tried = cases.iter().filter_map(|case| Some((*case, changed(&mut copy, case.at)?)));
        // How far a range reaches, no statistics tell.
        let tried = tried.filter(|(case, now)| seeks(&case.at.explained.plan, &now.plan));
        let tried: Vec<(&Case<'_>, Explained)> = tried.collect();
        let planned = tried.iter().map(|(case, now)| (case.place, case.at.statement, now.clone()));
        let growths = again.measure(&mut copy, &planned.collect::<Vec<_>>());
        let mut hints = Vec::new();
        for ((case, now), growth) in tried.iter().zip(&growths) {
            let after = cured::after(growth, case.at.growth, now.proven_constant);
            if let Some(after) = after.filter(|after| !after.is_wasteful) {
                hints.extend(analyze(case, now, after, kind));
            }
        }
        let others: Vec<&Subject<'_>> = touched
            .into_iter()
            .filter(|one| hints.iter().all(|(place, _)| !one.places.contains(place)))
            .collect();
        // Nobody asks a program that keeps statistics whether it is to.
        let mut is_taken = || kind == FixKind::Kept || !slower::makes_slower(again, &mut copy, &others);
        (!hints.is_empty() && is_taken()).then_some(hints)
    }

    /// The statements that touch a table of these, and these. All that they touch is analyzed: of one whose tables have
    /// statistics in part, nothing can be said.
    fn touched(&self, cases: &[&Case<'_>]) -> Vec<&Subject<'_>> {
        let known = cases.iter().flat_map(|case| slower::tables(case.at.explained)).collect();
        self.subjects.iter().filter(|one| slower::touches(one.explained, &known)).collect()
    }

    /// What the name of an index in the statement does.
    fn named(&self, again: &Again<'_>, live: &mut Live, cases: &[&Case<'_>]) -> Option<Vec<Hint>> {
        let mut texts: Vec<(&Case<'_>, Named)> = Vec::new();
        {
            let mut workshop = live.workshop().ok()?;
            for case in cases.iter().filter(|case| case.at.statement.holes == 0) {
                workshop.allow(MOST);
                texts.extend(self.texts(case.at, &mut workshop).into_iter().map(|text| (*case, text)));
            }
        }
        if texts.is_empty() {
            return None;
        }
        let mut copy = live.copy().ok()?;
        let mut planned = Vec::new();
        for (case, text) in texts {
            let written = cured::in_other_words(case.at.statement, &text.sql);
            let explained = copy.explain(&text.sql).ok();
            planned
                .extend(written.zip(explained).map(|(written, explained)| (case, text, written, explained)));
        }
        let jobs: Vec<(usize, &Statement, Explained)> = planned
            .iter()
            .map(|(case, _, written, explained)| (case.place, written, explained.clone()))
            .collect();
        let growths = again.measure(&mut copy, &jobs);
        let mut best: Vec<(Hint, (Class, u64))> = Vec::new();
        for ((case, text, _, explained), growth) in planned.iter().zip(&growths) {
            let after = cured::after(growth, case.at.growth, explained.proven_constant);
            let Some(after) = after.filter(|after| !after.is_wasteful) else { continue };
            let found =
                ((case.place, text.obstacle(case.at, explained, after)), (after.class, steps(&after)));
            match best.iter_mut().find(|((place, _), _)| *place == case.place) {
                Some(other) if other.1 > found.1 => *other = found,
                Some(_) => {}
                None => best.push(found),
            }
        }
        Some(best.into_iter().map(|(hint, _)| hint).collect())
    }

    /// The statement with the name of each index that it does not go by, where SQLite goes by it then.
    fn texts(&self, one: &Subject<'_>, workshop: &mut Workshop<'_>) -> Vec<Named> {
        let (sql, plan) = (one.statement.text.as_str(), &one.explained.plan);
        if !matches!(
            one.explained.kind,
            StatementKind::Select | StatementKind::Update | StatementKind::Delete
        ) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (number, step) in reading(plan) {
            // What SQLite names itself may have another name tomorrow.
            let own = self.indexes(step).filter(|index| index.origin == Origin::Create && says(sql, index));
            for index in own.filter(|index| !compare::goes_by(step, &index.name)) {
                let texts = places(sql, &index.table).into_iter().filter_map(|(start, end)| {
                    let name = format!("INDEXED BY {}", spelled(&index.name));
                    let part = format!("{} {name}", sql.get(start..end)?);
                    let text = format!("{} {name}{}", sql.get(..end)?, sql.get(end..)?);
                    let plan = workshop.plan(&text)?;
                    let mut own = compare::named_like(&plan, step);
                    let is_taken = own.any(|now| now.op == Op::Search && compare::goes_by(now, &index.name));
                    let (sql, index) = (text, index.name.clone());
                    is_taken.then_some(Named { sql, part, index, step: number, start, end })
                });
                found.extend(texts);
            }
        }
        found.truncate(MOST_MEASURED);
        found
    }
}

/// A statement with the name of an index.
struct Named {
    sql: String,
    part: String,
    index: String,
    step: usize,
    /// The bytes of the table in the statement.
    start: usize,
    end: usize,
}

impl Named {
    fn obstacle(&self, one: &Subject<'_>, explained: &Explained, after: After) -> Obstacle {
        let step = one.explained.plan.steps.get(self.step);
        let way = match step.and_then(|step| step.index.as_ref()) {
            Some(Index::Named { name, .. }) => format!("goes by `{name}`"),
            Some(_) => "goes by the primary key".to_owned(),
            None => "reads the whole table".to_owned(),
        };
        let words = format!(
            "SQLite {way}, and would read less by `{}`. Nothing else was proved to help; a statement with INDEXED BY is \
             refused where that index is missing",
            self.index
        );
        let now = explained.plan.steps.iter().find(|step| compare::goes_by(step, &self.index));
        let fix = Fix {
            kind: FixKind::Rewrite,
            text: self.sql.clone(),
            part: self.part.clone(),
            condition: None,
            step: now.map_or_else(String::new, |step| step.detail.clone()),
            plan: explained.plan.lines(),
            after: Some(after),
            needs_measure: true,
        };
        let (start, end, index) = (self.start, self.end, Some(self.index.clone()));
        passed_over((self.step, start, end), index, words, fix)
    }
}

/// What ANALYZE does, at each step that it changes.
fn analyze(case: &Case<'_>, now: &Explained, after: After, kind: FixKind) -> Vec<Hint> {
    let (was, is) = (&case.at.explained.plan, &now.plan);
    let gone = compare::only_in(was, is);
    let come = compare::only_in(is, was).join(" and ");
    let steps = reading(was).filter(|(_, step)| gone.contains(&step.detail));
    let end = case.at.statement.text.as_str().len();
    let hint = |(at, _): (usize, &Step)| {
        let words = if kind == FixKind::Kept {
            "it runs like this until there are statistics, which the program keeps itself"
        } else {
            "without statistics SQLite takes a way that is right for other rows than these; `PRAGMA optimize`, run before a \
             connection is closed, keeps up to date what `ANALYZE` writes"
        };
        let fix = Fix {
            kind,
            text: "ANALYZE".to_owned(),
            part: "ANALYZE".to_owned(),
            condition: None,
            step: come.clone(),
            plan: is.lines(),
            after: Some(after),
            needs_measure: true,
        };
        (case.place, passed_over((at, 0, end), None, words.to_owned(), fix))
    };
    steps.map(hint).collect()
}

fn passed_over(
    (step, start, end): (usize, usize, usize),
    index: Option<String>,
    words: String,
    fix: Fix,
) -> Obstacle {
    Obstacle {
        step,
        kind: Kind::PassedOver,
        start,
        end,
        column: None,
        index,
        words,
        advice: None,
        fix: Some(fix),
    }
}

/// Whether a statement has the word that an index begins with.
fn says(sql: &str, index: &IndexObject) -> bool {
    let Some(first) = index.columns.first().and_then(|first| first.name.as_deref()) else { return true };
    let mut words = Tokens::from(sql, 0).filter(Token::is_name);
    words.any(|word| same(&word.name(), first))
}

/// Whether all that is searched in another way is searched by a value.
fn seeks(was: &Plan, is: &Plan) -> bool {
    let is_new = |step: &&Step| was.steps.iter().all(|one| one.detail != step.detail);
    let mut new = reading(is).map(|(_, step)| step).filter(is_new);
    new.all(|step| step.op != Op::Search || step.equalities() > 0 || step.ranges() == 0)
}

/// The own steps of a statement that read a table, with their places.
fn reading(plan: &Plan) -> impl Iterator<Item = (usize, &Step)> {
    let reads = |step: &Step| {
        step.program.is_none() && step.table.is_some() && matches!(step.op, Op::Scan | Op::Search)
    };
    plan.steps.iter().enumerate().filter(move |(_, step)| reads(step))
}

/// How a statement is run on a changed database, where that is another way.
pub(super) fn changed(live: &mut Live, one: &Subject<'_>) -> Option<Explained> {
    let explained = live.explain(one.statement.text.as_str()).ok()?;
    (explained.plan.lines() != one.explained.plan.lines()).then_some(explained)
}

/// The steps with many rows.
fn steps(after: &After) -> u64 {
    after.steps.map_or(0, |[_, (_, steps)]| steps)
}

/// Where the name of a table stands as one that is read: from it to the end of its alias.
fn places(sql: &str, table: &str) -> Vec<(usize, usize)> {
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let is_name = |token: &Token<'_>| {
        matches!(token.kind, tokens::Kind::Word | tokens::Kind::Quoted) && same(&token.name(), table)
    };
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| is_name(token)) {
        let next = |number: usize| tokens.get(at + number);
        let is_alias = |token: &&Token<'_>| matches!(token.kind, tokens::Kind::Word | tokens::Kind::Quoted);
        let alias = match next(1) {
            Some(word) if word.is("AS") => next(2),
            other => other.filter(is_alias),
        };
        found.push((token.start, token.end));
        found.extend(alias.map(|alias| (token.start, alias.end)));
    }
    found
}
