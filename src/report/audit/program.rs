//! An audited file beside its program, for people: what it lacks of what is declared, and what statements read in it. Knows
//! no sizes of tables and indexes but those that are read.

use super::{MOST, line};
use crate::{
    audit::{Against, Creation, Forecast, Found, MissingIndex, Passes, Reading, Slow},
    report::measure::{ahead, bytes, rounded, rows, seconds},
    schema::compare::Difference,
};
use std::collections::BTreeSet;

pub(in crate::report) fn program(text: &mut String, against: &Against) {
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
    let mut named = BTreeSet::new();
    against.missing.iter().for_each(|index| missing(text, index, &mut named));
    let is_missing =
        |one: &&Difference| !(one.kind == "index" && (one.there.is_none() || one.property == "definition"));
    let rest: Vec<&Difference> = against.differences.iter().filter(is_missing).collect();
    rest.iter().take(MOST).for_each(|one| line(text, 2, &difference(one)));
    if let Some(more) = rest.len().checked_sub(MOST).filter(|more| *more > 0) {
        line(text, 2, &format!("and {more} more differences"));
    }
    for (place, message) in against.refused.iter().take(MOST) {
        line(text, 2, &format!("{place} fails on this file: {message}"));
    }
    found(text, &against.found);
    let is_new = |one: &&Slow| !named.contains(&slow_line(one));
    let (slow, above): (Vec<&Slow>, Vec<&Slow>) = against.slow.iter().partition(is_new);
    if !against.slow.is_empty() || against.small > 0 {
        text.push('\n');
        line(
            text,
            0,
            "statements that read more than they give, or more than as declared, by what they read of this file:",
        );
    }
    slow.iter().take(MOST).for_each(|one| self::slow(text, 2, one));
    if let Some(more) = slow.len().checked_sub(MOST).filter(|more| *more > 0) {
        line(text, 2, &format!("and {more} more"));
    }
    if !above.is_empty() {
        line(text, 2, &format!("and {} above, under the indexes that they miss", above.len()));
    }
    if against.small > 0 {
        line(
            text,
            2,
            &format!(
                "not listed: {} that SQLite expects to read fewer than 100 rows of this file",
                against.small
            ),
        );
    }
}

/// `named` are the statements that were told under another index already.
fn missing(text: &mut String, index: &MissingIndex, named: &mut BTreeSet<String>) {
    line(text, 2, &format!("missing: index {} on {}{}", index.name, index.table, taken(index)));
    if let Some(instead) = &index.instead {
        line(text, 4, &format!("there: {instead}"));
    }
    if let Some(sql) = &index.sql {
        line(text, 4, &format!("{sql};"));
    }
    if let Some(creation) = &index.creation {
        line(text, 4, &created(creation));
    }
    if index.wanting.is_empty() {
        line(text, 4, "no statement that was found uses it");
    }
    for one in index.wanting.iter().take(MOST) {
        if named.insert(slow_line(one)) {
            slow(text, 4, one);
        } else {
            line(text, 4, &format!("{} would use it, too", one.place));
        }
    }
}

/// What stands in the way of an index, in words.
pub(in crate::report) fn taken(index: &MissingIndex) -> &'static str {
    if index.instead.is_some() { "; the file has another index of this name" } else { "" }
}

pub(in crate::report) fn created(one: &Creation) -> String {
    let (least, most) = one.seconds;
    let temporary = bytes(one.temporary);
    let journal =
        if one.journal > 0.0 { format!(", up to {} in the WAL", bytes(one.journal)) } else { String::new() };
    let (fast, slow) = (seconds(least), seconds(most));
    let time = if fast == slow { slow } else { format!("{fast} at 1 GB/s, {slow} at 100 MB/s") };
    format!(
        "to create it reads {} and takes {} in the file, {temporary} in temporary files{journal}: {time}",
        bytes(one.read),
        bytes(one.index),
    )
}

fn slow(text: &mut String, indent: usize, one: &Slow) {
    line(text, indent, &slow_line(one));
    if let Some(forecast) = &one.forecast {
        line(text, indent + 2, &forecasted(forecast));
    }
}

/// What rules find of the schema, and of no statement.
fn found(text: &mut String, all: &[Found]) {
    if all.is_empty() {
        return;
    }
    text.push('\n');
    line(text, 0, "found in the schema of the program:");
    all.iter().take(MOST).for_each(|one| line(text, 2, &finding(one)));
    if let Some(more) = all.len().checked_sub(MOST).filter(|more| *more > 0) {
        line(text, 2, &format!("and {more} more; `planlint check` lists all"));
    }
}

pub(in crate::report) fn finding(one: &Found) -> String {
    let place = one.place.as_ref().map_or_else(String::new, |place| format!("{place} "));
    format!("{place}{} ({})", one.message, one.rule)
}

/// What a statement reads, in words.
pub(in crate::report) fn slow_line(one: &Slow) -> String {
    if one.reads.is_empty() {
        return format!("{} goes another way: {}", one.place, one.plan.join("; "));
    }
    let rules = if one.rules.is_empty() { String::new() } else { format!(" ({})", one.rules.join(", ")) };
    format!("{} reads {}{rules}", one.place, readings(&one.reads))
}

/// What is read, in words that follow "reads".
pub(in crate::report) fn readings(all: &[Reading]) -> String {
    let mut before = None;
    let words = all.iter().map(|one| {
        // A loop goes around what stands above it, whether that is told or not.
        let again = one.in_loop && !one.builds;
        let when = match (again, before.replace(again)) {
            (true, Some(true)) | (false, Some(false)) => "",
            (true, _) => "for each row found before, ",
            (false, _) => "at each call ",
        };
        format!("{when}{}", reading(one))
    });
    words.collect::<Vec<_>>().join(", and ")
}

/// What a statement costs when the tables have grown, in words.
pub(in crate::report) fn forecasted(forecast: &Forecast) -> String {
    let [now, twice, four] = forecast.pages.map(rounded);
    let most = if forecast.is_most { "up to " } else { "" };
    let year = forecast.year.map_or_else(String::new, |year| format!(", {} in a year", rounded(year)));
    let passes = passes(forecast.passes).map_or_else(String::new, |words| format!("; {words}"));
    format!("{most}{now} pages now, {twice} at twice the size, {four} at four times{year}{passes}")
}

/// When a statement passes its budget, in words; `None` where there is none.
pub(in crate::report) fn passes(passes: Passes) -> Option<String> {
    match passes {
        Passes::Unasked => None,
        Passes::Already => Some("over its budget of time already".to_owned()),
        Passes::Days(days) => Some(format!("passes its budget of time in about {}", ahead(days))),
        Passes::Size(size) => Some(format!("passes its budget of time at {size:.1} times the size")),
        Passes::Far => Some("stays within its budget of time for as long as can be told".to_owned()),
    }
}

fn reading(one: &Reading) -> String {
    let through = one.index.as_ref().map_or_else(String::new, |index| format!(" by its index {index}"));
    let again = if one.builds { ", to build an index for this one run" } else { "" };
    let average = if one.is_average { "on average " } else { "" };
    let rows = rows(&rounded(one.rows));
    format!("{average}{rows} of {}{through}, {}{again}", one.table, bytes(one.bytes))
}

pub(in crate::report) fn difference(one: &Difference) -> String {
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
