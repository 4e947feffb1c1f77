//! One statement in the place of several: an INSERT that finds out by itself whether its key is there, and a walk from row to
//! row by WITH RECURSIVE. Each is given only if SQLite accepts it on the schema, the one with its unique key, the other with
//! a search for each step. Whether the program does what they would is for the rules.

use super::{
    either::flatten,
    subject::same,
    whole::Single,
    words::{self, line_of},
};
use crate::{
    extract::names::{
        Clause,
        expressions::{Expression, Form, conditions},
    },
    plan::{Op, Plan},
    schema::{
        Objects, StatementKind, Table, TableKind,
        replan::Workshop,
        tokens::{Kind, Token, Tokens},
    },
    workload::{Database, Statement},
};

/// A statement in the place of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instead {
    /// The statement in whose place it stands, by its place among all.
    pub statement: usize,
    /// What it is: `upsert` or `walk`.
    pub kind: &'static str,
    /// The table.
    pub table: String,
    /// The columns of the key, in the order of the table's.
    pub key: Vec<String>,
    /// Its text.
    pub text: String,
    /// Its plan, a line for each row.
    pub plan: Vec<String>,
    /// The row of the plan by which a walk goes on.
    pub step: Option<String>,
}

/// What can stand in the place of the statements of all databases.
pub fn instead(databases: &mut [Database], statements: &[Statement]) -> Vec<Instead> {
    let mut found = Vec::new();
    for (index, database) in databases.iter_mut().enumerate() {
        let objects = &database.variant.objects;
        let Ok(mut workshop) = database.variant.live.workshop() else { continue };
        let own = statements.iter().enumerate().filter(|(_, one)| one.database() == Some(index));
        for (at, one) in own.filter(|(_, one)| one.holes == 0) {
            let Some(explained) = one.explained() else { continue };
            let text = one.text.as_str();
            match explained.kind {
                StatementKind::Insert => {
                    let tables = explained.writes.iter().filter_map(|write| ordinary(objects, &write.table));
                    let upserts =
                        tables.take(1).flat_map(|table| upserts(table, objects, text, &mut workshop));
                    found.extend(upserts.map(|one| Instead { statement: at, ..one }));
                }
                StatementKind::Select => {
                    let [step] = explained.plan.steps.as_slice() else { continue };
                    let table = step.table.as_deref().and_then(|name| ordinary(objects, name));
                    let walk = table.and_then(|table| walk(table, text, &mut workshop));
                    found.extend(walk.map(|one| Instead { statement: at, ..one }));
                }
                _ => {}
            }
        }
    }
    found
}

fn ordinary<'a>(objects: &'a Objects, name: &str) -> Option<&'a Table> {
    let is = |table: &&Table| {
        same(&table.name, name) && table.kind == TableKind::Ordinary && table.schema == "main"
    };
    objects.tables.iter().find(is)
}

/// An INSERT of given values with ON CONFLICT, for each key that keeps the table's rows apart.
fn upserts(table: &Table, objects: &Objects, sql: &str, workshop: &mut Workshop<'_>) -> Vec<Instead> {
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let has = |word: &str| tokens.iter().any(|token| token.is(word));
    if !has("VALUES") || ["SELECT", "CONFLICT", "OR", "RETURNING"].iter().any(|word| has(word)) {
        return Vec::new();
    }
    let sql = line_of(sql.trim_end_matches(|one: char| one == ';' || one.is_whitespace()));
    let mut found = Vec::new();
    for key in keys(table, objects) {
        let columns: Vec<String> = key.iter().map(|column| words::name(column)).collect();
        let text = format!("{sql} ON CONFLICT ({}) DO NOTHING", columns.join(", "));
        found.extend(workshop.plan(&text).map(|plan| Instead {
            statement: 0,
            kind: "upsert",
            table: table.name.clone(),
            key,
            text,
            plan: plan.lines(),
            step: None,
        }));
    }
    found
}

/// The columns of the primary key and of each unique index that holds all rows.
fn keys(table: &Table, objects: &Objects) -> Vec<Vec<String>> {
    let named = |is_key: &dyn Fn(&str) -> bool| -> Vec<String> {
        let own = table.columns.iter().filter(|column| is_key(&column.name));
        own.map(|column| column.name.clone()).collect()
    };
    let primary = |name: &str| table.columns.iter().any(|one| one.primary_key > 0 && one.name == name);
    let mut found = vec![named(&primary)];
    for index in objects.indexes_of(&table.schema, &table.name) {
        let own = || index.columns.iter().filter(|column| column.key);
        let is_plain = index.unique && index.filter.is_none() && own().all(|column| column.name.is_some());
        let is_key = |name: &str| own().any(|one| one.name.as_deref().is_some_and(|own| same(own, name)));
        if is_plain {
            found.push(named(&is_key));
        }
    }
    found.retain(|key| !key.is_empty());
    found.dedup();
    found
}

/// A walk along the column that a SELECT by a key returns: the one that can be such a key.
fn walk(table: &Table, sql: &str, workshop: &mut Workshop<'_>) -> Option<Instead> {
    let single = Single::read(sql)?;
    let read = conditions(sql);
    let [condition] = read.as_slice() else { return None };
    let key = sought(&condition.expression).filter(|_| condition.clause == Clause::Where)?;
    let column = |name: &str| table.columns.iter().find(|column| same(&column.name, name));
    let key = column(&key)?;
    let leads = |name: &String| {
        column(name).is_some_and(|one| {
            one.affinity == key.affinity
                && same(&one.declared_type, &key.declared_type)
                && one.name != key.name
        })
    };
    let listed = single.listed()?;
    let mut leading = listed.iter().filter(|name| leads(name));
    let next = leading.next()?;
    if leading.next().is_some() || (listed.len() > 1 && listed.iter().any(|name| column(name).is_none())) {
        return None;
    }
    let (own, key_name, next_name) = (words::name(&table.name), words::name(&key.name), words::name(next));
    let text = format!(
        "WITH RECURSIVE walk(at) AS (SELECT {next_name} FROM {own} WHERE {key_name} = ? UNION SELECT {own}.{next_name} \
         FROM walk JOIN {own} ON {own}.{key_name} = walk.at) SELECT at FROM walk"
    );
    let plan = workshop.plan(&text)?;
    let step = Some(searched(&plan, &table.name)?);
    let (table, key) = (table.name.clone(), vec![key.name.clone()]);
    Some(Instead { statement: 0, kind: "walk", table, key, text, plan: plan.lines(), step })
}

/// The column that is compared with a parameter, and nothing else is.
fn sought(of: &Expression) -> Option<String> {
    let mut parts = Vec::new();
    flatten(of, "AND", &mut parts);
    let [one] = parts.as_slice() else { return None };
    match &one.form {
        Form::Binary(sign, left, right) if sign == "=" => match (&left.form, &right.form) {
            (Form::Column { name, .. }, Form::Parameter) | (Form::Parameter, Form::Column { name, .. }) => {
                Some(name.clone())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The last step that reads the table, if each of them finds its row by one value.
fn searched(plan: &Plan, table: &str) -> Option<String> {
    let of_table = |name: &Option<String>| name.as_deref().is_some_and(|name| same(name, table));
    let own = || plan.steps.iter().filter(|step| of_table(&step.name));
    let is_search = own().all(|step| step.op == Op::Search && step.equalities() > 0);
    own().next_back().filter(|_| is_search).map(|step| step.detail.clone())
}

impl Single<'_> {
    /// The columns that it returns; `None` where something else stands there.
    fn listed(&self) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for one in self.returned() {
            let name = match one {
                [name] => name,
                [_, dot, name] if dot.is_sign('.') => name,
                _ => return None,
            };
            let is_name = matches!(name.kind, Kind::Word | Kind::Quoted);
            names.push(is_name.then(|| name.name())?);
        }
        Some(names)
    }
}
