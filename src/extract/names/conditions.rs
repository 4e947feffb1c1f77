//! Takes conditions apart: which column, under what, is compared how, with what.

use super::{Clause, Predicate, Value, queries::Queries, text::Text};
use sqlparser::ast::{
    Assignment, AssignmentTarget, BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, Ident, ObjectName, OrderByExpr, OrderBySort, Spanned, UnaryOperator, Value as Literal,
};
use std::ops::Range;

pub(super) struct Conditions<'t, 'a> {
    pub text: &'t Text<'a>,
    pub queries: &'t Queries,
    pub found: Vec<Predicate>,
}

/// A column in an expression.
struct Column<'e> {
    name: &'e Ident,
    qualifier: Option<&'e Ident>,
    wrapper: Option<String>,
}

/// What is asked of the columns of an expression, and where.
struct Asked {
    operator: String,
    value: Value,
    clause: Clause,
    place: Range<usize>,
}

impl Conditions<'_, '_> {
    /// A condition, with those that AND, OR and NOT join in it.
    pub fn condition(&mut self, expr: &Expr, clause: Clause, negated: bool) {
        match expr {
            Expr::Nested(inner) => self.condition(inner, clause, negated),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => self.condition(expr, clause, !negated),
            Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
                self.condition(left, clause, negated);
                self.condition(right, clause, negated);
            }
            Expr::BinaryOp { left, op, right } if is_comparison(op) => {
                let operator = self.spelt(left, right, op.to_string());
                self.comparison(&self.asked(expr, &operator, clause, negated), left, right);
            }
            Expr::IsDistinctFrom(left, right) => {
                self.comparison(&self.asked(expr, "IS DISTINCT FROM", clause, negated), left, right);
            }
            Expr::IsNotDistinctFrom(left, right) => {
                self.comparison(&self.asked(expr, "IS NOT DISTINCT FROM", clause, negated), left, right);
            }
            Expr::Value(_) | Expr::Exists { .. } | Expr::Subquery(_) => {}
            _ => self.test(expr, clause, negated),
        }
    }

    /// A condition on what stands on its left, or the left itself.
    fn test(&mut self, expr: &Expr, clause: Clause, negated: bool) {
        let (left, operator, value) = match expr {
            Expr::IsNull(left) => (left, "IS NULL", Value::Nothing),
            Expr::IsNotNull(left) => (left, "IS NOT NULL", Value::Nothing),
            Expr::IsTrue(left) => (left, "IS TRUE", Value::Nothing),
            Expr::IsNotTrue(left) => (left, "IS NOT TRUE", Value::Nothing),
            Expr::IsFalse(left) => (left, "IS FALSE", Value::Nothing),
            Expr::IsNotFalse(left) => (left, "IS NOT FALSE", Value::Nothing),
            Expr::InList { expr, list, negated: false } => (expr, "IN", self.values(list)),
            Expr::InList { expr, list, negated: true } => (expr, "NOT IN", self.values(list)),
            Expr::InSubquery { expr, negated: false, .. } => (expr, "IN", Value::Subquery),
            Expr::InSubquery { expr, negated: true, .. } => (expr, "NOT IN", Value::Subquery),
            Expr::Between { expr, negated, low, high } => {
                let value = self.values([&**low, &**high]);
                (expr, if *negated { "NOT BETWEEN" } else { "BETWEEN" }, value)
            }
            Expr::Like { expr: left, pattern, negated: other, .. } => {
                let operator = if *other { "NOT LIKE" } else { "LIKE" };
                let operator = self.spelt(left, pattern, operator.to_owned());
                let asked =
                    Asked { value: self.pattern(pattern), ..self.asked(expr, &operator, clause, negated) };
                return self.emit(left, &asked);
            }
            bare => return self.emit(bare, &self.asked(bare, "", clause, negated)),
        };
        self.emit(left, &Asked { value, ..self.asked(expr, operator, clause, negated) });
    }

    /// The terms of the ORDER BY of a query, which stands behind the last arm of a compound and sorts them all.
    pub fn order(&mut self, terms: &[OrderByExpr], query: Option<u32>) {
        let first = self.found.len();
        for term in terms {
            let is_descending = term.options.sort == Some(OrderBySort::Desc);
            let direction = if is_descending { "DESC" } else { "ASC" };
            self.emit(&term.expr, &self.asked(&term.expr, direction, Clause::OrderBy, false));
        }
        for predicate in self.found.iter_mut().skip(first) {
            predicate.query = query.unwrap_or(predicate.query);
        }
    }

    /// The terms of a GROUP BY.
    pub fn group(&mut self, terms: &[Expr]) {
        for term in terms {
            self.emit(term, &self.asked(term, "", Clause::GroupBy, false));
        }
    }

    /// The columns of a USING.
    pub fn using(&mut self, columns: &[ObjectName]) {
        for column in columns {
            let Some(place) = self.text.range(column.span()) else { continue };
            let (operator, value) = ("=".to_owned(), self.named_column(column));
            self.named(column, &Asked { operator, value, clause: Clause::Join, place });
        }
    }

    /// The assignments of a SET.
    pub fn assignments(&mut self, assignments: &[Assignment]) {
        for assignment in assignments {
            let targets = match &assignment.target {
                AssignmentTarget::ColumnName(column) => std::slice::from_ref(column),
                AssignmentTarget::Tuple(columns) => columns,
            };
            for (at, target) in targets.iter().enumerate() {
                let Some(part) = self.text.range(target.span().union(&assignment.value.span())) else {
                    continue;
                };
                let value = match &assignment.value {
                    Expr::Tuple(values) => {
                        values.get(at).map_or(Value::Expression, |value| self.value(value))
                    }
                    value => self.value(value),
                };
                let (operator, place) = ("=".to_owned(), self.text.whole(&part));
                self.named(target, &Asked { operator, value, clause: Clause::Set, place });
            }
        }
    }

    /// Both sides of a comparison: each column as if it stood on the left.
    fn comparison(&mut self, asked: &Asked, left: &Expr, right: &Expr) {
        if let (Expr::Tuple(left), Expr::Tuple(right)) = (bare(left), bare(right))
            && left.len() == right.len()
        {
            return left.iter().zip(right).for_each(|(left, right)| self.comparison(asked, left, right));
        }
        self.emit(left, &asked.with(&asked.operator, self.value(right)));
        if let Some(operator) = mirrored(&asked.operator) {
            self.emit(right, &asked.with(operator, self.value(left)));
        }
    }

    fn asked(&self, condition: &Expr, operator: &str, clause: Clause, negated: bool) -> Asked {
        let operator =
            if negated { format!("NOT {operator}").trim_end().to_owned() } else { operator.to_owned() };
        let part = self.text.range(condition.span());
        let place = part.map_or(0..0, |part| self.text.whole(&part));
        Asked { operator, value: Value::Nothing, clause, place }
    }

    /// The operator as it stands in the text, where it was respelt for the parser.
    fn spelt(&self, left: &Expr, right: &Expr, parsed: String) -> String {
        let (Some(left), Some(right)) = (self.text.range(left.span()), self.text.range(right.span())) else {
            return parsed;
        };
        let between = self.text.between(left.end, right.start);
        let has = |word| between.iter().any(|token| token.is_word(word));
        let Some(word) = ["IS", "GLOB"].into_iter().find(|word| has(word)) else { return parsed };
        match (word, has("NOT")) {
            ("IS", true) => "IS NOT".to_owned(),
            (_, true) => format!("NOT {word}"),
            (_, false) => word.to_owned(),
        }
    }

    fn emit(&mut self, expr: &Expr, asked: &Asked) {
        let mut columns = Vec::new();
        collect(expr, None, &mut columns);
        for column in columns {
            self.found.push(self.predicate(&column, asked));
        }
    }

    fn named(&mut self, name: &ObjectName, asked: &Asked) {
        let parts: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
        if let [before @ .., name] = parts.as_slice() {
            let column = Column { name, qualifier: before.last().copied(), wrapper: None };
            self.found.push(self.predicate(&column, asked));
        }
    }

    fn predicate(&self, column: &Column<'_>, asked: &Asked) -> Predicate {
        let start = self.text.range(column.name.span).map_or(asked.place.start, |range| range.start);
        Predicate {
            query: self.queries.at(start),
            column: self.text.name(column.name),
            qualifier: column.qualifier.map(|qualifier| self.text.name(qualifier)),
            operator: asked.operator.clone(),
            wrapper: column.wrapper.clone(),
            value: asked.value.clone(),
            pattern: None,
            literals: Vec::new(),
            clause: asked.clause,
            start: asked.place.start,
            end: asked.place.end,
        }
    }

    /// The value that another column is, by its identifiers from the outermost.
    fn column<'e>(&self, parts: impl IntoIterator<Item = &'e Ident>) -> Value {
        let mut parts: Vec<String> = parts.into_iter().map(|part| self.text.name(part)).collect();
        match parts.pop() {
            Some(name) => Value::Column { qualifier: parts.pop(), name },
            None => Value::Expression,
        }
    }

    fn named_column(&self, name: &ObjectName) -> Value {
        self.column(name.0.iter().filter_map(|part| part.as_ident()))
    }

    fn value(&self, expr: &Expr) -> Value {
        let literal = |sign: &str| match self.text.range(expr.span()) {
            Some(range) => Value::Literal(format!("{sign}{}", self.text.slice(range))),
            None => Value::Expression,
        };
        match expr {
            Expr::Nested(inner) => self.value(inner),
            Expr::Value(value) if matches!(value.value, Literal::Placeholder(_)) => Value::Parameter,
            Expr::Value(_) => literal(""),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } if matches!(**expr, Expr::Value(_)) => {
                literal("-")
            }
            Expr::Identifier(name) => self.column([name]),
            Expr::CompoundIdentifier(parts) => self.column(parts),
            Expr::Subquery(_) | Expr::Exists { .. } => Value::Subquery,
            _ => Value::Expression,
        }
    }

    /// What LIKE or GLOB compares with: of a text that is joined together, it counts how that begins and ends.
    fn pattern(&self, expr: &Expr) -> Value {
        let parts = joined(expr);
        if parts.len() < 2 {
            return self.value(expr);
        }
        let texts: Vec<Option<String>> = parts.into_iter().map(|part| self.inner(part)).collect();
        if texts.iter().all(Option::is_none) {
            return Value::Expression;
        }
        let all: String = texts.into_iter().map(|text| text.unwrap_or_else(|| "…".to_owned())).collect();
        Value::Joined(format!("'{all}'"))
    }

    /// What stands between the quotes of a text.
    fn inner(&self, expr: &Expr) -> Option<String> {
        let Value::Literal(text) = self.value(expr) else { return None };
        Some(text.strip_prefix('\'')?.strip_suffix('\'')?.to_owned())
    }

    /// What several values have in common.
    fn values<'e>(&self, list: impl IntoIterator<Item = &'e Expr>) -> Value {
        let values = list.into_iter().map(|one| self.value(one));
        let both = |one, other| match (one, other) {
            (Value::Literal(one), Value::Literal(other)) => Value::Literal(format!("{one}, {other}")),
            (one, other) if one == other => one,
            _ => Value::Expression,
        };
        values.reduce(both).unwrap_or(Value::Nothing)
    }
}

impl Asked {
    fn with(&self, operator: &str, value: Value) -> Self {
        Self { operator: operator.to_owned(), value, clause: self.clause, place: self.place.clone() }
    }
}

fn bare(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

/// What `||` joins, from left to right.
fn joined(expr: &Expr) -> Vec<&Expr> {
    let (mut parts, mut rest) = (Vec::new(), vec![bare(expr)]);
    while let Some(part) = rest.pop() {
        match part {
            Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } => {
                rest.extend([bare(right), bare(left)]);
            }
            part => parts.push(part),
        }
    }
    parts
}

/// The columns in an expression, each with the outermost of what is around it.
fn collect<'e>(expr: &'e Expr, wrapper: Option<&str>, found: &mut Vec<Column<'e>>) {
    let own = wrap(expr);
    let wrapper = wrapper.or(own.as_deref());
    match expr {
        Expr::Identifier(name) => {
            found.push(Column { name, qualifier: None, wrapper: wrapper.map(str::to_owned) });
        }
        Expr::CompoundIdentifier(parts) => {
            if let [before @ .., name] = parts.as_slice() {
                let wrapper = wrapper.map(str::to_owned);
                found.push(Column { name, qualifier: before.last(), wrapper });
            }
        }
        _ => parts(expr).into_iter().for_each(|part| collect(part, wrapper, found)),
    }
}

/// What an expression puts around the columns in it.
fn wrap(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Function(function) => Some(format!("{}(…)", function.name.to_string().to_ascii_lowercase())),
        Expr::Substring { .. } => Some("substr(…)".to_owned()),
        Expr::Trim { .. } => Some("trim(…)".to_owned()),
        Expr::Ceil { .. } => Some("ceil(…)".to_owned()),
        Expr::Floor { .. } => Some("floor(…)".to_owned()),
        Expr::Cast { .. } => Some("CAST".to_owned()),
        Expr::Collate { collation, .. } => Some(format!("COLLATE {collation}")),
        Expr::Case { .. } => Some("CASE".to_owned()),
        Expr::UnaryOp { op, .. } => Some(op.to_string()),
        Expr::BinaryOp { op, .. } => Some(format!("… {op} …")),
        _ => None,
    }
}

/// The expressions an expression is made of.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Nested(inner)
        | Expr::Cast { expr: inner, .. }
        | Expr::Collate { expr: inner, .. }
        | Expr::UnaryOp { expr: inner, .. }
        | Expr::Ceil { expr: inner, .. }
        | Expr::Floor { expr: inner, .. }
        | Expr::Trim { expr: inner, .. }
        | Expr::Substring { expr: inner, .. } => vec![inner],
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::Tuple(values) => values.iter().collect(),
        Expr::Function(function) => arguments(function),
        Expr::Case { operand, conditions, else_result, .. } => {
            let whens = conditions.iter().flat_map(|when| [&when.condition, &when.result]);
            operand.iter().chain(else_result).map(|part| &**part).chain(whens).collect()
        }
        _ => Vec::new(),
    }
}

fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let expression = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().filter_map(expression).collect()
}

fn is_comparison(operator: &BinaryOperator) -> bool {
    use BinaryOperator::{Eq, Glob, Gt, GtEq, Lt, LtEq, Match, NotEq, Regexp};
    matches!(operator, Eq | NotEq | Lt | LtEq | Gt | GtEq | Match | Regexp | Glob)
}

/// The operator when the sides change places; `None` where they can't.
fn mirrored(operator: &str) -> Option<&str> {
    if let Some(negated) = operator.strip_prefix("NOT ") {
        let negations = [
            ("=", "NOT ="),
            ("<>", "NOT <>"),
            ("<", "NOT >"),
            ("<=", "NOT >="),
            (">", "NOT <"),
            (">=", "NOT <="),
        ];
        return negations.into_iter().find(|(from, _)| *from == negated).map(|(_, to)| to);
    }
    match operator {
        "<" => Some(">"),
        "<=" => Some(">="),
        ">" => Some("<"),
        ">=" => Some("<="),
        "=" | "<>" | "IS" | "IS NOT" | "IS DISTINCT FROM" | "IS NOT DISTINCT FROM" => Some(operator),
        _ => None,
    }
}
