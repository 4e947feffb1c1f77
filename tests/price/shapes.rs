//! Tables of two kinds, each with indexes that cost much and without: what a row writes in them is predicted, and measured
//! by putting rows in. Knows neither how many rows nor what is made of the numbers.

use planlint::price::{self, Keys, Load};
use planlint::schema::{Live, Settings, sqlite::types::Value};

/// A table with its indexes, and the rows that are put in.
pub struct Shape {
    /// What is special about it.
    pub name: &'static str,
    schema: String,
    /// The columns that have one value in all new rows.
    alike: &'static [(&'static str, &'static str)],
    row: fn(u64) -> Vec<Value>,
}

/// The pages that a row writes.
pub struct Compared {
    /// As the model says.
    pub predicted: f64,
    /// Of rows that were put into the very tables.
    pub measured: f64,
    /// Of rows that were put into tables of the shape that the model knows: what `advise --measure` says.
    pub by_shape: f64,
}

impl Shape {
    /// Predicts, and measures.
    pub fn compare(&self, load: Load) -> Compared {
        let mut settings = Settings::default();
        settings.limits.pages = 1 << 18;
        let mut live = Live::open(&settings).unwrap();
        let applied = live.apply(&self.schema);
        assert!(applied.iter().all(|one| one.outcome.is_ok()), "{}: {applied:?}", self.schema);
        let objects = live.objects().unwrap();
        let table = objects.tables.first().unwrap();
        let mut keys = Keys::default();
        for (table, column) in self.alike {
            keys.set_alike(table, column);
        }
        let priced = price::priced(&keys, &objects, table, load);
        let holes = vec!["?"; table.columns.len()].join(", ");
        let insert = [format!("INSERT INTO {} VALUES ({holes})", table.name)];
        let (mut pages, last) = (0, load.rows / load.per_transaction);
        for transaction in 0..last {
            let rows = transaction * load.per_transaction..(transaction + 1) * load.per_transaction;
            let is_counted = transaction + 10 >= last;
            let row = |_: usize, row: u64| (self.row)(row);
            pages += live.insert_all(&insert, rows, &row, is_counted).unwrap().unwrap_or(0);
        }
        Compared {
            predicted: price::total(&priced.trees, load).0,
            measured: pages as f64 / (10 * load.per_transaction) as f64,
            by_shape: price::measure(&priced.trees, load).unwrap().pages,
        }
    }
}

/// Tags of things, both known by their hash, and things that come with five columns beside.
pub fn shapes() -> Vec<Shape> {
    let tags = |name, columns: &str, indexes: &str| {
        let schema = format!("CREATE TABLE tags ({columns}; {indexes}");
        Shape { name, schema, alike: &[], row: tag }
    };
    let both = "thing_hash BLOB NOT NULL, tag_hash BLOB NOT NULL";
    let index = "CREATE INDEX tags_by_tag ON tags (tag_hash)";
    let unique = format!("{both}, UNIQUE (thing_hash, tag_hash))");
    let key = format!("{both}, PRIMARY KEY (thing_hash, tag_hash)) WITHOUT ROWID");
    let timed = "thing_ulid BLOB NOT NULL, tag_ulid BLOB NOT NULL, UNIQUE (thing_ulid, tag_ulid))";
    let mut shapes = vec![
        tags("tags, no index", &format!("{both})"), ""),
        tags("tags, by tag", &format!("{both})"), index),
        tags("tags, UNIQUE", &unique, ""),
        tags("tags, UNIQUE and by tag", &unique, index),
        tags("tags, WITHOUT ROWID and by tag", &key, index),
        tags("tags, UNIQUE in the other order", &format!("{both}, UNIQUE (tag_hash, thing_hash))"), ""),
        Shape {
            row: tag_in_order,
            ..tags("tags, in the order of time", timed, &index.replace("hash", "ulid"))
        },
    ];
    let heights =
        "CREATE INDEX by_height ON things (made_height); CREATE INDEX by_spent ON things (spent_height);";
    let owner = "CREATE INDEX by_owner ON things (owner_hash);";
    let parent = "CREATE INDEX by_parent ON things (parent_hash);";
    let all = [heights, owner, parent].concat();
    let things = |name, key: &str, end: &str, indexes: &str| Shape {
        name,
        schema: format!(
            "CREATE TABLE things (thing_hash BLOB {key}, made_height INTEGER, spent_height INTEGER, \
             is_first BOOL, owner_hash BLOB, parent_hash BLOB, amount BLOB(8), made_at INTEGER) {end}; {indexes}"
        ),
        alike: &[("things", "spent_height")],
        row: thing,
    };
    let primary = "PRIMARY KEY";
    shapes.extend([
        things("things, no key", "", "", ""),
        things("things, a key", primary, "", ""),
        things("things, by two heights", primary, "", heights),
        things("things, by heights and owner", primary, "", &[heights, owner].concat()),
        things("things, by heights, owner and parent", primary, "", &all),
        things("things, the same WITHOUT ROWID", primary, "WITHOUT ROWID", &all),
    ]);
    let with = |name, row, from, to| {
        let shape = things(name, primary, "", &all);
        Shape { row, schema: shape.schema.replace(from, to), ..shape }
    };
    shapes.push(with("things, the same as text", thing_as_text, "_hash BLOB", "_hash TEXT"));
    shapes.push(with("things, the same in the order of time", thing_in_order, "_hash", "_ulid"));
    shapes
}

/// 32 bytes that look random, of a row and a column.
fn hash(row: u64, column: u64) -> Vec<u8> {
    let mix = |number: u64| {
        let bits = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = (bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (bits ^ (bits >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb)
    };
    (0..4).flat_map(|part| mix(mix(row * 16 + column) ^ part).to_be_bytes()).collect()
}

/// 26 bytes that begin with the time.
fn ordered(row: u64, column: u64) -> Value {
    let mut bytes = hash(row, column);
    bytes.truncate(26);
    bytes.splice(..8, row.to_be_bytes());
    Value::Blob(bytes)
}

fn tag(row: u64) -> Vec<Value> {
    vec![Value::Blob(hash(row, 0)), Value::Blob(hash(row, 1))]
}

fn tag_in_order(row: u64) -> Vec<Value> {
    vec![ordered(row, 0), ordered(row, 1)]
}

fn thing_of(row: u64, key: impl Fn(u64) -> Value) -> Vec<Value> {
    let integer = |number: u64| Value::Integer(number as i64);
    let amount = Value::Blob(hash(row, 3).into_iter().take(8).collect());
    vec![
        key(0),
        integer(row / 50),
        integer(0),
        integer(u64::from(row.is_multiple_of(40))),
        key(1),
        key(2),
        amount,
        integer(1_600_000_000 + row),
    ]
}

fn thing(row: u64) -> Vec<Value> {
    thing_of(row, |column| Value::Blob(hash(row, column)))
}

fn thing_as_text(row: u64) -> Vec<Value> {
    let digit = |digit: u8| char::from_digit(u32::from(digit), 16).unwrap();
    let text = |bytes: Vec<u8>| bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    thing_of(row, |column| Value::Text(text(hash(row, column))))
}

fn thing_in_order(row: u64) -> Vec<Value> {
    thing_of(row, |column| ordered(row, column))
}
