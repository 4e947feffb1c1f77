//! Estimates of trees that stand in memory.

use super::*;
use std::collections::HashMap;

/// Leaves with so many entries each, below interior pages of so many children; the root is page 2.
struct Tree {
    pages: HashMap<u32, Vec<u8>>,
}

impl Tree {
    fn new(leaves: &[u16], width: usize) -> Self {
        let mut tree = Self { pages: HashMap::new() };
        let mut next = 3_u32;
        let mut level: Vec<u32> = Vec::new();
        for rows in leaves {
            tree.pages.insert(next, leaf(*rows));
            level.push(next);
            next += 1;
        }
        while level.len() > width {
            let mut above = Vec::new();
            for children in level.chunks(width) {
                tree.pages.insert(next, interior(children));
                above.push(next);
                next += 1;
            }
            level = above;
        }
        tree.pages.insert(2, interior(&level));
        tree
    }
}

impl Pages for Tree {
    fn page(&mut self, number: u32) -> Option<Vec<u8>> {
        self.pages.get(&number).cloned()
    }

    fn usable(&self) -> u32 {
        1024
    }
}

fn leaf(rows: u16) -> Vec<u8> {
    let mut page = vec![0; 1024];
    page[0] = 13;
    page[3..5].copy_from_slice(&rows.to_be_bytes());
    for row in 0..usize::from(rows) {
        let at = 1024 - 4 * (row + 1);
        page[at..at + 4].copy_from_slice(&[2, 1, 1, 0]);
        page[8 + 2 * row..10 + 2 * row].copy_from_slice(&(at as u16).to_be_bytes());
    }
    page[5..7].copy_from_slice(&(1024 - 4 * rows).to_be_bytes());
    page
}

fn interior(children: &[u32]) -> Vec<u8> {
    let mut page = vec![0; 1024];
    page[0] = 5;
    let (last, rest) = children.split_last().unwrap();
    page[3..5].copy_from_slice(&(rest.len() as u16).to_be_bytes());
    page[8..12].copy_from_slice(&last.to_be_bytes());
    for (number, child) in rest.iter().enumerate() {
        let at = 1024 - 5 * (number + 1);
        page[at..at + 4].copy_from_slice(&child.to_be_bytes());
        page[12 + 2 * number..14 + 2 * number].copy_from_slice(&(at as u16).to_be_bytes());
    }
    page[5..7].copy_from_slice(&((1024 - 5 * rest.len()) as u16).to_be_bytes());
    page
}

#[test]
fn a_small_tree_is_counted() {
    let leaves: Vec<u16> = (0..100).map(|at| at % 50 + 1).collect();
    let size = estimate(&mut Tree::new(&leaves, 20), 2, 300, 1).unwrap();
    assert!(size.is_exact);
    assert_eq!(size.rows, Estimate { value: leaves.iter().map(|rows| f64::from(*rows)).sum(), error: 0.0 });
    assert_eq!((size.depth, size.pages.value), (3, 106.0));
}

#[test]
fn a_tree_that_is_full_on_one_side_is_estimated_all_the_same() {
    let leaves: Vec<u16> = (0..20_000).map(|at| if at < 7_000 { 10 } else { 120 }).collect();
    let mut tree = Tree::new(&leaves, 100);
    let rows: f64 = leaves.iter().map(|rows| f64::from(*rows)).sum();
    let mut inside = 0;
    for seed in 0..40 {
        let size = estimate(&mut tree, 2, 300, seed).unwrap();
        assert!((size.rows.value / rows - 1.0).abs() < 0.05, "{seed}: {size:?} of {rows}");
        assert!(size.reads <= 310, "{size:?}");
        inside += i32::from((size.rows.value - rows).abs() <= size.rows.error);
    }
    assert!(inside >= 34, "{inside} of 40 within the bounds");
}

#[test]
fn pages_that_are_none_are_told_and_a_ring_of_pages_ends() {
    let mut tree = Tree::new(&[5; 100], 20);
    for page in 3..13 {
        tree.pages.insert(page, vec![0; 1024]);
    }
    let size = estimate(&mut tree, 2, 300, 1).unwrap();
    assert_eq!((size.damaged, size.is_exact, size.rows.value), (10, false, 500.0));
    tree.pages.insert(2, interior(&[2; 90]));
    let size = estimate(&mut tree, 2, 300, 1);
    assert!(size.is_none_or(|size| size.reads < 2_000));
    assert!(estimate(&mut tree, 999, 300, 1).is_none());
}
