//! SQL files: migrations, and catalogues of queries. Nothing in them is lexed here; SQLite splits them.

use super::Language;

/// SQL.
pub const SQL: Language = Language {
    name: "SQL",
    extensions: &["sql"],
    strings: &[],
    line_comments: &["--"],
    block_comment: None,
    ticks: false,
    indented: false,
    breaks: false,
    adjacent: false,
    percent_operator: false,
    suffix_if: false,
    function: "",
    loops: &[],
    loop_methods: &[],
    declares: &[],
    keywords: &[],
    formats: &[],
    concatenates: &[],
    identities: &[],
    sinks: &[],
    test_paths: &[],
    test_functions: &[],
    is_sql: true,
};
