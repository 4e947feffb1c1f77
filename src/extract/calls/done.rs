//! Functions that leave a mark of what they did, and do nothing where they find it: that is done once in the life of a database.
//! An `impl` of [`Collector`], apart for its length. Knows the blocks of languages with braces.

use super::Collector;
use crate::extract::{Found, Unit, roles::Role, sql::skip_leading};
use std::collections::BTreeMap;

/// How many tokens may stand between the question and the block that its answer guards.
const NEAR: usize = 40;
/// How much of a statement is looked at, in bytes.
const FIRST: usize = 200;
/// How code says that nothing was found.
const NONE: [&str; 8] = ["== 0", "==0", "< 1", "!", "not ", "none", "empty", "NoRows"];
/// How many questions of a function are tried.
const MOST: usize = 8;

impl Collector<'_> {
    /// Calls start-up what is done once.
    pub(super) fn mark_done(&mut self, found: &mut [Found]) {
        let mut held: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, one) in found.iter().enumerate() {
            if let Some(function) = one.literal.function.filter(|_| one.literal.role == Role::Production) {
                held.entry(function).or_default().push(index);
            }
        }
        for (function, own) in held.into_iter().filter(|(_, own)| own.len() > 1) {
            let of_function: Vec<&Found> = own.iter().filter_map(|&index| found.get(index)).collect();
            if !self.is_done_once(&of_function) {
                continue;
            }
            if let Some(function) = self.functions.get_mut(function as usize) {
                function.role = Role::StartUp;
                "it leaves a mark that it is done".clone_into(&mut function.reason);
            }
            for index in own {
                if let Some(one) = found.get_mut(index) {
                    one.literal.role = Role::StartUp;
                }
            }
        }
    }

    /// Whether what stands between a question and a block says that the block is for none.
    fn asks_for_none(&self, unit: &Unit, from: usize, open: usize) -> bool {
        let end = |at: usize| unit.tokens.get(at).map(|token| token.end as usize);
        let all = unit.text(self.folder.sources);
        let between = end(from).zip(end(open)).and_then(|(start, end)| all.get(start..end)).unwrap_or("");
        let asked = between.replace("!=", "");
        NONE.iter().any(|word| asked.contains(word))
    }

    /// Whether a function asks for a mark first, and all else that it does stands in the block behind, with what leaves it.
    fn is_done_once(&self, own: &[&Found]) -> bool {
        let asking = own.iter().filter_map(|one| Some((one, asked(text(one))?))).take(MOST);
        asking.into_iter().any(|(one, mark)| {
            let Some(unit) = self.folder.units.get(one.unit as usize) else { return false };
            let from = one.candidate.literal as usize;
            let opens = |at: &usize| unit.tokens.get(*at).is_some_and(|token| token.is(b'{'));
            let Some(open) = (from..from + NEAR).find(opens) else { return false };
            if !self.asks_for_none(unit, from, open) {
                return false;
            }
            let Some(close) = unit.sketch.brackets.close(open) else { return false };
            let within = |other: &Found| {
                other.unit == one.unit && (open..close).contains(&(other.candidate.literal as usize))
            };
            own.iter().all(|other| other.candidate.literal == one.candidate.literal || within(other))
                && own.iter().any(|other| within(other) && leaves(text(other), mark))
        })
    }
}

fn text(one: &Found) -> &str {
    let text = one.literal.variants.first().map_or("", |text| skip_leading(text.as_str()));
    text.get(..text.floor_char_boundary(FIRST)).unwrap_or("")
}

/// A table, a column of it, and a value, as written.
type Mark<'t> = [&'t str; 3];

/// The mark that a statement asks for: `SELECT count(*) FROM done WHERE step = 3`.
fn asked(sql: &str) -> Option<Mark<'_>> {
    let parts = parts(sql);
    let at = parts.iter().position(|part| part.eq_ignore_ascii_case("from"))?;
    let [_, table, condition, column, "=", value, rest @ ..] = parts.get(at..)? else { return None };
    let is_one = begins(&parts, "select")
        && condition.eq_ignore_ascii_case("where")
        && value.starts_with(|first: char| first.is_ascii_digit() || "-'".contains(first))
        && (rest.is_empty()
            || rest.first().is_some_and(|part| part.eq_ignore_ascii_case("limit") || *part == ";"));
    is_one.then_some([table, column, value])
}

/// Whether a statement leaves a mark: `INSERT INTO done (step) VALUES (3)`.
fn leaves(sql: &str, [table, column, value]: Mark<'_>) -> bool {
    let parts = parts(sql);
    let Some(at) = parts.iter().position(|part| part.eq_ignore_ascii_case("into")) else { return false };
    let Some([_, into, "(", list @ ..]) = parts.get(at..) else { return false };
    let Some(end) = list.iter().position(|part| *part == ")") else { return false };
    let (Some(names), Some([_, _, "(", values @ ..])) = (list.get(..end), list.get(end..)) else {
        return false;
    };
    if values.contains(&"(") {
        return false;
    }
    let mut given = names.iter().step_by(2).zip(values.iter().step_by(2));
    begins(&parts, "insert")
        && into.eq_ignore_ascii_case(table)
        && given.any(|(name, given)| name.eq_ignore_ascii_case(column) && *given == value)
}

fn begins(parts: &[&str], verb: &str) -> bool {
    parts.first().is_some_and(|first| first.eq_ignore_ascii_case(verb))
}

/// The words, the literals and the signs of a statement, without the quotes of names.
fn parts(sql: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let is_word = |one: char| one.is_alphanumeric() || one == '_';
        let behind = rest.get(first.len_utf8()..).unwrap_or("");
        let length = match first {
            '\'' => behind.find('\'').map_or(rest.len(), |at| at + 2),
            '?' | ':' | '@' | '$' => 1 + behind.find(|one| !is_word(one)).unwrap_or(behind.len()),
            '-' => 1 + behind.find(|one: char| !one.is_ascii_digit()).unwrap_or(behind.len()),
            _ if is_word(first) => rest.find(|one| !is_word(one)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (part, next) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if !first.is_whitespace() && !"\"`[]".contains(first) {
            parts.push(part);
        }
        rest = next;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{asked, leaves};

    #[test]
    fn a_mark_is_a_value_that_is_written() {
        let mark = asked("SELECT COUNT(*) FROM done WHERE step = -1");
        assert_eq!(mark, Some(["done", "step", "-1"]));
        assert_eq!(asked("SELECT 1 FROM \"done\" WHERE step = 'a' LIMIT 1"), Some(["done", "step", "'a'"]));
        assert_eq!(asked("SELECT 1 FROM done WHERE step = ?"), None);
        assert_eq!(asked("SELECT 1 FROM done WHERE step = 1 AND at > 2"), None);
        assert!(leaves("INSERT INTO done (step) VALUES (-1);", ["done", "step", "-1"]));
        assert!(leaves("INSERT OR IGNORE INTO done (at, step) VALUES (?, 'a')", ["done", "step", "'a'"]));
        assert!(leaves("INSERT INTO done (at, step) VALUES (?1, 'a')", ["done", "step", "'a'"]));
        assert!(!leaves("INSERT INTO done (step) VALUES (?)", ["done", "step", "-1"]));
    }
}
