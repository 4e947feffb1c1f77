//! From counts to a verdict: does the cost grow with the tables, and do the rows that the caller gets explain it?

use super::Trial;
use super::bindings::Binding;
use super::data::Data;
use crate::schema::Run;

/// How fast the cost of a statement grows with its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Not at all, the depth of B-trees aside.
    Constant,
    /// As the tables do.
    Linear,
    /// As their square.
    Quadratic,
}

impl Class {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Quadratic => "quadratic",
        }
    }
}

/// What a statement may cost for a good reason.
#[derive(Debug, Clone, Copy)]
pub(super) struct Price {
    /// Steps for each row that the caller gets, or that is changed.
    pub row: u64,
    /// It changes rows.
    pub writes: bool,
    /// It returns, or changes, whatever there is: nobody asked for less.
    pub takes_all: bool,
    /// It counts rows, which SQLite does in one step.
    pub counts: bool,
}

impl Price {
    /// The steps of a run that its rows do not account for.
    pub fn unexplained(&self, run: &Run) -> u64 {
        let rows = if self.writes { run.changed } else { run.returned }.max(run.gathered);
        run.steps.saturating_sub(self.row.saturating_mul(rows))
    }
}

/// A verdict on two runs, of one and of four times the rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    pub class: Class,
    pub explained: bool,
    /// Steps per added row that the rows do not explain.
    pub waste: f64,
}

/// From so many unexplained steps per added row on, growth is waste.
const WASTE: f64 = 0.5;
/// The pages that an added row may need: so many rows are on one.
const ROWS_PER_PAGE: f64 = 150.0;
/// The pages that a row returned may need.
const PAGES_PER_ROW: f64 = 12.0;
/// Who takes all rows of a join gets at least this share of those of its largest table.
const TAKEN: f64 = 0.2;
/// The share of the square of 4 from which growth is quadratic.
const SQUARE: f64 = 0.6 * 16.0;
/// The steps per added row from which growth can be quadratic.
const STEEP: f64 = 8.0;
/// The steps for each pair of rows from which it is, where the smaller run found nothing to compare with.
const PAIRED: f64 = 0.5;

/// Judges a pair of runs, on `size` and four times as many rows.
pub(super) fn judge(price: Price, size: u64, small: &Run, large: &Run) -> Verdict {
    let added = (3 * size) as f64;
    let more = |small: u64, large: u64| large as f64 - small as f64;
    let steps = more(small.steps, large.steps);
    let pages = more(small.pages, large.pages);
    let own =
        if price.writes { more(small.changed, large.changed) } else { more(small.returned, large.returned) };
    // What a sum is made of, somebody asked for too.
    let rows = own.max(more(small.gathered, large.gathered));
    let waste = (steps - price.row as f64 * rows.max(0.0)) / added;
    let counts = |pages: f64| price.counts && pages >= added / ROWS_PER_PAGE;
    let reads = counts(pages - PAGES_PER_ROW * rows.max(0.0));
    // Where fewer rows gave nothing to do, what more give is no curve.
    let rows_of_large = 4.0 * size as f64;
    let is_idle = (small.steps as f64) < STEEP * size as f64;
    let is_paired = !is_idle || large.steps as f64 >= PAIRED * rows_of_large * rows_of_large;
    let is_steep = large.steps as f64 > SQUARE * small.steps as f64 && steps > STEEP * added;
    let class = if is_steep && is_paired {
        Class::Quadratic
    } else if steps >= WASTE * added || counts(pages) {
        Class::Linear
    } else {
        Class::Constant
    };
    let is_wasted = waste >= WASTE || reads;
    let takes_all = price.takes_all && class != Class::Quadratic && (price.writes || rows >= TAKEN * added);
    Verdict { class, explained: takes_all || !is_wasted, waste: waste.max(if reads { WASTE } else { 0.0 }) }
}

/// The same of runs that may have failed, or that a constraint may have refused; `None` where they tell nothing. What is
/// refused has done a part. That this grows tells, where the rows that were meant do not explain it; that it does not,
/// where no more of them were meant.
pub(super) fn known(price: Price, size: u64, small: &Run, large: &Run) -> Option<Verdict> {
    if small.failed || large.failed {
        return None;
    }
    if !small.refused && !large.refused {
        return Some(judge(price, size, small, large));
    }
    let means_more = !small.refused || large.gathered > small.gathered;
    // Of fewer rows, the first may have been refused.
    let few = if means_more { Run { changed: 0, gathered: 0, ..*small } } else { *small };
    let verdict = judge(price, size, &few, large);
    // A part of more rows may look as a square does.
    let is_known = verdict.class != Class::Quadratic && !(verdict.explained && means_more);
    (large.refused && is_known).then_some(verdict)
}

/// How bad a trial is. Of two kinds of waste the one of rows that are there is told first.
pub(super) fn rank(trial: &Trial) -> f64 {
    let class = match trial.class {
        Class::Constant => 0.0,
        Class::Linear => 1.0,
        Class::Quadratic => 2.0,
    };
    let binding = match trial.binding {
        Binding::None | Binding::Present => 0.4,
        Binding::Given => 0.35,
        Binding::Null | Binding::Chosen => 0.25,
        Binding::Absent => 0.3,
        Binding::Rare => 0.2,
        Binding::Wide => 0.1,
        Binding::Near => 0.0,
    };
    let data = if trial.data == Data::Uniform { 0.5 } else { 0.0 };
    if trial.explained { class + binding } else { 10.0 + class * 2.0 + binding + data }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price { row: 27, writes: false, takes_all: false, counts: false };

    fn run(steps: u64, returned: u64) -> Run {
        Run { steps, returned, ..Run::default() }
    }

    #[test]
    fn rows_returned_explain_what_they_cost() {
        let all = judge(PRICE, 100, &run(700, 100), &run(2800, 400));
        assert_eq!((all.class, all.explained), (Class::Linear, true));
        let one = judge(PRICE, 100, &run(700, 1), &run(2800, 1));
        assert_eq!((one.class, one.explained), (Class::Linear, false));
        assert!(one.waste > 6.9 && one.waste < 7.1);
        let none = judge(PRICE, 100, &run(20, 1), &run(21, 1));
        assert_eq!((none.class, none.explained), (Class::Constant, true));
    }

    #[test]
    fn sixteen_times_the_steps_are_quadratic() {
        let square = judge(PRICE, 100, &run(10_000, 1), &run(160_000, 1));
        assert_eq!((square.class, square.explained), (Class::Quadratic, false));
    }

    #[test]
    fn what_is_refused_tells_that_it_grows_beyond_the_rows_that_were_meant() {
        let price = Price { writes: true, ..PRICE };
        let run = |steps, gathered| Run { steps, gathered, refused: true, ..Run::default() };
        let verdict = |small, large| known(price, 100, &small, &large).map(|one| (one.class, one.explained));
        assert_eq!(verdict(run(350, 50), run(1100, 200)), None);
        assert_eq!(verdict(run(350, 1), run(1100, 1)), Some((Class::Linear, false)));
        assert_eq!(verdict(run(50, 1), run(16_000, 1)), Some((Class::Linear, false)));
        assert_eq!(verdict(run(20_000, 1), run(320_000, 1)), None);
        assert_eq!(verdict(run(20_000, 90), run(320_000, 390)), None);
        assert_eq!(verdict(run(50, 1), run(50, 1)), Some((Class::Constant, true)));
        assert_eq!(verdict(run(200, 20), run(650, 20)), Some((Class::Linear, false)));
        assert_eq!(verdict(run(50, 50), run(50, 200)), None);
        // One that came to its end is no measure for another that did not.
        let whole = Run { steps: 1100, changed: 1, ..Run::default() };
        assert_eq!(verdict(run(50, 1), whole), None);
        assert_eq!(verdict(Run { failed: true, ..whole }, whole), None);
        assert_eq!(verdict(Run { steps: 350, ..whole }, run(1100, 1)), Some((Class::Linear, false)));
    }

    #[test]
    fn nothing_to_do_among_few_rows_makes_the_work_among_many_no_square() {
        let late = judge(PRICE, 100, &run(20, 0), &run(8_000, 0));
        assert_eq!((late.class, late.explained), (Class::Linear, false));
        let pairs = judge(PRICE, 100, &run(20, 0), &run(300_000, 0));
        assert_eq!(pairs.class, Class::Quadratic);
    }

    #[test]
    fn counting_shows_in_pages_alone() {
        let pages = |pages| Run { steps: 9, pages, returned: 1, ..Run::default() };
        let price = Price { counts: true, ..PRICE };
        assert!(!judge(price, 100, &pages(2), &pages(8)).explained);
        assert!(judge(PRICE, 100, &pages(2), &pages(8)).explained);
        let all = |pages, gathered| Run { steps: 9, pages, returned: 1, gathered, ..Run::default() };
        let verdict = judge(Price { takes_all: true, ..price }, 100, &all(1, 100), &all(3, 400));
        assert_eq!((verdict.class, verdict.explained), (Class::Linear, true));
    }

    #[test]
    fn rows_that_a_sum_is_made_of_explain_it() {
        let sum = |steps, gathered| Run { gathered, ..run(steps, 1) };
        assert!(!judge(PRICE, 100, &sum(2700, 2), &sum(10_800, 2)).explained);
        assert!(judge(PRICE, 100, &sum(2700, 100), &sum(10_800, 400)).explained);
    }
}
