//! From files to rules. A rule that would fail, or that could never find anything for a slip of the pen, is refused
//! here, with its place. Knows the form of a rule; does not run it.

use super::guard::{Guard, MAX_STEPS};
use super::{Rule, RuleError, head};
use crate::facts::Facts;
use crate::schema::sqlite;
use crate::source::plain;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The columns that a rule can return. `message` must be among them, and `site` or `object`.
pub(super) const COLUMNS: [&str; 13] = [
    "site",
    "object",
    "statement",
    "database",
    "variant",
    "table",
    "message",
    "help",
    "obstacle",
    "effect",
    "foreign_key",
    "severity",
    "related",
];

/// The rules that planlint comes with, by name. Their SELECTs are checked by a test, and not at each run.
///
/// # Errors
/// Where the head of one of them is broken, which a test rules out.
pub fn builtin() -> Result<Vec<Rule>, RuleError> {
    RULES.iter().map(|(name, text)| read(format!("rules/{name}.sql"), (*text).to_owned())).collect()
}

/// Whether planlint comes with a rule of this name. No rule of the user's own has such a name.
pub fn is_builtin(name: &str) -> bool {
    RULES.iter().any(|(builtin, _)| *builtin == name)
}

/// The rules of a folder: each `.sql` file in it is one. `display` is the folder as named in messages.
///
/// # Errors
/// Where the folder or a file can't be read, or a rule is broken.
pub fn load_folder(folder: &Path, display: &str) -> Result<Vec<Rule>, RuleError> {
    let failed = |path: &str, error: &std::io::Error| RuleError {
        path: path.to_owned(),
        line: 1,
        message: error.to_string(),
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    let entries = fs::read_dir(folder);
    let entries = entries.map_err(|error| RuleError {
        message: format!("the folder of rules can't be read: {error}"),
        ..failed(display, &error)
    })?;
    for entry in entries {
        let path = entry.map_err(|error| failed(display, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut rules = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let display = format!("{}/{name}", display.trim_end_matches('/'));
        let text = plain::read_text(&path).map_err(|error| failed(&display, &error))?;
        rules.push(read(display, text)?);
    }
    check(&rules)?;
    Ok(rules)
}

/// Prepares the SELECTs of rules on facts without a row: a table, view or column that is not there is an error here,
/// and not a rule that never finds anything.
///
/// # Errors
/// Where one of them is not a SELECT that a rule can be.
pub fn check(rules: &[Rule]) -> Result<(), RuleError> {
    let mut facts = Facts::new()
        .and_then(|facts| facts.freeze().map(|()| facts))
        .map_err(|error| broken("facts", 1, error.to_string()))?;
    let mut guard = Guard::new(facts.connection_mut(), MAX_STEPS)
        .map_err(|error| broken("facts", 1, error.to_string()))?;
    rules.iter().try_for_each(|rule| check_select(&rule.path, &rule.sql, &mut guard))
}

/// Puts the rules of several sources together, by name.
///
/// # Errors
/// Where two have one name, or one yields to a rule that is not there, or to itself by way of others.
pub fn together(sets: Vec<Vec<Rule>>) -> Result<Vec<Rule>, RuleError> {
    let mut by_name: BTreeMap<String, Rule> = BTreeMap::new();
    for rule in sets.into_iter().flatten() {
        if let Some(first) = by_name.get(&rule.name) {
            let message = if is_builtin(&rule.name) {
                format!("planlint has a rule `{}` already: give yours another name", rule.name)
            } else {
                format!("{} is a rule of this name already", first.path)
            };
            return Err(broken(&rule.path, 1, message));
        }
        by_name.insert(rule.name.clone(), rule);
    }
    for rule in by_name.values() {
        check_yields(rule, &by_name)?;
    }
    Ok(by_name.into_values().collect())
}

fn check_yields(rule: &Rule, all: &BTreeMap<String, Rule>) -> Result<(), RuleError> {
    let mut reached: Vec<&str> = rule.yields_to.iter().map(String::as_str).collect();
    let mut next = 0;
    while let Some(&name) = reached.get(next) {
        next += 1;
        if name == rule.name {
            return Err(broken(&rule.path, 1, "it yields to itself, at once or by way of others".to_owned()));
        }
        let Some(other) = all.get(name) else {
            return Err(broken(&rule.path, 1, format!("it yields to `{name}`, and there is no such rule")));
        };
        let further = other.yields_to.iter().map(String::as_str);
        let further: Vec<&str> = further.filter(|name| !reached.contains(name)).collect();
        reached.extend(further);
    }
    Ok(())
}

/// Reads a rule, whose name is the stem of its path. Its SELECT is for [`check`] to look at.
///
/// # Errors
/// Where its name or its head is malformed.
pub fn read(path: String, text: String) -> Result<Rule, RuleError> {
    let stem = Path::new(&path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if !is_kebab_case(stem) {
        let message = format!("`{stem}` is no name for a rule: lower-case words with hyphens between them");
        return Err(broken(&path, 1, message));
    }
    let head = head::read(&text).map_err(|(line, message)| broken(&path, line, message))?;
    Ok(Rule {
        name: stem.to_owned(),
        title: head.title,
        severity: head.severity,
        stage: head.stage,
        yields_to: head.yields_to,
        needs: head.needs,
        why: head.why,
        remedy: head.remedy,
        subject: head.subject,
        ignore: head.ignore,
        sql: text,
        path,
    })
}

fn check_select(path: &str, text: &str, guard: &mut Guard<'_>) -> Result<(), RuleError> {
    let prepared = guard.connection().prepare(text).map(|statement| {
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let selects = statement.readonly() && statement.is_explain() == 0 && !names.is_empty();
        (names, selects, statement.parameter_count())
    });
    let first =
        1 + text.lines().take_while(|line| line.starts_with("--") || line.trim().is_empty()).count() as u32;
    let (names, selects, parameters) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            let (line, message) = place(&error, text, first);
            return Err(broken(path, line, guard.reason().unwrap_or(message)));
        }
    };
    let wrong = if !selects {
        Some("a rule is one SELECT".to_owned())
    } else if parameters > 0 {
        Some("a rule has no parameters: nothing is bound to them".to_owned())
    } else {
        wrong_columns(&names)
    };
    wrong.map_or(Ok(()), |message| Err(broken(path, first, message)))
}

fn wrong_columns(names: &[String]) -> Option<String> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !COLUMNS.contains(&name.as_str()) {
            return Some(format!(
                "a rule can't return a column `{name}`; it can return {}",
                COLUMNS.join(", ")
            ));
        }
        if seen.contains(&name.as_str()) {
            return Some(format!("it returns `{name}` twice"));
        }
        seen.push(name);
    }
    if !seen.contains(&"message") {
        return Some("it returns no column `message`".to_owned());
    }
    let placed = seen.contains(&"site") || seen.contains(&"object");
    (!placed).then(|| "it returns neither `site` nor `object`: a finding must be somewhere".to_owned())
}

/// The line of an error in the text of a rule, and SQLite's words for it.
pub(super) fn place(error: &sqlite::Error, text: &str, first: u32) -> (u32, String) {
    match error {
        sqlite::Error::SqlInputError { msg, offset, .. } if *offset >= 0 => {
            let before = text.bytes().take(*offset as usize);
            (1 + before.filter(|&byte| byte == b'\n').count() as u32, msg.clone())
        }
        sqlite::Error::SqlInputError { msg, .. } => (first, msg.clone()),
        sqlite::Error::SqliteFailure(_, Some(message)) => (first, message.clone()),
        sqlite::Error::MultipleStatement => {
            (first, "a rule is one SELECT, and this is more than one".to_owned())
        }
        error => (first, error.to_string()),
    }
}

pub(super) fn broken(path: &str, line: u32, message: String) -> RuleError {
    RuleError { path: path.to_owned(), line, message }
}

fn is_kebab_case(name: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.split('-').all(word)
}
