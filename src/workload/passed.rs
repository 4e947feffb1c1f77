//! The texts that looked like SQL and are no statements to judge, each with the reason: nothing is passed over in silence.

use super::{Outcome, Statement};
use crate::{
    extract::{Extraction, Role, text::HOLE},
    schema::{Kind, StatementKind},
    source::Site,
};

/// A text that is not judged, though it looked like SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// The literal, as an index of the literals.
    pub literal: usize,
    /// Where it stands.
    pub site: Site,
    /// Its text.
    pub text: String,
    /// Why it is not judged.
    pub why: Why,
    /// Whether it belongs to test code.
    pub is_test: bool,
    /// Whether its second word is known to the running program alone.
    pub names_any: bool,
}

/// Why a text is no statement to judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It makes schema.
    Schema,
    /// It is a transaction, a pragma, or manages the connection in another way.
    Connection,
    /// It is only a part of other texts.
    Part,
    /// It was logged, and stands in a source as well.
    Known,
    /// It leads back to an older version of the schema.
    Backward,
    /// It is no SQL after all.
    NotSql,
}

impl Why {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Connection => "connection",
            Self::Part => "part",
            Self::Known => "known",
            Self::Backward => "backward",
            Self::NotSql => "not_sql",
        }
    }

    /// The reason, for people.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Schema => "it makes schema",
            Self::Connection => "it manages the connection",
            Self::Part => "it is a part of other texts",
            Self::Known => "it stands in a source as well",
            Self::Backward => "it leads back to an older version",
            Self::NotSql => "it is no SQL: nothing runs it, or it names no table",
        }
    }
}

impl Passed {
    /// What is said of a statement that is not judged.
    pub(super) fn of(statement: &Statement) -> Self {
        let by_words = || Kind::of(statement.text.as_str()).into();
        let why = match (&statement.outcome, statement.explained().map_or_else(by_words, |one| one.kind)) {
            (Outcome::NotSql, _) => Why::NotSql,
            (_, StatementKind::Ddl) => Why::Schema,
            _ => Why::Connection,
        };
        Self {
            literal: statement.literal,
            site: statement.site,
            text: statement.text.as_str().to_owned(),
            why,
            is_test: matches!(statement.outcome, Outcome::Test),
            names_any: names_any(&statement.raw),
        }
    }

    /// The same of a literal that is not judged as a whole.
    pub(super) fn whole(index: usize, why: Why, extraction: &Extraction) -> Option<Self> {
        let literal = extraction.literals.get(index)?;
        let text = literal.variants.first()?.as_str().to_owned();
        let (is_test, names_any) = (literal.role == Role::Test, names_any(&text));
        Some(Self { literal: index, site: literal.site, text, why, is_test, names_any })
    }
}

fn names_any(raw: &str) -> bool {
    let second = raw.split_whitespace().nth(1).unwrap_or_default();
    second.trim_end_matches([';', '"', '`', ']', '\'']).ends_with(HOLE)
}
