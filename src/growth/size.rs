//! Which tables grow: inferred from what the program's statements do to them, with the evidence. The configuration
//! has the last word.

mod capped;
pub mod counted;
mod emptied;
mod literal;
mod unfilled;

use crate::{
    config::Config,
    extract::{Extraction, Role, sql::skip_leading},
    migration::version,
    schema::{Explained, IndexObject, Objects, StatementKind, Table, WriteAction, same},
    source::Site,
    workload::{self, Database, Statement},
};
use std::collections::BTreeMap;

/// How the number of a table's rows develops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// One row.
    Single,
    /// Never many rows.
    Bounded,
    /// Filled by start-up code alone, from data of unknown size.
    Loaded,
    /// Rows come and go, with no bound that could be proved.
    Churning,
    /// Rows come.
    Growing,
}

impl Class {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Bounded => "bounded",
            Self::Loaded => "loaded",
            Self::Churning => "churning",
            Self::Growing => "growing",
        }
    }
}

/// How many rows a table will have, and why that is thought.
#[derive(Debug, Clone)]
pub struct TableSize {
    /// The database.
    pub database: usize,
    /// The table.
    pub table: String,
    /// How the number of its rows develops.
    pub class: Class,
    /// The most rows that it can have, where that is known.
    pub bound: Option<u64>,
    /// The rows that it was found to have in a database in the field.
    pub rows: Option<u64>,
    /// Whether the configuration says that number, and no database does.
    pub is_said: bool,
    /// Whether its class is told by these.
    pub is_counted: bool,
    /// Whether the configuration says so.
    pub is_configured: bool,
    /// Whether a text that is not known whole fills or changes it, or nothing but start-up is seen to fill it.
    pub has_unread: bool,
    /// What it was inferred from.
    pub evidence: Vec<(Option<Site>, String)>,
}

/// Rows of one table being written.
struct Writing<'a> {
    statement: &'a Statement,
    explained: &'a Explained,
    role: Role,
    function: Option<u32>,
    is_prepared: bool,
}

#[derive(Default)]
struct Writings<'a> {
    inserts: Vec<Writing<'a>>,
    deletes: Vec<Writing<'a>>,
    updates: Vec<Writing<'a>>,
}

/// The sizes of all tables of all databases. `unseen`: what fills their tables by texts that no source has.
pub fn sizes(
    config: &Config,
    extraction: &Extraction,
    databases: &[Database],
    statements: &[Statement],
    unseen: &workload::Unseen,
) -> Vec<TableSize> {
    let writings = writings(extraction, statements);
    let unread = unfilled::unread_inserts(extraction, statements, unseen);
    let unread_writes = unfilled::unread_writes(statements);
    let seeded = unfilled::seeded(extraction, statements);
    let nothing = Writings::default();
    let mut sizes = Vec::new();
    for (index, database) in databases.iter().enumerate() {
        let objects = &database.variant.objects;
        let is_filled = |own: &Writings<'_>| own.inserts.iter().any(|one| one.role == Role::Production);
        let filled = writings.iter().filter(|((of, _), own)| *of == index && is_filled(own)).count();
        let unseen = unfilled::Unseen::new((unseen, index), filled, objects.tables.len());
        for table in objects.tables.iter().filter(|table| !table.is_made()) {
            let own = writings.get(&(index, table.name.to_lowercase())).unwrap_or(&nothing);
            let mut size = infer(index, table, objects, own);
            // What start-up puts in is no more than a beginning, and what a migration copies was there before.
            let are_all = |roles: &[Role]| own.inserts.iter().all(|one| roles.contains(&one.role));
            let is_begun = are_all(&[Role::StartUp, Role::Migration]);
            let is_opened = !own.inserts.is_empty() && are_all(&[Role::StartUp]);
            size.has_unread = is_opened || unread_writes.contains(&table.name.to_lowercase());
            let is_seeded = unfilled::is_list(&seeded, own, (table, objects), &unseen);
            // A tool fills what the program fills as well, where its own texts are not seen.
            let is_tool = || are_all(&[Role::StartUp, Role::Migration, Role::Offline]);
            let is_of_tool = size.class == Class::Loaded && unseen.is_any() && is_tool();
            if is_of_tool || size.class == Class::Bounded && is_begun && !is_temporary(table) && !is_seeded {
                unfilled::by_others(own, &unseen, &mut size);
            }
            // What is known to insert says more than that something must, and more than what the table begins with.
            let is_meant = |one: &&unfilled::Unread| one.fills((table, &size), own, is_begun);
            if let Some(one) = unread.get(&table.name.to_lowercase()).filter(is_meant) {
                let text = format!("rows are inserted here, by {}", one.how);
                (size.class, size.bound, size.evidence) =
                    (Class::Growing, None, vec![(Some(one.site), text)]);
            }
            counted::count(database, &mut size);
            configure(config, database, &mut size);
            sizes.push(size);
        }
    }
    sizes
}

fn writings<'a>(
    extraction: &Extraction,
    statements: &'a [Statement],
) -> BTreeMap<(usize, String), Writings<'a>> {
    let mut all: BTreeMap<(usize, String), Writings<'a>> = BTreeMap::new();
    for statement in statements {
        let (Some(database), Some(explained)) = (statement.database(), statement.explained()) else {
            continue;
        };
        let Some(literal) = extraction.literals.get(statement.literal) else { continue };
        let is_prepared = emptied::is_prepared(extraction, literal);
        for write in explained.writes.iter().filter(|_| literal.role != Role::Test) {
            let own = all.entry((database, write.table.to_lowercase())).or_default();
            let (role, function) = (literal.role, literal.function);
            let writing = Writing { statement, explained, role, function, is_prepared };
            match write.action {
                WriteAction::Insert => own.inserts.push(writing),
                WriteAction::Delete => own.deletes.push(writing),
                WriteAction::Update(_) => own.updates.push(writing),
            }
        }
    }
    all
}

fn infer(database: usize, table: &Table, objects: &Objects, own: &Writings<'_>) -> TableSize {
    let size = |class, bound, evidence| TableSize {
        database,
        table: table.name.clone(),
        class,
        bound,
        rows: None,
        is_said: false,
        is_counted: false,
        is_configured: false,
        has_unread: false,
        evidence,
    };
    let here = |writing: &Writing<'_>, text: &str| (Some(writing.statement.site), text.to_owned());
    if let Some(values @ 0..=MOST_CHECKED) = checked_keys(table) {
        let class = if values == 1 { Class::Single } else { Class::Bounded };
        let what = if values == 1 { "one value".to_owned() } else { format!("{values} values") };
        return size(class, Some(values), vec![(None, format!("a CHECK lets its key have {what}"))]);
    }
    if is_temporary(table) {
        let text = "it is temporary: what the program puts in for the occasion".to_owned();
        return size(Class::Bounded, Some(1000), vec![(None, text)]);
    }
    let live: Vec<&Writing<'_>> = own.inserts.iter().filter(|one| one.role == Role::Production).collect();
    let Some(first) = live.first() else {
        return unfilled::without_inserts(own, unfilled::random_key(table, objects), size);
    };
    if live.iter().all(|one| literal::has_key(one.statement.text.as_str(), table, objects)) {
        return size(
            Class::Bounded,
            Some(live.len() as u64),
            vec![here(first, "each row has a key that is written in the program")],
        );
    }
    if let Some(delete) = own.deletes.iter().find(|delete| emptied::before(delete, &live, table)) {
        return size(Class::Bounded, Some(1000), vec![here(delete, "emptied before it is filled again")]);
    }
    if is_single_by_use(table, objects, own, &live) {
        return size(
            Class::Single,
            Some(1),
            vec![here(first, "its one row is read and changed without a WHERE")],
        );
    }
    if let Some((rows, kept)) = capped::cap(table, objects, own) {
        return size(Class::Bounded, Some(rows), vec![kept]);
    }
    let mut evidence: Vec<_> = live.iter().take(3).map(|one| here(one, "rows are inserted here")).collect();
    let deletes: Vec<&Writing<'_>> =
        own.deletes.iter().filter(|one| !matches!(one.role, Role::Migration | Role::Dead)).collect();
    if deletes.is_empty() {
        evidence.push((None, "no statement deletes from it".to_owned()));
        return size(Class::Growing, None, evidence);
    }
    evidence
        .extend(deletes.iter().take(2).map(|one| here(one, "rows are deleted here, which proves no bound")));
    size(Class::Churning, None, evidence)
}

fn is_temporary(table: &Table) -> bool {
    table.schema.eq_ignore_ascii_case("temp")
}

/// The most values of a key that make a table a small one.
const MOST_CHECKED: u64 = 1000;

/// How many values a CHECK lets the key of a table have: `CHECK (id = 1)`, `CHECK (id IN (1, 2))`, `CHECK (id BETWEEN 1 AND 4)`.
fn checked_keys(table: &Table) -> Option<u64> {
    let mut keys = table.columns.iter().filter(|column| column.primary_key > 0);
    let (Some(key), None) = (keys.next(), keys.next()) else { return None };
    let (key, words) = (key.name.to_lowercase(), words(&table.sql));
    let number = |word: &String| word.parse::<i64>().ok();
    words.windows(3).enumerate().find_map(|(at, window)| {
        let [check, open, column] = window else { return None };
        if check != "check" || open != "(" || *column != key {
            return None;
        }
        let rest: Vec<&String> = words.iter().skip(at + 3).collect();
        match rest.iter().map(|word| word.as_str()).collect::<Vec<_>>()[..] {
            ["=", _, ")", ..] => number(rest.get(1)?).map(|_| 1),
            ["=", "=", _, ")", ..] => number(rest.get(2)?).map(|_| 1),
            ["between", _, "and", _, ")", ..] => {
                let (first, last) = (number(rest.get(1)?)?, number(rest.get(3)?)?);
                u64::try_from(last.checked_sub(first)?.checked_add(1)?).ok()
            }
            ["in", "(", ..] => {
                let end = rest.iter().position(|word| *word == ")")?;
                let closes = rest.get(end + 1).is_some_and(|word| *word == ")");
                let commas = rest.iter().take(end).filter(|word| **word == ",").count();
                // A subquery has a bracket of its own.
                let is_list = !rest.iter().take(end).any(|word| *word == "select");
                (closes && is_list).then_some(commas as u64 + 1)
            }
            _ => None,
        }
    })
}

/// Words and signs of a text in lower case: coarse, for patterns of a few tokens.
fn words(sql: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for character in sql.chars() {
        let part = character.is_alphanumeric() || character == '_';
        if part {
            match words.last_mut().filter(|_| open) {
                Some(word) => word.extend(character.to_lowercase()),
                None => words.push(character.to_lowercase().collect()),
            }
        } else if !character.is_whitespace() && !"\"`[]".contains(character) {
            words.push(character.to_string());
        }
        open = part;
    }
    words
}

/// The columns and the values of `INSERT INTO t (a, b) VALUES (1, ?)`.
fn insert_lists(sql: &str, table: &Table) -> Option<(Vec<String>, Vec<String>)> {
    let lower = sql.to_ascii_lowercase();
    let at = lower.find("values")?;
    let (head, tail) = (sql.get(..at)?, sql.get(at + 6..)?);
    let columns: Vec<String> = match head.split_once('(') {
        Some((_, list)) => list
            .split(')')
            .next()?
            .split(',')
            .map(|name| name.trim().trim_matches(['"', '`', '[', ']']).to_owned())
            .collect(),
        None => {
            table.columns.iter().filter(|column| !column.hidden).map(|column| column.name.clone()).collect()
        }
    };
    let list = tail.trim_start().strip_prefix('(')?;
    let mut depth = 0_i32;
    let mut values = vec![String::new()];
    for character in list.chars() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => break,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        values.last_mut()?.push(character);
    }
    Some((columns, values))
}

fn has_where(sql: &str) -> bool {
    words(skip_leading(sql)).iter().any(|word| word == "where")
}

/// A table of settings: changed without a WHERE, or named for a version or a configuration and filled in one place.
fn is_single_by_use(table: &Table, objects: &Objects, own: &Writings<'_>, inserts: &[&Writing<'_>]) -> bool {
    let lower = table.name.to_lowercase();
    let last = lower.rsplit('_').next().unwrap_or(&lower);
    let settings = matches!(last, "version" | "config" | "versions" | "metadata" | "meta" | "settings")
        && version(&lower).is_none();
    // What a foreign key changes with its parent is no row that is there alone.
    let is_target = |one: &Writing<'_>| {
        let named = one.statement.names.as_ref().and_then(|names| names.tables.first());
        named.is_none_or(|named| same(&named.name, &table.name))
    };
    let changed_whole = own.updates.iter().any(|one| {
        let is_whole = !has_where(one.statement.text.as_str());
        one.explained.kind == StatementKind::Update && is_whole && is_target(one)
    });
    if table.columns.iter().any(|column| column.primary_key > 1) {
        return false;
    }
    let few_columns = table.columns.len() <= 2;
    let is_parent = || objects.foreign_keys.iter().any(|key| same(&key.parent, &table.name));
    let is_unique = |index: &&IndexObject| index.unique && index.filter.is_none();
    let has_two_keys = || {
        let unique = objects.indexes_of(&table.schema, &table.name).filter(is_unique).count();
        unique + usize::from(table.rowid_alias().is_some()) > 1
    };
    // Who keeps one version refers to none, and finds none by a second key.
    let is_version = || few_columns && lower.contains("version") && !is_parent() && !has_two_keys();
    inserts.len() == 1 && settings && (changed_whole || is_version())
}

/// What the configuration says of a table.
fn configure(config: &Config, database: &Database, size: &mut TableSize) {
    let Some(settings) = database.declaration.config.and_then(|index| config.databases.get(index)) else {
        return;
    };
    if let Some(&bound) = settings.bounded.get(&size.table.to_lowercase()) {
        (size.class, size.bound) = (if bound <= 1 { Class::Single } else { Class::Bounded }, Some(bound));
    } else if settings.growing.matches(&size.table) {
        size.is_configured = true;
        if matches!(size.class, Class::Growing | Class::Churning) {
            // The program says so as well, and where.
            return;
        }
        (size.class, size.bound) = (Class::Growing, None);
    } else {
        return;
    }
    (size.is_configured, size.is_counted) = (true, false);
    let counted = usize::from(size.rows.is_some());
    size.evidence.truncate(counted);
    size.evidence.push((None, "the configuration says so".to_owned()));
}
