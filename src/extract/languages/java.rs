//! Java.

use super::{
    FormatCall, FormatStyle, Given::At, Joining, Language, Method, Methods, PLAIN, Part, SinkKind, StringForm,
};

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

const fn method(name: &'static str, parts: &'static [Part]) -> Method {
    Method { name, parts }
}

const INSERT: &[Part] = &[Part::Insert(At(3)), Part::Table(At(0)), Part::Values(At(2))];
const REPLACE: &[Part] = &[Part::Words("REPLACE INTO "), Part::Table(At(0)), Part::Values(At(2))];
const UPDATE: &[Part] =
    &[Part::Words("UPDATE "), Part::Table(At(0)), Part::Sets(At(1)), Part::Clause(" WHERE ", At(2))];

/// The methods of Android's `SQLiteDatabase`, which Kotlin shares.
pub(super) const METHODS: Methods = Methods {
    marks: &["android.database.sqlite", "net.sqlcipher", "net.zetetic"],
    all: &[
        method("insert", INSERT),
        method("insertOrThrow", INSERT),
        method("insertWithOnConflict", INSERT),
        method("replace", REPLACE),
        method("replaceOrThrow", REPLACE),
        method("update", UPDATE),
        method("updateWithOnConflict", UPDATE),
        method("delete", &[Part::Words("DELETE FROM "), Part::Table(At(0)), Part::Clause(" WHERE ", At(1))]),
        method(
            "query",
            &[
                Part::Words("SELECT "),
                Part::Columns(At(1)),
                Part::Words(" FROM "),
                Part::Table(At(0)),
                Part::Clause(" WHERE ", At(2)),
                Part::Clause(" GROUP BY ", At(4)),
                Part::Clause(" HAVING ", At(5)),
                Part::Clause(" ORDER BY ", At(6)),
                Part::Clause(" LIMIT ", At(7)),
            ],
        ),
    ],
};

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
    methods: Some(&METHODS),
    creates: CREATES,
    transactional: TRANSACTIONAL,
    test_marks: TEST_MARKS,
    test_folders: &["androidTest", "testFixtures", "jmh"],
    test_paths: &["*Test", "*Tests", "*IT", "Test*", "*TestCase"],
    ..PLAIN
};
