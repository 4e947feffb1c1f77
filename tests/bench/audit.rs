//! How far off the audit's rows are on a database of more than 1 GB with uneven deletes, and how few of its pages it reads.
//! Counts pages; docs/performance.md says how to read it.
#![expect(clippy::print_stdout, reason = "the numbers are what it is for")]
#![expect(clippy::unwrap_used, reason = "what can't be measured ends it")]

use planlint::audit::{self, PAGES, Pages, TreeSize, estimate};
use planlint::schema::sqlite::Connection;
use std::env;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const SEEDS: u64 = 40;
const PAGE: u64 = 4096;

/// Tables of a chain: in the order of heights, in the order of hashes, and with long rows.
const SCHEMA: &str = "
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000;
    CREATE TABLE blocks (id INTEGER PRIMARY KEY, hash BLOB NOT NULL, height INTEGER NOT NULL, came_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX blocks_hash ON blocks (hash);
    CREATE TABLE txs (id INTEGER PRIMARY KEY, txid BLOB NOT NULL, block INTEGER NOT NULL, body BLOB NOT NULL);
    CREATE INDEX txs_txid ON txs (txid);
    CREATE INDEX txs_block ON txs (block);
    CREATE TABLE outputs (txid BLOB NOT NULL, n INTEGER NOT NULL, amount INTEGER NOT NULL, spent INTEGER,
        PRIMARY KEY (txid, n)) WITHOUT ROWID;
    CREATE TABLE receipts (id INTEGER PRIMARY KEY, tx INTEGER NOT NULL, log BLOB NOT NULL);";

/// Whole ranges, most of a range, and some of all.
const DELETES: &str = "
    DELETE FROM txs WHERE block BETWEEN 30000 AND 45000;
    DELETE FROM txs WHERE block BETWEEN 60000 AND 110000 AND id % 10 < 8;
    DELETE FROM outputs WHERE hex(substr(txid, 1, 1)) < '30' AND n % 3 = 0;
    DELETE FROM outputs WHERE spent AND random() % 4 = 0;
    DELETE FROM receipts WHERE tx BETWEEN 400000 AND 500000;
    DELETE FROM blocks WHERE id % 7 = 0 AND id < 80000;";

fn main() {
    // cargo adds `--bench` to the arguments.
    let given = env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let folder = tempfile::tempdir().unwrap();
    let path = given.map_or_else(|| folder.path().join("chain.db"), Into::into);
    if !path.exists() {
        make(&path, 1_800_000);
    }
    let pages = fs::metadata(&path).unwrap().len() / PAGE;
    println!(
        "{:.2} GB, {pages} pages; {PAGES} pages of each tree, {SEEDS} seeds",
        (pages * PAGE) as f64 / 1e9
    );
    println!(
        "{:24} {:>11} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "", "rows", "pages", "mean", "p95", "inside", "reads"
    );
    trees(&path);
    let before = Instant::now();
    let audited = audit::audit(&path, PAGES).unwrap();
    let share = audited.reads as f64 / pages as f64 * 100.0;
    println!(
        "an audit reads {} pages, {share:.2} % of all, in {:.0} ms",
        audited.reads,
        before.elapsed().as_secs_f64() * 1e3
    );
    for table in &audited.tables {
        if let Some(day) = table.trend.as_ref().and_then(audit::Trend::per_day) {
            println!("{:24} {day:.1} rows a day", table.name);
        }
    }
    creation(&path, folder.path());
}

/// Drops an index of a copy, and creates it again: what an audit says of that, and what it takes.
fn creation(path: &Path, folder: &Path) {
    let (file, tree) = (folder.join("copy.db"), folder.join("tree"));
    fs::copy(path, &file).unwrap();
    fs::create_dir_all(tree.join("migrations")).unwrap();
    let schema: Vec<&str> = SCHEMA.lines().filter(|line| !line.contains("PRAGMA")).collect();
    fs::write(tree.join("migrations/0001_init.sql"), schema.join("\n")).unwrap();
    let program = "def of(db, txid):\n    return db.execute('SELECT body FROM txs WHERE txid = ?', (txid,)).fetchone()\n";
    fs::write(tree.join("chain.py"), program).unwrap();
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch("DROP INDEX txs_txid").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_planlint"))
        .args([
            Path::new("audit"),
            &file,
            Path::new("--source"),
            &tree,
            Path::new("--format"),
            Path::new("json"),
        ])
        .output()
        .unwrap();
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let told = said.pointer("/program/0/missing_indexes/0").unwrap();
    let number = |at: &str| told.pointer(at).and_then(serde_json::Value::as_f64).unwrap();
    let used = || -> u64 {
        let of = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, u64>(0)).unwrap();
        (of("PRAGMA page_count") - of("PRAGMA freelist_count")) * PAGE
    };
    let (before, since) = (used(), Instant::now());
    connection.execute_batch(told.pointer("/sql").and_then(serde_json::Value::as_str).unwrap()).unwrap();
    println!(
        "txs_txid: {:.1} MB and {:.1} to {:.1} s told, {:.1} MB and {:.1} s taken",
        number("/creation/index_bytes") / 1e6,
        number("/creation/seconds/least"),
        number("/creation/seconds/most"),
        (used() - before) as f64 / 1e6,
        since.elapsed().as_secs_f64(),
    );
}

/// A chain of so many transactions.
fn make(path: &Path, txs: u32) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    let numbers =
        |to: u32| format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {to})");
    let fill = [
        format!("{} INSERT INTO blocks SELECT i, randomblob(32), i, 1600000000 + i * 600 FROM n", numbers(txs / 10)),
        format!("{} INSERT INTO txs SELECT i, randomblob(32), i / 10, randomblob(150 + abs(random()) % 200) FROM n", numbers(txs)),
        "INSERT INTO outputs SELECT txid, value, abs(random()) % 100000, abs(random()) % 2 FROM txs, json_each('[0,1,2]')
            WHERE txs.id % 2 OR value = 0 ORDER BY txid"
            .to_owned(),
        format!("{} INSERT INTO receipts SELECT i, i * 5, randomblob(50 + abs(random()) % 900 + (i % 100 = 0) * 9000) FROM n", numbers(txs / 5)),
    ];
    for sql in fill.iter().map(String::as_str).chain(DELETES.split_terminator(';')) {
        connection.execute_batch(sql).unwrap();
    }
}

fn trees(path: &Path) {
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let trees: Vec<(String, String, u32)> = rows.map(Result::unwrap).collect();
    for (name, table, root) in trees {
        let count = format!("SELECT count(*) FROM {table}");
        let rows: f64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
        let mut file = Plain(File::open(path).unwrap());
        let sizes: Vec<TreeSize> =
            (0..SEEDS).map(|seed| estimate(&mut file, root, PAGES, seed).unwrap()).collect();
        let mut errors: Vec<f64> =
            sizes.iter().map(|size| (size.rows.value / rows - 1.0).abs() * 100.0).collect();
        errors.sort_by(f64::total_cmp);
        let mean = errors.iter().sum::<f64>() / SEEDS as f64;
        let p95 = errors.get(SEEDS as usize * 95 / 100 - 1).copied().unwrap_or_default();
        let inside = sizes.iter().filter(|size| (size.rows.value - rows).abs() <= size.rows.error).count();
        let reads = sizes.iter().map(|size| size.reads).max().unwrap_or_default();
        let pages = sizes.iter().map(|size| size.pages.value).sum::<f64>() / SEEDS as f64;
        println!("{name:24} {rows:11.0} {pages:9.0} {mean:6.2}% {p95:6.2}% {inside:4}/{SEEDS} {reads:7}");
    }
}

/// The pages of a file that nobody writes.
struct Plain(File);

impl Pages for Plain {
    fn page(&mut self, number: u32) -> Option<Vec<u8>> {
        let mut page = vec![0; PAGE as usize];
        self.0.seek(SeekFrom::Start(u64::from(number.checked_sub(1)?) * PAGE)).ok()?;
        self.0.read_exact(&mut page).ok()?;
        Some(page)
    }

    fn usable(&self) -> u32 {
        PAGE as u32
    }
}
