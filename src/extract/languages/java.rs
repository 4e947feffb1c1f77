//! Java.

use super::{FormatCall, FormatStyle, Joining, Language, PLAIN, SinkKind, StringForm};

/// The sinks of Android and JDBC, which Kotlin shares.
pub(super) const SINKS: &[(&str, SinkKind)] = &[
    ("execSQL", SinkKind::RunsOne),
    ("rawQuery", SinkKind::RunsOne),
    ("rawQueryWithFactory", SinkKind::RunsOne),
    ("compileStatement", SinkKind::RunsOne),
    ("query", SinkKind::RunsOne),
    ("SimpleSQLiteQuery", SinkKind::RunsOne),
    ("Query", SinkKind::RunsOne),
    ("RawQuery", SinkKind::RunsOne),
    ("DatabaseView", SinkKind::RunsOne),
    ("prepareStatement", SinkKind::RunsOne),
    ("prepareCall", SinkKind::RunsOne),
    ("prepare", SinkKind::RunsOne),
    ("executeQuery", SinkKind::RunsOne),
    ("executeUpdate", SinkKind::RunsMany),
    ("execute", SinkKind::RunsMany),
    ("exec", SinkKind::RunsMany),
    ("addBatch", SinkKind::RunsOne),
    ("createQuery", SinkKind::RunsOne),
    ("createUpdate", SinkKind::RunsOne),
    ("queryForObject", SinkKind::RunsOne),
    ("queryForList", SinkKind::RunsOne),
    ("update", SinkKind::RunsOne),
];

/// What Android calls on a new database.
pub(super) const CREATES: &[&str] = &["onCreate"];

/// What Android and Room call within a transaction.
pub(super) const TRANSACTIONAL: &[&str] = &["onCreate", "onUpgrade", "onDowngrade", "migrate", "Migration"];

/// What marks a function as a test, with Kotlin alike.
pub(super) const TEST_MARKS: &[&str] =
    &["Test", "ParameterizedTest", "RepeatedTest", "BeforeEach", "AfterEach", "BeforeAll", "RunWith"];

/// Java.
pub const LANGUAGE: Language = Language {
    name: "Java",
    extensions: &["java"],
    strings: &[StringForm::escaped("\"\"\"").over_lines(), StringForm::escaped("\"")],
    ticks: true,
    ternary: true,
    typed: true,
    bare_functions: true,
    implicit_self: true,
    types: &["class", "interface", "enum", "record"],
    loops: &["for", "while", "do"],
    parenthesised: true,
    loop_methods: &["forEach", "forEachOrdered"],
    lists: &["new", "List", "Arrays", "Set", "asList", "of"],
    keywords: &[
        "if",
        "for",
        "while",
        "switch",
        "catch",
        "synchronized",
        "return",
        "new",
        "super",
        "this",
        "throw",
        "try",
        "assert",
        "else",
        "do",
        "case",
        "instanceof",
    ],
    formats: &[
        FormatCall { name: "format", style: FormatStyle::Percent, bang: false },
        FormatCall { name: "formatted", style: FormatStyle::Percent, bang: false },
    ],
    appends: &["append"],
    pushes: &["add"],
    joinings: &[Joining::function("join")],
    identities: &[
        "trim",
        "strip",
        "stripIndent",
        "toString",
        "intern",
        "valueOf",
        "StringBuilder",
        "StringBuffer",
    ],
    sinks: SINKS,
    creates: CREATES,
    transactional: TRANSACTIONAL,
    test_marks: TEST_MARKS,
    test_folders: &["androidTest", "testFixtures", "jmh"],
    test_paths: &["*Test", "*Tests", "*IT", "Test*", "*TestCase"],
    ..PLAIN
};
