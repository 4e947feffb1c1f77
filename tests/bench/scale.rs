//! How the work of a check grows with what a tree holds, and where its time goes. Trees are made; instructions are counted, so
//! that a busy machine counts the same. Prints numbers and asserts nothing: docs/performance.md says how to read them.
#![expect(clippy::print_stdout, reason = "the numbers are what it is for")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "what can't be measured ends it")]
#![expect(clippy::indexing_slicing, clippy::string_slice, reason = "the trees are made here")]

#[path = "scale/made.rs"]
mod made;
#[path = "check/memory.rs"]
mod memory;
#[path = "scale/phases.rs"]
mod phases;

use made::{SMALL, Size};
use memory::peak_memory;
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

/// The same trees each time.
const SEED: u64 = 1;

/// What grows, from a size to ten times it, and what stays.
struct Dimension {
    name: &'static str,
    sizes: [usize; 3],
    of: fn(usize) -> Size,
}

const DIMENSIONS: [Dimension; 6] = [
    Dimension { name: "files", sizes: [1000, 3000, 10_000], of: |files| Size { files, ..SMALL } },
    Dimension {
        name: "statements",
        sizes: [800, 2400, 8000],
        of: |statements| Size { statements, tables: 100, ..SMALL },
    },
    Dimension {
        name: "equal",
        sizes: [800, 2400, 8000],
        of: |statements| Size { statements, different: 200, tables: 20, ..SMALL },
    },
    Dimension {
        name: "databases",
        sizes: [20, 60, 200],
        of: |databases| Size { databases, statements: databases * 10, tables: 4, ..SMALL },
    },
    Dimension {
        name: "migrations",
        sizes: [300, 1000, 3000],
        of: |migrations| Size { migrations, tables: 50, ..SMALL },
    },
    Dimension {
        name: "tables",
        sizes: [100, 300, 1000],
        of: |tables| Size { tables, statements: tables * 4, migrations: 40, ..SMALL },
    },
];

fn main() {
    // cargo adds `--bench` to the arguments.
    let given: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match given.first().map(String::as_str) {
        Some("make") => make(Path::new(&given[1]), &given[2..]),
        Some("phases") => phases::print(given.get(1).map(Path::new)),
        Some("growth") => print(&given[1..]),
        _ => {
            phases::print(None);
            print(&[]);
        }
    }
}

/// Makes a tree of sizes that are given as `files=1000`.
fn make(folder: &Path, sizes: &[String]) {
    let mut size = SMALL;
    for one in sizes {
        let (name, value) = one.split_once('=').unwrap();
        let value = value.parse().unwrap();
        match name {
            "files" => size.files = value,
            "bytes" => size.bytes = value,
            "statements" => size.statements = value,
            "different" => size.different = value,
            "per_file" => size.per_file = value,
            "databases" => size.databases = value,
            "migrations" => size.migrations = value,
            "tables" => size.tables = value,
            _ => panic!("there is no {name}"),
        }
    }
    made::tree(folder, &size, SEED).unwrap();
}

/// The dimensions of these names, or all.
fn print(names: &[String]) {
    println!("{:12} {:>31} {:>44} {:>8} {:>20}", "", "sizes", "instructions", "exponent", "MB");
    let is_wanted = |one: &&Dimension| names.is_empty() || names.iter().any(|name| name == one.name);
    for one in DIMENSIONS.iter().filter(is_wanted) {
        let (mut counts, mut memories) = (Vec::new(), Vec::new());
        for size in one.sizes {
            let tree = tempfile::tempdir().unwrap();
            made::tree(tree.path(), &(one.of)(size), SEED).unwrap();
            let mut check = Command::new(env!("CARGO_BIN_EXE_planlint"));
            check.arg("check").arg(tree.path()).stdout(Stdio::null()).stderr(Stdio::null());
            memories.push(
                peak_memory(check)
                    .unwrap()
                    .map_or("?".to_owned(), |kilobytes| (kilobytes / 1024).to_string()),
            );
            counts.push(instructions(tree.path()));
        }
        let grown =
            |of: &[Option<u64>]| Some((of.last().copied()?? as f64 / of.first().copied()?? as f64).ln());
        let sizes = (one.sizes[2] as f64 / one.sizes[0] as f64).ln();
        let exponent = grown(&counts).map_or("unknown".to_owned(), |grown| format!("{:.2}", grown / sizes));
        let line = |all: Vec<String>| all.join(", ");
        println!(
            "{:12} {:>31} {:>44} {exponent:>8} {:>20}",
            one.name,
            line(one.sizes.map(|size| size.to_string()).to_vec()),
            line(counts.iter().map(|one| one.map_or("?".to_owned(), |one| one.to_string())).collect()),
            line(memories),
        );
    }
}

/// The instructions of a check on one thread, as valgrind counts them; `None` where there is none.
fn instructions(tree: &Path) -> Option<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args([
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        env!("CARGO_BIN_EXE_planlint"),
        "check",
    ]);
    let said = valgrind.arg(tree).env("RAYON_NUM_THREADS", "1").stdin(Stdio::null()).output().ok()?;
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    let count = said.lines().find_map(|line| line.split_once("Collected :"))?.1;
    count.trim().parse().ok()
}
