//! Whether code that runs the files of a folder itself opens a transaction for them. Told by words, in the functions that
//! name the files or their folder, and in those of the same source that these call; what lies further is not followed.

use super::runners::{bound_name, functions, is_folder, is_string, mentions};
use std::{collections::HashSet, ops::Range};

/// Calls that run a text.
const RUNS: [&str; 7] =
    ["execute_batch(", "executescript(", ".execute(", ".Exec(", ".ExecContext(", ".MustExec(", "raw_sql("];

/// What opens a transaction, in lower case.
const BEGINS: [&str; 11] = [
    "transaction(",
    "transaction_with",
    ".begin(",
    ".begin_with(",
    ".begintx(",
    ".beginx(",
    "\"begin",
    "'begin",
    "`begin",
    "savepoint(",
    "atomic(",
];

/// Whether a transaction is open where code runs the files of a folder, and where it runs them. `names`: what code calls the
/// files. `None` where the code does not name them, or it is not seen.
pub(super) fn wrapped(path: &str, text: &str, folder: &str, names: &[String]) -> Option<(bool, usize)> {
    let parts = running(path, text, folder, names);
    let (start, part, run) = parts.iter().find_map(|(start, part)| Some((*start, *part, last_run(part)?)))?;
    let at = start + run;
    // That of Python commits first.
    if part.get(..run)?.ends_with("executescript") {
        return Some((false, at));
    }
    // Of the functions that lead there, any may have opened one.
    let opens = |(other, part): &(usize, &str)| {
        let before = if *other == start { part.get(..run) } else { Some(*part) };
        before.is_some_and(|before| {
            let lower = before.to_ascii_lowercase();
            BEGINS.iter().any(|word| lower.contains(word))
        })
    };
    if is_transaction(part.get(..run)?) || parts.iter().any(opens) {
        return Some((true, at));
    }
    let lower = text.to_ascii_lowercase();
    let is_bare = !["begin", "transaction", "savepoint"].iter().any(|word| lower.contains(word));
    is_bare.then_some((false, at))
}

/// The functions that name the files, with those that they call if they run nothing themselves.
pub(super) fn running<'a>(
    path: &str,
    text: &'a str,
    folder: &str,
    names: &[String],
) -> Vec<(usize, &'a str)> {
    let last = folder.rsplit('/').next().unwrap_or(folder);
    let is_named = |at: &usize| is_string(text, *at) && is_folder(path, text, at + last.len(), folder);
    let of_folder = mentions(text, last).filter(|_| !last.is_empty()).filter(is_named);
    let of_files =
        names.iter().take(3).flat_map(|name| mentions(text, name)).filter(|&at| is_string(text, at));
    let places: Vec<usize> = of_folder.chain(of_files).collect();
    // Most files name none of them.
    if places.is_empty() {
        return Vec::new();
    }
    let (parts, lines) = (functions(text), Lines::of(text));
    // Of places in one function, or on lines that are one, the first says it all.
    let mut seen = HashSet::new();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for at in places {
        let outer = lines.outer(at);
        if !seen.insert((outer, parts.partition_point(|(start, _)| *start <= at))) {
            continue;
        }
        let bound = outer.and_then(|line| lines.binding(line));
        let holds = |(start, part): &&(usize, &str)| match bound {
            None => (*start..start + part.len()).contains(&at),
            Some((ref line, name)) => mentions(part, name).any(|inner| !line.contains(&(start + inner))),
        };
        found.extend(parts.iter().filter(holds));
    }
    found.sort_unstable();
    found.dedup();
    if !found.iter().any(|(_, part)| last_run(part).is_some()) {
        let called = |(_, part): &&(usize, &str)| {
            let name = part.lines().next().and_then(function_name);
            name.is_some_and(|name| found.iter().any(|(_, by)| by.contains(&format!("{name}("))))
        };
        let called: Vec<(usize, &str)> = parts.iter().filter(called).copied().collect();
        found.extend(called);
        found.dedup();
    }
    found
}

/// The lines of a file.
struct Lines<'a> {
    /// Each with where it begins, and the number of the one at the level of the file that it is a part of.
    all: Vec<(usize, &'a str, usize)>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let is_inner = |line: &str| line.trim().is_empty() || line.starts_with([' ', '\t', ')', ']', '}']);
        let (mut start, mut outer) = (0, 0);
        let mut all = Vec::new();
        for line in text.split_inclusive('\n') {
            if !is_inner(line) {
                outer = all.len();
            }
            all.push((start, line.trim_end_matches(['\n', '\r']), outer));
            start += line.len();
        }
        Self { all }
    }

    /// The line at the level of the file that a place belongs to.
    fn outer(&self, at: usize) -> Option<usize> {
        let line = self.all.partition_point(|(start, ..)| *start <= at).checked_sub(1)?;
        self.all.get(line).map(|(_, _, outer)| *outer)
    }

    /// The name that stands for what such a line begins, and where that is bound.
    fn binding(&self, line: usize) -> Option<(Range<usize>, &'a str)> {
        let (mut start, mut text, _) = *self.all.get(line)?;
        if text.starts_with("//go:embed") {
            (start, text, _) = *self.all.get(line + 1)?;
        }
        let words = ["const ", "static ", "var ", "pub const ", "pub static ", "pub(crate) const "];
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        // As in Python: a name, perhaps a type, and a value.
        let name = text.split_once('=').and_then(|(name, _)| name.split(':').next());
        let is_bound =
            words.iter().any(|word| text.starts_with(word)) || name.is_some_and(|one| is_name(one.trim()));
        let name = bound_name(text).filter(|_| is_bound)?;
        Some((start..start + text.len(), name))
    }
}

/// The name of the function whose head this line is.
pub(super) fn function_name(line: &str) -> Option<&str> {
    let before = line.split_once('(').map(|(before, _)| before).filter(|before| !before.ends_with("func "));
    // A method of Go has its receiver in front.
    let before = before.or_else(|| line.split_once(") ")?.1.split('(').next())?;
    let name = before.split(['<', '[']).next()?.rsplit(' ').next()?;
    (!name.is_empty()).then_some(name)
}

/// The last call that runs a text which is not written there.
fn last_run(part: &str) -> Option<usize> {
    let of = |call: &&str| {
        let is_text = |at: usize| {
            let arguments = part.get(at + call.len()..).unwrap_or_default();
            let begins = |argument: &str| {
                argument.trim_start_matches(['&', 'f', 'r', '#']).trim_start().starts_with(['"', '\'', '`'])
            };
            // In Go, a context may stand in front of the text.
            let behind = arguments.split_once(", ").filter(|(first, _)| is_context(first));
            begins(arguments) || behind.is_some_and(|(_, next)| begins(next))
        };
        let runs = part.match_indices(*call).filter(|(at, _)| !is_text(*at));
        runs.map(|(at, call)| at + call.len() - 1).last()
    };
    RUNS.iter().filter_map(of).max()
}

/// Whether an argument is a context, by its name: `ctx`, `r.Context()`.
fn is_context(argument: &str) -> bool {
    let is_part = |one: char| one.is_alphanumeric() || "_.()".contains(one);
    let lower = argument.to_ascii_lowercase();
    argument.chars().all(is_part) && (lower.ends_with("ctx") || lower.contains("context"))
}

/// Whether the call in front of whose parenthesis this text ends is one of a transaction, by the name.
fn is_transaction(before: &str) -> bool {
    let owner = before.rsplit_once('.').map_or("", |(owner, _)| owner);
    let is_name = |one: char| one.is_alphanumeric() || one == '_';
    let name = owner.rsplit(|one| !is_name(one)).next().unwrap_or("");
    let last = name.rsplit('_').next().unwrap_or("").to_ascii_lowercase();
    ["tx", "trx", "txn", "transaction", "savepoint"].contains(&last.as_str()) || name.ends_with("Tx")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Option<bool> {
        wrapped(path, text, "app/migrations", &["0001_init".to_owned()]).map(|(is, _)| is)
    }

    #[test]
    fn a_transaction_is_told_by_what_stands_in_front_of_the_call_that_runs_the_files() {
        let rust = "const ALL: &[&str] = &[\n    include_str!(\"migrations/0001_init.sql\"),\n];\n\npub fn open(db: &mut Connection) -> Result<()> {\n    for sql in ALL {\n        let tx = db.transaction()?;\n        tx.execute_batch(sql)?;\n        tx.commit()?;\n    }\n    Ok(())\n}\n";
        assert_eq!(of("app/db.rs", rust), Some(true));
        let bare = rust.replace("        let tx = db.transaction()?;\n", "").replace("tx.", "db.");
        assert_eq!(of("app/db.rs", &bare), Some(false));
        let python = "DIR = HERE / \"migrations\"\n\ndef run(db):\n    for path in sorted(DIR.glob(\"*.sql\")):\n        apply(db, path)\n\ndef apply(db, path):\n    db.execute(\"BEGIN\")\n    db.execute(path.read_text())\n    db.execute(\"COMMIT\")\n";
        assert_eq!(of("app/db.py", python), Some(true));
        let script = python.replace("execute(path", "executescript(path");
        assert_eq!(of("app/db.py", &script), Some(false));
        let go = "//go:embed migrations/*.sql\nvar files embed.FS\n\nfunc (s *Store) run() error {\n\tnames, _ := files.ReadDir(\"migrations\")\n\tfor _, name := range names {\n\t\tif _, err := s.db.Exec(read(name)); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n\treturn nil\n}\n";
        assert_eq!(of("app/db.go", go), Some(false));
        assert_eq!(of("app/db.go", "func run() { s.db.Exec(text) }\n"), None);
        let handed = "//go:embed migrations/*.sql\nvar files embed.FS\n\nfunc run(ctx context.Context) {\n\tlib.Connect(ctx, files)\n\tlib.Exec(ctx, `DELETE FROM jobs`)\n}\n";
        assert_eq!(of("app/db.go", handed), None);
        let own = handed.replace("`DELETE FROM jobs`", "read(files)");
        assert_eq!(of("app/db.go", &own), Some(false));
    }
}
