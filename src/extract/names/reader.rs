//! Walks the parsed statement: which tables, and which conditions in which clause.

use super::{
    Clause, Names, QueryKind, TableName, conditions::Conditions, queries::Queries, shape, text::Text,
    tokens::unquoted,
};
use sqlparser::ast::{
    Delete, Expr, FromTable, GroupByExpr, Ident, Insert, JoinConstraint, JoinOperator, ObjectName,
    OnConflictAction, OnInsert, Query, Select, Spanned, Statement, TableAlias, TableFactor, TableObject,
    TableWithJoins, Update, UpdateTableFromKind, Visit, Visitor,
};
use std::ops::ControlFlow;

/// The words of a join that may stand before a table.
const JOINS: &[&str] = &["CROSS", "FULL", "INNER", "JOIN", "LEFT", "NATURAL", "OUTER", "RIGHT"];

/// The names of a statement.
pub(super) fn read(text: &Text<'_>, statement: &Statement) -> Names {
    let queries = Queries::new(&text.tokens);
    let conditions = Conditions { text, queries: &queries, found: Vec::new() };
    let kinds = Vec::new();
    let (names, common, values) = (Names::default(), Vec::new(), Vec::new());
    let mut reader = Reader { text, names, common, kinds, values, conditions };
    // Nothing breaks the walk off.
    let _ = statement.visit(&mut reader);
    let Reader { mut names, common, conditions, kinds, .. } = reader;
    names.predicates = conditions.found;
    names.predicates.sort_by_key(|predicate| (predicate.start, predicate.end));
    for table in &mut names.tables {
        table.is_common =
            table.schema.is_none() && common.iter().any(|name| name.eq_ignore_ascii_case(&table.name));
    }
    names.tables.sort_by_key(|table| table.start);
    names.queries = queries.described(&kinds);
    outermost(text, statement, &mut names);
    names
}

/// What is said of the statement itself, and not of its subqueries.
fn outermost(text: &Text<'_>, statement: &Statement, names: &mut Names) {
    let places = shape::order(statement).iter().filter_map(|term| text.range(term.expr.span()));
    names.order_by = places.map(|part| text.whole(&part)).map(|whole| (whole.start, whole.end)).collect();
    names.filtered = shape::is_filtered(statement);
    names.positional = shape::is_positional(statement);
    names.aggregate = shape::is_aggregate(statement);
}

struct Reader<'t, 'a> {
    text: &'t Text<'a>,
    names: Names,
    /// The names of the common table expressions.
    common: Vec<String>,
    /// The queries of which the tree says what they are.
    kinds: Vec<(u32, QueryKind, Option<String>)>,
    /// The queries that stand for one value.
    values: Vec<u32>,
    conditions: Conditions<'t, 'a>,
}

impl Visitor for Reader<'_, '_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for table in query.with.iter().flat_map(|with| &with.cte_tables) {
            let name = self.text.name(&table.alias.name);
            self.kind(&table.query, QueryKind::Common, Some(name.clone()));
            self.common.push(name);
        }
        self.conditions.order(shape::order_by(query), self.number(query));
        let (limit, offset, pages) = shape::limits(query);
        self.names.limit |= limit;
        self.names.offset |= offset;
        // The last of so many rows is one value, and no page of them.
        self.names.pages |= pages && !self.number(query).is_some_and(|own| self.values.contains(&own));
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Subquery(query) = expr {
            self.values.extend(self.number(query));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.joins(&select.from);
        self.condition(select.selection.as_ref(), Clause::Where);
        self.condition(select.having.as_ref(), Clause::Having);
        if let GroupByExpr::Expressions(terms, _) = &select.group_by {
            self.conditions.group(terms);
        }
        self.names.grouped |= shape::is_grouped(select);
        self.names.distinct |= shape::is_distinct(select);
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
            TableFactor::Derived { subquery, alias, .. } => {
                let name = alias.as_ref().map(|alias| self.text.name(&alias.name));
                self.kind(subquery, QueryKind::Derived, name);
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

    /// The number of a query: of its first arm, where it is a compound.
    fn number(&self, query: &Query) -> Option<u32> {
        let start = self.text.range(shape::start(query)?)?.start;
        Some(self.conditions.queries.at(start))
    }

    fn kind(&mut self, query: &Query, kind: QueryKind, name: Option<String>) {
        let number = self.number(query);
        self.kinds.extend(number.map(|number| (number, kind, name)));
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
            is_inserted: false,
            query: self.conditions.queries.at(start),
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
        if let TableObject::TableName(name) = &insert.table {
            self.table(name, None);
            if let Some(table) = self.names.tables.last_mut() {
                table.is_inserted = true;
            }
        }
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
        self.conditions.order(&update.order_by, None);
        self.names.limit |= update.limit.is_some();
    }

    fn delete(&mut self, delete: &Delete) {
        let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
        self.joins(tables);
        self.condition(delete.selection.as_ref(), Clause::Where);
        self.conditions.order(&delete.order_by, None);
        self.names.limit |= delete.limit.is_some();
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
