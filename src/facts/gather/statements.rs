//! The statements and what became of them, as facts.

use super::{Gatherer, Program, shape::Shape};
use crate::{
    extract::{Literal, names::Names, sql, text::HOLE},
    migration::mentions,
    schema::{Column, Explained, Generated, Kind, RefusalKind, StatementKind, replaced_columns},
    source::{Site, Words, folder_of},
    workload::{Outcome, Statement, Unenforced, foreign_keys_on},
};
use rustc_hash::FxHashSet as HashSet;

/// What the rowid of a new row is called in SQL, and by drivers that give it to those who ask.
static ROWIDS: Words<'_> = Words::new(&[
    "rowid",
    "Rowid",
    "RowId",
    "RowID",
    "ROWID",
    "LastInsertId",
    "lastInsertId",
    "last_insert_id",
    "LastInsertID",
    "lastID",
    "insertId",
    "executeInsert",
    "last_id",
]);

impl Gatherer<'_> {
    pub(super) fn gather_statements(&mut self) {
        let seldom = self.seldom_functions();
        for statement in self.program.statements {
            let row = self.gather_statement(statement, statement.names.as_deref(), &seldom);
            self.rows.statements.push(row);
            if let Some(explained) = statement.explained() {
                self.gather_missing(row, statement, explained);
            }
            let site = self.site(statement.site);
            let (outcome, reason): (&str, Option<String>) = match &statement.outcome {
                Outcome::Planned { .. } | Outcome::Applied { .. } | Outcome::Test => ("planned", None),
                Outcome::Dynamic { reason } => ("dynamic", Some(reason.clone())),
                Outcome::Refused { refusal, .. } => ("refused", Some(refusal.message.clone())),
                Outcome::Foreign => ("foreign", None),
                Outcome::NotSql => ("not_sql", None),
            };
            self.facts.insert("literal", [("site", &site), ("outcome", &outcome), ("reason", &reason)]);
            if outcome == "dynamic" {
                self.gather_unread(site, &statement.raw);
                self.gather_unread_index(site, statement);
            }
        }
        for passed in self.program.passed.iter().filter(|passed| !passed.is_test) {
            let site = self.site(passed.site);
            let (outcome, reason) = (passed.why.as_str(), Some(passed.why.sentence()));
            self.facts.insert("literal", [("site", &site), ("outcome", &outcome), ("reason", &reason)]);
        }
    }

    fn gather_unread(&mut self, site: i64, raw: &str) {
        let named = mentions(raw).used;
        let known = named.iter().filter(|table| !table.contains(HOLE)).map(Some);
        // What names none, or one that is computed, may mean any.
        let any = (named.is_empty() || named.iter().any(|table| table.contains(HOLE))).then_some(None);
        for table in known.chain(any) {
            self.facts.insert("unread_reference", [("site", &site), ("table", &table)]);
        }
    }

    fn gather_unread_index(&mut self, site: i64, statement: &Statement) {
        if let Some(table) = statement.open_index(self.program.extraction) {
            self.facts.insert("unread_index", [("site", &site), ("table", &table)]);
        }
    }

    /// The migration on whose schema a statement is planned that compiles on none that is whole.
    fn planned_after(&self, statement: &Statement) -> Option<i64> {
        let migrations = self.migrations.get(statement.database()?)?;
        migrations.get(statement.step?.checked_sub(1)?).copied()
    }

    fn gather_statement(
        &mut self,
        statement: &Statement,
        names: Option<&Names>,
        seldom: &HashSet<u32>,
    ) -> i64 {
        let site = self.site(statement.site);
        let database = self.database(statement);
        let tail = statement.tail.map(|(site, bytes)| (self.site(site), bytes));
        let text = statement.text.as_str();
        let literal = self.program.extraction.literals.get(statement.literal);
        let shape = Shape::new(text, names);
        let explained = statement.explained();
        let role = literal.map_or("production", |literal| literal.role.as_str());
        let is_seldom = literal
            .is_some_and(|one| one.run.when.seldom || one.function.is_some_and(|one| seldom.contains(&one)));
        let row = self.facts.insert(
            "statement",
            [
                ("site", &site),
                ("function", &self.function(literal.and_then(|literal| literal.function))),
                ("database", &database),
                ("kind", &kind(explained.map_or_else(|| Kind::of(text).into(), |explained| explained.kind))),
                ("branch", &(statement.branch as i64)),
                ("sink", &literal.and_then(|literal| literal.sink.as_ref()).map(|sink| sink.name.as_str())),
                ("sink_kind", &sink_kind(literal)),
                ("tail_bytes", &tail.map_or(0, |(_, bytes)| bytes as i64)),
                ("tail_site", &tail.map(|(site, _)| site)),
                ("role", &role),
                ("loop_depth", &literal.map_or(0, |literal| literal.run.loop_depth)),
                ("in_transaction", &literal.and_then(|literal| literal.run.in_transaction)),
                ("seldom", &is_seldom),
                ("text", &text),
                ("text_key", &sql::key(&statement.raw)),
                ("holes", &(statement.holes as i64)),
                ("guessed", &statement.is_guessed),
                ("filtered", &shape.filtered),
                ("ordered", &shape.ordered),
                ("limited", &shape.limited),
                ("skips", &shape.skips),
                ("pages", &shape.pages),
                ("aggregate", &shape.aggregate),
                ("grouped", &shape.grouped),
                ("is_distinct", &shape.is_distinct),
                ("positional", &shape.positional),
                ("planned_after", &self.planned_after(statement)),
                ("constant", &explained.map(|explained| explained.proven_constant)),
                ("asks_rowid", &self.asks_rowid(statement, text)),
                ("unenforced", &self.is_unenforced(statement, text)),
                ("idle_clause", &explained.and_then(|explained| explained.inserted.idle_clause.as_deref())),
            ],
        );
        if let Some(names) = names {
            self.gather_names(row, statement, names);
        }
        match &statement.outcome {
            Outcome::Planned { database, explained } => {
                self.gather_explained(row, *database, explained, names);
            }
            Outcome::Refused { database, refusal } => {
                self.gather_refusal(row, *database, &statement.text, refusal);
            }
            _ => {}
        }
        row
    }

    /// Whether an INSERT, or the code of its function, asks for the rowid of the new row.
    fn asks_rowid(&self, statement: &Statement, text: &str) -> bool {
        if !matches!(Kind::of(text), Kind::Insert | Kind::Replace) {
            return false;
        }
        let site = self.function_of(statement);
        let code =
            site.and_then(|site| Some(self.program.sources.get(site.source)?.slice(site.start, site.end)));
        ROWIDS.is_in(text) || code.is_some_and(|code| ROWIDS.is_in(code))
    }

    /// Whether what changes rows is run without foreign keys: a helper sees to that, or its function turns them off before it. Within
    /// a transaction that does nothing.
    fn is_unenforced(&self, statement: &Statement, text: &str) -> bool {
        let literals = &self.program.extraction.literals;
        let function = literals.get(statement.literal).and_then(|literal| literal.function);
        let Some(function) = function.filter(|_| changes_keys(text)) else { return false };
        let name =
            self.program.extraction.functions.get(function as usize).map_or("", |one| one.name.as_str());
        if self.unenforced.has(statement.site, name) {
            return true;
        }
        let own = self.program.extraction.literals_of(function).iter().filter_map(|&one| literals.get(one));
        let before = own.filter(|one| one.site <= statement.site && one.run.in_transaction != Some(true));
        let said = before.filter_map(|one| {
            // A script may go on with what it runs then.
            let text = one.variants.first()?.as_str();
            Some((one.site, foreign_keys_on(text)?))
        });
        said.max_by_key(|(site, _)| *site).is_some_and(|(_, on)| !on)
    }

    /// The function that a statement stands in.
    fn function_of(&self, statement: &Statement) -> Option<Site> {
        let function = self.program.extraction.literals.get(statement.literal)?.function?;
        Some(self.program.extraction.functions.get(function as usize)?.site)
    }

    /// What an INSERT gives no value, where the columns that it names are known.
    fn gather_missing(&mut self, row: i64, statement: &Statement, explained: &Explained) {
        let head = |sql: &str| {
            let lower = sql.to_ascii_lowercase();
            let behind = ["values", "select"].iter().filter_map(|word| lower.find(word)).min();
            behind.unwrap_or(sql.len())
        };
        let (raw, text) = (statement.raw.as_str(), &statement.text);
        let columns = text.as_str().find('(').unwrap_or(0);
        if raw.get(..head(raw)).is_none_or(|head| head.contains(HOLE))
            || text.is_open(columns, head(text.as_str()))
        {
            return;
        }
        self.gather_left_out(row, statement);
        for (table, column) in &explained.inserted.missing {
            let silent = explained.inserted.passes_over;
            self.facts.insert(
                "missing_value",
                [("statement", &row), ("table", table), ("column", column), ("silent", &silent)],
            );
        }
    }

    /// What a REPLACE that names its columns leaves out: of a row that was there, these are lost.
    fn gather_left_out(&mut self, row: i64, statement: &Statement) {
        let named = replaced_columns(statement.text.as_str());
        let database = statement.database().and_then(|index| self.program.databases.get(index));
        let (Some((table, named)), Some(database)) = (named, database) else { return };
        let tables = &database.variant.objects.tables;
        let Some(table) = tables.iter().find(|one| one.name.eq_ignore_ascii_case(&table)) else { return };
        let is_kept = |column: &&Column| column.generated == Generated::No && !column.hidden;
        for column in table.columns.iter().filter(is_kept) {
            if !named.iter().any(|name| name.eq_ignore_ascii_case(&column.name)) {
                self.facts.insert(
                    "left_out",
                    [("statement", &row), ("table", &table.name), ("column", &column.name)],
                );
            }
        }
    }

    /// The functions that are called once in a constant number of times, wherever they are called.
    fn seldom_functions(&self) -> HashSet<u32> {
        let extraction = self.program.extraction;
        let seldom = extraction.calls.iter().filter(|call| call.run.when.seldom);
        let mut functions: HashSet<u32> = seldom.filter_map(|call| call.callee).collect();
        functions.retain(|&function| {
            let name = extraction.functions.get(function as usize).map_or("", |one| one.name.as_str());
            let mut calls = extraction.calls.iter().filter(|call| !call.run.when.seldom);
            !calls.any(|call| call.callee.map_or(call.callee_name == name, |callee| callee == function))
        });
        functions
    }

    /// The database of a statement; one that stands for a missing schema where nothing creates its tables.
    fn database(&mut self, statement: &Statement) -> Option<i64> {
        if let Some(index) = statement.database() {
            return self.rows.databases.get(index).copied();
        }
        if !matches!(statement.outcome, Outcome::Refused { database: None, .. }) {
            return None;
        }
        let path = self.program.sources.path(statement.site.source);
        let folder = folder_of(path).to_owned();
        Some(self.missing_database(&folder, statement.site))
    }

    pub(super) fn optional_site(&mut self, site: Option<Site>) -> Option<i64> {
        site.map(|site| self.site(site))
    }
}

fn kind(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Select => "select",
        StatementKind::Insert => "insert",
        StatementKind::Replace => "replace",
        StatementKind::Update => "update",
        StatementKind::Delete => "delete",
        StatementKind::Ddl => "ddl",
        StatementKind::Pragma => "pragma",
        StatementKind::Transaction => "transaction",
        StatementKind::Other => "other",
    }
}

fn sink_kind(literal: Option<&Literal>) -> &'static str {
    literal.and_then(|literal| literal.sink.as_ref()).map_or("none", |sink| sink.kind.as_str())
}

pub(super) fn refusal_kind(kind: &RefusalKind) -> (&'static str, Option<&str>) {
    match kind {
        RefusalKind::Syntax => ("syntax", None),
        RefusalKind::Incomplete => ("incomplete", None),
        RefusalKind::NoSuchTable(name) => ("no_such_table", Some(name)),
        RefusalKind::NoSuchColumn(name) => ("no_such_column", Some(name)),
        RefusalKind::NoSuchFunction(name) => ("no_such_function", Some(name)),
        RefusalKind::NoSuchCollation(name) => ("no_such_collation", Some(name)),
        RefusalKind::NoSuchModule(name) => ("no_such_module", Some(name)),
        RefusalKind::NoSuchIndex(name) => ("no_such_index", Some(name)),
        RefusalKind::AlreadyExists(name) => ("already_exists", Some(name)),
        RefusalKind::DuplicateColumn(name) => ("duplicate_column", Some(name)),
        RefusalKind::Constraint => ("constraint", None),
        RefusalKind::Forbidden(what) => ("forbidden", Some(what)),
        RefusalKind::Limit(what) => ("limit", Some(what)),
        RefusalKind::Other => ("other", None),
    }
}

/// What of a program's statements its helpers run without foreign keys.
pub(super) fn unenforced(program: &Program<'_>) -> Unenforced {
    let changing = program.statements.iter().filter(|one| changes_keys(one.text.as_str()));
    Unenforced::find(program.sources, &changing.map(|one| one.site.source).collect())
}

/// Whether a statement may take away, or change, what keys of other tables point at.
fn changes_keys(sql: &str) -> bool {
    matches!(Kind::of(sql), Kind::Delete | Kind::Update | Kind::Replace)
}
