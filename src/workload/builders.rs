//! The libraries by which a program builds queries without writing their text. Told by the words of imports, at the head of
//! a source; which of its queries go that way is not known.

use crate::{
    extract,
    source::{Site, Source, SourceId, Sources},
};
use memchr::memmem::Finder;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, sync::LazyLock};

/// A library: its name, and what an import says.
type Library = (&'static str, &'static str);

/// Endings of file names, and the libraries of that language.
const LIBRARIES: [(&[&str], &[Library]); 9] = [
    (
        &["go"],
        &[
            ("squirrel", "Masterminds/squirrel"),
            ("goqu", "doug-martin/goqu"),
            ("go-sqlbuilder", "huandu/go-sqlbuilder"),
            ("dbx", "pocketbase/dbx"),
            ("GORM", "gorm.io/gorm"),
            ("GORM", "jinzhu/gorm"),
            ("xorm", "xorm.io/"),
            ("bun", "uptrace/bun"),
            ("ent", "entgo.io/ent"),
            ("SQLBoiler", "sqlboiler/"),
        ],
    ),
    (
        &["rs"],
        &[
            ("SeaQuery", "sea_query::"),
            ("SeaORM", "sea_orm::"),
            ("sql-builder", "sql_builder::"),
            ("Diesel", "use diesel::"),
        ],
    ),
    (
        &["py"],
        &[
            ("SQLAlchemy", "sqlalchemy"),
            ("Peewee", "peewee"),
            ("Django", "from django.db"),
            ("Tortoise", "from tortoise"),
            ("SQLModel", "from sqlmodel"),
            ("Pony", "pony.orm"),
        ],
    ),
    (
        &["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"],
        &[
            ("Knex", "\"knex\""),
            ("Knex", "'knex'"),
            ("Kysely", "kysely"),
            ("Drizzle", "drizzle-orm"),
            ("TypeORM", "typeorm"),
            ("Sequelize", "sequelize"),
            ("Prisma", "@prisma/client"),
            ("MikroORM", "@mikro-orm"),
            ("RedBean", "redbean-node"),
        ],
    ),
    (
        &["java", "kt", "kts"],
        &[
            ("jOOQ", "org.jooq"),
            ("Exposed", "org.jetbrains.exposed"),
            ("JPA", "javax.persistence"),
            ("JPA", "jakarta.persistence"),
        ],
    ),
    (
        &["cs"],
        &[
            ("Entity Framework", "EntityFrameworkCore"),
            ("LinqToDB", "LinqToDB"),
            ("SqlKata", "SqlKata"),
            ("Dapper's SqlBuilder", "Dapper.SqlBuilder"),
        ],
    ),
    (
        &["rb"],
        &[
            ("Active Record", "ActiveRecord::"),
            ("Active Record", "< ApplicationRecord"),
            ("Sequel", "Sequel."),
        ],
    ),
    (
        &["php"],
        &[
            ("Eloquent", "Illuminate\\Database"),
            ("Doctrine", "Doctrine\\"),
            ("PicoDb", "PicoDb\\"),
            ("LessQL", "LessQL\\"),
        ],
    ),
    (
        &["swift", "dart"],
        &[("SQLite.swift", "import SQLite\n"), ("GRDB", "import GRDB"), ("Drift", "package:drift")],
    ),
];

/// What stands in front of the name of a table that rows are put in.
const INSERTS: [(&str, &str); 4] = [
    ("Diesel", "insert_into("),
    ("Diesel", "replace_into("),
    ("Kysely", "insertInto("),
    ("jOOQ", "insertInto("),
];

/// Whether it is seen which tables a library puts rows in.
pub fn is_read(library: &str) -> bool {
    INSERTS.iter().any(|(name, _)| *name == library)
}

/// How many bytes of a source are looked at: imports come first.
const HEAD: usize = 4_000;

/// Each place at which a source of the program names a query builder that it uses.
pub fn query_builders(sources: &Sources) -> Vec<(&'static str, Site)> {
    let of = |(id, source): (SourceId, &Source)| {
        let libraries = of_path(&source.path).filter(|_| !extract::is_test_code(&source.path));
        let named = |text: &str| -> Vec<(&'static str, Site)> {
            let head = text.as_bytes();
            let head = head.get(..HEAD).unwrap_or(head);
            let at =
                |(name, word): &(&'static str, Finder<'_>)| Some((*name, Site::at(id, word.find(head)?)));
            libraries.unwrap_or_default().iter().filter_map(at).collect()
        };
        if libraries.is_some() { source.peek(named) } else { Vec::new() }
    };
    sources.par_iter().flat_map_iter(of).collect()
}

/// The tables that query builders put rows in, by names in lower case, each with the first place that does, and the library.
pub fn built_inserts(
    sources: &Sources,
    uses: &[(&'static str, Site)],
) -> BTreeMap<String, (Site, &'static str)> {
    let mut found = BTreeMap::new();
    for &(library, used) in uses {
        for (_, call) in INSERTS.iter().filter(|(name, _)| *name == library) {
            let named = |text: &str| -> Vec<(String, Site)> {
                let end = text.find("\n#[cfg(test)]\nmod ").unwrap_or(text.len());
                let calls = text.get(..end).unwrap_or("").match_indices(call);
                let table = |(at, _): (usize, &str)| Some((table(text.get(at + call.len()..)?)?, at));
                calls.filter_map(table).map(|(name, at)| (name, Site::at(used.source, at))).collect()
            };
            let tables = sources.get(used.source).map(|source| source.peek(named)).unwrap_or_default();
            for (name, site) in tables {
                found.entry(name).or_insert((site, library));
            }
        }
    }
    found
}

/// The table that an argument names: `schema::parcels::table`, `'parcels'`, `parcels`.
fn table(argument: &str) -> Option<String> {
    let argument = argument.trim_start().trim_start_matches(['"', '\'', '`']);
    let end = argument.find(|one: char| !(one.is_alphanumeric() || "_:.".contains(one)))?;
    let mut parts = argument.get(..end)?.rsplit([':', '.']).filter(|part| !part.is_empty());
    let last = parts.next()?;
    let name = if last == "table" { parts.next()? } else { last };
    Some(name.to_lowercase())
}

/// The query builders that are used, each with the first place that names it.
pub fn first_uses(uses: &[(&'static str, Site)]) -> Vec<(&'static str, Site)> {
    let mut first: BTreeMap<&str, Site> = BTreeMap::new();
    for (name, site) in uses {
        first.entry(name).or_insert(*site);
    }
    first.into_iter().collect()
}

fn of_path(path: &str) -> Option<&'static [(&'static str, Finder<'static>)]> {
    type Ready = FxHashMap<&'static str, Vec<(&'static str, Finder<'static>)>>;
    static READY: LazyLock<Ready> = LazyLock::new(|| {
        let ready = |(name, word): &Library| (*name, Finder::new(*word));
        let of = |(endings, libraries): &(&'static [&'static str], &'static [Library])| {
            let libraries: Vec<_> = libraries.iter().map(ready).collect();
            endings.iter().map(move |ending| (*ending, libraries.clone())).collect::<Vec<_>>()
        };
        LIBRARIES.iter().flat_map(of).collect()
    });
    READY.get(path.rsplit_once('.')?.1).map(Vec::as_slice)
}
