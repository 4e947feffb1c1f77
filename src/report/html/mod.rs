//! An audited file as one page for a browser: it loads nothing, runs nothing, and follows the reader's choice of light or dark.
//! Of the database it has names, texts of SQL and numbers, and no value of a row.

mod markup;
mod parts;
mod plot;
mod statements;
mod target;

pub use target::{Target, TargetError};

use super::{
    audit::{self, Report},
    measure::{bytes, grouped},
};
use crate::audit::Against;
use markup::Markup;

/// By this a page is known as one of ours.
const MARK: &str = "<meta name=\"generator\" content=\"planlint audit\">";

/// The page.
pub fn render(report: &Report) -> String {
    let mut page = Markup::default();
    page.own("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.own(MARK);
    // Even a fault of ours could have nothing loaded.
    page.own(
        "\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    page.own("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.words("title", "", &format!("Audit of {}", report.path));
    page.own("\n<style>\n");
    page.own(include_str!("page.css"));
    page.own("</style>\n</head>\n<body>\n");
    page.element("main", &[], |page| {
        head(page, report);
        tiles(page, report);
        report.against.iter().for_each(|against| statements::missing(page, report, against));
        report.against.iter().for_each(|against| statements::slow(page, report, against));
        parts::sizes(page, report);
        parts::growth(page, report);
        parts::indexes(page, report);
        report.against.iter().for_each(|against| parts::drift(page, against));
        parts::notes(page, report);
        page.element("footer", &[], |page| {
            page.text(&format!("planlint {}, SQLite {}", env!("CARGO_PKG_VERSION"), report.sqlite));
        });
    });
    page.own("\n</body>\n</html>\n");
    page.finish()
}

/// A part of the page.
fn section(page: &mut Markup, title: &str, inside: impl FnOnce(&mut Markup)) {
    page.line();
    page.element("section", &[], |page| {
        page.words("h2", "", title);
        inside(page);
    });
}

fn head(page: &mut Markup, report: &Report) {
    let (audited, header) = (&report.audited, &report.audited.header);
    page.words("h1", "", &report.path);
    let journal = if header.is_wal { "WAL" } else { "rollback journal" };
    let beside = match (report.root.as_deref(), report.against.is_empty()) {
        (Some(root), false) => format!(" Held against the program in {root}."),
        (Some(root), true) => format!(" No database of {root} has a table of this file."),
        _ => String::new(),
    };
    page.words(
        "p",
        "soft",
        &format!(
            "{} pages of {} bytes, {journal}. {} of them were read, {}.{beside}",
            grouped(f64::from(audited.pages)),
            header.page_size,
            grouped(audited.reads as f64),
            audit::way(audited.way),
        ),
    );
}

fn tiles(page: &mut Markup, report: &Report) {
    let tables = report.audited.tables.iter().filter(|table| !table.is_virtual).count();
    let mut tiles = vec![
        (bytes(report.audited.bytes as f64), "the file".to_owned()),
        (grouped(tables as f64), "tables".to_owned()),
        (bytes(report.costs.vacuum), "VACUUM would give back".to_owned()),
    ];
    if let Some(day) = parts::bytes_per_day(&report.audited) {
        tiles.push((format!("{} a day", bytes(day)), "growth, where a column tells it".to_owned()));
    }
    let sum = |of: fn(&Against) -> usize| grouped(report.against.iter().map(of).sum::<usize>() as f64);
    if !report.against.is_empty() {
        tiles.push((sum(|one| one.missing.len()), "declared indexes missing".to_owned()));
        tiles.push((sum(|one| one.slow.len()), "statements that read too much".to_owned()));
    }
    page.line();
    page.element("div", &[("class", "tiles")], |page| {
        for (number, words) in tiles {
            page.element("div", &[("class", "tile")], |page| {
                page.words("b", "", &number);
                page.words("span", "", &words);
            });
        }
    });
}
