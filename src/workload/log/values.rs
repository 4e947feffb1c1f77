//! The values beside a logged statement, as Python, Ruby and JSON write them: numbers, texts, lists, pairs. What is none of
//! these, such as the name of an object, is a value that is not known. Knows no log and no SQL but how a literal is written.

use crate::schema::quoted_text;

/// A value as it is written in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Value>),
    Pairs(Vec<(String, Value)>),
    /// It is there, and only the program can read it.
    Unknown,
}

/// The deepest nesting that is read.
const DEEPEST: usize = 16;

impl Value {
    /// The value that a text starts with, and what stands behind it.
    pub fn read(text: &str) -> (Self, &str) {
        let mut reader = Reader { rest: text };
        let value = reader.value(0);
        (value, reader.rest)
    }

    /// As a literal of SQL; `None` where it is not known.
    pub fn sql(&self) -> Option<String> {
        match self {
            Self::Null => Some("NULL".to_owned()),
            Self::Bool(is) => Some(u8::from(*is).to_string()),
            Self::Number(text) => Some(text.clone()),
            Self::Text(text) => Some(quoted_text(text)),
            Self::List(_) | Self::Pairs(_) | Self::Unknown => None,
        }
    }

    /// The member of this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Pairs(pairs) = self else { return None };
        pairs.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Value {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next().unwrap_or(' ');
        match first {
            _ if depth > DEEPEST => self.unknown(),
            '[' => self.list(']', depth),
            '(' => self.list(')', depth),
            '{' => self.pairs(depth),
            '"' | '\'' => self.text(first),
            '-' | '0'..='9' => self.number(),
            _ => self.word(),
        }
    }

    fn take(&mut self, bytes: usize) -> &str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Passes over a sign, if it stands here.
    fn passes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn list(&mut self, close: char, depth: usize) -> Value {
        self.take(1);
        let mut values = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(close) {
                self.take(1);
                return Value::List(values);
            }
            let before = self.rest.len();
            values.push(self.value(depth + 1));
            if !self.passes(",") && before == self.rest.len() {
                self.take(self.rest.chars().next().map_or(0, char::len_utf8));
            }
        }
    }

    fn pairs(&mut self, depth: usize) -> Value {
        self.take(1);
        let mut pairs = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with('}') {
                self.take(1);
                return Value::Pairs(pairs);
            }
            let before = self.rest.len();
            let name = match self.value(depth + 1) {
                Value::Text(name) | Value::Number(name) => name,
                _ => String::new(),
            };
            if self.passes(":") || self.passes("=>") {
                pairs.push((name, self.value(depth + 1)));
            }
            if !self.passes(",") && before == self.rest.len() {
                self.take(self.rest.chars().next().map_or(0, char::len_utf8));
            }
        }
    }

    fn number(&mut self) -> Value {
        let part = |one: char| one.is_ascii_alphanumeric() || "+-.".contains(one);
        let end = self.rest.find(|one| !part(one)).unwrap_or(self.rest.len());
        let text = self.take(end).to_owned();
        if text.parse::<f64>().is_ok() { Value::Number(text) } else { Value::Unknown }
    }

    fn word(&mut self) -> Value {
        let part = |one: char| one.is_alphanumeric() || one == '_';
        let end = self.rest.find(|one| !part(one)).unwrap_or(self.rest.len());
        let word = self.rest.get(..end).unwrap_or("");
        let value = match word {
            "None" | "nil" | "null" => Value::Null,
            "True" | "true" => Value::Bool(true),
            "False" | "false" => Value::Bool(false),
            // `b'…'` is a blob, `u'…'` and `r'…'` are texts.
            "u" | "r" | "b" if self.rest.get(end..).is_some_and(|rest| rest.starts_with(['"', '\''])) => {
                let is_blob = word == "b";
                self.take(end);
                let quote = self.rest.chars().next().unwrap_or('"');
                let text = self.text(quote);
                return if is_blob { Value::Unknown } else { text };
            }
            _ => return self.unknown(),
        };
        self.take(end);
        value
    }

    /// Passes over what is not known, to the next comma or bracket that belongs to what stands around it.
    fn unknown(&mut self) -> Value {
        let mut depth = 0_u32;
        let end = self.rest.char_indices().find(|(_, one)| match one {
            '(' | '[' | '{' => {
                depth += 1;
                false
            }
            ')' | ']' | '}' | ',' if depth == 0 => true,
            ')' | ']' | '}' => {
                depth -= 1;
                false
            }
            _ => false,
        });
        let end = end.map_or(self.rest.len(), |(at, _)| at);
        self.take(end);
        Value::Unknown
    }

    fn text(&mut self, quote: char) -> Value {
        self.take(1);
        let mut text = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                _ if letter == quote => {
                    self.take(at + 1);
                    return Value::Text(text);
                }
                '\\' => {
                    let Some((_, escaped)) = letters.next() else { break };
                    let digits = match escaped {
                        'x' => 2,
                        'u' => 4,
                        _ => 0,
                    };
                    let code: String = letters.as_str().chars().take(digits).collect();
                    if let Some(one) = u32::from_str_radix(&code, 16).ok().filter(|_| digits > 0) {
                        text.push(char::from_u32(one).unwrap_or('\u{fffd}'));
                        letters.by_ref().take(digits).for_each(drop);
                    } else {
                        text.push(match escaped {
                            'n' => '\n',
                            't' => '\t',
                            'r' => '\r',
                            other => other,
                        });
                    }
                }
                other => text.push(other),
            }
        }
        self.rest = "";
        Value::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(text: &str) -> Vec<Option<String>> {
        match Value::read(text).0 {
            Value::List(values) => values.iter().map(Value::sql).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lists_are_read_as_each_language_writes_them() {
        let owned = |text: &str| Some(text.to_owned());
        assert_eq!(sql("(1, 'it''s', None)")[0], owned("1"));
        assert_eq!(sql("('a\\'b', None, True, -1.5)"), ["'a''b'", "NULL", "1", "-1.5"].map(owned));
        assert_eq!(sql("[\"x\", nil, false]"), ["'x'", "NULL", "0"].map(owned));
        let date = sql("(datetime.datetime(2020, 1, 2), 7, b'ab', <memory at 0x1>)");
        assert_eq!(date, [None, owned("7"), None, None]);
        assert_eq!(sql("()"), Vec::<Option<String>>::new());
    }

    #[test]
    fn objects_are_read_by_name_and_escapes_resolved() {
        let (value, rest) = Value::read(r#"{"sql": "SELECT \"a\"\n\u0041", "parameters": {"x" => 1}} tail"#);
        assert_eq!(value.get("sql"), Some(&Value::Text("SELECT \"a\"\nA".to_owned())));
        let number = Value::Number("1".to_owned());
        assert_eq!(value.get("parameters").and_then(|it| it.get("x")), Some(&number));
        assert_eq!(rest, " tail");
    }

    #[test]
    fn what_is_broken_ends() {
        for text in ["[1, ", "{\"a\"", "(((", "'abc", "[}]", "{]}", "[1 2 3]", "\\"] {
            Value::read(text);
        }
        Value::read(&"[".repeat(10_000));
    }
}
