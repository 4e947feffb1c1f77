//! Tables that no statement is seen to fill while the program does its work: what tells a list that comes with the program
//! from a table whose rows come by other ways.

use super::{Class, TableSize, Writing, Writings, is_temporary, literal, words};
use crate::{
    extract::{Extraction, Role},
    migration::mentions,
    schema::{Explained, Kind, Objects, StatementKind, Table},
    source::Site,
    workload::{self, Outcome, Statement, Writer},
};
use std::collections::{BTreeMap, BTreeSet};

/// A statement that fills a table and is not read.
pub(super) struct Unread {
    pub site: Site,
    /// What it is, in words.
    pub how: &'static str,
    /// Whether it may change a row that is there: of a table of settings, or of the one row of a state, it does no more.
    may_change: bool,
    /// Whether its own text names the table, and SQLite does not refuse it.
    is_named: bool,
}

impl Unread {
    /// What adds rows to a table that is told by other than its text.
    const fn unnamed(site: Site, how: &'static str) -> Self {
        Self { site, how, may_change: false, is_named: false }
    }

    /// Whether a table grows by it that no statement is seen to fill or, where its text names the table, none but those that begin
    /// it. One of names and values, or of parts of the program, has one key, or little more than its key.
    pub fn fills(&self, (table, size): (&Table, &TableSize), own: &Writings<'_>, is_begun: bool) -> bool {
        let keys = table.columns.iter().filter(|column| column.primary_key > 0).count();
        let adds = !self.may_change || keys == 0 || (keys > 1 && table.columns.len() > keys + 1);
        let is_open = own.inserts.is_empty() || (is_begun && self.is_named);
        adds && is_open && size.class != Class::Single && !is_temporary(table)
    }
}

/// The tables that statements fill of which a part is known only to the running program, or that SQLite refuses, by names in
/// lower case; and those that query builders fill. On which database they run, nothing tells. Where the table is told by a guess
/// alone, others may be meant as well.
pub(super) fn unread_inserts<'a>(
    extraction: &Extraction,
    statements: &'a [Statement],
    unseen: &workload::Unseen,
) -> BTreeMap<String, Unread> {
    let is_live = |one: &&'a Statement| {
        let role = extraction.literals.get(one.literal).map(|literal| literal.role);
        role == Some(Role::Production)
    };
    let target = |one: &'a Statement| {
        let how = match one.outcome {
            Outcome::Dynamic { .. } => "a text that is not known whole",
            Outcome::Refused { .. } => "a statement that SQLite refuses",
            _ => return None,
        };
        let kind = Kind::of(&one.raw);
        let words = words(&one.raw);
        let is_pair = |one, other| words.windows(2).any(|pair| *pair == [one, other]);
        let may_change = kind == Kind::Replace || is_pair("on", "conflict") || is_pair("or", "replace");
        let is_insert = matches!(kind, Kind::Insert | Kind::Replace);
        let name = is_insert.then(|| mentions(&one.raw).used.into_iter().next())??;
        let is_named = matches!(one.outcome, Outcome::Dynamic { .. });
        Some((name, Unread { site: one.site, how, may_change, is_named }))
    };
    let built = unseen.inserts.iter();
    let built = built.map(|(name, (site, how))| (name.clone(), Unread::unnamed(*site, how)));
    let may_fill = |one: &'a Statement| {
        let how = "a text whose table is computed";
        one.may_fill.iter().map(|name| (name.clone(), Unread::unnamed(one.site, how)))
    };
    let live = || statements.iter().filter(is_live);
    let (changing, adding): (Vec<_>, Vec<_>) = live().filter_map(target).partition(|(_, one)| one.may_change);
    changing.into_iter().chain(built).chain(live().flat_map(may_fill)).chain(adding).collect()
}

/// The tables that statements fill or change which SQLite does not plan as they are, by names in lower case.
pub(super) fn unread_writes(statements: &[Statement]) -> BTreeSet<String> {
    let is_unread =
        |one: &&Statement| matches!(one.outcome, Outcome::Dynamic { .. } | Outcome::Refused { .. });
    let writes = |one: &&Statement| matches!(Kind::of(&one.raw), Kind::Insert | Kind::Replace | Kind::Update);
    let writes = statements.iter().filter(is_unread).filter(writes);
    writes.filter_map(|one| mentions(&one.raw).used.into_iter().next()).collect()
}

/// The tables into which migrations put rows that are written in their texts, by names in lower case. One row is no list: the
/// first user, whom others follow.
pub(super) fn seeded(extraction: &Extraction, statements: &[Statement]) -> BTreeSet<String> {
    let rows = |one: &Statement| {
        let role = extraction.literals.get(one.literal).map(|literal| literal.role);
        let is_seed = role == Some(Role::Migration)
            && !matches!(one.outcome, Outcome::Foreign)
            && matches!(Kind::of(&one.raw), Kind::Insert | Kind::Replace);
        let words = if is_seed { words(&one.raw) } else { Vec::new() };
        let values = words.into_iter().skip_while(|word| word != "values");
        let values: Vec<String> = values.skip(1).collect();
        let is_given = values.iter().any(|word| matches!(word.as_str(), "?" | ":" | "@" | "$"));
        let next = values.windows(3).filter(|three| *three == [")", ",", "("]).count();
        if values.is_empty() || is_given { 0 } else { 1 + next }
    };
    let mut seeded: BTreeMap<String, usize> = BTreeMap::new();
    for (rows, one) in statements.iter().map(|one| (rows(one), one)).filter(|(rows, _)| *rows > 0) {
        let table = mentions(&one.raw).used.into_iter().next();
        *seeded.entry(table.unwrap_or_default()).or_default() += rows;
    }
    seeded.into_iter().filter(|(_, rows)| *rows > 1).map(|(table, _)| table).collect()
}

/// What fills tables of a database by texts that no source has.
pub(super) struct Unseen<'a> {
    writer: Option<&'a Writer>,
    /// Whether a table is as likely to be filled so as any.
    is_usual: bool,
}

impl<'a> Unseen<'a> {
    /// `filled` of the tables are by statements that are seen. Who writes those may have a builder for short lists alone.
    pub fn new((unseen, database): (&'a workload::Unseen, usize), filled: usize, tables: usize) -> Self {
        let writer = unseen.writers.get(database).and_then(Option::as_ref);
        Self { writer, is_usual: writer.is_some_and(|one| !one.is_builder) || filled * 4 < tables }
    }

    /// Whether a query builder does, and nothing tells in which tables.
    fn may_be_anywhere(&self) -> bool {
        self.is_usual && self.writer.is_some_and(|one| one.is_builder && !one.is_read)
    }

    /// Whether anything does.
    pub fn is_any(&self) -> bool {
        self.writer.is_some()
    }
}

/// Whether the rows that migrations put in a table are all that it has. Where a query builder is as likely to fill it as any,
/// only rows with a key that is written beside them are: the others may be samples.
pub(super) fn is_list(
    seeded: &BTreeSet<String>,
    own: &Writings<'_>,
    (table, objects): (&Table, &Objects),
    unseen: &Unseen<'_>,
) -> bool {
    let has_key = |one: &Writing<'_>| literal::has_key(one.statement.text.as_str(), table, objects);
    let are_samples =
        || unseen.may_be_anywhere() && !own.inserts.is_empty() && !own.inserts.iter().any(has_key);
    seeded.contains(&table.name.to_lowercase()) && !are_samples()
}

/// A table that no statement is seen to insert into: something else may, or must where the program deletes or changes its
/// rows one by one.
pub(super) fn by_others(own: &Writings<'_>, unseen: &Unseen<'_>, size: &mut TableSize) {
    let is_picked = |one: &Writing<'_>| {
        let text = one.statement.text.as_str();
        let mut condition = words(text).into_iter().skip_while(|word| word != "where");
        one.role == Role::Production
            && matches!(one.explained.kind, StatementKind::Delete | StatementKind::Update)
            && condition.any(|word| matches!(word.as_str(), "?" | ":" | "@" | "$"))
    };
    let is_deleted = own.deletes.iter().any(is_picked);
    let is_growing = unseen.writer.is_some() && unseen.is_usual || is_deleted;
    let sign = if let Some(writer) = unseen.writer {
        writer.words.as_str()
    } else if is_deleted {
        "some delete rows of it one by one"
    } else if own.updates.iter().any(is_picked) {
        "some change rows of it one by one"
    } else {
        return;
    };
    let when = if own.inserts.is_empty() { "" } else { " while the program runs" };
    let text = format!("no statement inserts into it{when}, and {sign}");
    let class = if is_growing { Class::Growing } else { Class::Loaded };
    // What stands in the first rows says nothing of those behind them.
    size.has_unread |= unseen.may_be_anywhere() && !own.inserts.is_empty();
    (size.class, size.bound, size.evidence) = (class, None, vec![(None, text)]);
}

/// A table that no statement fills while the program does its work.
pub(super) fn without_inserts(
    own: &Writings<'_>,
    random: Option<&str>,
    size: impl Fn(Class, Option<u64>, Vec<(Option<Site>, String)>) -> TableSize,
) -> TableSize {
    let quiet = |one: &&Writing<'_>| {
        matches!(one.role, Role::StartUp | Role::Offline) && has_parameters(one.explained)
    };
    if let Some(one) = own.inserts.iter().find(quiet) {
        let evidence =
            vec![(Some(one.statement.site), "rows are inserted here, at start-up or by a tool".to_owned())];
        return size(Class::Loaded, None, evidence);
    }
    let is_dead = |one: &&Writing<'_>| one.role == Role::Dead && has_parameters(one.explained);
    if let Some(one) = own.inserts.iter().find(is_dead) {
        let text = "rows are inserted here, by code that nothing but tests was seen to reach".to_owned();
        return size(Class::Loaded, None, vec![(Some(one.statement.site), text)]);
    }
    if let Some(column) = random.filter(|_| own.inserts.is_empty()) {
        let text = format!("no statement inserts into it, and nobody writes down each value of `{column}`");
        return size(Class::Loaded, None, vec![(None, text)]);
    }
    let text = "no statement inserts into it while the program runs".to_owned();
    size(Class::Bounded, Some(8), vec![(None, text)])
}

/// A column that is a unique key alone and has values in no order, as hashes have: no list that comes with the program has
/// one.
pub(super) fn random_key<'a>(table: &'a Table, objects: &'a Objects) -> Option<&'a str> {
    let unique = objects.indexes_of(&table.schema, &table.name).filter(|index| {
        index.unique && index.filter.is_none() && index.columns.iter().filter(|one| one.key).count() == 1
    });
    let mut names = unique.filter_map(|index| index.columns.first()?.name.as_deref());
    names.find(|name| {
        let name = name.to_ascii_lowercase();
        ["hash", "txid", "uuid", "guid", "digest"].iter().any(|word| name.ends_with(word))
    })
}

fn has_parameters(explained: &Explained) -> bool {
    !explained.parameters.is_empty()
}
