//! The objects of a database.

use super::{made_by, made_with};
use planlint::schema::{Affinity, Generated, Objects, Origin, Settings, TableKind};

fn objects(sql: &str) -> Objects {
    made_by(sql).objects().unwrap()
}

#[test]
fn columns_have_types_defaults_and_keys() {
    let found = objects(
        "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, \"a b\" VARCHAR(10) NOT NULL DEFAULT 'x' COLLATE NOCASE,
           c, d REAL AS (id * 2) STORED, e BOOLEAN GENERATED ALWAYS AS (c) VIRTUAL, f BLOB UNIQUE)",
    );
    let table = found.table("main", "T").unwrap();
    assert!(table.autoincrement && !table.strict && !table.without_rowid);
    assert_eq!(table.kind, TableKind::Ordinary);
    let affinities: Vec<Affinity> = table.columns.iter().map(|column| column.affinity).collect();
    assert_eq!(
        affinities,
        [
            Affinity::Integer,
            Affinity::Text,
            Affinity::Blob,
            Affinity::Real,
            Affinity::Numeric,
            Affinity::Blob,
        ]
    );
    let [id, named, _, stored, computed, _] = table.columns.as_slice() else { panic!("six columns") };
    assert_eq!((id.primary_key, named.primary_key), (1, 0));
    assert_eq!(
        (named.name.as_str(), named.declared_type.as_str(), named.not_null),
        ("a b", "VARCHAR(10)", true)
    );
    assert_eq!((named.default.as_deref(), named.collation.as_str()), (Some("'x'"), "NOCASE"));
    assert_eq!((stored.generated, computed.generated), (Generated::Stored, Generated::Virtual));
}

#[test]
fn kinds_and_options_of_tables_are_told() {
    let found = objects(
        "CREATE TABLE w(a, b, PRIMARY KEY(b, a)) WITHOUT ROWID; CREATE TABLE s(a ANY) STRICT;
         CREATE VIRTUAL TABLE f USING fts5(x); CREATE TEMP TABLE t(a);",
    );
    let table = |schema: &str, name: &str| found.table(schema, name).unwrap();
    assert!(table("main", "w").without_rowid && table("main", "s").strict);
    assert_eq!(table("main", "f").kind, TableKind::Virtual("fts5".to_owned()));
    assert_eq!(table("main", "f_content").kind, TableKind::Shadow);
    assert!(table("main", "f").columns.iter().any(|column| column.name == "rank" && column.hidden));
    assert_eq!(table("temp", "t").schema, "temp");
    let keys: Vec<u32> = table("main", "w").columns.iter().map(|column| column.primary_key).collect();
    assert_eq!(keys, [2, 1]);
}

#[test]
fn indexes_have_their_terms_conditions_and_origins() {
    let found = objects(
        "CREATE TABLE t(a TEXT COLLATE NOCASE, b UNIQUE, c, PRIMARY KEY(a, c));
         CREATE INDEX i ON t(b DESC, lower(a), c COLLATE RTRIM) WHERE c IS NOT NULL AND b > 1;
         CREATE UNIQUE INDEX j ON t(c);",
    );
    let index = |name: &str| found.indexes.iter().find(|index| index.name == name).unwrap();
    let i = index("i");
    assert_eq!(
        (i.origin, i.unique, i.filter.as_deref()),
        (Origin::Create, false, Some("c IS NOT NULL AND b > 1"))
    );
    let terms: Vec<_> = i.columns.iter().filter(|column| column.key).collect();
    assert_eq!((terms[0].name.as_deref(), terms[0].descending), (Some("b"), true));
    assert_eq!((terms[1].name.as_deref(), terms[1].expression.as_deref()), (None, Some("lower(a)")));
    assert_eq!((terms[2].collation.as_str(), terms.len()), ("RTRIM", 3));
    assert_eq!(i.columns.len(), 4);
    assert_eq!((index("j").unique, index("j").sql.is_some()), (true, true));
    assert_eq!(index("sqlite_autoindex_t_1").origin, Origin::Unique);
    assert_eq!(index("sqlite_autoindex_t_2").origin, Origin::PrimaryKey);
    assert_eq!(found.indexes_of("main", "T").count(), 4);
}

#[test]
fn foreign_keys_name_the_columns_of_their_parent() {
    let found = objects(
        "CREATE TABLE p(x, y, PRIMARY KEY(y, x)); CREATE TABLE r(id INTEGER PRIMARY KEY);
         CREATE TABLE c(a, b, r REFERENCES r ON DELETE CASCADE ON UPDATE SET NULL, n REFERENCES nowhere,
           FOREIGN KEY(a, b) REFERENCES p, FOREIGN KEY(b, a) REFERENCES p(x, y));",
    );
    let pairs = |parent: &str, at: usize| {
        let key = found.foreign_keys.iter().filter(|key| key.parent == parent).nth(at).unwrap();
        let column =
            |(from, to): &(String, Option<String>)| format!("{from} {}", to.as_deref().unwrap_or("?"));
        key.columns.iter().map(column).collect::<Vec<_>>()
    };
    assert_eq!(found.foreign_keys.len(), 4);
    assert_eq!(pairs("r", 0), ["r id"]);
    assert_eq!(pairs("nowhere", 0), ["n ?"]);
    let both = [pairs("p", 0), pairs("p", 1)];
    assert!(both.contains(&vec!["a y".to_owned(), "b x".to_owned()]), "{both:?}");
    assert!(both.contains(&vec!["b x".to_owned(), "a y".to_owned()]), "{both:?}");
    let to_r = found.foreign_keys.iter().find(|key| key.parent == "r").unwrap();
    assert_eq!((to_r.on_delete.as_str(), to_r.on_update.as_str()), ("CASCADE", "SET NULL"));
}

#[test]
fn triggers_and_views_are_listed() {
    let found = objects(
        "CREATE TABLE t(a, b); CREATE VIEW v AS SELECT a AS x, b + 1 AS y FROM t;
         CREATE TRIGGER insertion BEFORE UPDATE OF a ON t BEGIN INSERT INTO t VALUES(1, 2); END;
         CREATE TRIGGER w INSTEAD OF DELETE ON v BEGIN DELETE FROM t WHERE a = old.x; END;",
    );
    let triggers: Vec<String> =
        found.triggers.iter().map(|one| format!("{} {} {}", one.name, one.event, one.table)).collect();
    assert_eq!(triggers, ["insertion UPDATE t", "w DELETE v"]);
    assert_eq!((found.views[0].name.as_str(), found.views[0].columns.join(",")), ("v", "x,y".to_owned()));
}

#[test]
fn a_view_on_a_table_that_is_gone_is_listed_without_columns() {
    let found =
        objects("CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t; DROP TABLE t; CREATE TABLE u(a);");
    assert!(found.views[0].columns.is_empty());
    assert_eq!(found.tables.len(), 1);
}

#[test]
fn odd_names_are_no_hindrance() {
    let settings = Settings { attached: vec!["a \"b'".to_owned()], ..Settings::default() };
    let text = "CREATE TABLE \"schema\"(\"schema\" UNIQUE, arg, \"select\"); CREATE INDEX \"table\" ON \"schema\"(arg);
        CREATE TABLE \"it's\"(\"a\"\"b\" INTEGER); CREATE TABLE \"a \"\"b'\".\"main\"(x REFERENCES \"main\"(x), hidden UNIQUE);";
    let mut live = made_with(&settings, text);
    let found = live.objects().unwrap();
    assert_eq!(found.table("main", "schema").unwrap().columns.len(), 3);
    assert_eq!(found.table("main", "it's").unwrap().columns[0].name, "a\"b");
    assert_eq!(found.table("a \"b'", "main").unwrap().columns.len(), 2);
    assert_eq!(found.indexes_of("main", "schema").count(), 2);
    assert_eq!(found.foreign_keys[0].schema, "a \"b'");
    assert!(live.explain("SELECT * FROM \"schema\" WHERE arg = ?").unwrap().plan.steps[0].table.is_some());
}

#[test]
fn two_schemas_with_a_table_of_one_name_are_kept_apart() {
    let settings = Settings { attached: vec!["other".to_owned()], ..Settings::default() };
    let found = made_with(
        &settings,
        "CREATE TABLE t(a UNIQUE); CREATE TABLE other.t(a, b REFERENCES t); CREATE INDEX other.i ON t(b);
         CREATE TEMP TABLE t(c);",
    )
    .objects()
    .unwrap();
    let columns = |schema: &str| found.table(schema, "t").unwrap().columns.len();
    assert_eq!((columns("main"), columns("other"), columns("temp")), (1, 2, 1));
    assert_eq!(found.indexes_of("main", "t").count(), 1);
    assert_eq!(found.indexes_of("other", "t").map(|index| index.name.as_str()).collect::<Vec<_>>(), ["i"]);
}
