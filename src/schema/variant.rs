//! Builds the schema that a declaration makes. What fails for want of something that a later step makes is tried
//! again at the end, if the order was a guess.

use super::{
    Alteration, Applied, Kind, Live, Moment, Objects, Refusal, RefusalKind, SchemaError, Settings,
    head::Head, moment::Record, quoted, statements, tokens::Tokens,
};
use crate::{
    extract::{names, text::Text},
    migration::{Declaration, Origin, Step, mentions},
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A schema, and how it was made.
#[derive(Debug)]
pub struct Variant {
    /// The database.
    pub live: Live,
    /// What is in it.
    pub objects: Objects,
    /// What became of every statement, in the order of the steps.
    pub outcomes: Vec<Outcome>,
    /// The database before each step, and behind the last, what was tried again aside: as far as that could be kept.
    pub moments: Vec<Moment>,
}

/// A statement of a step, and what became of it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The step, as an index of the declaration's steps.
    pub step: usize,
    /// The statement within the text that ran.
    pub applied: Applied,
    /// The text that ran: the step's, its holes filled.
    pub text: Text,
    /// Whether it worked only after steps that come later.
    pub was_early: bool,
}

impl Outcome {
    fn head(&self) -> Head {
        Head::read(self.text.as_str().get(self.applied.start..self.applied.end).unwrap_or(""))
    }

    fn kind(&self) -> Kind {
        self.head().kind
    }
}

/// What is told while a schema is made.
#[derive(Debug, Clone, Copy)]
pub enum Making<'a> {
    /// It begins, perhaps anew.
    Begun,
    /// A step was run.
    Ran {
        /// Its number.
        step: usize,
        /// The database before it.
        before: &'a Moment,
        /// What became of its statements.
        outcomes: &'a [Outcome],
    },
}

/// Builds the schema that all steps of a declaration make, and keeps what is there before each. Where a step needs a function
/// or a collation that the program registers, all is built anew with a stub for it.
///
/// # Errors
/// SQLite cannot open a database, or a setting is refused.
pub fn build(
    declaration: &Declaration,
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
) -> Result<Variant, SchemaError> {
    build_telling(declaration, settings, fill, &mut |_| ())
}

/// The same, and tells of each step before which the database is kept.
///
/// # Errors
/// As [`build`].
pub fn build_telling(
    declaration: &Declaration,
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
    tell: &mut dyn FnMut(Making<'_>),
) -> Result<Variant, SchemaError> {
    let steps: Vec<(usize, &Step)> = declaration.steps.iter().enumerate().collect();
    build_from(&steps, declaration.origin, settings, fill, Some(tell))
}

/// Builds the schema that some steps make, each with its number.
pub(super) fn build_of(
    steps: &[(usize, &Step)],
    origin: Origin,
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
) -> Result<Variant, SchemaError> {
    build_from(steps, origin, settings, fill, None)
}

fn build_from(
    steps: &[(usize, &Step)],
    origin: Origin,
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
    mut tell: Option<&mut (dyn FnMut(Making<'_>) + '_)>,
) -> Result<Variant, SchemaError> {
    let mut settings = settings.clone();
    let mut tries = 0..8;
    loop {
        let (live, outcomes, moments) = run((steps, origin), &settings, fill, tell.as_deref_mut())?;
        if tries.next().is_none() || !learn(&mut settings, &outcomes) {
            return Ok(Variant { moments, ..finish((steps, origin), live, outcomes)? });
        }
    }
}

fn run(
    (steps, origin): (&[(usize, &Step)], Origin),
    settings: &Settings,
    fill: &dyn Fn(&Text) -> Text,
    tell: Option<&mut (dyn FnMut(Making<'_>) + '_)>,
) -> Result<(Live, Vec<Outcome>, Vec<Moment>), SchemaError> {
    let mut live = Live::open(settings)?;
    make_beforehand(&mut live);
    let mut outcomes = Vec::new();
    let mut record = Record::default();
    let mut told = tell.filter(|_| settings.attached.is_empty());
    if let Some(tell) = &mut told {
        tell(Making::Begun);
        told = told.filter(|_| record.note(&mut live, &[]).unwrap_or(false));
    }
    for (index, step) in steps {
        if origin == Origin::Guessed && names::find_word(step.text.as_str(), "rename").is_some() {
            indexes_again(&mut live, step.text.as_str(), &mut outcomes);
        }
        let new = run_step(&mut live, *index, step, fill);
        if let (Some(tell), Some(before)) = (&mut told, record.moments.last()) {
            tell(Making::Ran { step: *index, before, outcomes: &new });
        }
        told = told.filter(|_| record.note(&mut live, &new).unwrap_or(false));
        outcomes.extend(new);
    }
    Ok((live, outcomes, record.moments))
}

/// Makes the tables that are there before the first step.
pub fn make_beforehand(live: &mut Live) {
    for sql in live.settings().beforehand.clone() {
        live.apply(&sql);
    }
}

/// Runs one step.
pub fn run_step(live: &mut Live, index: usize, step: &Step, fill: &dyn Fn(&Text) -> Text) -> Vec<Outcome> {
    let text = if step.text.holes().is_empty() { step.text.clone() } else { fill(&step.text) };
    if step.replaces {
        for name in mentions(text.as_str()).created.iter().map(|name| quoted(name)) {
            live.apply(&format!("DROP VIEW IF EXISTS {name}"));
            live.apply(&format!("DROP TABLE IF EXISTS {name}"));
        }
    }
    let outcome = |applied| Outcome { step: index, applied, text: text.clone(), was_early: false };
    let is_wrapped = step.wrapped == Some(true);
    let ends = is_wrapped && ends_transaction(text.as_str());
    if ends {
        live.begin_transaction();
    }
    let keys = live.migrating_keys;
    let outcomes = live.apply(text.as_str()).into_iter().map(outcome).collect();
    if is_wrapped && !ends {
        // A PRAGMA foreign_keys does nothing within the runner's transaction.
        live.migrating_keys = keys;
    }
    outcomes
}

/// Whether a text ends a transaction that it did not begin: then it needs one around it.
fn ends_transaction(text: &str) -> bool {
    let mut statements = statements(text).filter_map(|(start, end)| text.get(start..end));
    let first = statements.find(|sql| {
        let is_one = Kind::of(sql) == Kind::Transaction;
        is_one && Tokens::from(sql, 0).next().is_some_and(|word| !word.is("savepoint") && !word.is("release"))
    });
    first.and_then(|sql| Tokens::from(sql, 0).next()).is_some_and(|word| !word.is("begin"))
}

/// Ends the making of a schema: what failed only for its place in a guessed order is tried again.
pub(super) fn finish(
    (steps, origin): (&[(usize, &Step)], Origin),
    mut live: Live,
    mut outcomes: Vec<Outcome>,
) -> Result<Variant, SchemaError> {
    if origin == Origin::Guessed {
        // An index that was made for what had another name then is made for what has it now, too.
        for early in
            outcomes.iter().filter(|outcome| outcome.was_early && outcome.kind() == Kind::CreateIndex)
        {
            again(&mut live, &early.text, early.applied.clone());
        }
        let aside = put_aside(steps, &outcomes);
        try_again(&mut live, &mut outcomes, &aside);
    }
    let objects = live.objects()?;
    Ok(Variant { live, objects, outcomes, moments: Vec::new() })
}

/// Adds to the settings what refused statements miss; false where there is nothing new to add.
fn learn(settings: &mut Settings, outcomes: &[Outcome]) -> bool {
    let before = settings.functions.len() + settings.collations.len();
    for refusal in outcomes.iter().filter_map(|outcome| outcome.applied.outcome.as_ref().err()) {
        match &refusal.kind {
            RefusalKind::NoSuchFunction(name) if !settings.functions.contains(&(name.clone(), -1)) => {
                settings.functions.push((name.clone(), -1));
            }
            RefusalKind::NoSuchCollation(name) if !settings.collations.contains(name) => {
                settings.collations.push(name.clone());
            }
            _ => {}
        }
    }
    settings.functions.len() + settings.collations.len() > before
}

/// Adds a stub for what a refusal misses; false where nothing could be added.
pub fn add_missing(live: &mut Live, refusal: &Refusal) -> bool {
    match &refusal.kind {
        RefusalKind::NoSuchFunction(name) => live.add_function(name).is_ok(),
        RefusalKind::NoSuchCollation(name) => live.add_collation(name).is_ok(),
        _ => false,
    }
}

fn again(live: &mut Live, text: &Text, before: Applied) -> Applied {
    let sql = text.as_str().get(before.start..before.end).unwrap_or("");
    match live.apply(sql).into_iter().next() {
        Some(applied) => Applied { start: before.start, end: before.end, ..applied },
        None => before,
    }
}

/// Whether a statement may work once others have run. What takes away something that is not there makes room for what follows.
fn is_early(outcome: &Outcome) -> bool {
    let Err(refusal) = &outcome.applied.outcome else { return false };
    let drops =
        || matches!(outcome.kind(), Kind::DropTable | Kind::DropView | Kind::DropIndex | Kind::DropTrigger);
    matches!(
        refusal.kind,
        RefusalKind::NoSuchTable(_) | RefusalKind::NoSuchColumn(_) | RefusalKind::NoSuchIndex(_)
    ) && !drops()
}

/// Makes the indexes of what had not been there in its turn, before a step gives it another name.
fn indexes_again(live: &mut Live, step: &str, outcomes: &mut [Outcome]) {
    let words: HashSet<String> = Tokens::from(step, 0).map(|token| token.name().to_lowercase()).collect();
    for outcome in outcomes {
        let missing = match &outcome.applied.outcome {
            Err(Refusal { kind: RefusalKind::NoSuchTable(name), .. }) => name.to_lowercase(),
            _ => continue,
        };
        let name = missing.rsplit('.').next().unwrap_or(&missing);
        if !words.contains(name) || outcome.kind() != Kind::CreateIndex {
            continue;
        }
        retry(live, outcome);
    }
}

/// Tries a statement once more; whether it works now.
fn retry(live: &mut Live, outcome: &mut Outcome) -> bool {
    let applied = again(live, &outcome.text, outcome.applied.clone());
    let works = applied.outcome.is_ok();
    if works {
        (outcome.applied, outcome.was_early) = (applied, true);
    }
    works
}

/// The renames, as places among the outcomes, of a table that was not there and of whose name the same text or function makes one
/// behind them: what they put aside came from elsewhere, and tried again they would take the new one away.
fn put_aside(steps: &[(usize, &Step)], outcomes: &[Outcome]) -> BTreeSet<usize> {
    let renames = |(at, outcome): (usize, &Outcome)| {
        let head = outcome.applied.outcome.is_err().then(|| outcome.head())?;
        matches!(head.alteration, Some(Alteration::RenameTable(_))).then_some((at, head.object?))
    };
    let renames: Vec<(usize, String)> = outcomes.iter().enumerate().filter_map(renames).collect();
    if renames.is_empty() {
        return BTreeSet::new();
    }
    let numbered: HashMap<usize, &Step> = steps.iter().copied().collect();
    let of = |outcome: &Outcome| numbered.get(&outcome.step).copied();
    let is_one = |one: &Outcome, other: &Outcome| {
        let is_function =
            |a: &Step, b: &Step| a.is_loose && b.is_loose && a.name == b.name && a.home == b.home;
        one.step == other.step || of(one).zip(of(other)).is_some_and(|(a, b)| is_function(a, b))
    };
    let mut made: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, outcome) in outcomes.iter().enumerate().filter(|(_, one)| one.applied.outcome.is_ok()) {
        let head = outcome.head();
        if let Some(name) = head.object.filter(|_| head.kind == Kind::CreateTable && !head.temporary) {
            made.entry(name.to_lowercase()).or_default().push(at);
        }
    }
    let is_aside = |(at, name): &(usize, String)| {
        let mut later = made.get(&name.to_lowercase()).into_iter().flatten().filter(|later| *later > at);
        let own = outcomes.get(*at);
        later.any(|&later| own.zip(outcomes.get(later)).is_some_and(|(one, other)| is_one(one, other)))
    };
    renames.into_iter().filter(is_aside).map(|(at, _)| at).collect()
}

/// Tries what was early once more, but for what stays as it is.
fn try_again(live: &mut Live, outcomes: &mut [Outcome], stay: &BTreeSet<usize>) {
    for _ in 0..8 {
        let mut progress = false;
        for (at, outcome) in outcomes.iter_mut().enumerate() {
            if stay.contains(&at) || !is_early(outcome) {
                continue;
            }
            progress |= retry(live, outcome);
        }
        if !progress {
            return;
        }
    }
}
