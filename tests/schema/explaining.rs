//! What a statement reads and writes, and which table each step of its plan is on.

use super::{made_by, made_with};
use planlint::plan::{Op, Step};
use planlint::schema::{Explained, Live, Settings, StatementKind, WriteAction};

const SCHEMA: &str =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c); CREATE INDEX ta ON t(a); CREATE INDEX tbc ON t(b, c);
    CREATE TABLE u(id INTEGER PRIMARY KEY, a, b UNIQUE, t_id INTEGER REFERENCES t(id) ON DELETE CASCADE);
    CREATE INDEX ut ON u(t_id);
    CREATE TABLE w(k, v, n NOT NULL UNIQUE, PRIMARY KEY(k, v)) WITHOUT ROWID;
    CREATE TABLE n(x INTEGER, y INTEGER);
    CREATE VIRTUAL TABLE f USING fts5(x, y); CREATE VIRTUAL TABLE g USING fts5(x);
    CREATE VIEW v AS SELECT t.a, z.b FROM t JOIN u AS z ON z.t_id = t.id;
    CREATE VIEW grouped AS SELECT a, count(*) AS k FROM t GROUP BY a;
    CREATE TRIGGER tr AFTER UPDATE OF a ON t BEGIN
      INSERT INTO n VALUES(new.id, new.a); DELETE FROM w WHERE k = new.b; UPDATE n SET y = 1 WHERE x = new.id;
    END;
    CREATE TABLE child(p INTEGER REFERENCES t(id) ON DELETE SET NULL);
    CREATE TEMP TABLE tt(a, b); CREATE TABLE log(a);
    CREATE TRIGGER emptying AFTER INSERT ON log BEGIN DELETE FROM n; END;";

fn live() -> Live {
    made_with(&Settings { foreign_keys: true, ..Settings::default() }, SCHEMA)
}

fn explain(sql: &str) -> Explained {
    live().explain(sql).expect(sql)
}

/// The steps that read something, as `printed name: table`.
fn tables(sql: &str) -> Vec<String> {
    let reads = |step: &&Step| {
        matches!(
            step.op,
            Op::Scan | Op::Search | Op::VirtualScan { .. } | Op::InIndex | Op::RightJoin | Op::MultiIndexOr
        )
    };
    let named = |step: &Step| {
        let (name, table) = (step.name.as_deref().unwrap_or("-"), step.table.as_deref().unwrap_or("?"));
        format!("{name}: {table}")
    };
    explain(sql).plan.steps.iter().filter(reads).map(named).collect()
}

#[test]
fn aliases_are_the_tables_behind_them() {
    assert_eq!(tables("SELECT * FROM n AS t JOIN t AS n ON n.id = t.x"), ["t: n", "n: t"]);
    assert_eq!(tables("SELECT * FROM t AS \"u b\" WHERE a = 1"), ["u b: t"]);
    assert_eq!(tables("SELECT * FROM main.n, temp.tt"), ["main.n: n", "temp.tt: tt"]);
    assert_eq!(tables("UPDATE t AS x SET b = 1 WHERE x.c = 2"), ["x: t"]);
    assert_eq!(tables("DELETE FROM w AS x WHERE x.v = 2"), ["x: w"]);
}

#[test]
fn a_self_join_is_the_same_table_twice() {
    assert_eq!(tables("SELECT * FROM n p JOIN n q ON p.x = q.y"), ["p: n", "q: n"]);
    assert_eq!(
        tables("SELECT * FROM t p, t q, t r WHERE p.id = q.a AND q.id = r.b"),
        ["r: t", "q: t", "p: t"]
    );
}

#[test]
fn views_are_the_tables_they_read_or_nothing_of_their_own() {
    assert_eq!(tables("SELECT * FROM v WHERE b = ?"), ["z: u", "t: t"]);
    assert_eq!(tables("SELECT * FROM grouped WHERE k > 1"), ["t: t", "grouped: ?"]);
    let through: Vec<_> =
        explain("SELECT b FROM v").reads.into_iter().filter(|read| read.table == "u").collect();
    assert!(through.iter().all(|read| read.through.as_deref() == Some("v")), "{through:?}");
}

#[test]
fn common_table_expressions_and_subqueries_are_no_tables() {
    let sql = "WITH t AS MATERIALIZED (SELECT y FROM n) SELECT * FROM t p JOIN t q ON p.y = q.y";
    assert_eq!(tables(sql), ["n: n", "p: ?", "q: ?"]);
    let sql = "SELECT * FROM (SELECT * FROM t ORDER BY a LIMIT 5) s JOIN n ON n.x = s.id";
    assert_eq!(tables(sql), ["t: t", "s: ?", "n: n"]);
    assert_eq!(tables("SELECT rank() OVER (ORDER BY y) FROM n"), ["n: n", "(subquery-2): ?"]);
    assert_eq!(tables("SELECT * FROM (VALUES(1), (2)) s JOIN t ON t.id = s.column1"), ["t: t"]);
}

#[test]
fn recursive_rows_are_no_table_and_what_they_join_is_one() {
    let sql = "WITH RECURSIVE t(i) AS (SELECT id FROM main.t WHERE a = 1 UNION ALL SELECT u.id FROM t JOIN u ON u.t_id = t.i)
               SELECT * FROM t";
    assert_eq!(tables(sql), ["main.t: t", "t: ?", "u: u", "t: ?"]);
    let sql = "WITH RECURSIVE c(i) AS (SELECT 1 UNION SELECT y FROM c, n WHERE n.x = c.i) SELECT * FROM c JOIN t ON t.id = c.i";
    assert_eq!(tables(sql), ["c: ?", "n: n", "t: t", "c: ?"]);
    let sql = "WITH RECURSIVE c(i) AS (VALUES(1) UNION SELECT i + 1 FROM c WHERE i < 5) INSERT INTO n SELECT i, i FROM c";
    assert_eq!(tables(sql), ["c: ?", "c: ?"]);
}

#[test]
fn subqueries_within_a_search_are_told_from_it() {
    let sql = "SELECT * FROM t WHERE id = (SELECT y FROM n WHERE x = (SELECT max(b) FROM u))";
    assert_eq!(tables(sql), ["t: t", "n: n", "u: u"]);
    assert_eq!(tables("SELECT * FROM t WHERE a IN (SELECT y FROM n)"), ["t: t", "n: n"]);
    assert_eq!(tables("SELECT * FROM t WHERE a IN (1, 2, ?) AND b IN (SELECT k FROM w)"), ["t: t", "-: w"]);
    assert_eq!(tables("SELECT (SELECT max(b) FROM u WHERE u.a = t.a) FROM t"), ["t: t", "u: u"]);
    assert_eq!(
        tables("SELECT * FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id)"),
        ["t: t", "u: u"]
    );
}

#[test]
fn an_index_probed_for_an_in_belongs_to_its_own_table() {
    assert_eq!(tables("SELECT * FROM t WHERE a IN (SELECT b FROM u)"), ["t: t", "-: u"]);
    assert_eq!(tables("SELECT * FROM n WHERE x IN (SELECT id FROM t)"), ["n: n", "t: t"]);
}

#[test]
fn arms_of_an_or_and_right_joins_are_on_their_table() {
    assert_eq!(tables("SELECT * FROM t z WHERE a = 1 OR b = 2 OR id = 3"), ["-: t", "z: t", "z: t", "z: t"]);
    let sql = "SELECT * FROM t z WHERE a IN (SELECT b FROM u) OR b = 3";
    assert_eq!(tables(sql), ["-: t", "-: u", "z: t", "z: t"]);
    assert_eq!(tables("SELECT * FROM n p RIGHT JOIN u q ON p.x = q.a"), ["p: n", "q: u", "u: u", "q: u"]);
    assert_eq!(tables("SELECT * FROM n p LEFT JOIN w q ON q.k = p.y"), ["p: n", "q: w"]);
    assert_eq!(tables("SELECT * FROM n p LEFT JOIN n q ON p.x = q.y"), ["p: n", "q: n"]);
}

#[test]
fn compounds_are_resolved_on_each_side() {
    assert_eq!(tables("SELECT a FROM t UNION SELECT b FROM u ORDER BY 1"), ["t: t", "u: u"]);
    assert_eq!(
        tables("SELECT a FROM t UNION ALL SELECT x FROM n EXCEPT SELECT k FROM w"),
        ["t: t", "n: n", "w: w"]
    );
    assert!(explain("SELECT a FROM t UNION SELECT b FROM u").compound);
    assert!(!explain("SELECT a FROM t").compound);
}

#[test]
fn virtual_tables_and_table_functions_are_named() {
    assert_eq!(tables("SELECT * FROM f z, g q WHERE z.x MATCH ? AND q.rowid = z.rowid"), ["z: f", "q: g"]);
    assert_eq!(tables("SELECT * FROM f p, f q WHERE p.x MATCH ? AND q.rowid = p.rowid"), ["p: f", "q: f"]);
    assert_eq!(tables("SELECT * FROM t, json_each(t.a) AS j WHERE j.value = 1"), ["t: t", "j: json_each"]);
    assert_eq!(tables("SELECT value FROM generate_series(1, 10) AS s"), ["s: generate_series"]);
    assert_eq!(tables("SELECT name FROM pragma_table_info('t')"), ["pragma_table_info: pragma_table_info"]);
    assert!(explain("SELECT * FROM f WHERE f MATCH ?").reads.iter().all(|read| read.table == "f"));
}

#[test]
fn min_max_and_count_are_on_their_table() {
    assert_eq!(tables("SELECT min(y) FROM n AS z"), ["z: n"]);
    assert_eq!(tables("SELECT count(*) FROM w AS z"), ["w: w"]);
    assert_eq!(tables("SELECT max(a) FROM (SELECT DISTINCT a FROM t LIMIT 10)"), ["t: t", "(subquery-1): ?"]);
}

#[test]
fn triggers_and_foreign_key_actions_are_resolved_in_their_programs() {
    assert_eq!(tables("UPDATE t SET a = ? WHERE id = ?"), ["t: t", "w: w", "n: n"]);
    let deletes = tables("DELETE FROM t WHERE id = ?");
    assert_eq!(deletes, ["t: t", "child: child", "u: u", "child: child", "u: u"]);
    let off = made_by(SCHEMA).explain("DELETE FROM t WHERE id = ?").unwrap();
    assert_eq!(off.plan.steps.len(), 1);
    let updates = explain("UPDATE t SET a = n.y FROM n WHERE n.x = t.id");
    let through = |table: &str| {
        let of = |write: &&planlint::schema::Write| write.table == table;
        updates
            .writes
            .iter()
            .filter(of)
            .map(|write| (write.action.clone(), write.through.clone()))
            .collect::<Vec<_>>()
    };
    let tr = Some("tr".to_owned());
    assert_eq!(through("t"), [(WriteAction::Update("a".to_owned()), None)]);
    assert_eq!(through("w"), [(WriteAction::Delete, tr.clone())]);
    assert_eq!(through("n"), [(WriteAction::Insert, tr.clone()), (WriteAction::Update("y".to_owned()), tr)]);
}

#[test]
fn what_a_foreign_key_writes_is_told_without_a_name() {
    let writes = explain("DELETE FROM t WHERE id = ?").writes;
    let found: Vec<_> = writes.iter().map(|write| (write.table.as_str(), write.through.is_none())).collect();
    assert_eq!(found, [("t", true), ("child", true), ("u", true)]);
}

#[test]
fn kinds_parameters_columns_and_functions_are_told() {
    let one = explain("INSERT OR REPLACE INTO n VALUES(?, abs(:y)) RETURNING x, lower(y)");
    assert_eq!((one.kind, one.readonly, one.columns), (StatementKind::Replace, false, 2));
    assert_eq!(one.parameters, [None, Some(":y".to_owned())]);
    assert_eq!(one.functions, ["abs", "lower"]);
    let two = explain("SELECT *, a LIKE ?3 FROM t WHERE b = $b");
    assert_eq!((two.kind, two.readonly, two.columns), (StatementKind::Select, true, 5));
    assert_eq!(two.parameters, [None, None, Some("?3".to_owned()), Some("$b".to_owned())]);
    assert_eq!(two.functions, ["like"]);
    let kinds = [
        ("VALUES(1)", StatementKind::Select),
        ("WITH c AS (SELECT 1) DELETE FROM n", StatementKind::Delete),
        ("CREATE INDEX z ON n(x)", StatementKind::Ddl),
        ("DROP TABLE n", StatementKind::Ddl),
        ("PRAGMA user_version", StatementKind::Pragma),
        ("SAVEPOINT s", StatementKind::Transaction),
        ("ATTACH ? AS z", StatementKind::Other),
        ("VACUUM", StatementKind::Other),
        ("EXPLAIN QUERY PLAN UPDATE n SET x = 1", StatementKind::Update),
        ("EXPLAIN SELECT 1", StatementKind::Select),
    ];
    let mut live = live();
    for (sql, kind) in kinds {
        assert_eq!(live.explain(sql).unwrap().kind, kind, "{sql}");
    }
}

#[test]
fn explaining_changes_nothing() {
    let mut live = live();
    let before = live.objects().unwrap();
    for sql in [
        "DROP TABLE t",
        "CREATE TABLE z(a)",
        "INSERT INTO n VALUES(1, 2)",
        "BEGIN",
        "ALTER TABLE n ADD z",
        "ANALYZE",
    ] {
        live.explain(sql).unwrap();
    }
    assert_eq!(live.objects().unwrap(), before);
    assert!(live.connection().unwrap().is_autocommit());
}

#[test]
fn the_tail_is_what_follows_the_first_statement() {
    let tail = |sql: &str| sql[live().explain(sql).unwrap().tail..].to_owned();
    assert_eq!(tail("SELECT 1; SELECT 2"), "SELECT 2");
    assert_eq!(tail("SELECT 1 ; ; -- done\n /* really */ ;"), "");
    assert_eq!(tail("SELECT 1"), "");
    assert_eq!(tail("-- first\nSELECT ';' -- one\n;\n-- second\nDELETE FROM n;"), "DELETE FROM n;");
    assert_eq!(tail("CREATE TRIGGER z AFTER INSERT ON n BEGIN SELECT 1; END; SELECT 2"), "SELECT 2");
    let mut live = live();
    assert!(live.explain(" -- nothing\n;").is_err());
    assert!(live.explain("SELECT 1 SELECT 2").is_err());
}

#[test]
fn a_plan_follows_the_schema() {
    let mut live = live();
    assert_eq!(live.explain("SELECT * FROM n WHERE x = 1").unwrap().plan.lines(), ["SCAN n"]);
    live.apply("CREATE INDEX nx ON n(x)");
    let plan = live.explain("SELECT * FROM n WHERE x = 1").unwrap().plan;
    assert_eq!((plan.steps[0].op.clone(), plan.steps[0].table.as_deref()), (Op::Search, Some("n")));
    live.apply("DROP TABLE n; CREATE TABLE n(x); CREATE TABLE m(x)");
    assert_eq!(live.explain("SELECT * FROM m AS n").unwrap().plan.steps[0].table.as_deref(), Some("m"));
}

#[test]
fn a_search_by_a_whole_unique_key_is_constant() {
    for sql in [
        "SELECT * FROM t WHERE id = ?",
        "SELECT * FROM u WHERE b = ?",
        "SELECT * FROM w WHERE k = ? AND v = ?",
        "SELECT k FROM w WHERE n = ?",
        "SELECT * FROM u JOIN t ON t.id = u.t_id WHERE u.b = ?",
        "SELECT * FROM v WHERE b = ?",
        "SELECT 1",
        "VALUES(1), (2)",
        "INSERT INTO u(a, b, t_id) VALUES(?, ?, ?)",
        "INSERT INTO u(a, b) VALUES(?, ?) ON CONFLICT(b) DO UPDATE SET a = excluded.a",
        "UPDATE n SET x = (SELECT a FROM t WHERE id = 1) WHERE rowid = ?",
        "DELETE FROM u WHERE id = ?",
        "SELECT EXISTS (SELECT 1 FROM n WHERE ? = 1)",
    ] {
        assert!(explain(sql).proven_constant, "{sql}");
    }
}

#[test]
fn nothing_else_is_constant() {
    for sql in [
        "SELECT * FROM n",
        "SELECT * FROM t WHERE a = ?",
        "SELECT * FROM t WHERE id > ?",
        "SELECT * FROM w WHERE k = ?",
        "SELECT * FROM u WHERE b IS ?",
        "SELECT * FROM u WHERE b ISNULL",
        "SELECT max(y) FROM n",
        "SELECT count(*) FROM n",
        "DELETE FROM n",
        "DELETE FROM t WHERE id = ?",
        "UPDATE t SET a = 1 WHERE id = ?",
        "INSERT INTO n SELECT * FROM n",
        "SELECT EXISTS (SELECT 1 FROM n WHERE x = ?)",
        "SELECT (SELECT count(*) FROM n WHERE ? = 1)",
        "INSERT INTO log VALUES(?)",
        "INSERT INTO f(x) VALUES(?)",
        "SELECT * FROM f WHERE f MATCH ?",
        "SELECT * FROM json_each(?)",
        "CREATE INDEX z ON n(x)",
        "WITH RECURSIVE c(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM c LIMIT 9) SELECT * FROM c",
    ] {
        assert!(!explain(sql).proven_constant, "{sql}");
    }
}

/// The tables of the steps that run again for each row of another.
fn repeated(sql: &str) -> Vec<String> {
    let again = |step: &&Step| step.inside_loop && step.op == Op::Scan;
    explain(sql).plan.steps.iter().filter(again).filter_map(|step| step.table.clone()).collect()
}

#[test]
fn what_stands_beside_the_one_row_of_a_sum_is_read_once() {
    let beside =
        |rows: &str| repeated(&format!("SELECT s.k FROM ({rows}) AS s CROSS JOIN n WHERE n.y > s.k + n.x"));
    assert!(beside("SELECT max(c) AS k FROM t").is_empty());
    let many = [
        "SELECT c AS k FROM t ORDER BY b LIMIT 5",
        "SELECT * FROM (SELECT c AS k FROM t ORDER BY b LIMIT 5) LIMIT 4",
        "SELECT max(c) AS k FROM t GROUP BY a",
        "SELECT max(c) AS k FROM t UNION ALL SELECT min(c) FROM t",
        "WITH RECURSIVE r(k) AS (SELECT ? UNION ALL SELECT k + 1 FROM r LIMIT 9) SELECT k FROM r",
    ];
    for rows in many {
        assert_eq!(beside(rows), ["n"], "{rows}");
    }
}

#[test]
fn what_is_materialised_once_is_read_once_however_often_it_is_asked() {
    let text = "CREATE TABLE a(b); CREATE TABLE n(p); CREATE TABLE s(x, h);
        CREATE VIEW v AS WITH m AS MATERIALIZED (SELECT min(b) AS lo FROM a)
          SELECT s.x FROM s JOIN m WHERE s.h > m.lo;";
    let mut live = made_with(&Settings::default(), text);
    let mut correlated = |sql: &str| -> Vec<String> {
        let steps = live.explain(sql).unwrap().plan.steps;
        steps.iter().filter(|step| step.correlated).filter_map(|step| step.table.clone()).collect()
    };
    let once = correlated("SELECT * FROM n WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.x > n.p)");
    assert!(!once.contains(&"a".to_owned()) && once.contains(&"s".to_owned()), "{once:?}");
    let again = correlated("SELECT p, (SELECT k FROM (SELECT max(h) AS k FROM s WHERE s.x = n.p)) FROM n");
    assert_eq!(again, ["s"]);
}
