//! Rules: one SELECT over the facts each, and what they return. Knows how a rule and its page are written, and how a rule
//! is loaded and run; knows no rule by name, and nothing of how a finding is shown.

mod guard;
mod head;
mod judge;
mod load;
mod page;
mod settle;

pub use judge::judge;
pub use load::{builtin, check, is_builtin, load_folder, read as read_rule, together};
pub use page::{Announced, Case, File, Page, PageError, load_pages, marks, read as read_page};

use crate::config::Severity;
use thiserror::Error;

/// A rule, as its file says it: a head of comments, and one SELECT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The stem of its file, and its name everywhere.
    pub name: String,
    /// The first line of the head: what it finds, as a noun phrase.
    pub title: String,
    /// The severity of its findings, where they do not say their own.
    pub severity: Severity,
    /// What it judges.
    pub stage: Stage,
    /// The rules that say more than this one where both find the same.
    pub yields_to: Vec<String>,
    /// What must have been gathered for it to say anything.
    pub needs: Vec<Need>,
    /// The word for what it is about, by which rules stand together in a list of all; `None` where its file has none.
    pub subject: Option<String>,
    /// Why what it finds is bad.
    pub why: String,
    /// What to do about it.
    pub remedy: String,
    /// When nothing is to be done about it; `None` where its file does not say.
    pub ignore: Option<String>,
    /// The whole file, so that places in it are those of the file.
    pub sql: String,
    /// Its file, as named in messages.
    pub path: String,
}

/// When a rule runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Over the facts of the program.
    Facts,
    /// Over the findings of the first stage, and what accepts them.
    Findings,
}

/// Facts that are not gathered by every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    /// Measured growth.
    Growth,
    /// The history of the tree, and the releases in it.
    Releases,
    /// An existing database.
    File,
}

/// What a rule found.
///
/// It names rows of the facts, and knows no path and no colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's name.
    pub rule: String,
    /// The rule's severity, or the finding's own.
    pub severity: Severity,
    /// Where it is, as a row of `site`. A finding has a site, an object, or both.
    pub site: Option<i64>,
    /// What it is about, as kind and name: `("table", "blocks")`.
    pub object: Option<(String, String)>,
    /// The statement it is about, as a row of `statement`.
    pub statement: Option<i64>,
    /// The database it is about, as a row of `database`.
    pub database: Option<i64>,
    /// The schema variant it is about, as a row of `variant`; `None` where it holds for all.
    pub variant: Option<i64>,
    /// The table it is about.
    pub table: Option<String>,
    /// The fact.
    pub message: String,
    /// What to do, where it is more than the rule's remedy.
    pub help: Option<String>,
    /// What keeps its statement from being fast, as a row of `obstacle`: what was proved to help is the cure.
    pub obstacle: Option<i64>,
    /// What a trial does, as a row of `trial_effect`: an index that was left out, and that nothing needs, is dropped as the cure.
    pub effect: Option<i64>,
    /// The foreign key whose children are looked for, as a row of `foreign_key`: the index that was proved to serve is the cure.
    pub foreign_key: Option<i64>,
    /// Further places, as rows of `site`, and what is there.
    pub related: Vec<(i64, String)>,
    /// The statements among them that it is the cause of; where none is named, all at those places are.
    pub effects: Vec<i64>,
}

/// A rule that can't be loaded, or that failed when it ran: a fault in its file, at a place.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{path}:{line}: {message}")]
pub struct RuleError {
    /// The file of the rule, or a folder that can't be read.
    pub path: String,
    /// The line in it, from 1.
    pub line: u32,
    /// What is wrong. Where SQLite refused the SELECT, its own words.
    pub message: String,
}
