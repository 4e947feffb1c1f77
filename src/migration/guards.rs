//! Whether code asks which engine it speaks to before it runs a text: `if (!db.isSqlite()) { … }`, `case "postgres":`, or a return where
//! it is SQLite. Goes by indentation, which all languages have, and by the forms of such questions; knows no grammar. What it does not
//! understand is no question.

use super::engines::names_system;
use crate::extract::text::opening;

/// How far in front of a text it looks, in bytes.
const FAR: usize = 16 * 1024;

/// The most bytes of a condition.
const CONDITION: usize = 400;

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

/// A line of code, without the space around it.
#[derive(Clone, Copy)]
struct Line<'c> {
    start: usize,
    indent: usize,
    text: &'c str,
}

/// What follows of a condition.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Verdict {
    /// Where it holds, the engine is another one.
    holds: bool,
    /// Where it does not, the engine is another one.
    fails: bool,
}

/// Whether what stands at a place runs for another engine alone, by the questions around it. `from` is where its function begins.
pub(super) fn is_for_another(code: &str, from: usize, at: usize) -> bool {
    // A line may be as long as a file.
    let end = code.floor_char_boundary(at.saturating_add(FAR));
    let start = code.ceil_char_boundary(at.saturating_sub(FAR));
    let (from, at) = (from.saturating_sub(start), at.saturating_sub(start));
    let code = code.get(start..end).unwrap_or("");
    let mut lines = lines_up(code, from, at);
    let Some(own) = lines.next() else { return false };
    if asks(code, own, Some(at)) {
        return true;
    }
    let mut inner = own.indent;
    let mut above = lines.peekable();
    while let Some(line) = above.next() {
        // A bracket of its own line belongs to the line that it ends.
        if line.text.starts_with([')', ']', '}', '{']) && !line.text.contains("else") {
            // `}).then(() => {` ends one block and begins another.
            if line.text.len() > 1 && line.text.ends_with(['{', '(', '[']) {
                inner = inner.min(line.indent);
            }
            continue;
        }
        if line.indent == inner && leaves(code, line) {
            return true;
        }
        if line.indent >= inner {
            continue;
        }
        inner = line.indent;
        let is_other = if is_else(line.text) {
            // The chain stands above, at the same depth.
            fails_above(code, above.clone(), line)
        } else {
            // Where the case above runs on into this one, it is for both.
            let is_case = |line: &Line<'_>| line.text.starts_with("case ") && line.text.ends_with(':');
            let runs_on = is_case(&line) && above.peek().is_some_and(is_case);
            !runs_on && asks(code, line, None)
        };
        if is_other {
            return true;
        }
    }
    false
}

/// The lines in front of a place, the nearest first; those that are empty or comments alone aside.
fn lines_up(code: &str, from: usize, at: usize) -> impl Iterator<Item = Line<'_>> + Clone {
    let mut end = code.get(at..).and_then(|rest| rest.find('\n')).map_or(code.len(), |length| at + length);
    let mut is_over = false;
    std::iter::from_fn(move || {
        while !is_over {
            let start = code.get(..end)?.rfind('\n').map_or(0, |before| before + 1);
            let line = code.get(start..end)?;
            is_over = start <= from;
            end = start.saturating_sub(1);
            let text = line.trim();
            if !(text.is_empty() || text.starts_with("//") || text.starts_with('#')) {
                return Some(Line { start, indent: line.len() - line.trim_start().len(), text });
            }
        }
        None
    })
}

/// Whether a line asks, or is a case, so that what stands in it is for another engine. What stands at `before` is behind the question.
fn asks(code: &str, line: Line<'_>, before: Option<usize>) -> bool {
    let head = before.map_or(line.text, |at| code.get(line.start..at).unwrap_or("").trim());
    let is_case = |label: &str| {
        let mut labels = label.split(['|', ',']).map(str::trim);
        labels.all(|one| value(one.split('(').next().unwrap_or(one)) == Some(true))
    };
    if let Some(label) = head.strip_prefix("case ") {
        return is_case(label.trim_end_matches(['{', ' ']).trim_end_matches(':').trim_end());
    }
    let arm = head.split_once("=>").or_else(|| head.split_once("->"));
    if arm.is_some_and(|(label, _)| is_case(label.trim())) {
        return true;
    }
    let Some((verdict, end)) = condition_of(code, line) else { return false };
    let Some(at) = before else { return verdict.holds };
    // Of one line the condition has to be over where the text begins, and its block must not.
    let Some(between) = code.get(end..at) else { return false };
    let is_behind =
        || between.contains([';']) || between.matches('}').count() >= between.matches('{').count().max(1);
    match between.split_once("else") {
        Some((_, behind)) => verdict.fails && !behind.contains([';', '}']),
        None => verdict.holds && !is_behind(),
    }
}

fn is_else(line: &str) -> bool {
    let line = line.trim_start_matches('}').trim_start();
    line.strip_prefix("else").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', '{']))
        && !line.contains("else if ")
        && !line.contains("else if(")
}

/// Whether one of the questions above an `else`, of its chain, leaves it to another engine.
fn fails_above<'c>(code: &str, above: impl Iterator<Item = Line<'c>>, own: Line<'_>) -> bool {
    for line in above.filter(|line| line.indent <= own.indent) {
        if line.indent < own.indent {
            return false;
        }
        if line.text == "{" || line.text == "}" {
            continue;
        }
        let Some(verdict) = condition(code, line) else { return false };
        if verdict.fails {
            return true;
        }
        if line.text.starts_with("if") {
            return false;
        }
    }
    false
}

/// Whether the block of a line leaves the function in its last statement, so that what follows is for another engine.
fn leaves(code: &str, line: Line<'_>) -> bool {
    let Some((_, end)) = condition_of(code, line).filter(|(verdict, _)| verdict.fails) else { return false };
    let Some(rest) = code.get(end..) else { return false };
    let mut block = None;
    let mut last = "";
    for one in rest.lines().skip(1) {
        let text = one.trim_start();
        if text.is_empty() || text.starts_with('{') || text.starts_with("//") || text.starts_with('#') {
            continue;
        }
        let indent = one.len() - text.len();
        if indent <= line.indent {
            break;
        }
        if indent == *block.get_or_insert(indent) && !text.starts_with([')', ']', '}']) {
            last = text;
        }
    }
    ["return", "throw ", "raise "].iter().any(|word| last.starts_with(word))
}

/// What follows of the condition of a line; `None` where it has none.
fn condition(code: &str, line: Line<'_>) -> Option<Verdict> {
    condition_of(code, line).map(|(verdict, _)| verdict)
}

/// The same, with where the condition ends.
fn condition_of(code: &str, line: Line<'_>) -> Option<(Verdict, usize)> {
    let text = line.text.trim_start_matches('}').trim_start();
    let text = text.strip_prefix("else ").unwrap_or(text).trim_start();
    let rest = ["if", "elif", "elsif"].iter().find_map(|word| text.strip_prefix(word));
    let rest = rest.filter(|rest| rest.starts_with([' ', '(']))?;
    let at = line.start + code.get(line.start..)?.find(rest)?;
    let mut depth = 0_usize;
    let behind = code.get(at..)?;
    let ends = |(at, one): (usize, char)| {
        match one {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0 && "{\n".contains(one) || at > CONDITION).then_some(at)
    };
    let end = behind.char_indices().find_map(ends).unwrap_or(behind.len());
    let whole = behind.get(..end)?.trim().trim_end_matches(':');
    // `if err := f(); condition` of Go.
    let whole = whole.rsplit("; ").next().unwrap_or(whole).trim();
    let inner = whole.strip_prefix('(').and_then(|rest| in_brackets(rest, whole));
    let closed = || Some(at + behind.find('(')? + inner?.len() + 2);
    let end = closed().unwrap_or(at + end);
    Some((judge(inner.unwrap_or(whole)), end))
}

/// What stands in brackets that enclose all of a text.
fn in_brackets<'t>(rest: &'t str, whole: &'t str) -> Option<&'t str> {
    let mut depth = 1_usize;
    for (at, one) in rest.char_indices() {
        match one {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            // What is behind them is no part of the condition, as in `if (a) run()`.
            return (!whole.get(at + 2..)?.trim_start().starts_with(['&', '|', '=', '!', '.']))
                .then(|| rest.get(..at))?;
        }
    }
    None
}

fn judge(condition: &str) -> Verdict {
    let condition = condition.replace(" or ", " || ").replace(" and ", " && ");
    let atoms = |part: &str| part.split("&&").map(|one| atom(one.trim())).collect::<Vec<_>>();
    let parts: Vec<Vec<Option<bool>>> = condition.split("||").map(atoms).collect();
    let holds = parts.iter().all(|part| part.contains(&Some(true)));
    // Where a choice of questions fails, each does.
    let fails = parts.iter().any(|part| part.as_slice() == [Some(false)]);
    Verdict { holds, fails }
}

/// What one question says: yes where the engine is another one, and no where it is not, so that it is if the question fails.
fn atom(question: &str) -> Option<bool> {
    let mut text = question;
    let mut is_not = false;
    while let Some(rest) = text.strip_prefix('!').or_else(|| text.strip_prefix("not ")) {
        (text, is_not) = (rest.trim_start(), !is_not);
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
    names_system(last)
        .filter(|_| last.starts_with(|one: char| one.is_ascii_uppercase()) || last.starts_with('k'))
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
    let name = name.trim_end_matches('!');
    let last = name.rsplit(|one: char| !one.is_alphanumeric() && one != '_').next().unwrap_or(name);
    for word in ASKS {
        let system = last
            .strip_prefix(word)
            .filter(|rest| rest.starts_with(|one: char| one == '_' || one.is_uppercase()));
        if let Some(system) = system.map(|rest| rest.trim_start_matches('_')) {
            return names_system(system);
        }
    }
    let compares = COMPARES.iter().any(|one| one.eq_ignore_ascii_case(last));
    let mut parts = arguments.rsplit(',');
    let given = parts.next().filter(|_| compares)?;
    value(given).or_else(|| value(name.rsplit_once('.')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(code: &str) -> bool {
        is_for_another(code, 0, code.find("DDL").unwrap())
    }

    #[test]
    fn a_question_before_a_text_says_for_which_engine_it_is() {
        for code in [
            "void f()\n{\n    if (!app.db().isSqlite())\n    {\n        run(\"a\")\n            << \"DDL\";\n    }\n}",
            "if br.DB.Dialect == dbutil.Postgres {\n\tdb.Exec(\"DDL\")\n}",
            "if dialect != \"sqlite\" {\n\tdb.Exec(\n\t\t\"DDL\")\n}",
            "if (isSqlite()) {\n  a();\n} else {\n  run('DDL');\n}",
            "def f(txn):\n    if isinstance(self.engine, PostgresEngine):\n        txn.execute(\"DDL\")\n",
            "def f(txn):\n    if isinstance(\n        self.engine, PostgresEngine\n    ):\n        txn.execute(\"DDL\")\n",
            "def f(txn):\n    if isinstance(engine, Sqlite3Engine):\n        a()\n    else:\n        txn.execute(\"DDL\")\n",
            "def f(txn):\n    if not isinstance(engine, PostgresEngine):\n        return\n\n    txn.execute(\"DDL\")\n",
            "def f(self):\n    if isinstance(self.engine, Sqlite3Engine):\n        # Plain.\n        a = b()\n        return {\n            c(a)\n        }\n\n    def g(txn):\n        txn.execute(\"DDL\")\n",
            "if db.IsSQLite() {\n\treturn nil\n}\nfor x {\n\tdb.Exec(\"DDL\")\n}",
            "switch db.Dialect {\ncase dbutil.Postgres, dbutil.MySQL:\n\tdb.Exec(\"DDL\")\n}",
            "match kind {\n    Kind::Postgres(pool) => {\n        run(\"DDL\")\n    }\n}",
            "if (a && driver === 'mysql') run(\"DDL\");",
            "if (\"postgres\".equals(driver)) {\n  run(\"DDL\");\n}",
            "if strings.HasPrefix(dsn, \"postgres://\") {\n\trun(\"DDL\")\n}",
            "let a = 1;\nif is_postgres { \"DDL\" } else { \"b\" }",
            "if is_sqlite { \"b\" } else { \"DDL\" }",
        ] {
            assert!(other(code), "{code}");
        }
    }

    #[test]
    fn what_is_asked_of_other_things_says_nothing() {
        for code in [
            "if (db.isSqlite()) {\n  run('DDL');\n}",
            "if (!db.isSqlite()) {\n  a();\n} else {\n  run('DDL');\n}",
            "if (!db.isSqlite()) {\n  a();\n}\nrun('DDL');",
            "if sqliteDB != nil {\n\tdb.Exec(\"DDL\")\n}",
            "if !sqlite_path.exists() {\n    db.execute(\"DDL\")\n}",
            "if err := openSqlite(); err != nil {\n\tdb.Exec(\"DDL\")\n}",
            "if isSqlite || isPostgres {\n\tdb.Exec(\"DDL\")\n}",
            "if !isPostgres() {\n\tdb.Exec(\"DDL\")\n}",
            "if sqlite == nil {\n\treturn nil\n}\ndb.Exec(\"DDL\")",
            "switch db.Dialect {\ncase dbutil.Postgres:\n\ta()\ncase dbutil.SQLite:\n\tdb.Exec(\"DDL\")\n}",
            "match pool {\n    Pool::Sqlite(pool) => run(\"DDL\"),\n}",
            "if driver == \"postgres\" {\n\ta()\n}\nfor _, x := range y {\n\tdb.Exec(\"DDL\")\n}",
            "switch (driver) {\n  case 'sqlite':\n  case 'postgres':\n    run('DDL');\n}",
            "def f(txn):\n    if isinstance(engine, Sqlite3Engine):\n        if a:\n            return\n        b()\n    txn.execute(\"DDL\")\n",
            "if is_sqlite_open() {\n  a();\n} else {\n  run('DDL');\n}",
            "if is_postgres { \"b\" } else { \"DDL\" }",
            "if (isPostgres()) prepare(); run('DDL');",
            "f() {\n  if (isSqlite()) prepare();\n  return run('DDL');\n}",
            "first(() => {\n  if (isSqlite()) {\n    return;\n  }\n  a();\n}).then(() => {\n  run('DDL');\n});",
        ] {
            assert!(!other(code), "{code}");
        }
    }
}
