//! Texts of which a call takes the one for the engine that the program runs on: `db.pick({ sqlite: "…", postgres: "…" })`. An `impl`
//! of [`Folder`], apart for its length.

use super::{Folder, MAX_DEPTH, Spot, is_only_hole, lists::is_list_value, members::unquoted};
use crate::extract::text::Text;

/// What else a program of several engines may run on.
const OTHERS: [&str; 10] = [
    "mysql",
    "mysql2",
    "mariadb",
    "pg",
    "postgres",
    "postgresql",
    "mssql",
    "oracle",
    "cockroach",
    "cockroachdb",
];

/// The keys of what is for each engine that has no key.
const DEFAULTS: [&str; 5] = ["default", "otherwise", "fallback", "other", "else"];

impl Folder<'_> {
    /// The texts for SQLite of a call whose only argument has a text for each engine, by their names; `open` is its parenthesis.
    pub(super) fn of_engine(&self, spot: Spot, open: usize) -> Option<Vec<Text>> {
        let is_read = spot.depth <= MAX_DEPTH && self.language(spot)?.objects;
        let (arguments, _) = self.arguments(spot, open);
        let &[(brace, _)] = arguments.as_slice() else { return None };
        if !is_read || !self.is(spot, brace, b'{') {
            return None;
        }
        let member = |&(start, _): &(usize, usize)| {
            let key = unquoted(self.word(spot, start)).to_ascii_lowercase();
            self.is(spot, start + 1, b':').then_some((key, start + 2))
        };
        let members: Vec<_> = self.arguments(spot, brace).0.iter().map(member).collect::<Option<_>>()?;
        let is_own = |key: &str| key.contains("sqlite");
        let is_other = |key: &str| OTHERS.contains(&key);
        let is_default = |key: &str| DEFAULTS.contains(&key);
        let is_known = |key: &str| is_own(key) || is_other(key) || is_default(key);
        let names_engine = members.iter().any(|(key, _)| is_own(key) || is_other(key));
        if members.len() < 2 || !names_engine || !members.iter().all(|(key, _)| is_known(key)) {
            return None;
        }
        let own = members.iter().find(|(key, _)| is_own(key));
        let &(_, value) = own.or_else(|| members.iter().find(|(key, _)| is_default(key)))?;
        let mut texts = self.chain(spot.deeper(), value).0;
        texts.retain(|text| !is_only_hole(text) && !is_list_value(text));
        (!texts.is_empty()).then_some(texts)
    }
}
