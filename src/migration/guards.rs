//! Whether code asks which engine it speaks to before it runs a text: `if (!db.isSqlite()) { … }`, `case "postgres":`, or a return where
//! it is SQLite. Goes by indentation, which all languages have, by brackets where a block is left, and by the forms of such questions;
//! knows no grammar. What it does not understand is no question.

use super::{
    conditions::{condition_of, is_case},
    lines::{Line, braces, declares, is_comment, lines_up},
    questions::questions_in,
};
use crate::{
    extract::{is_indented, is_sql},
    source::{SourceId, Sources},
};
use std::{collections::HashMap, sync::OnceLock};

/// How far in front of a text it looks, in bytes.
const FAR: usize = 16 * 1024;

/// What code asks for, in files of which places are asked about.
pub(super) struct Guards<'a> {
    sources: &'a Sources,
    /// Where in each file it may ask.
    questions: HashMap<SourceId, OnceLock<Vec<usize>>>,
}

impl<'a> Guards<'a> {
    /// Of these files, each of which is read when it is first asked about.
    pub fn new(sources: &'a Sources, files: impl Iterator<Item = SourceId>) -> Self {
        Self { sources, questions: files.map(|file| (file, OnceLock::new())).collect() }
    }

    /// Whether what stands at a place runs for another engine alone, by the questions around it.
    pub fn are_for_another(&self, file: SourceId, at: u32) -> bool {
        let source = self.sources.get(file).filter(|source| !is_sql(&source.path));
        let (Some(source), Some(questions)) = (source, self.questions.get(&file)) else { return false };
        let at = at as usize;
        let questions = questions.get_or_init(|| questions_in(source.text()));
        let first = questions.partition_point(|&one| one + FAR < at);
        questions.get(first).is_some_and(|&one| one <= at)
            && is_asked(source.text(), at, is_indented(&source.path))
    }
}

/// Whether what stands at a place of a text is. `is_indented`: of a language whose functions are there only once the code came to them.
fn is_asked(code: &str, at: usize, is_indented: bool) -> bool {
    // A line may be as long as a file.
    let end = code.floor_char_boundary(at.saturating_add(FAR));
    let start = code.ceil_char_boundary(at.saturating_sub(FAR));
    let at = at.saturating_sub(start);
    let code = code.get(start..end).unwrap_or("");
    let mut lines = lines_up(code, at);
    let Some(own) = lines.next() else { return false };
    if asks(code, own, Some(at)) {
        return true;
    }
    let mut climb = Climb::new(code, own, at, is_indented);
    let mut above = lines.peekable();
    while let Some(line) = above.next() {
        let is_open = climb.up(line);
        if line.indent > climb.inner {
            continue;
        }
        if is_closing(line.text) {
            // `}).then(() => {` ends one block and begins another.
            if line.text.len() > 1 && line.text.ends_with(['{', '(', '[']) {
                climb.inner = climb.inner.min(line.indent);
            }
            continue;
        }
        if line.indent == climb.inner && climb.leaves_by(line) && is_open && !climb.is_early() {
            return true;
        }
        if line.indent >= climb.inner {
            continue;
        }
        climb.inner = line.indent;
        climb.is_chain = false;
        // Where the case above runs on into this one, it is for both.
        let is_case = |line: &Line<'_>| line.text.starts_with("case ") && line.text.ends_with(':');
        let runs_on = is_case(&line) && above.peek().is_some_and(is_case);
        if !runs_on && asks(code, line, None) || is_other(line.text) && fails_above(code, above.clone(), line)
        {
            return true;
        }
        if climb.inner == 0 && climb.is_inner {
            return false;
        }
    }
    false
}

/// What is known on the way up from a place.
struct Climb<'c> {
    code: &'c str,
    is_indented: bool,
    /// How far the block reaches in, in which the place stands at this line.
    inner: usize,
    /// How many more blocks end below than begin, at most: none, or fewer than none.
    low: i32,
    /// How far the line reaches in that opens a block around the place and is not what it is the block of.
    opened: Option<usize>,
    /// Whether a named function begins between.
    is_inner: bool,
    /// Whether below, in the chain of conditions at hand, all that does not leave is for another engine.
    is_chain: bool,
}

impl<'c> Climb<'c> {
    fn new(code: &'c str, own: Line<'_>, at: usize, is_indented: bool) -> Self {
        let head = code.get(own.start..at).unwrap_or("");
        let is_inner = declares(head.trim());
        Self {
            code,
            is_indented,
            inner: own.indent,
            low: braces(head).0,
            opened: None,
            is_inner,
            is_chain: false,
        }
    }

    /// Goes up by a line, and says whether the block that it stands in still is open at the place.
    fn up(&mut self, line: Line<'_>) -> bool {
        // Where indentation makes the blocks no bracket does, and what is there early no return keeps from running.
        if self.is_indented || self.is_inner {
            self.is_inner |= line.indent < self.inner && declares(line.text);
            return true;
        }
        let bare = line.text.trim_start_matches('}').trim_start();
        let ended = line.text.bytes().take_while(|&one| one == b'}').count() as i32;
        let (low, sum) = braces(bare);
        let opens = sum > 0 && self.low == 0;
        let low = low.min(sum + self.low);
        self.low = low - ended;
        let is_head = self.opened.is_some_and(|indent| line.indent <= indent);
        if is_closing(line.text) {
            self.opened = if opens { Some(line.indent) } else { self.opened };
            return low == 0;
        }
        if is_head {
            self.opened = None;
        }
        let is_around = is_head || opens || line.indent < self.inner;
        self.is_inner |= is_around && declares(bare);
        low == 0
    }

    /// Whether what stands between is a function that may run before the code comes to it.
    fn is_early(&self) -> bool {
        self.is_inner && !self.is_indented
    }

    /// Whether, by the conditions from a line on, the code that goes on behind them is for another engine.
    fn leaves_by(&mut self, line: Line<'_>) -> bool {
        let Some((verdict, end)) = condition_of(self.code, line) else {
            self.is_chain = false;
            return false;
        };
        let leaves = (verdict.fails || self.is_chain) && leaves(self.code, line, end);
        // What an earlier branch goes on with comes past the later ones.
        self.is_chain = leaves && verdict.fails || self.is_chain && (leaves || verdict.holds);
        self.is_chain && line.text.starts_with("if")
    }
}

/// Whether a line is a bracket and belongs to the line that it ends.
fn is_closing(line: &str) -> bool {
    line.starts_with([')', ']', '}', '{']) && !line.contains("else")
}

/// Whether a line asks, or is a case, so that what stands in it is for another engine. What stands at `before` is behind the question.
fn asks(code: &str, line: Line<'_>, before: Option<usize>) -> bool {
    let head = before.map_or(line.text, |at| code.get(line.start..at).unwrap_or("").trim());
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

/// Whether a line begins a branch for what the conditions above it leave.
fn is_other(line: &str) -> bool {
    let line = line.trim_start_matches('}').trim_start();
    let is_else = |rest: &str| rest.is_empty() || rest.starts_with([' ', ':', '{']);
    line.strip_prefix("else").is_some_and(is_else) || line.starts_with("elif") || line.starts_with("elsif")
}

/// Whether one of the questions above an `else`, of its chain, leaves it to another engine.
fn fails_above<'c>(code: &str, above: impl Iterator<Item = Line<'c>>, own: Line<'_>) -> bool {
    for line in above.filter(|line| line.indent <= own.indent) {
        if line.indent < own.indent {
            return false;
        }
        if is_closing(line.text) {
            continue;
        }
        let Some((verdict, _)) = condition_of(code, line) else { return false };
        if verdict.fails {
            return true;
        }
        if line.text.starts_with("if") {
            return false;
        }
    }
    false
}

/// Whether the block of a line leaves the function in its last statement. `end` is where the condition of the line ends.
fn leaves(code: &str, line: Line<'_>, end: usize) -> bool {
    let mut lines = code.get(end..).unwrap_or("").lines();
    if !lines.next().is_some_and(begins_block) {
        return false;
    }
    let mut block = None;
    let mut last = "";
    for one in lines {
        let text = one.trim_start();
        // What is there for some builds alone may not be there.
        if text.starts_with("#[") || text.starts_with("#if") {
            return false;
        }
        if text.is_empty() || text.starts_with('{') || is_comment(text) {
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
    ["return", "throw", "raise"].iter().any(|word| last.strip_prefix(word).is_some_and(ends_word))
}

/// Whether nothing stands behind a condition but what begins its block.
fn begins_block(rest: &str) -> bool {
    let rest = rest.trim_start();
    let rest =
        ["{", ":", "then"].iter().find_map(|sign| rest.strip_prefix(sign)).unwrap_or(rest).trim_start();
    rest.is_empty() || is_comment(rest) || rest.starts_with("/*")
}

/// Whether a word of the language ends where this begins, so that it is no part of a name, and nothing is given to it.
fn ends_word(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric() || "_.:".contains(next))
        && !rest.trim_start().starts_with('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(code: &str) -> bool {
        let is_indented = code.contains("def ");
        is_asked(code, code.find("DDL").unwrap(), is_indented)
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
    fn what_follows_a_return_for_sqlite_is_for_another_engine() {
        for code in [
            "fn f() {\n    if db.is_sqlite()\n        || is_test()\n    {\n        return;\n    }\n    run(\"DDL\");\n}",
            "def f(txn):\n    if isinstance(engine, PostgresEngine):\n        a()\n    elif is_sqlite():\n        return\n    txn.execute(\"DDL\")\n",
            "if (a) {\n  return 1;\n} else if (b) {\n  throw new Error();\n} else if (isSqlite()) {\n  return 2;\n}\nrun('DDL');",
            "def f(txn):\n    if is_sqlite():\n        a()\n    elif b:\n        txn.execute(\"DDL\")\n",
            "function f() {\nif (isSqlite()) {\n  return;\n}\nrun('DDL');\n}",
            "function f() {\n  if (isSqlite()) {\n    return;\n  }\n  const g = () => {\n    run('DDL');\n  };\n}",
            "if (isSqlite()) { // As it was.\n  return a({\n    b: \"}\",\n  });\n}\nrun('DDL');",
            "def f(self):\n    if is_sqlite():\n        raise\n\n    def g(\n        txn,\n    ):\n        txn.execute(\"DDL\")\n",
        ] {
            assert!(other(code), "{code}");
        }
    }

    #[test]
    fn what_may_be_reached_with_sqlite_is_not_for_another_engine() {
        for code in [
            "fn f() {\n    if db.is_sqlite()\n        && version > 3\n    {\n        return;\n    }\n    run(\"DDL\");\n}",
            // The branches in front go on.
            "def f(txn):\n    if a:\n        b()\n    elif is_sqlite():\n        return\n    txn.execute(\"DDL\")\n",
            "if (a) {\n  return 1;\n} else if (b) {\n  c();\n} else if (isSqlite()) {\n  return 2;\n}\nrun('DDL');",
            "if (a) {\n  b();\n} else if (isSqlite()) {\n  return 2;\n} else if (c) {\n  return 3;\n}\nrun('DDL');",
            // Another function leaves.
            "wrap(function () {\nfunction f() {\nif (isSqlite()) {\n  return;\n}\n}\nfunction g() {\nrun('DDL');\n}\n});",
            "f() {\nif (isSqlite()) {\n  return;\n}\na();\n},\ng() {\nrun('DDL');\n}",
            "function f()\n{\nif (isSqlite())\n{\n  return;\n}\n}\nvar text = 'DDL';",
            // Words that only begin so.
            "def f(txn):\n    if is_sqlite():\n        returned = 1\n    txn.execute(\"DDL\")\n",
            "if (isSqlite()) {\n  return_to(a);\n}\nrun('DDL');",
            "if (isSqlite()) {\n  raise = 1;\n}\nrun('DDL');",
            // Functions that are there from the beginning.
            "function f() {\n  if (isSqlite()) {\n    return g();\n  }\n  a();\n  async function g() {\n    run('DDL');\n  }\n}",
            "fn f() {\n    if is_sqlite() {\n        return g(a);\n    }\n    pub(crate) fn g<T: A>(\n        a: T,\n    ) -> u8 {\n        run(\"DDL\")\n    }\n}",
            "int F()\n{\n    if (isSqlite())\n    {\n        return G();\n    }\n    a();\n    Task<int> G(int a)\n    {\n        run(\"DDL\");\n    }\n}",
            "int F() {\n    if (isSqlite()) {\n        return G();\n    }\n    int G() => run(\"DDL\");\n}",
            "function f() {\nif (isSqlite()) {\n  return g();\n}\nfunction g() {\nrun('DDL');\n}\n}",
            // What returns is no block of the condition, or is there in some builds.
            "if (isSqlite()) rows = rows.map(row => {\n    return row.a;\n});\nrun('DDL');",
            "if is_sqlite() {\n    #[cfg(test)]\n    return;\n}\nrun(\"DDL\");",
            "for x in y {\n    if is_sqlite() {\n        return;\n    }\n}\nlet f = |a| {\n    if is_sqlite() {\n        return;\n    }\n};\nrun(\"DDL\");",
            // It stands in the block that leaves.
            "if (isSqlite()) {\n  run('DDL');\n  return;\n}",
        ] {
            assert!(!other(code), "{code}");
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
