//! Bars and curves as SVG. Labels of bars are text of the page, so that they stay readable however narrow it is. Knows
//! numbers and words only.

use super::markup::Markup;
use crate::report::measure::rounded;

/// The area of a curve, in units that are pixels on a narrow page.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;
/// Lines across, beside that at the bottom.
const LINES: u32 = 4;

/// A bar of a share, from 0 to 1, of one kind.
pub(super) fn bar(page: &mut Markup, kind: &str, share: f64) {
    let share = share.clamp(0.0, 1.0) * 100.0;
    // What is there is seen.
    let width = number(if share > 0.0 { share.max(0.4) } else { 0.0 });
    let frame = [
        ("class", "bar"),
        ("viewBox", "0 0 100 8"),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    page.element("svg", &frame, |page| {
        page.element("rect", &[("class", "rail"), ("width", "100"), ("height", "8")], |_| {});
        page.element("rect", &[("class", kind), ("width", &width), ("height", "8")], |_| {});
    });
}

/// How a cost grows.
pub(super) struct Curve<'a> {
    /// What it shows, for who does not see it.
    pub title: &'a str,
    /// Times the size of today, and pages.
    pub now: &'a [(f64, f64)],
    /// The same with the cure.
    pub cured: &'a [(f64, f64)],
    /// Pages in a year.
    pub year: Option<f64>,
    /// Pages that the budget allows.
    pub budget: Option<f64>,
}

impl Curve<'_> {
    /// The pages at the upper edge: a round number.
    fn most(&self) -> f64 {
        let highest = self.now.iter().chain(self.cured).map(|(_, pages)| *pages).fold(1.0, f64::max);
        // A budget that is far above all says nothing of the curve.
        let budget = self.budget.filter(|budget| *budget < highest * 1.5).unwrap_or(0.0);
        let highest = highest.max(budget) * 1.02;
        let scale = 10_f64.powf(highest.log10().floor());
        let round = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0].into_iter().find(|round| round * scale >= highest);
        round.unwrap_or(10.0) * scale
    }

    fn size(&self) -> f64 {
        self.now.iter().map(|(size, _)| *size).fold(1.0, f64::max)
    }

    fn at(&self, (size, pages): (f64, f64)) -> (f64, f64) {
        let x = LEFT + (size - 1.0) / (self.size() - 1.0).max(0.01) * (WIDTH - LEFT - RIGHT);
        let y = HEIGHT - BOTTOM - pages / self.most() * (HEIGHT - TOP - BOTTOM);
        (x, y)
    }

    fn path(&self, points: &[(f64, f64)]) -> String {
        let points = points.iter().map(|point| {
            let (x, y) = self.at(*point);
            format!("{},{}", number(x), number(y))
        });
        points.collect::<Vec<_>>().join(" ")
    }

    /// The size at which a cost is reached, on the curve.
    fn size_of(&self, pages: f64) -> Option<f64> {
        self.now.windows(2).find_map(|pair| {
            let [(from, low), (to, high)] = pair else { return None };
            let is_here = (*low..=*high).contains(&pages) && high > low;
            is_here.then(|| from + (to - from) * (pages - low) / (high - low))
        })
    }

    /// Draws it.
    pub fn draw(&self, page: &mut Markup) {
        let frame = [
            ("class", "curve"),
            ("viewBox", &format!("0 0 {WIDTH} {HEIGHT}") as &str),
            ("role", "img"),
            ("aria-label", self.title),
        ];
        page.element("svg", &frame, |page| {
            self.axes(page);
            if let Some(budget) = self.budget.filter(|budget| *budget <= self.most()) {
                let from = self.at((1.0, budget));
                let to = self.at((self.size(), budget));
                line(page, "budget", from, to);
                label(page, "budget-word", (to.0, to.1 - 4.0), "end", "budget");
            }
            if !self.cured.is_empty() {
                page.element("polyline", &[("class", "cured"), ("points", &self.path(self.cured))], |_| {});
            }
            page.element("polyline", &[("class", "cost"), ("points", &self.path(self.now))], |_| {});
            for point in self.now {
                dot(page, "cost-dot", self.at(*point), 3.0);
            }
            if let Some((size, year)) = self.year.and_then(|year| Some((self.size_of(year)?, year))) {
                let (x, y) = self.at((size, year));
                dot(page, "year-dot", (x, y), 4.5);
                let (anchor, x) = if size > 2.5 { ("end", x - 8.0) } else { ("start", x + 8.0) };
                let y = if anchor == "end" { y - 4.0 } else { y + 12.0 };
                label(page, "year-word", (x, y), anchor, "in a year");
            }
        });
    }

    fn axes(&self, page: &mut Markup) {
        for step in 0..=LINES {
            let pages = self.most() * f64::from(step) / f64::from(LINES);
            let (from, to) = (self.at((1.0, pages)), self.at((self.size(), pages)));
            line(page, if step == 0 { "axis" } else { "grid" }, from, to);
            label(page, "tick", (LEFT - 6.0, from.1 + 3.5), "end", &short(pages));
        }
        for (at, (size, _)) in self.now.iter().enumerate() {
            let (x, y) = self.at((*size, 0.0));
            let words = if at == 0 { "today".to_owned() } else { format!("{size:.0}×") };
            let anchor = if at == 0 { "start" } else { "end" };
            label(page, "tick", (x, y + 15.0), anchor, &words);
        }
        label(
            page,
            "tick",
            (f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 5.0),
            "middle",
            "size of the tables",
        );
    }
}

fn line(page: &mut Markup, class: &str, from: (f64, f64), to: (f64, f64)) {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
    let attributes = [("class", class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)];
    page.element("line", &attributes, |_| {});
}

fn dot(page: &mut Markup, class: &str, at: (f64, f64), radius: f64) {
    let [x, y, radius] = [at.0, at.1, radius].map(number);
    page.element("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", &radius)], |_| {});
}

fn label(page: &mut Markup, class: &str, at: (f64, f64), anchor: &str, words: &str) {
    let [x, y] = [at.0, at.1].map(number);
    let attributes = [("class", class), ("x", &x), ("y", &y), ("text-anchor", anchor)];
    page.element("text", &attributes, |page| page.text(words));
}

/// A number of pages in few signs.
fn short(number: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(size, _)| number >= *size) {
        Some((size, unit)) => {
            let text = format!("{:.1}", number / size);
            format!("{}{unit}", text.trim_end_matches(".0"))
        }
        None => rounded(number),
    }
}

fn number(number: f64) -> String {
    let text = format!("{number:.1}");
    text.trim_end_matches(".0").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_stays_in_its_area() {
        for pages in [0.0, 1.0, 7.0, 99.0, 1234.0, 5e9] {
            let now = [(1.0, pages), (2.0, pages * 2.0), (4.0, pages * 4.0)];
            let curve = Curve {
                title: "",
                now: &now,
                cured: &[],
                year: Some(pages * 3.0),
                budget: Some(pages * 5.0),
            };
            for point in now {
                let (x, y) = curve.at(point);
                assert!(
                    (LEFT..=WIDTH - RIGHT).contains(&x) && (TOP - 0.1..=HEIGHT - BOTTOM).contains(&y),
                    "{x} {y}"
                );
            }
            assert!(pages == 0.0 || (curve.size_of(pages * 3.0).unwrap() - 3.0).abs() < 0.01);
            let mut page = Markup::default();
            curve.draw(&mut page);
            assert!(!page.finish().contains("NaN"));
        }
    }

    #[test]
    fn pages_are_said_in_few_signs() {
        assert_eq!([0.0, 40.0, 1000.0, 1500.0, 2e6].map(short), ["0", "40", "1k", "1.5k", "2M"]);
    }
}
