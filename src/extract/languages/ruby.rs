//! Ruby. Nobody but its own parser knows where all of its blocks end; how they are indented tells.

use super::{
    BlockComment, Ending, FormatCall, FormatStyle, Joining, Language, Marks, PLAIN, SinkKind, StringForm,
};

const MARKS: Marks = Marks { open: &["#{"], names: false, doubled: false };

const fn heredoc(open: &'static str) -> StringForm {
    StringForm { ending: Ending::WordBelow, ..StringForm::between(open, "") }.over_lines()
}

const fn percent(open: &'static str) -> StringForm {
    StringForm { ending: Ending::Bracket, ..StringForm::between(open, "") }.over_lines()
}

const fn words(open: &'static str) -> StringForm {
    StringForm { bytes: true, ..percent(open) }
}

/// Ruby.
pub const LANGUAGE: Language = Language {
    name: "Ruby",
    extensions: &["rb", "rake"],
    strings: &[
        heredoc("<<~'"),
        heredoc("<<-'"),
        heredoc("<<'"),
        heredoc("<<~").with(MARKS),
        heredoc("<<-").with(MARKS),
        heredoc("<<").with(MARKS),
        percent("%q"),
        percent("%Q").with(MARKS),
        words("%w"),
        words("%W"),
        words("%i"),
        words("%I"),
        percent("%").with(MARKS),
        StringForm::escaped("\"").over_lines().with(MARKS),
        StringForm::escaped("'").over_lines(),
    ],
    line_comments: &["#"],
    block_comment: Some(BlockComment { open: "=begin", close: "=end", nested: false }),
    regexes: true,
    indented: true,
    percent_operator: true,
    ternary: true,
    commands: true,
    function: "def",
    implicit_self: true,
    types: &["class"],
    loops: &["for", "while", "until"],
    loop_methods: &[
        "each",
        "map",
        "each_with_index",
        "each_slice",
        "each_pair",
        "each_key",
        "each_value",
        "flat_map",
        "times",
        "upto",
        "find_each",
        "each_with_object",
    ],
    variadic: "*",
    keywords: &[
        "if", "unless", "while", "until", "for", "in", "and", "or", "not", "return", "yield", "puts",
        "raise", "require", "super", "when", "case", "elsif", "else", "end", "do", "defined",
    ],
    formats: &[
        FormatCall { name: "format", style: FormatStyle::Percent, bang: false },
        FormatCall { name: "sprintf", style: FormatStyle::Percent, bang: false },
    ],
    appends: &["concat"],
    pushes: &["push"],
    leads: &["unshift", "prepend"],
    streams: true,
    joinings: &[Joining::of_list("join")],
    identities: &["strip", "squish", "freeze", "dedent", "to_s", "chomp", "strip_heredoc", "dup"],
    sinks: &[
        ("execute", SinkKind::RunsOne),
        ("execute2", SinkKind::RunsOne),
        ("execute_batch", SinkKind::RunsMany),
        ("execute_batch2", SinkKind::RunsMany),
        ("prepare", SinkKind::RunsOne),
        ("query", SinkKind::RunsOne),
        ("get_first_row", SinkKind::RunsOne),
        ("get_first_value", SinkKind::RunsOne),
        ("run", SinkKind::RunsMany),
        ("exec_query", SinkKind::RunsOne),
        ("select_all", SinkKind::RunsOne),
        ("select_value", SinkKind::RunsOne),
        ("select_values", SinkKind::RunsOne),
        ("select_rows", SinkKind::RunsOne),
        ("find_by_sql", SinkKind::RunsOne),
        ("fetch", SinkKind::RunsOne),
    ],
    test_folders: &["spec", "specs", "features"],
    test_paths: &["*_test", "*_spec", "test_*", "spec_helper"],
    ..PLAIN
};
