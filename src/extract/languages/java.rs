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
    Method { name, conflict: None, parts }
}

/// A method of `androidx.sqlite`, which says behind the table what happens on a conflict.
const fn support(name: &'static str, parts: &'static [Part]) -> Method {
    Method { name, conflict: Some(1), parts }
}

const fn insert(conflict: usize) -> [Part; 5] {
    [
        Part::Words("INSERT "),
        Part::Conflict(At(conflict)),
        Part::Words("INTO "),
        Part::Table(At(0)),
        Part::Values(At(2)),
    ]
}

const fn update(conflict: usize, values: usize) -> [Part; 5] {
    [
        Part::Words("UPDATE "),
        Part::Conflict(At(conflict)),
        Part::Table(At(0)),
        Part::Sets(At(values)),
        Part::Clause(" WHERE ", At(values + 1)),
    ]
}

const REPLACE: &[Part] = &[Part::Words("REPLACE INTO "), Part::Table(At(0)), Part::Values(At(2))];

/// The methods of Android's `SQLiteDatabase` and of `SupportSQLiteDatabase`, which Kotlin shares.
pub(super) const METHODS: Methods = Methods {
    marks: &["android.database.sqlite", "androidx.sqlite", "net.sqlcipher", "net.zetetic"],
    all: &[
        support("insert", &insert(1)),
        support("update", &update(1, 2)),
        method("insert", &insert(3)),
        method("insertOrThrow", &insert(3)),
        method("insertWithOnConflict", &insert(3)),
        method("replace", REPLACE),
        method("replaceOrThrow", REPLACE),
        method("update", &update(4, 1)),
        method("updateWithOnConflict", &update(4, 1)),
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
    variadic: "...",
    bare_functions: true,
    implicit_self: true,
    types: &["class", "interface", "enum", "record"],
    loops: &["for", "while", "do"],
    parenthesised: true,
    launches: &["Thread", "submit", "schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay"],
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
