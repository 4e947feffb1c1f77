//! PHP.

use super::{
    BlockComment, Ending, FormatCall, FormatStyle, Joining, Language, Marks, PLAIN, SinkKind, StringForm,
};

const MARKS: Marks = Marks { open: &["{$", "${"], names: true, doubled: false };

const fn heredoc(open: &'static str) -> StringForm {
    StringForm { ending: Ending::Word, ..StringForm::between(open, "") }.over_lines()
}

/// PHP.
pub const LANGUAGE: Language = Language {
    name: "PHP",
    extensions: &["php"],
    strings: &[
        heredoc("<<<'"),
        heredoc("<<<").with(MARKS),
        StringForm::escaped("\"").over_lines().with(MARKS),
        StringForm::escaped("'").over_lines(),
    ],
    line_comments: &["//", "#"],
    outside: Some(BlockComment { open: "?>", close: "<?", nested: false }),
    ternary: true,
    joins: b'.',
    function: "function",
    types: &["class", "trait", "interface", "enum"],
    loops: &["for", "foreach", "while", "do"],
    parenthesised: true,
    loop_methods: &["array_map", "array_walk"],
    declares: &["const"],
    variadic: "...",
    lists: &["array"],
    keywords: &[
        "if", "elseif", "for", "foreach", "while", "switch", "catch", "match", "return", "isset", "empty",
        "unset", "new", "list", "array", "echo", "print", "throw", "else", "do", "fn", "use", "parent",
        "exit", "die",
    ],
    formats: &[
        FormatCall { name: "sprintf", style: FormatStyle::Percent, bang: false },
        FormatCall { name: "vsprintf", style: FormatStyle::Percent, bang: false },
    ],
    pushes: &["array_push"],
    joinings: &[Joining::function("implode"), Joining::function("join")],
    identities: &["trim", "rtrim", "ltrim"],
    first_rows: &["querySingle", "fetchOne"],
    sinks: &[
        ("exec", SinkKind::RunsMany),
        ("prepare", SinkKind::RunsOne),
        ("query", SinkKind::RunsOne),
        ("querySingle", SinkKind::RunsOne),
        ("execute", SinkKind::RunsOne),
        ("executeQuery", SinkKind::RunsOne),
        ("executeStatement", SinkKind::Runs),
        ("fetchAll", SinkKind::RunsOne),
        ("fetchOne", SinkKind::RunsOne),
        ("fetchAssoc", SinkKind::RunsOne),
        ("statement", SinkKind::RunsOne),
        ("select", SinkKind::RunsOne),
        ("selectOne", SinkKind::RunsOne),
        ("unprepared", SinkKind::RunsMany),
    ],
    test_folders: &["Tests", "phpunit"],
    test_paths: &["*Test", "*TestCase", "*_test"],
    test_functions: &[],
    ..PLAIN
};
