//! C and C++, which share headers, and so constants.

use super::{Ending, FormatCall, FormatStyle, Language, PLAIN, SinkKind, StringForm};

const fn raw(prefix: &'static str) -> StringForm {
    StringForm { ending: Ending::Delimiter, ..StringForm::between("\"", "\"") }.over_lines().behind(prefix)
}

const fn percent(name: &'static str) -> FormatCall {
    FormatCall { name, style: FormatStyle::Percent, bang: false }
}

/// C and C++.
pub const LANGUAGE: Language = Language {
    name: "C++",
    extensions: &["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx"],
    strings: &[
        StringForm::escaped("\""),
        StringForm::escaped("\"").behind("L"),
        StringForm::escaped("\"").behind("u8"),
        StringForm::escaped("\"").behind("u"),
        raw("R"),
        raw("LR"),
        raw("u8R"),
        raw("uR"),
    ],
    ticks: true,
    adjacent: true,
    ternary: true,
    typed: true,
    bare_functions: true,
    implicit_self: true,
    types: &["class", "struct"],
    loops: &["for", "while", "do", "foreach", "Q_FOREACH"],
    parenthesised: true,
    declares: &["define"],
    keywords: &[
        "if", "for", "while", "switch", "catch", "return", "sizeof", "new", "delete", "throw", "else", "do", "case",
        "defined", "alignof", "decltype", "static_assert", "foreach", "Q_FOREACH", "noexcept", "operator",
        "__attribute__", "__declspec", "extern", "typedef",
    ],
    percent_texts: true,
    formats: &[
        percent("sqlite3_mprintf"),
        percent("sqlite3_vmprintf"),
        percent("sqlite3_snprintf"),
        percent("snprintf"),
        percent("sprintf"),
        percent("asprintf"),
        percent("mprintf"),
        percent("StringPrintf"),
        percent("strprintf"),
        percent("printf"),
    ],
    identities: &[
        "QStringLiteral",
        "QLatin1String",
        "QLatin1StringView",
        "QString",
        "fromLatin1",
        "fromUtf8",
        "string",
        "string_view",
        "str",
        "c_str",
        "toUtf8",
        "trimmed",
        "simplified",
        "_T",
        "TEXT",
    ],
    sinks: &[
        ("sqlite3_exec", SinkKind::RunsMany),
        ("sqlite3_prepare", SinkKind::RunsOne),
        ("sqlite3_prepare_v2", SinkKind::RunsOne),
        ("sqlite3_prepare_v3", SinkKind::RunsOne),
        ("sqlite3_prepare16_v2", SinkKind::RunsOne),
        ("sqlite3_get_table", SinkKind::RunsMany),
        ("exec", SinkKind::RunsMany),
        ("prepare", SinkKind::RunsOne),
        ("execute", SinkKind::RunsMany),
        ("executeUpdate", SinkKind::RunsMany),
        ("executeQuery", SinkKind::RunsOne),
        ("Statement", SinkKind::RunsOne),
        ("QSqlQuery", SinkKind::RunsOne),
        ("db_multi_exec", SinkKind::RunsMany),
        ("db_prepare", SinkKind::RunsOne),
        ("db_int", SinkKind::RunsOne),
        ("db_text", SinkKind::RunsOne),
        ("db_exists", SinkKind::RunsOne),
    ],
    test_folders: &["unittest", "unittests", "*_test", "*_tests", "gtest", "bench"],
    test_paths: &["test_*", "*_test", "*_tests", "*_unittest", "test*", "*Test", "*Tests"],
    test_functions: &["TEST", "BOOST_AUTO_TEST"],
    ..PLAIN
};
