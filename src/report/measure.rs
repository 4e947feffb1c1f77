//! Numbers as people read them: rows, bytes, times, and how sure they are. Knows no report.

use crate::{audit::TreeSize, growth::size::counted};

/// The rows of a B-tree, with how far off they may be.
pub(super) fn estimate(size: &TreeSize) -> String {
    let one = &size.rows;
    if size.is_exact {
        return grouped(one.value);
    }
    // What is not counted is not certain to a digit behind the point.
    let percent = (one.error / one.value.max(1.0) * 100.0).max(0.1);
    format!("about {} (±{percent:.1} %)", rounded(one.value))
}

/// So many rows.
pub(super) fn rows(number: &str) -> String {
    if number == "1" { "1 row".to_owned() } else { format!("{number} rows") }
}

/// An estimate with three digits.
pub(super) fn rounded(value: f64) -> String {
    let scale = 10_f64.powf((value.max(1.0).log10().floor() - 2.0).max(0.0));
    grouped((value / scale).round() * scale)
}

/// A number with commas between its thousands.
pub(super) fn grouped(number: f64) -> String {
    counted::grouped(number.round() as u64)
}

/// Bytes in the largest unit that fits.
pub(super) fn bytes(number: f64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    match units.into_iter().find(|(_, size)| number >= *size) {
        Some((unit, size)) if number / size < 10.0 => format!("{:.1} {unit}", number / size),
        Some((unit, size)) => format!("{:.0} {unit}", number / size),
        None => format!("{number:.0} bytes"),
    }
}

/// A time that something takes.
pub(super) fn seconds(number: f64) -> String {
    match number {
        ..1.0 => "less than a second".to_owned(),
        ..1.5 => "1 second".to_owned(),
        ..120.0 => format!("{number:.0} seconds"),
        ..7200.0 => format!("{:.0} minutes", number / 60.0),
        _ => format!("{:.1} hours", number / 3600.0),
    }
}

/// A number, with one digit behind the point where it is small.
pub(super) fn small(number: f64) -> String {
    match number {
        ..0.095 => format!("{number:.3}"),
        ..9.95 => format!("{number:.1}"),
        _ => rounded(number),
    }
}

/// A time of days, months or years.
pub(super) fn ahead(days: f64) -> String {
    match days {
        ..1.5 => "a day".to_owned(),
        ..60.0 => format!("{days:.0} days"),
        ..700.0 => format!("{:.0} months", days / 30.4),
        _ => format!("{:.1} years", days / 365.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_are_sure() {
        assert_eq!(
            [0.012, 0.5, 9.0, 9.99, 1234.0, 1_234_567.0].map(small),
            ["0.012", "0.5", "9.0", "10", "1,230", "1,230,000"]
        );
        assert_eq!([1.0, 45.0, 100.0, 1000.0].map(ahead), ["a day", "45 days", "3 months", "2.7 years"]);
    }
}
