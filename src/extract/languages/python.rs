//! Python.

use super::{
    Escapes, FormatCall, FormatStyle, Holes, ImportForm, Joining, Language, PLAIN, Place, SinkKind,
    StringForm,
};

const fn form(prefix: &'static str, quote: &'static str, raw: bool, bytes: bool, holes: Holes) -> StringForm {
    let escapes = if raw { Escapes::Kept } else { Escapes::SwallowBreak };
    StringForm { escapes, multiline: quote.len() == 3, bytes, holes, ..StringForm::between(quote, quote) }
        .behind(prefix)
}

macro_rules! forms {
    ($($prefix:literal, $raw:literal, $bytes:literal, $holes:expr;)*) => {
        &[$(
            form($prefix, "\"\"\"", $raw, $bytes, $holes),
            form($prefix, "'''", $raw, $bytes, $holes),
            form($prefix, "\"", $raw, $bytes, $holes),
            form($prefix, "'", $raw, $bytes, $holes),
        )*]
    };
}

const STRINGS: &[StringForm] = forms! {
    "", false, false, Holes::None;
    "f", false, false, Holes::Braces;
    "r", true, false, Holes::None;
    "u", false, false, Holes::None;
    "b", false, true, Holes::None;
    "rf", true, false, Holes::Braces;
    "fr", true, false, Holes::Braces;
    "rb", true, true, Holes::None;
    "br", true, true, Holes::None;
    "t", false, false, Holes::Braces;
};

/// Python.
pub const LANGUAGE: Language = Language {
    name: "Python",
    imports: ImportForm::Modules,
    extensions: &["py", "pyi"],
    strings: STRINGS,
    line_comments: &["#"],
    block_comment: None,
    indented: true,
    objects: true,
    adjacent: true,
    percent_operator: true,
    suffix_if: true,
    comprehensions: true,
    function: "def",
    types: &["class"],
    closed: true,
    launches: &["Thread", "Process", "Timer", "create_task", "ensure_future", "submit", "call_later"],
    loops: &["for", "while"],
    variadic: "*",
    keywords: &[
        "if", "while", "for", "return", "in", "not", "and", "or", "elif", "is", "lambda", "yield", "await",
        "assert", "with", "del", "except", "print",
    ],
    formats: &[FormatCall { name: "format", style: FormatStyle::Braces, bang: false }],
    appends: &["write"],
    pushes: &["append"],
    joinings: &[Joining { name: "join", list: Place::Argument(0), separator: Place::Receiver }],
    identities: &["strip", "dedent", "text", "SQL", "cleandoc", "lstrip", "rstrip"],
    sinks: &[
        ("execute", SinkKind::RefusesMore),
        ("executemany", SinkKind::RefusesMore),
        ("executescript", SinkKind::RunsMany),
        ("execute_fetchall", SinkKind::RefusesMore),
        ("execute_insert", SinkKind::RefusesMore),
        ("exec_driver_sql", SinkKind::RefusesMore),
        ("text", SinkKind::RefusesMore),
        ("read_sql", SinkKind::RefusesMore),
        ("read_sql_query", SinkKind::RefusesMore),
        ("step", SinkKind::RunsMany),
    ],
    test_paths: &["test_*", "*_test", "conftest", "tests"],
    test_functions: &["test_"],
    ..PLAIN
};
