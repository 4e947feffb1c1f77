//! Dart.

use super::{
    Given::{At, Named},
    ImportForm, Joining, Language, Marks, Method, Methods, PLAIN, Part, SinkKind, StringForm,
};

const MARKS: Marks = Marks { open: &["${"], names: true, doubled: false };

const fn raw(quote: &'static str) -> StringForm {
    StringForm { multiline: quote.len() == 3, ..StringForm::between(quote, quote) }.behind("r")
}

const fn text(quote: &'static str) -> StringForm {
    StringForm { multiline: quote.len() == 3, ..StringForm::escaped(quote) }.with(MARKS)
}

const fn method(name: &'static str, parts: &'static [Part]) -> Method {
    Method { name, conflict: None, parts }
}

const CONFLICT: Part = Part::Conflict(Named("conflictAlgorithm"));
const WHERE: Part = Part::Clause(" WHERE ", Named("where"));

/// The methods of sqflite.
const METHODS: Methods = Methods {
    marks: &["sqflite"],
    all: &[
        method(
            "insert",
            &[
                Part::Words("INSERT "),
                CONFLICT,
                Part::Words("INTO "),
                Part::Table(At(0)),
                Part::Values(At(1)),
            ],
        ),
        method("update", &[Part::Words("UPDATE "), CONFLICT, Part::Table(At(0)), Part::Sets(At(1)), WHERE]),
        method("delete", &[Part::Words("DELETE FROM "), Part::Table(At(0)), WHERE]),
        method(
            "query",
            &[
                Part::Words("SELECT "),
                Part::Columns(Named("columns")),
                Part::Words(" FROM "),
                Part::Table(At(0)),
                WHERE,
                Part::Clause(" GROUP BY ", Named("groupBy")),
                Part::Clause(" HAVING ", Named("having")),
                Part::Clause(" ORDER BY ", Named("orderBy")),
                Part::Clause(" LIMIT ", Named("limit")),
                Part::Clause(" OFFSET ", Named("offset")),
            ],
        ),
    ],
};

/// Dart.
pub const LANGUAGE: Language = Language {
    name: "Dart",
    extensions: &["dart"],
    imports: ImportForm::Libraries,
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
        ("customStatement", SinkKind::Runs),
        ("customUpdate", SinkKind::RunsOne),
        ("customInsert", SinkKind::RunsOne),
        ("customWriteReturning", SinkKind::RunsOne),
        ("queryAdapter", SinkKind::RunsOne),
        ("Query", SinkKind::RunsOne),
    ],
    methods: Some(&METHODS),
    creates: &["onCreate", "_onCreate"],
    transactional: &["onCreate", "onUpgrade", "onDowngrade", "_onCreate", "_onUpgrade", "_onDowngrade"],
    test_folders: &["integration_test", "test_driver"],
    test_paths: &["*_test"],
    ..PLAIN
};
