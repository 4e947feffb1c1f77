//! Scala.

use super::{BlockComment, FormatCall, FormatStyle, Joining, Language, Marks, PLAIN, StringForm, java};

const MARKS: Marks = Marks { open: &["${"], names: true, doubled: false };

const fn long(prefix: &'static str) -> StringForm {
    StringForm::between("\"\"\"", "\"\"\"").over_lines().with(MARKS).behind(prefix)
}

const fn short(prefix: &'static str) -> StringForm {
    StringForm::escaped("\"").with(MARKS).behind(prefix)
}

/// Scala.
pub const LANGUAGE: Language = Language {
    name: "Scala",
    extensions: &["scala", "sc"],
    strings: &[
        long("s"),
        long("f"),
        long("raw"),
        long("sql"),
        long("sqlu"),
        long("fr"),
        StringForm::between("\"\"\"", "\"\"\"").over_lines(),
        short("s"),
        short("f"),
        short("sql"),
        short("sqlu"),
        short("fr"),
        StringForm::between("\"", "\"").with(MARKS).behind("raw"),
        StringForm::escaped("\""),
    ],
    block_comment: Some(BlockComment { open: "/*", close: "*/", nested: true }),
    ticks: true,
    breaks: true,
    function: "def",
    equals_bodies: true,
    implicit_self: true,
    body_runs: true,
    types: &["class", "object", "trait"],
    loops: &["for", "while", "do"],
    parenthesised: true,
    loop_methods: &["foreach", "map", "flatMap", "collect", "foldLeft"],
    declares: &["val", "var"],
    variadic: "*",
    lists: &["Seq", "List", "Array", "Vector", "Set", "IndexedSeq"],
    keywords: &[
        "if", "for", "while", "match", "catch", "return", "throw", "try", "else", "do", "case", "new",
        "yield", "super", "this",
    ],
    formats: &[FormatCall { name: "format", style: FormatStyle::Percent, bang: false }],
    appends: &["append"],
    joinings: &[Joining::of_list("mkString")],
    identities: &["stripMargin", "trim", "toString", "stripLineEnd", "strip", "StringBuilder"],
    sinks: java::SINKS,
    test_marks: java::TEST_MARKS,
    test_paths: &["*Test", "*Tests", "*Spec", "*Suite"],
    ..PLAIN
};
