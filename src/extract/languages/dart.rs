//! Dart.

use super::{Joining, Language, Marks, PLAIN, SinkKind, StringForm};

const MARKS: Marks = Marks { open: &["${"], names: true, doubled: false };

const fn raw(quote: &'static str) -> StringForm {
    StringForm { multiline: quote.len() == 3, ..StringForm::between(quote, quote) }.behind("r")
}

const fn text(quote: &'static str) -> StringForm {
    StringForm { multiline: quote.len() == 3, ..StringForm::escaped(quote) }.with(MARKS)
}

/// Dart.
pub const LANGUAGE: Language = Language {
    name: "Dart",
    extensions: &["dart"],
    strings: &[
        raw("\"\"\""),
        raw("'''"),
        raw("\""),
        raw("'"),
        text("\"\"\""),
        text("'''"),
        text("\""),
        text("'"),
    ],
    adjacent: true,
    ternary: true,
    typed: true,
    bare_functions: true,
    implicit_self: true,
    types: &["class", "mixin", "extension", "enum"],
    loops: &["for", "while", "do"],
    parenthesised: true,
    loop_methods: &["forEach", "map", "expand"],
    keywords: &[
        "if", "for", "while", "switch", "catch", "return", "assert", "await", "throw", "super", "this",
        "else", "do", "in", "is", "as", "new", "on", "rethrow", "yield",
    ],
    appends: &["write", "writeln"],
    pushes: &["add"],
    joinings: &[Joining::of_list("join")],
    identities: &["trim", "toString", "trimLeft", "trimRight", "StringBuffer"],
    sinks: &[
        ("rawQuery", SinkKind::RunsOne),
        ("rawInsert", SinkKind::RunsOne),
        ("rawUpdate", SinkKind::RunsOne),
        ("rawDelete", SinkKind::RunsOne),
        ("execute", SinkKind::RunsMany),
        ("select", SinkKind::RunsOne),
        ("prepare", SinkKind::RunsOne),
        ("prepareMultiple", SinkKind::RunsMany),
        ("customSelect", SinkKind::RunsOne),
        ("customStatement", SinkKind::RunsOne),
        ("customUpdate", SinkKind::RunsOne),
        ("customInsert", SinkKind::RunsOne),
        ("customWriteReturning", SinkKind::RunsOne),
        ("queryAdapter", SinkKind::RunsOne),
        ("Query", SinkKind::RunsOne),
    ],
    creates: &["onCreate", "_onCreate"],
    transactional: &["onCreate", "onUpgrade", "onDowngrade", "_onCreate", "_onUpgrade", "_onDowngrade"],
    test_folders: &["integration_test", "test_driver"],
    test_paths: &["*_test"],
    ..PLAIN
};
