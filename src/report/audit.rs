//! An audited file, for people: what it is, how large each table and index is, what it lacks of what its program declares,
//! and what could be given back. Numbers that are estimates carry their bounds.

use super::measure::{ahead, bytes, estimate, grouped, rounded, seconds, small};
use super::terminal::harmless;
use crate::{
    audit::{
        Against, Audited, Budget, Costs, Creation, FileTable, Forecast, IndexCost, MissingIndex, Passes,
        Reading, Slow, TreeSize, Trend, Unit,
    },
    schema::{compare::Difference, file::Way},
};
use std::fmt::Write as _;

/// What is said of a file.
#[derive(Debug)]
pub struct Report {
    /// The file, as it was named.
    pub path: String,
    /// The version of the SQLite that judged.
    pub sqlite: String,
    /// What is in it.
    pub audited: Audited,
    /// What its indexes cost.
    pub costs: Costs,
    /// What of its schema this SQLite refuses, and why.
    pub refused: Vec<(String, String)>,
    /// The root of the program's tree; `None` where none was given.
    pub root: Option<String>,
    /// The file beside the databases of the program that it holds.
    pub against: Vec<Against>,
    /// How long a call may take.
    pub budget: Budget,
}

/// So many are listed of what can be many.
const MOST: usize = 20;
/// Indexes of fewer bytes are not worth a line.
pub(super) const LARGE: f64 = 65_536.0;

/// The text for a terminal.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    head(&mut text, report);
    for words in remarks(report) {
        line(&mut text, 2, &words);
    }
    tables(&mut text, &report.audited);
    costs(&mut text, report);
    report.against.iter().for_each(|against| program(&mut text, against));
    if let Some(root) = report.root.as_ref().filter(|_| report.against.is_empty()) {
        text.push('\n');
        line(&mut text, 0, &format!("no database of {root} has a table of this file"));
    }
    text
}

// Writing to a string never fails.
fn line(text: &mut String, indent: usize, words: &str) {
    let _ = writeln!(text, "{:indent$}{}", "", harmless(words));
}

fn head(text: &mut String, report: &Report) {
    let (audited, header) = (&report.audited, &report.audited.header);
    line(
        text,
        0,
        &format!(
            "{}: {}, {} pages of {} bytes",
            report.path,
            bytes(audited.bytes as f64),
            grouped(f64::from(audited.pages)),
            header.page_size
        ),
    );
    let journal = if header.is_wal { "WAL" } else { "rollback journal" };
    let by = header.written_by.as_ref().map_or_else(String::new, |by| format!(", written by SQLite {by}"));
    line(text, 2, &format!("{}, {journal}, auto_vacuum {}{by}", header.encoding, header.auto_vacuum));
    line(text, 2, &format!("user_version {}, application_id {}", header.user_version, header.application_id));
    line(text, 2, &format!("{} pages read, {}", grouped(audited.reads as f64), way(audited.way)));
}

/// How a file was read, in words.
pub(super) const fn way(way: Way) -> &'static str {
    match way {
        Way::Locked => "with short locks",
        Way::Wal => "as a reader of its WAL",
        Way::Left => "with the WAL that was left beside it",
        Way::Immutable => "without locks, as nobody has it open",
    }
}

/// What keeps what is said from being all and of one moment.
pub(super) fn remarks(report: &Report) -> Vec<String> {
    let audited = &report.audited;
    let mut lines = Vec::new();
    if audited.is_moved {
        lines.push("it was written while it was read: tables may be of different moments".to_owned());
    }
    if audited.leaves_out_wal {
        let words = "its WAL is larger than 1 GB and was not read: sizes are those of the file without it";
        lines.push(words.to_owned());
    }
    let sizes = audited.tables.iter().flat_map(|table| {
        table.size.iter().chain(table.indexes.iter().filter_map(|index| index.size.as_ref()))
    });
    let damaged: u64 = sizes.map(|size| size.damaged).sum();
    if damaged > 0 {
        let why = if audited.is_moved {
            "it was written meanwhile, or is damaged"
        } else {
            "it is damaged, sizes may be anything, and `PRAGMA integrity_check` says more"
        };
        lines.push(format!("{damaged} of the pages that were read are none of their B-tree: {why}"));
    }
    let refused = report.refused.iter();
    lines.extend(refused.map(|(name, why)| format!("`{name}` can't be made with this SQLite: {why}")));
    lines
}

fn tables(text: &mut String, audited: &Audited) {
    let mut tables: Vec<&FileTable> = audited.tables.iter().filter(|table| !table.is_virtual).collect();
    let whole = |table: &FileTable| {
        let indexes = table.indexes.iter().filter_map(|index| index.size.as_ref());
        table.size.iter().chain(indexes).map(|size| audited.bytes_of(size)).sum::<f64>()
    };
    tables.sort_by(|one, other| whole(other).total_cmp(&whole(one)).then_with(|| one.name.cmp(&other.name)));
    text.push('\n');
    let (empty, tables): (Vec<&FileTable>, Vec<&FileTable>) = tables
        .into_iter()
        .partition(|table| table.size.is_some_and(|size| size.is_exact && size.rows.value == 0.0));
    for table in tables.iter().take(MOST) {
        match &table.size {
            Some(size) => line(text, 0, &format!("{}: {}", table.name, tree(audited, size))),
            None => line(text, 0, &format!("{}: its first page can't be read", table.name)),
        }
        if let (Some(analyzed), Some(true)) = (table.analyzed, table.is_stale()) {
            line(
                text,
                2,
                &format!("its statistics are old: {} rows when it was analyzed", grouped(analyzed as f64)),
            );
        }
        let is_passed_over = table.analyzed.is_none() && table.rows().is_some_and(|rows| rows >= 1000.0);
        if is_passed_over && audited.tables.iter().any(|table| table.analyzed.is_some()) {
            line(text, 2, "no statistics: it was empty, or not there, when the file was analyzed");
        }
        if let Some(trend) = &table.trend {
            line(text, 2, &growth(trend));
        }
        for index in &table.indexes {
            match &index.size {
                Some(size) => line(text, 2, &format!("{}: {}", index.name, tree(audited, size))),
                None => line(text, 2, &format!("{}: its first page can't be read", index.name)),
            }
        }
    }
    if let Some(rest) = tables.len().checked_sub(MOST).filter(|rest| *rest > 0) {
        line(text, 0, &format!("and {rest} smaller tables"));
    }
    if !empty.is_empty() {
        let names: Vec<&str> = empty.iter().take(MOST).map(|table| table.name.as_str()).collect();
        let more = if empty.len() > MOST { ", …" } else { "" };
        line(text, 0, &format!("empty: {}{more}", names.join(", ")));
    }
    let has_large = tables.iter().any(|table| table.rows().is_some_and(|rows| rows >= 1000.0));
    if has_large && tables.iter().all(|table| table.analyzed.is_none()) {
        line(text, 0, "no statistics: it was never analyzed");
    }
}

fn tree(audited: &Audited, size: &TreeSize) -> String {
    let levels = if size.depth == 1 { "1 level".to_owned() } else { format!("{} levels", size.depth) };
    format!(
        "{} rows of {:.0} bytes, {} in {levels}, {:.0} % full",
        estimate(size),
        size.row_bytes,
        bytes(audited.bytes_of(size)),
        size.fill * 100.0,
    )
}

fn costs(text: &mut String, report: &Report) {
    let costs = &report.costs;
    // Of small ones there is nothing to win.
    let large: Vec<&IndexCost> = costs.indexes.iter().filter(|index| index.bytes >= LARGE).collect();
    text.push('\n');
    if !large.is_empty() {
        line(
            text,
            0,
            "indexes: what dropping one gives back, and what a new row writes in it, 1,000 in a transaction",
        );
    }
    for index in large.into_iter().take(MOST) {
        let pages = match index.pages_per_row {
            Some((least, most)) if most - least < 0.05 => format!(", {most:.2} pages for each row"),
            Some((least, most)) => format!(", {least:.2} to {most:.2} pages for each row"),
            None => String::new(),
        };
        let share = index.share * 100.0;
        let made = if index.name.starts_with("sqlite_autoindex_") { ", made by a constraint" } else { "" };
        line(
            text,
            2,
            &format!(
                "{} on {}: {}, {share:.0} % of the file{pages}{made}",
                index.name,
                index.table,
                bytes(index.bytes)
            ),
        );
    }
    line(
        text,
        0,
        &format!(
            "VACUUM would give back about {}, {} of it in free pages",
            bytes(costs.vacuum),
            bytes(costs.free)
        ),
    );
}

fn program(text: &mut String, against: &Against) {
    text.push('\n');
    let (both, declared) = against.tables;
    line(
        text,
        0,
        &format!("beside the program: database {}, {both} of its {declared} tables", against.database),
    );
    let (words, number) = &against.nearest;
    let differences = match number {
        0 => "no difference".to_owned(),
        1 => "1 difference".to_owned(),
        number => format!("{number} differences"),
    };
    line(text, 2, &format!("its schema is nearest to that {words}: {differences}"));
    if let Some((file, declared)) = against.user_version.filter(|(file, declared)| file != declared) {
        line(text, 2, &format!("its user_version is {file}, and {declared} when all migrations have run"));
    }
    against.missing.iter().for_each(|index| missing(text, index));
    let is_missing = |one: &&Difference| !(one.kind == "index" && one.there.is_none());
    let rest: Vec<&Difference> = against.differences.iter().filter(is_missing).collect();
    rest.iter().take(MOST).for_each(|one| line(text, 2, &difference(one)));
    if let Some(more) = rest.len().checked_sub(MOST).filter(|more| *more > 0) {
        line(text, 2, &format!("and {more} more differences"));
    }
    for (place, message) in against.refused.iter().take(MOST) {
        line(text, 2, &format!("{place} fails on this file: {message}"));
    }
    if !against.slow.is_empty() || against.small > 0 {
        text.push('\n');
        line(
            text,
            0,
            "statements that read more than they give, or more than as declared, by what they read of this file:",
        );
    }
    against.slow.iter().take(MOST).for_each(|one| slow(text, 2, one));
    if let Some(more) = against.slow.len().checked_sub(MOST).filter(|more| *more > 0) {
        line(text, 2, &format!("and {more} more"));
    }
    if against.small > 0 {
        line(text, 2, &format!("not listed: {} that read fewer than 100 rows of this file", against.small));
    }
}

fn missing(text: &mut String, index: &MissingIndex) {
    line(text, 2, &format!("missing: index {} on {}", index.name, index.table));
    if let Some(sql) = &index.sql {
        line(text, 4, &format!("{sql};"));
    }
    if let Some(creation) = &index.creation {
        line(text, 4, &created(creation));
    }
    if index.wanting.is_empty() {
        line(text, 4, "no statement that was found goes by it");
    }
    index.wanting.iter().take(MOST).for_each(|one| slow(text, 4, one));
}

pub(super) fn created(one: &Creation) -> String {
    let (least, most) = one.seconds;
    let temporary = bytes(one.temporary);
    let journal =
        if one.journal > 0.0 { format!(", up to {} in the WAL", bytes(one.journal)) } else { String::new() };
    format!(
        "to create it reads {} and takes {} in the file, {temporary} in temporary files{journal}: {} at 1 GB/s, {} at 100 MB/s",
        bytes(one.read),
        bytes(one.index),
        seconds(least),
        seconds(most),
    )
}

fn slow(text: &mut String, indent: usize, one: &Slow) {
    line(text, indent, &slow_line(one));
    if let Some(forecast) = &one.forecast {
        line(text, indent + 2, &forecasted(forecast));
    }
}

/// What a statement reads, in words.
pub(super) fn slow_line(one: &Slow) -> String {
    if one.reads.is_empty() {
        return format!("{} goes another way: {}", one.place, one.plan.join("; "));
    }
    let reads: Vec<String> = one.reads.iter().map(reading).collect();
    let rules = if one.rules.is_empty() { String::new() } else { format!(" ({})", one.rules.join(", ")) };
    format!("{} reads at each call {}{rules}", one.place, reads.join(" and "))
}

/// How fast a table grows, in words.
pub(super) fn growth(trend: &Trend) -> String {
    let Trend { column, rate, over_all, span, .. } = trend;
    let (rate, over_all) = (small(*rate), small(*over_all));
    let all = if rate == over_all { String::new() } else { format!("; {over_all} over all") };
    match (trend.unit, &trend.clock) {
        (Unit::Days, _) => {
            format!("grows by about {rate} rows a day, by `{column}` in the last {}{all}", ahead(*span))
        }
        (Unit::Numbers, None) => format!("grows by about {rate} rows with each number of `{column}`{all}"),
        (Unit::Numbers, Some(clock)) => format!(
            "grows by about {rate} rows with each number of `{column}`, {} a day by `{}` of {}{all}",
            small(trend.per_day().unwrap_or_default()),
            clock.column,
            clock.table
        ),
    }
}

/// What a statement costs when the tables have grown, in words.
pub(super) fn forecasted(forecast: &Forecast) -> String {
    let [now, twice, four] = forecast.pages.map(rounded);
    let most = if forecast.is_most { "up to " } else { "" };
    let year = forecast.year.map_or_else(String::new, |year| format!(", {} in a year", rounded(year)));
    let passes = passes(forecast.passes).map_or_else(String::new, |words| format!("; {words}"));
    format!("{most}{now} pages now, {twice} at twice the size, {four} at four times{year}{passes}")
}

/// When a statement passes its budget, in words; `None` where there is none.
pub(super) fn passes(passes: Passes) -> Option<String> {
    match passes {
        Passes::Unasked => None,
        Passes::Already => Some("over its budget of time already".to_owned()),
        Passes::Days(days) => Some(format!("passes its budget of time in about {}", ahead(days))),
        Passes::Size(size) => Some(format!("passes its budget of time at {size:.1} times the size")),
        Passes::Far => Some("stays within its budget of time for as long as can be told".to_owned()),
    }
}

pub(super) fn reading(one: &Reading) -> String {
    let through = one.index.as_ref().map_or_else(String::new, |index| format!(" by {index}"));
    let again = match (one.in_loop, one.builds) {
        (_, true) => ", to build an index for this one run",
        (true, false) => ", for each row that is found before it",
        _ => "",
    };
    let average = if one.is_average { "on average " } else { "" };
    format!("{average}{} rows of {}{through}, {}{again}", rounded(one.rows), one.table, bytes(one.bytes))
}

pub(super) fn difference(one: &Difference) -> String {
    let Difference { kind, table, object, property, here, there } = one;
    let kind = kind.replace('_', " ");
    let named = if kind == "table" || kind == "view" {
        format!("{kind} {object}")
    } else {
        format!("{kind} {object} of {table}")
    };
    match (*property, here, there) {
        ("exists", Some(_), None) => format!("missing: {named}"),
        ("exists", _, _) => format!("not declared: {named}"),
        (property, here, there) => {
            let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
            format!("{named}: {} is {}, declared {}", property.replace('_', " "), word(there), word(here))
        }
    }
}
