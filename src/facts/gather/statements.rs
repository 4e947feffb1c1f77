//! The statements, their plans and what became of them, as facts.

use super::{FactsError, Gatherer};
use crate::{
    config::near,
    extract::{
        Literal,
        names::{self, Clause, Names, Value},
        sql,
        text::Text,
    },
    plan::{Index, Op, Plan, Program, Purpose, Step, TermKind},
    schema::{Explained, Kind, Refusal, RefusalKind, StatementKind, WriteAction},
    source::Site,
    workload::{Database, Outcome, Statement},
};

impl Gatherer<'_> {
    pub(super) fn gather_statements(&mut self) -> Result<(), FactsError> {
        let mut literals = self.facts.table("literal", ["site", "outcome", "reason"])?;
        for statement in &self.program.statements.iter().collect::<Vec<_>>() {
            let row = self.gather_statement(statement)?;
            self.rows.statements.push(row);
            let site = self.site(statement.site)?;
            let (outcome, reason) = match &statement.outcome {
                Outcome::Planned { .. } | Outcome::Applied { .. } | Outcome::Test => ("planned", None),
                Outcome::Dynamic { reason } => ("dynamic", Some(reason.clone())),
                Outcome::Refused { refusal, .. } => ("refused", Some(refusal.message.clone())),
                Outcome::Foreign => ("foreign", None),
                Outcome::NotSql => ("not_sql", None),
            };
            literals.insert([&site, &outcome, &reason])?;
        }
        Ok(())
    }

    fn gather_statement(&mut self, statement: &Statement) -> Result<i64, FactsError> {
        let site = self.site(statement.site)?;
        let database = self.database(statement)?;
        let tail = match statement.tail {
            Some((site, bytes)) => Some((self.site(site)?, bytes)),
            None => None,
        };
        let text = statement.text.as_str();
        let literal = self.program.extraction.literals.get(statement.literal);
        let names = if matches!(statement.outcome, Outcome::Test) { None } else { names::names(text) };
        let shape = Shape::new(text, names.as_ref());
        let explained = statement.explained();
        let role = literal.map_or("production", |literal| literal.role.as_str());
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
                ("loop_depth", &literal.map_or(0, |literal| literal.loop_depth)),
                ("in_transaction", &literal.map(|literal| literal.in_transaction)),
                ("text", &text),
                ("text_key", &sql::key(&statement.raw)),
                ("holes", &(statement.holes as i64)),
                ("filtered", &shape.filtered),
                ("ordered", &shape.ordered),
                ("limited", &shape.limited),
                ("skips", &shape.skips),
                ("grouped", &shape.grouped),
                ("is_distinct", &shape.is_distinct),
                ("constant", &explained.map(|explained| explained.proven_constant)),
            ],
        )?;
        if let Some(names) = &names {
            self.gather_names(row, statement, names)?;
        }
        match &statement.outcome {
            Outcome::Planned { database, explained } => self.gather_explained(row, *database, explained)?,
            Outcome::Refused { database, refusal } => {
                self.gather_refusal(row, *database, &statement.text, refusal)?
            }
            _ => {}
        }
        Ok(row)
    }

    /// The database of a statement; one that stands for a missing schema where nothing creates its tables.
    fn database(&mut self, statement: &Statement) -> Result<Option<i64>, FactsError> {
        if let Some(index) = statement.database() {
            return Ok(self.rows.databases.get(index).copied());
        }
        if !matches!(statement.outcome, Outcome::Refused { database: None, .. }) {
            return Ok(None);
        }
        let path = self.program.sources.path(statement.site.source);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        self.missing_database(&folder, statement.site).map(Some)
    }

    fn gather_names(&mut self, row: i64, statement: &Statement, names: &Names) -> Result<(), FactsError> {
        let place = |start: usize, end: usize| statement.text.site(start as u32, end as u32);
        let queries = names::queries(statement.text.as_str());
        let mut within = self.facts.table("query_within", ["statement", "query", "within"])?;
        for (query, outer) in queries.within() {
            within.insert([&row, &(query as i64), &(outer as i64)])?;
        }
        let tables = Tables {
            names,
            database: statement.database().and_then(|index| self.program.databases.get(index)),
        };
        for table in &names.tables {
            let site = self.optional_site(place(table.start, table.end))?;
            self.facts.insert(
                "table_reference",
                [
                    ("statement", &row),
                    ("query", &(queries.at(table.start) as i64)),
                    ("schema", &(!table.is_common).then_some(table.schema.as_deref().unwrap_or("main"))),
                    ("table", &table.name),
                    ("alias", &table.alias),
                    ("site", &site),
                ],
            )?;
        }
        for (ordinal, predicate) in names.predicates.iter().enumerate() {
            let site = self.optional_site(place(predicate.start, predicate.end))?;
            let (value, literal) = match &predicate.value {
                Value::Literal(text) => (Some("literal"), Some(text.as_str())),
                Value::Parameter => (Some("parameter"), None),
                Value::Column => (Some("column"), None),
                Value::Subquery => (Some("subquery"), None),
                Value::Expression => (Some("expression"), None),
                Value::Nothing => (None, None),
            };
            let table = tables.of(predicate.qualifier.as_deref(), &predicate.column);
            let (other, other_column) = match &predicate.other {
                Some((qualifier, column)) => (tables.of(qualifier.as_deref(), column), Some(column)),
                None => (None, None),
            };
            self.facts.insert(
                "predicate",
                [
                    ("statement", &row),
                    ("query", &(queries.at(predicate.start) as i64)),
                    ("clause", &clause(predicate.clause)),
                    ("ordinal", &(ordinal as i64)),
                    ("table", &table),
                    ("column", &predicate.column),
                    ("operator", &predicate.operator),
                    ("wrapper", &predicate.wrapper),
                    ("value", &value),
                    ("literal", &literal),
                    ("value_table", &other),
                    ("value_column", &other_column),
                    ("site", &site),
                ],
            )?;
        }
        Ok(())
    }

    fn optional_site(&mut self, site: Option<Site>) -> Result<Option<i64>, FactsError> {
        site.map(|site| self.site(site)).transpose()
    }

    fn gather_explained(
        &mut self,
        row: i64,
        database: usize,
        explained: &Explained,
    ) -> Result<(), FactsError> {
        for (ordinal, name) in explained.parameters.iter().enumerate() {
            self.facts.insert(
                "parameter",
                [("statement", &row), ("ordinal", &(ordinal as i64 + 1)), ("name", name)],
            )?;
        }
        for read in &explained.reads {
            let through = read.through.as_ref().map(|name| self.through(database, name));
            self.facts.insert(
                "read",
                [
                    ("statement", &row),
                    ("schema", &read.schema),
                    ("table", &read.table),
                    ("column", &read.column),
                    ("through", &through),
                    ("through_name", &read.through),
                ],
            )?;
        }
        for function in &explained.functions {
            self.facts.insert("called_function", [("statement", &row), ("name", function)])?;
        }
        for write in &explained.writes {
            let (action, column) = match &write.action {
                WriteAction::Insert => ("insert", None),
                WriteAction::Update(column) => ("update", Some(column.as_str())),
                WriteAction::Delete => ("delete", None),
            };
            let through = write.through.as_ref().map(|_| "trigger");
            self.facts.insert(
                "write",
                [
                    ("statement", &row),
                    ("schema", &write.schema),
                    ("table", &write.table),
                    ("action", &action),
                    ("column", &column),
                    ("through", &through),
                    ("through_name", &write.through),
                ],
            )?;
        }
        let Some(&variant) = self.variants.get(database) else { return Ok(()) };
        let plan = self
            .facts
            .insert("plan", [("statement", &row), ("variant", &variant), ("engine", &self.engine)])?;
        self.gather_steps(plan, &explained.plan)
    }

    /// What kind of thing a statement reads through: its views are known, the rest are triggers.
    fn through(&self, database: usize, name: &str) -> &'static str {
        let views = self.program.databases.get(database).map(|database| &database.variant.objects.views);
        let is_view =
            views.is_some_and(|views| views.iter().any(|view| view.name.eq_ignore_ascii_case(name)));
        if is_view { "view" } else { "trigger" }
    }

    pub(super) fn gather_steps(&mut self, plan: i64, steps: &Plan) -> Result<(), FactsError> {
        let mut table = self.facts.table(
            "step",
            [
                "plan",
                "parent",
                "ordinal",
                "operation",
                "purpose",
                "name",
                "schema",
                "table",
                "index",
                "key",
                "equalities",
                "ranges",
                "covering",
                "automatic",
                "left_join",
                "inside_loop",
                "correlated",
                "program",
                "program_name",
                "cost",
                "detail",
            ],
        )?;
        let mut terms = self.facts.table("step_term", ["step", "ordinal", "column", "kind"])?;
        let mut rows: Vec<i64> = Vec::new();
        for (ordinal, step) in steps.steps.iter().enumerate() {
            let parent = step.parent.and_then(|parent| rows.get(parent)).copied();
            let (operation, purpose) = (step.op.as_str(), purpose(&step.op));
            let (key, index) = key(step);
            let (program, program_name) = match &step.program {
                Some(Program::Trigger(name)) => (Some("trigger"), Some(name.as_str())),
                Some(Program::ForeignKeyAction) => (Some("foreign_key"), None),
                None => (None, None),
            };
            let row = table.insert([
                &plan,
                &parent,
                &(ordinal as i64),
                &operation,
                &purpose,
                &step.name,
                &step.schema,
                &step.table,
                &index,
                &key,
                &step.equalities(),
                &step.ranges(),
                &step.is_covering(),
                &step.is_automatic(),
                &step.left_join,
                &step.inside_loop,
                &step.correlated,
                &program,
                &program_name,
                &step.cost,
                &step.detail,
            ])?;
            rows.push(row);
            for (ordinal, term) in step.terms.iter().enumerate() {
                let kind = match term.kind {
                    TermKind::Equal => "equal",
                    TermKind::Lower => "lower",
                    TermKind::Upper => "upper",
                    TermKind::Any => "any",
                };
                terms.insert([&row, &(ordinal as i64), &term.column, &kind])?;
            }
        }
        Ok(())
    }

    fn gather_refusal(
        &mut self,
        row: i64,
        database: Option<usize>,
        text: &Text,
        refusal: &Refusal,
    ) -> Result<(), FactsError> {
        let (kind, name) = refusal_kind(&refusal.kind);
        let at = refusal
            .offset
            .and_then(|offset| text.site(offset as u32, offset as u32 + word_length(text.as_str(), offset)));
        let site = self.optional_site(at)?;
        let variant = database.and_then(|database| self.variants.get(database)).copied();
        self.facts.insert(
            "refusal",
            [
                ("statement", &row),
                ("variant", &variant),
                ("kind", &kind),
                ("name", &name),
                ("near", &self.near(database, &refusal.kind)),
                ("message", &refusal.message),
                ("site", &site),
            ],
        )?;
        Ok(())
    }

    /// The name in a schema that was probably meant by one that is not there.
    fn near(&self, database: Option<usize>, kind: &RefusalKind) -> Option<&str> {
        let objects = &self.program.databases.get(database?)?.variant.objects;
        let views = objects.views.iter().map(|view| view.name.as_str());
        match kind {
            RefusalKind::NoSuchTable(name) => {
                near(name, objects.tables.iter().map(|table| table.name.as_str()).chain(views))
            }
            RefusalKind::NoSuchColumn(name) => {
                let column = name.rsplit_once('.').map_or(name.as_str(), |(_, column)| column);
                let columns = objects.tables.iter().flat_map(|table| &table.columns);
                near(column, columns.map(|column| column.name.as_str()))
            }
            _ => None,
        }
    }
}

/// The length of the word at an offset, at least 1.
fn word_length(text: &str, offset: usize) -> u32 {
    let rest = text.get(offset..).unwrap_or("");
    rest.find(|character: char| !(character.is_alphanumeric() || character == '_'))
        .unwrap_or(rest.len())
        .max(1) as u32
}

/// The tables that a statement names, on the schema that it belongs to.
struct Tables<'a> {
    names: &'a Names,
    database: Option<&'a Database>,
}

impl Tables<'_> {
    /// The table of a column: the one that its qualifier means or, without one, the only one that has it.
    fn of(&self, qualifier: Option<&str>, column: &str) -> Option<&str> {
        let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        let mut named = self.names.tables.iter().filter(|table| match qualifier {
            Some(qualifier) => same(table.alias.as_deref().unwrap_or(&table.name), qualifier),
            None => self.has_column(&table.name, column),
        });
        let found = named.next()?;
        let is_only = named.all(|other| same(&other.name, &found.name));
        is_only.then_some(found.name.as_str())
    }

    fn has_column(&self, table: &str, column: &str) -> bool {
        let tables = self.database.iter().flat_map(|database| &database.variant.objects.tables);
        let mut columns =
            tables.filter(|one| one.name.eq_ignore_ascii_case(table)).flat_map(|one| &one.columns);
        columns.any(|one| one.name.eq_ignore_ascii_case(column))
    }
}

/// What a statement is made of, as far as its words tell.
struct Shape {
    filtered: Option<bool>,
    ordered: Option<bool>,
    limited: Option<bool>,
    skips: Option<bool>,
    grouped: Option<bool>,
    is_distinct: Option<bool>,
}

impl Shape {
    fn new(text: &str, names: Option<&Names>) -> Self {
        let has = |word: &str| Some(names::find_word(text, word).is_some());
        Self {
            filtered: Some(names::queries(text).is_filtered()),
            ordered: names.map_or_else(|| has("order"), |names| Some(!names.order_by.is_empty())),
            limited: has("limit"),
            skips: Some(
                names.is_some_and(|names| names.offset) || names::find_word(text, "offset").is_some(),
            ),
            grouped: has("group"),
            is_distinct: has("distinct"),
        }
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

fn clause(clause: Clause) -> &'static str {
    match clause {
        Clause::Where => "where",
        Clause::Join => "join",
        Clause::Having => "having",
        Clause::OrderBy => "order_by",
        Clause::GroupBy => "group_by",
        Clause::Set => "set",
    }
}

fn key(step: &Step) -> (Option<&'static str>, Option<&str>) {
    match &step.index {
        Some(Index::Named { name, .. }) => (Some("index"), Some(name.as_str())),
        Some(Index::PrimaryKey) => (Some("primary_key"), None),
        Some(Index::Rowid) => (Some("rowid"), None),
        Some(Index::Automatic { .. }) => (Some("automatic"), None),
        None => (None, None),
    }
}

/// The purpose of a temporary B-tree.
fn purpose(op: &Op) -> Option<&'static str> {
    match op {
        Op::TempBTree(purpose) => Some(purpose_word(purpose)),
        _ => None,
    }
}

fn purpose_word(purpose: &Purpose) -> &'static str {
    match purpose {
        Purpose::OrderBy => "ORDER BY",
        Purpose::LastTermsOfOrderBy(_) => "LAST TERMS OF ORDER BY",
        Purpose::Distinct => "DISTINCT",
        Purpose::GroupBy => "GROUP BY",
        Purpose::Aggregate(_) => "AGGREGATE",
        Purpose::Other => "OTHER",
    }
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
