//! Runs the texts of one unit of migrations as a runner would, on whatever rows are there: it stops at the first statement
//! that fails, and what it leaves is what the next start of the program finds. Knows neither the rows nor what they mean.

use super::guard::Mode;
use super::head::Head;
use super::split::{Piece, Pieces};
use super::tokens::Tokens;
use super::{Applied, Effect, Kind, Live, Refusal, sqlite};
use crate::extract::sql::is_on;
use sqlite::config::DbConfig;
use std::collections::BTreeSet;

/// A statement within the texts of a unit: the number of its text, and the byte where it begins.
pub type At = (usize, usize);

/// How a unit is run.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// A transaction is put around all of it.
    pub wrapped: bool,
    /// What fails anyway, so that it says nothing of rows: it is passed over.
    pub forgiven: BTreeSet<At>,
    /// The texts before which the program has SQLite ignore CHECKs.
    pub unchecked: BTreeSet<usize>,
    /// The statement at which it goes on, where an earlier run of it ended; `None`: at the first.
    pub from: Option<At>,
    /// The statement at which it ends, as if the process were killed before it.
    pub until: Option<At>,
    /// What it has done by then stays, also within a transaction: to see how the statement does.
    pub keeps: bool,
    /// How its writes would run is asked.
    pub plans: bool,
}

/// What became of a unit.
#[derive(Debug, Clone, Default)]
pub struct Rehearsal {
    /// Its statements, as far as it came.
    pub ran: Vec<Ran>,
    /// Why the transaction around it could not be committed.
    pub commit: Option<Refusal>,
}

/// A statement that ran.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The text it stands in.
    pub part: usize,
    /// Where, and what came of it.
    pub applied: Applied,
    /// Whether it began within a transaction.
    pub within: bool,
    /// It ended the transaction that the runner had begun.
    pub escapes: bool,
    /// A PRAGMA that was to set something, and did not.
    pub silent: Option<Silent>,
    /// How a write would run at its place, a line for each row of the plan; empty where that is not asked.
    pub plan: Vec<String>,
}

/// A setting that stayed as it was, without an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silent {
    /// The PRAGMA.
    pub pragma: String,
    /// The value that it was to get.
    pub wanted: String,
}

impl Ran {
    /// Which statement it is.
    pub const fn at(&self) -> At {
        (self.part, self.applied.start)
    }

    /// Its text, of the texts of its unit.
    pub fn sql<'a>(&self, parts: &[&'a str]) -> &'a str {
        parts.get(self.part).and_then(|part| part.get(self.applied.start..self.applied.end)).unwrap_or("")
    }

    /// What it did, if it worked.
    pub fn effect(&self) -> Option<&Effect> {
        self.applied.outcome.as_ref().ok()
    }
}

impl Rehearsal {
    /// The statement that failed, and why.
    pub fn failure(&self) -> Option<(&Ran, &Refusal)> {
        let last = self.ran.last()?;
        if let Some(refusal) = &self.commit {
            return Some((last, refusal));
        }
        last.applied.outcome.as_ref().err().map(|refusal| (last, refusal))
    }

    /// Whether all of it ran.
    pub fn is_complete(&self) -> bool {
        self.failure().is_none()
    }
}

impl Live {
    /// Runs the texts of a unit, one after the other.
    pub fn rehearse(&mut self, parts: &[&str], manner: &Manner) -> Rehearsal {
        self.forget();
        // These only fail on a connection that is closed.
        let _ = self.enforce_keys(self.migrating_keys);
        self.finish_transaction("ROLLBACK");
        if manner.wrapped {
            self.begin_transaction();
        }
        let mut rehearsal = Rehearsal::default();
        let ended = self.run_parts(parts, manner, &mut rehearsal.ran);
        if ended && (manner.wrapped || !self.connection.is_autocommit()) {
            rehearsal.commit = self.finish_transaction("COMMIT");
        }
        self.finish_transaction(if manner.keeps { "COMMIT" } else { "ROLLBACK" });
        self.finish_transaction("ROLLBACK");
        self.migrating_keys = self.keys();
        self.forget();
        rehearsal
    }

    /// Whether all of it ran.
    fn run_parts(&mut self, parts: &[&str], manner: &Manner, ran: &mut Vec<Ran>) -> bool {
        let mut in_runners = manner.wrapped;
        // Rows that are not there because a statement was passed over.
        let mut lacks_rows = false;
        for (part, text) in parts.iter().enumerate() {
            if !manner.unchecked.is_empty() {
                // Where it can't be set, CHECKs are asked as before.
                let _ = self.ignore_checks(manner.unchecked.contains(&part));
            }
            for Piece { start, end, .. } in Pieces::from(text, 0) {
                if manner.until == Some((part, start)) {
                    return false;
                }
                if manner.from.is_some_and(|from| (part, start) < from) {
                    continue;
                }
                let sql = text.get(start..end).unwrap_or_default();
                let within = !self.connection.is_autocommit();
                let keys = self.keys();
                let plan = if manner.plans { self.plan_of(sql) } else { Vec::new() };
                let outcome = self.apply_one(sql);
                let failed = outcome.is_err();
                if failed && manner.forgiven.contains(&(part, start)) {
                    lacks_rows |= matches!(Kind::of(sql), Kind::Insert | Kind::Replace | Kind::Update);
                    continue;
                }
                if failed && lacks_rows {
                    return false;
                }
                let escapes = in_runners && self.connection.is_autocommit();
                in_runners &= !escapes;
                let silent = outcome.as_ref().ok().and_then(|_| self.silent(sql, within, keys));
                let applied = Applied { start, end, outcome, left_open: false };
                ran.push(Ran { part, applied, within, escapes, silent, plan });
                if failed {
                    return false;
                }
            }
        }
        true
    }

    fn plan_of(&self, sql: &str) -> Vec<String> {
        let is_write = matches!(Kind::of(sql), Kind::Insert | Kind::Replace | Kind::Update | Kind::Delete);
        // One that only puts values in reads nothing.
        if !is_write || !Tokens::from(sql, 0).any(|token| token.is("select") || token.is("from")) {
            return Vec::new();
        }
        self.guard.begin(Mode::Apply);
        let plan = || -> sqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            statement.query_map([], |row| row.get("detail"))?.collect()
        };
        plan().unwrap_or_default()
    }

    /// Whether foreign keys are enforced now.
    fn keys(&self) -> bool {
        self.connection.db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY).unwrap_or(false)
    }

    /// The setting of a PRAGMA that did nothing: SQLite ignores some within a transaction, and some once there are tables.
    fn silent(&self, sql: &str, within: bool, keys_before: bool) -> Option<Silent> {
        let head = Head::read(sql);
        let pragma = head.object.filter(|_| head.kind == Kind::Pragma)?.to_lowercase();
        let wanted = value(sql)?;
        let is_ignored = match pragma.as_str() {
            // Where it is what holds around the migrations, nobody misses it behind them.
            "foreign_keys" => {
                let wanted = is_on(&wanted);
                let is_around = wanted && self.settings.foreign_keys;
                within && !is_around && wanted != keys_before && self.keys() == keys_before
            }
            // A database in memory has no journal to change; one in a file keeps its own within a transaction.
            "journal_mode" => within && wanted.eq_ignore_ascii_case("wal"),
            "page_size" => wanted != "4096" && self.has_tables(),
            "auto_vacuum" => !matches!(wanted.as_str(), "0" | "none") && self.has_tables(),
            _ => false,
        };
        is_ignored.then_some(Silent { pragma, wanted })
    }

    fn has_tables(&self) -> bool {
        self.guard.begin(Mode::Own);
        let sql = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema)";
        self.connection.query_row(sql, [], |row| row.get(0)).unwrap_or(false)
    }
}

/// Whether a PRAGMA is about how the file is laid out, which is settled with the first table.
pub fn is_of_file(pragma: &str) -> bool {
    matches!(pragma, "page_size" | "auto_vacuum")
}

/// What a PRAGMA is set to, in lower case.
fn value(sql: &str) -> Option<String> {
    let mut tokens = Tokens::from(sql, 0).skip_while(|token| !token.is_sign('=') && !token.is_sign('('));
    tokens.next()?;
    tokens.next().map(|token| token.name().to_lowercase())
}

#[cfg(test)]
mod tests;
