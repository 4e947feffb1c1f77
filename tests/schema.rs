//! A live database under guard: what migrations do, what plans say, and what is refused.

use planlint::schema::{Live, Settings};

#[test]
fn smoke() {
    let mut live = Live::open(&Settings::default()).unwrap();
    let applied = live.apply("CREATE TABLE t(a INTEGER PRIMARY KEY, b, c); CREATE INDEX ta ON t(b); CREATE INDEX IF NOT EXISTS ta ON t(c);
      CREATE TABLE u(a, b); CREATE TRIGGER tr AFTER INSERT ON t BEGIN UPDATE u SET a=1 WHERE b=new.b; SELECT CASE WHEN 1 THEN 2 END; END; CREATE VIEW v AS SELECT x.b, y.a FROM t x JOIN u y ON x.b=y.b; DROP TABLE u");
    for a in &applied {
        eprintln!("{a:?}");
    }
    for sql in [
        "SELECT * FROM t x JOIN t y ON x.b=y.c WHERE x.a=?",
        "INSERT INTO t(b) VALUES(?)",
        "SELECT * FROM v",
        "DELETE FROM t WHERE a=?1; SELECT 2",
        "SELECT count(*) FROM t",
        "SELECT max(b) FROM t",
    ] {
        let e = live.explain(sql);
        eprintln!("{sql}\n{e:#?}");
    }
}
