//! The conditions of a statement as trees of expressions, each with the bytes it stands in: for who puts another text
//! in the place of one.
//!
//! The parser that finds tables and columns has no place for a parenthesis, a sign or a CAST, and does not know all of
//! SQLite's operators. What replaces text has to know where each part begins and ends, so expressions are read here by
//! SQLite's own precedence. What is not understood is left out; nothing is guessed.

mod grammar;

use super::{Clause, LONGEST, MOST_OPERATORS, is_operator, queries::Queries, text, tokens};
use tokens::{Kind, Token};

/// An expression, and where it stands. Parentheses around it belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// What it is.
    pub form: Form,
}

/// What an expression is. Words of operators are in upper case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A column, or a word that SQLite takes for a string where there is no such column.
    Column {
        /// The table or alias before the name.
        qualifier: Option<String>,
        /// Its name, without quotes.
        name: String,
        /// It stands in double quotes.
        is_quoted: bool,
        /// The first byte of the name itself.
        name_start: usize,
    },
    /// A number, TRUE and FALSE among them.
    Number,
    /// A string.
    Text,
    /// A blob.
    Blob,
    /// NULL.
    Null,
    /// A parameter.
    Parameter,
    /// `+`, `-`, `~` or NOT before an expression.
    Unary(&'static str, Box<Expression>),
    /// Two expressions with an operator between them: `=`, `<>`, `IS`, `IS NOT`, `LIKE`, `NOT LIKE`, `AND`, `->>`, …
    Binary(String, Box<Expression>, Box<Expression>),
    /// `[NOT] BETWEEN`.
    Between {
        /// It says NOT.
        negated: bool,
        /// What lies between.
        of: Box<Expression>,
        /// The lower bound.
        low: Box<Expression>,
        /// The upper bound.
        high: Box<Expression>,
    },
    /// `[NOT] IN`.
    In {
        /// It says NOT.
        negated: bool,
        /// What is in the list.
        of: Box<Expression>,
        /// The list; `None` for a subquery or a table.
        list: Option<Vec<Expression>>,
    },
    /// A function, its name in lower case.
    Call(String, Vec<Expression>),
    /// CAST, with the words of the type.
    Cast(Box<Expression>, String),
    /// COLLATE.
    Collate(Box<Expression>, String),
    /// A subquery, or EXISTS.
    Subquery,
    /// Anything else that is made of these, such as CASE or a row value.
    Other(Vec<Expression>),
}

/// A condition that others are joined to by AND, or a term of an ORDER BY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The number of the query it stands in, see [`super::Query`].
    pub query: u32,
    /// WHERE, ON or ORDER BY.
    pub clause: Clause,
    /// The condition.
    pub expression: Expression,
    /// DESC.
    pub descending: bool,
    /// NULLS FIRST or NULLS LAST is written.
    pub places_nulls: bool,
}

impl Expression {
    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Self> {
        match &self.form {
            Form::Unary(_, of) | Form::Cast(of, _) | Form::Collate(of, _) => vec![of],
            Form::Binary(_, left, right) => vec![left, right],
            Form::Between { of, low, high, .. } => vec![of, low, high],
            Form::In { of, list, .. } => std::iter::once(&**of).chain(list.iter().flatten()).collect(),
            Form::Call(_, parts) | Form::Other(parts) => parts.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Itself and all that it is made of, in the order of the text.
    pub fn all(&self) -> Vec<&Self> {
        let mut all = vec![self];
        let mut at = 0;
        while let Some(next) = all.get(at).copied() {
            all.extend(next.parts());
            at += 1;
        }
        all.sort_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
        all
    }

    /// Its text.
    pub fn text<'a>(&self, sql: &'a str) -> &'a str {
        sql.get(self.start..self.end).unwrap_or("")
    }

    /// Appends the conditions that AND joins in it.
    fn split(self, found: &mut Vec<Self>) {
        match self.form {
            Form::Binary(operator, left, right) if operator == "AND" => {
                left.split(found);
                right.split(found);
            }
            _ => found.push(self),
        }
    }
}

/// The conditions of each WHERE and ON of a statement, and the terms of each ORDER BY of a query. Those of window
/// functions and of FILTER are left out, and so is what is too long to be read.
pub fn conditions(sql: &str) -> Vec<Condition> {
    if sql.len() > LONGEST {
        return Vec::new();
    }
    let tokens: Vec<Token<'_>> = tokens::tokens(sql).collect();
    if tokens.iter().filter(|token| is_operator(token)).count() > MOST_OPERATORS {
        return Vec::new();
    }
    let (partners, _) = text::partners(&tokens);
    let queries = Queries::new(&tokens);
    let mut found = Vec::new();
    // Whether each parenthesis that is open stands around a whole query.
    let mut open = vec![true];
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        if token.is_symbol("(") {
            open.push(next.is_some_and(|next| next.is_one_of(&["SELECT", "WITH"])));
        } else if token.is_symbol(")") {
            open.pop();
        } else if open.last() == Some(&true) && token.kind == Kind::Word {
            let read = grammar::Reader::new(&tokens, &partners, at + 1);
            clause(token, next, read, queries.at(token.start), &mut found);
        }
    }
    found
}

/// The conditions of the clause that begins with a word, if one does.
fn clause(
    word: &Token<'_>,
    next: Option<&Token<'_>>,
    mut read: grammar::Reader<'_, '_>,
    query: u32,
    found: &mut Vec<Condition>,
) {
    let is_next = |word: &str| next.is_some_and(|next| next.is_word(word));
    if word.is_word("ORDER") && is_next("BY") {
        read.skip();
        for (expression, descending, places_nulls) in read.order() {
            let clause = Clause::OrderBy;
            found.push(Condition { query, clause, expression, descending, places_nulls });
        }
        return;
    }
    let clause = if word.is_word("WHERE") {
        Clause::Where
    } else if word.is_word("ON") && !is_next("CONFLICT") {
        Clause::Join
    } else {
        return;
    };
    let mut split = Vec::new();
    if let Some(whole) = read.expression() {
        whole.split(&mut split);
    }
    found.extend(split.into_iter().map(|expression| Condition {
        query,
        clause,
        expression,
        descending: false,
        places_nulls: false,
    }));
}

#[cfg(test)]
mod tests;
