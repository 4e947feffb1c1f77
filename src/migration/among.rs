//! Functions that list steps and hand them on, changes of rows among DDL: what runs them stands elsewhere. Knows words; a
//! function that asks or binds anything is none.

use super::tables::mentions;
use crate::extract::{Extraction, Literal, Role, sql::skip_leading, text::HOLE};
use crate::source::Site;
use std::collections::{BTreeMap, HashSet};

/// What the texts of a function do.
#[derive(Default)]
struct Texts {
    ddl: usize,
    /// The last of those.
    last: Option<Site>,
    /// Where rows are changed.
    changes: Vec<Site>,
    others: usize,
}

/// Such functions, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Among(HashSet<u32>);

impl Among {
    pub fn new(extraction: &Extraction) -> Self {
        let mut functions: BTreeMap<u32, Texts> = BTreeMap::new();
        for literal in &extraction.literals {
            let Some(function) = literal.function.filter(|_| !literal.language.is_sql) else { continue };
            let own = functions.entry(function).or_default();
            let text = literal.variants.first().map_or("", |text| text.as_str());
            let is_handed_on =
                literal.sink.is_none() && literal.takers.is_empty() && literal.role != Role::Test;
            if is_handed_on && mentions(text).has_ddl {
                own.ddl += 1;
                own.last = own.last.max(Some(literal.site));
            } else if is_handed_on && changes(text) {
                own.changes.push(literal.site);
            } else {
                own.others += 1;
            }
        }
        // Behind the last step, a text may be for later.
        let is_between = |own: &Texts| own.changes.iter().all(|site| Some(*site) < own.last);
        let lists =
            |own: &Texts| own.ddl >= 2 && !own.changes.is_empty() && own.others == 0 && is_between(own);
        Self(functions.into_iter().filter(|(_, own)| lists(own)).map(|(function, _)| function).collect())
    }

    /// Whether a text is a step of such a function.
    pub fn has(&self, literal: &Literal) -> bool {
        literal.function.is_some_and(|function| self.0.contains(&function))
    }
}

/// Whether a text changes rows, and all that it says is written there.
fn changes(sql: &str) -> bool {
    const VERBS: [&str; 4] = ["insert", "replace", "update", "delete"];
    let verb = skip_leading(sql).split_ascii_whitespace().next().unwrap_or("");
    // Within quotes, these are text.
    let binds = sql.split('\'').step_by(2).any(|part| part.contains(['?', '@', ':', '$']));
    VERBS.iter().any(|one| verb.eq_ignore_ascii_case(one)) && !binds && !sql.contains(HOLE)
}
