//! Trees of any size, made for the bench: programs in five languages, of which some files ask a database. The same numbers
//! and the same seed make the same bytes.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// What a tree has.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Files of code.
    pub files: usize,
    /// The least that one of them holds, in bytes; zero is a function or two.
    pub bytes: usize,
    /// Statements, in as many files as it takes.
    pub statements: usize,
    /// Of these, as many differ.
    pub different: usize,
    /// Statements in one file.
    pub per_file: usize,
    /// Databases, each with a folder of migrations.
    pub databases: usize,
    /// Migrations of each database.
    pub migrations: usize,
    /// Tables of each database.
    pub tables: usize,
}

/// The smallest that is a program.
pub const SMALL: Size = Size {
    files: 20,
    bytes: 0,
    statements: 20,
    different: usize::MAX,
    per_file: 10,
    databases: 1,
    migrations: 5,
    tables: 5,
};

const THINGS: [&str; 16] = [
    "account", "address", "batch", "cart", "channel", "device", "entry", "file", "invoice", "item", "label",
    "message", "order", "peer", "ticket", "wallet",
];
const DEEDS: [&str; 12] =
    ["add", "check", "clear", "find", "load", "merge", "move", "name", "read", "send", "sort", "update"];
/// Files that lie in one folder.
const IN_FOLDER: usize = 100;
/// Of so many statements, one is run in a loop.
const IN_LOOP: usize = 10;

/// Numbers that look random and are the same each time: splitmix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.next(words.len())]
    }
}

/// A language, by how a file begins, a function that asks a database, and one that does not.
struct Writer {
    ending: &'static str,
    head: &'static str,
    /// `NAME` and `SQL` are put in.
    asks: &'static str,
    /// One that calls it for each of some values.
    calls: &'static str,
    /// `NAME`, `THING`, `DEED` and `N` are put in.
    plain: &'static str,
}

const WRITERS: [Writer; 5] = [
    Writer {
        ending: "rs",
        head: "use rusqlite::{Connection, Result, params};\n",
        asks: "\npub fn NAME(db: &Connection, value: i64) -> Result<usize> {\n    db.execute(\"SQL\", params![value])\n}\n",
        calls: "\npub fn all_NAME(db: &Connection, values: &[i64]) -> Result<()> {\n    for value in values {\n        \
                NAME(db, *value)?;\n    }\n    Ok(())\n}\n",
        plain: "\n/// Of a THING, what is left when N are gone.\npub fn NAME(count: u64, THING: &THING) -> u64 {\n    \
                let limit = THING.limit().min(N);\n    // Few have more.\n    if count > limit {\n        \
                log(\"more than one THING\", count - limit);\n        return DEED(limit);\n    }\n    \
                THING.parts.iter().map(|part| part.size * 2).sum::<u64>() + count\n}\n",
    },
    Writer {
        ending: "py",
        head: "import sqlite3\n",
        asks: "\n\ndef NAME(db, value):\n    return db.execute(\"SQL\", (value,)).fetchall()\n",
        calls: "\n\ndef all_NAME(db, values):\n    for value in values:\n        NAME(db, value)\n",
        plain: "\n\ndef NAME(count, THING):\n    \"\"\"Of a THING, what is left when N are gone.\"\"\"\n    \
                limit = min(THING.limit, N)\n    if count > limit:\n        \
                log(\"more than one THING\", count - limit)\n        return DEED(limit)\n    \
                return sum(part.size * 2 for part in THING.parts) + count\n",
    },
    Writer {
        ending: "go",
        head: "package store\n\nimport \"database/sql\"\n",
        asks: "\nfunc NAME(db *sql.DB, value int64) (sql.Result, error) {\n\treturn db.Exec(\"SQL\", value)\n}\n",
        calls: "\nfunc all_NAME(db *sql.DB, values []int64) {\n\tfor _, value := range values {\n\t\tNAME(db, value)\n\t}\n}\n",
        plain: "\n// NAME says of a THING what is left when N are gone.\nfunc NAME(count int, THING *Thing) int {\n\t\
                limit := THING.Limit()\n\tif limit > N {\n\t\tlimit = N\n\t}\n\tfor _, part := range THING.Parts {\n\t\t\
                count += part.Size\n\t}\n\tif count > limit {\n\t\tlog.Println(\"more than one THING\", count)\n\t\t\
                return DEED(limit)\n\t}\n\treturn count\n}\n",
    },
    Writer {
        ending: "ts",
        head: "import Database from \"better-sqlite3\";\n",
        asks: "\nexport function NAME(db: Database, value: number) {\n  return db.prepare(\"SQL\").all(value);\n}\n",
        calls: "\nexport function all_NAME(db: Database, values: number[]) {\n  for (const value of values) {\n    \
                NAME(db, value);\n  }\n}\n",
        plain: "\n/** Of a THING, what is left when N are gone. */\nexport function NAME(count: number, THING: Thing): number {\n  \
                const limit = Math.min(THING.limit, N);\n  if (count > limit) {\n    \
                console.log(`more than one THING: ${count - limit}`);\n    return DEED(limit);\n  }\n  \
                return THING.parts.reduce((sum, part) => sum + part.size * 2, count);\n}\n",
    },
    Writer {
        ending: "java",
        head: "package store;\n\nimport java.sql.*;\n\nclass Store {\n",
        asks: "\n    static int NAME(Connection db, long value) throws SQLException {\n        \
               PreparedStatement asked = db.prepareStatement(\"SQL\");\n        asked.setLong(1, value);\n        \
               return asked.executeUpdate();\n    }\n",
        calls: "\n    static void all_NAME(Connection db, long[] values) throws SQLException {\n        \
                for (long value : values) {\n            NAME(db, value);\n        }\n    }\n",
        plain: "\n    /** Of a THING, what is left when N are gone. */\n    static long NAME(long count, Thing THING) {\n        \
                long limit = Math.min(THING.limit(), N);\n        for (Part part : THING.parts()) {\n            \
                count += part.size() * 2;\n        }\n        if (count > limit) {\n            \
                log(\"more than one THING\", count - limit);\n            return DEED(limit);\n        }\n        \
                return count;\n    }\n",
    },
];

impl Writer {
    fn function(&self, text: &mut String, number: usize, dice: &mut Dice) {
        let (deed, thing) = (dice.of(&DEEDS), dice.of(&THINGS));
        // Some names are everywhere, most are not.
        let name =
            if dice.next(4) == 0 { format!("{deed}_{thing}") } else { format!("{deed}_{thing}_{number}") };
        let other = format!("{}_{}", dice.of(&DEEDS), dice.of(&THINGS));
        put(
            text,
            self.plain,
            &[("NAME", &name), ("THING", thing), ("DEED", &other), ("N", &dice.next(900).to_string())],
        );
    }
}

/// Writes a text with words put in the place of others.
fn put(text: &mut String, pattern: &str, words: &[(&str, &str)]) {
    let mut rest = pattern;
    let first = |rest: &str| {
        let found = words.iter().filter_map(|(from, to)| Some((rest.find(from)?, from.len(), *to)));
        found.min_by_key(|&(at, len, _)| (at, usize::MAX - len))
    };
    while let Some((at, len, to)) = first(rest) {
        text.push_str(&rest[..at]);
        text.push_str(to);
        rest = &rest[at + len..];
    }
    text.push_str(rest);
}

/// Makes a tree in a folder.
pub fn tree(folder: &Path, size: &Size, seed: u64) -> io::Result<()> {
    let mut dice = Dice(seed);
    for database in 0..size.databases {
        migrations(folder, size, database)?;
    }
    let mut statement = 0;
    for file in 0..size.files.max(size.statements.div_ceil(size.per_file)) {
        let writer = &WRITERS[file % WRITERS.len()];
        if file % IN_FOLDER == 0 {
            fs::create_dir_all(folder.join(place(file)))?;
        }
        let mut text = writer.head.to_owned();
        // A file asks one database.
        for _ in 0..size.per_file {
            if statement < size.statements {
                let sql = sql(size, file % size.databases, statement % size.different);
                let name = format!("{}_{statement}", dice.of(&DEEDS));
                put(&mut text, writer.asks, &[("NAME", &name), ("SQL", &sql)]);
                if statement % IN_LOOP == 0 {
                    put(&mut text, writer.calls, &[("NAME", &name)]);
                }
                statement += 1;
            }
        }
        writer.function(&mut text, file, &mut dice);
        while text.len() < size.bytes {
            let number = file * 1000 + text.len() / 100;
            writer.function(&mut text, number, &mut dice);
        }
        if writer.ending == "java" {
            text.push_str("}\n");
        }
        fs::write(folder.join(place(file)).join(format!("part_{file}.{}", writer.ending)), text)?;
    }
    Ok(())
}

fn place(file: usize) -> String {
    format!("code/part_{}/of_{}", file / IN_FOLDER / IN_FOLDER, file / IN_FOLDER)
}

fn table(database: usize, number: usize) -> String {
    format!("{}_{database}_{number}", THINGS[number % THINGS.len()])
}

/// A statement, of shapes that cost this and that.
fn sql(size: &Size, database: usize, number: usize) -> String {
    let name = table(database, number % size.tables);
    let other = table(database, (number + 1) % size.tables);
    let turn = number / size.tables;
    match (number + turn) % 8 {
        0 => format!("SELECT name, size FROM {name} WHERE id = ? AND size <> {number}"),
        1 => format!("SELECT id FROM {name} WHERE size > ? AND size < {number}"),
        2 => format!("UPDATE {name} SET size = size + {number} WHERE parent = ?"),
        3 => format!("INSERT INTO {name} (name, size, parent) VALUES ('n{number}', 1, ?)"),
        4 => format!(
            "SELECT b.name FROM {name} a JOIN {other} b ON b.parent = a.id WHERE a.id = ? AND b.size > {number}"
        ),
        6 => format!("SELECT id, name, size + {number} FROM {name}"),
        5 => format!("DELETE FROM {name} WHERE parent = ? AND size < {number}"),
        _ => format!(
            "SELECT name, size FROM {name} WHERE parent = ? AND size > {number} ORDER BY size LIMIT 10"
        ),
    }
}

/// The migrations of a database: the first ones create its tables, the others add columns and indexes and move rows.
fn migrations(folder: &Path, size: &Size, database: usize) -> io::Result<()> {
    let folder = folder.join(format!("data/base_{database}/migrations"));
    fs::create_dir_all(&folder)?;
    let per_step = size.tables.div_ceil(size.migrations.div_ceil(2));
    for step in 0..size.migrations {
        let mut text = String::new();
        for number in (step * per_step..(step + 1) * per_step).take_while(|number| *number < size.tables) {
            let name = table(database, number);
            let parent = table(database, number / 2);
            let _ = writeln!(
                text,
                "CREATE TABLE {name} (\n    id INTEGER PRIMARY KEY,\n    name TEXT NOT NULL,\n    \
                 size INTEGER NOT NULL,\n    parent INTEGER REFERENCES {parent} (id)\n);\n\
                 CREATE INDEX {name}_by_parent ON {name} (parent);"
            );
        }
        if text.is_empty() {
            text = later(&table(database, step % size.tables), step / size.tables);
        }
        fs::write(folder.join(format!("{:05}_step.sql", step + 1)), text)?;
    }
    Ok(())
}

/// A migration of a table that is there: what one adds, a later one takes away, so that the schema stays as large as it is.
fn later(name: &str, turn: usize) -> String {
    let number = turn / 6;
    match turn % 6 {
        0 => format!("ALTER TABLE {name} ADD COLUMN note_{number} TEXT;\n"),
        1 => format!("CREATE INDEX {name}_once_{number} ON {name} (size, name);\n"),
        2 => format!("UPDATE {name} SET note_{number} = name WHERE size < {turn};\n"),
        3 => format!("DROP INDEX {name}_once_{number};\n"),
        4 => format!("ALTER TABLE {name} DROP COLUMN note_{number};\n"),
        _ => format!("DELETE FROM {name} WHERE size < -{turn};\n"),
    }
}
