//! The parts of the page that are about the file: sizes, growth, what indexes cost, how it differs, and what else is to be
//! known of it.

use super::{markup::Markup, plot, section};
use crate::{
    audit::{Against, Audited, FileTable, TreeSize, Trend, Unit},
    report::{
        audit::{self, LARGE, Report},
        measure::{ahead, bytes, estimate, grouped, rounded, rows, small},
    },
    schema::compare::Difference,
};

/// So many are shown of what can be many.
const MOST: usize = 20;
/// A year, in days.
const YEAR: f64 = 365.0;

fn trees(table: &FileTable) -> impl Iterator<Item = &TreeSize> {
    table.size.iter().chain(table.indexes.iter().filter_map(|index| index.size.as_ref()))
}

fn whole(audited: &Audited, table: &FileTable) -> f64 {
    trees(table).map(|size| audited.bytes_of(size)).sum()
}

/// Bytes of rows and entries that come in a day; `None` where no table tells.
pub(super) fn bytes_per_day(audited: &Audited) -> Option<f64> {
    let days = audited.tables.iter().filter_map(|table| {
        let per_day = table.trend.as_ref()?.per_day()?;
        Some(whole(audited, table) / table.rows()?.max(1.0) * per_day)
    });
    days.reduce(|one, other| one + other)
}

/// The tables, largest first, with their indexes.
pub(super) fn sizes(page: &mut Markup, report: &Report) {
    let audited = &report.audited;
    let mut tables: Vec<&FileTable> = audited.tables.iter().filter(|table| !table.is_virtual).collect();
    tables.sort_by(|one, other| {
        whole(audited, other).total_cmp(&whole(audited, one)).then_with(|| one.name.cmp(&other.name))
    });
    let is_empty =
        |table: &&FileTable| table.size.is_some_and(|size| size.is_exact && size.rows.value == 0.0);
    let (empty, tables): (Vec<&FileTable>, Vec<&FileTable>) = tables.into_iter().partition(is_empty);
    let most = tables.iter().flat_map(|table| trees(table)).map(|size| audited.bytes_of(size));
    let most = most.fold(1.0, f64::max);
    section(page, "Sizes", |page| {
        page.element("div", &[("class", "key")], |page| {
            page.element("span", &[], |page| {
                page.element("i", &[], |_| {});
                page.text("table");
            });
            page.element("span", &[], |page| {
                page.element("i", &[("class", "index")], |_| {});
                page.text("index");
            });
        });
        page.element("div", &[("class", "bars")], |page| {
            for table in tables.iter().take(MOST) {
                if let Some(size) = &table.size {
                    bar(
                        page,
                        ("name", "table"),
                        &table.name,
                        audited.bytes_of(size) / most,
                        &bytes(audited.bytes_of(size)),
                    );
                    page.words("span", "more", &tree(size));
                }
                for index in &table.indexes {
                    let Some(size) = &index.size else { continue };
                    let own = audited.bytes_of(size);
                    bar(page, ("name below", "index"), &index.name, own / most, &bytes(own));
                }
            }
        });
        if let Some(more) = tables.len().checked_sub(MOST).filter(|more| *more > 0) {
            page.words("p", "soft", &format!("and {more} smaller tables"));
        }
        if !empty.is_empty() {
            let names: Vec<&str> = empty.iter().take(MOST).map(|table| table.name.as_str()).collect();
            let more = if empty.len() > MOST { ", …" } else { "" };
            page.words("p", "soft", &format!("Empty: {}{more}", names.join(", ")));
        }
    });
}

fn bar(page: &mut Markup, (class, kind): (&str, &str), name: &str, share: f64, size: &str) {
    page.line();
    page.words("span", class, name);
    page.words("span", "size", size);
    plot::bar(page, kind, share);
}

fn tree(size: &TreeSize) -> String {
    let levels = if size.depth == 1 { "1 level".to_owned() } else { format!("{} levels", size.depth) };
    format!(
        "{} of {:.0} bytes, {levels}, {:.0} % full",
        rows(&estimate(size)),
        size.row_bytes,
        size.fill * 100.0
    )
}

/// How fast tables grow.
pub(super) fn growth(page: &mut Markup, report: &Report) {
    let all = report.audited.tables.iter().filter_map(|table| Some((table, table.trend.as_ref()?)));
    let mut growing: Vec<_> = all.collect();
    growing.sort_by(|(one, a), (other, b)| {
        b.per_day()
            .unwrap_or(0.0)
            .total_cmp(&a.per_day().unwrap_or(0.0))
            .then_with(|| one.name.cmp(&other.name))
    });
    let large = report.audited.tables.iter().filter(|table| table.rows().is_some_and(|rows| rows >= 1000.0));
    let silent: Vec<&str> =
        large.filter(|table| table.trend.is_none()).map(|table| table.name.as_str()).take(MOST).collect();
    if growing.is_empty() && silent.is_empty() {
        return;
    }
    section(page, "Growth", |page| {
        if !growing.is_empty() {
            let head = ["table", "by", "rows now", "rows a day", "rows in a year", "bytes more in a year"];
            table(page, &head, 2, |page| {
                for (one, trend) in growing.iter().take(MOST) {
                    let rows = one.rows().unwrap_or_default();
                    let day = trend.per_day();
                    let year =
                        |of: &dyn Fn(f64) -> String| day.map_or_else(|| "–".to_owned(), |day| of(day * YEAR));
                    let each = whole(&report.audited, one) / rows.max(1.0);
                    let cells = [
                        one.name.clone(),
                        by(trend),
                        rounded(rows),
                        day.map_or_else(|| "–".to_owned(), small),
                        year(&|more| rounded(rows + more)),
                        year(&|more| bytes(more * each)),
                    ];
                    row(page, &cells, 2);
                }
            });
        }
        if !silent.is_empty() {
            page.words("p", "soft", &format!("Nothing tells how fast these grow: {}", silent.join(", ")));
        }
    });
}

/// By which columns that is known.
fn by(trend: &Trend) -> String {
    match (trend.unit, &trend.clock) {
        (Unit::Days, _) => format!("{}, last {}", trend.column, ahead(trend.span)),
        (Unit::Numbers, Some(clock)) => format!("{}, and {} of {}", trend.column, clock.column, clock.table),
        (Unit::Numbers, None) => format!("{}: {} rows with each number", trend.column, small(trend.rate)),
    }
}

/// A table of numbers, of which the first columns are words.
pub(super) fn table(page: &mut Markup, head: &[&str], words: usize, rows: impl FnOnce(&mut Markup)) {
    page.element("div", &[("class", "scroll")], |page| {
        page.element("table", &[], |page| {
            page.element("thead", &[], |page| {
                page.element("tr", &[], |page| {
                    for (at, cell) in head.iter().enumerate() {
                        page.words("th", if at < words { "" } else { "number" }, cell);
                    }
                });
            });
            page.element("tbody", &[], rows);
        });
    });
}

/// A row of it.
pub(super) fn row(page: &mut Markup, cells: &[String], words: usize) {
    page.line();
    page.element("tr", &[], |page| {
        for (at, cell) in cells.iter().enumerate() {
            page.words("td", if at < words { "" } else { "number" }, cell);
        }
    });
}

/// What indexes cost.
pub(super) fn indexes(page: &mut Markup, report: &Report) {
    let costs = &report.costs;
    let large: Vec<_> = costs.indexes.iter().filter(|index| index.bytes >= LARGE).take(MOST).collect();
    section(page, "What indexes cost", |page| {
        if large.is_empty() {
            page.words("p", "soft", "None is larger than 64 kB.");
        } else {
            page.words("p", "soft", "What dropping one gives back, and the pages that a new row writes in it, 1,000 in a transaction.");
            table(page, &["index", "table", "size", "of the file", "pages for each row"], 2, |page| {
                for index in &large {
                    let pages = match index.pages_per_row {
                        Some((least, most)) if most - least < 0.05 => format!("{most:.2}"),
                        Some((least, most)) => format!("{least:.2} to {most:.2}"),
                        None => "–".to_owned(),
                    };
                    let share = format!("{:.1} %", index.share * 100.0);
                    row(
                        page,
                        &[index.name.clone(), index.table.clone(), bytes(index.bytes), share, pages],
                        2,
                    );
                }
            });
        }
        let words = format!(
            "VACUUM would give back about {}, {} of it in free pages.",
            bytes(costs.vacuum),
            bytes(costs.free)
        );
        page.words("p", "", &words);
    });
}

/// How the schema differs from that of the program.
pub(super) fn drift(page: &mut Markup, against: &Against) {
    section(page, &format!("Drift from database {}", against.database), |page| {
        let (both, declared) = against.tables;
        let (words, number) = &against.nearest;
        let differences = match number {
            0 => "no difference".to_owned(),
            1 => "1 difference".to_owned(),
            number => format!("{number} differences"),
        };
        let text = format!(
            "The file has {both} of its {declared} tables. Its schema is nearest to that {words}: {differences}."
        );
        page.words("p", "", &text);
        if let Some((file, declared)) = against.user_version.filter(|(file, declared)| file != declared) {
            let text = format!("Its user_version is {file}, and {declared} when all migrations have run.");
            page.words("p", "", &text);
        }
        let kind = |one: &Difference| match (one.property, &one.here, &one.there) {
            ("exists", Some(_), None) => 0,
            ("exists", _, _) => 1,
            _ => 2,
        };
        for (at, title) in ["Missing", "Not declared", "Different"].into_iter().enumerate() {
            let own: Vec<String> =
                against.differences.iter().filter(|one| kind(one) == at).map(audit::difference).collect();
            let words = own
                .iter()
                .map(|one| one.split_once(": ").filter(|_| at < 2).map_or(one.as_str(), |(_, rest)| rest));
            list(page, title, &words.collect::<Vec<_>>());
        }
        let refused: Vec<String> =
            against.refused.iter().map(|(place, message)| format!("{place}: {message}")).collect();
        let found: Vec<String> = against.found.iter().map(audit::finding).collect();
        list(
            page,
            "Found in the schema of the program",
            &found.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        list(
            page,
            "Statements that fail on this file",
            &refused.iter().map(String::as_str).collect::<Vec<_>>(),
        );
    });
}

fn list(page: &mut Markup, title: &str, lines: &[&str]) {
    if lines.is_empty() {
        return;
    }
    page.words("h4", "", &format!("{title}: {}", grouped(lines.len() as f64)));
    page.element("ul", &[("class", "drift")], |page| {
        for line in lines {
            page.words("li", "", line);
        }
    });
}

/// What else is to be known.
pub(super) fn notes(page: &mut Markup, report: &Report) {
    let mut lines = audit::remarks(report);
    for table in &report.audited.tables {
        if let (Some(analyzed), Some(true)) = (table.analyzed, table.is_stale()) {
            let rows = rows(&grouped(analyzed as f64));
            lines.push(format!("the statistics of {} are old: {rows} when it was analyzed", table.name));
        }
    }
    if lines.is_empty() {
        return;
    }
    section(page, "Notes", |page| {
        page.element("ul", &[("class", "drift")], |page| {
            lines.iter().take(MOST * 2).for_each(|line| page.words("li", "", line));
        });
    });
}
