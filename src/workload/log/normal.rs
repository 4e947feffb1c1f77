//! What is the same in two runs of one statement, and which of its literals are values that the program gave it. Cuts
//! the text where SQLite cuts it; knows no log.

use crate::{
    extract::text::Text,
    schema::tokens::{Kind, Token, Tokens},
    source::SourceId,
};

/// From so many runs on, a literal that never changed is one that the program writes.
const ENOUGH: u64 = 8;

/// A literal of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    start: usize,
    end: usize,
    /// Whether it stands where a program gives a value: compared, stored, or a number of rows.
    is_value: bool,
    /// Whether it was another one in another run.
    pub varies: bool,
}

/// A statement, taken apart.
#[derive(Debug, Clone, Default)]
pub(super) struct Normal {
    /// Equal for equal statements: without literals, names of parameters, and lengths of lists.
    pub key: String,
    pub slots: Vec<Slot>,
    /// Whether it has parameters of its own.
    has_parameters: bool,
}

/// Values that are said to have been given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Given {
    /// Whether anything is said.
    pub is_said: bool,
    pub ordered: Vec<Option<String>>,
    pub named: Vec<(String, Option<String>)>,
}

impl Normal {
    pub fn of(sql: &str) -> Self {
        let mut normal = Self::default();
        let mut around = Around::default();
        for token in Tokens::from(sql, 0) {
            match token.kind {
                Kind::Number | Kind::Text => {
                    let is_value = around.is_value();
                    normal.slots.push(Slot { start: token.start, end: token.end, is_value, varies: false });
                    normal.add_value();
                }
                Kind::Parameter => {
                    normal.has_parameters = true;
                    normal.add_value();
                }
                Kind::Word | Kind::Quoted => normal.add_word(&token.name().to_lowercase()),
                Kind::Sign => normal.add_sign(token.text),
            }
            around.pass(&token);
        }
        normal
    }

    /// A list of any length is the same list.
    fn add_value(&mut self) {
        if self.key.ends_with("?,") {
            self.key.pop();
        } else {
            self.add_word("?");
        }
    }

    fn add_word(&mut self, word: &str) {
        if self.key.ends_with(|last: char| last.is_alphanumeric() || last == '_' || last == '?') {
            self.key.push(' ');
        }
        self.key.push_str(word);
    }

    fn add_sign(&mut self, sign: &str) {
        self.key.push_str(sign);
        while let Some(rest) = self.key.strip_suffix("(?),(?)") {
            let length = rest.len() + "(?)".len();
            self.key.truncate(length);
        }
    }

    /// Notes which literals are others in another run of the same statement.
    pub fn compare(&mut self, own: &str, other: &str, its: &Self) {
        if self.slots.len() != its.slots.len() {
            return;
        }
        for (slot, with) in self.slots.iter_mut().zip(&its.slots) {
            slot.varies |= own.get(slot.start..slot.end) != other.get(with.start..with.end);
        }
    }

    /// The text with parameters in place of the values that it was given, and these values by the number of their parameter.
    pub fn text(
        &self,
        sql: &str,
        (source, at): (SourceId, u32),
        runs: u64,
        given: &Given,
    ) -> (Text, Vec<Option<String>>) {
        if self.has_parameters {
            return (Text::exact(sql, source, at), numbered(sql, given));
        }
        let is_given = |slot: &&Slot| {
            let literal = sql.get(slot.start..slot.end).unwrap_or("");
            let is_named = || given.ordered.iter().flatten().any(|one| one == literal);
            slot.is_value && if given.is_said { is_named() } else { slot.varies || runs < ENOUGH }
        };
        let (mut text, mut values, mut from) = (Text::default(), Vec::new(), 0);
        for slot in self.slots.iter().filter(is_given) {
            text.push(sql.get(from..slot.start).unwrap_or(""), source, at + from as u32);
            text.push_at("?", source, at + slot.start as u32);
            values.push(sql.get(slot.start..slot.end).map(str::to_owned));
            from = slot.end;
        }
        text.push(sql.get(from..).unwrap_or(""), source, at + from as u32);
        (text, values)
    }
}

/// The parameters of a statement, each with its number from 0, and the names of all by their numbers.
fn parameters(sql: &str) -> (Vec<(Token<'_>, usize)>, Vec<Option<&str>>) {
    let (mut found, mut names) = (Vec::new(), Vec::new());
    for token in Tokens::from(sql, 0).filter(|token| token.kind == Kind::Parameter) {
        let known = names.iter().position(|name| *name == Some(token.text));
        let index = match token.text.strip_prefix('?').map(str::parse::<usize>) {
            // SQLite has no more.
            Some(Ok(number)) if (1..=32_766).contains(&number) => number - 1,
            None if known.is_some() => known.unwrap_or(0),
            _ => names.len(),
        };
        names.resize(names.len().max(index + 1), None);
        if let Some(name) = names.get_mut(index).filter(|_| !token.text.starts_with('?')) {
            *name = Some(token.text);
        }
        found.push((token, index));
    }
    (found, names)
}

/// A text with its values in place of its parameters, where they are known; `None` where none is.
pub(super) fn with_values(sql: &str, given: &[Option<String>]) -> Option<String> {
    let (mut text, mut from) = (String::new(), 0);
    for (token, index) in parameters(sql).0 {
        if let Some(Some(value)) = given.get(index) {
            text.push_str(sql.get(from..token.start)?);
            text.push_str(value);
            from = token.end;
        }
    }
    text.push_str(sql.get(from..)?);
    (from > 0).then_some(text)
}

/// The values of a statement's own parameters, by the numbers that SQLite gives them.
fn numbered(sql: &str, given: &Given) -> Vec<Option<String>> {
    let (_, names) = parameters(sql);
    let by_name = |name: &str| {
        let bare = name.trim_start_matches([':', '@', '$', '#']);
        let all = given.named.iter().find(|(own, _)| own.trim_start_matches([':', '@', '$']) == bare);
        all.and_then(|(_, value)| value.clone())
    };
    let by_order = |index: usize| given.ordered.get(index).cloned().flatten();
    let values = names.iter().enumerate();
    values.map(|(index, name)| name.and_then(by_name).or_else(|| by_order(index))).collect()
}

/// What stands in front of a token.
#[derive(Default)]
struct Around {
    /// The last two tokens in lower case, the last one first.
    last: [String; 2],
    /// For each open parenthesis, whether values are listed in it.
    lists: Vec<bool>,
    /// Whether the last parenthesis that was closed held such a list.
    was_list: bool,
}

impl Around {
    fn is_value(&self) -> bool {
        const BEFORE: [&str; 10] =
            ["=", "<", ">", "like", "glob", "between", "limit", "offset", "regexp", "match"];
        let [last, before] = &self.last;
        let last = if matches!(last.as_str(), "-" | "+") { before } else { last };
        let is_listed = self.lists.last() == Some(&true) && matches!(last.as_str(), "(" | ",");
        // `BETWEEN 1 AND 2`: the literal in front of the AND is no name.
        let is_upper = last == "and" && before.starts_with(|one: char| one.is_ascii_digit() || one == '\'');
        is_listed || is_upper || BEFORE.contains(&last.as_str())
    }

    fn pass(&mut self, token: &Token<'_>) {
        let word = token.text.to_lowercase();
        if word == "(" {
            let [last, _] = &self.last;
            self.lists.push(matches!(last.as_str(), "in" | "values") || (last == "," && self.was_list));
        } else if word == ")" {
            self.was_list = self.lists.pop().unwrap_or(false);
        } else if word != "," {
            self.was_list = false;
        }
        self.last.rotate_right(1);
        if let Some(first) = self.last.first_mut() {
            *first = word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: (SourceId, u32) = (SourceId(0), 0);

    fn text(sql: &str, runs: u64, given: &Given) -> (String, Vec<Option<String>>) {
        let (text, values) = Normal::of(sql).text(sql, HERE, runs, given);
        (text.as_str().to_owned(), values)
    }

    #[test]
    fn runs_of_one_statement_have_one_key() {
        let key = |sql: &str| Normal::of(sql).key;
        assert_eq!(key("SELECT \"t\".a FROM t WHERE a = 5"), key("select t.A  FROM t WHERE a=:x"));
        assert_eq!(key("SELECT 1 WHERE a IN (1, 2, 3)"), key("SELECT ? WHERE a IN (?)"));
        assert_eq!(key("INSERT INTO t VALUES (1, 'a'), (2, 'b')"), key("INSERT INTO t VALUES (?, ?)"));
        assert_ne!(key("SELECT a FROM t"), key("SELECT b FROM t"));
    }

    #[test]
    fn values_become_parameters_and_what_the_program_writes_does_not() {
        let sql = "SELECT 1 AS one, json_extract(a, '$.x') FROM t WHERE a = 5 AND b IN ('x', 'y') AND c BETWEEN 1 AND 2 \
                   ORDER BY 2 LIMIT 21";
        let (found, values) = text(sql, 1, &Given::default());
        let expected = "SELECT 1 AS one, json_extract(a, '$.x') FROM t WHERE a = ? AND b IN (?, ?) AND c BETWEEN ? AND ? \
                        ORDER BY 2 LIMIT ?";
        assert_eq!(found, expected);
        let values: Vec<String> = values.into_iter().flatten().collect();
        assert_eq!(values, ["5", "'x'", "'y'", "1", "2", "21"]);
        assert_eq!(text(sql, ENOUGH, &Given::default()).0, sql);
    }

    #[test]
    fn only_the_values_that_are_said_to_be_given_become_parameters() {
        let given = Given { is_said: true, ordered: vec![Some("5".to_owned())], named: Vec::new() };
        let (found, values) = text("SELECT a FROM t WHERE a = 5 AND state = 'new'", 1, &given);
        assert_eq!(found, "SELECT a FROM t WHERE a = ? AND state = 'new'");
        assert_eq!(values, [Some("5".to_owned())]);
        let none = Given { is_said: true, ..Given::default() };
        assert_eq!(text("SELECT a FROM t WHERE a = 5", 1, &none).0, "SELECT a FROM t WHERE a = 5");
    }

    #[test]
    fn values_go_to_the_numbers_of_their_parameters() {
        let owned = |text: &str| Some(text.to_owned());
        let ordered = vec![owned("1"), owned("2")];
        let given = Given { is_said: true, ordered, named: vec![("b".to_owned(), owned("'x'"))] };
        let values = |sql: &str| text(sql, 1, &given).1;
        assert_eq!(values("SELECT a FROM t WHERE a = ? AND b = ?"), [owned("1"), owned("2")]);
        assert_eq!(values("SELECT a FROM t WHERE a = ?2 AND b = ?1"), [owned("1"), owned("2")]);
        assert_eq!(values("SELECT a FROM t WHERE a = :a AND b = :b AND c = :b"), [owned("1"), owned("'x'")]);
        assert_eq!(values("SELECT a FROM t WHERE a = ?9999999999"), [owned("1")]);
    }

    #[test]
    fn a_literal_that_differs_between_runs_is_a_value_for_good() {
        let (one, other) = ("SELECT a FROM t WHERE a = 5 AND b = 1", "SELECT a FROM t WHERE a = 6 AND b = 1");
        let mut normal = Normal::of(one);
        normal.compare(one, other, &Normal::of(other));
        let (text, _) = normal.text(one, HERE, 100, &Given::default());
        assert_eq!(text.as_str(), "SELECT a FROM t WHERE a = ? AND b = 1");
    }
}
