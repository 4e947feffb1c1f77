//! Copies: a query that stands in a file of queries under a name, and again in code that was generated from it. Both are one
//! statement: it stands where it was written, and runs where the copy does.

use super::Statement;
use crate::{
    extract::{Extraction, Role, query_name},
    source::{SourceId, Sources},
};
use std::collections::{HashMap, HashSet};

/// Leaves one statement of a query and its generated copies.
pub(super) fn merge(statements: &mut Vec<Statement>, sources: &Sources, extraction: &Extraction) {
    let is_sql =
        |one: &Statement| extraction.literals.get(one.literal).is_some_and(|literal| literal.language.is_sql);
    let mut written: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, one) in statements.iter().enumerate().filter(|(_, one)| is_sql(one)) {
        if let Some(name) = query_name(comments_before(sources, one)) {
            written.entry(name).or_default().push(index);
        }
    }
    if written.is_empty() {
        return;
    }
    let mut copies: Vec<(usize, usize)> = Vec::new();
    for (index, one) in statements.iter().enumerate().filter(|(_, one)| !is_sql(one)) {
        let queries = query_name(&one.raw).and_then(|name| written.get(name));
        if let Some(query) = queries.and_then(|queries| original(queries, one, statements, sources)) {
            copies.push((index, query));
        }
    }
    // A package of old queries for a migration is a copy, too.
    let role = |copy: usize| {
        statements.get(copy).and_then(|one| extraction.literals.get(one.literal)).map(|literal| literal.role)
    };
    copies.sort_by_key(|(copy, _)| role(*copy) != Some(Role::Production));
    let mut gone: HashSet<usize> = HashSet::new();
    let mut taken: HashSet<usize> = HashSet::new();
    for (copy, query) in copies {
        if !taken.insert(query) {
            gone.insert(copy);
            continue;
        }
        // The copy knows its function and its calls, the query its place and its words.
        let Some(literal) = statements.get(copy).map(|one| one.literal) else { continue };
        if let Some(one) = statements.get_mut(query) {
            one.literal = literal;
            one.branch = 0;
            one.tail = None;
            gone.insert(copy);
        }
    }
    let mut at = 0;
    statements.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}

/// The lines of comments in front of a statement.
fn comments_before<'s>(sources: &'s Sources, one: &Statement) -> &'s str {
    let before = sources.get(one.site.source).and_then(|source| source.text().get(..one.site.start as usize));
    let before = before.unwrap_or("");
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with("--");
    let length: usize = before.split_inclusive('\n').rev().take_while(is_comment).map(str::len).sum();
    before.get(before.len() - length..).unwrap_or("")
}

/// The query that a statement is a copy of: the only one of its name or, of several, the one in a file that its own is named after.
fn original(
    queries: &[usize],
    copy: &Statement,
    statements: &[Statement],
    sources: &Sources,
) -> Option<usize> {
    if let [only] = queries {
        return Some(*only);
    }
    let file = |source: SourceId| sources.path(source).rsplit('/').next().unwrap_or("");
    let own = file(copy.site.source);
    let is_of = |query: &&usize| {
        let source = statements.get(**query).map(|one| one.site.source);
        source.is_some_and(|source| own.starts_with(file(source).trim_end_matches(".sql")))
    };
    queries.iter().find(is_of).copied()
}
