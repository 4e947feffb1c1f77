//! Names of which a program computes a part, `{}_options`, and texts that a part of is put behind.

use super::{Names, around::is_word};
use crate::{
    extract::{sql::contains_word, text::HOLE},
    schema::Kind,
};

/// Part of a name, and the letters around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Affix {
    pub before: String,
    pub after: String,
    /// Whether it is the name of a table that is read or changed.
    pub is_table: bool,
    /// Whether it may be a whole column, that is compared there.
    pub is_compared: bool,
    /// Whether what is no part of a name there is the rest of a text that is not whole without it.
    pub is_rest: bool,
}

impl Affix {
    /// What may stand there.
    pub(super) fn choices(&self, names: &Names, sql: &str) -> Vec<String> {
        let is_given = self.stands(sql, is_query_behind);
        let is_prefix = is_given || self.stands(sql, |behind| behind.starts_with('.'));
        // Where the letters alone are a table, the rest is a prefix, which most have not.
        let is_whole = self.is_whole(names);
        if is_whole && self.is_table {
            return vec![if self.is_rest { HOLE.to_string() } else { String::new() }];
        }
        let tables = self.middles(&names.tables);
        if self.is_table && !tables.is_empty() && !is_given {
            return tables;
        }
        let compared = self.is_compared.then(|| " IN (?, ?)".to_owned());
        let bare = (is_whole && is_prefix).then(String::new);
        // `JOIN tags t� ON t�.owner`: the table has another name in each turn of a loop.
        let turn = is_prefix.then(|| "1".to_owned());
        let mut middles = [tables, self.middles(&names.columns)].concat();
        middles.sort_unstable();
        middles.dedup();
        let mut all: Vec<String> = bare.into_iter().chain(compared).chain(turn).chain(middles).collect();
        if all.is_empty() && self.is_rest {
            all.push(HOLE.to_string());
        }
        all
    }

    /// What makes other tables out of letters that are one by themselves.
    pub(super) fn prefixed(&self, names: &Names) -> Vec<String> {
        let is_meant = self.is_table && !self.is_rest && self.is_whole(names);
        if is_meant { self.middles(&names.tables) } else { Vec::new() }
    }

    fn is_whole(&self, names: &Names) -> bool {
        names.tables.contains(&format!("{}{}", self.before, self.after))
    }

    /// What makes one of these names out of the letters.
    fn middles(&self, names: &[String]) -> Vec<String> {
        let all = names.iter().filter_map(|name| name.strip_prefix(&self.before)?.strip_suffix(&self.after));
        let mut found: Vec<String> = all.filter(|middle| !middle.is_empty()).map(str::to_owned).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the name stands anywhere in front of such a text.
    fn stands(&self, sql: &str, is_meant: impl Fn(&str) -> bool) -> bool {
        let (sql, name) = (sql.to_lowercase(), format!("{}{HOLE}{}", self.before, self.after));
        let begins = |at: usize| !sql.get(..at).is_some_and(|lead| lead.ends_with(is_word));
        let is_it = |at: usize| begins(at) && sql.get(at + name.len()..).is_some_and(&is_meant);
        sql.match_indices(&name).any(|(at, _)| is_it(at))
    }
}

/// Whether what stands in front of a text is given to a query within it: `part� AS (SELECT`.
fn is_query_behind(behind: &str) -> bool {
    let query = behind.trim_start().strip_prefix("as");
    query.is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Whether nothing yet says in a text which rows of a table are meant, so that what a function puts behind it may.
pub(super) fn lacks_condition(before: &str) -> bool {
    const SAID: [&str; 9] =
        ["where", "group", "order", "limit", "having", "values", "union", "returning", "with"];
    let said = |one: &str| contains_word(before, one);
    matches!(Kind::of(before), Kind::Select | Kind::Update | Kind::Delete)
        && !SAID.iter().any(|one| said(one))
        && (said("from") || said("set"))
}
