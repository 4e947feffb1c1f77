//! refinery: files named as Flyway names them, of SQL or of Rust with a function that returns it.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "refinery",
    words: &["refinery::", "refinery_core"],
    opts_out: |comment| comment == "+refinery no transaction",
    own_tables: &[(
        "refinery_schema_history",
        "CREATE TABLE refinery_schema_history (version INT4 PRIMARY KEY, name VARCHAR(255), applied_on \
         VARCHAR(255), checksum VARCHAR(255))",
    )],
    ..PLAIN
};
