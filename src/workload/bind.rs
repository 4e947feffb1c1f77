//! Finds the database of each statement and plans it there.

use super::{
    Database, Outcome, Statement,
    holes::{Names, fillings},
};
use crate::{
    extract::{Extraction, Literal, Role, sql::Looks, text::Text},
    migration::{common_parts, mentions},
    schema::{Explained, Kind, Live, Refusal, RefusalKind, StatementKind, variant::add_missing},
    source::{Site, SourceId, Sources},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most tables among which a hole in place of a name is left open.
const MAX_TABLES: usize = 8;

/// Plans the statements of all literals, each on the database it belongs to.
pub fn bind(sources: &Sources, extraction: &Extraction, databases: &mut [Database]) -> Vec<Statement> {
    let known = Known::new(databases);
    let applied = applied(databases);
    let mut jobs: Vec<Job> = Vec::new();
    let fragments = fragments(extraction);
    for (index, literal) in
        extraction.literals.iter().enumerate().filter(|(index, _)| !fragments.contains(index))
    {
        for (branch, text) in literal.variants.iter().enumerate() {
            jobs.extend(split(index, branch, literal, text).into_iter().map(|piece| {
                let used = mentions(piece.text.as_str()).used;
                let foreign = is_foreign(piece.text.as_str(), sources.path(literal.site.source));
                let candidates =
                    if foreign { Vec::new() } else { candidates(sources, literal, &used, databases, &known) };
                Job { piece, used, candidates, refusal: None, done: Vec::new(), names_table: false }
            }));
        }
    }
    plan_rounds(&mut jobs, extraction, databases, &known);
    let mut statements: Vec<Statement> = Vec::new();
    for job in jobs {
        statements.extend(settle(job, sources, extraction, &known, &applied));
    }
    statements.retain(|statement| !is_schema(statement));
    statements
}

/// What the databases offer.
struct Known {
    /// The databases that have a table, by its name in lower case.
    tables: HashMap<String, Vec<usize>>,
    names: Vec<Names>,
    /// Whether all of a database's schema is known.
    complete: Vec<bool>,
}

impl Known {
    fn new(databases: &[Database]) -> Self {
        let mut tables: HashMap<String, Vec<usize>> = HashMap::new();
        let mut names = Vec::new();
        for (index, database) in databases.iter().enumerate() {
            let objects = &database.variant.objects;
            let mut own = Names::default();
            own.tables.extend(objects.tables.iter().map(|table| table.name.to_lowercase()));
            own.tables.extend(objects.views.iter().map(|view| view.name.to_lowercase()));
            let columns = objects.tables.iter().flat_map(|table| &table.columns);
            own.columns.extend(columns.map(|column| column.name.to_lowercase()));
            for table in &own.tables {
                tables.entry(table.clone()).or_default().push(index);
            }
            names.push(own);
        }
        let complete = databases.iter().map(|database| database.declaration.is_complete).collect();
        Self { tables, names, complete }
    }
}

impl Known {
    fn is_incomplete(&self, database: usize) -> bool {
        self.complete.get(database) == Some(&false)
    }
}

/// The literals that are only parts of other texts: constants that nothing is handed.
fn fragments(extraction: &Extraction) -> HashSet<usize> {
    let mut starts: BTreeMap<(SourceId, u32), usize> = BTreeMap::new();
    for (index, literal) in extraction.literals.iter().enumerate() {
        if literal.constant.is_some() && literal.sink.is_none() {
            starts.insert((literal.site.source, literal.site.start), index);
        }
    }
    let mut found = HashSet::new();
    for (index, literal) in extraction.literals.iter().enumerate() {
        for (source, offset) in literal.variants.iter().flat_map(Text::origins) {
            let before = starts.range(..=(source, offset)).next_back().map(|(_, &other)| other);
            let other = before
                .filter(|&other| other != index)
                .and_then(|other| Some((other, extraction.literals.get(other)?)));
            if let Some((other, _)) =
                other.filter(|(_, one)| one.site.source == source && offset < one.site.end)
            {
                found.insert(other);
            }
        }
    }
    found
}

/// The literals that are steps of a schema, and the database that they make.
fn applied(databases: &[Database]) -> HashMap<usize, usize> {
    let mut applied = HashMap::new();
    for (index, database) in databases.iter().enumerate() {
        for step in &database.declaration.steps {
            applied.entry(step.literal).or_insert(index);
        }
    }
    applied
}

/// One statement of a literal's text, before anything is known of it.
struct Piece {
    literal: usize,
    branch: usize,
    ordinal: usize,
    text: Text,
    /// The text behind the first of several statements.
    tail: Option<Text>,
    /// Whether the text holds no other.
    is_only: bool,
}

/// A piece on its way through the databases.
struct Job {
    piece: Piece,
    used: Vec<String>,
    /// The databases still to try, the likeliest last.
    candidates: Vec<usize>,
    refusal: Option<(usize, Refusal)>,
    done: Vec<(usize, Text, Box<Explained>)>,
    /// Whether a hole stands for the name of a table.
    names_table: bool,
}

fn split(literal: usize, branch: usize, of: &Literal, text: &Text) -> Vec<Piece> {
    if of.role == Role::Test && !of.language.is_sql {
        return vec![Piece { literal, branch, ordinal: 0, text: text.clone(), tail: None, is_only: true }];
    }
    let sql = text.as_str();
    let ranges = if sql.contains(';') { Live::split(sql) } else { vec![(0, sql.len())] };
    let several = ranges.len() > 1;
    let pieces = ranges.iter().enumerate().map(|(ordinal, &(start, end))| {
        let tail = ranges
            .get(1)
            .filter(|_| several && ordinal == 0)
            .map(|&(next, _)| text.part(next, sql.trim_end().len()));
        Piece { literal, branch, ordinal, text: text.part(start, end), tail, is_only: !several }
    });
    pieces.collect()
}

/// The databases on which a statement may compile, the nearest last.
fn candidates(
    sources: &Sources,
    literal: &Literal,
    used: &[String],
    databases: &[Database],
    known: &Known,
) -> Vec<usize> {
    let path = sources.path(literal.site.source);
    let allowed = |index: &usize| {
        let globs = databases.get(*index).and_then(|database| database.statements.as_ref());
        globs.is_none_or(|globs| globs.matches(path))
    };
    let named: Vec<&Vec<usize>> = used.iter().filter_map(|name| known.tables.get(name)).collect();
    let mut found: Vec<usize> = (0..databases.len())
        .filter(|index| named.iter().all(|with| with.contains(index)))
        .filter(allowed)
        .collect();
    if found.is_empty() {
        // No database has all of its tables: where most of them are, SQLite says what is wrong.
        found = (0..databases.len())
            .filter(|index| named.iter().any(|with| with.contains(index)))
            .filter(allowed)
            .collect();
    }
    found.sort_by_key(|&index| {
        let near = databases.get(index).map_or(0, |database| nearness(sources, path, database));
        (near, std::cmp::Reverse(index))
    });
    found
}

/// How near a database is declared to a path.
fn nearness(sources: &Sources, path: &str, database: &Database) -> usize {
    let homes = database.declaration.homes.iter().map(|&home| sources.path(home));
    homes.map(|home| if home == path { usize::MAX } else { common_parts(home, path) }).max().unwrap_or(0)
}

/// Plans each job on its likeliest database, all databases side by side, until nothing is left to try.
fn plan_rounds(jobs: &mut [Job], extraction: &Extraction, databases: &mut [Database], known: &Known) {
    loop {
        let mut per_database: BTreeMap<usize, Vec<&mut Job>> = BTreeMap::new();
        for job in jobs.iter_mut().filter(|job| job.done.is_empty()) {
            let is_test =
                extraction.literals.get(job.piece.literal).is_none_or(|literal| literal.role == Role::Test);
            if let Some(database) = job.candidates.pop().filter(|_| !is_test) {
                per_database.entry(database).or_default().push(job);
            }
        }
        if per_database.is_empty() {
            return;
        }
        let mut work: Vec<(usize, &mut Database, Vec<&mut Job>)> = Vec::new();
        for (index, database) in databases.iter_mut().enumerate() {
            if let Some(jobs) = per_database.remove(&index) {
                work.push((index, database, jobs));
            }
        }
        work.sort_by_key(|(_, _, jobs)| std::cmp::Reverse(jobs.len()));
        work.into_par_iter().with_max_len(1).for_each(|(index, database, jobs)| {
            let live = &mut database.variant.live;
            for job in jobs {
                plan(job, index, live, known.names.get(index));
            }
        });
    }
}

fn plan(job: &mut Job, index: usize, live: &mut Live, names: Option<&Names>) {
    let nothing = Names::default();
    let (texts, names_table) = if job.piece.text.holes().is_empty() {
        (vec![job.piece.text.clone()], false)
    } else {
        fillings(&job.piece.text, names.unwrap_or(&nothing))
    };
    job.names_table = names_table;
    for text in texts {
        match explain(live, text.as_str()) {
            Ok(explained) => {
                job.done.push((index, text, Box::new(explained)));
                if !names_table {
                    return;
                }
            }
            Err(refusal) => {
                let better = job.refusal.as_ref().is_none_or(|(_, before)| weight(&refusal) > weight(before));
                if better {
                    job.refusal = Some((index, refusal));
                }
            }
        }
    }
}

/// What a refusal tells: an unknown column more than an unknown table, that more than broken words.
fn weight(refusal: &Refusal) -> u8 {
    match refusal.kind {
        RefusalKind::Syntax | RefusalKind::Incomplete => 0,
        RefusalKind::NoSuchTable(_) => 1,
        _ => 2,
    }
}

fn explain(live: &mut Live, sql: &str) -> Result<Explained, Refusal> {
    for _ in 0..8 {
        match live.explain(sql) {
            Err(refusal) if add_missing(live, &refusal) => {}
            other => return other,
        }
    }
    live.explain(sql)
}

/// What became of a job: one statement, or one for each table that its hole can name.
fn settle(
    mut job: Job,
    sources: &Sources,
    extraction: &Extraction,
    known: &Known,
    applied: &HashMap<usize, usize>,
) -> Vec<Statement> {
    let Some(literal) = extraction.literals.get(job.piece.literal) else { return Vec::new() };
    let done = std::mem::take(&mut job.done);
    let is_open = done.len() > MAX_TABLES
        || (job.names_table && done.iter().any(|(database, ..)| known.is_incomplete(*database)));
    if done.is_empty() || is_open {
        let outcome = if done.is_empty() {
            unplanned(&job, literal, sources, known, applied)
        } else {
            Outcome::Dynamic { reason: "the name of its table is computed".to_owned() }
        };
        return statement(&job.piece, literal, job.piece.text.clone(), outcome).into_iter().collect();
    }
    let planned = done.into_iter().filter_map(|(database, text, explained)| {
        statement(&job.piece, literal, text, Outcome::Planned { database, explained })
    });
    planned.collect()
}

fn statement(piece: &Piece, literal: &Literal, text: Text, outcome: Outcome) -> Option<Statement> {
    let sql = text.as_str();
    let lead = sql.len() - sql.trim_start().len();
    let mut site = text.site(lead as u32, sql.trim_end().len().max(lead + 1) as u32)?;
    if piece.is_only && !literal.language.is_sql {
        // The literal with its quotes: what a reader takes for the statement.
        let end = if site.source == literal.site.source {
            site.end.max(literal.site.end)
        } else {
            literal.site.end
        };
        site = Site { end, ..literal.site };
    }
    let tail = piece.tail.as_ref().and_then(|tail| {
        let site = tail.site(0, tail.as_str().len() as u32)?;
        Some((site, tail.as_str().len()))
    });
    Some(Statement {
        literal: piece.literal,
        branch: piece.branch,
        ordinal: piece.ordinal,
        raw: piece.text.as_str().to_owned(),
        holes: piece.text.holes().len(),
        text,
        site,
        tail,
        outcome,
    })
}

fn unplanned(
    job: &Job,
    literal: &Literal,
    sources: &Sources,
    known: &Known,
    applied: &HashMap<usize, usize>,
) -> Outcome {
    if literal.role == Role::Test {
        return Outcome::Test;
    }
    if let Some(&database) = applied.get(&job.piece.literal) {
        return Outcome::Applied { database };
    }
    let knows_table = job.used.iter().any(|name| known.tables.contains_key(name));
    let runs = literal.sink.is_some();
    if literal.looks == Looks::Perhaps && !runs {
        return Outcome::NotSql;
    }
    let refusal = job.refusal.clone();
    if let Some(reason) = unsettled(literal, refusal.as_ref(), known) {
        return Outcome::Dynamic { reason: reason.to_owned() };
    }
    let is_words = refusal.as_ref().is_none_or(|(_, refusal)| weight(refusal) == 0);
    if !job.piece.text.holes().is_empty() {
        let reason =
            job.piece.text.holes().iter().map(|hole| hole.name.as_str()).find(|name| !name.is_empty());
        if !(knows_table || runs) {
            return Outcome::NotSql;
        }
        return Outcome::Dynamic {
            reason: reason
                .map_or_else(|| "part of it is computed".to_owned(), |name| format!("`{name}` is computed")),
        };
    }
    if is_foreign(job.piece.text.as_str(), sources.path(literal.site.source)) {
        return Outcome::Foreign;
    }
    match refusal {
        Some((_, refusal)) if refusal.kind == RefusalKind::Incomplete && (knows_table || runs) => {
            Outcome::Dynamic { reason: "it is continued elsewhere".to_owned() }
        }
        Some((database, refusal)) if knows_table || (runs && !is_words) => {
            Outcome::Refused { database: Some(database), refusal }
        }
        _ if job.used.is_empty() || !(runs || literal.language.is_sql) => Outcome::NotSql,
        _ => {
            let name =
                job.used.iter().find(|name| !known.tables.contains_key(*name)).cloned().unwrap_or_default();
            let refusal = Refusal {
                message: format!("no such table: {name}"),
                kind: RefusalKind::NoSuchTable(name),
                offset: None,
            };
            Outcome::Refused { database: None, refusal }
        }
    }
}

/// Why a refusal proves nothing: the schema, or the text, is not all there is.
fn unsettled(literal: &Literal, refusal: Option<&(usize, Refusal)>, known: &Known) -> Option<&'static str> {
    let (database, refusal) = refusal?;
    let missing = matches!(refusal.kind, RefusalKind::NoSuchTable(_) | RefusalKind::NoSuchColumn(_));
    if refusal.message.starts_with("unrecognized token: \"{") {
        return Some("it is a template");
    }
    if literal.role == Role::Migration {
        return Some("it runs on an earlier schema");
    }
    (missing && known.is_incomplete(*database)).then_some("part of its schema is made under computed names")
}

/// Whether a text is written for another database system.
fn is_foreign(sql: &str, path: &str) -> bool {
    const MARKS: [&str; 12] = [
        "for update",
        "::text",
        "::int",
        "::bytea",
        "::json",
        "::uuid",
        "now()",
        "on duplicate key",
        "auto_increment",
        "pg_catalog",
        "information_schema",
        "serial primary key",
    ];
    let lower = sql.to_ascii_lowercase();
    let path = path.to_ascii_lowercase();
    MARKS.iter().any(|mark| lower.contains(mark))
        || path.contains("postgres")
        || path.contains("mysql")
        || path.contains("pgsql")
}

/// Whether a statement makes schema or manages connections, and so is nothing to plan.
fn is_schema(statement: &Statement) -> bool {
    match &statement.outcome {
        Outcome::Planned { explained, .. } => {
            matches!(
                explained.kind,
                StatementKind::Ddl
                    | StatementKind::Pragma
                    | StatementKind::Transaction
                    | StatementKind::Other
            )
        }
        Outcome::NotSql => true,
        _ => !is_workload(statement.text.as_str()),
    }
}

/// Whether a text reads or writes rows, by its first word.
fn is_workload(sql: &str) -> bool {
    let kinds: HashSet<Kind> =
        HashSet::from([Kind::Select, Kind::Insert, Kind::Replace, Kind::Update, Kind::Delete]);
    kinds.contains(&Kind::of(sql))
}
