//! Conditions read back as they are understood: each operator with its parts in brackets.

use super::{Condition, Expression, Form, conditions};

fn shown(sql: &str, expression: &Expression) -> String {
    let all = |parts: &[Expression]| parts.iter().map(|part| shown(sql, part)).collect::<Vec<_>>().join(" ");
    match &expression.form {
        Form::Column { qualifier, name, .. } => {
            qualifier.as_ref().map_or_else(|| name.clone(), |table| format!("{table}.{name}"))
        }
        Form::Unary(sign, of) => format!("[{sign} {}]", shown(sql, of)),
        Form::Binary(operator, left, right) => {
            format!("[{} {operator} {}]", shown(sql, left), shown(sql, right))
        }
        Form::Between { negated, of, low, high } => {
            format!("[{} between {negated} {} {}]", shown(sql, of), shown(sql, low), shown(sql, high))
        }
        Form::In { negated, of, list } => {
            let list = list.as_ref().map_or_else(|| "query".to_owned(), |list| all(list));
            format!("[{} in {negated} {list}]", shown(sql, of))
        }
        Form::Call(name, arguments) => format!("{name}[{}]", all(arguments)),
        Form::Cast(of, kind) => format!("[{} as {kind}]", shown(sql, of)),
        Form::Collate(of, name) => format!("[{} by {name}]", shown(sql, of)),
        Form::Other(parts) => format!("other[{}]", all(parts)),
        Form::Subquery => "query".to_owned(),
        Form::Null => "null".to_owned(),
        Form::Number | Form::Text | Form::Blob | Form::Parameter => expression.text(sql).to_owned(),
    }
}

fn read(sql: &str) -> Vec<String> {
    let show = |one: &Condition| {
        let down = if one.descending { " down" } else { "" };
        format!("{} {}{down}", one.query, shown(sql, &one.expression))
    };
    conditions(sql).iter().map(show).collect()
}

/// The conditions of a WHERE.
fn conditions_of(text: &str) -> Vec<String> {
    let found = read(&format!("SELECT * FROM t WHERE {text}"));
    found.iter().map(|one| one.trim_start_matches("0 ").to_owned()).collect()
}

#[test]
fn operators_bind_as_sqlite_has_it() {
    assert_eq!(conditions_of("a = 1 AND (b OR c) AND d"), ["[a = 1]", "[b OR c]", "d"]);
    assert_eq!(conditions_of("NOT a = 1 OR b"), ["[[NOT [a = 1]] OR b]"]);
    assert_eq!(conditions_of("a + 1 * 2 > -b || c"), ["[[a + [1 * 2]] > [[- b] || c]]"]);
    assert_eq!(conditions_of("a == b <> c < d"), ["[[a = b] <> [c < d]]"]);
    assert_eq!(conditions_of("a ->> '$.b' != x'00'"), ["[[a ->> '$.b'] <> x'00']"]);
    assert_eq!(conditions_of("a = b COLLATE nocase"), ["[a = [b by nocase]]"]);
}

#[test]
fn tests_are_understood_with_their_not() {
    assert_eq!(conditions_of("a BETWEEN 1 AND 2 AND b NOT BETWEEN ? AND c + 1").len(), 2);
    assert_eq!(conditions_of("a IS NOT DISTINCT FROM 1"), ["[a IS 1]"]);
    assert_eq!(
        conditions_of("a IS NOT NULL AND b NOTNULL AND c NOT NULL AND d ISNULL"),
        ["[a IS NOT null]", "[b IS NOT null]", "[c IS NOT null]", "[d IS null]"]
    );
    assert_eq!(conditions_of("a NOT LIKE 'x' ESCAPE '!' AND b"), ["[a NOT LIKE 'x']", "b"]);
    assert_eq!(conditions_of("a IN (1, ?) AND b NOT IN (SELECT c FROM u WHERE d)").len(), 3);
    assert_eq!(conditions_of("a IN u"), ["[a in false query]"]);
}

#[test]
fn functions_casts_and_cases_keep_their_parts() {
    assert_eq!(conditions_of("lower(t.a) = f()"), ["[lower[t.a] = f[]]"]);
    assert_eq!(conditions_of("CAST(a AS VARCHAR (3)) = 1"), ["[[a as VARCHAR ( 3 )] = 1]"]);
    assert_eq!(conditions_of("CASE a WHEN 1 THEN b ELSE c END = 1"), ["[other[a 1 b c] = 1]"]);
    assert_eq!(conditions_of("(a, b) > (?, ?)"), ["[other[a b] > other[? ?]]"]);
}

#[test]
fn each_query_has_its_own() {
    let sql = "SELECT (SELECT max(x) FROM u WHERE y = 1) FROM t JOIN v ON t.a = v.a WHERE b ORDER BY c DESC, d NULLS LAST";
    assert_eq!(read(sql), ["1 [y = 1]", "0 [t.a = v.a]", "0 b", "0 c down", "0 d"]);
    assert_eq!(read("INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1 WHERE c"), ["1 c"]);
    assert!(read("SELECT sum(a) FILTER (WHERE b) OVER (ORDER BY c) FROM t").is_empty());
    assert!(read("SELECT * FROM t WHERE WHERE").is_empty());
}

#[test]
fn the_place_of_an_expression_is_all_of_it() {
    let sql = "SELECT * FROM t WHERE ( lower( a ) ) = ( ? ) AND b=1";
    let found = conditions(sql);
    assert_eq!(found[0].expression.text(sql), "( lower( a ) ) = ( ? )");
    let parts = found[0].expression.parts();
    assert_eq!([parts[0].text(sql), parts[1].text(sql)], ["( lower( a ) )", "( ? )"]);
    assert_eq!(found[1].expression.text(sql), "b=1");
}

#[test]
fn what_is_too_deep_is_left_out() {
    let deep = format!("SELECT * FROM t WHERE {}a{}", "(".repeat(100), ")".repeat(100));
    assert!(conditions(&deep).is_empty());
}
