//! SQL files: migrations, and catalogues of queries. Nothing in them is lexed here; SQLite splits them.

use super::{Language, PLAIN};

/// SQL.
pub const LANGUAGE: Language = Language {
    name: "SQL",
    extensions: &["sql"],
    line_comments: &["--"],
    block_comment: None,
    is_sql: true,
    test_folders: &["stub"],
    ..PLAIN
};
