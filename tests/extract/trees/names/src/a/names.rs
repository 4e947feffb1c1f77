//! Names for others.

pub const TABLE: &str = "near";
pub(crate) const NEAR_QUERY: &str = "SELECT id FROM near WHERE id = ?1";
pub const fragment: &str = "WHERE small = 1";

impl Schema {
    pub const COLUMNS: &'static str = "id, at";
}
