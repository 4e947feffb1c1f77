//! dbutil of mautrix: files of SQL that begin with the versions between which they lead.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "dbutil",
    words: &["go.mau.fi/util/dbutil", "mautrix/util/dbutil"],
    opts_out: |comment| comment == "transaction: off",
    ..PLAIN
};
