//! The parts of the page that are about statements: what they read, how that grows, and with what it no longer does.

use super::{
    markup::Markup,
    parts::{row, table},
    plot::Curve,
    section,
};
use crate::{
    audit::{Against, Cured, Forecast, Passes, SIZES, Slow},
    report::{
        audit::{self, Report},
        measure::{grouped, rounded},
    },
};

/// So many statements are shown whole, and the rest in a line each.
const MOST: usize = 12;

/// The indexes that the file lacks.
pub(super) fn missing(page: &mut Markup, report: &Report, against: &Against) {
    if against.missing.is_empty() {
        return;
    }
    section(page, "Declared indexes that are missing", |page| {
        for index in &against.missing {
            page.words("h3", "", &format!("{} on {}{}", index.name, index.table, audit::taken(index)));
            if let Some(instead) = &index.instead {
                page.words("h4", "", "In the file");
                page.words("pre", "", &format!("{instead};"));
                page.words("h4", "", "As declared");
            }
            if let Some(sql) = &index.sql {
                page.words("pre", "", &format!("{sql};"));
            }
            if let Some(creation) = &index.creation {
                let words = audit::created(creation);
                page.words("p", "soft", &format!("To {}.", words.trim_start_matches("to ")));
            }
            if index.wanting.is_empty() {
                page.words("p", "soft", "No statement that was found uses it.");
            }
            many(page, report, &index.wanting.iter().collect::<Vec<_>>());
        }
    });
}

/// The statements that read too much.
pub(super) fn slow(page: &mut Markup, report: &Report, against: &Against) {
    let is_shown = |one: &Slow| {
        let mut wanting = against.missing.iter().flat_map(|index| &index.wanting);
        wanting.any(|other| (&other.place, &other.plan) == (&one.place, &one.plan))
    };
    let slow: Vec<&Slow> = against.slow.iter().filter(|one| !is_shown(one)).collect();
    if slow.is_empty() && against.small == 0 {
        return;
    }
    section(page, "Statements that read too much", |page| {
        let words =
            "They read more than they give, or more than as declared. Those that read most come first.";
        page.words("p", "soft", words);
        many(page, report, &slow);
        if against.small > 0 {
            let words = format!(
                "Not listed: {} that SQLite expects to read fewer than 100 rows of this file.",
                against.small
            );
            page.words("p", "soft", &words);
        }
    });
}

fn many(page: &mut Markup, report: &Report, all: &[&Slow]) {
    all.iter().take(MOST).for_each(|one| statement(page, report, one));
    let rest = all.get(MOST..).unwrap_or_default();
    if !rest.is_empty() {
        page.element("details", &[], |page| {
            page.words("summary", "", &format!("and {} more", grouped(rest.len() as f64)));
            page.element("ul", &[("class", "drift")], |page| {
                for one in rest {
                    page.words("li", "", &audit::slow_line(one));
                }
            });
        });
    }
}

fn statement(page: &mut Markup, report: &Report, one: &Slow) {
    page.line();
    page.element("article", &[], |page| {
        page.words("h3", "", &one.place);
        let over = one.forecast.as_ref().filter(|forecast| forecast.passes == Passes::Already);
        if over.is_some() {
            page.words("span", "badge over", "over budget");
        }
        one.rules.iter().for_each(|rule| page.words("span", "badge", rule));
        page.words("pre", "", &one.sql);
        if !one.reads.is_empty() {
            page.words("p", "", &format!("Reads {}.", audit::readings(&one.reads)));
        }
        page.element("div", &[("class", "pair")], |page| {
            if let Some(forecast) = &one.forecast {
                page.element("div", &[], |page| curve(page, report, one, forecast));
                page.element("div", &[], |page| numbers(page, one, forecast));
            }
            page.element("div", &[], |page| plan(page, "Plan on this file", &one.plan));
            if let Some(cure) = one.cures.first() {
                page.element("div", &[], |page| plan(page, with(cure), &cure.plan));
            }
        });
        one.cures.iter().filter(|cure| cure.kind != "declared").for_each(|cure| {
            page.words("h4", "", if cure.kind == "rewrite" { "In other words" } else { "What helps" });
            page.words("pre", "", &cure.sql);
        });
    });
}

fn with(cure: &Cured) -> &'static str {
    match cure.kind.as_str() {
        "declared" => "Plan with the index",
        "rewrite" => "Plan in other words",
        _ => "Plan with what helps",
    }
}

/// The first cure whose cost is known.
fn priced(one: &Slow) -> Option<(&Cured, [f64; 3])> {
    one.cures.iter().find_map(|cure| Some((cure, cure.pages?)))
}

fn curve(page: &mut Markup, report: &Report, one: &Slow, forecast: &Forecast) {
    let points = |pages: [f64; 3]| SIZES.into_iter().zip(pages).collect::<Vec<_>>();
    let cured = priced(one).map(|(_, pages)| points(pages)).unwrap_or_default();
    let title = format!("Pages that a call asks for: {}", audit::forecasted(forecast));
    page.words("h4", "", "Pages that a call asks for");
    Curve {
        title: &title,
        now: &points(forecast.pages),
        cured: &cured,
        year: forecast.year,
        budget: report.budget.ms.map(|ms| ms / report.budget.page_ms),
    }
    .draw(page);
    page.element("div", &[("class", "key")], |page| {
        page.element("span", &[], |page| {
            page.element("i", &[("class", "cost")], |_| {});
            page.text("as it is");
        });
        if !cured.is_empty() {
            page.element("span", &[], |page| {
                page.element("i", &[("class", "cured")], |_| {});
                page.text("cured");
            });
        }
    });
}

fn numbers(page: &mut Markup, one: &Slow, forecast: &Forecast) {
    page.words("h4", "", "In numbers");
    table(page, &["", "today", "2×", "4×", "in a year"], 1, |page| {
        let year = forecast.year.map_or_else(|| "–".to_owned(), rounded);
        let line = |words: &str, pages: [f64; 3], year: String| {
            let [now, twice, four] = pages.map(rounded);
            [words.to_owned(), now, twice, four, year]
        };
        row(page, &line(if forecast.is_most { "up to" } else { "pages" }, forecast.pages, year), 1);
        if let Some((_, pages)) = priced(one) {
            // As that of the next larger size that was reckoned.
            let reached = |now: &f64| forecast.year.is_some_and(|year| year <= *now);
            let year = forecast.pages.iter().zip(pages).find(|(now, _)| reached(now)).map(|(_, pages)| pages);
            let year = year.map_or_else(|| "–".to_owned(), rounded);
            row(page, &line("cured, from", pages, year), 1);
        }
    });
    if let Some(words) = audit::passes(forecast.passes) {
        page.words("p", "", &format!("It {}.", words.replace("over its", "is over its")));
    }
    if forecast.year.is_none() {
        page.words("p", "soft", "How fast its tables grow is not known.");
    }
}

/// A plan as a tree, by how far its rows are indented.
fn plan(page: &mut Markup, title: &str, lines: &[String]) {
    page.words("h4", "", title);
    let rows: Vec<(usize, &str)> = lines
        .iter()
        .map(|line| {
            let words = line.trim_start();
            ((line.len() - words.len()) / 2, words)
        })
        .collect();
    page.element("div", &[("class", "plan")], |page| tree(page, &rows));
}

fn tree(page: &mut Markup, rows: &[(usize, &str)]) {
    let Some((top, _)) = rows.first() else { return };
    page.element("ul", &[], |page| {
        let mut rest = rows;
        while let Some(((_, words), after)) = rest.split_first() {
            let below = after.iter().take_while(|(depth, _)| depth > top).count();
            let (below, next) = after.split_at(below);
            page.element("li", &[], |page| {
                page.text(words);
                tree(page, below);
            });
            rest = next;
        }
    });
}
