//! What is read of programs that declare their schemas by the conventions of `src/migration/conventions/`: each has small trees
//! in `tests/conventions/`, and beside each tree, in `expected.txt`, stand its databases, in which order what makes them runs, and
//! what becomes of its statements. With `PLANLINT_BLESS=1`, what is read now is written down: read the difference.

#![cfg(test)]

use planlint::run::{CheckRequest, check, facts};
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "tests/conventions";
const EXPECTED: &str = "expected.txt";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER)
}

/// The names of what stands in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The trees of a convention: its folder or, where that has several, the folders in it.
fn trees(convention: &str) -> Vec<PathBuf> {
    let own = folder().join(convention);
    let is_tree = |path: &Path| path.join(EXPECTED).is_file();
    let inner = names(&own).into_iter().map(|name| own.join(name)).filter(|path| is_tree(path));
    let inner: Vec<PathBuf> = inner.collect();
    if inner.is_empty() { vec![own] } else { inner }
}

/// The lines that a question about the facts is answered with.
fn lines(facts: &Connection, question: &str) -> String {
    let mut statement = facts.prepare(question).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.fold(String::new(), |mut text, row| {
        writeln!(text, "{}", row.unwrap()).unwrap();
        text
    })
}

/// What is known of a tree, in lines.
fn seen(tree: &Path) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let output = scratch.path().join("facts.db");
    let request = CheckRequest { growth: false, ..CheckRequest::new(tree) };
    facts(&request, &output).unwrap();
    let facts = Connection::open(output).unwrap();
    let mut text = String::new();
    for question in [DATABASES, STATEMENTS, DIFFERENCES] {
        text += &lines(&facts, question);
    }
    for one in check(&request).unwrap().report.diagnostics {
        let place =
            one.place.map_or_else(String::new, |place| format!("{}:{}", place.path, place.start.line));
        if TOLD.contains(&one.rule.as_str()) {
            writeln!(text, "finds {} at {place}: {}", one.rule, one.message).unwrap();
        }
    }
    text
}

/// The rules that say that a program was not understood, or is at odds with itself.
const TOLD: [&str; 4] = ["failing-migration", "refused-statement", "schema-drift", "unknown-schema"];

/// The databases; of each the texts that make it, in order, and what they make.
const DATABASES: &str = "
SELECT line FROM (
    SELECT id AS database, 0 AS part, 0 AS ordinal,
           'database ' || name || iif(snapshot, ', a new one runs what creates it alone', '') AS line
      FROM database
    UNION ALL
    SELECT m.database, 1, m.ordinal,
           '  ' || m.origin || ' ' || source.path || ':' || site.line || ifnull(' as ' || m.version, '')
           || CASE m.wrapped WHEN 1 THEN ', in a transaction' WHEN 0 THEN ', without a transaction' ELSE '' END
      FROM migration AS m JOIN site ON site.id = m.site JOIN source ON source.id = site.source
     WHERE m.direction = 'up'
    UNION ALL
    SELECT v.database, 2, t.id, '  table ' || t.name || '(' || ifnull((
               SELECT group_concat(rtrim(name || ' ' || lower(declared_type)), ', ' ORDER BY ordinal)
                 FROM column WHERE schema_table = t.id), '') || ')'
      FROM schema_table AS t JOIN variant AS v ON v.id = t.variant 
     WHERE v.kind = 'declared' AND t.schema = 'main' AND t.shadow_of IS NULL
    UNION ALL
    SELECT v.database, 3, i.id, '  index ' || i.name || ' on ' || i.\"table\"
      FROM \"index\" AS i JOIN variant AS v ON v.id = i.variant WHERE v.kind = 'declared' AND i.origin = 'create'
    UNION ALL
    SELECT v.database, 4, w.id, '  view ' || w.name
      FROM view AS w JOIN variant AS v ON v.id = w.variant WHERE v.kind = 'declared')
 ORDER BY database, part, ordinal, line";

/// The statements that are planned, and are no steps.
const STATEMENTS: &str = "
SELECT DISTINCT 'plans ' || path || ':' || site.line || ' in ' || d.name
  FROM statement AS s JOIN site ON site.id = s.site JOIN source ON source.id = site.source
  JOIN database AS d ON d.id = s.database
 WHERE s.id IN (SELECT statement FROM plan) AND s.role <> 'migration' AND s.kind <> 'ddl'
 ORDER BY source.path, site.line";

/// What a new database has that one with all migrations has not, and the reverse.
const DIFFERENCES: &str = "
SELECT 'differs ' || object_kind || ' ' || \"table\" || '.' || object || ' ' || property || ': '
       || ifnull(here, 'none') || ' / ' || ifnull(there, 'none')
  FROM difference JOIN variant AS o ON o.id = difference.other WHERE o.kind = 'fresh' ORDER BY 1";

#[test]
fn programs_are_read_by_the_conventions_that_they_follow() {
    let is_blessed = std::env::var_os("PLANLINT_BLESS").is_some();
    let mut wrong = Vec::new();
    for tree in names(&folder()).iter().flat_map(|name| trees(name)) {
        let file = tree.join(EXPECTED);
        let (seen, expected) = (seen(&tree), fs::read_to_string(&file).unwrap_or_default());
        if is_blessed {
            fs::write(&file, seen).unwrap();
        } else if seen != expected {
            wrong.push(format!("{}:\n{seen}\nand not:\n{expected}", tree.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_convention_has_a_tree_and_every_tree_a_convention() {
    let sources = names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/migration/conventions"));
    let own: BTreeSet<&str> =
        sources.iter().filter_map(|name| name.strip_suffix(".rs")).filter(|name| *name != "mod").collect();
    let with_tree = names(&folder());
    assert_eq!(own, with_tree.iter().map(String::as_str).collect());
}

#[test]
fn an_index_of_room_is_said_to_belong_to_its_entity() {
    let program = "
        import androidx.room.*
        @Database(entities = [Ship::class], version = 1)
        abstract class Harbour : RoomDatabase()
        @Entity data class Ship(@PrimaryKey(autoGenerate = true) val id: Long, val name: String)
        @Dao interface ShipDao {
            @Query(\"SELECT * FROM Ship WHERE name = :name\") fun named(name: String): Ship?
            @Insert fun add(ship: Ship)
        }
    ";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Harbour.kt"), program).unwrap();
    let found = check(&CheckRequest::new(folder.path())).unwrap().report.diagnostics;
    let scan = found.iter().find(|one| one.rule == "growing-table-scan").unwrap();
    assert_eq!(scan.cures.first().unwrap().sql, "CREATE INDEX ship_name ON Ship (name)");
    assert!(scan.help.as_ref().unwrap().contains("`indices` of the `@Entity`"));
}
