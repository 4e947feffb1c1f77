//! What `planlint.toml` may say, and what is said of it where it may not.

use super::*;

/// What an error says, where it points, and what it advises.
fn error(text: &str) -> (String, String, Option<String>) {
    match parse("planlint.toml", text).unwrap_err() {
        ConfigError::Parse { span, message, .. } => (message, text.get(span).unwrap().to_owned(), None),
        ConfigError::Invalid { span, message, help, .. } => {
            (message, text.get(span).unwrap().to_owned(), help)
        }
        ConfigError::Read { .. } => panic!("nothing is read"),
    }
}

#[track_caller]
fn refuses(text: &str, message: &str, at: &str, help: &str) {
    let found = error(text);
    assert!(found.0.contains(message), "message: {}", found.0);
    assert_eq!(found.1, at, "place");
    assert!(found.2.clone().unwrap_or_default().contains(help), "help: {:?}", found.2);
}

#[test]
fn the_empty_file_is_the_default() {
    let config = parse("planlint.toml", "").unwrap();
    assert_eq!(config, Config { path: Some("planlint.toml".to_owned()), ..Config::default() });
    assert_eq!(config.fail_on, Severity::Warning);
}

#[test]
fn every_example_of_the_manual_is_understood() {
    let page = include_str!("../../docs/config.md");
    let examples: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() > 20);
    for example in examples {
        assert!(parse("planlint.toml", example).is_ok(), "{example}{:?}", error(example));
    }
}

#[test]
fn a_database_is_read_whole() {
    let text = r#"
[[database]]
name = "blocks"
migrations = ["./db/*.sql", "src/db.rs::SCHEMA_*"]
transaction = "all"
statements = ["src/**"]
growing = ["TX_*"]
bounded = { Peers = 1_000 }
attached = { ledger_db = "ledger" }
functions = ["hash/1", "any"]
migration-pragmas = { foreign_keys = "off" }
pragmas = { foreign_keys = true, Cache_Size = -2000, encoding = "UTF-16" }
[[database]]
name = "ledger"
"#;
    let config = parse("planlint.toml", text).unwrap();
    let blocks = &config.databases[0];
    let [files, name] = blocks.migrations.as_slice() else { panic!("{:?}", blocks.migrations) };
    assert!(matches!(&files.kind, SourceKind::Files(globs) if globs.matches("db/1.sql")));
    assert_eq!(name.kind, SourceKind::Name { path: "src/db.rs".to_owned(), name: "SCHEMA_*".to_owned() });
    assert_eq!(text.get(name.span.clone()), Some("\"src/db.rs::SCHEMA_*\""));
    assert!(blocks.growing.matches("tx_inputs"));
    assert_eq!(blocks.bounded["peers"], 1000);
    assert_eq!(blocks.functions, [("hash".to_owned(), 1), ("any".to_owned(), -1)]);
    let pragmas: Vec<(&str, &str)> = blocks.pragmas.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(pragmas, [("cache_size", "-2000"), ("encoding", "UTF-16"), ("foreign_keys", "true")]);
    assert_eq!(blocks.migration_pragmas["foreign_keys"], "off");
    assert_eq!(blocks.transaction, Some(Transaction::All));
    assert_eq!((&config.databases[1].statements, config.databases[1].transaction), (&None, None));
}

#[test]
fn the_last_setting_that_covers_a_path_decides() {
    let text = r#"
[rules]
a = "error"
b = [{ level = "error" }, { level = "off", paths = ["tools"] }, { paths = ["tools/x"] }]
"#;
    let config = parse("planlint.toml", text).unwrap();
    assert_eq!(config.level("a", Some("x")), Some(Level::At(Severity::Error)));
    assert_eq!(config.level("b", Some("tools/x")), Some(Level::Off));
    assert_eq!(config.level("b", None), Some(Level::At(Severity::Error)));
    assert_eq!(config.level("c", Some("x")), None);
}

#[test]
fn a_date_is_a_date_or_a_text() {
    for until in ["\"2027-12-31\"", "2027-12-31"] {
        let text = format!("[[allow]]\nrule = \"a\"\nreason = \"b\"\nuntil = {until}\n");
        assert_eq!(parse("planlint.toml", &text).unwrap().allows[0].until.as_deref(), Some("2027-12-31"));
    }
}

#[test]
fn unknown_keys_and_words_are_refused_with_the_nearest_one() {
    refuses("fail_on = \"note\"", "unknown key `fail_on`", "fail_on", "did you mean `fail-on`?");
    refuses("fail-on = \"eror\"", "unknown value `eror`", "\"eror\"", "did you mean `error`?");
    refuses("[rules]\na = \"silent\"", "unknown value `silent`", "\"silent\"", "off, note, warning, error");
    refuses("[rules]\na = { levle = \"off\" }", "unknown key `levle`", "levle", "did you mean `level`?");
    refuses("[[database]]\nname = \"a\"\nmigratons = []", "unknown key", "migratons", "`migrations`");
    refuses(
        "[[allow]]\nwhy = \"x\"",
        "unknown key `why`",
        "why",
        "rule, path, table, statement, reason, until",
    );
    refuses(
        "[[database]]\nname = \"a\"\ntransaction = \"each\"",
        "unknown value `each`",
        "\"each\"",
        "step, all, none",
    );
    refuses("[path]", "unknown key `path`", "path", "did you mean `paths`?");
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    refuses("rule-folders = \"lint\"", "expected a list", "\"lint\"", "");
    refuses("max-file-bytes = \"big\"", "expected a whole number, 0 or more", "\"big\"", "");
    refuses("min-coverage = 101", "more than all", "101", "0 to 100");
    refuses("[rules]\na = 3", "expected a level, or a table", "3", "");
    refuses(
        "[[database]]\nname = \"a\"\nbounded = { b = -1 }",
        "expected a whole number, 0 or more",
        "-1",
        "",
    );
    let keys = "[[database]]\nname = \"a\"\nmigration-pragmas = { foreign_keys = \"maybe\" }";
    refuses(keys, "neither on nor off", "\"maybe\"", "true or false");
    refuses("[[database]]\nname = \"a\"\npragmas = { b = [] }", "no pragma takes", "[]", "true, false");
    refuses("[[allow]]\nrule = \"a\"\nreason = \"b\"\npath = 1", "no pattern", "1", "a list of texts");
}

#[test]
fn what_is_no_toml_is_refused_at_its_place() {
    let (message, at, help) = error("[[database]\nname = 1");
    assert!(!message.is_empty() && help.is_none());
    assert!(!at.contains("name"), "{at}");
}

#[test]
fn a_database_needs_a_name_of_its_own() {
    refuses("[[database]]\ngrowing = []", "without a name", "[[database]]", "name it");
    refuses("[[database]]\nname = \"\"", "without a name", "[[database]]", "name it");
    let twice = "[[database]]\nname = \"a\"\n[[database]]\nname = 'a'";
    refuses(twice, "a second database `a`", "'a'", "another name");
    let attached = "[[database]]\nname = \"blocks\"\nattached = { b = \"block\" }";
    refuses(attached, "no database `block`", "\"block\"", "did you mean `blocks`?");
}

#[test]
fn what_could_never_match_is_refused() {
    refuses("[paths]\nexclude = [\"a\", \"/b\"]", "absolute path", "\"/b\"", "from the root");
    refuses("rule-folders = [\"lint/*\"]", "where one path is expected", "\"lint/*\"", "name each");
    let database = |line: &str| format!("[[database]]\nname = \"a\"\n{line}");
    refuses(&database("create = [\"a.rs::\"]"), "no name after `::`", "\"a.rs::\"", "file::NAME");
    refuses(&database("create = [\"*.rs::A\"]"), "one path", "\"*.rs::A\"", "name each");
    refuses(&database("growing = [\"\"]"), "empty pattern", "\"\"", "leave it out");
    refuses(&database("functions = [\"f/x\"]"), "no function", "\"f/x\"", "hash/1");
    refuses(&database("pragmas = { \"a;b\" = 1 }"), "no name of a pragma", "\"a;b\"", "foreign_keys");
}

#[test]
fn an_exception_needs_a_rule_a_reason_and_a_real_date() {
    refuses("[[allow]]\nreason = \"b\"", "names no rule", "[[allow]]", "rule");
    refuses("[[allow]]\nrule = \"a\"", "without a reason", "[[allow]]", "reason");
    for date in ["\"2027-02-30\"", "\"soon\"", "2027-12-31T00:00:00Z", "7"] {
        let text = format!("[[allow]]\nrule = \"a\"\nreason = \"b\"\nuntil = {date}\n");
        refuses(&text, "no date", date, "2027-12-31");
    }
}

#[test]
fn an_unknown_rule_is_refused_wherever_it_is_named() {
    let config = parse("planlint.toml", "[rules]\ngrowing-table-scn = \"off\"").unwrap();
    assert!(config.check_rule_names(&["growing-table-scn"]).is_ok());
    let ConfigError::Invalid { span, help, .. } =
        config.check_rule_names(&["growing-table-scan"]).unwrap_err()
    else {
        panic!("another kind of error");
    };
    assert_eq!(config.text.get(span), Some("growing-table-scn"));
    assert_eq!(help.as_deref(), Some("did you mean `growing-table-scan`?"));
    let config = parse("planlint.toml", "[[allow]]\nrule = \"gone\"\nreason = \"b\"").unwrap();
    let error = config.check_rule_names(&["other"]).unwrap_err();
    assert_eq!(error.to_string(), "planlint.toml: there is no rule `gone`");
}

#[test]
fn the_tree_is_the_folder_of_the_nearest_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("app/src")).unwrap();
    fs::write(root.join("app/src/a.rs"), "").unwrap();
    fs::write(root.join(".git"), "gitdir: elsewhere").unwrap();
    assert_eq!(find(&root.join("app/src/a.rs")), (root.clone(), None));
    assert_eq!(find(&root.join("app/../app/src")), (root.clone(), None));
    fs::write(root.join("app/planlint.toml"), "").unwrap();
    let app = root.join("app");
    assert_eq!(find(&app.join("src/a.rs")), (app.clone(), Some(app.join("planlint.toml"))));
    assert_eq!(find(&root), (root, None));
}
