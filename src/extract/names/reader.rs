//! Walks the parsed statement: which tables, and which conditions in which clause.

use super::{Clause, Names, TableName, conditions::Conditions, text::Text, tokens::unquoted};
use sqlparser::ast::{
    Delete, Expr, FromTable, GroupByExpr, Ident, Insert, JoinConstraint, JoinOperator, LimitClause,
    ObjectName, OnConflictAction, OnInsert, OrderByExpr, OrderByKind, Query, Select, Spanned, Statement,
    TableAlias, TableFactor, TableWithJoins, Update, UpdateTableFromKind, Visit, Visitor,
};
use std::ops::ControlFlow;

/// The words of a join that may stand before a table.
const JOINS: &[&str] = &["CROSS", "FULL", "INNER", "JOIN", "LEFT", "NATURAL", "OUTER", "RIGHT"];

/// The names of a statement.
pub(super) fn read(text: &Text<'_>, statement: &Statement) -> Names {
    let conditions = Conditions { text, found: Vec::new() };
    let mut reader = Reader { text, names: Names::default(), common: Vec::new(), conditions };
    // Nothing breaks the walk off.
    let _ = statement.visit(&mut reader);
    let Reader { mut names, common, conditions, .. } = reader;
    names.predicates = conditions.found;
    names.predicates.sort_by_key(|predicate| (predicate.start, predicate.end));
    for table in &mut names.tables {
        table.is_common =
            table.schema.is_none() && common.iter().any(|name| name.eq_ignore_ascii_case(&table.name));
    }
    names.tables.sort_by_key(|table| table.start);
    outermost(text, statement, &mut names);
    names
}

/// ORDER BY, LIMIT and OFFSET of the statement itself.
fn outermost(text: &Text<'_>, statement: &Statement, names: &mut Names) {
    let (terms, limit, offset) = match statement {
        Statement::Query(query) | Statement::Insert(Insert { source: Some(query), .. }) => of_query(query),
        Statement::Update(update) => (update.order_by.as_slice(), update.limit.is_some(), false),
        Statement::Delete(delete) => (delete.order_by.as_slice(), delete.limit.is_some(), false),
        _ => return,
    };
    let places = terms.iter().filter_map(|term| text.range(term.expr.span()));
    names.order_by = places.map(|part| text.whole(&part)).map(|whole| (whole.start, whole.end)).collect();
    (names.limit, names.offset) = (limit, offset);
}

fn of_query(query: &Query) -> (&[OrderByExpr], bool, bool) {
    let (limit, offset) = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit, offset, .. }) => (limit.is_some(), offset.is_some()),
        Some(LimitClause::OffsetCommaLimit { .. }) => (true, true),
        None => (false, false),
    };
    (order_by(query), limit, offset)
}

fn order_by(query: &Query) -> &[OrderByExpr] {
    match query.order_by.as_ref().map(|order_by| &order_by.kind) {
        Some(OrderByKind::Expressions(terms)) => terms,
        _ => &[],
    }
}

struct Reader<'t, 'a> {
    text: &'t Text<'a>,
    names: Names,
    /// The names of the common table expressions.
    common: Vec<String>,
    conditions: Conditions<'t, 'a>,
}

impl Visitor for Reader<'_, '_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        self.common.extend(tables.map(|table| self.text.name(&table.alias.name)));
        self.conditions.order(order_by(query));
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.joins(&select.from);
        self.condition(select.selection.as_ref(), Clause::Where);
        self.condition(select.having.as_ref(), Clause::Having);
        if let GroupByExpr::Expressions(terms, _) = &select.group_by {
            self.conditions.group(terms);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        match statement {
            Statement::Insert(insert) => self.insert(insert),
            Statement::Update(update) => self.update(update),
            Statement::Delete(delete) => self.delete(delete),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Table { name, alias, .. } => self.table(name, alias.as_ref()),
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.joins(std::slice::from_ref(table_with_joins));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// A table that stands in no FROM, or one that was seen just before as a factor.
    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let start = self.text.range(relation.span()).map(|range| range.start);
        if !self.names.tables.iter().any(|table| Some(table.start) == start) {
            self.table(relation, None);
        }
        ControlFlow::Continue(())
    }
}

impl Reader<'_, '_> {
    fn condition(&mut self, condition: Option<&Expr>, clause: Clause) {
        if let Some(condition) = condition {
            self.conditions.condition(condition, clause, false);
        }
    }

    fn table(&mut self, name: &ObjectName, alias: Option<&TableAlias>) {
        let Some(range) = self.text.range(name.span()) else { return };
        let mut parts: Vec<String> =
            name.0.iter().filter_map(|part| part.as_ident()).map(|part| self.text.name(part)).collect();
        let Some(name) = parts.pop() else { return };
        let alias = alias.map(|alias| self.text.name(&alias.name));
        let join = self.join(range.start);
        let (start, end) = (range.start, range.end);
        self.names.tables.push(TableName {
            name,
            schema: parts.pop(),
            alias,
            join,
            is_common: false,
            start,
            end,
        });
    }

    /// The words of the join before a place.
    fn join(&self, start: usize) -> Option<String> {
        let before = self.text.between(0, start);
        let words = before.iter().rev().take_while(|token| token.is_one_of(JOINS)).count();
        if words > 0 {
            let words = before.iter().skip(before.len() - words).map(|token| token.text.to_ascii_uppercase());
            return Some(words.collect::<Vec<_>>().join(" "));
        }
        before.last().filter(|token| token.is_symbol(",")).map(|_| ",".to_owned())
    }

    fn joins(&mut self, tables: &[TableWithJoins]) {
        for join in tables.iter().flat_map(|table| &table.joins) {
            match constraint(&join.join_operator) {
                Some(JoinConstraint::On(condition)) => self.condition(Some(condition), Clause::Join),
                Some(JoinConstraint::Using(columns)) => self.conditions.using(columns),
                _ => {}
            }
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let Some(OnInsert::OnConflict(conflict)) = &insert.on else { return };
        if let OnConflictAction::DoUpdate(update) = &conflict.action {
            self.conditions.assignments(&update.assignments);
            self.condition(update.selection.as_ref(), Clause::Where);
        }
    }

    fn update(&mut self, update: &Update) {
        self.joins(std::slice::from_ref(&update.table));
        if let Some(UpdateTableFromKind::BeforeSet(tables) | UpdateTableFromKind::AfterSet(tables)) =
            &update.from
        {
            self.joins(tables);
        }
        self.conditions.assignments(&update.assignments);
        self.condition(update.selection.as_ref(), Clause::Where);
        self.conditions.order(&update.order_by);
    }

    fn delete(&mut self, delete: &Delete) {
        let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
        self.joins(tables);
        self.condition(delete.selection.as_ref(), Clause::Where);
        self.conditions.order(&delete.order_by);
    }
}

fn constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint)
        | JoinOperator::CrossJoin(constraint) => Some(constraint),
        _ => None,
    }
}

impl Text<'_> {
    /// A name as the statement spells it, without quotes.
    pub(super) fn name(&self, ident: &Ident) -> String {
        self.range(ident.span).map_or_else(|| ident.value.clone(), |range| unquoted(self.slice(range)))
    }
}
