//! SQLDelight: .sq files hold the schema as it is, and the queries under their names; .sqm files lead from one version
//! to the next.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "SQLDelight",
    ..PLAIN
};
