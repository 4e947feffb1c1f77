//! What is SQL, what makes schema, and which statements are the same.

use super::*;

#[test]
fn schema_may_be_made_behind_other_statements() {
    for text in
        ["create table a (b)", "BEGIN; CREATE TABLE a (b); COMMIT", "pragma x = 1;\n-- one\nDROP TABLE a"]
    {
        assert!(makes_schema(text), "{text}");
    }
    for text in
        ["insert into a values ('; create table b (c)')", "select 1; select b from created", "-- create;"]
    {
        assert!(!makes_schema(text), "{text}");
    }
}

#[test]
fn sentences_that_begin_with_a_verb_are_no_start_of_sql() {
    for text in
        ["SELECT ", "select a, b", "DELETE ", "insert into ", "BEGIN", "begin immediate", "WITH x AS ("]
    {
        assert!(is_likely(text), "{text}");
    }
    for text in ["end", "release", "Select a color", "select", "Begin round {} of {}", "with what it has"] {
        assert!(!is_likely(text), "{text}");
    }
}

#[test]
fn prose_is_not_sql() {
    assert_eq!(looks("Select coins until the amount is reached"), Looks::Perhaps);
    for selector in ["select:not([disabled])", "select[multiple]", "select.wide > option", "select-one"] {
        assert_eq!(looks(selector), Looks::No, "{selector}");
    }
    assert_eq!((looks("SELECT:a"), looks("select[id]from[t]")), (Looks::Yes, Looks::Yes));
    assert_eq!(looks("update new, valid"), Looks::No);
    assert_eq!(looks("delete the file"), Looks::No);
    assert_eq!(looks("create a table"), Looks::No);
    for prose in [
        "CREATE TABLE statements are refused",
        "create table if not exists is wanted",
        "create table .*?",
        "drop table [t] failed: %s",
        "create index [t_a] failed: %s",
    ] {
        assert_eq!(looks(prose), Looks::No, "{prose}");
    }
    for begun in [
        "CREATE TABLE",
        "CREATE TABLE parcels ",
        "create index i on t",
        "create table t as select 1",
        "create table temp.t(a)",
        "drop table if exists [t];",
        "DROP TABLE t CASCADE",
        "CREATE TABLE \"\"t\"\" AS SELECT 1",
    ] {
        assert_eq!(looks(begun), Looks::Yes, "{begun}");
    }
    assert_eq!(looks("with care"), Looks::No);
}

#[test]
fn sql_is_sql_behind_comments_and_parentheses() {
    assert_eq!(looks("  -- the tip\n /* x */ (select a from b)"), Looks::Yes);
    assert_eq!(looks("WITH x AS (SELECT 1) DELETE FROM y"), Looks::Yes);
    assert_eq!(looks("insert or ignore into t values (1)"), Looks::Yes);
    assert_eq!(looks("INSERT {'OR IGNORE ' if x else ''}INTO t VALUES (1)"), Looks::Yes);
    assert_eq!(looks("insert {name} into the slot"), Looks::No);
    assert_eq!(looks("commit"), Looks::Perhaps);
    assert!(may_start("\n\tCREATE UNIQUE INDEX i ON t(a)"));
    assert!(!may_start("https://") && !may_start("\\") && !may_start("\\n"));
    assert!(may_start("-- first\\n SELECT 1") && !may_start("-- first\\n selected"));
    assert!(may_start("\\n  SELECT 1") && may_start("\\\n  \\t SELECT 1"));
    for verb in VERBS {
        let follows = ["", " into t", " from t", " t set a = 1", " table t", " x as (select 1)"];
        assert!(follows.iter().any(|rest| looks(&format!("{verb}{rest}")) != Looks::No), "{verb}");
    }
}

#[test]
fn a_key_survives_reformatting() {
    let a = key("SELECT a, b\n  FROM t -- all\n WHERE x = :height AND y = 'it  s';");
    let b = key("SELECT a,b FROM t WHERE x=?1 AND y='it  s'");
    assert_eq!(a, b);
    assert_eq!(a, key("select A, b from T where X = $height and y = 'it  s'"));
    assert_ne!(a, key("select a, b from t where x = $height and y = 'It  s'"));
    assert_ne!(a, key("SELECT a,b FROM t WHERE x=?1 AND y='its'"));
    assert_eq!(key("SELECT \u{1} FROM t"), "select?from t");
}
