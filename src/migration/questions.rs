//! Where in a file code may ask which engine it speaks to: nearly all asks nothing, and is not looked at further.

use super::{
    conditions::{CONDITION, ENGINES, Verdict, asked_for, condition_of, is_case},
    engines::names_system,
    lines::{Line, lines_up},
};

/// The longest name that is looked at, in bytes.
const NAME: usize = 64;

/// Where in code names stand that a question may be about, in order.
fn engines_in(code: &str) -> Vec<usize> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let mut hits: Vec<usize> = ENGINES.places(code).collect();
    let mut seen = 0;
    let is_name = |&at: &usize| {
        // Several parts may stand in one name.
        if at < seen {
            return false;
        }
        let near = code.get(code.ceil_char_boundary(at.saturating_sub(NAME))..at).unwrap_or("");
        let from = at - near.len() + near.trim_end_matches(is_part).len();
        let behind = code.get(at..).unwrap_or("");
        let to = at + behind.find(|one| !is_part(one)).unwrap_or(behind.len());
        seen = to;
        let name = code.get(from..to).filter(|name| name.len() <= NAME).unwrap_or("");
        names_system(name).or_else(|| asked_for(name)).is_some()
    };
    hits.retain(is_name);
    hits
}

/// The starts of the lines in which code may ask, or which are a case for an engine, in order.
pub(super) fn questions_in(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut seen = 0;
    for name in engines_in(code) {
        // A condition may begin some lines in front of the name.
        let near = |line: &Line<'_>| line.start >= seen && line.start + 2 * CONDITION >= name;
        let first = found.len();
        let lines = lines_up(code, name).enumerate().take_while(|(at, line)| *at == 0 || near(line));
        let lines = lines.filter(|(_, line)| line.start >= seen);
        found.extend(lines.filter(|(_, line)| may_ask(code, *line)).map(|(_, line)| line.start));
        found.get_mut(first..).unwrap_or_default().reverse();
        let behind = code.get(name..).and_then(|rest| memchr::memchr(b'\n', rest.as_bytes()));
        seen = behind.map_or(code.len(), |length| name + length);
    }
    found
}

/// Whether a line is a case, or its condition says something.
fn may_ask(code: &str, line: Line<'_>) -> bool {
    let arm = line.text.split_once("=>").or_else(|| line.text.split_once("->"));
    line.text.starts_with("case ")
        || arm.is_some_and(|(label, _)| is_case(label.trim()))
        || condition_of(code, line).is_some_and(|(verdict, _)| verdict != Verdict::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_question_may_be_about_are_found_in_code() {
        for code in [
            "is_sqlite",
            "a.isPostgres()",
            "'sqlite3'",
            "MySQL",
            "DIALECT_PG",
            "kMysql",
            "MSSQL",
            "uses_psql",
            "MariaDB",
        ] {
            assert_eq!(engines_in(code).len(), 1, "{code}");
        }
        for code in ["rusqlite::Error", "sql", "page", "sqlite_error", "clickable", "is_sqlite_open"] {
            assert_eq!(engines_in(code), [0_usize; 0], "{code}");
        }
    }

    #[test]
    fn lines_that_ask_are_found_in_order() {
        let code = "use sqlite;\nif (\n    // Which?\n    is_sqlite()\n) {\n    a(\"sqlite\");\n}\ncase Postgres: b()\nMySql => c(),\n";
        let of = |text: &str| code.find(text).unwrap();
        assert_eq!(questions_in(code), [of("if ("), of("case "), of("MySql")]);
        assert!(
            questions_in("fn open(path: &Sqlite) -> Sqlite {\n    if a { b(\"sqlite\") }\n}\n").is_empty()
        );
    }
}
