//! Liquibase: files of SQL with changesets; what undoes one stands in comments.

use crate::migration::convention::{Convention, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention =
    Convention { name: "Liquibase", mark: Some("liquibase formatted sql"), ..PLAIN };
