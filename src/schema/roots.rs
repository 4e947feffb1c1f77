//! Which table a step of a plan reads: from the root page its cursor is opened on to the name in the catalogue.

use super::explain::Explained;
use super::keys::Keys;
use super::program::{Program, Target};
use super::{Live, guard, objects, quoted, sqlite};
use crate::plan::{Op, Step};
use std::collections::{HashMap, HashSet};

/// Where the B-trees of a database are, until its schema changes.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// B-trees by the number of the schema and the root page.
    trees: HashMap<(i64, i64), Tree>,
    /// Virtual tables by where they are in memory, which they keep while the schema stays.
    virtual_tables: HashMap<u64, (String, String)>,
    /// Views, which are read through and never themselves.
    views: HashSet<(String, String)>,
    /// The unique keys asked for so far.
    pub keys: Keys,
}

/// A table, or an index on it.
#[derive(Debug)]
struct Tree {
    schema: String,
    table: String,
    index: Option<String>,
}

impl Roots {
    /// Reads the catalogues.
    pub fn read(connection: &sqlite::Connection) -> sqlite::Result<Self> {
        let mut roots = Self::default();
        for (number, schema) in guard::schemas(connection).into_iter().enumerate() {
            let number = number as i64;
            let catalogue = if schema == "temp" { "sqlite_temp_schema" } else { "sqlite_schema" };
            let tree = Tree { schema: schema.clone(), table: catalogue.to_owned(), index: None };
            roots.trees.insert((number, 1), tree);
            let from = quoted(&schema);
            let sql = format!(
                "SELECT tbl_name, rootpage, type, name FROM {from}.sqlite_schema WHERE type <> 'trigger'"
            );
            let mut statement = connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (table, page): (String, Option<i64>) = (row.get(0)?, row.get(1)?);
                match page {
                    _ if row.get_ref(2)?.as_str() == Ok("view") => {
                        roots.views.insert((schema.clone(), table));
                    }
                    Some(page) if page > 0 => {
                        let index =
                            (row.get_ref(2)?.as_str() == Ok("index")).then(|| row.get(3)).transpose()?;
                        roots.trees.insert((number, page), Tree { schema: schema.clone(), table, index });
                    }
                    // A virtual table connects when it is first used, and then prepares statements of its own. They
                    // are not those of the statement that is planned, so it connects now; if it cannot, it will say
                    // so to who uses it.
                    _ => {
                        let address = connect(connection, &format!("{from}.{}", quoted(&table)));
                        roots
                            .virtual_tables
                            .extend(address.map(|address| (address, (schema.clone(), table))));
                    }
                }
            }
        }
        Ok(roots)
    }
}

impl Roots {
    /// The index that a B-tree is, if it is one.
    pub fn index_at(&self, schema: i64, page: i64) -> Option<&str> {
        self.trees.get(&(schema, page))?.index.as_deref()
    }

    /// The schema and table that a B-tree belongs to.
    fn table_at(&self, schema: i64, page: i64) -> Option<(String, String)> {
        self.trees.get(&(schema, page)).map(|tree| (tree.schema.clone(), tree.table.clone()))
    }
}

/// Connects a virtual table, and says where it is.
fn connect(connection: &sqlite::Connection, table: &str) -> Option<u64> {
    let mut statement = connection.prepare(&format!("EXPLAIN SELECT 1 FROM {table}")).ok()?;
    Program::read(statement.raw_query()).ok()?.virtual_table()
}

impl Live {
    /// Fills in the tables of the steps.
    pub(super) fn resolve(&self, explained: &mut Explained, targets: &[Target]) {
        let Some(roots) = &self.roots else { return };
        for (step, target) in explained.plan.steps.iter_mut().zip(targets) {
            let found = match target {
                Target::Root { schema, page } => roots.table_at(*schema, *page),
                Target::Virtual(address) => roots.virtual_tables.get(address).cloned(),
                Target::Nothing | Target::Unknown => None,
            };
            set(step, found);
        }
        let mut unmatched = unmatched(explained);
        unmatched.retain(|candidate| !roots.views.contains(candidate));
        let steps = &mut explained.plan.steps;
        name_functions(steps, targets, &unmatched);
        unmatched.retain(|(_, table)| !steps.iter().any(|step| step.table.as_ref() == Some(table)));
        let lost: Vec<usize> = (0..steps.len())
            .filter(|at| is_lost(steps, *at, targets.get(*at).copied().unwrap_or_default()))
            .collect();
        if let ([at], [only]) = (lost.as_slice(), unmatched.as_slice())
            && let Some(step) = steps.get_mut(*at)
        {
            set(step, Some(only.clone()));
        }
        inherit(steps);
    }
}

/// Names the table-valued functions, which are in no catalogue. If several are read, the one with the printed name is meant,
/// for it is one of those that are read.
fn name_functions(steps: &mut [Step], targets: &[Target], unmatched: &[(String, String)]) {
    for (step, target) in steps.iter_mut().zip(targets) {
        if !matches!(target, Target::Virtual(_)) || step.table.is_some() {
            continue;
        }
        let found = match (unmatched, &step.name) {
            ([only], _) => Some(only),
            (several, Some(name)) => several.iter().find(|(_, table)| is_named(name, table)),
            (_, None) => None,
        };
        set(step, found.cloned());
    }
}

fn set(step: &mut Step, found: Option<(String, String)>) {
    if let Some((schema, table)) = found {
        step.schema = Some(schema);
        step.table = Some(table);
    }
}

/// The tables that the authorizer was asked for and that no step has so far.
fn unmatched(explained: &Explained) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let read = explained.reads.iter().map(|read| (&read.schema, &read.table));
    let written = explained.writes.iter().map(|write| (&write.schema, &write.table));
    for (schema, table) in read.chain(written) {
        let has = |step: &Step| step.table.as_ref() == Some(table) && step.schema.as_ref() == Some(schema);
        let known = found.iter().any(|(other, name)| other == schema && name == table);
        if !known && !objects::is_catalogue(table) && !explained.plan.steps.iter().any(has) {
            found.push((schema.clone(), table.clone()));
        }
    }
    found
}

/// A printed name is that of a table, with or without its schema.
fn is_named(printed: &str, table: &str) -> bool {
    let name = printed.rsplit_once('.').map_or(printed, |(_, name)| name);
    name.eq_ignore_ascii_case(table) || printed.eq_ignore_ascii_case(table)
}

/// Whether a step must read a table and it is not known which. The rows of a recursive table come from a queue.
fn is_lost(steps: &[Step], at: usize, target: Target) -> bool {
    let Some(step) = steps.get(at) else { return false };
    let mut above = step.parent.and_then(|parent| steps.get(parent));
    while let Some(outer) = above {
        if outer.op == Op::RecursiveStep {
            return false;
        }
        above = outer.parent.and_then(|parent| steps.get(parent));
    }
    let reads = matches!(step.op, Op::Scan | Op::Search | Op::InIndex | Op::VirtualScan { .. });
    reads && step.table.is_none() && target != Target::Nothing
}

/// Steps that stand around the search of one table read that table.
fn inherit(steps: &mut [Step]) {
    for at in (0..steps.len()).rev() {
        let Some(step) = steps.get(at) else { continue };
        let found = step.schema.clone().zip(step.table.clone());
        // An index that is probed for an IN is another table's.
        let reads = step.op != Op::InIndex;
        let above = step.parent.and_then(|parent| steps.get_mut(parent));
        if let Some(outer) = above
            && reads
            && matches!(outer.op, Op::RightJoin | Op::MultiIndexOr | Op::OrIndex)
        {
            set(outer, found);
        }
    }
}
