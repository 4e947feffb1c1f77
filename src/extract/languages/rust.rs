//! Rust.

use super::{
    BlockComment, Escapes, FormatCall, FormatStyle, ImportForm, Joining, Language, PLAIN, SinkKind,
    StringForm,
};

const fn form(prefix: &'static str, hashes: bool, bytes: bool) -> StringForm {
    let escapes = if hashes { Escapes::None } else { Escapes::SwallowIndent };
    StringForm { escapes, hashes, bytes, ..StringForm::between("\"", "\"") }.behind(prefix).over_lines()
}

const fn format(name: &'static str) -> FormatCall {
    FormatCall { name, style: FormatStyle::Braces, bang: true }
}

/// Rust.
pub const LANGUAGE: Language = Language {
    name: "Rust",
    imports: ImportForm::Paths,
    extensions: &["rs"],
    strings: &[
        form("", false, false),
        form("r", true, false),
        form("b", false, true),
        form("br", true, true),
        form("c", false, false),
        form("cr", true, false),
    ],
    block_comment: Some(BlockComment { open: "/*", close: "*/", nested: true }),
    ticks: true,
    block_values: true,
    function: "fn",
    types: &["impl", "trait"],
    closed: true,
    loops: &["for", "while", "loop"],
    launches: &["spawn"],
    loop_methods: &["for_each", "try_for_each"],
    declares: &["const", "static", "let"],
    keywords: &[
        "if", "while", "for", "match", "return", "in", "as", "let", "loop", "move", "else", "mut", "ref",
        "where",
    ],
    formats: &[
        format("format"),
        format("formatcp"),
        format("format_args"),
        format("write"),
        format("writeln"),
        format("const_format"),
    ],
    concatenates: &["concat", "concatcp", "indoc", "concat_str"],
    quotes_sql: &["sql"],
    appends: &["push_str"],
    writes: &["write", "writeln"],
    pushes: &["push"],
    builders: &["QueryBuilder"],
    joinings: &[Joining::of_list("join")],
    identities: &[
        "to_string",
        "to_owned",
        "into",
        "as_str",
        "clone",
        "as_ref",
        "trim",
        "trim_start",
        "trim_end",
        "from",
        "new",
        "with_arguments",
        "to_vec",
        "iter",
        "into_boxed_str",
        "AssertSqlSafe",
    ],
    first_rows: &["query_row", "query_row_and_then"],
    sinks: &[
        ("execute", SinkKind::RefusesMore),
        ("execute_batch", SinkKind::RunsMany),
        ("query_row", SinkKind::RunsOne),
        ("query_row_and_then", SinkKind::RunsOne),
        ("query_one", SinkKind::RunsOne),
        ("prepare", SinkKind::RunsOne),
        ("prepare_cached", SinkKind::RunsOne),
        ("prepare_with_flags", SinkKind::RunsOne),
        ("query", SinkKind::RunsMany),
        ("query_as", SinkKind::RunsMany),
        ("query_scalar", SinkKind::RunsMany),
        ("query_map", SinkKind::RefusesMore),
        ("query_with", SinkKind::RunsMany),
        ("query_as_with", SinkKind::RunsMany),
        ("raw_sql", SinkKind::RunsMany),
        ("sql_query", SinkKind::RunsOne),
        ("batch_execute", SinkKind::RunsMany),
        ("execute_unprepared", SinkKind::RunsMany),
        ("up", SinkKind::RunsMany),
    ],
    test_paths: &["tests", "test", "*_test", "*_tests", "test_*", "testing"],
    ..PLAIN
};
