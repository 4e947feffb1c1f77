//! In which order the values of a column come: which are random, such as hashes, and which grow evenly, such as heights.
//! Told from names and types, from what the program's INSERTs leave to the default, and from columns of few values.
//! What tells nothing is not known, which is not the same as either.

use crate::{
    extract::{self, text::HOLE},
    growth::{Measured, ParameterColumn},
    migration::mentions,
    schema::{Affinity, Column, Kind, Objects, StatementKind, Table, TableKind, WriteAction, same},
    source::{Source, Sources, Words},
    workload::{Database, Outcome, Statement},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// In which order values come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// All are alike, or of a few kinds, so that what stands behind them in a key decides.
    Few,
    /// Each is behind those before it.
    Ordered,
    /// Each is anywhere: of this column.
    Random(String),
    /// Nothing tells: of this column, or expression.
    Unknown(String),
}

/// The order of the values of each column of a database, by table and column in lower case.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    few: BTreeSet<(String, String)>,
    has_timed: bool,
}

/// What is known of a program.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Its statements.
    pub statements: &'a [Statement],
    /// The columns of the parameters of each.
    pub columns: &'a [Vec<Option<ParameterColumn>>],
    /// What was measured.
    pub measured: &'a Measured,
    /// It makes identifiers that begin with the time: see [`makes_timed`].
    pub has_timed: bool,
}

/// Whether a program makes identifiers that begin with the time, so that those of which nothing else is known may come in
/// order. Looked for only where a column may hold identifiers.
pub fn makes_timed(sources: &Sources, databases: &[Database]) -> bool {
    static CALLS: Words<'_> = Words::new(&["v7(", "V7(", "uuid7(", "ulid(", "ULID(", "Ulid::"]);
    let tables = databases.iter().flat_map(|database| &database.variant.objects.tables);
    let holds = tables.flat_map(|table| &table.columns).any(is_identifier);
    let is_code = |source: &Source| !extract::is_test_code(&source.path);
    holds && sources.as_slice().par_iter().any(|source| is_code(source) && source.has_any(&CALLS))
}

/// A statement that puts rows into a table: the columns that it gives values, `None` where that is not known.
type Given = Option<BTreeSet<String>>;

impl Keys {
    /// What is known of a database, by its statements.
    pub fn new(known: &Known<'_>, database: usize, objects: &Objects) -> Self {
        let Known { statements, columns, measured, has_timed } = known;
        let mut few: BTreeSet<(String, String)> = BTreeSet::new();
        let lower = |table: &str, column: &str| (table.to_lowercase(), column.to_lowercase());
        let told = measured.values.iter().filter(|one| one.database == database && one.distinct == "few");
        few.extend(told.map(|one| lower(&one.table, &one.column)));
        let mut inserts: BTreeMap<String, Given> = BTreeMap::new();
        for (statement, columns) in statements.iter().zip(*columns) {
            given(database, statement, columns, &mut inserts);
        }
        for table in &objects.tables {
            let Some(Some(given)) = inserts.get(&table.name.to_lowercase()) else { continue };
            let left = table.columns.iter().filter(|column| !given.contains(&column.name.to_lowercase()));
            // A default may be made up for each row.
            let is_alike = |column: &&Column| {
                column.primary_key == 0
                    && !column.default.as_ref().is_some_and(|text| text.to_lowercase().contains("random"))
            };
            few.extend(left.filter(is_alike).map(|column| lower(&table.name, &column.name)));
        }
        Self { few, has_timed: *has_timed }
    }

    /// Settles that the values of a column are all alike when a row is put in.
    pub fn set_alike(&mut self, table: &str, column: &str) {
        self.few.insert((table.to_lowercase(), column.to_lowercase()));
    }

    /// The order of the values of a column.
    pub fn order(&self, table: &Table, column: &Column) -> Order {
        if table.rowid_alias().is_some_and(|alias| alias == column) {
            return Order::Ordered;
        }
        if self.few.contains(&(table.name.to_lowercase(), column.name.to_lowercase())) {
            return Order::Few;
        }
        match by_name(column) {
            Order::Random(name) if self.has_timed && is_identifier(column) => Order::Unknown(name),
            order => order,
        }
    }
}

/// Notes what a statement gives the table that it puts rows into.
fn given(
    database: usize,
    statement: &Statement,
    columns: &[Option<ParameterColumn>],
    inserts: &mut BTreeMap<String, Given>,
) {
    // On which database a text runs that is not known whole, nothing tells.
    if matches!(statement.outcome, Outcome::Dynamic { .. }) {
        if matches!(Kind::of(&statement.raw), Kind::Insert | Kind::Replace) {
            inserts.extend(mentions(&statement.raw).used.into_iter().map(|name| (name.to_lowercase(), None)));
        }
        return;
    }
    let Some(explained) = statement.explained().filter(|_| statement.database() == Some(database)) else {
        return;
    };
    let is_insert = matches!(explained.kind, StatementKind::Insert | StatementKind::Replace);
    let text = statement.text.as_str();
    let is_random = |name: &String| name.contains("random") || name.contains("uuid");
    let is_used_twice =
        |name: &Option<String>| name.as_ref().is_some_and(|name| text.matches(name.as_str()).count() > 1);
    let is_known = is_insert
        && !columns.is_empty()
        && columns.iter().all(Option::is_some)
        && explained.plan.steps.iter().all(|step| step.table.is_none())
        && !explained.functions.iter().any(is_random)
        && !explained.parameters.iter().any(is_used_twice)
        && !statement.raw.contains(HOLE);
    for write in explained.writes.iter().filter(|write| write.action == WriteAction::Insert) {
        let own = inserts.entry(write.table.to_lowercase()).or_insert_with(|| Some(BTreeSet::new()));
        if !is_known || write.through.is_some() {
            *own = None;
        }
        if let Some(own) = own {
            let here = columns.iter().flatten().filter(|one| same(&one.table, &write.table));
            own.extend(here.map(|one| one.column.to_lowercase()));
        }
    }
}

/// Words of names of numbers that grow evenly.
const EVEN: [&str; 7] = ["block", "epoch", "round", "seq", "sequence", "slot", "ts"];
/// Words of names of times, be they numbers or texts.
const TIMES: [&str; 8] = ["at", "created", "date", "day", "modified", "time", "timestamp", "updated"];
/// Kinds of identifiers that begin with the time.
const TIMED: [&str; 4] = ["ksuid", "ulid", "uuid7", "uuidv7"];

/// Ends of names whose values are random.
const RANDOM: [&str; 9] =
    ["hash", "txid", "tx_id", "nullifier", "pubkey", "public_key", "digest", "sha256", "guid"];

/// Whether a column holds texts or bytes. To SQLite, STRING and the like are types of numbers.
pub(super) fn is_bytes(column: &Column) -> bool {
    const NUMBERS: [&str; 6] = ["BOOL", "DATE", "DEC", "MONEY", "NUM", "TIME"];
    let declared = column.declared_type.to_ascii_uppercase();
    match column.affinity {
        Affinity::Text | Affinity::Blob => true,
        Affinity::Numeric => !NUMBERS.iter().any(|word| declared.contains(word)),
        Affinity::Integer | Affinity::Real => false,
    }
}

/// Whether a column holds identifiers that are no hashes, as its name and type tell: UUIDs, and other bytes.
fn is_identifier(column: &Column) -> bool {
    let name = column.name.to_ascii_lowercase();
    let declared = column.declared_type.to_ascii_lowercase();
    let is_uuid = ["uuid", "guid"].iter().any(|word| name.contains(word) || declared.contains(word));
    let is_id = column.affinity == Affinity::Blob && !declared.is_empty();
    let is_hash = RANDOM.iter().any(|end| name.ends_with(end) && *end != "guid");
    is_uuid || is_id && (name == "id" || name.ends_with("_id")) && !is_hash
}

/// What the name and type of a column tell.
fn by_name(column: &Column) -> Order {
    let name = column.name.to_ascii_lowercase();
    let declared = column.declared_type.to_ascii_lowercase();
    let says = |word: &&str| name.contains(*word) || declared.contains(*word);
    let has_word = |words: &[&str]| name.split('_').any(|own| words.contains(&own));
    let is_bytes = is_bytes(column);
    if TIMED.iter().any(says) {
        Order::Ordered
    } else if is_bytes
        && (is_identifier(column) || has_word(&["hash"]) || RANDOM.iter().any(|end| name.ends_with(end)))
    {
        Order::Random(column.name.clone())
    } else if declared.contains("bool") {
        Order::Few
    } else {
        let is_number = !is_bytes && (has_word(&EVEN) || name.ends_with("height"));
        let is_time = column.affinity != Affinity::Blob
            && (has_word(&TIMES) || ["date", "time"].iter().any(|word| declared.contains(word)));
        if is_number || is_time { Order::Ordered } else { Order::Unknown(column.name.clone()) }
    }
}

/// The order of the entries of a B-tree, by the columns of its key from the first on.
pub(super) fn of_key(parts: impl Iterator<Item = Order>) -> Order {
    let mut parts = parts.filter(|part| *part != Order::Few);
    parts.next().unwrap_or(Order::Ordered)
}

/// Whether a table is a B-tree of its own, or several.
pub(super) fn is_stored(table: &Table) -> bool {
    table.kind == TableKind::Ordinary && !table.is_made()
}
