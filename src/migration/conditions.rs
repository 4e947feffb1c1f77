//! What follows of a condition in code for the engine that it speaks to: of `!db.isSqlite()` that it is another one where it holds, of
//! `isSqlite() || isTest` that it is where it does not, of `isSqlite() && version > 3` nothing. What is not understood says nothing.

use super::{
    engines::names_system,
    lines::{Line, bracketed, is_comment, outside, split},
};
use crate::{extract::text::opening, source::Words};

/// The most bytes of a condition.
pub(super) const CONDITION: usize = 400;

/// What compares a value with the name of an engine, in its last argument.
const COMPARES: [&str; 10] = [
    "isinstance",
    "equals",
    "equalsIgnoreCase",
    "EqualFold",
    "contains",
    "includes",
    "startsWith",
    "starts_with",
    "HasPrefix",
    "matches",
];

/// What asks whether the engine is one, in front of its name.
const ASKS: [&str; 7] = ["is", "Is", "IS", "use", "uses", "using", "USE"];

/// What a condition goes on with in its next line, or breaks off with, but for words.
const JOINS: [&str; 4] = ["&&", "||", "==", "!="];

/// What stands in the names of engines; most conditions have none of it.
pub(super) static ENGINES: Words<'_> = Words::new(&[
    "qlite", "QLite", "QLITE", "psql", "Psql", "PSQL", "ysql", "ySql", "ySQL", "YSQL", "ssql", "sSql",
    "sSQL", "SSQL", "qlserver", "qlServer", "QLServer", "QLSERVER", "pg", "Pg", "PG", "ostgre", "OSTGRE",
    "aria", "ARIA", "ockroach", "OCKROACH", "lick", "LICK",
]);

/// What follows of a condition.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Where it holds, the engine is another one.
    pub holds: bool,
    /// Where it does not, the engine is another one.
    pub fails: bool,
}

/// What follows of the condition of a line, and where it ends; `None` where it has none.
pub(super) fn condition_of(code: &str, line: Line<'_>) -> Option<(Verdict, usize)> {
    let text = line.text.trim_start_matches('}').trim_start();
    let text = text.strip_prefix("else ").unwrap_or(text).trim_start();
    let rest = ["if", "elif", "elsif"].iter().find_map(|word| text.strip_prefix(word));
    let rest = rest.filter(|rest| rest.starts_with([' ', '(']))?;
    let at = line.start + code.get(line.start..)?.find(rest)?;
    let behind = code.get(at..)?;
    let (length, is_cut) = length_of(behind);
    let head = behind.get(..length)?;
    let lead = head.trim_start();
    if let Some(inner) = in_brackets(lead, is_cut) {
        return Some((judge(inner), at + head.len() - lead.len() + inner.len() + 2));
    }
    // A comment behind it, of languages in which no bracket ends it.
    let bare = lead.split(" # ").next().filter(|_| !lead.contains('\n')).unwrap_or(lead);
    let whole = bare.trim_end().trim_end_matches(':');
    // `if err := f(); condition` of Go.
    let whole = whole.rsplit("; ").next().unwrap_or(whole);
    Some((if is_cut { Verdict::default() } else { judge(whole) }, at + length))
}

/// How far a condition reaches, with what follows in its last line, and whether it is longer than is looked at.
fn length_of(behind: &str) -> (usize, bool) {
    // A comment may stand between its lines.
    let seen = behind.get(..behind.floor_char_boundary(2 * CONDITION)).unwrap_or(behind);
    let mut depth = 0_usize;
    for (at, one) in outside(seen) {
        match one {
            _ if at > CONDITION => return (at, true),
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '{' if depth == 0 => return (at, false),
            '\n' if depth == 0 && !goes_on(seen, at, seen.len() < behind.len()) => return (at, false),
            _ => {}
        }
    }
    (seen.len(), seen.len() < behind.len())
}

/// Whether a condition goes on in the line behind a place. `is_cut`: what comes behind the text is not known.
fn goes_on(text: &str, at: usize, is_cut: bool) -> bool {
    let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
    let before = before.trim_end();
    if before.ends_with('\\') || JOINS.iter().any(|sign| before.ends_with(sign)) {
        return true;
    }
    if [" and", " or", " not"].iter().any(|word| before.ends_with(word)) {
        return true;
    }
    let next = behind.lines().map(str::trim).find(|line| !(line.is_empty() || is_comment(line)));
    let Some(next) = next else { return is_cut };
    next.starts_with(['.', '?'])
        || JOINS.iter().any(|sign| next.starts_with(sign))
        || begins_with(next, &["and", "or"])
}

/// Whether a text begins with one of these words.
fn begins_with(text: &str, words: &[&str]) -> bool {
    let ends = |rest: &str| rest.starts_with([' ', '(', '\t', '\n', '\\']);
    words.iter().any(|word| text.strip_prefix(word).is_some_and(ends))
}

/// What stands in the bracket that a text begins with, where nothing behind it goes on with the condition. `is_cut`: what comes behind
/// the text is not known.
fn in_brackets(text: &str, is_cut: bool) -> Option<&str> {
    let inner = bracketed(text)?;
    let rest = text.get(inner.len() + 2..)?.trim_start();
    // What is behind them may be no part of the condition, as in `if (a) run()`.
    let goes_on = rest.starts_with("/*")
        || is_comment(rest) && rest.contains('\n')
        || rest.starts_with(['&', '|', '=', '!', '.', '?', '<', '>', '^', '\\'])
        || begins_with(rest, &["and", "or", "is", "in", "not", "if", "instanceof"]);
    (!(goes_on || is_cut && rest.is_empty())).then_some(inner)
}

/// What follows of a condition that may stand in several lines.
fn judge(condition: &str) -> Verdict {
    if !ENGINES.is_in(condition) {
        return Verdict::default();
    }
    let lines = condition.lines().map(|line| line.trim().trim_end_matches('\\'));
    let lines: Vec<&str> = lines.filter(|line| !is_comment(line)).collect();
    // Behind a comment the line may go on, and a quote without a second one may hold anything.
    if lines.iter().any(|line| outside(line).any(|(_, one)| "#/\"'`".contains(one))) {
        return Verdict::default();
    }
    let words: Vec<&str> = lines.into_iter().flat_map(str::split_whitespace).collect();
    // A chain of calls may have a line for each.
    verdict(&words.join(" ").replace(" .", ".").replace(" ?.", "?."))
}

/// What follows of a condition in one line. Each step in is shorter, and a condition is.
fn verdict(text: &str) -> Verdict {
    let text = text.trim();
    for (signs, is_choice) in [(["||", " or "], true), (["&&", " and "], false)] {
        let parts: Vec<&str> = split(text, signs);
        if parts.len() > 1 {
            let parts: Vec<Verdict> = parts.into_iter().map(verdict).collect();
            let (mut holds, mut fails) =
                (parts.iter().map(|one| one.holds), parts.iter().map(|one| one.fails));
            // Where a choice of questions fails, each does.
            return if is_choice {
                Verdict { holds: holds.all(|one| one), fails: fails.any(|one| one) }
            } else {
                Verdict { holds: holds.any(|one| one), fails: fails.all(|one| one) }
            };
        }
    }
    let whole = |text: &str| bracketed(text).filter(|inner| inner.len() + 2 == text.len()).map(verdict);
    let negated = text.strip_prefix('!').or_else(|| text.strip_prefix("not ")).map(str::trim_start);
    if let Some(inner) = negated.and_then(whole) {
        return Verdict { holds: inner.fails, fails: inner.holds };
    }
    let asked = || {
        let system = atom(text);
        Verdict { holds: system == Some(true), fails: system == Some(false) }
    };
    whole(text).unwrap_or_else(asked)
}

/// What one question says: yes where the engine is another one, and no where it is not, so that it is if the question fails.
fn atom(question: &str) -> Option<bool> {
    let mut text = question;
    let mut is_not = false;
    loop {
        if let Some(rest) = text.strip_prefix('!').or_else(|| text.strip_prefix("not ")) {
            (text, is_not) = (rest.trim_start(), !is_not);
        } else if let Some(rest) = text.strip_prefix("await ") {
            text = rest.trim_start();
        } else {
            break;
        }
    }
    // Of a choice between two it is not known which one is asked.
    let is_choice = text.contains(" else ") || text.replace("?.", ".").contains('?');
    if is_choice || text.starts_with("let ") {
        return None;
    }
    for (sign, differs) in
        [("!==", true), ("===", false), ("!=", true), ("==", false), (" is not ", true), (" is ", false)]
    {
        if let Some((one, other)) = text.split_once(sign) {
            let (one, other) = (one.trim(), other.trim());
            let system = match (value(one), value(other)) {
                (Some(system), None) => Some((system, other)),
                (None, Some(system)) => Some((system, one)),
                _ => None,
            };
            let (system, compared) = system?;
            let is_thing =
                compared.starts_with(|first: char| first.is_alphabetic() || "_$@&*".contains(first));
            let is_nothing = ["nil", "null", "None", "nullptr", "true", "false", "NULL"].contains(&compared);
            return (is_thing && !is_nothing).then_some(system != (is_not != differs));
        }
    }
    let system = called(text)?;
    Some(system != is_not)
}

/// Whether a value is the name of another system, or of SQLite: a text, or a path that ends in one.
fn value(text: &str) -> Option<bool> {
    let text = text.trim();
    let quoted = text.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
    if let Some(text) = quoted {
        return names_system(text.trim_end_matches(['/', ':']));
    }
    let is_path = text.chars().all(|one| one.is_alphanumeric() || "_.:".contains(one));
    let last = text.rsplit(['.', ':']).next().filter(|_| is_path)?;
    // `Sqlite`, `kSqlite`, `driverSqlite`: a variable that holds one has other words.
    names_system(last)
        .filter(|_| last.contains(|one: char| one.is_ascii_uppercase()) || last.starts_with('k'))
}

/// Whether the label of a case, or of an arm, names other systems alone.
pub(super) fn is_case(label: &str) -> bool {
    let mut labels = label.split(['|', ',']).map(str::trim);
    labels.all(|one| value(one.split('(').next().unwrap_or(one)) == Some(true))
}

/// What a call or a name asks: `isPostgres()`, `isinstance(engine, PostgresEngine)`, `driver.startsWith("postgres")`.
fn called(text: &str) -> Option<bool> {
    if let Some((_, class)) = text.split_once(" instanceof ") {
        return value(class);
    }
    let (name, arguments) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        // What a call is made of is not what is asked: `pool(a).isSqlite()`.
        Some(_) => {
            let body = text.strip_suffix(')')?;
            let open = opening(body)?;
            (body.get(..open)?, body.get(open + 1..)?)
        }
        None => (text, ""),
    };
    if is_apart(name) {
        return None;
    }
    let name = name.trim_end_matches('!');
    let last = name.rsplit(|one: char| !one.is_alphanumeric() && one != '_').next().unwrap_or(name);
    if let Some(system) = asked_for(last) {
        return Some(system);
    }
    let compares = COMPARES.iter().any(|one| one.eq_ignore_ascii_case(last));
    let mut parts = arguments.rsplit(',');
    let given = parts.next().filter(|_| compares)?;
    value(given).or_else(|| value(name.rsplit_once('.')?.0))
}

/// The engine that a name asks for: `isPostgres`, `use_sqlite`.
pub(super) fn asked_for(name: &str) -> Option<bool> {
    let is_word = |rest: &&str| rest.starts_with(|one: char| one == '_' || one.is_uppercase());
    let asked = ASKS.iter().find_map(|word| name.strip_prefix(word).filter(is_word));
    names_system(asked?.trim_start_matches('_'))
}

/// Whether a name is none, but stands in some expression.
fn is_apart(name: &str) -> bool {
    let mut depth = 0_usize;
    outside(name).any(|(_, one)| {
        match one {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        one == ' ' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<(bool, bool)> {
        let bare = text.trim_start();
        let line =
            Line { start: 0, indent: text.len() - bare.len(), text: bare.lines().next().unwrap().trim() };
        condition_of(text, line).map(|(verdict, _)| (verdict.holds, verdict.fails))
    }

    #[test]
    fn a_condition_says_for_which_engine_it_holds_and_fails() {
        const HOLDS: Option<(bool, bool)> = Some((true, false));
        const FAILS: Option<(bool, bool)> = Some((false, true));
        for (text, found) in [
            ("if is_sqlite() {", FAILS),
            ("if !is_sqlite() && version > 3 {", HOLDS),
            ("if is_sqlite() || is_test() {", FAILS),
            ("if isPostgres() || isMysql() {", HOLDS),
            ("if !(is_sqlite() || is_test()) {", HOLDS),
            ("if !(a && isPostgres()) || b {", FAILS),
            ("if not (a and is_sqlite() or is_sqlite()):", HOLDS),
            ("if (await db.isPostgres()) {", HOLDS),
            ("if (isPostgres()) run(", HOLDS),
            ("if is_sqlite():  # As it was.", FAILS),
            ("if is_test()\n    || is_sqlite()\n{", FAILS),
            ("if self.db\n    .is_sqlite()\n{", FAILS),
            ("if a and \\\n    is_postgres():\n", HOLDS),
            ("if (\n    # No \"server\".\n    is_sqlite()\n):", FAILS),
            ("if kind == \"sqlite\" {", FAILS),
            ("if db.driverName == driverSQLite {", FAILS),
        ] {
            assert_eq!(of(text), found, "{text}");
        }
    }

    #[test]
    fn a_condition_that_asks_for_more_says_nothing() {
        let long = format!("if is_sqlite()\n{}    && version > 3\n{{", "    // Since then.\n".repeat(60));
        for text in [
            "if db.is_sqlite()\n    && version > 3\n{",
            "if db.is_sqlite()\n    // Since then.\n\n    && version > 3\n{",
            &long,
            "if is_sqlite() // Since then.\n    && version > 3\n{",
            "if (is_sqlite()) // Since then.\n    && version > 3\n{",
            "if is_sqlite() &&\n    version > 3 {",
            "if (is_sqlite()) and version > 3:",
            "if (is_sqlite()\n    and version > 3):",
            "if (version > 3 and\n    is_sqlite()):",
            "if is_sqlite() and \\\n    version > 3:",
            "if (isSqlite() || a) && version > 3 {",
            "if (isSqlite())\n    && version > 3\n{",
            "if (a ? b : isSqlite()) {",
            "if (b if a else is_sqlite()):",
            "if (name.endsWith(\" || \") && isSqlite()) {",
            "if a || isPostgres() {",
            "if a.iter().any(|one| one.b || is_sqlite()) {",
            "if let Some(one) = is_sqlite() {",
        ] {
            assert_eq!(of(text), Some((false, false)), "{text}");
        }
    }
}
