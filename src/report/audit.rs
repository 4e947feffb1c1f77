//! An audited file, for people: what it is, how large each table and index is, what it lacks of what its program declares,
//! and what could be given back. Numbers that are estimates carry their bounds.

mod program;

pub(super) use program::{created, difference, finding, forecasted, passes, readings, slow_line, taken};

use super::measure::{ahead, bytes, estimate, grouped, rows, small};
use super::terminal::{harmless, wrapped};
use crate::{
    audit::{Against, Audited, Budget, Costs, FileTable, IndexCost, TreeSize, Trend, Unit},
    schema::file::Way,
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

/// The text for a terminal of this width.
pub fn render(report: &Report, width: usize) -> String {
    let mut text = String::new();
    head(&mut text, report);
    for words in remarks(report) {
        line(&mut text, 2, &words);
    }
    tables(&mut text, &report.audited);
    costs(&mut text, report);
    report.against.iter().for_each(|against| program::program(&mut text, against));
    if let Some(root) = report.root.as_ref().filter(|_| report.against.is_empty()) {
        text.push('\n');
        line(&mut text, 0, &format!("no database of {root} has a table of this file"));
    }
    wrapped(&text, width)
}

// Writing to a string never fails.
fn line(text: &mut String, indent: usize, words: &str) {
    // A name may hold a line break, and must not begin a line of its own.
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
                &format!("its statistics are old: {} when it was analyzed", rows(&grouped(analyzed as f64))),
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
        "{} of {:.0} bytes, {} in {levels}, {:.0} % full",
        rows(&estimate(size)),
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
