//! planlint finds the SQL of a program that embeds SQLite, and says which statement will become slow.
//!
//! A [`source`] tree is read once. [`config`] says what the user knows of it. The SQL in it is extracted with its
//! place, its function and the loops around it, and the migrations are put in order.
//! SQLite builds each schema from them in memory and plans every statement on the
//! schema it belongs to; which tables grow is inferred from what the program does to them.
//! All of this becomes facts, rows of an in-memory database; a rule is one SELECT over them, and
//! what it returns is reported.
//!
//! In a test of a program of your own, [`check`] fails the build like any other test:
//!
//! ```no_run
//! let outcome = planlint::check(&planlint::CheckRequest::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
//! assert!(outcome.passes(), "{outcome}");
//! ```
//!
//! A module imports only from the modules above it in this list; a test holds it to that.

pub mod source;
pub mod config;
pub mod extract;
pub mod migration;
pub mod plan;
pub mod schema;
pub mod workload;
pub mod shell;
pub mod growth;
pub mod price;
pub mod obstacle;
pub mod experiment;
pub mod trial;
pub mod audit;
pub mod lock;
pub mod facts;
pub mod rule;
pub mod suppression;
pub mod report;
pub mod baseline;
pub mod run;
pub mod lsp;
pub mod cli;

pub use run::{CheckRequest, Outcome, RunError, check};
