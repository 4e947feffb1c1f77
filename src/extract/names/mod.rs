//! Where a statement names its tables and columns, and what it asks of them: for spans, and for the words of
//! advice.
//!
//! This is the only module that knows the SQL parser. It knows no schema: a name is what is written, and may
//! be wrong. SQLite judges; where the parser fails there is no [`Names`], and [`find_word`] still finds a
//! place.
//!
//! The parser recurses over what it reads, so what is too long or too deep for a thread's stack is not given
//! to it.

mod common;
mod conditions;
pub mod expressions;
mod extremes;
mod queries;
mod reader;
mod respell;
mod shape;
mod text;
mod tokens;

pub use common::common_tables;
pub use extremes::maxima;
pub use queries::{Query, QueryKind, is_filtered};
pub use shape::AGGREGATES;
pub use tokens::find_word;

use sqlparser::{dialect::SQLiteDialect, parser::Parser};
use text::Text;
use tokens::{Kind, Token};

/// The longest statement that is parsed, in bytes.
const LONGEST: usize = 64 * 1024;
/// The most parentheses within each other.
const DEEPEST: usize = 32;
/// The most operators: each can be a level of the tree, and the tree is read and dropped by recursion.
const MOST_OPERATORS: usize = 400;
/// How deep the parser may recurse.
const RECURSION: usize = 30;

/// The names of one statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The tables it names, in the order of the text; those in its subqueries too.
    pub tables: Vec<TableName>,
    /// What it asks of columns, in the order of the text.
    pub predicates: Vec<Predicate>,
    /// The byte ranges of the terms of its ORDER BY; not those of subqueries.
    pub order_by: Vec<(usize, usize)>,
    /// Its queries, by number: see [`Query`].
    pub queries: Vec<Query>,
    /// Query 0 has a WHERE that can keep a row away.
    pub filtered: bool,
    /// It has a LIMIT, at any depth.
    pub limit: bool,
    /// It has an OFFSET, at any depth.
    pub offset: bool,
    /// It has one that grows from page to page: that is no number, and does not end a batch behind a key.
    pub pages: bool,
    /// It says SELECT DISTINCT, at any depth.
    pub distinct: bool,
    /// It depends on the order in which a table declares its columns.
    pub positional: bool,
    /// It has a GROUP BY, at any depth.
    pub grouped: bool,
    /// Its outermost SELECT, or an arm of its outermost compound, has a GROUP BY, a HAVING, or an aggregate function
    /// of SQLite's own that is no window function.
    pub aggregate: bool,
}

/// A table as a statement names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableName {
    /// Its name, without quotes.
    pub name: String,
    /// The schema before the name.
    pub schema: Option<String>,
    /// Its name in the rest of the statement, where it has another one.
    pub alias: Option<String>,
    /// How it is joined to the tables before it: `JOIN`, `LEFT JOIN`, `CROSS JOIN`, `,` and so on; `None` for
    /// the first of a FROM, and for a table that is written.
    pub join: Option<String>,
    /// It is a common table expression of the same statement.
    pub is_common: bool,
    /// It is the table of INSERT INTO, which the SELECT whose rows are inserted does not see.
    pub is_inserted: bool,
    /// The number of the query it stands in, see [`Query`].
    pub query: u32,
    /// The first byte of the name, or of the schema before it.
    pub start: usize,
    /// The byte after the name.
    pub end: usize,
}

/// What is asked of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    /// Its name, without quotes.
    pub column: String,
    /// The table or alias before the name.
    pub qualifier: Option<String>,
    /// As if the column stood on the left: `=`, `<`, `LIKE`, `NOT IN`, `IS NOT NULL`, …, with `NOT` before it
    /// where the whole condition is negated; `ASC` or `DESC` in an ORDER BY; empty where the column itself is
    /// the condition, and in a GROUP BY.
    pub operator: String,
    /// What is around the column, the outermost of it: `lower(…)`, `+`, `-`, `CAST`, `COLLATE nocase`,
    /// `CASE`, and `… || …` for an operator with two sides.
    pub wrapper: Option<String>,
    /// What it is compared with.
    pub value: Value,
    /// Of a LIKE with a parameter, the pattern that its caller is seen to bind, as in [`Value::Joined`].
    pub pattern: Option<String>,
    /// Of an IN with parameters, the literals that its caller is seen to bind.
    pub literals: Vec<String>,
    /// The number of the query it stands in, see [`Query`]. The ORDER BY of a compound is that of its first arm.
    pub query: u32,
    /// Where it stands.
    pub clause: Clause,
    /// The first byte of the condition.
    pub start: usize,
    /// The byte after the condition.
    pub end: usize,
}

/// What a column is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A parameter, or parameters only.
    Parameter,
    /// A literal as written, or a list of them.
    Literal(String),
    /// Another column, without anything around it; in a USING the one of the same name.
    Column {
        /// The table or alias before the name.
        qualifier: Option<String>,
        /// Its name, without quotes.
        name: String,
    },
    /// A subquery.
    Subquery,
    /// Of LIKE and GLOB, what `||` joins: a literal, with `…` in place of all that is none.
    Joined(String),
    /// Anything else.
    Expression,
    /// Nothing: IS NULL, a bare column, ORDER BY, GROUP BY.
    Nothing,
}

/// Where a predicate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clause {
    /// WHERE.
    Where,
    /// ON or USING of a join.
    Join,
    /// HAVING.
    Having,
    /// ORDER BY.
    OrderBy,
    /// GROUP BY.
    GroupBy,
    /// SET of an UPDATE or an upsert.
    Set,
}

/// The names of one statement; `None` where the parser does not understand it, where it is too long or too
/// deep to be parsed, and where it is not one statement.
pub fn names(sql: &str) -> Option<Names> {
    if sql.len() > LONGEST {
        return None;
    }
    let text = Text::new(sql);
    if text.depth > DEEPEST || text.tokens.iter().filter(|token| is_operator(token)).count() > MOST_OPERATORS
    {
        return None;
    }
    let dialect = SQLiteDialect {};
    let parser = Parser::new(&dialect).with_recursion_limit(RECURSION);
    let statements = parser.try_with_sql(&text.respelt).ok()?.parse_statements().ok()?;
    let [statement] = statements.as_slice() else { return None };
    let names = reader::read(&text, statement);
    // A word that is a name in SQLite and another thing to the parser could hide the tables.
    let reads = |pair: &[Token<'_>]| match pair {
        [from, table] => from.is_word("FROM") && matches!(table.kind, Kind::Word | Kind::Quoted),
        _ => false,
    };
    Some(names).filter(|names| !names.tables.is_empty() || !text.tokens.windows(2).any(reads))
}

/// Whether a token can add a level to the tree without a parenthesis.
fn is_operator(token: &Token<'_>) -> bool {
    let words = [
        "AND",
        "OR",
        "NOT",
        "IS",
        "IN",
        "LIKE",
        "GLOB",
        "MATCH",
        "REGEXP",
        "BETWEEN",
        "COLLATE",
        "CASE",
        "ISNULL",
        "NOTNULL",
        "UNION",
        "EXCEPT",
        "INTERSECT",
        "JOIN",
        "EXPLAIN",
        "AT",
        "ARRAY",
        "INTERVAL",
        "DIV",
        "XOR",
        "OPERATOR",
        "OVERLAPS",
    ];
    match token.kind {
        Kind::Word => token.is_one_of(&words),
        Kind::Symbol => !matches!(token.text, "(" | ")" | "," | "." | ";"),
        _ => false,
    }
}
