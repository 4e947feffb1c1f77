//! Runs a text of migrations statement by statement, as SQLite would, and says what each did.

use super::guard::{self, Action, Event, Mode};
use super::head::Head;
use super::split::{Piece, Pieces};
use super::tokens::Tokens;
use super::{
    Alteration, IndexDefinition, Kind, Live, Refusal, RefusalKind, objects, quoted, same, sqlite, stubs,
    types,
};
use sqlite::StatementStatus;
use sqlite::config::DbConfig;

/// A statement of a text, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The byte of the text where it begins, past white space and comments.
    pub start: usize,
    /// The byte after its last token; the `;` is not part of it.
    pub end: usize,
    /// What it did, or why it was not taken.
    pub outcome: Result<Effect, Refusal>,
    /// The text ended here within a transaction. It was committed.
    pub left_open: bool,
}

/// What a statement did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect {
    /// What kind of statement it is.
    pub kind: Kind,
    /// The schema of the object.
    pub schema: Option<String>,
    /// The object that was created, altered, dropped or written to, by its name.
    pub object: Option<String>,
    /// The table of an index or a trigger; otherwise the table itself.
    pub table: Option<String>,
    /// Whether the schema changed, or rows did: false for an IF NOT EXISTS or IF EXISTS that did nothing.
    pub changed: bool,
    /// Rows inserted, updated or deleted by the statement itself.
    pub rows: u64,
    /// The index that a CREATE INDEX declares, created or not.
    pub index: Option<IndexDefinition>,
    /// The index that had the name already, where a CREATE INDEX IF NOT EXISTS did nothing.
    pub existing: Option<IndexDefinition>,
    /// What ALTER TABLE did.
    pub alteration: Option<Alteration>,
    /// The tables and views that it reads, once each: of an INSERT, what it takes its rows from.
    pub reads: Vec<String>,
    /// What a DROP removed: the object itself first, then what went with a table.
    pub dropped: Vec<Dropped>,
    /// The module of a virtual table for which a plain table was made, since this build does not have it.
    pub replaced_module: Option<String>,
}

/// An object that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// `table`, `index`, `view` or `trigger`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The table it was, or was on.
    pub table: String,
    /// The columns of an index, and what else it declared; `None` where SQLite made it for a constraint.
    pub index: Option<IndexDefinition>,
    /// In lower case, the columns of a table, or the key of an index: also of one that SQLite made for a constraint.
    pub columns: Vec<String>,
}

impl Live {
    /// Runs every statement of a text, in order, and goes on after one that is refused. A transaction that the text
    /// leaves open is committed.
    pub fn apply(&mut self, text: &str) -> Vec<Applied> {
        self.forget();
        let mut applied: Vec<Applied> = Vec::new();
        // These only fail on a connection that is closed.
        let _ = self.enforce_keys(self.migrating_keys);
        let mut wrote_statistics = false;
        for piece in Pieces::from(text, 0) {
            let outcome = self.apply_one(text.get(piece.start..piece.end).unwrap_or_default());
            wrote_statistics |= outcome.as_ref().is_ok_and(Effect::is_statistics);
            applied.push(Applied { start: piece.start, end: piece.end, outcome, left_open: false });
        }
        if let Some(last) = applied.last_mut() {
            last.left_open = self.close_transaction();
        }
        if wrote_statistics {
            // SQLite reads its statistics when it opens a database, or when it is told to.
            self.guard.begin(Mode::Own);
            let _ = self.connection.execute_batch("ANALYZE sqlite_schema");
        }
        self.migrating_keys =
            self.connection.db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY).unwrap_or(self.migrating_keys);
        self.forget();
        applied
    }

    /// Begins the transaction that a runner puts around what is applied next.
    pub(super) fn begin_transaction(&self) {
        self.guard.begin(Mode::Own);
        // Where one is open, it is that one.
        let _ = self.connection.execute_batch("BEGIN");
    }

    /// Ends a transaction that is open, and says whether one was.
    fn close_transaction(&self) -> bool {
        let open = !self.connection.is_autocommit();
        // A deferred constraint may forbid the COMMIT.
        self.finish_transaction("COMMIT");
        self.finish_transaction("ROLLBACK");
        open
    }

    /// Ends a transaction that is open; the reason why that could not be.
    pub(super) fn finish_transaction(&self, how: &str) -> Option<Refusal> {
        if self.connection.is_autocommit() {
            return None;
        }
        self.guard.begin(Mode::Apply);
        let ended = self.connection.execute_batch(how);
        ended.err().map(|error| Refusal::new(&error, &self.guard, 0))
    }

    /// The statements of a text, as ranges of bytes without their `;`, without running them.
    pub fn split(text: &str) -> Vec<(usize, usize)> {
        Pieces::from(text, 0).map(|Piece { start, end, .. }| (start, end)).collect()
    }

    pub(super) fn apply_one(&mut self, sql: &str) -> Result<Effect, Refusal> {
        let sql = &*types::translated(sql);
        let head = Head::read(sql);
        match head.kind {
            Kind::Vacuum if head.explains == 0 => self.vacuum(sql),
            Kind::CreateVirtualTable if head.explains == 0 => self.create_virtual_table(sql, &head),
            Kind::AlterTable if head.explains == 0 => self.alter(sql, &head),
            _ => self.execute(sql, &head),
        }
    }

    /// VACUUM changes nothing that matters here, but for one that writes a file.
    fn vacuum(&mut self, sql: &str) -> Result<Effect, Refusal> {
        if Tokens::from(sql, 0).any(|token| token.is("into")) {
            return Err(Refusal::forbidden("VACUUM INTO"));
        }
        self.guard.begin(Mode::Apply);
        self.connection.prepare(sql).map_err(|error| Refusal::new(&error, &self.guard, 0))?;
        if !self.connection.is_autocommit() {
            let message = "cannot VACUUM from within a transaction".to_owned();
            return Err(Refusal { kind: RefusalKind::Other, message, offset: None });
        }
        Ok(Effect { kind: Kind::Vacuum, ..Effect::default() })
    }

    /// ALTER TABLE reads all views: one over a table that is made where no declaration was found is no obstacle to the program.
    fn alter(&mut self, sql: &str, head: &Head) -> Result<Effect, Refusal> {
        let mut views = Vec::new();
        let mut altered = self.execute(sql, head);
        while let Err(Refusal { kind: RefusalKind::NoSuchTable(name), message, .. }) = &altered
            && let Some((view, _)) =
                message.strip_prefix("error in view ").and_then(|rest| rest.split_once(": "))
            && !self.gone.iter().any(|gone| same(gone, name.rsplit('.').next().unwrap_or(name)))
            && let Some(create) = self.take_view(view)
        {
            views.push(create);
            altered = self.execute(sql, head);
        }
        self.guard.begin(Mode::Own);
        // As they were there, they can be made.
        let _ = self.connection.execute_batch(&views.join(";"));
        altered
    }

    /// Drops a view, and gives the text that makes it.
    fn take_view(&self, view: &str) -> Option<String> {
        self.guard.begin(Mode::Own);
        let sql = "SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ?1";
        let create = self.connection.query_row(sql, [view], |row| row.get(0)).ok()?;
        self.connection.execute_batch(&format!("DROP VIEW main.{}", quoted(view))).ok()?;
        Some(create)
    }

    fn create_virtual_table(&mut self, sql: &str, head: &Head) -> Result<Effect, Refusal> {
        let module = head.module.clone().unwrap_or_default();
        let plain = if stubs::is_known_module(&module) { None } else { stubs::plain_table(head) };
        let Some(plain) = plain else {
            let effect = self.execute(sql, head);
            let lacks = |refusal: &Refusal| {
                let says = |words: &str| refusal.message.contains(words);
                says("unknown tokenizer")
                    || says("no such tokenizer")
                    || (says("error in tokenizer constructor") && stubs::wraps_tokenizer(head))
            };
            return match stubs::without_tokenizer(sql, head).filter(|_| effect.as_ref().is_err_and(lacks)) {
                Some(sql) => self.execute(&sql, head),
                None => effect,
            };
        };
        let effect = self.execute(&plain, head)?;
        Ok(Effect { replaced_module: Some(module), ..effect })
    }

    fn execute(&mut self, sql: &str, head: &Head) -> Result<Effect, Refusal> {
        let mut effect = Effect { kind: head.kind, index: head.index(), ..Effect::default() };
        if matches!(head.kind, Kind::DropTable | Kind::DropView | Kind::DropIndex) {
            effect.dropped = self.going(head);
        }
        self.guard.begin(Mode::Apply);
        if head.kind == Kind::Pragma {
            self.carried.set(None);
        }
        self.run(sql).map_err(|error| Refusal::new(&error, &self.guard, 0))?;
        let rows = match head.kind {
            Kind::Insert | Kind::Replace | Kind::Update | Kind::Delete => self.connection.changes(),
            _ => 0,
        };
        self.describe(&mut effect, head, rows);
        if effect.schema.as_deref() == Some("temp") {
            self.has_temporary.set(true);
        }
        // What a foreign key looks at, the statement does not name.
        let names = |table: &str| {
            Tokens::from(sql, 0).any(|token| token.is_name() && token.name().eq_ignore_ascii_case(table))
        };
        effect.reads.retain(|table| names(table));
        let tables = effect
            .dropped
            .iter()
            .filter(|one| effect.changed && matches!(one.kind.as_str(), "table" | "view"));
        self.gone.extend(tables.map(|one| one.name.clone()));
        if let Some(Alteration::RenameTable(_)) = &effect.alteration {
            self.gone.extend(head.object.clone());
        }
        if !effect.changed {
            effect.dropped.clear();
            if head.kind == Kind::CreateIndex {
                effect.existing = self.existing(head);
            }
        }
        Ok(effect)
    }

    /// Runs a statement to its end, and counts its steps.
    pub(super) fn run(&self, sql: &str) -> sqlite::Result<()> {
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.raw_query();
        let ran = loop {
            match rows.next() {
                Ok(Some(_)) => {}
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        drop(rows);
        let steps = statement.get_status(StatementStatus::VmStep);
        self.spent.set(self.spent.get().saturating_add(u64::try_from(steps).unwrap_or(0)));
        ran
    }

    /// What the authorizer saw says where the object is, and whether there was anything to do.
    fn describe(&self, effect: &mut Effect, head: &Head, rows: u64) {
        let log = self.guard.log();
        let catalogue = |event: &&Event| objects::is_catalogue(&event.table);
        let creates = |event: &&Event| matches!(event.action, Action::Create | Action::CreateOn(_));
        let creates = log.events.iter().find(creates);
        let alters =
            |event: &&Event| matches!(event.action, Action::Drop | Action::DropOn(_) | Action::Alter);
        let drops = log.events.iter().find(alters);
        let named = head.table.as_ref().or(head.object.as_ref());
        let touched = |event: &&Event| {
            event.through.is_none() && named.is_some_and(|name| name.eq_ignore_ascii_case(&event.table))
        };
        let event = creates.or(drops).or_else(|| log.events.iter().find(touched));
        effect.schema = event.map(|event| event.schema.clone()).or_else(|| head.schema.clone());
        effect.table = event.map(|event| event.table.clone()).or_else(|| named.cloned());
        effect.object.clone_from(&head.object);
        effect.alteration.clone_from(&head.alteration);
        effect.rows = rows;
        if matches!(head.kind, Kind::Insert | Kind::Replace | Kind::Update | Kind::Delete) {
            effect.reads = read(&log.events);
        }
        effect.changed = match head.kind {
            Kind::CreateTable | Kind::CreateView | Kind::CreateVirtualTable => {
                let mut written = log.events.iter().filter(catalogue);
                creates.is_some() && written.any(|event| matches!(event.action, Action::Update(_)))
            }
            Kind::CreateIndex | Kind::CreateTrigger => creates.is_some(),
            Kind::DropTable | Kind::DropIndex | Kind::DropView | Kind::DropTrigger => drops.is_some(),
            Kind::Insert | Kind::Replace | Kind::Update | Kind::Delete => rows > 0,
            Kind::AlterTable | Kind::Reindex | Kind::Analyze => true,
            _ => false,
        };
    }

    /// What a DROP TABLE, DROP VIEW or DROP INDEX is about to remove.
    fn going(&mut self, head: &Head) -> Vec<Dropped> {
        self.guard.begin(Mode::Own);
        let column = if head.kind == Kind::DropIndex { "name" } else { "tbl_name" };
        let found = self.catalogue(head, column, |row| {
            let sql: Option<String> = row.get(3)?;
            Ok(Dropped {
                kind: row.get(0)?,
                name: row.get(1)?,
                table: row.get(2)?,
                index: sql.and_then(|sql| Head::read(&sql).index()),
                columns: Vec::new(),
            })
        });
        let mut found = found.unwrap_or_default();
        found.sort_by_key(|dropped| dropped.kind != "table" && dropped.kind != "view");
        for dropped in &mut found {
            dropped.columns = self.columns_of(head, dropped).unwrap_or_default();
        }
        found
    }

    /// The columns of a table, or the key of an index.
    fn columns_of(&self, head: &Head, of: &Dropped) -> sqlite::Result<Vec<String>> {
        let sql = match of.kind.as_str() {
            "table" => "SELECT name FROM pragma_table_xinfo(?1, ?2) ORDER BY cid",
            "index" => "SELECT name FROM pragma_index_xinfo(?1, ?2) WHERE \"key\" ORDER BY seqno",
            _ => return Ok(Vec::new()),
        };
        let mut statement = self.connection.prepare(sql)?;
        let read = |row: &sqlite::Row<'_>| row.get::<_, Option<String>>(0);
        let names: Vec<Option<String>> =
            statement.query_map((&of.name, &head.schema), read)?.collect::<sqlite::Result<_>>()?;
        let declared = of.index.as_ref().map_or(&[][..], |index| &index.columns);
        // SQLite has no name for an expression; its text stands in the declaration.
        let term = |(at, name): (usize, Option<String>)| name.or_else(|| declared.get(at).cloned());
        let terms = names.into_iter().enumerate().map(|one| term(one).unwrap_or_default().to_lowercase());
        Ok(terms.collect())
    }

    /// The index that has the name of one that was not created.
    fn existing(&mut self, head: &Head) -> Option<IndexDefinition> {
        self.guard.begin(Mode::Own);
        let found = self.catalogue(head, "name", |row| {
            let (table, sql): (String, Option<String>) = (row.get(2)?, row.get(3)?);
            let declared = sql.and_then(|sql| Head::read(&sql).index());
            Ok(declared.unwrap_or(IndexDefinition { table, ..IndexDefinition::default() }))
        });
        found.ok()?.into_iter().next()
    }

    /// The rows of the catalogue in which a column is the name of a statement's object: of the schema it spells, or of
    /// the first schema that has any.
    fn catalogue<T>(
        &self,
        head: &Head,
        column: &str,
        read: impl Fn(&sqlite::Row<'_>) -> sqlite::Result<T>,
    ) -> sqlite::Result<Vec<T>> {
        let schemas = match &head.schema {
            Some(schema) => vec![schema.clone()],
            None => guard::schemas(&self.connection),
        };
        for schema in schemas {
            let from = quoted(&schema);
            let sql = format!(
                "SELECT type, name, tbl_name, sql FROM {from}.sqlite_schema WHERE {column} = ?1 COLLATE NOCASE"
            );
            let mut statement = self.connection.prepare(&sql)?;
            let rows: Vec<T> = statement.query_map([&head.object], &read)?.collect::<sqlite::Result<_>>()?;
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
        Ok(Vec::new())
    }
}

/// The tables that are read, and not through a trigger.
fn read(events: &[Event]) -> Vec<String> {
    let mut read: Vec<String> = Vec::new();
    for event in events.iter().filter(|event| event.through.is_none()) {
        if matches!(event.action, Action::Read(_)) && !read.contains(&event.table) {
            read.push(event.table.clone());
        }
    }
    read
}

impl Effect {
    /// Whether the planner's statistics were written by hand.
    fn is_statistics(&self) -> bool {
        let statistics = |name: &str| name.to_ascii_lowercase().starts_with("sqlite_stat");
        self.changed && self.object.as_deref().is_some_and(statistics)
    }
}

impl Applied {
    /// Whether it was refused because the object, or the column, was there before.
    pub fn was_there_already(&self) -> bool {
        let refused = self.outcome.as_ref().err().map(|refusal| &refusal.kind);
        matches!(refused, Some(RefusalKind::AlreadyExists(_) | RefusalKind::DuplicateColumn(_)))
    }
}
