//! How two schemas of one database differ: by what is there, never by how it is named. A UNIQUE constraint is its index,
//! and a text is compared without white space, comments and the case of its words.

use super::{Column, ForeignKey, Generated, IndexObject, Objects, Origin, Table};
use crate::extract::sql;
use std::collections::BTreeMap;

/// A difference between two schemas.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// `table`, `column`, `index`, `foreign_key`, `trigger` or `view`.
    pub kind: &'static str,
    /// The table that it is about.
    pub table: String,
    /// The name of what differs.
    pub object: String,
    /// Which of its properties does; `exists` for the thing itself.
    pub property: &'static str,
    /// What it is in the first schema; `None` where it is not there.
    pub here: Option<String>,
    /// What it is in the second.
    pub there: Option<String>,
}

/// What the first schema has and the second has not, and the reverse, and what is not the same. Of attached and
/// temporary schemas nothing is said.
pub fn differences(here: &Objects, there: &Objects) -> Vec<Difference> {
    let mut found = Vec::new();
    let (one, other) = (tables(here), tables(there));
    for (name, table) in &one {
        match other.get(name) {
            None => found.push(existence("table", table, &table.name, Some(String::new()), None)),
            Some(then) => compare_tables(table, then, &mut found),
        }
    }
    for (_, table) in other.iter().filter(|(name, _)| !one.contains_key(*name)) {
        found.push(existence("table", table, &table.name, None, Some(String::new())));
    }
    let shared =
        |name: &str| one.contains_key(&name.to_lowercase()) && other.contains_key(&name.to_lowercase());
    compare(&mut found, "index", &indexes(here, &shared), &indexes(there, &shared));
    compare(&mut found, "foreign_key", &keys(here, &shared), &keys(there, &shared));
    compare(&mut found, "trigger", &triggers(here, &shared), &triggers(there, &shared));
    compare(&mut found, "view", &views(here), &views(there));
    found.sort();
    found.dedup();
    found
}

fn existence(
    kind: &'static str,
    table: &Table,
    object: &str,
    here: Option<String>,
    there: Option<String>,
) -> Difference {
    Difference { kind, table: table.name.clone(), object: object.to_owned(), property: "exists", here, there }
}

/// The program's own tables, by their names in lower case.
fn tables(objects: &Objects) -> BTreeMap<String, &Table> {
    let own = |table: &&Table| table.schema == "main" && !table.is_made();
    objects.tables.iter().filter(own).map(|table| (table.name.to_lowercase(), table)).collect()
}

fn compare_tables(here: &Table, there: &Table, found: &mut Vec<Difference>) {
    let mut say = |property, one: String, other: String| {
        if one != other {
            found.push(Difference {
                kind: "table",
                table: here.name.clone(),
                object: here.name.clone(),
                property,
                here: Some(one),
                there: Some(other),
            });
        }
    };
    say("strict", here.strict.to_string(), there.strict.to_string());
    say("without_rowid", here.without_rowid.to_string(), there.without_rowid.to_string());
    let key = |table: &Table| {
        let mut columns: Vec<&Column> = table.columns.iter().filter(|one| one.primary_key > 0).collect();
        columns.sort_by_key(|one| one.primary_key);
        columns.iter().map(|one| one.name.to_lowercase()).collect::<Vec<_>>().join(", ")
    };
    say("primary_key", key(here), key(there));
    let column = |table: &Table, name: &str| {
        table.columns.iter().find(|one| one.name.eq_ignore_ascii_case(name)).cloned()
    };
    let shared = |of: &Table, with: &Table| {
        let names = of.columns.iter().filter(|one| column(with, &one.name).is_some());
        names.map(|one| one.name.to_lowercase()).collect::<Vec<_>>().join(", ")
    };
    let alias = |table: &Table| table.rowid_alias().map_or_else(String::new, |one| one.name.to_lowercase());
    say("rowid_alias", alias(here), alias(there));
    say("column_order", shared(here, there), shared(there, here));
    for one in &here.columns {
        match column(there, &one.name) {
            None => found.push(existence("column", here, &one.name, Some(written(one)), None)),
            Some(other) => compare_columns(here, one, &other, found),
        }
    }
    for other in there.columns.iter().filter(|other| column(here, &other.name).is_none()) {
        found.push(existence("column", here, &other.name, None, Some(written(other))));
    }
}

/// How a property of a column is read.
type Property = fn(&Column) -> Option<String>;

fn compare_columns(table: &Table, here: &Column, there: &Column, found: &mut Vec<Difference>) {
    let properties: [(&'static str, Property); 6] = [
        ("affinity", |one| Some(format!("{:?}", one.affinity).to_uppercase())),
        ("not_null", |one| Some(one.not_null.to_string())),
        ("default", |one| one.default.as_deref().map(plain)),
        ("collation", |one| Some(one.collation.to_uppercase())),
        ("generated", |one| {
            (one.generated != Generated::No).then(|| format!("{:?}", one.generated).to_lowercase())
        }),
        ("hidden", |one| Some(one.hidden.to_string())),
    ];
    for (property, of) in properties {
        let (one, other) = (of(here), of(there));
        if one != other {
            found.push(Difference {
                kind: "column",
                table: table.name.clone(),
                object: here.name.clone(),
                property,
                here: one,
                there: other,
            });
        }
    }
}

/// A column as it is declared.
fn written(column: &Column) -> String {
    let not_null = if column.not_null { " NOT NULL" } else { "" };
    let default = column.default.as_ref().map_or_else(String::new, |value| format!(" DEFAULT {value}"));
    format!("{}{not_null}{default}", column.declared_type).trim().to_owned()
}

/// A text without what makes no difference, parentheses around all of it among that.
fn plain(text: &str) -> String {
    let mut text = sql::key(text);
    while let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        text = inner.trim().to_owned();
    }
    text
}

/// Objects by what they are: the table, the name, and what is shown of them.
type Shapes = BTreeMap<String, (String, String, String)>;

fn compare(found: &mut Vec<Difference>, kind: &'static str, here: &Shapes, there: &Shapes) {
    let mut say = |(table, object, shown): &(String, String, String), is_here: bool| {
        found.push(Difference {
            kind,
            table: table.clone(),
            object: object.clone(),
            property: "exists",
            here: is_here.then(|| shown.clone()),
            there: (!is_here).then(|| shown.clone()),
        });
    };
    for (_, one) in here.iter().filter(|(shape, _)| !there.contains_key(*shape)) {
        say(one, true);
    }
    for (_, other) in there.iter().filter(|(shape, _)| !here.contains_key(*shape)) {
        say(other, false);
    }
}

fn indexes(objects: &Objects, shared: &dyn Fn(&str) -> bool) -> Shapes {
    let own = |index: &&IndexObject| {
        // A primary key is a property of its table.
        index.schema == "main" && index.origin != Origin::PrimaryKey && shared(&index.table)
    };
    objects.indexes.iter().filter(own).map(|index| (shape(index), named(index))).collect()
}

/// An index without its name: two of one shape serve, and forbid, the same.
fn shape(index: &IndexObject) -> String {
    let columns = index.columns.iter().filter(|column| column.key).map(|column| {
        let term = column.name.as_ref().map(|name| name.to_lowercase());
        let term = term.or_else(|| column.expression.as_deref().map(plain)).unwrap_or_default();
        format!("{term} {} {}", column.descending, column.collation.to_uppercase())
    });
    let columns = columns.collect::<Vec<_>>().join(", ");
    let filter = index.filter.as_deref().map(plain);
    format!("{} {} {columns} {filter:?}", index.table.to_lowercase(), index.unique)
}

fn named(index: &IndexObject) -> (String, String, String) {
    let columns: Vec<&str> = index
        .columns
        .iter()
        .filter(|column| column.key)
        .map(|column| column.name.as_deref().or(column.expression.as_deref()).unwrap_or("rowid"))
        .collect();
    let unique = if index.unique { "UNIQUE " } else { "" };
    let shown = index.sql.clone().unwrap_or_else(|| format!("{unique}({})", columns.join(", ")));
    (index.table.clone(), index.name.clone(), shown)
}

fn keys(objects: &Objects, shared: &dyn Fn(&str) -> bool) -> Shapes {
    let own = |key: &&ForeignKey| key.schema == "main" && shared(&key.table);
    let read = |key: &ForeignKey| {
        let columns = |of: fn(&(String, Option<String>)) -> String| {
            key.columns.iter().map(of).collect::<Vec<_>>().join(", ")
        };
        let children = columns(|(child, _)| child.to_lowercase());
        let parents = columns(|(_, parent)| parent.clone().unwrap_or_default().to_lowercase());
        let shape = format!(
            "{} {children} {} {parents} {} {}",
            key.table.to_lowercase(),
            key.parent.to_lowercase(),
            key.on_update,
            key.on_delete
        );
        let shown = format!("({children}) REFERENCES {} ({parents})", key.parent);
        (shape, (key.table.clone(), children, shown))
    };
    objects.foreign_keys.iter().filter(own).map(read).collect()
}

fn triggers(objects: &Objects, shared: &dyn Fn(&str) -> bool) -> Shapes {
    let own = objects.triggers.iter().filter(|one| one.schema == "main" && shared(&one.table));
    own.map(|one| (body(&one.sql, &one.name), (one.table.clone(), one.name.clone(), one.sql.clone())))
        .collect()
}

fn views(objects: &Objects) -> Shapes {
    let own = objects.views.iter().filter(|one| one.schema == "main");
    own.map(|one| {
        (
            format!("{} {}", one.name.to_lowercase(), body(&one.sql, &one.name)),
            (one.name.clone(), one.name.clone(), one.sql.clone()),
        )
    })
    .collect()
}

/// The text of a trigger or a view behind its name, without quotes around names and without white space; strings as they are.
fn body(text: &str, name: &str) -> String {
    let key = sql::key(text);
    let mut plain = String::with_capacity(key.len());
    let mut in_string = false;
    for one in key.chars() {
        in_string ^= one == '\'';
        if in_string || !(one.is_whitespace() || matches!(one, '"' | '`' | '[' | ']')) {
            plain.push(one);
        }
    }
    let name = name.to_lowercase();
    let behind = plain.find(&name).map(|at| at + name.len());
    behind.and_then(|at| plain.get(at..)).unwrap_or(&plain).to_owned()
}
