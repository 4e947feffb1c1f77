//! Kotlin.

use super::{FormatCall, FormatStyle, ImportForm, Joining, Language, Marks, PLAIN, StringForm, java};

const MARKS: Marks = Marks { open: &["${"], names: true, doubled: false };

/// Kotlin.
pub const LANGUAGE: Language = Language {
    name: "Kotlin",
    extensions: &["kt", "kts"],
    imports: ImportForm::Members,
    strings: &[
        StringForm::between("\"\"\"", "\"\"\"").over_lines().with(MARKS),
        StringForm::escaped("\"").with(MARKS),
    ],
    ticks: true,
    breaks: true,
    function: "fun",
    equals_bodies: true,
    implicit_self: true,
    body_runs: true,
    types: &["class", "interface", "object"],
    loops: &["for", "while", "do"],
    parenthesised: true,
    launches: &["Thread", "submit", "schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay", "launch"],
    loop_methods: &["forEach", "forEachIndexed", "map", "flatMap", "mapNotNull", "onEach", "repeat"],
    declares: &["val", "var"],
    variadic: "vararg",
    lists: &["listOf", "arrayOf", "mutableListOf", "setOf", "arrayListOf"],
    keywords: &[
        "if", "for", "while", "when", "catch", "return", "throw", "try", "else", "do", "in", "is", "as",
        "super",
    ],
    formats: &[FormatCall { name: "format", style: FormatStyle::Percent, bang: false }],
    appends: &["append", "appendLine"],
    pushes: &["add"],
    joinings: &[Joining::of_list("joinToString")],
    identities: &[
        "trimIndent",
        "trimMargin",
        "trim",
        "toString",
        "replaceIndent",
        "SimpleSQLiteQuery",
        "StringBuilder",
    ],
    sinks: java::SINKS,
    methods: Some(&java::METHODS),
    creates: java::CREATES,
    transactional: java::TRANSACTIONAL,
    test_marks: java::TEST_MARKS,
    test_folders: &["androidTest", "commonTest", "jvmTest", "testFixtures", "*Test"],
    test_paths: &["*Test", "*Tests", "*IT"],
    ..PLAIN
};
