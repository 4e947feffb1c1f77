//! Which SELECT of a statement a place belongs to, told from its words and parentheses alone, so that it is known
//! where the parser fails too.

use super::tokens::{Token, tokens};

/// The SELECTs of a statement, by number: 0 is the outermost, be it an UPDATE or a DELETE. Each SELECT of a compound has
/// its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queries {
    /// For each query the one around it.
    around: Vec<Option<usize>>,
    /// Where another query begins, or goes on, in the order of the text.
    changes: Vec<(usize, usize)>,
    is_filtered: bool,
}

/// The SELECTs of a statement. The text need not be valid SQL.
pub fn queries(sql: &str) -> Queries {
    let mut queries = Queries { around: vec![None], changes: vec![(0, 0)], is_filtered: false };
    let tokens: Vec<Token<'_>> = tokens(sql).collect();
    // For each open parenthesis, and the statement itself: its query, and whether it stands around all of it.
    let mut open = vec![(0, true)];
    for (at, token) in tokens.iter().enumerate() {
        let Some(&(query, is_whole)) = open.last() else { break };
        let next = tokens.get(at + 1);
        if token.is_symbol("(") {
            let begins = next.is_some_and(|next| next.is_one_of(&["SELECT", "WITH", "VALUES"]));
            let within = if begins { queries.begin(Some(query), token.end()) } else { query };
            open.push((within, begins));
        } else if token.is_symbol(")") && open.len() > 1 {
            open.pop();
            let outer = open.last().map_or(0, |&(outer, _)| outer);
            queries.changes.push((token.start, outer));
        } else if is_whole && token.is_one_of(&["UNION", "EXCEPT", "INTERSECT"]) {
            let around = queries.around.get(query).copied().flatten();
            let arm = queries.begin(around, token.end());
            if let Some(last) = open.last_mut() {
                *last = (arm, true);
            }
        } else if query == 0 && is_whole && token.is_word("WHERE") {
            // `WHERE true` is there for the parser alone, in front of an ON CONFLICT.
            queries.is_filtered |= !next.is_some_and(|next| next.is_word("TRUE") || next.text == "1");
        }
    }
    queries
}

impl Queries {
    fn begin(&mut self, around: Option<usize>, start: usize) -> usize {
        let query = self.around.len();
        self.around.push(around);
        self.changes.push((start, query));
        query
    }

    /// The query that a byte of the statement belongs to.
    pub fn at(&self, offset: usize) -> usize {
        let after = self.changes.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).and_then(|at| self.changes.get(at)).map_or(0, |(_, query)| *query)
    }

    /// Every query with each that it stands in, itself first.
    pub fn within(&self) -> Vec<(usize, usize)> {
        let outwards =
            |query| std::iter::successors(Some(query), |&one| self.around.get(one).copied().flatten());
        (0..self.around.len()).flat_map(|query| outwards(query).map(move |outer| (query, outer))).collect()
    }

    /// Whether the outermost query has a WHERE that can keep a row away.
    pub fn is_filtered(&self) -> bool {
        self.is_filtered
    }
}

#[cfg(test)]
mod tests {
    use super::queries;

    /// The number of the query at each letter `x` of a statement.
    fn numbers(sql: &str) -> Vec<usize> {
        let queries = queries(sql);
        sql.match_indices('x').map(|(at, _)| queries.at(at)).collect()
    }

    #[test]
    fn a_query_in_parentheses_is_one_of_its_own_and_the_outer_goes_on_after_it() {
        assert_eq!(numbers("SELECT x, (SELECT x FROM (x)), x FROM x WHERE f(x)"), [0, 1, 1, 0, 0, 0]);
        assert_eq!(numbers("WITH c AS (SELECT x) SELECT x FROM (VALUES (x))"), [1, 0, 2]);
        assert_eq!(
            queries("SELECT (SELECT (SELECT 1))").within(),
            [(0, 0), (1, 1), (1, 0), (2, 2), (2, 1), (2, 0)]
        );
    }

    #[test]
    fn the_arms_of_a_compound_are_queries_beside_each_other() {
        let sql = "SELECT x UNION ALL SELECT x WHERE x IN (SELECT x EXCEPT SELECT x) INTERSECT SELECT x";
        assert_eq!(numbers(sql), [0, 1, 1, 2, 3, 4]);
        assert_eq!(queries(sql).within(), [(0, 0), (1, 1), (2, 2), (2, 1), (3, 3), (3, 1), (4, 4)]);
    }

    #[test]
    fn the_outermost_where_filters_unless_it_is_true() {
        assert!(queries("DELETE FROM t WHERE a").is_filtered());
        assert!(!queries("SELECT (SELECT 1 WHERE a) FROM t").is_filtered());
        assert!(!queries("INSERT INTO t SELECT a FROM u WHERE true ON CONFLICT DO NOTHING").is_filtered());
        assert!(!queries("SELECT 'WHERE a' -- WHERE a").is_filtered());
    }

    #[test]
    fn text_that_is_not_sql_has_one_query() {
        assert_eq!(queries(")) ((").within(), [(0, 0)]);
    }
}
