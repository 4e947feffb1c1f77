//! Haskell. Its functions are equations, its blocks are made by layout, and what a function is given stands behind it.

use super::{
    BlockComment, Escapes, FormatCall, FormatStyle, Joining, Language, Marks, PLAIN, Place, SinkKind,
    StringForm,
};

const MARKS: Marks = Marks { open: &["#{"], names: false, doubled: false };

const fn quasi(open: &'static str) -> StringForm {
    StringForm::between(open, "|]").over_lines()
}

/// Haskell.
pub const LANGUAGE: Language = Language {
    name: "Haskell",
    extensions: &["hs"],
    strings: &[
        quasi("[sql|"),
        quasi("[sqlQQ|"),
        quasi("[r|"),
        quasi("[q|"),
        quasi("[s|"),
        quasi("[raw|"),
        quasi("[str|"),
        quasi("[text|"),
        quasi("[here|"),
        quasi("[i|").with(MARKS),
        quasi("[iii|").with(MARKS),
        quasi("[__i|").with(MARKS),
        quasi("[qc|").with(Marks { open: &["{"], ..MARKS }),
        StringForm { escapes: Escapes::Gaps, ..StringForm::escaped("\"") }.over_lines(),
    ],
    line_comments: &["--"],
    block_comment: Some(BlockComment { open: "{-", close: "-}", nested: true }),
    ticks: true,
    indented: true,
    layout: &["do", "mdo", "of", "let", "where"],
    joins_as: &["<>", "++"],
    loops: &[
        "forM_",
        "forM",
        "mapM_",
        "mapM",
        "for_",
        "traverse_",
        "traverse",
        "replicateM_",
        "zipWithM_",
        "foldM",
        "foldM_",
        "forever",
    ],
    keywords: &[
        "module", "import", "data", "type", "newtype", "class", "instance", "deriving", "infix", "infixl",
        "infixr", "foreign", "default", "pattern", "if", "then", "else", "case", "of", "let", "in", "where",
        "do",
    ],
    formats: &[FormatCall { name: "printf", style: FormatStyle::Percent, bang: false }],
    joinings: &[
        Joining { separator: Place::Always(" "), ..Joining::function("unwords") },
        Joining { separator: Place::Always("\n"), ..Joining::function("unlines") },
        Joining { separator: Place::Always(""), ..Joining::function("mconcat") },
        Joining { separator: Place::Always(""), ..Joining::function("concat") },
        Joining::function("intercalate"),
    ],
    identities: &["Query", "fromString", "pack", "fromText", "toQuery", "encodeUtf8", "toText"],
    sinks: &[
        ("execute", SinkKind::RunsOne),
        ("execute_", SinkKind::RunsOne),
        ("executeMany", SinkKind::RunsOne),
        ("executeNamed", SinkKind::RunsOne),
        ("query", SinkKind::RunsOne),
        ("query_", SinkKind::RunsOne),
        ("queryNamed", SinkKind::RunsOne),
        ("foldNamed", SinkKind::RunsOne),
        ("queryWith", SinkKind::RunsOne),
        ("queryWith_", SinkKind::RunsOne),
        ("fold_", SinkKind::RunsOne),
        ("withStatement", SinkKind::RunsOne),
        ("openStatement", SinkKind::RunsOne),
        ("quickQuery", SinkKind::RunsOne),
        ("quickQuery'", SinkKind::RunsOne),
        ("runRaw", SinkKind::RunsMany),
        ("exec", SinkKind::RunsMany),
        ("execPrint", SinkKind::RunsMany),
        ("prepare", SinkKind::RunsOne),
        ("prepareUtf8", SinkKind::RunsOne),
        ("rawSql", SinkKind::RunsOne),
        ("rawExecute", SinkKind::RunsOne),
        ("rawQuery", SinkKind::RunsOne),
    ],
    transactional: &["withTransaction", "withImmediateTransaction", "withExclusiveTransaction"],
    test_folders: &["spec", "test-suite", "bench"],
    test_paths: &["*Spec", "*Test", "*Tests", "Spec"],
    ..PLAIN
};
