//! Which table a column belongs to, by the rules of SQLite: the tables of the query it stands in, then those of the
//! queries around it. See <https://www.sqlite.org/lang_select.html>.

use crate::{
    extract::names::{Clause, Names, Predicate, QueryKind, TableName, Value},
    schema::{
        Objects, TableKind, same,
        tokens::{Kind, Token, Tokens, closing},
    },
};

/// A column in the list of an IN that no table there has, and one around it does.
pub struct Captured<'a> {
    /// Its name, without quotes.
    pub column: String,
    /// The table or view that it belongs to.
    pub table: &'a str,
    /// The first table of the subquery.
    pub within: &'a str,
    /// It is what the list holds; else its WHERE compares it with what is the same for all rows there.
    pub is_listed: bool,
    /// Its first byte in the statement, or that of the condition.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

/// The names of a statement, on the schema that it belongs to.
pub struct Scopes<'a> {
    /// The statement.
    pub names: &'a Names,
    /// What is in that schema; `None` where it is not known.
    pub objects: Option<&'a Objects>,
}

/// What one query says of a column.
enum Found<'a> {
    /// It belongs to this table or view.
    Table(&'a str),
    /// It belongs to something else, or to one of several.
    Unknown,
    /// It belongs to none of its tables.
    Nothing,
}

impl<'a> Scopes<'a> {
    /// The table or view of the column that a predicate is about.
    pub fn column(&self, predicate: &Predicate) -> Option<&'a str> {
        if predicate.clause == Clause::Set {
            return self.target(predicate.query).map(|table| table.name.as_str());
        }
        self.table(predicate.query, predicate.qualifier.as_deref(), &predicate.column)
    }

    /// The column that a predicate compares with, and its table or view.
    pub fn value<'p>(&self, predicate: &'p Predicate) -> Option<(Option<&'a str>, &'p str)> {
        let Value::Column { qualifier, name } = &predicate.value else { return None };
        Some((self.table(predicate.query, qualifier.as_deref(), name), name))
    }

    /// The table that an UPDATE, or the DO UPDATE of an upsert, changes.
    fn target(&self, query: u32) -> Option<&'a TableName> {
        self.tables(query).next().filter(|table| !table.is_common)
    }

    /// The table or view of a column that stands in a query, by its qualifier if it has one; `None` where it is not known.
    pub fn table(&self, query: u32, qualifier: Option<&str>, column: &str) -> Option<&'a str> {
        let mut next = Some(query);
        while let Some(query) = next {
            let found = match qualifier {
                Some(qualifier) => self.qualified(query, qualifier),
                None => self.bare(query, column),
            };
            match found {
                Found::Table(table) => return Some(table),
                Found::Unknown => return None,
                Found::Nothing => next = self.next(query),
            }
        }
        None
    }

    /// The columns without a table before them that stand in lists for IN and belong to a row around.
    pub fn captured(&self, sql: &str) -> Vec<Captured<'a>> {
        // Most statements have no query within another.
        if self.names.queries.len() < 2 {
            return Vec::new();
        }
        let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
        let lists = (0..tokens.len()).filter(|&at| tokens.get(at).is_some_and(|token| token.is("IN")));
        lists.filter_map(|at| self.captured_in(tokens.split_at_checked(at)?)).flatten().collect()
    }

    /// The same of one list, by what stands in front of its IN, and from that on.
    fn captured_in(&self, (before, tokens): (&[Token<'_>], &[Token<'_>])) -> Option<Vec<Captured<'a>>> {
        let [_, open, select, inside @ ..] = tokens else { return None };
        let from = inside.iter().position(|token| token.is("FROM") || token.is_sign('('))?;
        let first = inside.get(from + 1).filter(|_| open.is_sign('(') && select.is("SELECT"))?;
        let within = self.names.tables.iter().find(|table| table.start == first.start)?;
        let list = inside.get(..from)?;
        let inside = tokens.get(3..closing(tokens, 1)?)?;
        // Who names a table around means it.
        let is_around = |pair: &[Token<'_>]| match pair {
            [owner, dot] => {
                owner.is_name() && dot.is_sign('.') && !self.has_owner(within.query, &owner.name())
            }
            _ => false,
        };
        if inside.windows(2).any(is_around) {
            return None;
        }
        let mut found = Vec::new();
        let mut add = |column: &str, is_listed: bool, (start, end): (usize, usize)| {
            let table = self.outside(within.query, column);
            let (column, within) = (column.to_owned(), within.name.as_str());
            found.extend(table.map(|table| Captured { column, table, within, is_listed, start, end }));
        };
        let list = if list.first().is_some_and(|first| first.is("DISTINCT")) { list.get(1..)? } else { list };
        let sought = before.iter().rev().find(|token| !token.is("NOT"));
        if let [column] = list
            && matches!(column.kind, Kind::Word | Kind::Quoted)
            && sought.is_some_and(|sought| sought.is_name() && same(&sought.name(), &column.name()))
        {
            add(&column.name(), true, (column.start, column.end));
        }
        // What the list calls its own column is none of another table.
        let is_alias = |column: &str| list.len() > 1 && list.iter().any(|one| same(&one.name(), column));
        for one in self.names.predicates.iter().filter(|one| one.query == within.query) {
            let is_fixed = matches!(one.value, Value::Parameter | Value::Literal(_));
            if one.qualifier.is_none() && one.clause == Clause::Where && is_fixed && !is_alias(&one.column) {
                add(&one.column, false, (one.start, one.end));
            }
        }
        Some(found)
    }

    /// Whether a name in front of a dot is that of a table of a query, or of a schema.
    fn has_owner(&self, query: u32, name: &str) -> bool {
        self.names.tables.iter().filter(|table| table.query >= query).any(|table| {
            let is = |other: &Option<String>| other.as_deref().is_some_and(|other| same(other, name));
            same(&table.name, name) || is(&table.alias) || is(&table.schema)
        })
    }

    /// The table around a query that a bare name in it belongs to, as none of its own has such a column.
    fn outside(&self, query: u32, column: &str) -> Option<&'a str> {
        let may_be_own = !matches!(self.bare(query, column), Found::Nothing);
        if may_be_own { None } else { self.table(self.next(query)?, None, column) }
    }

    /// The query whose tables are seen beside those of a query. Tables that stand in the same FROM do not see each
    /// other.
    fn next(&self, query: u32) -> Option<u32> {
        for query in self.names.outwards(query) {
            let around = self.names.queries.get(query as usize)?.around;
            match self.names.kind(query)? {
                QueryKind::Subquery => return around,
                QueryKind::Outermost | QueryKind::Upsert => return None,
                QueryKind::Derived | QueryKind::Common => {}
            }
        }
        None
    }

    /// The tables that a query sees by itself.
    fn tables(&self, query: u32) -> impl Iterator<Item = &'a TableName> {
        let is_upsert = self.names.kind(query) == Some(QueryKind::Upsert);
        self.names.tables.iter().filter(move |table| {
            if is_upsert { table.is_inserted } else { table.query == query && !table.is_inserted }
        })
    }

    /// The names of the derived tables of a query.
    fn derived(&self, query: u32) -> impl Iterator<Item = Option<&'a str>> {
        let queries = self.names.queries.iter();
        queries
            .filter(move |one| one.kind == QueryKind::Derived && one.around == Some(query))
            .map(|one| one.name.as_deref())
    }

    fn qualified(&self, query: u32, qualifier: &str) -> Found<'a> {
        if self.derived(query).flatten().any(|name| same(name, qualifier)) {
            return Found::Unknown;
        }
        let named = |table: &&TableName| same(table.alias.as_deref().unwrap_or(&table.name), qualifier);
        only(self.tables(query).filter(named))
    }

    fn bare(&self, query: u32, column: &str) -> Found<'a> {
        let (mut having, mut is_open) = (Vec::new(), self.derived(query).next().is_some());
        for table in self.tables(query) {
            match self.has_column(table, column) {
                Some(true) => having.push(table),
                Some(false) => {}
                None => is_open = true,
            }
        }
        match only(having.into_iter()) {
            Found::Nothing if is_open => Found::Unknown,
            found => found,
        }
    }

    /// Whether a table or view has a column; `None` where that is not known.
    fn has_column(&self, named: &TableName, column: &str) -> Option<bool> {
        let objects = self.objects.filter(|_| !named.is_common)?;
        let is = |schema: &str, name: &str| {
            same(name, &named.name) && named.schema.as_deref().is_none_or(|wanted| same(schema, wanted))
        };
        if let Some(table) = objects.tables.iter().find(|table| is(&table.schema, &table.name)) {
            let is_rowid = !table.without_rowid
                && matches!(table.kind, TableKind::Ordinary | TableKind::Virtual(_))
                && ["rowid", "oid", "_rowid_"].iter().any(|name| same(name, column));
            return Some(is_rowid || table.columns.iter().any(|one| same(&one.name, column)));
        }
        let view = objects.views.iter().find(|view| is(&view.schema, &view.name))?;
        (!view.columns.is_empty()).then(|| view.columns.iter().any(|one| same(one, column)))
    }
}

/// The one table among these, which may be named twice.
fn only<'a>(mut tables: impl Iterator<Item = &'a TableName>) -> Found<'a> {
    let Some(first) = tables.next() else { return Found::Nothing };
    if !first.is_common && tables.all(|other| same(&other.name, &first.name)) {
        Found::Table(&first.name)
    } else {
        Found::Unknown
    }
}
