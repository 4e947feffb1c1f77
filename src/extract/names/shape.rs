//! What a parsed statement is made of: WHERE, ORDER BY, LIMIT, aggregates. Knows no names.

use sqlparser::ast::{
    BinaryOperator, Distinct, Expr, Function, FunctionArguments, GroupByExpr, Insert, LimitClause,
    OrderByExpr, OrderByKind, OrderBySort, Query, Select, SelectItem, SetExpr, Spanned, Statement,
    UnaryOperator, Value as Literal, Visit, Visitor,
};
use sqlparser::tokenizer::Span;
use std::ops::ControlFlow;

/// SQLite's aggregate functions, but for `min` and `max`: each needs all rows.
pub const AGGREGATES: &[&str] = &[
    "avg",
    "count",
    "group_concat",
    "json_group_array",
    "json_group_object",
    "jsonb_group_array",
    "jsonb_group_object",
    "median",
    "percentile",
    "percentile_cont",
    "percentile_disc",
    "string_agg",
    "sum",
    "total",
];

/// Whether LIMIT and OFFSET stand at the end of a query, and whether the OFFSET grows from page to page: a number does not, nor does what
/// finds the end of the batch behind a key.
pub(super) fn limits(query: &Query) -> (bool, bool, bool) {
    match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit, offset, .. }) => {
            let grows = offset.as_ref().is_some_and(|offset| number(&offset.value).is_none());
            let is_one = limit.as_ref().and_then(number) == Some("1");
            // `LIMIT -1` stands there for the OFFSET behind it.
            let is_limit = limit
                .as_ref()
                .is_some_and(|limit| !matches!(limit, Expr::UnaryOp { op: UnaryOperator::Minus, .. }));
            (is_limit, offset.is_some(), grows && !(is_one && begins_behind_key(query)))
        }
        Some(LimitClause::OffsetCommaLimit { offset, .. }) => (true, true, number(offset).is_none()),
        None => (false, false, false),
    }
}

/// A literal number.
fn number(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Literal::Number(number, _) => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// Whether rows are in the order of what has to be above a value: `WHERE k > ? ORDER BY k`.
fn begins_behind_key(query: &Query) -> bool {
    let SetExpr::Select(select) = query.body.as_ref() else { return false };
    let first = order_by(query).first().filter(|first| first.options.sort != Some(OrderBySort::Desc));
    let (Some(first), Some(mut term)) = (first, select.selection.as_ref()) else { return false };
    while let Expr::BinaryOp { left, op: BinaryOperator::And, right } = term {
        if is_above(right, &first.expr) {
            return true;
        }
        term = left;
    }
    is_above(term, &first.expr)
}

fn is_above(term: &Expr, key: &Expr) -> bool {
    matches!(term, Expr::BinaryOp { left, op: BinaryOperator::Gt | BinaryOperator::GtEq, .. } if left.as_ref() == key)
}

/// The ORDER BY of a query.
pub(super) fn order_by(query: &Query) -> &[OrderByExpr] {
    match query.order_by.as_ref().map(|order_by| &order_by.kind) {
        Some(OrderByKind::Expressions(terms)) => terms,
        _ => &[],
    }
}

/// The ORDER BY of a statement.
pub(super) fn order(statement: &Statement) -> &[OrderByExpr] {
    match outermost(statement) {
        Statement::Update(update) => &update.order_by,
        Statement::Delete(delete) => &delete.order_by,
        statement => rows(statement).map_or(&[], order_by),
    }
}

/// Whether a statement depends on the order in which a table declares its columns: an INSERT that names none, or `*` in
/// what the outermost query, or its first arm, gives.
pub(super) fn is_positional(statement: &Statement) -> bool {
    if let Statement::Insert(Insert { columns, source, .. }) = outermost(statement)
        && columns.is_empty()
        && source.is_some()
    {
        return true;
    }
    let is_star =
        |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    !matches!(outermost(statement), Statement::Insert(_))
        && first(statement).is_some_and(|select| select.projection.iter().any(is_star))
}

/// Whether the outermost query, or its first arm, has a WHERE that can keep a row away.
pub(super) fn is_filtered(statement: &Statement) -> bool {
    let condition = match outermost(statement) {
        Statement::Update(update) => update.selection.as_ref(),
        Statement::Delete(delete) => delete.selection.as_ref(),
        statement => first(statement).and_then(|select| select.selection.as_ref()),
    };
    condition.is_some_and(|condition| !keeps_all(condition))
}

/// Whether the outermost SELECT, or an arm of the outermost compound, makes groups of rows.
pub(super) fn is_aggregate(statement: &Statement) -> bool {
    let Some(query) = rows(outermost(statement)) else { return false };
    let mut aggregates = Aggregates { depth: 0 };
    // Only what is found breaks the walk off.
    let sorts = order_by(query).to_vec().visit(&mut aggregates).is_break();
    sorts || arms(&query.body).into_iter().any(is_group)
}

/// SELECT DISTINCT.
pub(super) fn is_distinct(select: &Select) -> bool {
    matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_)))
}

/// GROUP BY.
pub(super) fn is_grouped(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::Expressions(terms, _) => !terms.is_empty(),
        GroupByExpr::All(_) => true,
    }
}

/// Where the first arm of a query begins.
pub(super) fn start(query: &Query) -> Option<Span> {
    match left_most(&query.body) {
        SetExpr::Select(select) => Some(select.select_token.0.span),
        SetExpr::Values(values) => Some(values.span()),
        _ => None,
    }
}

/// The statement behind a WITH.
fn outermost(statement: &Statement) -> &Statement {
    let Statement::Query(query) = statement else { return statement };
    match &*query.body {
        SetExpr::Insert(statement) | SetExpr::Update(statement) | SetExpr::Delete(statement) => statement,
        _ => statement,
    }
}

/// The query that is the statement, or whose rows it inserts.
fn rows(statement: &Statement) -> Option<&Query> {
    match statement {
        Statement::Query(query) | Statement::Insert(Insert { source: Some(query), .. }) => Some(query),
        _ => None,
    }
}

fn first(statement: &Statement) -> Option<&Select> {
    rows(statement).and_then(|query| left_most(&query.body).as_select())
}

fn left_most(body: &SetExpr) -> &SetExpr {
    let mut body = body;
    loop {
        body = match body {
            SetExpr::SetOperation { left, .. } => left,
            SetExpr::Query(query) => &query.body,
            _ => return body,
        };
    }
}

fn arms(body: &SetExpr) -> Vec<&Select> {
    let (mut open, mut arms) = (vec![body], Vec::new());
    while let Some(body) = open.pop() {
        match body {
            SetExpr::SetOperation { left, right, .. } => open.extend([&**left, &**right]),
            SetExpr::Query(query) => open.push(&query.body),
            SetExpr::Select(select) => arms.push(&**select),
            _ => {}
        }
    }
    arms
}

/// A condition that is there for the parser, or to be followed by AND.
fn keeps_all(condition: &Expr) -> bool {
    match condition {
        Expr::Nested(inner) => keeps_all(inner),
        Expr::Value(value) => match &value.value {
            Literal::Boolean(is_true) => *is_true,
            Literal::Number(number, _) => number == "1",
            _ => false,
        },
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => keeps_all(left) && keeps_all(right),
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => match (&**left, &**right) {
            (Expr::Value(left), Expr::Value(right)) => {
                left.value == right.value && !matches!(left.value, Literal::Placeholder(_) | Literal::Null)
            }
            _ => false,
        },
        _ => false,
    }
}

fn is_group(select: &Select) -> bool {
    let mut aggregates = Aggregates { depth: 0 };
    is_grouped(select) || select.having.is_some() || select.projection.visit(&mut aggregates).is_break()
}

/// Looks for an aggregate function outside of subqueries.
struct Aggregates {
    depth: u32,
}

impl Visitor for Aggregates {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth = self.depth.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function) if self.depth == 0 && aggregates(function) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

fn aggregates(function: &Function) -> bool {
    let name = function.name.to_string().to_ascii_lowercase();
    let name = name.trim_matches(['"', '`', '[', ']']);
    // With several arguments, `min` and `max` compare them.
    let is_one = match &function.args {
        FunctionArguments::List(list) => list.args.len() == 1,
        _ => false,
    };
    function.over.is_none() && (AGGREGATES.contains(&name) || (is_one && matches!(name, "min" | "max")))
}
