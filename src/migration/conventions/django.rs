//! Django: files of Python; of their operations, `RunSQL` is read.

use crate::migration::convention::{Convention, InCode, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Django",
    words: &["from django.db import migrations"],
    in_code: InCode::All,
    without: &[("atomic =", "False")],
    undoes: |levels| {
        levels.iter().any(|level| {
            let is_second = level.index() == 1 && !level.is_given("sql");
            level.calls("RunSQL") && (is_second || level.is_given("reverse_sql"))
        })
    },
    own_tables: &[(
        "django_migrations",
        "CREATE TABLE django_migrations (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, app varchar(255) \
         NOT NULL, name varchar(255) NOT NULL, applied datetime NOT NULL)",
    )],
    ..PLAIN
};
