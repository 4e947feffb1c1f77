//! Swift.

use super::{ImportForm, Joining, Language, Marks, PLAIN, SinkKind, StringForm};

const MARKS: Marks = Marks { open: &["\\("], names: false, doubled: false };
const RAW_MARKS: Marks = Marks { open: &["\\#("], names: false, doubled: false };

/// Swift.
pub const LANGUAGE: Language = Language {
    name: "Swift",
    extensions: &["swift"],
    imports: ImportForm::Whole,
    strings: &[
        StringForm::between("#\"\"\"", "\"\"\"#").over_lines().with(RAW_MARKS),
        StringForm::between("#\"", "\"#").with(RAW_MARKS),
        StringForm::escaped("\"\"\"").over_lines().with(MARKS),
        StringForm::escaped("\"").with(MARKS),
    ],
    breaks: true,
    ternary: true,
    function: "func",
    implicit_self: true,
    types: &["class", "struct", "enum", "extension", "protocol", "actor"],
    loops: &["for", "while", "repeat"],
    loop_methods: &["forEach", "map", "flatMap", "compactMap"],
    declares: &["let", "var"],
    variadic: "...",
    keywords: &[
        "if", "for", "while", "switch", "catch", "return", "guard", "in", "is", "as", "try", "await",
        "throw", "else", "repeat", "where", "init", "super",
    ],
    appends: &["append"],
    joinings: &[Joining::of_list("joined")],
    identities: &["trimmingCharacters", "String", "SQL", "description"],
    first_rows: &["scalar", "fetchOne"],
    sinks: &[
        ("execute", SinkKind::RunsMany),
        ("executeQuery", SinkKind::RunsOne),
        ("executeUpdate", SinkKind::RunsOne),
        ("executeStatements", SinkKind::RunsMany),
        ("makeStatement", SinkKind::RefusesMore),
        ("cachedStatement", SinkKind::RefusesMore),
        ("SQLRequest", SinkKind::RefusesMore),
        ("fetchAll", SinkKind::RefusesMore),
        ("fetchOne", SinkKind::RefusesMore),
        ("fetchCursor", SinkKind::RefusesMore),
        ("fetchSet", SinkKind::RefusesMore),
        ("prepare", SinkKind::RunsOne),
        ("run", SinkKind::RunsOne),
        ("scalar", SinkKind::RunsOne),
        ("sqlite3_exec", SinkKind::RunsMany),
        ("sqlite3_prepare_v2", SinkKind::RunsOne),
        ("sqlite3_prepare_v3", SinkKind::RunsOne),
    ],
    test_folders: &["Tests", "*Tests", "*UITests"],
    test_paths: &["*Tests", "*Test"],
    ..PLAIN
};
