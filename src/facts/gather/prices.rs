//! What rows cost, as facts.

use super::Gatherer;
use crate::price::{Order, Priced, Tree, total};

impl Gatherer<'_> {
    pub(super) fn gather_prices(&mut self) {
        for priced in self.program.prices {
            let Some(&variant) = self.variants.get(priced.database) else { continue };
            for tree in &priced.trees {
                self.gather_price(variant, priced, tree);
            }
        }
    }

    fn gather_price(&mut self, variant: i64, priced: &Priced, tree: &Tree) {
        let name = tree.index.as_ref().map(|name| name.to_lowercase());
        let index = name.and_then(|name| self.known.indexes.get(&(variant, name)));
        if tree.index.is_some() && index.is_none() {
            return;
        }
        let (order, column) = match &tree.order {
            Order::Random(column) => (Some("random"), Some(column)),
            Order::Unknown(column) => (None, Some(column)),
            Order::Few | Order::Ordered => (Some("ordered"), None),
        };
        let (pages, _) = tree.pages(priced.load);
        self.facts.insert(
            "write_cost",
            [
                ("variant", &variant),
                ("schema", &priced.schema),
                ("table", &priced.table),
                ("index", &index),
                ("key_order", &order),
                ("column", &column),
                ("bytes", &(tree.bytes.round() as i64)),
                ("rows", &(priced.load.rows as i64)),
                ("pages", &hundredths(pages)),
                ("random_pages", &hundredths(tree.random_pages(priced.load))),
                ("rowid_pages", &rowid_pages(priced, tree).map(hundredths)),
            ],
        );
    }
}

/// What a B-tree of a table WITHOUT ROWID would cost if the table had rowids: that of the primary key with the table.
fn rowid_pages(priced: &Priced, tree: &Tree) -> Option<f64> {
    let is_own = |one: &&Tree| one.index == tree.index || (tree.is_table && one.is_table);
    let own: Vec<Tree> = priced.with_rowids.iter().filter(is_own).cloned().collect();
    (!own.is_empty()).then(|| total(&own, priced.load).0)
}

fn hundredths(pages: f64) -> i64 {
    (pages * 100.0).round() as i64
}
