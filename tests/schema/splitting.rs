//! Where the statements of a text begin and end.

use planlint::schema::Live;

fn split(text: &str) -> Vec<&str> {
    Live::split(text).into_iter().map(|(start, end)| &text[start..end]).collect()
}

#[test]
fn statements_are_cut_at_semicolons_without_them() {
    assert_eq!(split("SELECT 1; SELECT 2 ;\n\n;;SELECT 3"), ["SELECT 1", "SELECT 2", "SELECT 3"]);
    assert_eq!(split(" \n\t"), [""; 0]);
    assert_eq!(split(";;;"), [""; 0]);
    assert_eq!(split("-- nothing but a comment"), [""; 0]);
}

#[test]
fn comments_around_a_statement_are_no_part_of_it() {
    let text =
        "-- first; not here\nSELECT 1 -- the end; or not\n; /* a; b */ SELECT /* c; d */ 2 /* e */; -- f";
    assert_eq!(split(text), ["SELECT 1", "SELECT /* c; d */ 2"]);
    assert_eq!(split("SELECT 1 /* never closed; SELECT 2"), ["SELECT 1"]);
}

#[test]
fn semicolons_in_strings_and_names_do_not_cut() {
    let text = "SELECT 'a;''b', \"c;d\", `e;f`, [g;h], x'3B', $i::j(k;l); SELECT 2";
    assert_eq!(split(text).len(), 2);
    assert_eq!(split("SELECT 'never closed; SELECT 2"), ["SELECT 'never closed; SELECT 2"]);
}

#[test]
fn the_body_of_a_trigger_is_not_cut() {
    let trigger = "CREATE TRIGGER tr AFTER INSERT ON t WHEN new.a IN (1; 2) BEGIN
        UPDATE t SET b = CASE WHEN a THEN 1 ELSE 2 END; -- END;
        SELECT 'END;';
        DELETE FROM t;
    END";
    let trigger = trigger.replace("(1; 2)", "(1, 2)");
    for create in
        ["CREATE TRIGGER", "create temp trigger", "CREATE TEMPORARY TRIGGER", "EXPLAIN CREATE TRIGGER"]
    {
        let one = trigger.replacen("CREATE TRIGGER", create, 1);
        assert_eq!(split(&format!("{one};\nSELECT 1;")), [one.as_str(), "SELECT 1"]);
        assert_eq!(split(&one), [one.as_str()]);
    }
}

#[test]
fn a_case_ends_no_statement() {
    assert_eq!(split("SELECT CASE a WHEN 1 THEN 2 END FROM t; SELECT 2").len(), 2);
    assert_eq!(split("BEGIN; SELECT 1; END; SELECT 2").len(), 4);
    assert_eq!(split("CREATE TABLE trigger_begin(a); BEGIN; INSERT INTO t VALUES(1); COMMIT").len(), 4);
}

#[test]
fn a_trigger_that_is_not_closed_does_not_swallow_what_follows() {
    let text = "CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; CREATE TABLE b(c); SELECT 2";
    assert_eq!(split(text)[1..], ["CREATE TABLE b(c)", "SELECT 2"]);
    assert_eq!(split("CREATE TRIGGER a; SELECT 1"), ["CREATE TRIGGER a", "SELECT 1"]);
}

#[test]
fn byte_order_marks_and_commands_of_the_shell_are_passed_over() {
    let text = "\u{feff}.headers on\nSELECT 1;\n.mode csv; really\nSELECT 2 .5;\n.quit";
    assert_eq!(split(text), ["SELECT 1", "SELECT 2 .5"]);
    assert_eq!(split("\u{feff}SELECT 'ä;ö'; SELECT '€'"), ["SELECT 'ä;ö'", "SELECT '€'"]);
}

#[test]
fn numbers_with_signs_and_dots_are_single_tokens() {
    assert_eq!(split("SELECT 1e-5, 0x1e-5, .5, 5., 1_000;SELECT 2").len(), 2);
}
