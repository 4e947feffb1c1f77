//! How tables grow, and what that does to the cost of a statement.

pub mod size;
