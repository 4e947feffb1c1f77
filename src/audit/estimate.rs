//! How many rows and pages a B-tree has, from a few of its pages.
//!
//! Whole levels are read from the root on, while they fit in half of the budget. The children of the last of them are cut
//! into equal slices, and from each slice one child is followed down at random: so the budget is spread over the whole
//! tree, and what lies together may differ from the rest without harm. Knows no file.

use super::pages::{Content, Page};

/// Where pages come from.
pub trait Pages {
    /// A page; `None` where there is none of this number.
    fn page(&mut self, number: u32) -> Option<Vec<u8>>;
    /// Bytes of a page that are used.
    fn usable(&self) -> u32;
    /// Called between two ways down, when no page is held.
    fn pause(&mut self) {}
}

/// A number with the bounds in which it lies nearly always: two standard errors around it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Half of the width of its bounds; 0 where it was counted.
    pub error: f64,
}

impl Estimate {
    /// The least and the most that it may be.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.value - self.error).max(0.0), self.value + self.error)
    }
}

/// What is known of a B-tree.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TreeSize {
    /// Rows, or entries.
    pub rows: Estimate,
    /// Pages, those of long rows among them.
    pub pages: Estimate,
    /// Of these, those of long rows.
    pub overflow: f64,
    /// Levels, 1 where the root is all.
    pub depth: u32,
    /// Bytes of an average row, as it is stored.
    pub row_bytes: f64,
    /// How much of its pages is used, those of long rows aside: from 0 to 1.
    pub fill: f64,
    /// All of it was read, but for the pages of long rows.
    pub is_exact: bool,
    /// Pages that were read for it.
    pub reads: u64,
    /// Pages that were read and are none of a B-tree, or not of this one.
    pub damaged: u64,
}

/// The most pages of a level of which the numbers are kept.
const MOST_BELOW: usize = 20_000_000;
/// No B-tree of SQLite is deeper.
const DEEPEST: u32 = 20;

/// What is summed up over pages.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    rows: f64,
    pages: f64,
    overflow: f64,
    payload: f64,
    used: f64,
}

impl Sum {
    fn of(content: Content) -> Self {
        Self {
            rows: content.rows as f64,
            pages: 1.0,
            overflow: content.overflow as f64,
            payload: content.payload as f64,
            used: content.used as f64,
        }
    }

    fn add(&mut self, other: Self, weight: f64) {
        self.rows += other.rows * weight;
        self.pages += other.pages * weight;
        self.overflow += other.overflow * weight;
        self.payload += other.payload * weight;
        self.used += other.used * weight;
    }
}

/// A page that was read.
struct Seen {
    sum: Sum,
    children: Vec<u32>,
    is_table: bool,
}

/// Estimates a B-tree from at most about so many pages.
pub fn estimate(pages: &mut dyn Pages, root: u32, budget: u64, seed: u64) -> Option<TreeSize> {
    let mut walk = Walk { pages, reads: 0, damaged: 0, is_table: None, random: Random::new(seed) };
    let first = walk.read(root)?;
    let mut whole = first.sum;
    let mut next = first.children;
    let mut depth = 1;
    // Of the level below only what is there is known, and not how deep it goes on.
    while !next.is_empty() && depth < DEEPEST {
        let left = budget.saturating_sub(walk.reads);
        let is_small = walk.reads + next.len() as u64 <= budget / 2;
        let is_last = !is_small && next.len() as u64 <= left && walk.leads_to_leaf(&next);
        if !is_small && !is_last {
            break;
        }
        let (count, mut level, mut read, mut below) = (next.len(), Sum::default(), 0_u32, Vec::new());
        for page in next {
            let Some(one) = walk.read(page) else { continue };
            level.add(one.sum, 1.0);
            read += 1;
            below.extend(one.children);
            walk.pages.pause();
            // So many pages there are not: some of them stand below themselves.
            if below.len() > MOST_BELOW {
                walk.damaged += 1;
                break;
            }
        }
        // What can't be read is taken to be like the rest.
        whole.add(level, count as f64 / f64::from(read.max(1)));
        next = below;
        depth += 1;
    }
    if next.is_empty() {
        return Some(walk.size(whole, depth, (0.0, 0.0), true));
    }
    let (sum, errors, below) = walk.sample(&next, budget)?;
    whole.add(sum, 1.0);
    Some(walk.size(whole, depth + below, errors, false))
}

struct Walk<'a> {
    pages: &'a mut dyn Pages,
    reads: u64,
    damaged: u64,
    is_table: Option<bool>,
    random: Random,
}

impl Walk<'_> {
    /// Reads a page of the tree; `None` where it is none.
    fn read(&mut self, number: u32) -> Option<Seen> {
        self.reads += 1;
        let usable = self.pages.usable();
        let bytes = self.pages.page(number);
        let seen = bytes.as_deref().and_then(|bytes| {
            let page = Page::read(bytes, number, usable)?;
            let is_table = page.kind().is_table();
            let children = page.children()?;
            Some(Seen { sum: Sum::of(page.content()?), children, is_table })
        });
        let seen = seen.filter(|seen| self.is_table.is_none_or(|is_table| is_table == seen.is_table));
        match &seen {
            Some(seen) => self.is_table = Some(seen.is_table),
            None => self.damaged += 1,
        }
        seen
    }

    /// Whether pages are leaves, by the first of them that can be read.
    fn leads_to_leaf(&mut self, pages: &[u32]) -> bool {
        let first = pages.iter().take(3).find_map(|page| self.read(*page));
        first.is_some_and(|seen| seen.children.is_empty())
    }

    /// From one page down to a leaf, at random: what stands below it, and how many levels that is.
    fn descend(&mut self, from: u32) -> Option<(Sum, u32)> {
        let (mut sum, mut weight, mut depth, mut page) = (Sum::default(), 1.0, 0, from);
        loop {
            let seen = self.read(page)?;
            sum.add(seen.sum, weight);
            depth += 1;
            weight *= seen.children.len() as f64;
            match self.random.of(&seen.children) {
                None => return Some((sum, depth)),
                Some(_) if depth >= DEEPEST => return None,
                Some(child) => page = *child,
            }
        }
    }

    /// What stands below some pages, by one way down from each of equal slices of them; the errors of rows and of pages;
    /// and the levels. `None` where none of the first can be read.
    fn sample(&mut self, from: &[u32], budget: u64) -> Option<(Sum, (f64, f64), u32)> {
        let (_, levels) = from.iter().take(3).find_map(|page| self.descend(*page))?;
        let left = budget.saturating_sub(self.reads) / u64::from(levels.max(1));
        let slices = left.clamp(2, from.len().max(2) as u64) as usize;
        let width = from.len() as f64 / slices as f64;
        let mut ways = Vec::new();
        for slice in 0..slices {
            let at = ((slice as f64 + self.random.part()) * width) as usize;
            let way = from.get(at.min(from.len() - 1)).and_then(|page| self.descend(*page));
            ways.extend(way.map(|(sum, _)| sum));
            self.pages.pause();
        }
        let mut sum = Sum::default();
        // What can't be read is taken to be like the rest.
        let weight = from.len() as f64 / ways.len().max(1) as f64;
        for way in &ways {
            sum.add(*way, weight);
        }
        // Where nothing is chosen at random below, a large share of all was seen.
        let unseen = if levels == 1 { 1.0 - (ways.len() as f64 / from.len() as f64).min(1.0) } else { 1.0 };
        let error = |of: fn(&Sum) -> f64| {
            let values: Vec<f64> = ways.iter().map(of).collect();
            // At its end a tree may be as empty as it likes, and that is seldom chosen.
            let end = values.iter().sum::<f64>() / values.len().max(1) as f64;
            (2.0 * (weight * weight * variance(&values) * unseen).sqrt()).max(end)
        };
        Some((sum, (error(|way| way.rows), error(|way| way.pages + way.overflow)), levels))
    }

    fn size(&self, sum: Sum, depth: u32, errors: (f64, f64), is_exact: bool) -> TreeSize {
        let usable = f64::from(self.pages.usable());
        TreeSize {
            rows: Estimate { value: sum.rows, error: errors.0 },
            pages: Estimate { value: sum.pages + sum.overflow, error: errors.1 },
            overflow: sum.overflow,
            depth,
            row_bytes: if sum.rows > 0.0 { sum.payload / sum.rows } else { 0.0 },
            fill: if sum.pages > 0.0 { (sum.used / (sum.pages * usable)).min(1.0) } else { 0.0 },
            is_exact: is_exact && self.damaged == 0,
            reads: self.reads,
            damaged: self.damaged,
        }
    }
}

/// The variance of the sum of values of which each stands for a slice of its own: by the differences of neighbours, so that
/// what grows or falls from one end to the other does not count.
fn variance(values: &[f64]) -> f64 {
    let pairs = values.iter().zip(values.iter().skip(1));
    let differences: f64 = pairs.map(|(one, next)| (one - next).powi(2)).sum();
    let number = values.len() as f64;
    if number > 1.0 { number / (2.0 * (number - 1.0)) * differences } else { 0.0 }
}

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to 1.
    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let at = (self.part() * list.len() as f64) as usize;
        list.get(at.min(list.len().saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests;
