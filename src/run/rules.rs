//! The rules of a run: which there are, and what each says of itself. Joins what `config` and `rule` give; judges
//! nothing.

use super::{CheckRequest, RunError, configuration, pages::nearest};
use crate::{
    report::lists::Listing,
    rule::{self, Rule},
};

/// All rules, by name: those that come with planlint, and the user's own.
///
/// # Errors
/// Where the configuration can't be used, or a rule can't be loaded.
pub fn rules(request: &CheckRequest<'_>) -> Result<Vec<Rule>, RunError> {
    configuration(request).map(|(_, rules)| rules)
}

/// A line for each rule: name, severity, title; and the file, of the user's own.
///
/// # Errors
/// As of [`rules`].
pub fn list_rules(request: &CheckRequest<'_>) -> Result<Vec<Listing>, RunError> {
    let line = |rule: &Rule| {
        let own = if rule::is_builtin(&rule.name) { "" } else { rule.path.as_str() };
        let columns = vec![rule.severity.to_string(), rule.title.clone(), own.to_owned()];
        Listing { place: rule.name.clone(), columns }
    };
    Ok(rules(request)?.iter().map(line).collect())
}

/// What a rule says of itself.
///
/// # Errors
/// As of [`rules`], and where there is no such rule.
pub fn explain(request: &CheckRequest<'_>, rule: &str) -> Result<String, RunError> {
    let rules = rules(request)?;
    let found = rules
        .iter()
        .find(|one| one.name == rule)
        .ok_or_else(|| RunError::NoSuchRule(rule.to_owned(), nearest(rule, &rules)))?;
    let Rule { name, severity, title, why, remedy, ignore, path, .. } = found;
    let own = if rule::is_builtin(name) { String::new() } else { format!(", a rule of your own: {path}") };
    let ignore = ignore.as_ref().map_or_else(String::new, |when| format!("\nWhen to ignore it: {when}\n"));
    Ok(format!("{name} ({severity}){own}\n\n{title}\n\n{why}\n\nWhat to do: {remedy}\n{ignore}"))
}
