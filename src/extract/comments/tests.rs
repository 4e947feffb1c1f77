//! What comments of each form are about.

use super::*;

/// What each comment of a file is about, as it stands there.
fn about(path: &str, text: &str) -> Vec<String> {
    let source = Source::new(path, text);
    let all = host_comments(SourceId(0), &source);
    all.iter().map(|one| one.about.map_or("", |site| source.slice(site.start, site.end)).to_owned()).collect()
}

#[test]
fn a_comment_of_its_own_is_about_the_statement_below() {
    for (path, text, expected) in [
        (
            "a.rs",
            "// planlint: x\nlet a = db\n    .query(\"q\", |r| { r.get(0) })?;\nb();",
            "let a = db\n    .query(\"q\", |r| { r.get(0) })?",
        ),
        (
            "a.rs",
            "// planlint: x\n\n// more\nif let Some(a) = db.get(\"q\") {\n b();\n}",
            "if let Some(a) = db.get(\"q\")",
        ),
        ("a.rs", "const A: [&str; 2] = [\n // planlint: x\n \"q\",\n \"r\",\n];", "\"q\","),
        ("a.rs", "f(\n /* planlint: x */\n \"q\"\n);", "\"q\""),
        ("a.rs", "fn f() {\n // planlint: x\n}", ""),
        (
            "a.py",
            "# planlint: x\na, b = db.execute(\n    \"q\",\n    (c,))\nd()",
            "a, b = db.execute(\n    \"q\",\n    (c,))",
        ),
        ("a.py", "def f():\n    # planlint: x\n    return g(\"q\")\n\nh()", "return g(\"q\")"),
        (
            "a.go",
            "// planlint: x\nrows, err := db.Query(\"q\",\n    a)\nif err != nil {",
            "rows, err := db.Query(\"q\",\n    a)",
        ),
    ] {
        assert_eq!(about(path, text), [expected], "{text}");
    }
}

#[test]
fn a_comment_behind_code_is_about_the_statement_of_its_line() {
    for (path, text, expected) in [
        ("a.rs", "a();\nlet b = db.get(\"q\")?; // planlint: x\nc();", "let b = db.get(\"q\")?;"),
        (
            "a.rs",
            "a();\nlet b = db.get( // planlint: x\n    \"q\",\n)?;\nc();",
            "let b = db.get( // planlint: x\n    \"q\",\n)?",
        ),
        (
            "a.rs",
            "a();\nlet b = db.get(\n    \"q\",\n)?; // planlint: x\nc();",
            "let b = db.get(\n    \"q\",\n)?;",
        ),
        (
            "a.rs",
            "f(\n    \"p\",\n    \"q\", // planlint: x\n    \"r\",\n);",
            "f(\n    \"p\",\n    \"q\", // planlint: x\n    \"r\",\n)",
        ),
        ("a.rs", "a();\nmatch db.get(\"q\") { // planlint: x\n    b => c(),\n}", "match db.get(\"q\") {"),
        (
            "a.py",
            "a()\nb = db.execute(\"\"\"\n  q\n\"\"\")  # planlint: x\nc()",
            "b = db.execute(\"\"\"\n  q\n\"\"\")",
        ),
        ("a.go", "a()\nb := db.Query(\"q\") // planlint: x\nc()", "b := db.Query(\"q\")"),
    ] {
        assert_eq!(about(path, text), [expected], "{text}");
    }
}

#[test]
fn a_brace_of_one_line_is_part_of_its_statement_and_a_block_is_none() {
    for (path, text, expected) in [
        ("a.rs", "// planlint: x\nlet a = A { id: db.get(\"q\")? };", "let a = A { id: db.get(\"q\")? }"),
        (
            "a.py",
            "# planlint: x\na = {\n    \"n\": db.execute(\"q\"),\n}\nb()",
            "a = {\n    \"n\": db.execute(\"q\"),\n}",
        ),
        ("a.go", "// planlint: x\nq := T{db.Query(\"q\")}\nb()", "q := T{db.Query(\"q\")}"),
        ("a.rs", "impl A {\n    fn f() { db.get(\"q\") }\n} // planlint: x\nb();", ""),
        ("a.go", "if a {\n    db.Query(\"q\")\n} // planlint: x\nb()", ""),
        ("a.rs", "/* planlint: x\n   /* inner */ // planlint: y\n*/\na();", "a()"),
        ("a.rs", "/*\n * planlint: x\n */\na();", "a()"),
        ("a.rs", "//\tplanlint: x\na();", "a()"),
        ("a.py", "a()  # noqa: S608  # planlint: allow(x) y  # nosec\nb()", "a()"),
        (
            "a.py",
            "a(\n    \"q\",\n    (c,),  # planlint: x\n)\nb()",
            "a(\n    \"q\",\n    (c,),  # planlint: x\n)",
        ),
        (
            "a.rs",
            "let a = if b {\n    f(\"q\")\n} else {\n    f(\"r\")\n}; // planlint: x\nc();",
            "let a = if b {\n    f(\"q\")\n} else {\n    f(\"r\")\n};",
        ),
        (
            "a.rs",
            "// planlint: x\nlet a = if b {\n    f(\"q\")\n} else {\n    f(\"r\")\n};\nc();",
            "let a = if b {\n    f(\"q\")\n} else {\n    f(\"r\")\n}",
        ),
        (
            "a.rs",
            "let a = query(\"q\")\n    // planlint: x\n    .bind(b)\n    .all();",
            "let a = query(\"q\")\n    // planlint: x\n    .bind(b)\n    .all()",
        ),
    ] {
        assert_eq!(about(path, text), [expected], "{text}");
    }
}

#[test]
fn only_a_comment_that_starts_with_the_mark_speaks() {
    let text = "let a = \"planlint: x\"; // as planlint: x\n/// planlint: y\nfn f() {}\n//planlint: z\ng();";
    assert_eq!(about("a.rs", text), ["fn f() {}", "g()"]);
}
