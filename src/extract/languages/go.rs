//! Go.

use super::{FormatCall, FormatStyle, ImportForm, Joining, Language, PLAIN, Place, SinkKind, StringForm};

const fn percent(name: &'static str) -> FormatCall {
    FormatCall { name, style: FormatStyle::Percent, bang: false }
}

/// Go.
pub const LANGUAGE: Language = Language {
    name: "Go",
    imports: ImportForm::Packages,
    extensions: &["go"],
    strings: &[StringForm::escaped("\""), StringForm::between("`", "`").over_lines()],
    ticks: true,
    breaks: true,
    function: "func",
    receivers: true,
    closed: true,
    packages: true,
    launching: "go",
    loops: &["for"],
    declares: &["const", "var"],
    variadic: "...",
    keywords: &[
        "if",
        "for",
        "switch",
        "return",
        "range",
        "select",
        "go",
        "defer",
        "case",
        "func",
        "interface",
        "struct",
        "map",
    ],
    formats: &[percent("Sprintf"), percent("Fprintf"), percent("Appendf")],
    appends: &["WriteString", "WriteByte", "WriteRune"],
    writes: &["Fprintf", "Fprint"],
    pushes: &["append"],
    joinings: &[Joining { name: "Join", list: Place::Argument(0), separator: Place::Argument(1) }],
    identities: &["TrimSpace", "Rebind", "string", "String"],
    first_rows: &["QueryRow", "QueryRowContext", "QueryRowx", "Get", "GetContext"],
    sinks: &[
        ("Exec", SinkKind::RunsMany),
        ("ExecContext", SinkKind::RunsMany),
        ("MustExec", SinkKind::RunsMany),
        ("Query", SinkKind::Runs),
        ("QueryContext", SinkKind::Runs),
        ("QueryRow", SinkKind::Runs),
        ("QueryRowContext", SinkKind::Runs),
        ("Queryx", SinkKind::Runs),
        ("QueryRowx", SinkKind::Runs),
        ("Prepare", SinkKind::RunsOne),
        ("PrepareContext", SinkKind::RunsOne),
        ("Preparex", SinkKind::RunsOne),
        ("Select", SinkKind::Runs),
        ("Get", SinkKind::Runs),
        ("SelectContext", SinkKind::Runs),
        ("GetContext", SinkKind::Runs),
        ("NamedExec", SinkKind::RunsMany),
        ("NamedQuery", SinkKind::Runs),
        ("NewQuery", SinkKind::Runs),
        ("Raw", SinkKind::RunsOne),
        ("Prep", SinkKind::RunsOne),
        ("DeclareVTab", SinkKind::RunsOne),
    ],
    test_paths: &["*_test"],
    ..PLAIN
};
