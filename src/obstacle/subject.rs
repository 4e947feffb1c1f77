//! One step of a plan, with what is known of its table and of the terms that are about it.

use super::{Kind, Obstacle, Read, shuffled::is_random, sorts, terms::Term, through::Through, weigh};
use crate::{
    extract::names::{
        Clause, Names, Predicate, TableName,
        expressions::{Condition, Expression, Form},
    },
    plan::{Index, Op, Plan, Step, TermKind},
    schema::{
        Affinity, Column, IndexObject, Objects, Table, TableKind,
        mirror::{Asked, AskedTerm},
        replan::Workshop,
    },
    workload::{Scopes, queries_of},
};

pub(super) use crate::schema::same;

/// A step that reads or sorts too much.
pub(super) struct Subject<'a> {
    pub sql: &'a str,
    pub plan: &'a Plan,
    pub at: usize,
    pub step: &'a Step,
    pub table: &'a Table,
    /// Its number among the tables.
    number: usize,
    pub objects: &'a Objects,
    names: &'a Names,
    /// The queries that the step can belong to.
    queries: Vec<u32>,
    /// What its columns are called, where it is read for a view.
    through: Option<&'a Through>,
    asked: Option<&'a [Asked]>,
    pub conditions: &'a [Condition],
    /// A row may be made up for its table, or for another, by an outer join.
    pub has_outer_join: bool,
}

impl<'a> Subject<'a> {
    /// `None` where it is not known which table the step reads, or that is no ordinary one.
    pub fn new(
        (sql, plan, at): (&'a str, &'a Plan, usize),
        objects: &'a Objects,
        read: &'a Read,
        asked: Option<&'a [Asked]>,
        through: &'a Through,
    ) -> Option<Self> {
        let step = plan.steps.get(at)?;
        let (schema, name) = (step.schema.as_deref()?, step.table.as_deref()?);
        let is = |table: &Table| same(&table.schema, schema) && same(&table.name, name);
        let (number, table) = objects.tables.iter().enumerate().find(|(_, table)| is(table))?;
        let mut queries = queries_of(&read.names, plan, at);
        let is_viewed = queries.is_empty();
        if is_viewed {
            queries = through.queries(number, plan, step);
        }
        let is_ordinary = table.kind == TableKind::Ordinary && !queries.is_empty();
        is_ordinary.then_some(Self {
            sql,
            plan,
            at,
            step,
            table,
            number,
            objects,
            names: &read.names,
            queries,
            through: is_viewed.then_some(through),
            asked,
            conditions: &read.conditions,
            has_outer_join: has_outer_join(sql, plan),
        })
    }

    /// What keeps the step from being narrowed, or ordered. Other texts are always tried, indexes if that is worth it, and
    /// where they may be advised at all.
    pub fn obstacles(
        &self,
        workshop: &mut Workshop<'_>,
        tries_indexes: bool,
        may_advise: bool,
    ) -> Vec<Obstacle> {
        // What another text says of a table, it does not say of a view.
        let of_table = self.through.is_none();
        let of_lists = self.member().into_iter().chain(self.absent()).filter(|_| of_table);
        let mut terms: Vec<Term> = self.filters().flat_map(|one| self.terms(one)).chain(of_lists).collect();
        for term in &mut terms {
            term.is_used |= self.is_sought(term);
            if of_table {
                self.try_rewrites(term, workshop);
            }
        }
        let mut order = if sorts(self.plan, self.at) { self.order() } else { Vec::new() };
        let mut extreme = if of_table { self.extreme() } else { Vec::new() };
        for term in &mut extreme {
            self.try_apart(term, workshop);
        }
        let tries_indexes = tries_indexes || order.iter().any(|term| term.kind == Kind::Direction);
        if tries_indexes && may_advise {
            self.try_index(&mut terms, &mut order, &mut extreme, workshop);
        }
        let all = terms
            .into_iter()
            .chain(self.near_misses().into_iter().filter(|_| of_table))
            .chain(extreme)
            .chain(order);
        all.filter(|term| !term.is_used && (!term.needs_fix || term.fix.is_some()))
            .filter_map(|term| term.obstacle(self.at))
            .collect()
    }

    /// The conditions of a WHERE or ON that test the rows of the step.
    pub fn filters(&self) -> impl Iterator<Item = &'a Condition> {
        self.conditions
            .iter()
            .filter(|one| one.clause != Clause::OrderBy && self.queries.contains(&one.query))
    }

    /// The queries that the step can belong to.
    pub fn queries(&self) -> &[u32] {
        &self.queries
    }

    /// The pattern that the caller of a LIKE is seen to bind.
    pub fn bound_pattern(&self, whole: &Expression) -> Option<&'a str> {
        let is = |one: &&Predicate| one.start == whole.start && one.end == whole.end;
        self.names.predicates.iter().find(is)?.pattern.as_deref()
    }

    /// The literals that the caller of an IN is seen to bind.
    pub fn bound_literals(&self, whole: &Expression) -> &'a [String] {
        let is = |one: &&Predicate| one.start == whole.start && one.end == whole.end;
        self.names.predicates.iter().find(is).map_or(&[], |one| &one.literals)
    }

    /// The tables that the statement names.
    pub fn tables(&self) -> &'a [TableName] {
        &self.names.tables
    }

    /// Whether the statement names a table.
    pub fn is_named(&self, table: &str) -> bool {
        self.names.tables.iter().any(|one| same(&one.name, table))
    }

    /// Whether a query is that of the step, and certainly.
    pub fn is_own(&self, query: u32) -> bool {
        self.queries == [query]
    }

    /// The column of the table that an expression is; `None` where it is something else, or that of another table.
    pub fn column(&self, query: u32, of: &Expression) -> Option<Named<'a>> {
        let Form::Column { qualifier, name, .. } = &of.form else { return None };
        let owner = self.scopes().table(query, qualifier.as_deref(), name)?;
        if let Some(through) = self.through {
            return Some(match through.column(owner, name, self.number)?.own {
                Some(at) => {
                    Named { column: Some(self.table.columns.get(at)?), is_rowid: self.alias() == Some(at) }
                }
                None => Named { column: None, is_rowid: true },
            });
        }
        let printed = self.step.name.as_deref()?;
        let printed = printed.strip_prefix(&format!("{}.", self.table.schema)).unwrap_or(printed);
        let is_named = qualifier.as_deref().is_none_or(|qualifier| same(qualifier, printed));
        if !same(owner, &self.table.name) || !is_named {
            return None;
        }
        self.named(name)
    }

    /// The column of the table that has a name, or its rowid.
    pub fn named(&self, name: &str) -> Option<Named<'a>> {
        let column = self.table.columns.iter().position(|column| same(&column.name, name));
        match column {
            Some(at) => {
                Some(Named { column: self.table.columns.get(at), is_rowid: self.alias() == Some(at) })
            }
            None if !self.table.without_rowid => Some(Named { column: None, is_rowid: true }),
            None => None,
        }
    }

    /// The column of any table.
    pub fn named_of(&self, table: &'a Table, column: &'a Column) -> Named<'a> {
        let key = rowid_alias(table, self.objects).and_then(|at| table.columns.get(at));
        Named { column: Some(column), is_rowid: key.is_some_and(|key| key.name == column.name) }
    }

    /// Whether a column is NULL in no row: behind an outer join, each may be.
    pub fn never_null(&self, named: &Named<'_>) -> bool {
        named.not_null() && !self.has_outer_join
    }

    /// The columns of the table in an expression.
    pub fn columns(&self, query: u32, of: &Expression) -> Vec<Named<'a>> {
        of.all().into_iter().filter_map(|part| self.column(query, part)).collect()
    }

    /// Whether an expression is the same for all rows of the table: no column of it, and no subquery, stands in it.
    pub fn is_fixed(&self, query: u32, of: &Expression) -> bool {
        of.all().into_iter().all(|part| match &part.form {
            Form::Column { .. } => self.is_of_other(query, part) || self.is_string(query, part),
            Form::Other(parts) => !parts.is_empty(),
            Form::Subquery => false,
            Form::Call(..) => !is_random(part),
            _ => true,
        })
    }

    /// Whether a filter of the statement has a column of this name.
    pub fn is_compared(&self, name: &str) -> bool {
        let mut all = self.filters().flat_map(|one| self.columns(one.query, &one.expression));
        all.any(|own| same(own.name(), name))
    }

    /// Whether a name in double quotes is no column of anything, so that SQLite takes it for a string:
    /// <https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted>.
    pub fn is_string(&self, query: u32, part: &Expression) -> bool {
        let Form::Column { qualifier: None, name, is_quoted: true, .. } = &part.form else { return false };
        let is_column = |table: &Table| table.columns.iter().any(|one| same(&one.name, name));
        // What stands there twice may be what a result is called.
        self.scopes().table(query, None, name).is_none()
            && self.sql.to_ascii_lowercase().matches(&name.to_ascii_lowercase()).count() == 1
            && !self.objects.tables.iter().filter(|table| self.is_named(&table.name)).any(is_column)
    }

    /// Whether a column belongs to another table, as far as is known.
    fn is_of_other(&self, query: u32, of: &Expression) -> bool {
        self.column(query, of).is_none() && (self.owner(query, of).is_some() || self.is_of_common(query, of))
    }

    /// Whether a column is one of a common table expression.
    fn is_of_common(&self, query: u32, of: &Expression) -> bool {
        let Form::Column { qualifier: Some(qualifier), .. } = &of.form else { return false };
        let mut common = self.names.tables.iter().filter(|table| table.is_common && table.query == query);
        common.any(|table| same(table.alias.as_deref().unwrap_or(&table.name), qualifier))
    }

    fn scopes(&self) -> Scopes<'a> {
        Scopes { names: self.names, objects: Some(self.objects) }
    }

    /// The table and column that an expression is.
    pub fn owner(&self, query: u32, of: &Expression) -> Option<(&'a Table, &'a Column)> {
        let Form::Column { qualifier, name, .. } = &of.form else { return None };
        let owner = self.scopes().table(query, qualifier.as_deref(), name)?;
        let table = self.objects.tables.iter().find(|table| same(&table.name, owner))?;
        table.columns.iter().find(|column| same(&column.name, name)).map(|column| (table, column))
    }

    /// The column that stands for the rowid.
    fn alias(&self) -> Option<usize> {
        rowid_alias(self.table, self.objects)
    }

    /// The indexes of the table.
    pub fn indexes(&self) -> impl Iterator<Item = &'a IndexObject> {
        self.objects.indexes_of(&self.table.schema, &self.table.name)
    }

    /// Whether the step seeks by a column, by one value or by a range.
    pub fn seeks(&self, named: &Named<'_>, is_range: bool) -> bool {
        let is_kind = |kind: TermKind| (kind != TermKind::Equal) == is_range && kind != TermKind::Any;
        let is = |column: &str| same(column, named.name()) || (named.is_rowid && same(column, "rowid"));
        self.step.terms.iter().any(|term| is(&term.column) && is_kind(term.kind))
    }

    /// Whether a term that seems to be of no use must be the one that the step seeks by: no others have its column than are sought.
    fn is_sought(&self, term: &Term) -> bool {
        let is_doubtful = matches!(term.kind, Kind::Operator | Kind::Wrapped | Kind::NoIndex | Kind::IsNot);
        let Some(name) = term.column.as_deref().filter(|_| is_doubtful && !self.step.is_automatic()) else {
            return false;
        };
        let is = |named: &Named<'_>| same(named.name(), name);
        let has = |one: &&Condition| self.columns(one.query, &one.expression).iter().any(is);
        let is_rowid = |named: &Named<'_>| is(named) && named.is_rowid;
        let own = || self.filters().flat_map(|one| self.columns(one.query, &one.expression));
        let is_key =
            |column: &str| same(column, name) || same(column, "rowid") && own().any(|named| is_rowid(&named));
        let sign = |next: char| matches!(next, '(' | ')' | ',' | ' ');
        let sought = self.step.terms.iter().filter(|one| one.kind != TermKind::Any);
        let sought = sought.filter(|one| one.column.split(sign).any(is_key)).count();
        (1..=sought).contains(&self.filters().filter(has).count())
    }

    /// Whether the planner would seek a column by what a subquery returns, or what is made of that: it is the same for all
    /// rows then.
    pub fn is_sought_by(&self, query: u32, column: &Expression, operator: &str, by: &Expression) -> bool {
        let asked = |named: Named<'_>| self.asked_of(&named, operator).is_some();
        let parts = by.all();
        let is_returned = parts.iter().any(|part| part.form == Form::Subquery);
        let is_known = |part: &&Expression| match part.form {
            Form::Column { .. } => self.is_of_other(query, part),
            _ => true,
        };
        let is_same = is_returned && parts.iter().all(is_known);
        is_same && operator != "IS" && self.column(query, column).is_some_and(asked)
    }

    /// What the planner asks of a column, if it could be asked.
    pub fn asked_of(&self, named: &Named<'_>, operator: &str) -> Option<&'a AskedTerm> {
        let column = self.table.columns.iter().position(|column| same(&column.name, named.name()));
        let own = self.asked?.iter().filter(|asked| asked.table == self.number);
        own.flat_map(|asked| &asked.terms).find(|term| term.column == column && term.operator == operator)
    }

    /// Whether the step is in no loop of another table, and runs once.
    pub fn is_outer(&self) -> bool {
        !self.step.inside_loop && !self.step.correlated && !self.step.is_automatic()
    }

    /// The name of the index that the step goes by, in words.
    pub fn way(&self) -> String {
        match &self.step.index {
            Some(Index::Named { name, .. }) => format!("the index `{name}`"),
            Some(Index::Automatic { .. }) => "an index that is built each time".to_owned(),
            _ => "the primary key".to_owned(),
        }
    }

    /// Whether the step goes by an index.
    pub fn goes_by(&self, index: &IndexObject) -> bool {
        matches!(&self.step.index, Some(Index::Named { name, .. }) if same(name, &index.name))
    }

    /// Whether another plan is better, and that by this step.
    pub fn improves(&self, after: &Plan) -> bool {
        weigh::improves(self.plan, after, self.step)
    }
}

/// A column of the table, or its rowid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'a> {
    /// `None` for a rowid that no column stands for.
    pub column: Option<&'a Column>,
    pub is_rowid: bool,
}

impl<'a> Named<'a> {
    pub fn name(&self) -> &'a str {
        self.column.map_or("rowid", |column| &column.name)
    }

    pub fn affinity(&self) -> Affinity {
        self.column.map_or(Affinity::Integer, |column| column.affinity)
    }

    pub fn collation(&self) -> &'a str {
        self.column.map_or("BINARY", |column| &column.collation)
    }

    /// Whether it is NULL in no row that is stored.
    fn not_null(&self) -> bool {
        self.is_rowid || self.column.is_some_and(|column| column.not_null)
    }
}

/// Whether a statement may have an outer join: SQLite prints only those that it did not make into inner ones, and words
/// that could be one count as well.
fn has_outer_join(sql: &str, plan: &Plan) -> bool {
    let mut words = sql.split(|next: char| !next.is_alphanumeric() && next != '_');
    let is_outer = |word: &str| ["LEFT", "RIGHT", "FULL", "OUTER"].iter().any(|one| same(word, one));
    words.any(is_outer) || plan.steps.iter().any(|step| step.left_join || step.op == Op::RightJoin)
}

/// The column that stands for the rowid of a table.
fn rowid_alias(table: &Table, objects: &Objects) -> Option<usize> {
    let mut keys = table.columns.iter().enumerate().filter(|(_, column)| column.primary_key > 0);
    let (at, column) = keys.next()?;
    let is_only = keys.next().is_none() && column.declared_type.eq_ignore_ascii_case("INTEGER");
    let has_index = objects
        .indexes_of(&table.schema, &table.name)
        .any(|index| index.origin == crate::schema::Origin::PrimaryKey);
    (is_only && !table.without_rowid && !has_index).then_some(at)
}

/// The column that an index begins with, where that is no expression.
pub fn first_column(index: &IndexObject) -> Option<&str> {
    index.columns.first().and_then(|first| first.name.as_deref())
}

/// Whether an index begins with a column.
pub fn begins_with(index: &IndexObject, column: &str) -> bool {
    first_column(index).is_some_and(|name| same(name, column))
}
