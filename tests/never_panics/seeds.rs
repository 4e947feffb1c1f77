//! What texts at random are made of: the fixtures of all tests, and the changes that are made to them.

use super::subjects::ENDINGS;
use planlint::schema::{open_in_memory, sqlite::OpenFlags};
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers from a seed, always the same ones.
pub struct Random(u64);

impl Random {
    pub fn new(seed: &str) -> Self {
        Self(seed.bytes().fold(88_172_645_463_325_252, |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte)))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        if bound == 0 { 0 } else { (self.0 >> 16) as usize % bound }
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let at = self.below(list.len());
        list.get(at).expect("a list that is not empty")
    }
}

/// What means something to one reader or another.
const WORDS: &[&str] = &[
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "r#\"",
    "\"#",
    "@\"",
    "$\"",
    "$$\"\"\"",
    "f\"",
    "\\(",
    "#{",
    "${",
    "{",
    "}",
    "{}",
    "{{",
    "(",
    ")",
    "[",
    "]",
    "<<~SQL\n",
    "\nSQL\n",
    "<<<'X'\n",
    "%q(",
    "\\",
    "\\u{",
    "\\x",
    "\\U0010ffff",
    "//",
    "/*",
    "*/",
    "--",
    "#",
    "\n",
    "\r\n",
    "\r",
    "\u{feff}",
    "\0",
    "ä",
    "\u{10ffff}",
    "\u{2028}",
    ";",
    ",",
    ".",
    "?",
    "?1",
    ":a",
    "$1",
    "@a",
    "%s",
    "%(a)s",
    "+",
    "||",
    "==",
    "=",
    "if ",
    " else ",
    "for ",
    "fn ",
    "def ",
    "SELECT ",
    " FROM ",
    "t",
    " WHERE ",
    "INSERT INTO ",
    "CREATE TABLE ",
    "CREATE TRIGGER ",
    " BEGIN ",
    " END",
    "CASE ",
    "NULL",
    "x'",
    "1e999",
    "9223372036854775808",
    "-9223372036854775808",
    "0x",
    "format!(",
    "planlint: allow(full-read) why",
    "planlint: allow(",
    "until=2026-02-30",
    "bounded=",
    "-- severity: ",
    "-- finds: ",
    "## ",
    "```sql a.sql\n",
    "[[database]]\n",
    "name = \"",
    "= [",
    "'''\n",
    "1979-05-27",
    "USING INDEX ",
    "SCAN ",
    "SEARCH ",
    "MATERIALIZE ",
    " AND ",
    "=?",
    "{\"sql\": \"",
    "(0.001) ",
    "args=(",
    "\u{1b}[1m",
];

/// One of the seeds, changed in up to six ways.
pub fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.of(seeds).clone();
    // A part of what is long finds as much, and sooner. The first byte chooses a language.
    if bytes.len() > 1_500 {
        let from = 1 + random.below(bytes.len() - 1_000);
        bytes.drain(1..from);
        bytes.truncate(1_000);
    }
    for _ in 0..=random.below(6) {
        let (from, to) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
        let (from, to) = (from.min(to), from.max(to));
        match random.below(9) {
            0 => bytes.truncate(to),
            1 => drop(bytes.drain(from..to.min(from + 40))),
            2 => bytes.splice(from..from, [random.below(256) as u8]).for_each(drop),
            3 => {
                let part = bytes.get(from..to.min(from + 200)).unwrap_or(&[]).to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, part).for_each(drop);
            }
            4 => {
                let other = random.of(seeds);
                let at = random.below(other.len() + 1);
                let part = other.get(at..(at + random.below(300)).min(other.len())).unwrap_or(&[]).to_vec();
                bytes.splice(from..to.min(from + 100), part).for_each(drop);
            }
            5 => {
                let word = random.of(WORDS).repeat(1 + random.below(60));
                bytes.splice(from..from, word.into_bytes()).for_each(drop);
            }
            6 => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte ^= 1 << random.below(8);
                }
            }
            _ => bytes.splice(from..from, random.of(WORDS).bytes()).for_each(drop),
        }
    }
    bytes
}

/// The files below a folder of this repository, in the order of their paths.
fn files(folder: &str) -> Vec<PathBuf> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { below(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    below(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    found.sort();
    found
}

/// The texts of those of these endings.
fn texts(folders: &[&str], endings: &[&str]) -> Vec<(String, String)> {
    let all = folders.iter().flat_map(|folder| files(folder));
    all.filter_map(|path| {
        let ending = path.extension()?.to_str()?.to_owned();
        endings.contains(&&*ending).then(|| fs::read_to_string(&path).ok().map(|text| (ending, text)))?
    })
    .collect()
}

/// The blocks of a kind in pages of Markdown.
fn blocks(folders: &[&str], kind: &str) -> Vec<Vec<u8>> {
    let mark = format!("```{kind}\n");
    let pages = texts(folders, &["md"]);
    let parts = pages.iter().flat_map(|(_, page)| page.split(&*mark).skip(1));
    parts.map(|part| part.split("\n```").next().unwrap_or("").as_bytes().to_vec()).collect()
}

fn whole(texts: Vec<(String, String)>) -> impl Iterator<Item = Vec<u8>> {
    texts.into_iter().map(|(_, text)| text.into_bytes())
}

/// What each subject starts from.
pub fn seeds(subject: &str) -> Vec<Vec<u8>> {
    match subject {
        "sources" | "comments" => code(),
        "statements" => {
            let all = texts(&["tests", "examples"], &["sql"]);
            let constructs = texts(&["tests"], &["txt"]);
            let lines =
                constructs.iter().flat_map(|(_, text)| text.lines()).map(|line| line.as_bytes().to_vec());
            whole(all).chain(lines.filter(|line| line.len() > 20)).collect()
        }
        "plans" => blocks(&["tests"], "rows"),
        "configuration" => {
            blocks(&["docs"], "toml").into_iter().chain(whole(texts(&["examples"], &["toml"]))).collect()
        }
        "sizes" => {
            let all = blocks(&["docs"], "toml planlint.stats.toml").into_iter();
            all.chain(blocks(&["tests"], "toml planlint.stats.toml")).collect()
        }
        "rules" => {
            whole(texts(&["rules"], &["sql"])).chain(whole(texts(&["tests/rules"], &["md"]))).collect()
        }
        "pages" => pages(),
        _ => LOGS.iter().map(|log| log.as_bytes().to_vec()).collect(),
    }
}

/// Fixtures in all languages, and a comment in front of each.
fn code() -> Vec<Vec<u8>> {
    let all = texts(&["tests/extract", "examples", "tests/conventions"], &ENDINGS);
    let of = |(ending, text): (String, String)| {
        let at = ENDINGS.iter().position(|own| *own == ending).unwrap_or(0) as u8;
        let sign = match &*ending {
            "sql" => "--",
            "py" | "rb" => "#",
            _ => "//",
        };
        let said = format!("{sign} planlint: allow(full-read, until=2027-01-31) few\n");
        [&[b'a' + at], said.as_bytes(), text.as_bytes()].concat()
    };
    all.into_iter().map(of).collect()
}

/// The pages of small databases.
fn pages() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for size in [512_usize, 4096] {
        let mut connection = open_in_memory(OpenFlags::default()).unwrap();
        let rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)";
        connection
            .execute_batch(&format!(
                "PRAGMA page_size = {size}; CREATE TABLE t(a INTEGER PRIMARY KEY, b, c);
                 CREATE INDEX i ON t(b, c); CREATE TABLE w(a PRIMARY KEY, b) WITHOUT ROWID;
                 INSERT INTO t {rows} SELECT i, hex(i * i), zeroblob(i * 7) FROM n;
                 INSERT INTO w SELECT b, c FROM t; DELETE FROM t WHERE a % 3 = 0;"
            ))
            .unwrap();
        let bytes = connection.serialize("main").unwrap();
        // The first one has its header behind that of the file.
        all.extend(bytes.chunks(size).step_by(9).map(<[u8]>::to_vec));
    }
    all
}

const LOGS: &[&str] = &[
    "SELECT a FROM t WHERE b = 'x';\nINSERT INTO t(a, b) VALUES(1, 'y');\n",
    "(0.001) SELECT \"t\".\"a\" FROM \"t\" WHERE \"t\".\"b\" = 'a'; args=('a', 1, None); alias=default\n",
    "  User Load (0.3ms)  SELECT \"t\".* FROM \"t\" WHERE \"t\".\"a\" = ? LIMIT ?  [[\"a\", 1], [\"LIMIT\", 1]]\n",
    "{\"sql\": \"SELECT a FROM t WHERE b = ?\", \"params\": [\"x\", {\"y\": [1, 2.5, null]}]}\n",
    "INFO sqlalchemy.engine.Engine SELECT t.a FROM t WHERE t.b = ?\nINFO sqlalchemy.engine.Engine [generated in 0.0s] ('x',)\n",
    "\u{1b}[1m\u{1b}[36mT Load (0.1ms)\u{1b}[0m  \u{1b}[34mSELECT a FROM t\nWHERE b = 1\u{1b}[0m\nStarted GET\n",
];
