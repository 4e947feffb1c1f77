//! What the rows of a database look like: for each column which rows have the same value, which value is a flag or a
//! sentinel, and whose key it refers to. Told from the schema and from what statements ask; nothing is filled in here.

use super::checked;
use super::expressed::expressed;
use super::fill::is_filled;
use super::flags::{Apart, common_and_latch, flags, is_json_name, is_named_value, is_one_of_many, sentinels};
use super::literals::{Checks, Literal};
use super::size::{Class, TableSize};
use super::stored::constants;
use super::uses::{At, Catalog, Use, Uses};
use super::values::Kind;
use crate::schema::{Column, Generated, Objects, Table, TableKind};
use std::collections::{BTreeMap, BTreeSet};

/// A bound over this is as good as none.
const MANY: u64 = 10_000;
/// Rows of a table that does not grow.
const FEW: u64 = 8;

/// All tables, by their number among the objects.
#[derive(Debug)]
pub(super) struct Model {
    pub tables: Vec<TableModel>,
}

/// A table.
#[derive(Debug)]
pub(super) struct TableModel {
    pub name: String,
    pub schema: String,
    pub columns: Vec<ColumnModel>,
    /// The rows that it has; `None` where it grows.
    pub fixed: Option<u64>,
    /// Subqueries that find many rows for each row of this one are told from others.
    pub is_outer: bool,
    /// It can hold rows at all.
    pub is_filled: bool,
    pub has_checks: bool,
    /// The columns that CHECKs hold to others: one, the other, and how much more that is; none of them leads back to itself.
    pub held: Vec<(usize, usize, i64)>,
    /// A statement that inserts several rows inserts all of them, or none.
    pub takes_all_or_none: bool,
}

/// A column.
#[derive(Debug)]
pub(super) struct ColumnModel {
    pub name: String,
    pub kind: Kind,
    pub rows: Rows,
    /// It is computed, or no column of a row.
    pub is_computed: bool,
    pub can_be_null: bool,
    /// The values of a flag; no flag where there are none.
    pub flags: Vec<Literal>,
    /// The value of a flag that most rows have, where its DEFAULT that no statement changes tells, or its name.
    pub common: Option<Literal>,
    /// The only value that statements give a flag: a row that has it keeps it.
    pub latch: Option<Literal>,
    /// An UPDATE gives it what its caller says.
    pub is_changed: bool,
    /// How many rows have one of these.
    pub apart: Apart,
    /// Values that stand apart from all others.
    pub sentinels: Vec<Literal>,
    /// Most rows may have the same value, for statements look for all others.
    pub is_excluded: bool,
    /// It may have few values.
    pub can_group: bool,
    pub is_json: bool,
    /// It carries the number of the row for a unique key.
    pub carries: bool,
    /// Many rows may share a value by which they are found.
    pub is_shared: bool,
    /// A CHECK names it.
    pub is_checked: bool,
    /// A CHECK asks for its length.
    pub has_length: bool,
    /// What CHECKs allow, to be tried.
    pub tries: Vec<Literal>,
    /// The numbers between which CHECKs hold it.
    pub bounds: std::ops::RangeInclusive<i64>,
}

/// Which thing a row of a column stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// Each row has its own.
    Own,
    /// Each row has its own, half of which a table that it is joined with has too.
    Shifted,
    /// Four rows share one.
    Groups,
    /// That of a row of another column; `several`: with other columns of the same key.
    Child { parent: At, unique: bool, several: bool },
}

impl Model {
    /// The rows of a database's tables.
    pub fn new(catalog: &Catalog<'_>, uses: &Uses, sizes: &[&TableSize], json: bool) -> Self {
        let objects = catalog.objects;
        let nothing = Use::default();
        let mut tables = Vec::new();
        for (index, table) in objects.tables.iter().enumerate() {
            let checks = Checks::of(&table.sql);
            let use_of = |column: usize| uses.columns.get(&(index, column)).unwrap_or(&nothing);
            let columns = table
                .columns
                .iter()
                .enumerate()
                .map(|(number, one)| column(one, use_of(number), &checks, json));
            tables.push(TableModel {
                columns: columns.collect(),
                fixed: fixed(sizes, table),
                is_outer: false,
                is_filled: is_filled(table),
                has_checks: !checks.is_empty(),
                held: checked::held(table, &checks),
                takes_all_or_none: table.kind == TableKind::Ordinary
                    && !table.sql.to_ascii_lowercase().contains("conflict"),
                name: table.name.clone(),
                schema: table.schema.clone(),
            });
        }
        let mut draft = Draft { model: Self { tables }, catalog, uses, unique: BTreeSet::new() };
        draft.constants();
        draft.keys();
        draft.foreign_keys();
        draft.joins();
        draft.groups();
        draft.flags();
        draft.kinds();
        for at in std::mem::take(&mut draft.unique) {
            draft.model.column_mut(at).into_iter().for_each(|column| column.carries = true);
        }
        draft.model
    }

    pub fn column(&self, at: At) -> Option<&ColumnModel> {
        self.tables.get(at.0)?.columns.get(at.1)
    }

    pub fn column_mut(&mut self, at: At) -> Option<&mut ColumnModel> {
        self.tables.get_mut(at.0)?.columns.get_mut(at.1)
    }
}

/// Whether a table can have any number of rows.
pub fn grows(sizes: &[&TableSize], table: &Table) -> bool {
    fixed(sizes, table).is_none()
}

fn fixed(sizes: &[&TableSize], table: &Table) -> Option<u64> {
    let size = sizes.iter().find(|size| size.table.eq_ignore_ascii_case(&table.name))?;
    match (size.class, size.bound) {
        (Class::Growing | Class::Churning | Class::Loaded, _) => None,
        (_, Some(bound)) if bound > MANY => None,
        (Class::Single, _) => Some(1),
        (Class::Bounded, bound) => Some(bound.unwrap_or(FEW).clamp(1, FEW)),
    }
}

fn column(column: &Column, asked: &Use, checks: &Checks<'_>, json: bool) -> ColumnModel {
    let kind = Kind::of(column).sortable(asked.ranged || asked.sorted);
    let allowed = checks.allowed(&column.name);
    ColumnModel {
        name: column.name.clone(),
        kind,
        rows: Rows::Own,
        is_computed: column.generated != Generated::No || column.hidden,
        can_be_null: !column.not_null && column.primary_key == 0,
        flags: if allowed.len() > 1 { allowed } else { Vec::new() },
        common: None,
        latch: None,
        is_changed: false,
        apart: Apart::Often,
        sentinels: Vec::new(),
        is_excluded: asked.excluded,
        can_group: !(asked.ranged || asked.sorted),
        is_json: asked.json || (json && Kind::of(column) == Kind::Text && is_json_name(&column.name)),
        carries: false,
        is_shared: false,
        is_checked: checks.names(&column.name),
        has_length: checks.asks_length(&column.name),
        tries: checks.literals(&column.name),
        bounds: checks.bounds(&column.name),
    }
}

/// A model of which parts are still guessed.
struct Draft<'a> {
    model: Model,
    catalog: &'a Catalog<'a>,
    uses: &'a Uses,
    /// The columns that are a unique key alone, or that carry the number of the row for one of several columns.
    unique: BTreeSet<At>,
}

impl Draft<'_> {
    fn objects(&self) -> &Objects {
        self.catalog.objects
    }

    /// What all INSERTs give the same literal, each row has.
    fn constants(&mut self) {
        for (at, constant) in constants(self.catalog, self.uses) {
            let Some(column) = self.model.column_mut(at) else { continue };
            (column.flags, column.is_excluded) = (vec![constant.clone()], false);
        }
    }

    /// One column of each unique key carries the number of the row.
    fn keys(&mut self) {
        self.unique.extend(expressed(self.catalog));
        let mut keys: Vec<Vec<At>> = Vec::new();
        for (index, table) in self.objects().tables.iter().enumerate() {
            let mut key: Vec<(u32, At)> = Vec::new();
            for (number, column) in
                table.columns.iter().enumerate().filter(|(_, column)| column.primary_key > 0)
            {
                key.push((column.primary_key, (index, number)));
            }
            key.sort_unstable();
            keys.push(key.into_iter().map(|(_, at)| at).collect());
            for unique in self.objects().indexes_of(&table.schema, &table.name).filter(|index| index.unique) {
                let columns = unique.columns.iter().filter(|column| column.key);
                keys.push(
                    columns.filter_map(|one| self.catalog.column(index, one.name.as_deref()?)).collect(),
                );
            }
        }
        keys.retain(|key| !key.is_empty());
        keys.sort_by_key(Vec::len);
        for key in keys {
            if key.iter().any(|at| self.unique.contains(at)) {
                continue;
            }
            let asked = |at: &At| self.uses.columns.get(at);
            let is_value = |at: &At| {
                let name = self.objects().tables.get(at.0).and_then(|one| one.columns.get(at.1));
                self.model.column(*at).is_some_and(|column| !column.flags.is_empty())
                    || asked(at).zip(name).is_some_and(|(asked, one)| is_named_value(&one.name, asked))
            };
            let is_joined =
                |at: &At| self.catalog.is_child(*at) || asked(at).is_some_and(|asked| asked.joined);
            let mut last = key.iter().rev().filter(|at| !is_value(at)).peekable();
            let first = last.peek().copied();
            let free = last.find(|at| !is_joined(at)).or(first).or_else(|| key.last()).copied();
            self.unique.extend(free);
        }
    }

    /// All columns of a foreign key stand for the same row of the parent.
    fn foreign_keys(&mut self) {
        let mut children: Vec<Vec<(At, At)>> = Vec::new();
        for key in &self.objects().foreign_keys {
            let (Some(child), Some(parent)) =
                (self.catalog.table(&key.table), self.catalog.table(&key.parent))
            else {
                continue;
            };
            let pairs = key.columns.iter().filter_map(|(own, other)| {
                Some((self.catalog.column(child, own)?, self.catalog.column(parent, other.as_deref()?)?))
            });
            children.push(pairs.collect());
        }
        for pairs in children {
            self.child(&pairs);
        }
    }

    fn child(&mut self, pairs: &[(At, At)]) {
        let unique = pairs.iter().any(|(own, _)| self.unique.contains(own));
        let can_group = pairs.iter().filter_map(|(own, _)| self.model.column(*own)).all(|one| one.can_group);
        for &(own, parent) in pairs {
            if let Some(column) = self.model.column_mut(own).filter(|column| column.rows == Rows::Own) {
                column.can_group = can_group;
                column.rows = Rows::Child { parent, unique, several: pairs.len() > 1 };
            }
        }
    }

    /// A table that is joined with a unique key of another refers to its rows; two keys overlap by half.
    fn joins(&mut self) {
        for (&(a, b), pairs) in &self.uses.joins {
            let forth: Vec<(At, At)> = pairs.iter().map(|&(x, y)| ((a, x), (b, y))).collect();
            let back: Vec<(At, At)> = forth.iter().map(|&(x, y)| (y, x)).collect();
            let known = |pairs: &[(At, At)]| {
                pairs.iter().any(|(own, parent)| {
                    let rows = self.model.column(*own).map(|column| column.rows);
                    matches!(rows, Some(Rows::Child { parent: other, .. }) if other.0 == parent.0)
                })
            };
            if known(&forth) || known(&back) {
                continue;
            }
            let has_key = |side: &[(At, At)]| side.iter().any(|(own, _)| self.unique.contains(own));
            match (has_key(&forth), has_key(&back)) {
                (false, true) => self.child(&forth),
                (true, false) => self.child(&back),
                (true, true) => self.overlap(&back),
                (false, false) => {
                    for at in forth.iter().chain(&back).map(|(own, _)| *own) {
                        self.group(at);
                    }
                }
            }
        }
    }

    fn overlap(&mut self, pairs: &[(At, At)]) {
        for (own, _) in pairs {
            if let Some(column) = self.model.column_mut(*own).filter(|column| column.rows == Rows::Own) {
                column.rows = Rows::Shifted;
            }
        }
    }

    /// Four rows share a value that is looked for.
    fn groups(&mut self) {
        for (&at, asked) in &self.uses.columns {
            if asked.sought {
                self.group(at);
            }
        }
    }

    fn group(&mut self, at: At) {
        let is_unique = self.unique.contains(&at);
        if let Some(column) = self.model.column_mut(at).filter(|one| one.rows == Rows::Own && !is_unique) {
            column.rows = Rows::Groups;
        }
    }

    fn flags(&mut self) {
        let all: Vec<At> = (0..self.model.tables.len())
            .flat_map(|table| {
                let columns = self.model.tables.get(table).map_or(0, |table| table.columns.len());
                (0..columns).map(move |column| (table, column))
            })
            .collect();
        let (nothing, stored) = (Use::default(), &self.uses.stored);
        for at in all {
            let asked = self.uses.columns.get(&at).unwrap_or(&nothing);
            let declared = self.objects().tables.get(at.0).and_then(|one| one.columns.get(at.1)).cloned();
            let Some(declared) = declared else { continue };
            let is_unique = self.unique.contains(&at);
            // An order of kinds is no order of many values.
            let is_sorted = asked.sorted && !is_named_value(&declared.name, asked);
            let is_free =
                !(is_unique || self.catalog.is_child(at) || asked.joined || asked.ranged || is_sorted);
            let Some(column) = self.model.column_mut(at) else { continue };
            if is_unique {
                (column.flags, column.is_excluded) = (Vec::new(), false);
            } else if column.flags.is_empty() {
                let is_one = is_one_of_many(&declared, asked, column.kind, (stored, at));
                let is = (is_free && !asked.excluded && !is_one, column.can_be_null && stored.puts_null(at));
                column.flags = flags(&declared, asked, (column.kind, &column.bounds), is);
            }
            column.is_changed = asked.changes;
            (column.common, column.latch) = common_and_latch(&declared, asked, &column.flags, (stored, at));
            if column.flags.is_empty() {
                column.sentinels = sentinels(column, asked, is_unique);
                column.apart = Apart::of(&column.sentinels, (&declared, asked, column.kind), (stored, at));
            }
        }
    }

    /// Columns that are joined, by whatever chain, have values of one kind.
    fn kinds(&mut self) {
        let mut pairs: Vec<(At, At)> = Vec::new();
        for (&(a, b), columns) in &self.uses.joins {
            pairs.extend(columns.iter().map(|&(x, y)| ((a, x), (b, y))));
        }
        for (table, model) in self.model.tables.iter().enumerate() {
            for (number, column) in model.columns.iter().enumerate() {
                if let Rows::Child { parent, .. } = column.rows {
                    pairs.push(((table, number), parent));
                }
            }
        }
        // As often as the longest chain asks for, which is seldom more than a few steps.
        for _ in 0..8 {
            let mut kinds: BTreeMap<At, Kind> = BTreeMap::new();
            for &(one, other) in &pairs {
                let both = [one, other].map(|at| self.model.column(at).map(|column| column.kind));
                let Some(least) = both.into_iter().flatten().min() else { continue };
                for at in [one, other] {
                    kinds.entry(at).and_modify(|kind| *kind = least.min(*kind)).or_insert(least);
                }
            }
            for (at, kind) in kinds {
                if let Some(column) = self.model.column_mut(at) {
                    column.kind = kind;
                }
            }
        }
    }
}
