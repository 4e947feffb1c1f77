//! How many rows a table was found to have, in a database in the field: what that says of the size that was inferred. A
//! large table grows, whoever fills it; one that has few rows in a database of many grew no further in all its time.

use super::{Class, TableSize};
use crate::{
    config::{FileStatistics, TableStatistics},
    schema::same,
    workload::Database,
};

/// So many rows are many: a table that has them grows.
const MANY: u64 = 10_000;
/// So many rows at most are few, where another table of the database has so many.
const FEW: (u64, u64) = (1000, 100_000);

/// Takes over what was found of a table.
pub(super) fn count(database: &Database, size: &mut TableSize) {
    let Some(statistics) = &database.statistics else { return };
    let Some(own) = statistics.tables.iter().find(|own| same(&own.name, &size.table)) else { return };
    (size.rows, size.is_said) = (Some(own.rows), statistics.is_declared);
    let (few, many) = FEW;
    let largest = statistics.tables.iter().map(|table| table.rows).max().unwrap_or(0);
    let is_stable = matches!(size.class, Class::Growing | Class::Churning) && (1..=few).contains(&own.rows);
    let is_over = matches!(size.class, Class::Single | Class::Bounded) && own.rows > size.bound.unwrap_or(0);
    if is_over && own.rows > MANY {
        (size.class, size.bound, size.is_counted) = (Class::Growing, None, true);
    } else if is_over {
        (size.class, size.bound, size.is_counted) = (Class::Bounded, Some(own.rows), true);
    } else if is_stable && largest >= many {
        (size.class, size.bound, size.is_counted) = (Class::Bounded, Some(few), true);
    }
    size.evidence.insert(0, (own.site, said(statistics, own)));
}

fn said(statistics: &FileStatistics, table: &TableStatistics) -> String {
    let TableStatistics { rows, error, .. } = *table;
    let date = if statistics.date.is_empty() { String::new() } else { format!(" on {}", statistics.date) };
    let rows = match (rows, error) {
        (1, _) => "1 row".to_owned(),
        (rows, 0) => format!("{} rows", grouped(rows)),
        (rows, _) => format!("about {} rows", grouped(rounded(rows))),
    };
    if statistics.is_declared {
        return format!("the configuration says that it has {rows}");
    }
    let whose = if statistics.path.is_empty() { " in the audited file" } else { "" };
    format!("it had {rows}{date}{whose}")
}

/// An estimate with three digits.
fn rounded(number: u64) -> u64 {
    let scale = 10_u64.pow(number.max(1).ilog10().saturating_sub(2));
    (number + scale / 2) / scale * scale
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    if number < 1000 {
        return number.to_string();
    }
    format!("{},{:03}", grouped(number / 1000), number % 1000)
}

#[cfg(test)]
mod tests {
    use super::{grouped, rounded};

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 4_100_000].map(grouped), ["0", "999", "1,000", "4,100,000"]);
    }

    #[test]
    fn an_estimate_has_three_digits() {
        assert_eq!([0, 7, 999, 100_001, 1_234_567].map(rounded), [0, 7, 999, 100_000, 1_230_000]);
    }
}
