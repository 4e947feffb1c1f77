//! What another SQLite plans for the statements of a program. Knows how plans are asked for and read; whether another plan is a
//! worse one is for others to say.

use super::reading::{complaint, read, table};
use super::{
    Shell, ShellError,
    script::{analyzed, statement, within},
};
use crate::{
    plan::{self, Op, Plan, Purpose, Step},
    schema::{Explained, Objects, Settings, StatementKind, quoted_text, same, tokens::Tokens},
    workload::{Database, Statement},
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};

/// What stands in front of each answer, on a line of its own.
const MARK: &str = "planlint ";

/// Functions at which a shell that is kept from files ends, even where they are only planned.
const REFUSED: [&str; 7] =
    ["edit", "fts3_tokenizer", "load_extension", "readfile", "writefile", "zipfile", "zipfile_cds"];

/// What another SQLite was asked, and what it said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The shell, as the system finds it.
    pub program: String,
    /// The version of its SQLite.
    pub version: String,
    /// Of each database.
    pub answers: Vec<Answer>,
}

/// What another SQLite made of a database of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// How many statements it gave no answer for: it ended, or wrote what is no plan.
    pub unanswered: usize,
    /// The last that it said then.
    pub last_words: String,
    /// The objects of its schema that it does not take, each with what it says.
    pub lacks: Vec<(String, String)>,
    /// What it says of statements, in their order.
    pub said: Vec<Elsewhere>,
}

/// What another SQLite says of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The statement, by its place among all.
    pub statement: usize,
    /// Its plan there; or what that SQLite says against it.
    pub plan: Result<Plan, String>,
    /// Where it does other work, by table.
    pub differences: Vec<Difference>,
}

/// What another plan does otherwise with a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// The table; `None` for sorts.
    pub table: Option<String>,
    /// The steps of the plan that is known which the other one does not have, in normal words.
    pub gone: Vec<String>,
    /// The steps that it has instead.
    pub come: Vec<String>,
    /// One of these reads all rows.
    pub scans: bool,
    /// One of these makes an index for one run.
    pub builds: bool,
}

/// Has a shell plan the statements of each database.
///
/// # Errors
/// The shell can't be run, or does not end.
pub fn ask(shell: &Shell, databases: &mut [Database], statements: &[Statement]) -> Result<Asked, ShellError> {
    let orders: Vec<Vec<String>> =
        databases.iter_mut().map(|one| one.variant.live.reading_order().unwrap_or_default()).collect();
    // What SQLite keeps of a database is used by one thread at a time; what is known of it is for all to read.
    let known: Vec<_> = databases
        .iter()
        .zip(&orders)
        .enumerate()
        .map(|(index, (database, order))| {
            (script((index, order), database, statements), &database.variant.objects)
        })
        .collect();
    let answers = known.par_iter().with_max_len(1).map(|(script, objects)| answer(shell, script, objects));
    Ok(Asked {
        program: shell.path.display().to_string(),
        version: shell.version.clone(),
        answers: answers.collect::<Result<_, ShellError>>()?,
    })
}

/// A script, and the line at which each part of it begins.
#[derive(Default)]
struct Script {
    text: String,
    /// How much of the text is counted, and the lines in it.
    counted: (usize, u32),
    /// The names of the objects, by the line.
    objects: BTreeMap<u32, String>,
    /// The place among those asked, by the line.
    asked: BTreeMap<u32, usize>,
}

impl Script {
    /// The line that is written next, from 1.
    fn line(&mut self) -> u32 {
        let (from, lines) = self.counted;
        let more = self.text.get(from..).unwrap_or("").matches('\n').count() as u32;
        self.counted = (self.text.len(), lines + more);
        lines + more + 1
    }

    fn object(&mut self, name: &str, schema: &str, sql: &str) {
        let line = self.line();
        self.objects.insert(line, name.to_owned());
        statement(&mut self.text, &within(schema, sql));
    }
}

/// The schema of a database, and every statement that can be asked for.
fn script<'a>(
    (index, order): (usize, &[String]),
    database: &Database,
    statements: &'a [Statement],
) -> (Script, Vec<(usize, &'a Explained)>) {
    let mut script = Script::default();
    script.text.push_str(".mode json\n.explain off\n.dbconfig trigger_eqp on\n");
    pragmas(&mut script.text, database);
    objects(&mut script, &database.variant.objects, order);
    // As they are planned with here.
    script.text.extend(analyzed(&database.stats().iter().collect::<Vec<_>>()));
    let own =
        statements.iter().enumerate().filter(|(_, one)| one.database() == Some(index) && one.step.is_none());
    let mut asked = Vec::new();
    for (place, one) in own {
        let can_ask = |explained: &&Explained| can_ask(explained, database.variant.live.settings());
        let Some(explained) = one.explained().filter(can_ask) else { continue };
        let text = one.text.as_str();
        let text = text.get(..explained.tail).unwrap_or(text);
        let first = Tokens::from(text, 0).find(|token| !token.is_sign(';'));
        let Some(first) = first.filter(|token| !token.is("explain")) else { continue };
        let text = text.get(first.start..).unwrap_or(text);
        let _ = writeln!(script.text, ".print {MARK}{}", asked.len());
        let line = script.line();
        if statement(&mut script.text, &format!("EXPLAIN QUERY PLAN {text}")) {
            script.asked.insert(line, asked.len());
            asked.push((place, explained));
        }
    }
    (script, asked)
}

/// What the program sets on its connections, as far as plans depend on it.
fn pragmas(out: &mut String, database: &Database) {
    const PLANNED: [&str; 3] = ["automatic_index", "case_sensitive_like", "reverse_unordered_selects"];
    let keys = if database.settings.foreign_keys { "ON" } else { "OFF" };
    // Here and below: writing to a string never fails.
    let _ = writeln!(out, "PRAGMA foreign_keys = {keys};");
    for (name, value) in &database.settings.pragmas {
        if PLANNED.contains(&name.to_ascii_lowercase().as_str()) && !value.contains(['\n', '\r', '\0']) {
            let _ = writeln!(out, "PRAGMA {name} = {};", quoted_text(value));
        }
    }
}

fn objects(script: &mut Script, objects: &Objects, order: &[String]) {
    // No database can be attached where no file may be opened.
    let is_here = |schema: &str| matches!(schema, "main" | "temp");
    let tables = objects.tables.iter().filter(|table| !table.is_made());
    let tables = tables.map(|one| (one.name.as_str(), one.schema.as_str(), one.sql.as_str()));
    let indexes = objects.indexes.iter();
    let indexes =
        indexes.filter_map(|one| Some((one.name.as_str(), one.schema.as_str(), one.sql.as_deref()?)));
    let mut own: Vec<(&str, &str, &str)> = tables.chain(indexes).filter(|one| is_here(one.1)).collect();
    let places: HashMap<&str, usize> =
        order.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    own.sort_by_key(|(name, ..)| places.get(name).copied());
    for (name, schema, sql) in own {
        script.object(name, schema, sql);
    }
    for view in objects.views.iter().filter(|view| is_here(&view.schema)) {
        script.object(&view.name, &view.schema, &view.sql);
    }
    for trigger in objects.triggers.iter().filter(|trigger| is_here(&trigger.schema)) {
        script.object(&trigger.name, &trigger.schema, &trigger.sql);
    }
}

/// Whether a shell that is kept from files can plan a statement, and has all that the program registers for it.
fn can_ask(explained: &Explained, settings: &Settings) -> bool {
    use StatementKind::{Delete, Insert, Replace, Select, Update};
    let is_here = |schema: &str| matches!(schema, "main" | "temp" | "");
    let is_registered = |name: &str| {
        settings.functions.iter().any(|(own, _)| same(own, name)) || REFUSED.iter().any(|own| same(own, name))
    };
    let is_module = |table: &str| settings.modules.iter().any(|own| same(own, table));
    matches!(explained.kind, Select | Insert | Replace | Update | Delete)
        && explained.reads.iter().all(|read| is_here(&read.schema) && !is_module(&read.table))
        && explained.writes.iter().all(|write| is_here(&write.schema))
        && !explained.functions.iter().any(|name| is_registered(name))
}

fn answer(
    shell: &Shell,
    (script, asked): &(Script, Vec<(usize, &Explained)>),
    objects: &Objects,
) -> Result<Answer, ShellError> {
    let mut answer = Answer::default();
    if asked.is_empty() {
        return Ok(answer);
    }
    let said = shell.run(script.text.clone())?;
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    for (line, message) in said.errors.lines().filter_map(complaint) {
        if let Some(asked) = script.asked.get(&line) {
            refused.insert(*asked, message.to_owned());
        } else if let Some(name) = script.objects.get(&line) {
            answer.lacks.push((name.clone(), message.to_owned()));
        }
    }
    let mut parts: BTreeMap<usize, &str> = BTreeMap::new();
    for part in said.out.split(&format!("\n{MARK}")).skip(1) {
        let (number, rows) = part.split_once('\n').unwrap_or((part, ""));
        parts.extend(number.trim_end().parse::<usize>().ok().map(|number| (number, rows)));
    }
    said.errors.lines().last().unwrap_or("").clone_into(&mut answer.last_words);
    for (number, (statement, explained)) in asked.iter().enumerate() {
        let plan = match (refused.remove(&number), parts.get(&number).and_then(|rows| read(rows, explained)))
        {
            // What it lacks of the schema is said of the schema.
            (Some(message), _) if message.starts_with("no such table") => continue,
            (Some(message), _) => Err(message),
            (None, Some(plan)) => Ok(plan),
            (None, None) => {
                answer.unanswered += 1;
                continue;
            }
        };
        let there = plan.as_ref().ok();
        let differences = there.map(|plan| differences(explained, plan, objects)).unwrap_or_default();
        answer.said.push(Elsewhere { statement: *statement, plan, differences });
    }
    Ok(answer)
}

/// What is other in a plan; nothing where both do the same work.
fn differences(explained: &Explained, plan: &Plan, objects: &Objects) -> Vec<Difference> {
    let is_plain = |index: &str| objects.is_plain(index);
    let (here, there) = (work(&explained.plan, explained, &is_plain), work(plan, explained, &is_plain));
    let mut differences: Vec<Difference> = Vec::new();
    for step in only_in(&here, &there) {
        with(&mut differences, step, |one| one.gone.push(step.words.clone()));
    }
    for step in only_in(&there, &here) {
        with(&mut differences, step, |one| {
            one.come.push(step.words.clone());
            one.scans |= step.scans;
            one.builds |= step.builds;
        });
    }
    differences
}

/// Changes what is said of the table of a step.
fn with(all: &mut Vec<Difference>, step: &Work, change: impl FnOnce(&mut Difference)) {
    if let Some(one) = all.iter_mut().find(|one| one.table == step.table) {
        return change(one);
    }
    let mut one = Difference { table: step.table.clone(), ..Difference::default() };
    change(&mut one);
    all.push(one);
}

/// A step that takes the longer the more rows there are.
struct Work {
    /// What it does, whichever index it does it by.
    kind: String,
    words: String,
    table: Option<String>,
    scans: bool,
    builds: bool,
}

/// The work of a plan of a statement. That duplicates are removed is left out: versions differ in when they say it.
fn work(plan: &Plan, explained: &Explained, is_plain: &dyn Fn(&str) -> bool) -> Vec<Work> {
    let one = |step: Step| {
        let table =
            step.name.as_deref().and_then(|name| table(name, explained)).map(|(_, table)| table.clone());
        let kind = match &step.op {
            Op::Scan => table.as_ref().map(|table| format!("SCAN {table}"))?,
            Op::Search => {
                let sought: Vec<&str> = step.terms.iter().map(|term| term.column.as_str()).collect();
                format!("SEARCH {} {} {}", table.as_ref()?, sought.join(","), step.is_automatic())
            }
            Op::TempBTree(Purpose::OrderBy | Purpose::GroupBy) => step.detail.clone(),
            _ => return None,
        };
        let (scans, builds) = (step.op == Op::Scan, step.is_automatic());
        Some(Work { kind, words: step.detail, table, scans, builds })
    };
    plan::steps(&plan.normal(is_plain)).into_iter().filter_map(one).collect()
}

/// The steps that another plan has not, or not as often, once each.
fn only_in<'a>(steps: &'a [Work], other: &[Work]) -> Vec<&'a Work> {
    let count = |all: &[Work], kind: &str| all.iter().filter(|one| one.kind == kind).count();
    let mut found: Vec<&Work> = Vec::new();
    for step in steps {
        if count(steps, &step.kind) > count(other, &step.kind)
            && !found.iter().any(|one| one.kind == step.kind)
        {
            found.push(step);
        }
    }
    found
}
