//! The same names with other values.

pub const TABLE: &str = "far";
pub const FAR_QUERY: &str = "SELECT id FROM far";
