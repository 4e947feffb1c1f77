//! Which query of a statement a place belongs to, told from its words and parentheses alone.
//!
//! The parser keeps no place for a parenthesis, so the numbers are given here, and the tree only says what each query
//! is.

use super::{
    Names,
    tokens::{Token, tokens},
};
use std::iter;

/// A SELECT of a statement, or the INSERT, UPDATE or DELETE that it is.
///
/// Queries are numbered in the order of the text. 0 is the outermost: the UPDATE or DELETE itself, the SELECT that the
/// statement is, an INSERT together with the SELECT whose rows it takes. Each subquery, each derived table and each body
/// of a common table expression has a number of its own, wherever it stands, and so has the DO UPDATE of an upsert. The
/// arms of a compound are queries beside each other: those of the outermost one are 0, 1, …, where nothing else stands
/// between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The number of the query it stands in.
    pub around: Option<u32>,
    /// Its place among the arms of its compound, from 0.
    pub arm: u32,
    /// What it is to the query around it; of an arm, what the compound is.
    pub kind: QueryKind,
    /// The alias of a derived table, the name of a common table expression.
    pub name: Option<String>,
    /// It, or the compound that it is an arm of, has a LIMIT.
    pub limited: bool,
    /// It has a window function.
    pub windowed: bool,
    /// It stands behind NOT EXISTS: wanted are the rows around it for which it has none.
    pub negated: bool,
}

/// What a query is to the one around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueryKind {
    /// There is none around it.
    Outermost,
    /// Part of an expression: its rows are not those of the query around it.
    Subquery,
    /// A derived table: a SELECT in a FROM.
    Derived,
    /// The body of a common table expression.
    Common,
    /// The DO UPDATE of an upsert, which sees the inserted table alone.
    Upsert,
}

impl Names {
    /// A query and each that it stands in, itself first.
    pub fn outwards(&self, query: u32) -> impl Iterator<Item = u32> {
        let around = |&query: &u32| self.queries.get(query as usize).and_then(|query| query.around);
        iter::successors(Some(query), around)
    }

    /// What a query is.
    pub fn kind(&self, query: u32) -> Option<QueryKind> {
        self.queries.get(query as usize).map(|query| query.kind)
    }
}

/// Whether the outermost query has a WHERE that can keep a row away, where only the words can tell.
pub fn is_filtered(sql: &str) -> bool {
    Queries::new(&tokens(sql).collect::<Vec<_>>()).is_filtered
}

/// The queries of a statement, and where they stand.
#[derive(Default)]
pub(super) struct Queries {
    begun: Vec<Begun>,
    /// Where another query begins, or goes on, in the order of the text.
    changes: Vec<(usize, u32)>,
    /// The first arms of what has a LIMIT.
    limited: Vec<u32>,
    /// What has a window function.
    windowed: Vec<u32>,
    /// What stands behind NOT EXISTS.
    negated: Vec<u32>,
    is_filtered: bool,
}

/// A query, as far as words tell.
#[derive(Clone, Copy)]
struct Begun {
    around: Option<u32>,
    /// The first arm of its compound.
    first: u32,
    arm: u32,
    kind: QueryKind,
}

/// A parenthesis that is open, or the statement itself.
struct Open {
    query: u32,
    /// It stands around all of the query.
    is_whole: bool,
}

impl Queries {
    pub fn new(tokens: &[Token<'_>]) -> Self {
        let outermost = Begun { around: None, first: 0, arm: 0, kind: QueryKind::Outermost };
        let mut queries = Self { begun: vec![outermost], changes: vec![(0, 0)], ..Self::default() };
        let mut open = vec![Open { query: 0, is_whole: true }];
        let mut conflicts = false;
        for at in 0..tokens.len() {
            let (Some(rest), is_outermost) = (tokens.get(at..), open.len() == 1) else { break };
            let ([token, after @ ..], Some(last)) = (rest, open.last_mut()) else { break };
            let is_next = |words: &[&str]| after.first().is_some_and(|next| next.is_one_of(words));
            if token.is_symbol("(") {
                let is_whole = is_next(&["SELECT", "WITH", "VALUES"]);
                let query = if is_whole { queries.subquery(last.query, token.end()) } else { last.query };
                let before = tokens.get(..at).unwrap_or_default();
                if let (true, [.., not, exists]) = (is_whole, before)
                    && not.is_word("NOT")
                    && exists.is_word("EXISTS")
                {
                    queries.negated.push(query);
                }
                open.push(Open { query, is_whole });
            } else if token.is_symbol(")") && !is_outermost {
                open.pop();
                queries.change(token.start, open.last().map_or(0, |last| last.query));
            } else if last.is_whole && token.is_one_of(&["UNION", "EXCEPT", "INTERSECT"]) {
                last.query = queries.arm(last.query, token.end());
            } else if is_outermost && is_conflict(rest) {
                conflicts = true;
                last.query = queries.change(token.start, 0);
            } else if is_outermost && conflicts && token.is_word("DO") && is_next(&["UPDATE"]) {
                last.query = queries.begin(Some(0), token.start, QueryKind::Upsert);
            } else if last.is_whole
                && token.is_word("LIMIT")
                && !after.first().is_some_and(|next| next.is_symbol("-"))
            {
                queries.limited.extend(queries.begun.get(last.query as usize).map(|begun| begun.first));
            } else if token.is_word("OVER") && !is_next(&["AS", "FROM"]) {
                queries.windowed.push(last.query);
            } else if is_outermost && token.is_word("RETURNING") {
                last.query = queries.change(token.start, 0);
            } else if is_outermost && last.query == 0 && !conflicts && token.is_word("WHERE") {
                // `WHERE true` is there for the parser alone, in front of an ON CONFLICT.
                queries.is_filtered |=
                    !after.first().is_some_and(|next| next.is_word("TRUE") || next.text == "1");
            }
        }
        queries
    }

    fn subquery(&mut self, around: u32, start: usize) -> u32 {
        self.begin(Some(around), start, QueryKind::Subquery)
    }

    fn begin(&mut self, around: Option<u32>, start: usize, kind: QueryKind) -> u32 {
        let number = self.begun.len() as u32;
        self.begun.push(Begun { around, first: number, arm: 0, kind });
        self.change(start, number)
    }

    /// The arm that follows another one.
    fn arm(&mut self, before: u32, start: usize) -> u32 {
        let Some(&before) = self.begun.get(before as usize) else { return before };
        let number = self.begun.len() as u32;
        self.begun.push(Begun { arm: before.arm + 1, ..before });
        self.change(start, number)
    }

    fn change(&mut self, start: usize, query: u32) -> u32 {
        self.changes.push((start, query));
        query
    }

    /// The number of the query that a byte of the statement belongs to.
    pub fn at(&self, offset: usize) -> u32 {
        let after = self.changes.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).and_then(|at| self.changes.get(at)).map_or(0, |(_, query)| *query)
    }

    /// The queries by number, with what the tree says of some of them.
    pub fn described(&self, said: &[(u32, QueryKind, Option<String>)]) -> Vec<Query> {
        let describe = |(number, begun): (usize, &Begun)| {
            let said = said.iter().find(|(number, ..)| *number == begun.first);
            let (kind, name) = said.map_or((begun.kind, None), |(_, kind, name)| (*kind, name.clone()));
            let limited = self.limited.contains(&begun.first);
            let windowed = self.windowed.contains(&(number as u32));
            let negated = self.negated.contains(&begun.first);
            Query { around: begun.around, arm: begun.arm, kind, name, limited, windowed, negated }
        };
        self.begun.iter().enumerate().map(describe).collect()
    }
}

/// ON CONFLICT, and no ON before a column of that name.
fn is_conflict(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [on, conflict, next, ..] => {
            on.is_word("ON") && conflict.is_word("CONFLICT") && (next.is_symbol("(") || next.is_word("DO"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Queries, is_filtered};
    use crate::extract::names::tokens::{Token, tokens};

    fn queries(sql: &str) -> Queries {
        Queries::new(&tokens(sql).collect::<Vec<Token<'_>>>())
    }

    /// The number of the query at each letter `x` of a statement.
    fn numbers(sql: &str) -> Vec<u32> {
        let queries = queries(sql);
        sql.match_indices('x').map(|(at, _)| queries.at(at)).collect()
    }

    /// The query around each one.
    fn around(sql: &str) -> Vec<Option<u32>> {
        queries(sql).begun.iter().map(|begun| begun.around).collect()
    }

    #[test]
    fn a_query_in_parentheses_is_one_of_its_own_and_the_outer_goes_on_after_it() {
        assert_eq!(numbers("SELECT x, (SELECT x FROM (x)), x FROM x WHERE f(x)"), [0, 1, 1, 0, 0, 0]);
        assert_eq!(numbers("WITH c AS (SELECT x) SELECT x FROM (VALUES (x))"), [1, 0, 2]);
        assert_eq!(around("SELECT (SELECT (SELECT 1))"), [None, Some(0), Some(1)]);
    }

    #[test]
    fn the_arms_of_a_compound_are_queries_beside_each_other() {
        let sql = "SELECT x UNION ALL SELECT x WHERE x IN (SELECT x EXCEPT SELECT x) INTERSECT SELECT x";
        assert_eq!(numbers(sql), [0, 1, 1, 2, 3, 4]);
        assert_eq!(around(sql), [None, None, Some(1), Some(1), None]);
        assert_eq!(queries(sql).begun.iter().map(|begun| begun.arm).collect::<Vec<_>>(), [0, 1, 0, 1, 2]);
    }

    #[test]
    fn a_limit_is_that_of_its_own_query_or_of_all_arms_of_its_compound() {
        let limited = |sql: &str| queries(sql).limited;
        assert_eq!(limited("SELECT 1 FROM (SELECT 2 LIMIT 1) WHERE f(x)"), [1]);
        assert_eq!(limited("SELECT x IN (SELECT 2) FROM t UNION SELECT 3 LIMIT 4"), [0]);
        assert!(limited("SELECT \"limit\" FROM (SELECT 1)").is_empty());
        assert!(limited("SELECT a FROM t LIMIT -1 OFFSET 1").is_empty());
    }

    #[test]
    fn a_window_is_of_the_query_that_it_stands_in() {
        let windowed = |sql: &str| queries(sql).windowed;
        assert_eq!(windowed("SELECT 1 FROM (SELECT row_number() OVER (ORDER BY a) FROM t)"), [1]);
        assert!(windowed("SELECT over FROM t").is_empty());
    }

    #[test]
    fn a_query_behind_not_exists_is_known_as_such() {
        let negated = |sql: &str| queries(sql).negated;
        assert_eq!(negated("DELETE FROM t WHERE NOT EXISTS (SELECT 1) AND EXISTS (SELECT 2)"), [1]);
        assert!(negated("SELECT 1 WHERE NOT (SELECT 1)").is_empty());
    }

    #[test]
    fn an_insert_is_one_with_its_select_and_not_with_its_upsert() {
        let sql = "INSERT INTO x SELECT x FROM x WHERE true ON CONFLICT (x) WHERE x DO UPDATE SET x = (SELECT x) \
                   WHERE x ON CONFLICT DO NOTHING RETURNING x";
        assert_eq!(numbers(sql), [0, 0, 0, 0, 0, 1, 2, 1, 0]);
        assert_eq!(numbers("SELECT x FROM x JOIN y ON conflict = x"), [0, 0, 0]);
    }

    #[test]
    fn the_outermost_where_filters_unless_it_is_true() {
        assert!(is_filtered("DELETE FROM t WHERE a"));
        assert!(!is_filtered("SELECT (SELECT 1 WHERE a) FROM t"));
        assert!(!is_filtered("INSERT INTO t SELECT a FROM u WHERE true ON CONFLICT DO NOTHING"));
        assert!(!is_filtered("INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b DO UPDATE SET a = 1 WHERE c"));
        assert!(!is_filtered("SELECT 'WHERE a' -- WHERE a"));
    }

    #[test]
    fn text_that_is_not_sql_has_one_query() {
        assert_eq!(around(")) (("), [None]);
    }
}
