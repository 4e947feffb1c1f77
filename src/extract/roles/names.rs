//! What the name of a function tells of its role.

use super::Role;

/// What the words of a name speak of.
#[derive(Default)]
struct Speaks {
    schema: bool,
    version: bool,
    database: bool,
    migrates: bool,
    words: u32,
}

/// The role that a function's name tells, if any: `open_database`, `CreateTables`, `migrate_v3`.
pub(super) fn role(name: &str) -> Option<Role> {
    let joined = words(name);
    let mut speaks = Speaks::default();
    for word in joined.split('_') {
        speaks.words += 1;
        match word {
            "schema" | "tables" | "table" | "index" | "indexes" | "indices" => speaks.schema = true,
            "db" | "database" | "store" | "storage" | "conn" | "connection" | "pool" => {
                speaks.database = true;
            }
            "version" => speaks.version = true,
            // What a program moves may be called a migration, too: who asks for one, or keeps one, migrates nothing.
            "migration" | "migrations" | "upgrade" | "upgrades" => speaks.migrates |= !keeps(&joined),
            // `dbmigrations`
            _ => {
                let begins = word.starts_with("migrat") || word.starts_with("upgrad");
                speaks.migrates |= begins || (word.ends_with("migrations") && !keeps(&joined));
            }
        }
    }
    let first = joined.split('_').next().unwrap_or("");
    let makes = matches!(first, "apply" | "create" | "add" | "ensure" | "install" | "build");
    // What updates tables may as well put rows into them.
    let changes = first == "update" && joined.split('_').any(|word| word == "schema");
    if is_rung(&joined)
        || speaks.migrates
        || ((makes || changes) && speaks.schema && !speaks.version)
        || first == "mig"
    {
        return Some(Role::Migration);
    }
    // What runs as something is closed runs once, too.
    if matches!(joined.as_str(), "shutdown" | "shut_down" | "teardown" | "tear_down" | "exit")
        || name == "__del__"
    {
        return Some(Role::StartUp);
    }
    let opens = matches!(
        first,
        "open" | "connect" | "init" | "initialize" | "setup" | "instantiate" | "bootstrap" | "reopen"
    );
    (opens && (speaks.words == 1 || speaks.database || speaks.schema)).then_some(Role::StartUp)
}

/// The number that the name of a migration begins with, behind one letter at the most: `m003_add_sha1`, but not `v1_to_2`.
pub fn leading_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(|first: char| first.is_ascii_alphabetic()).unwrap_or(name);
    let end = digits.find(|one: char| !one.is_ascii_digit()).filter(|&end| end > 1)?;
    let (number, rest) = digits.split_at_checked(end)?;
    let rest = rest.strip_prefix('_')?;
    let is_word = rest.starts_with(|first: char| first.is_alphabetic()) && !rest.starts_with("to_");
    number.parse().ok().filter(|_| is_word)
}

/// Whether a list of such a name brings data up to date, once for each database, by a function of such a name.
pub(super) fn are_patches(list: &str, function: &str) -> bool {
    words(list).rsplit('_').next() == Some("patches") && words(function).starts_with("patch_")
}

/// Whether a name has several words, and so hardly means two things: `table_of`, `tableOf`.
pub fn has_words(name: &str) -> bool {
    name.contains('_') || name.contains(|sign: char| sign.is_uppercase())
}

/// Whether a name is a version and its number alone, `version_12` brings a schema there, or an update by such numbers:
/// `updateFromV3`.
fn is_rung(joined: &str) -> bool {
    if let Some(rest) = joined.strip_prefix("update_") {
        let is_version = |word: &str| word.strip_prefix('v').is_some_and(is_number);
        return match rest.split('_').collect::<Vec<_>>()[..] {
            ["from" | "to", version] => is_version(version),
            ["from" | "to", "version", number] => is_number(number),
            ["from", from, "to", to] => [from, to].iter().all(|word| is_version(word) || is_number(word)),
            _ => false,
        };
    }
    let number = ["version", "revision"].iter().find_map(|word| joined.strip_prefix(word));
    let number = number.map(|rest| rest.strip_prefix('_').unwrap_or(rest));
    number.is_some_and(is_number)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a name says that something is looked up, kept or dropped.
fn keeps(joined: &str) -> bool {
    const VERBS: [&str; 20] = [
        "get", "list", "find", "load", "fetch", "read", "count", "save", "insert", "put", "delete", "remove",
        "cancel", "replace", "resolve", "latest", "active", "is", "has", "next",
    ];
    let mut words = joined.split('_');
    // Who loads and upgrades, upgrades.
    VERBS.contains(&words.next().unwrap_or("")) && words.next() != Some("and")
}

/// The words of a name in snake case or camel case, in lower case, with `_` between them.
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for part in name.split('_').filter(|part| !part.is_empty()) {
        if !words.is_empty() {
            words.push('_');
        }
        let mut lower_before = false;
        for character in part.chars() {
            if character.is_ascii_lowercase() {
                words.push(character);
                lower_before = true;
                continue;
            }
            if character.is_uppercase() && lower_before {
                words.push('_');
            }
            lower_before = character.is_lowercase();
            words.extend(character.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_roles() {
        assert_eq!(role("open"), Some(Role::StartUp));
        assert_eq!(role("openDatabase"), Some(Role::StartUp));
        assert_eq!(role("open_channel"), None);
        assert_eq!(role("Shutdown"), Some(Role::StartUp));
        assert_eq!(role("__exit__"), Some(Role::StartUp));
        assert_eq!(role("close"), None);
        assert_eq!(role("create_schema"), Some(Role::Migration));
        assert_eq!(role("migrate_2_to_3"), Some(Role::Migration));
        assert_eq!(role("runMigrations"), Some(Role::Migration));
        assert_eq!(role("dbmigrations"), Some(Role::Migration));
        assert_eq!(role("migration_3"), Some(Role::Migration));
        assert_eq!(role("get_migration_by_id"), None);
        assert_eq!(role("cancelMigration"), None);
        assert_eq!(role("get_upgrade_token"), None);
        assert_eq!(role("load_and_upgrade"), Some(Role::Migration));
        assert_eq!(role("upgrade_get_version_3"), Some(Role::Migration));
        assert_eq!(role("update_schema"), Some(Role::Migration));
        assert_eq!(role("update_balance_tables"), None);
        assert_eq!(role("version_12"), Some(Role::Migration));
        assert_eq!(role("Version3"), Some(Role::Migration));
        assert_eq!(role("version"), None);
        assert_eq!(role("version_of_3"), None);
        assert_eq!(role("updateFromV3"), Some(Role::Migration));
        assert_eq!(role("update_from_1_to_2"), Some(Role::Migration));
        assert_eq!(role("update_to_v3"), Some(Role::Migration));
        assert_eq!(role("update_from_peer"), None);
        for moved in ["update_from_feed_2", "update_to_player_1", "update_from_api_v2", "update_to_100"] {
            assert_eq!(role(moved), None, "{moved}");
        }
        assert!(are_patches("patches", "patchOwners") && !are_patches("routes", "patchOwners"));
        assert_eq!(role("get_schema_version"), None);
        assert_eq!(role("create_account"), None);
    }
}
