//! Plans one statement: how SQLite will run it, what it reads and writes, and what it asks of its caller.

use super::counters::{self, Listing};
use super::guard::{Action, Event, Mode};
use super::head::Head;
use super::program::{Program, Target};
use super::roots::Roots;
use super::split::{self, Pieces};
use super::{Inserted, Kind, Live, Refusal, RefusalKind, sqlite};
use crate::plan::{Op, Plan, Step};

/// A statement that SQLite accepts, and what it would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// The plan; the table of each step is filled in where it reads one.
    pub plan: Plan,
    /// What kind of statement it is. For an EXPLAIN, that of the statement explained.
    pub kind: StatementKind,
    /// It changes no database.
    pub readonly: bool,
    /// The columns that are read, once each, in SQLite's order.
    pub reads: Vec<Read>,
    /// The tables that are written, once each.
    pub writes: Vec<Write>,
    /// Its parameters in order, with the names of those that have one.
    pub parameters: Vec<Option<String>>,
    /// The number of columns it returns; 0 for none.
    pub columns: usize,
    /// The functions it calls, once each, as SQLite names them: `like` for LIKE.
    pub functions: Vec<String>,
    /// The byte where the text after the first statement begins; the length of the text if only white space, comments
    /// and semicolons follow.
    pub tail: usize,
    /// It has a UNION, EXCEPT or INTERSECT, as far as the plan shows.
    pub compound: bool,
    /// It takes the same time however many rows there are, the depth of B-trees aside: every step is a search for one
    /// value of all columns of a unique key.
    pub proven_constant: bool,
    /// Of an INSERT: what its program tells of the rows that it adds.
    pub inserted: Inserted,
}

/// What kind of statement something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatementKind {
    /// SELECT or VALUES.
    Select,
    /// INSERT.
    Insert,
    /// REPLACE, or INSERT OR REPLACE.
    Replace,
    /// UPDATE.
    Update,
    /// DELETE.
    Delete,
    /// CREATE, ALTER or DROP.
    Ddl,
    /// PRAGMA.
    Pragma,
    /// BEGIN, COMMIT, ROLLBACK, SAVEPOINT or RELEASE.
    Transaction,
    /// Anything else.
    Other,
}

/// A column that is read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Read {
    /// The schema of the table.
    pub schema: String,
    /// The table or view.
    pub table: String,
    /// The column; empty where the table is read but none of its columns.
    pub column: String,
    /// The trigger or view in which this is written; `None` also for what a foreign key does.
    pub through: Option<String>,
}

/// A table that is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Write {
    /// The schema of the table.
    pub schema: String,
    /// The table or view.
    pub table: String,
    /// What is done to it.
    pub action: WriteAction,
    /// The trigger in which this is written; `None` also for what a foreign key does.
    pub through: Option<String>,
}

/// What is done to a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WriteAction {
    /// Rows are added.
    Insert,
    /// This column is changed.
    Update(String),
    /// Rows are removed.
    Delete,
}

impl From<Kind> for StatementKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Select => Self::Select,
            Kind::Insert => Self::Insert,
            Kind::Replace => Self::Replace,
            Kind::Update => Self::Update,
            Kind::Delete => Self::Delete,
            Kind::Pragma => Self::Pragma,
            Kind::Transaction => Self::Transaction,
            Kind::CreateTable
            | Kind::CreateVirtualTable
            | Kind::CreateIndex
            | Kind::CreateView
            | Kind::CreateTrigger
            | Kind::AlterTable
            | Kind::DropTable
            | Kind::DropIndex
            | Kind::DropView
            | Kind::DropTrigger => Self::Ddl,
            Kind::Attach | Kind::Detach | Kind::Vacuum | Kind::Analyze | Kind::Reindex | Kind::Other => {
                Self::Other
            }
        }
    }
}

const PREFIX: &str = "EXPLAIN QUERY PLAN ";

impl Live {
    /// Plans the first statement of a text, with its parameters unbound. Nothing is run.
    ///
    /// # Errors
    ///
    /// SQLite does not accept the statement.
    pub fn explain(&mut self, sql: &str) -> Result<Explained, Refusal> {
        let nothing = || Refusal {
            kind: RefusalKind::Incomplete,
            message: "there is no statement in it".to_owned(),
            offset: None,
        };
        let piece = Pieces::from(sql, 0).next().ok_or_else(nothing)?;
        let whole = sql.get(piece.start..piece.end).unwrap_or_default();
        let head = Head::read(whole);
        let statement = whole.get(head.explains..).unwrap_or_default();
        self.learn().map_err(|error| Refusal::new(&error, &self.guard, 0))?;
        self.guard.begin(Mode::Explain);
        let planned = self.plan(statement).map_err(|error| {
            let mut refusal = Refusal::new(&error, &self.guard, PREFIX.len());
            refusal.offset = refusal.offset.map(|offset| offset + piece.start + head.explains);
            refusal
        })?;
        let events = std::mem::take(&mut self.guard.log().events);
        let mut explained = planned.explained;
        note(events, &mut explained);
        self.resolve(&mut explained, &planned.targets);
        explained.kind = head.kind.into();
        explained.tail = split::tail(sql, piece.next);
        if matches!(head.kind, Kind::Insert | Kind::Replace) {
            explained.inserted = self.inserted(statement);
        }
        explained.proven_constant = !planned.hides_work && self.is_constant(&explained, statement);
        Ok(explained)
    }

    /// Compiles the statement once, and reads its plan, its program and its shape from that.
    fn plan(&self, statement: &str) -> sqlite::Result<Planned> {
        let text = format!("{PREFIX}{statement}");
        let mut prepared = self.connection.prepare(&text)?;
        counters::list(&self.connection, &text, Listing::Program)?;
        let program = Program::read(prepared.raw_query())?;
        counters::list(&self.connection, &text, Listing::Rows)?;
        let plan = Plan::parse(&program.plan_rows());
        let index_at = |schema, page| self.roots.as_ref().and_then(|roots| roots.index_at(schema, page));
        let targets = program.targets(&plan.steps, index_at);
        let named = |index| prepared.parameter_name(index).map(str::to_owned);
        let joins = |step: &Step| matches!(step.op, Op::Compound | Op::Merge(_));
        let explained = Explained {
            compound: plan.steps.iter().any(joins),
            plan,
            kind: StatementKind::Other,
            readonly: prepared.readonly(),
            reads: Vec::new(),
            writes: Vec::new(),
            parameters: (1..=prepared.parameter_count()).map(named).collect(),
            columns: prepared.column_count(),
            functions: Vec::new(),
            tail: 0,
            proven_constant: false,
            inserted: Inserted::default(),
        };
        let hides_work = program.hides_work(&explained.plan.steps);
        Ok(Planned { explained, targets, hides_work })
    }

    /// Reads where the B-trees of the schema are, if it changed.
    fn learn(&mut self) -> sqlite::Result<()> {
        self.enforce_keys(self.settings.foreign_keys)?;
        if self.roots.is_none() {
            self.guard.begin(Mode::Own);
            self.roots = Some(Roots::read(&self.connection)?);
        }
        Ok(())
    }
}

struct Planned {
    explained: Explained,
    targets: Vec<Target>,
    hides_work: bool,
}

/// Adds what the authorizer was asked.
fn note(events: Vec<Event>, explained: &mut Explained) {
    for Event { action, schema, table, through } in events {
        let action = match action {
            Action::Read(column) => {
                add(&mut explained.reads, Read { schema, table, column, through });
                continue;
            }
            Action::Call(function) => {
                add(&mut explained.functions, function);
                continue;
            }
            Action::Insert => WriteAction::Insert,
            Action::Update(column) => WriteAction::Update(column),
            Action::Delete => WriteAction::Delete,
            Action::Create | Action::CreateOn(_) | Action::Drop | Action::DropOn(_) | Action::Alter => {
                continue;
            }
        };
        add(&mut explained.writes, Write { schema, table, action, through });
    }
}

/// Lists are short, and their order is SQLite's.
fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
