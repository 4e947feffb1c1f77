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
