//! Measurements as a table, and as bars of text. Knows numbers only.

use super::Point;
use crate::growth::size::counted::grouped;
use std::fmt::Write as _;

/// The most bars.
const BARS: usize = 10;
/// Columns of the longest bar.
const LONGEST: u64 = 50;

/// The measurements, a row each.
pub(super) fn table(points: &[Point]) -> String {
    let head = ["rows", "steps", "pages", "sorts", "returned", "changed"].map(str::to_owned).to_vec();
    let row = |one: &Point| {
        [one.rows, one.steps, one.pages, one.sorts, one.returned, one.changed].map(grouped).to_vec()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(points.iter().map(row)).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut out = String::new();
    for row in &rows {
        let cells =
            row.iter().enumerate().map(|(column, cell)| format!("{cell:>wide$}", wide = width(column)));
        // Writing to a string never fails.
        let _ = writeln!(out, "    {}", cells.collect::<Vec<_>>().join("  "));
    }
    out
}

/// A bar for each measurement, as long as its steps are many. Of more than fit, the largest.
pub(super) fn bars(points: &[Point]) -> String {
    let most = points.iter().map(|one| one.steps).max().unwrap_or(0).max(1);
    let wide = points.iter().map(|one| grouped(one.rows).chars().count()).max().unwrap_or(0);
    let line = |one: &Point| {
        // As many as its share, rounded; some for whatever takes any step at all.
        let length = (one.steps * LONGEST + most / 2) / most;
        let bar = "#".repeat(usize::try_from(length.max(u64::from(one.steps > 0))).unwrap_or(0));
        format!("    {:>wide$} |{bar} {}\n", grouped(one.rows), grouped(one.steps))
    };
    points.iter().skip(points.len().saturating_sub(BARS)).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(rows: u64, steps: u64) -> Point {
        Point { rows, steps, ..Point::default() }
    }

    #[test]
    fn a_bar_is_as_long_as_its_steps_are_many() {
        let text = bars(&[point(100, 10), point(200, 500), point(3200, 1000)]);
        let (short, half, full) = ("#", "#".repeat(25), "#".repeat(50));
        assert_eq!(text, format!("      100 |{short} 10\n      200 |{half} 500\n    3,200 |{full} 1,000\n"));
    }

    #[test]
    fn nothing_is_plotted_as_nothing() {
        assert_eq!(bars(&[point(100, 0)]), "    100 | 0\n");
        assert_eq!(bars(&[]), "");
    }

    #[test]
    fn there_are_never_more_bars_than_fit() {
        let many: Vec<Point> = (1..=30).map(|rows| point(rows, rows)).collect();
        assert_eq!(bars(&many).lines().count(), 10);
        assert!(bars(&many).contains("30 |"));
    }

    #[test]
    fn columns_stand_under_their_words() {
        let text = table(&[point(100, 12_345)]);
        assert_eq!(
            text,
            "    rows   steps  pages  sorts  returned  changed\n     100  12,345      0      0         0        0\n"
        );
    }
}
