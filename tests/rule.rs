//! Rules as files: what the loader refuses, and how findings are judged and settled.

#![cfg(test)]

use planlint::config::Severity;
use planlint::facts::Facts;
use planlint::rule::{self, Finding, Rule, RuleError, Stage};
use planlint::run::{CheckRequest, list_rules};
use rusqlite::ToSql;
use std::fs;
use std::path::Path;

const HEAD: &str = "-- Sources\n-- severity: warning\n--\n-- Why.\n--\n-- remedy: None.\n";

/// Loads rules from files of these names and texts.
fn load(files: &[(&str, &str)]) -> Result<Vec<Rule>, RuleError> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    rule::load_folder(folder.path(), "lint").and_then(|rules| rule::together(vec![rules]))
}

/// A rule with a whole head and this SELECT, loaded.
fn rule(name: &str, select: &str) -> Rule {
    load(&[(&format!("{name}.sql"), &format!("{HEAD}{select}"))]).unwrap().remove(0)
}

/// What the loader says of a rule with a whole head and this SELECT.
fn refusal(select: &str) -> String {
    load(&[("a-rule.sql", &format!("{HEAD}{select}"))]).unwrap_err().to_string()
}

/// Facts with two files and a site in each: site 1 in b.rs, site 2 in a.rs.
fn two_sites() -> Facts {
    let facts = Facts::new().unwrap();
    for (id, path) in [(1_i64, "b.rs"), (2, "a.rs")] {
        facts.insert("source", [("id", &id as &dyn ToSql), ("path", &path)]).unwrap();
        let mut sites = facts.table("site", ["id", "source", "start", "end", "line", "column"]).unwrap();
        sites.insert([&id, &id, &10, &20, &2, &1]).unwrap();
    }
    facts.freeze().unwrap();
    facts
}

fn judge(rules: &[Rule]) -> Result<Vec<Finding>, RuleError> {
    rule::judge(rules, Stage::Facts, &[], &mut two_sites(), |finding| Some(finding.severity))
}

#[test]
fn the_rules_that_come_with_planlint_load() {
    let rules = rule::together(vec![rule::builtin().unwrap()]).unwrap();
    rule::check(&rules).unwrap();
    assert!(rules.iter().any(|rule| rule.name == "growing-table-scan"));
}

#[test]
fn the_rules_that_come_with_planlint_find_nothing_where_there_is_nothing() {
    let rules = rule::builtin().unwrap();
    assert_eq!(judge(&rules).unwrap(), []);
}

#[test]
fn a_slip_of_the_pen_is_an_error_at_its_line() {
    for (select, said) in [
        ("SELECT site, 'm' AS message FROM scna", "lint/a-rule.sql:7: no such table: scna"),
        ("SELECT site,\n'm' AS message\nFROM scan WHERE oops", "lint/a-rule.sql:9: no such column: oops"),
        ("SELECT site, 'm' AS message FORM scan", "lint/a-rule.sql:7: near \"FORM\": syntax error"),
        ("SELECT site, 'm' AS mesage FROM scan", "lint/a-rule.sql:7: a rule can't return a column `mesage`"),
        ("SELECT site FROM scan", "lint/a-rule.sql:7: it returns no column `message`"),
        (
            "SELECT 'm' AS message, statement FROM scan",
            "lint/a-rule.sql:7: it returns neither `site` nor `object`",
        ),
        ("SELECT site, site, 'm' AS message FROM scan", "lint/a-rule.sql:7: it returns `site` twice"),
        ("SELECT site, ?1 AS message FROM scan", "lint/a-rule.sql:7: a rule has no parameters"),
        (
            "SELECT 1 AS site, 'm' AS message; SELECT 2",
            "lint/a-rule.sql:7: a rule is one SELECT, and this is more",
        ),
        ("EXPLAIN SELECT 1", "lint/a-rule.sql:7: a rule is one SELECT"),
        ("", "lint/a-rule.sql:7: a rule is one SELECT"),
        ("DELETE FROM finding RETURNING site, message", "lint/a-rule.sql:7: a rule may only read the facts"),
        ("PRAGMA query_only = OFF", "lint/a-rule.sql:7: a rule may only read the facts"),
        ("ATTACH 'x.db' AS x", "lint/a-rule.sql:7: a rule may only read the facts"),
    ] {
        let found = refusal(select);
        assert!(found.starts_with(said), "{select}\n    {found}");
    }
}

#[test]
fn a_head_that_is_not_whole_is_an_error_at_its_line() {
    let text = "-- Sources\n-- severity: grave\n--\n-- Why.\nSELECT 1 AS site, 'm' AS message";
    let error = load(&[("a-rule.sql", text)]).unwrap_err();
    assert_eq!(error.to_string(), "lint/a-rule.sql:2: `grave` is no severity: note, warning or error");
}

#[test]
fn the_name_of_a_rule_is_its_file() {
    let error = load(&[("A_rule.sql", HEAD)]).unwrap_err();
    assert!(error.to_string().starts_with("lint/A_rule.sql:1: `A_rule` is no name for a rule"), "{error}");
}

#[test]
fn what_a_rule_yields_to_must_be_there_and_not_yield_back() {
    let yielding = |to: &str| {
        HEAD.replace("--\n-- Why", &format!("-- yields-to: {to}\n--\n-- Why"))
            + "SELECT 1 AS site, 'm' AS message"
    };
    let error = load(&[("a.sql", &yielding("b"))]).unwrap_err();
    assert_eq!(error.to_string(), "lint/a.sql:1: it yields to `b`, and there is no such rule");
    let error = load(&[("a.sql", &yielding("b")), ("b.sql", &yielding("a"))]).unwrap_err();
    assert_eq!(error.to_string(), "lint/a.sql:1: it yields to itself, at once or by way of others");
}

#[test]
fn two_rules_of_one_name_are_an_error() {
    let first = rule("a", "SELECT 1 AS site, 'm' AS message");
    let error = rule::together(vec![vec![first.clone()], vec![first]]).unwrap_err();
    assert_eq!(error.to_string(), "lint/a.sql:1: lint/a.sql is a rule of this name already");
}

#[test]
fn a_rule_of_the_users_own_has_no_name_of_one_that_comes_with_planlint() {
    let own = rule("growing-table-scan", "SELECT 1 AS site, 'm' AS message");
    let error = rule::together(vec![rule::builtin().unwrap(), vec![own]]).unwrap_err();
    let said = "lint/growing-table-scan.sql:1: planlint has a rule `growing-table-scan` already: give yours another name";
    assert_eq!(error.to_string(), said);
}

#[test]
fn the_list_of_rules_names_the_file_of_those_of_the_users_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/own-rule");
    let list = list_rules(&CheckRequest::new(root)).unwrap();
    assert_eq!(list.len(), rule::builtin().unwrap().len() + 1);
    for line in list {
        let file = if line.place == "deleted-row-read" { "lint/deleted-row-read.sql" } else { "" };
        assert_eq!(line.columns[2], file, "{}", line.place);
    }
}

#[test]
fn findings_are_ordered_by_place_whatever_the_rule_returns() {
    let rules = [rule("a", "SELECT id AS site, 'second' AS message FROM site ORDER BY id"), {
        rule("b", "SELECT id AS site, 'first' AS message FROM site ORDER BY id")
    }];
    let found = judge(&rules).unwrap();
    let order: Vec<_> = found.iter().map(|finding| (finding.site.unwrap(), finding.rule.as_str())).collect();
    assert_eq!(order, [(2, "a"), (2, "b"), (1, "a"), (1, "b")]);
}

#[test]
fn a_finding_has_all_that_its_row_says() {
    let select = "SELECT 1 AS site, 'table:blocks' AS object, 3 AS statement, 4 AS database, 5 AS variant, \
        'blocks' AS \"table\", 'it grows' AS message, 'bound it' AS help, 'error' AS severity, \
        json_array(json_object('site', 2, 'message', 'here'), json_object('site', NULL, 'message', 'nowhere')) AS related";
    let expected = Finding {
        rule: "a".to_owned(),
        severity: Severity::Error,
        site: Some(1),
        object: Some(("table".to_owned(), "blocks".to_owned())),
        statement: Some(3),
        database: Some(4),
        variant: Some(5),
        table: Some("blocks".to_owned()),
        message: "it grows".to_owned(),
        help: Some("bound it".to_owned()),
        obstacle: None,
        effect: None,
        foreign_key: None,
        related: vec![(2, "here".to_owned())],
        effects: Vec::new(),
    };
    assert_eq!(judge(&[rule("a", select)]).unwrap(), [expected]);
}

#[test]
fn a_row_that_is_no_finding_is_an_error_of_the_rule() {
    for (select, said) in [
        ("SELECT 1 AS site, NULL AS message", "it returned a row without a `message`"),
        ("SELECT NULL AS site, 'm' AS message", "it returned a row with neither `site` nor `object`"),
        ("SELECT 'here' AS site, 'm' AS message", "its column `site`: "),
        ("SELECT 'blocks' AS object, 'm' AS message", "its column `object` is `blocks`"),
        ("SELECT 1 AS site, 'm' AS message, 'grave' AS severity", "`grave` is no severity"),
        ("SELECT 1 AS site, 'm' AS message, '[' AS related", "its column `related` is no JSON array"),
    ] {
        let error = judge(&[rule("a", select)]).unwrap_err();
        assert!(error.message.starts_with(said), "{error}");
    }
}

/// Three rules of which `weak` yields to `middle`, and that to `strong`; each says so of these statements.
fn yielding(strong: &str, middle: &str, weak: &str) -> Vec<Rule> {
    let text = |name: &str, yields: &str, statements: &str| {
        let head = HEAD.replace("--\n-- Why", &format!("{yields}--\n-- Why"));
        format!(
            "{head}SELECT 1 AS site, value AS statement, 'Blocks' AS \"table\", '{name}' AS message \
             FROM json_each('[{statements}]')"
        )
    };
    load(&[
        ("weak.sql", &text("weak", "-- yields-to: middle\n", weak)),
        ("middle.sql", &text("middle", "-- yields-to: strong\n", middle)),
        ("strong.sql", &text("strong", "", strong)),
    ])
    .unwrap()
}

#[test]
fn the_strongest_rule_stays_and_the_others_become_its_related_lines() {
    let found = judge(&yielding("7", "7", "7")).unwrap();
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(finding.rule, "strong");
    assert_eq!(finding.related, [(1, "middle".to_owned()), (1, "weak".to_owned())]);
}

#[test]
fn a_rule_yields_only_where_the_other_found_something() {
    let found = judge(&yielding("", "", "7")).unwrap();
    assert_eq!(found.iter().map(|finding| finding.rule.as_str()).collect::<Vec<_>>(), ["weak"]);
}

#[test]
fn what_is_found_of_no_statement_stands_for_what_is_found_where_it_points() {
    let cause = |statement: &str| {
        format!(
            "{HEAD}SELECT 2 AS site, {statement} AS statement, 'index:by_name' AS object, 'cause' AS message, \
             json_array(json_object('site', 1, 'message', 'named')) AS related"
        )
    };
    let effect = HEAD.replace("--\n-- Why", "-- yields-to: cause\n--\n-- Why")
        + "SELECT 1 AS site, 7 AS statement, 'Blocks' AS \"table\", 'effect' AS message";
    let found = |statement: &str| {
        let rules = load(&[("cause.sql", &cause(statement)), ("effect.sql", &effect)]).unwrap();
        let found = judge(&rules).unwrap();
        found.into_iter().map(|finding| (finding.message, finding.related)).collect::<Vec<_>>()
    };
    let named = vec![(1, "named".to_owned())];
    assert_eq!(found("NULL"), [("cause".to_owned(), named.clone())]);
    assert_eq!(found("8"), [("cause".to_owned(), named), ("effect".to_owned(), vec![])]);
}

#[test]
fn branches_of_one_statement_are_one_finding() {
    let found = judge(&yielding("7, 8, 9", "", "")).unwrap();
    assert_eq!(found.len(), 1);
}

#[test]
fn a_finding_does_not_yield_to_one_that_the_user_has_dropped() {
    let rules = yielding("7", "7", "");
    let found = rule::judge(&rules, Stage::Facts, &[], &mut two_sites(), |finding| {
        (finding.rule != "strong").then_some(Severity::Note)
    })
    .unwrap();
    assert_eq!(
        found.iter().map(|finding| (finding.rule.as_str(), finding.severity)).collect::<Vec<_>>(),
        [("middle", Severity::Note)]
    );
}
