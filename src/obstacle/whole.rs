//! Other texts for a whole SELECT: one SELECT for each arm of an OR, and one for each least or greatest value. Knows
//! SELECTs of one arm without groups and LIMIT; of others it says nothing.

use super::{
    Fix, FixKind, Kind,
    either::flatten,
    is_sort,
    rewrite::Rewrite,
    subject::{Subject, same},
    terms::Term,
    weigh, words,
};
use crate::{
    extract::names::{
        Clause,
        expressions::{Expression, Form},
    },
    plan::{Op, Plan, Step},
    schema::{
        replan::Workshop,
        tokens::{Kind as TokenKind, Token, Tokens, closing},
    },
};

/// Words that make a SELECT one that is not taken apart.
const CLOSED: &[&str] = &[
    "WITH",
    "DISTINCT",
    "GROUP",
    "HAVING",
    "WINDOW",
    "LIMIT",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "OVER",
    "FILTER",
    "random",
    "randomblob",
];

/// Functions of one row, which mean the same in each arm.
const SCALAR: &[&str] = &["coalesce", "ifnull", "lower", "upper", "hex", "length", "abs", "json_extract"];

/// The most arms of an OR that get a SELECT each.
const MOST_ARMS: usize = 4;

/// A SELECT of one arm, by the bytes at which its clauses begin.
pub(super) struct Single<'a> {
    tokens: Vec<Token<'a>>,
    /// The first byte of what it returns.
    list: usize,
    from: usize,
    /// ORDER BY, or the end.
    order: usize,
    end: usize,
}

impl<'a> Single<'a> {
    pub fn read(sql: &'a str) -> Option<Self> {
        let mut tokens: Vec<Token<'a>> = Tokens::from(sql, 0).collect();
        if tokens.last().is_some_and(|last| last.is_sign(';')) {
            tokens.pop();
        }
        let list = tokens.first().filter(|first| first.is("SELECT"))?.end;
        let end = tokens.last()?.end;
        let (mut depth, mut from, mut order) = (0_usize, None, end);
        for token in &tokens {
            if token.is_sign('(') {
                depth += 1;
            } else if token.is_sign(')') {
                depth = depth.checked_sub(1)?;
            } else if depth == 0 && (CLOSED.iter().any(|word| token.is(word)) || token.is_sign(';')) {
                return None;
            } else if depth == 0 && token.is("FROM") {
                from = from.or(Some(token.start));
            } else if depth == 0 && token.is("ORDER") {
                order = token.start;
            }
        }
        // What stands behind a comment would be part of it on one line.
        (!sql.contains("--")).then_some(Self { tokens, list, from: from?, order, end })
    }

    /// The calls of functions in what it returns: the name, its place among the tokens, and that of the last parenthesis.
    fn calls(&self) -> Vec<(&Token<'a>, usize, usize)> {
        let listed = self.tokens.iter().take_while(|token| token.end <= self.from);
        let listed: Vec<&Token<'_>> = listed.collect();
        let opens = |at: usize| listed.get(at + 1).is_some_and(|next| next.is_sign('('));
        let names =
            listed.iter().enumerate().filter(|(at, token)| token.kind == TokenKind::Word && opens(*at));
        names.filter_map(|(at, token)| Some((*token, at, closing(&self.tokens, at + 1)?))).collect()
    }
}

impl Subject<'_> {
    /// A SELECT for each arm of an OR, joined by UNION ALL. A row that an earlier arm returns is left out of the later
    /// ones, so that each comes as often as before.
    pub fn arm_by_arm(&self, whole: &Expression, arms: &[&Expression]) -> Option<Rewrite> {
        let single = Single::read(self.sql).filter(|_| arms.len() <= MOST_ARMS)?;
        let is_in_where = self.conditions.iter().any(|own| {
            own.clause == Clause::Where && own.expression == *whole && own.query == 0 && self.is_own(0)
        });
        let is_scalar = |name: &Token<'_>| SCALAR.iter().any(|one| name.is(one));
        if !is_in_where || whole.start < single.from || !single.calls().iter().all(|call| is_scalar(call.0)) {
            return None;
        }
        let before = self.sql.get(..whole.start)?.trim_start();
        let after = self.sql.get(whole.end..single.order)?.trim_end();
        let order = self.sql.get(single.order..single.end)?;
        let mut texts = Vec::new();
        for (number, arm) in arms.iter().enumerate() {
            let earlier = arms.iter().take(number).filter(|other| !self.exclude(other, arm));
            let without = earlier.map(|other| format!(" AND ({}) IS NOT TRUE", other.text(self.sql)));
            let arm = format!("{}{}", arm.text(self.sql), without.collect::<String>());
            texts.push(format!("{before}{arm}{after}"));
        }
        let order = if order.is_empty() { String::new() } else { format!(" {order}") };
        let text = words::line_of(&format!("{}{order}", texts.join(" UNION ALL ")));
        Some(Rewrite { start: 0, end: single.end, text, conditions: Vec::new(), proofs: Vec::new() })
    }

    /// Whether no row passes both of two conditions: one column is compared with two literals.
    fn exclude(&self, one: &Expression, other: &Expression) -> bool {
        let fixed = |of: &Expression| -> Vec<(String, i64)> {
            let mut parts = Vec::new();
            flatten(of, "AND", &mut parts);
            let literal = |part: &&Expression| match &part.form {
                Form::Binary(sign, left, right) if sign == "=" && right.form == Form::Number => {
                    let is_column = matches!(left.form, Form::Column { .. });
                    let number = super::compare::integer(right.text(self.sql))?;
                    is_column.then(|| (left.text(self.sql).to_lowercase(), number))
                }
                _ => None,
            };
            parts.iter().filter_map(literal).collect()
        };
        let others = fixed(other);
        fixed(one).iter().any(|(name, value)| others.iter().any(|(own, other)| own == name && other != value))
    }

    /// A SELECT for each `min()` and `max()`, where each of them then reads one end of an index.
    pub fn try_apart(&self, term: &mut Term, workshop: &mut Workshop<'_>) {
        if matches!(self.step.op, Op::Scan | Op::Search) && self.is_own(0) && term.kind == Kind::Extreme {
            term.fix = self.apart(workshop);
        }
    }

    fn apart(&self, workshop: &mut Workshop<'_>) -> Option<Fix> {
        let sql = numbered(self.sql);
        let single = Single::read(&sql)?;
        if single.calls().iter().filter(|(name, ..)| is_extreme(name)).count() < 2 {
            return None;
        }
        let tail = sql.get(single.from..single.end).filter(|_| single.order == single.end)?;
        let (mut text, mut at) = (String::from("SELECT"), single.list);
        for (name, open, close) in single.calls() {
            if !is_extreme(name) {
                continue;
            }
            let argument = sql.get(single.tokens.get(open + 1)?.end..single.tokens.get(close)?.start)?;
            let end = single.tokens.get(close)?.end;
            // The least value is at an end of an index if all rows come in its order.
            let ordered = workshop.plan(&format!("SELECT {argument} {tail} ORDER BY {argument} LIMIT 1"))?;
            if argument.contains(['(', ',']) || ordered.steps.iter().any(is_sort) {
                return None;
            }
            text.push_str(sql.get(at..name.start)?);
            text.extend(["(SELECT ", sql.get(name.start..end)?, " ", tail, ")"]);
            at = end;
        }
        text.push_str(sql.get(at..single.from)?);
        let text = words::line_of(&text);
        if !single.returns_extremes_alone() || !Workshop::takes_the_same(&sql, &text) {
            return None;
        }
        let plan = workshop.plan(&text).filter(|plan| self.reads_ends(plan))?;
        let step = weigh::step_named(&plan, self.step);
        Some(Fix {
            kind: FixKind::Rewrite,
            part: text.clone(),
            text,
            condition: None,
            step,
            plan: plan.lines(),
            after: None,
            needs_measure: false,
        })
    }

    /// Whether a plan searches the table alone, by all that its rows are tested for.
    fn reads_ends(&self, plan: &Plan) -> bool {
        let reads = |step: &&Step| step.table.is_some() || matches!(step.op, Op::Scan | Op::Search);
        let wanted = self.filters().count();
        let is_own = |step: &Step| {
            step.name
                .as_deref()
                .is_some_and(|name| self.step.name.as_deref().is_some_and(|own| same(own, name)))
        };
        let mut steps = plan.steps.iter().filter(reads).filter(|step| step.op != Op::Scan || is_own(step));
        steps.all(|step| step.op == Op::Search && is_own(step) && step.terms.len() >= wanted)
    }
}

fn is_extreme(name: &Token<'_>) -> bool {
    name.is("min") || name.is("max")
}

/// A text in which each `?` has its number, so that a part of it can stand there twice.
fn numbered(sql: &str) -> String {
    let is_bare = |token: &Token<'_>| sql.get(token.start..token.end) == Some("?");
    let parameters: Vec<Token<'_>> =
        Tokens::from(sql, 0).filter(|token| token.kind == TokenKind::Parameter).collect();
    let (mut text, mut at) = (String::with_capacity(sql.len() + parameters.len()), 0);
    for (number, token) in parameters.iter().enumerate().filter(|_| parameters.iter().all(is_bare)) {
        text.push_str(sql.get(at..token.end).unwrap_or(""));
        text.push_str(&(number + 1).to_string());
        at = token.end;
    }
    text + sql.get(at..).unwrap_or("")
}

impl<'a> Single<'a> {
    /// The tokens of each term that it returns.
    pub fn returned(&self) -> impl Iterator<Item = &[Token<'a>]> {
        let listed = self.tokens.iter().take_while(|token| token.end <= self.from).count();
        let mut depth = 0_usize;
        self.tokens.get(1..listed).unwrap_or_default().split(move |token| {
            if token.is_sign('(') {
                depth += 1;
            } else if token.is_sign(')') {
                depth = depth.saturating_sub(1);
            }
            depth == 0 && token.is_sign(',')
        })
    }

    /// Whether what it returns is made of `min()` and `max()`, of literals and of aliases.
    fn returns_extremes_alone(&self) -> bool {
        let calls = self.calls();
        let within =
            |at: usize| calls.iter().any(|(name, from, to)| is_extreme(name) && (*from..=*to).contains(&at));
        let listed = self.tokens.iter().enumerate().skip(1).take_while(|(_, token)| token.end <= self.from);
        let mut is_alias = false;
        for (at, token) in listed {
            let is_known = ["AS", "coalesce", "ifnull"].iter().any(|word| token.is(word));
            let is_plain = matches!(
                token.kind,
                TokenKind::Number | TokenKind::Text | TokenKind::Parameter | TokenKind::Sign
            );
            if !(within(at) || is_known || is_alias || is_plain && !token.is_sign('*')) {
                return false;
            }
            is_alias = token.is("AS");
        }
        true
    }
}
