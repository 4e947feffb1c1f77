//! Every statement of the program, with the database that it belongs to and its plan there. A statement belongs to
//! the database whose schema it compiles on; the nearest declaration decides between several.

mod again;
mod between;
mod bind;
mod builders;
mod copies;
mod declared;
mod field;
mod foreign;
mod foreign_keys;
mod fragments;
mod heirs;
mod hints;
mod holes;
mod homes;
mod kept;
mod keys;
mod known;
mod largest;
mod log;
mod marked;
mod outcome;
mod passed;
mod patterns;
mod pragmas;
mod queries;
mod rivals;
mod scopes;
mod settings;
mod spared;
mod statistics;
mod templates;
mod unapplied;
mod unenforced;
mod unseen;
mod upkeep;

pub use again::bind_again;
pub use bind::bind;
pub use builders::first_uses;
pub use declared::{analyze_declared, declare};
pub use field::{Other, others, otherwise};
pub use hints::hinted;
pub use holes::{likeliest, name_words};
pub use kept::kept_statistics;
pub use keys::{KeyIndex, KeyPlan, key_plans};
pub use largest::{Largest, WrittenText, largest};
pub use log::{Log, Logged, Logs, literals as logged_literals, logs};
pub use passed::{Passed, Why};
pub use pragmas::foreign_keys_on;
pub use queries::queries_of;
pub use scopes::Scopes;
pub use settings::{Make, build};
pub use statistics::{Given, settle as settle_statistics, statistics};
pub use unenforced::Unenforced;
pub use unseen::{Unseen, Writer, unseen};
pub use upkeep::{Upkeep, upkeeps};

use crate::{
    config::{FileStatistics, Globs},
    extract::{
        Extraction, Literal, Role,
        names::Names,
        text::{HOLE, Text},
    },
    migration::{Declaration, mentions},
    schema::{Explained, Refusal, Settings, losses::Loss, variant::Variant},
    source::Site,
};
use std::sync::Arc;

/// A database of the program: as declared, as configured, and as built.
#[derive(Debug)]
pub struct Database {
    /// How it is declared.
    pub declaration: Declaration,
    /// What its connections are like.
    pub settings: Settings,
    /// The names under which it attaches others, with the database that each is taken for; `None` where none fits.
    pub attached: Vec<(String, Option<usize>)>,
    /// Where its statements are; `None`: wherever they compile.
    pub statements: Option<Globs>,
    /// Whether its indexes can have nothing but columns, ordered as these are, and have all rows.
    pub plain_indexes: bool,
    /// Whether the program opens it in memory alone, so that it lasts as long as the program runs.
    pub in_memory: bool,
    /// Whether the steps that create it make already what its migrations would, so that a new database runs none of these.
    pub is_snapshot: bool,
    /// Its schema with all migrations run; of a snapshot, as it creates a new one.
    pub variant: Variant,
    /// What went with a table that was made anew, and was not made again.
    pub losses: Vec<Loss>,
    /// What a database in the field is like, where somebody says it: statements are planned with its statistics.
    pub statistics: Option<FileStatistics>,
}

/// What became of a text that looks like SQL.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// It was planned on the schema of a database.
    Planned {
        /// The database.
        database: usize,
        /// The plan, and what else SQLite says of it.
        explained: Box<Explained>,
    },
    /// It was run as a step of a schema, where it has its place.
    Applied {
        /// The database.
        database: usize,
    },
    /// It depends on what only the running program knows.
    Dynamic {
        /// Which part does.
        reason: String,
    },
    /// SQLite would not compile it.
    Refused {
        /// The database on whose schema it came nearest; `None` where none knows its tables.
        database: Option<usize>,
        /// What SQLite said.
        refusal: Refusal,
    },
    /// It is written for another database system.
    Foreign,
    /// It is no SQL after all.
    NotSql,
    /// It belongs to test code, which is not judged.
    Test,
}

/// A statement of the program.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The literal that it stands in, as an index of the literals.
    pub literal: usize,
    /// The variant of the literal's text.
    pub branch: usize,
    /// Its place among the statements of the text.
    pub ordinal: usize,
    /// Its text, the holes filled; maps back to the source.
    pub text: Text,
    /// The same before the holes were filled.
    pub raw: String,
    /// How many holes it has.
    pub holes: usize,
    /// Where it stands.
    pub site: Site,
    /// Where the text behind it stands, if it is the first of several.
    pub tail: Option<(Site, usize)>,
    /// Whether a hole stands for its table, and it is planned on one of several that this may mean; or of pieces that are put on
    /// only sometimes it has those of one condition alone.
    pub is_guessed: bool,
    /// The tables that it may fill, beside those that it is planned on, by names in lower case.
    pub may_fill: Vec<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// After how many steps of its database it is planned; `None`: after all.
    pub step: Option<usize>,
    /// What is known of it because it was logged; `None` where it stands in a source.
    pub logged: Option<Arc<Logged>>,
    /// The names that stand in it; `None` where it is not judged, and where it can't be read.
    pub names: Option<Arc<Names>>,
}

impl Statement {
    /// The database that it belongs to.
    pub fn database(&self) -> Option<usize> {
        match self.outcome {
            Outcome::Planned { database, .. } | Outcome::Applied { database } => Some(database),
            Outcome::Refused { database, .. } => database,
            _ => None,
        }
    }

    /// The table of an index that the program makes by it, of which no column is known before it runs; `None` within where the
    /// table is not known either.
    pub fn open_index(&self, extraction: &Extraction) -> Option<Option<String>> {
        let runs =
            |literal: &Literal| matches!(literal.role, Role::Production | Role::StartUp | Role::Migration);
        let is_one = matches!(self.outcome, Outcome::Dynamic { .. })
            && extraction.literals.get(self.literal).is_some_and(runs)
            && holes::is_open_index(&self.text);
        // A name that goes on with what is not known is no name.
        let is_whole = |table: &String| {
            !table.contains(HOLE)
                && !self.raw.contains(&format!("{table}{HOLE}"))
                && !self.raw.contains(&format!("{HOLE}{table}"))
        };
        is_one.then(|| mentions(&self.raw).used.into_iter().find(is_whole))
    }

    /// What SQLite says of it, where it was planned.
    pub fn explained(&self) -> Option<&Explained> {
        match &self.outcome {
            Outcome::Planned { explained, .. } => Some(explained),
            _ => None,
        }
    }
}
