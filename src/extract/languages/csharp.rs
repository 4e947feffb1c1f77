//! C#.

use super::{Escapes, FormatCall, FormatStyle, Joining, Language, Marks, PLAIN, SinkKind, StringForm};

const MARKS: Marks = Marks { open: &["{"], names: false, doubled: true };
const RAW_MARKS: Marks = Marks { doubled: false, ..MARKS };
const TWICE: Marks = Marks { open: &["{{"], names: false, doubled: false };

const fn verbatim(open: &'static str) -> StringForm {
    StringForm { escapes: Escapes::Doubled, ..StringForm::between(open, "\"").over_lines() }
}

/// C#.
pub const LANGUAGE: Language = Language {
    name: "C#",
    extensions: &["cs"],
    strings: &[
        StringForm::between("$$\"\"\"", "\"\"\"").over_lines().with(TWICE),
        StringForm::between("$\"\"\"", "\"\"\"").over_lines().with(RAW_MARKS),
        StringForm::between("\"\"\"", "\"\"\"").over_lines(),
        verbatim("$@\"").with(MARKS),
        verbatim("@$\"").with(MARKS),
        verbatim("@\""),
        StringForm { open: "$\"", ..StringForm::escaped("\"") }.with(MARKS),
        StringForm::escaped("\""),
    ],
    ticks: true,
    ternary: true,
    typed: true,
    variadic: "params",
    bare_functions: true,
    implicit_self: true,
    types: &["class", "interface", "struct", "record"],
    loops: &["for", "foreach", "while", "do"],
    parenthesised: true,
    loop_methods: &["ForEach", "ForEachAsync"],
    lists: &["new"],
    keywords: &[
        "if", "for", "foreach", "while", "switch", "catch", "lock", "using", "fixed", "return", "new",
        "base", "this", "throw", "await", "typeof", "nameof", "sizeof", "default", "checked", "when", "is",
        "in", "case", "else", "do", "get", "set", "add", "remove",
    ],
    formats: &[
        FormatCall { name: "Format", style: FormatStyle::Braces, bang: false },
        FormatCall { name: "FormatInvariant", style: FormatStyle::Braces, bang: false },
        FormatCall { name: "AppendFormat", style: FormatStyle::Braces, bang: false },
    ],
    appends: &["Append", "AppendLine", "AppendFormat"],
    pushes: &["Add"],
    joinings: &[Joining::function("Join")],
    identities: &[
        "Trim",
        "TrimStart",
        "TrimEnd",
        "ToString",
        "FormattableString",
        "Invariant",
        "StringBuilder",
    ],
    first_rows: &[
        "ExecuteScalar",
        "ExecuteScalarAsync",
        "QueryFirst",
        "QueryFirstAsync",
        "QueryFirstOrDefault",
        "QueryFirstOrDefaultAsync",
    ],
    sinks: &[
        ("CommandText", SinkKind::RunsMany),
        ("SqliteCommand", SinkKind::RunsMany),
        ("SQLiteCommand", SinkKind::RunsMany),
        ("CreateCommand", SinkKind::RunsMany),
        ("SetCommand", SinkKind::RunsMany),
        ("ExecuteNonQuery", SinkKind::RunsMany),
        ("ExecuteNonQueryAsync", SinkKind::RunsMany),
        ("ExecuteScalar", SinkKind::RunsMany),
        ("ExecuteScalarAsync", SinkKind::RunsMany),
        ("ExecuteReader", SinkKind::RunsMany),
        ("ExecuteReaderAsync", SinkKind::RunsMany),
        ("Execute", SinkKind::RunsMany),
        ("ExecuteAsync", SinkKind::RunsMany),
        ("Query", SinkKind::RunsMany),
        ("QueryAsync", SinkKind::RunsMany),
        ("QueryFirst", SinkKind::RunsMany),
        ("QueryFirstAsync", SinkKind::RunsMany),
        ("QueryFirstOrDefault", SinkKind::RunsMany),
        ("QueryFirstOrDefaultAsync", SinkKind::RunsMany),
        ("QuerySingle", SinkKind::RunsMany),
        ("QuerySingleAsync", SinkKind::RunsMany),
        ("QuerySingleOrDefault", SinkKind::RunsMany),
        ("QueryMultiple", SinkKind::RunsMany),
        ("ExecuteSqlRaw", SinkKind::RunsMany),
        ("ExecuteSqlRawAsync", SinkKind::RunsMany),
        ("FromSqlRaw", SinkKind::RunsOne),
        ("SqlQueryRaw", SinkKind::RunsOne),
        ("Sql", SinkKind::RunsMany),
    ],
    test_marks: &["Fact", "Theory", "Test", "TestCase", "TestMethod", "TestFixture", "TestClass", "SetUp"],
    test_folders: &["*Tests", "*Test", "*.UnitTests", "*.IntegrationTests"],
    test_paths: &["*Tests", "*Test"],
    ..PLAIN
};
