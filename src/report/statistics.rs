//! What a report says of a database in the field whose statistics it goes by.

/// Statistics of a database in the field, which sizes and plans are told by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatisticsSummary {
    /// The file; empty where it is the database itself.
    pub path: String,
    /// The day of which they are.
    pub date: String,
    /// How many tables are in them.
    pub tables: u32,
    /// Whether ANALYZE was run there, so that statements are planned with what it found.
    pub is_analyzed: bool,
}
