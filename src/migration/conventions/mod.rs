//! The conventions by which programs declare their schemas, one in each file. This list is written by
//! `src/build.rs`, from the files.

use super::convention::Convention;

mod alembic;
mod bun;
mod dbmate;
mod dbutil;
mod dialect_folders;
mod diesel;
mod django;
mod drizzle;
mod entity_framework;
mod fluent_migrator;
mod flyway;
mod golang_migrate;
mod goose;
mod grdb;
mod if_not_exists;
mod knex;
mod liquibase;
mod numbered_folders;
mod open_helper;
mod ordered_arrays;
mod prisma;
mod rails;
mod refinery;
mod registered_steps;
mod room;
mod rusqlite_migration;
mod schemerz;
mod snapshots;
mod sql_migrate;
mod sqldelight;
mod sqlx;
mod tern;
mod typeorm;
mod version_folders;
mod version_ladders;
mod wrangler;
mod yoyo;

/// All conventions.
pub(super) static ALL: &[Convention] = &[
    alembic::CONVENTION,
    bun::CONVENTION,
    dbmate::CONVENTION,
    dbutil::CONVENTION,
    dialect_folders::CONVENTION,
    diesel::CONVENTION,
    django::CONVENTION,
    drizzle::CONVENTION,
    entity_framework::CONVENTION,
    fluent_migrator::CONVENTION,
    flyway::CONVENTION,
    golang_migrate::CONVENTION,
    goose::CONVENTION,
    grdb::CONVENTION,
    if_not_exists::CONVENTION,
    knex::CONVENTION,
    liquibase::CONVENTION,
    numbered_folders::CONVENTION,
    open_helper::CONVENTION,
    ordered_arrays::CONVENTION,
    prisma::CONVENTION,
    rails::CONVENTION,
    refinery::CONVENTION,
    registered_steps::CONVENTION,
    room::CONVENTION,
    rusqlite_migration::CONVENTION,
    schemerz::CONVENTION,
    snapshots::CONVENTION,
    sql_migrate::CONVENTION,
    sqldelight::CONVENTION,
    sqlx::CONVENTION,
    tern::CONVENTION,
    typeorm::CONVENTION,
    version_folders::CONVENTION,
    version_ladders::CONVENTION,
    wrangler::CONVENTION,
    yoyo::CONVENTION,
];
