//! How many pages a row writes in one B-tree, from the size of its entries and the order in which keys come. Fitted to
//! counts of SQLite's own: the pages in its write-ahead log, with entries of 10 to 400 bytes and up to 1.6 million rows.
//! A pure function; knows neither tables nor columns.

/// The size of a page, in bytes, of a database that says nothing of it.
const PAGE: f64 = 4096.0;
/// How full leaves are whose keys come in no order: SQLite spreads what overflows over three neighbours.
const FILL_RANDOM: f64 = 0.885;
/// How full they are where each key is put behind the last one.
const FILL_ORDERED: f64 = 0.97;
/// What stands in an entry of an index, at most, before the rest goes to pages of its own; in one of a table with rowids.
const LOCAL: (f64, f64) = (1002.0, 4061.0);
/// What stands in it at least, where some of it goes there.
const LOCAL_LEAST: f64 = 489.0;

/// How large a table is, and how it is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// The rows that are there.
    pub rows: u64,
    /// The rows that one transaction puts in. Pages are written once for each transaction.
    pub per_transaction: u64,
}

/// What is assumed where nothing is known: a million rows, put in by the thousand.
impl Default for Load {
    fn default() -> Self {
        Self { rows: 1_000_000, per_transaction: 1000 }
    }
}

impl Load {
    fn batch(self) -> f64 {
        self.per_transaction.max(1) as f64
    }

    /// The leaves of a B-tree with entries of so many bytes, whose keys came in no order.
    fn leaves(self, bytes: f64) -> f64 {
        (self.rows as f64 * bytes / FILL_RANDOM / PAGE).max(1.0)
    }

    /// The pages that a row writes, of entries of so many bytes. `is_random`: keys come in no order. `has_rowids`: it is a
    /// table with rowids, whose leaves hold more of a long row.
    pub fn pages(self, bytes: f64, is_random: bool, has_rowids: bool) -> f64 {
        let most = if has_rowids { LOCAL.1 } else { LOCAL.0 };
        let (bytes, beyond) =
            if bytes > most { (LOCAL_LEAST, ((bytes - LOCAL_LEAST) / PAGE).ceil()) } else { (bytes, 0.0) };
        beyond
            + if is_random {
                self.touched(self.leaves(bytes), shared(bytes))
            } else {
                bytes / FILL_ORDERED / PAGE + self.ends(bytes, has_rowids)
            }
    }

    /// What a row pays of the pages at the end of a B-tree that a transaction writes whatever it puts in: the last leaf; and
    /// where that was filled, its parent and, in an index, its neighbours.
    fn ends(self, bytes: f64, has_rowids: bool) -> f64 {
        let is_filled = 1.0 - (-self.batch() * bytes / PAGE).exp();
        let beside = if has_rowids { 2.0 } else { 4.0 };
        (1.0 + beside * is_filled) / self.batch()
    }

    /// The pages that are written where an entry is taken out of a place that nobody can tell beforehand.
    pub fn pages_of_removal(self, bytes: f64) -> f64 {
        self.touched(self.leaves(bytes.min(LOCAL.0)), 1.0)
    }

    /// The share of a transaction's pages that one row pays, where each row goes to a leaf of its own: rows of one
    /// transaction that meet on a leaf share it. `each`: the pages that a row touches.
    fn touched(self, leaves: f64, each: f64) -> f64 {
        leaves * (1.0 - (-each * self.batch() / leaves).exp()) / self.batch()
    }
}

/// The pages that a row touches: its leaf, and its share of the neighbours and parents that are written where a leaf is
/// full, which happens the more often the fewer entries a leaf has. 1.27 for a key of 32 bytes.
fn shared(bytes: f64) -> f64 {
    1.0 + 0.017 * (bytes / FILL_RANDOM).powf(0.72)
}

#[cfg(test)]
mod tests {
    use super::Load;

    /// Rows in thousands, bytes of an entry, and the pages that SQLite wrote for each row, keys in no order.
    const MEASURED: [(u64, f64, f64); 12] = [
        (200, 13.0, 0.54),
        (400, 13.0, 0.75),
        (200, 21.0, 0.70),
        (400, 21.0, 0.91),
        (200, 37.0, 0.91),
        (400, 37.0, 1.08),
        (200, 70.0, 1.16),
        (400, 70.0, 1.28),
        (400, 106.0, 1.48),
        (200, 140.0, 1.51),
        (400, 140.0, 1.60),
        (400, 340.0, 2.20),
    ];

    #[test]
    fn the_pages_of_random_keys_are_those_that_sqlite_wrote() {
        for (thousands, bytes, pages) in MEASURED {
            let load = Load { rows: thousands * 1000, ..Load::default() };
            let told = load.pages(bytes, true, false);
            assert!((told / pages - 1.0).abs() < 0.08, "{thousands} {bytes}: {told} for {pages}");
        }
    }

    #[test]
    fn a_row_of_its_own_transaction_pays_for_its_pages_alone() {
        let load = Load { rows: 400_000, per_transaction: 1 };
        let both = load.pages(39.0, true, false) + load.pages(70.0, false, true);
        assert!((both - 2.37).abs() < 0.2, "{both}");
    }
}
