//! What becomes of a text once every database had its say: a statement, or the reason why it is none.

use super::{
    Outcome, Statement,
    bind::{Job, weight},
    foreign::{is_marked_for_others, speaks_foreign},
    holes::{is_open_index, names_table},
    known::Known,
    templates::{has_braces, is_template},
};
use crate::{
    extract::{
        Extraction, Literal, Role,
        languages::SinkKind,
        sql::{Looks, begins_with},
        text::Text,
    },
    schema::{Explained, Kind, Refusal, RefusalKind, StatementKind, WriteAction, is_catalogue},
    source::{Site, Sources},
};
use std::collections::{HashMap, HashSet};

/// Why a text that ends too early is not judged.
pub(super) const CONTINUED: &str = "it is continued elsewhere";

/// Why what is no SQL though all of its holes can be filled is not refused: pieces that exclude one another.
pub(super) const APART: &str = "its parts go together in another way";

/// Why what most of a file does not find is not refused.
pub(super) const OTHERS: &str = "most of its file names columns of another schema";

/// Why what names something unknown is not refused.
const COMPUTED: &str = "part of its schema is made under computed names";

/// Why what names a table that code makes and takes away is not refused.
const DROPPED: &str = "its table is made and dropped by code whose order is not known";

/// Why a text is not planned that holds what a program fills in.
const TEMPLATE: &str = "it is a template";

/// The most tables among which a hole in place of a name is left open.
const MAX_TABLES: usize = 8;

/// What became of a job: one statement, or one for each table that its hole can name.
pub(super) fn settle(
    mut job: Job,
    sources: &Sources,
    extraction: &Extraction,
    known: &Known,
    applied: &HashMap<usize, usize>,
) -> Vec<Statement> {
    let Some(literal) = extraction.literals.get(job.piece.literal) else { return Vec::new() };
    let done = std::mem::take(&mut job.done);
    let is_beside = || known.is_computed_beside(sources.path(literal.site.source));
    let is_open = done.len() > MAX_TABLES
        || (job.names_table
            && (is_beside() || done.iter().any(|(database, ..)| known.has_more_tables(*database))));
    if done.is_empty() || is_open {
        let is_others = job.is_foreign || speaks_foreign(job.piece.text.as_str());
        let outcome = if is_open_index(&job.piece.text) && literal.role != Role::Test && !is_others {
            computed(&job.piece.text)
        } else if done.is_empty() {
            unplanned(&job, literal, sources, known, applied)
        } else {
            if !job.names_table {
                job.passed.extend(done.iter().flat_map(|(.., explained)| filled(explained)));
            }
            Outcome::Dynamic { reason: "the name of its table is computed".to_owned() }
        };
        return statement(&job, literal, job.piece.text.clone(), outcome).into_iter().collect();
    }
    // What fits the part of a name that is known is meant, some time.
    let is_guessed = job.names_table && done.len() > 1;
    let planned = done.into_iter().filter_map(|(database, text, explained)| {
        let one = statement(&job, literal, text, Outcome::Planned { database, explained })?;
        Some(Statement { is_guessed: is_guessed || one.is_guessed, ..one })
    });
    planned.collect()
}

fn statement(job: &Job, literal: &Literal, text: Text, outcome: Outcome) -> Option<Statement> {
    let piece = &job.piece;
    let sql = text.as_str();
    let lead = sql.len() - sql.trim_start().len();
    let mut site = text.site(lead as u32, sql.trim_end().len().max(lead + 1) as u32)?;
    if piece.is_only && !literal.language.is_sql {
        // The literal with its quotes: what a reader takes for the statement.
        let begins = site.source == literal.site.source && site.start >= literal.site.start;
        let end = if begins { site.end.max(literal.site.end) } else { literal.site.end };
        site = Site { end, ..literal.site };
    }
    // What stands behind an index of a caller is that of the next one.
    let tail = piece.tail.as_ref().filter(|_| !is_open_index(&piece.text)).and_then(|tail| {
        let site = tail.site(0, tail.as_str().len() as u32)?;
        Some((site, tail.as_str().len()))
    });
    let is_guessed = text.is_alone();
    Some(Statement {
        literal: piece.literal,
        branch: piece.branch,
        ordinal: piece.ordinal,
        raw: piece.text.as_str().to_owned(),
        holes: piece.text.holes().len(),
        text,
        site,
        tail,
        is_guessed,
        may_fill: job.passed.clone(),
        outcome,
        step: job.step,
        logged: job.logged.clone(),
        names: None,
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
    let refusal = job.refusal.clone();
    // Each database has its catalogue, be it one of which no schema is known.
    let asks = job.used.iter().all(|name| is_of_sqlite(name)) && refusal.is_none() && !job.used.is_empty();
    // Of what only may be SQL, the call that runs it and a table that is there say that it is.
    if asks || literal.looks == Looks::Perhaps && !(runs && (job.used.is_empty() || knows_table)) {
        return Outcome::NotSql;
    }
    if job.is_foreign {
        return Outcome::Foreign;
    }
    if let Some(reason) = unsettled(job, literal, known, sources) {
        return Outcome::Dynamic { reason };
    }
    let is_words = refusal.as_ref().is_none_or(|(_, refusal)| weight(refusal) == 0);
    if job.logged.is_some() && is_words {
        return Outcome::NotSql;
    }
    if !job.piece.text.holes().is_empty() {
        // Where nothing was tried, any table would do.
        let is_open = refusal.is_none() && (job.names_table || names_table(&job.piece.text));
        if !(knows_table || runs || is_open) {
            return Outcome::NotSql;
        }
        if job.is_filled && is_words && refusal.is_some() && job.piece.text.is_optional() {
            return Outcome::Dynamic { reason: APART.to_owned() };
        }
        return computed(&job.piece.text);
    }
    let sql = job.piece.text.as_str();
    if speaks_foreign(sql) || (runs && is_marked_for_others(sql, literal, sources)) {
        return Outcome::Foreign;
    }
    match refusal {
        // `select prepare`: prose. What reads no table has no columns.
        Some((_, Refusal { kind: RefusalKind::NoSuchColumn(_), .. }))
            if job.used.is_empty() && (!runs || is_prose(literal, job.piece.text.as_str())) =>
        {
            Outcome::NotSql
        }
        // A piece that a caller names, of a text that another function runs.
        Some((_, Refusal { kind: RefusalKind::NoSuchTable(_), .. }))
            if !runs && job.piece.text.is_handed() =>
        {
            Outcome::Dynamic { reason: CONTINUED.to_owned() }
        }
        Some((_, refusal)) if refusal.kind == RefusalKind::Incomplete && (knows_table || runs) => {
            Outcome::Dynamic { reason: CONTINUED.to_owned() }
        }
        Some((database, refusal)) if knows_table || (runs && !is_words) => {
            Outcome::Refused { database: Some(database), refusal }
        }
        _ if known.is_any_incomplete() && job.piece.text.is_handed() => {
            Outcome::Dynamic { reason: COMPUTED.to_owned() }
        }
        _ if job.used.is_empty() || !(runs || literal.language.is_sql) => Outcome::NotSql,
        _ => no_such_table(job, known),
    }
}

/// Whether a table is there in each database: the catalogue, or what a pragma tells.
fn is_of_sqlite(name: &str) -> bool {
    is_catalogue(name) || begins_with(name, "pragma_")
}

/// Whether a text is words alone that may be SQL, handed to what is taken to run some by its name only: `select_one("Select a port")`.
fn is_prose(literal: &Literal, sql: &str) -> bool {
    let is_known = literal.sink.as_ref().is_some_and(|sink| sink.kind != SinkKind::Runs);
    let is_sentence = sql.trim_start().starts_with("Select ");
    let is_word = |one: char| one.is_alphanumeric() || one.is_whitespace() || "_-.!?…'".contains(one);
    literal.looks == Looks::Perhaps && (is_sentence || !is_known) && sql.chars().all(is_word)
}

/// What becomes of a text with a table that no database has: what SQLite would say of the first, unless braces are around it.
fn no_such_table(job: &Job, known: &Known) -> Outcome {
    if has_braces(job.piece.text.as_str()) {
        return Outcome::Dynamic { reason: TEMPLATE.to_owned() };
    }
    let name = job.used.iter().find(|name| !known.tables.contains_key(*name)).cloned().unwrap_or_default();
    let message = format!("no such table: {name}");
    let refusal = Refusal { message, kind: RefusalKind::NoSuchTable(name), offset: None };
    Outcome::Refused { database: None, refusal }
}

/// What becomes of a text of which parts are not known.
fn computed(text: &Text) -> Outcome {
    let name = text.holes().iter().map(|hole| hole.name.as_str()).find(|name| !name.is_empty());
    let reason =
        name.map_or_else(|| "part of it is computed".to_owned(), |name| format!("`{name}` is computed"));
    Outcome::Dynamic { reason }
}

/// Why a refusal proves nothing: the schema, or the text, is not all there is.
fn unsettled(job: &Job, literal: &Literal, known: &Known, sources: &Sources) -> Option<String> {
    let (refusal, used) = (job.refusal.as_ref(), job.used.as_slice());
    // What names a column of a table, `p.id`, and reads none goes on elsewhere.
    if let Some((_, Refusal { kind: RefusalKind::NoSuchColumn(name), .. })) = refusal
        && used.is_empty()
        && name.contains('.')
        && literal.role != Role::Migration
    {
        return Some(CONTINUED.to_owned());
    }
    let failed = refusal.and_then(|(_, refusal)| known.failed_step(refusal, used));
    let reason = doubt(job, literal, known, sources);
    // That the order is a guess is no reason where a step is known to have failed.
    match (reason, failed) {
        (None | Some(DROPPED | COMPUTED), Some(place)) => {
            Some(format!("the step that would make its schema was refused ({place})"))
        }
        (reason, _) => reason.map(str::to_owned),
    }
}

/// Why a refusal proves nothing, whatever became of steps.
fn doubt(job: &Job, literal: &Literal, known: &Known, sources: &Sources) -> Option<&'static str> {
    let refusal = job.refusal.as_ref();
    // `@Query("…")`: what reads annotations has checked it when the program was built, and made the tables of others.
    let before = literal.sink.as_ref().and_then(|sink| {
        let at = sink.site.start.checked_sub(1)?;
        Some(sources.get(sink.site.source)?.slice(at, at + 1))
    });
    if before == Some("@") && refusal.is_some() {
        return Some("it is checked when the program is built");
    }
    let (database, refusal) = refusal?;
    if is_template(job.piece.text.as_str(), refusal) {
        return Some(TEMPLATE);
    }
    if let RefusalKind::NoSuchColumn(name) = &refusal.kind
        && name
            .split_once('.')
            .is_some_and(|(row, _)| ["old", "new"].iter().any(|one| row.eq_ignore_ascii_case(one)))
    {
        return Some("it stands in a trigger");
    }
    // `->subquery("SELECT count(*) FROM parcels WHERE office = offices.id")`
    let is_within = literal.sink.as_ref().is_some_and(|sink| sink.name.to_lowercase().contains("subquery"));
    if is_within && matches!(refusal.kind, RefusalKind::NoSuchColumn(_)) {
        return Some("it stands within another statement");
    }
    if refusal.message.starts_with("table sqlite_") && refusal.message.ends_with(" may not be modified") {
        let says = |text: &str| text.to_ascii_lowercase().contains("writable_schema");
        if sources.get(literal.site.source).is_some_and(|one| one.peek(says)) {
            return Some("it writes the catalogue, where `writable_schema` allows that");
        }
    }
    if literal.role == Role::Migration {
        return Some("it runs on an earlier schema");
    }
    if known.is_hidden(*database, refusal) {
        return Some("it reads a temporary table that has the name of a lasting one");
    }
    if matches!(&refusal.kind, RefusalKind::NoSuchTable(name) if known.is_dropped(name)) {
        return Some(DROPPED);
    }
    if let RefusalKind::NoSuchTable(name) = &refusal.kind
        && name.split_once('.').is_some_and(|(schema, _)| !["main", "temp"].contains(&schema))
    {
        return Some("nothing is known to be attached under that name");
    }
    (refusal.is_of_schema() && known.is_incomplete(*database)).then_some(COMPUTED)
}

/// Whether a statement makes schema or manages connections, and so is nothing to plan.
pub(super) fn is_schema(statement: &Statement) -> bool {
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
        Outcome::Dynamic { .. } if is_open_index(&statement.text) => false,
        _ => !is_workload(statement.text.as_str()),
    }
}

/// Whether a text reads or writes rows, by its first word.
fn is_workload(sql: &str) -> bool {
    let kinds: HashSet<Kind> =
        HashSet::from([Kind::Select, Kind::Insert, Kind::Replace, Kind::Update, Kind::Delete]);
    kinds.contains(&Kind::of(sql))
}

/// The tables that a statement fills, in lower case.
pub(super) fn filled(explained: &Explained) -> impl Iterator<Item = String> + '_ {
    let inserts = explained.writes.iter().filter(|write| write.action == WriteAction::Insert);
    inserts.map(|write| write.table.to_lowercase())
}
