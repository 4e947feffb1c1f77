//! What it costs to keep an index: the pages that each row writes in every B-tree of its table, by the order in which keys
//! come and the size of entries. A B-tree whose keys come in no order costs about as much as forty that grow at their end.
//!
//! All of it is said for a table of a size that is assumed, and for transactions of so many rows ([`Load`]). Knows no
//! statement that reads, and no rule. How many rows a partial index has nobody knows, and so it has no price.

mod bytes;
mod keys;
mod measure;
mod model;

pub use keys::{Keys, Known, Order, makes_timed};
pub use measure::{Measured, measure};
pub use model::Load;

use crate::{
    growth::{grows, size::TableSize},
    schema::{Generated, IndexColumn, IndexObject, Objects, Origin, Table},
    workload::Database,
};

/// What the rows of a table cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Priced {
    /// The database.
    pub database: usize,
    /// The schema of the table.
    pub schema: String,
    /// The table.
    pub table: String,
    /// For how many rows that is said.
    pub load: Load,
    /// The B-trees that each row is written to.
    pub trees: Vec<Tree>,
    /// The same if the table had rowids; empty where it has.
    pub with_rowids: Vec<Tree>,
}

/// A B-tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The index; `None` for the table itself. The rows of a table WITHOUT ROWID are in the index of its primary key.
    pub index: Option<String>,
    /// Whether it holds the rows.
    pub is_table: bool,
    /// In which order keys come; never [`Order::Few`].
    pub order: Order,
    /// Bytes of an entry.
    pub bytes: f64,
    /// The bytes of each value in it, in the order of its key, with the order of each.
    values: Vec<(f64, Order)>,
    has_rowids: bool,
}

impl Tree {
    fn new(index: Option<&str>, is_table: bool, values: Vec<(f64, Order)>) -> Self {
        let has_rowids = index.is_none();
        let more = if has_rowids { bytes::ROWID } else { 0.0 };
        let order = if has_rowids {
            Order::Ordered
        } else {
            keys::of_key(values.iter().map(|(_, order)| order.clone()))
        };
        let bytes = bytes::entry(values.iter().map(|(bytes, _)| *bytes)) + more;
        Self { index: index.map(str::to_owned), is_table, order, bytes, values, has_rowids }
    }

    /// The pages that a row writes, at least and at most: they differ where the order of keys is not known.
    pub fn pages(&self, load: Load) -> (f64, f64) {
        let (ordered, random) = (load.pages(self.bytes, false, self.has_rowids), self.random_pages(load));
        match self.order {
            Order::Random(_) => (random, random),
            Order::Unknown(_) => (ordered, random),
            Order::Few | Order::Ordered => (ordered, ordered),
        }
    }

    /// The pages that a row would write if keys came in no order.
    pub fn random_pages(&self, load: Load) -> f64 {
        load.pages(self.bytes, true, self.has_rowids)
    }

    /// The first `keys` columns of its key in another order, in which its keys come in order, by their places in it: what
    /// grows evenly stands first. `None` where nothing does, and where nothing is gained.
    pub fn in_order(&self, keys: usize) -> Option<Vec<usize>> {
        let orders: Vec<&Order> = self.values.iter().take(keys).map(|(_, order)| order).collect();
        let is_even = |at: &usize| orders.get(*at) == Some(&&Order::Ordered);
        let (mut first, rest): (Vec<usize>, Vec<usize>) = (0..orders.len()).partition(is_even);
        let is_gain = matches!(self.order, Order::Random(_)) && !first.is_empty();
        first.extend(rest);
        is_gain.then_some(first)
    }

    /// The pages that an UPDATE of its key writes here for a row, at least and at most: an entry goes, and one comes.
    pub fn pages_of_update(&self, load: Load) -> (f64, f64) {
        let (least, most) = self.pages(load);
        let removal = load.pages_of_removal(self.bytes);
        (least + removal, most + removal)
    }
}

/// The pages that a row writes in several B-trees, at least and at most.
pub fn total(trees: &[Tree], load: Load) -> (f64, f64) {
    trees.iter().map(|tree| tree.pages(load)).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// What the rows of all tables cost that can have any number of them.
pub fn find(known: &Known<'_>, databases: &[Database], sizes: &[TableSize]) -> Vec<Priced> {
    let mut found = Vec::new();
    for (index, database) in databases.iter().enumerate() {
        let objects = &database.variant.objects;
        let own: Vec<&TableSize> = sizes.iter().filter(|size| size.database == index).collect();
        let keys = Keys::new(known, index, objects);
        let is_wanted =
            |table: &&Table| keys::is_stored(table) && table.schema == "main" && grows(&own, table);
        for table in objects.tables.iter().filter(is_wanted) {
            let bound = own.iter().find(|size| size.table.eq_ignore_ascii_case(&table.name));
            let bound = bound.and_then(|size| size.bound);
            let assumed = Load::default();
            let load = Load { rows: bound.map_or(assumed.rows, |bound| bound.min(assumed.rows)), ..assumed };
            found.push(Priced { database: index, ..priced(&keys, objects, table, load) });
        }
    }
    found
}

/// What the rows of one table cost.
pub fn priced(keys: &Keys, objects: &Objects, table: &Table, load: Load) -> Priced {
    let with_rowids = if table.without_rowid { trees(keys, objects, table, true) } else { Vec::new() };
    Priced {
        database: 0,
        schema: table.schema.clone(),
        table: table.name.clone(),
        load,
        trees: trees(keys, objects, table, !table.without_rowid),
        with_rowids,
    }
}

/// The B-trees of a table, as it would be with rowids or without.
fn trees(keys: &Keys, objects: &Objects, table: &Table, has_rowids: bool) -> Vec<Tree> {
    let value = |column: &crate::schema::Column| {
        let order = keys.order(table, column);
        // The rowid stands in front of the row, and not in it.
        let is_alias = has_rowids && table.rowid_alias() == Some(column);
        (if is_alias { 0.0 } else { bytes::value(column, &order) }, order)
    };
    let part = |part: &IndexColumn| match (&part.name, &part.expression) {
        (Some(name), _) => {
            let column = table.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name));
            column.map_or((bytes::ROWID, Order::Ordered), value)
        }
        (None, Some(text)) => (20.0, Order::Unknown(text.clone())),
        (None, None) => (bytes::ROWID, Order::Ordered),
    };
    let rowid = || std::iter::once((bytes::ROWID, Order::Ordered));
    let stored = table.columns.iter().filter(|column| column.generated != Generated::Virtual);
    let mut trees = Vec::new();
    if has_rowids {
        trees.push(Tree::new(None, true, stored.map(value).collect()));
    }
    for index in objects.indexes_of(&table.schema, &table.name).filter(|index| index.filter.is_none()) {
        let is_table = !has_rowids && index.origin == Origin::PrimaryKey;
        let keys = index.columns.iter().filter(|column| column.key);
        let values = if is_table {
            rows(index, table, &value)
        } else if table.without_rowid && has_rowids {
            keys.map(part).chain(rowid()).collect()
        } else {
            index.columns.iter().map(part).collect()
        };
        trees.push(Tree::new(Some(&index.name), is_table, values));
    }
    trees
}

/// The values of a row of a table WITHOUT ROWID: those of its primary key, and all others.
fn rows(
    index: &IndexObject,
    table: &Table,
    value: &dyn Fn(&crate::schema::Column) -> (f64, Order),
) -> Vec<(f64, Order)> {
    let is_named = |part: &IndexColumn, name: &str| {
        part.key && part.name.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(name))
    };
    let (mut key, mut others) = (Vec::new(), Vec::new());
    for column in &table.columns {
        match index.columns.iter().position(|part| is_named(part, &column.name)) {
            Some(place) => key.push((place, value(column))),
            None => others.push(value(column)),
        }
    }
    key.sort_by_key(|(place, _)| *place);
    key.into_iter().map(|(_, value)| value).chain(others).collect()
}
