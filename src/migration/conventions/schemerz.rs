//! schemerz: a type of Rust for each migration, with an id and the ids of those before it, in a module of its own.

use crate::migration::convention::{Convention, InCode, Link, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "schemerz",
    words: &["schemerz::Migration", "RusqliteMigration for", "schemer::Migration"],
    in_code: InCode::All,
    links,
    ..PLAIN
};

/// A migration is called by its module, and so are those before it: `first::ID`, in a list of ids or where it is asked for them.
fn links(path: &str, text: &str) -> Option<Link> {
    let stem = path.strip_suffix(".rs").filter(|_| CONVENTION.named_in(text).is_some())?;
    let own = stem.strip_suffix("/mod").unwrap_or(stem).rsplit('/').next()?.to_owned();
    let ids = text.match_indices("Uuid] =").map(|(at, head)| (at + head.len(), "]"));
    let asked = text.match_indices("fn dependencies(").map(|(at, head)| (at + head.len(), "\n    }"));
    let part = |(from, end): (usize, &str)| {
        let rest = text.get(from..).unwrap_or("");
        rest.split_once(end).map_or("", |(part, _)| part)
    };
    let mut before: Vec<String> = ids.chain(asked).flat_map(|one| modules(part(one))).collect();
    before.retain(|name| *name != own);
    Some(Link { own, before })
}

/// The modules in front of constants: `one` of `super::one::ID`.
fn modules(code: &str) -> Vec<String> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_' || one == ':';
    let module = |path: &str| {
        let (head, last) = path.rsplit_once("::")?;
        let is_constant =
            last.starts_with(|one: char| one.is_ascii_uppercase()) && last.to_uppercase() == last;
        is_constant.then(|| head.rsplit("::").next().unwrap_or(head).to_owned())
    };
    code.split(|one: char| !is_part(one)).filter_map(module).collect()
}
