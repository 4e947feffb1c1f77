//! What was assumed, and what could not be had, in sentences at the end of a report. Decides nothing.

use super::diagnose::place;
use crate::{
    extract::{Role, sql},
    facts::gather::Program,
    migration::Origin,
    shell::{Shipped, on_one_line},
    workload::{Database, Outcome, Statement},
};

/// The most names of releases in one sentence.
const NAMES: usize = 5;

/// What was assumed, a sentence each.
pub(super) fn guesses(program: &Program<'_>, sqlite: &str) -> Vec<String> {
    let mut said: Vec<String> = computed_inserts(program).into_iter().collect();
    said.extend(computed_indexes(program));
    said.extend(builders(program));
    said.extend(steps(program));
    said.extend(program.databases.iter().filter_map(|database| unapplied(program, database)));
    said.extend(releases(program));
    said.extend(shipped(program, sqlite));
    said.extend(elsewhere(program));
    let unnamed = |database: &&Database| {
        database.declaration.origin == Origin::Guessed && database.declaration.config.is_none()
    };
    let guessed = program.databases.iter().filter(unnamed).count();
    if guessed == 0 {
        return said;
    }
    let plural =
        if guessed == 1 { "the schema of 1 database was" } else { "the schemas of the databases were" };
    said.insert(
        0,
        format!("{plural} put together from what the sources declare; name them in planlint.toml to be sure"),
    );
    said
}

/// What is said where the program inserts into a table whose name it computes: then a table that no other statement
/// inserts into may grow all the same.
fn computed_inserts(program: &Program<'_>) -> Option<String> {
    let is_insert = |one: &&Statement| {
        let verb = sql::skip_leading(&one.raw).get(..7).unwrap_or("").to_ascii_lowercase();
        let is_live = program.extraction.literals.get(one.literal);
        matches!(&one.outcome, Outcome::Dynamic { reason } if reason.contains("name of its table"))
            && (verb.starts_with("insert") || verb.starts_with("replace"))
            && is_live.is_some_and(|literal| literal.role == Role::Production)
    };
    let first = program.statements.iter().find(is_insert)?;
    let place = place(program.sources, first.site)?.short();
    Some(format!(
        "{place} inserts into a table whose name is computed: what is found of tables that no statement is seen to insert \
         into is a note; name those that grow under `growing`"
    ))
}

/// What is said where the program makes indexes of which it computes the columns: what they serve is not known.
fn computed_indexes(program: &Program<'_>) -> Option<String> {
    let open = |one: &Statement| one.open_index(program.extraction).map(|table| (table, one.site));
    // One that may be of any table says all.
    let all: Vec<(Option<String>, _)> = program.statements.iter().filter_map(open).collect();
    let (table, site) = all.iter().find(|(table, _)| table.is_none()).or_else(|| all.first())?;
    let place = place(program.sources, *site)?.short();
    let of = table.as_ref().map_or_else(String::new, |table| format!(" of `{table}`"));
    Some(format!(
        "{place} makes indexes{of} of which it computes the columns: what lacks an index there is a note, for it may be one \
         of them"
    ))
}

/// What is said of libraries whose queries have no text in the sources.
fn builders(program: &Program<'_>) -> Option<String> {
    let (_, first) = program.builders.first()?;
    let names: Vec<&str> = program.builders.iter().map(|(name, _)| *name).collect();
    let place = place(program.sources, *first)?.short();
    Some(format!(
        "queries that {} {} have no text, and are not seen ({place}); list what was logged of them under `workload`",
        names.join(" and "),
        if names.len() == 1 { "builds" } else { "build" }
    ))
}

/// What is said of a database whose steps did not all run in the order that was guessed.
fn unapplied(program: &Program<'_>, database: &Database) -> Option<String> {
    let mut all = database.unapplied();
    let (first, refusal) = all.next()?;
    let (start, end) = (first.applied.start as u32, first.applied.end as u32);
    let place = place(program.sources, first.text.site(start, end)?)?.short();
    let (count, last) = match all.count() {
        0 => ("1 statement".to_owned(), String::new()),
        more => (format!("{} statements", more + 1), format!(" and {more} more, --list unapplied")),
    };
    let name = &database.declaration.name;
    Some(format!(
        "{count} of the steps of {name} did not run in this order ({place}: {}{last}): what they need is made later, or by \
         nothing that was found; say in planlint.toml which text comes when",
        refusal.message
    ))
}

/// When and how steps of a schema run, as far as the sources were asked: what is said alike of several databases, once.
fn steps(program: &Program<'_>) -> Vec<String> {
    let mut said: Vec<Alike<'_>> = Vec::new();
    for database in program.databases {
        let name = database.declaration.name.as_str();
        for (site, sentence) in &database.declaration.guesses {
            let place = place(program.sources, *site).map(|place| place.short());
            let pattern = without_name(sentence, name);
            let alike = said.iter_mut().find(|one| one.pattern == pattern && !one.names.contains(&name));
            if let Some(alike) = alike {
                alike.names.push(name);
                alike.places.extend(place);
            } else {
                let places = place.into_iter().collect();
                said.push(Alike { pattern, sentence, names: vec![name], places });
            }
        }
    }
    said.into_iter().map(Alike::said).collect()
}

/// What is said alike of databases.
struct Alike<'a> {
    /// The sentence, with [`NAME`] in the place of the name.
    pattern: String,
    /// As it is said of the first.
    sentence: &'a str,
    names: Vec<&'a str>,
    places: Vec<String>,
}

/// Stands for the name of a database.
const NAME: &str = "\u{1}";

impl Alike<'_> {
    fn said(mut self) -> String {
        self.places.dedup();
        let place = match (self.places.first(), self.places.len()) {
            (None, _) => String::new(),
            (Some(place), 1) => format!(" ({place})"),
            (Some(place), 2) => format!(" ({place} and another place)"),
            (Some(place), more) => format!(" ({place} and {} other places)", more - 1),
        };
        if self.names.len() == 1 {
            return format!("{}{place}", self.sentence);
        }
        let bare = listed(self.names.iter().map(|name| (*name).to_owned()).collect());
        let quoted = listed(self.names.iter().map(|name| format!("`{name}`")).collect());
        format!("{}{place}", self.pattern.replace(&format!("`{NAME}`"), &quoted).replace(NAME, &bare))
    }
}

/// A sentence with [`NAME`] wherever a name stands as a word.
fn without_name(sentence: &str, name: &str) -> String {
    let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '-' | '.' | '/');
    let mut pattern = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once(name).filter(|_| !name.is_empty()) {
        pattern.push_str(before);
        let is_word = !pattern.ends_with(is_part) && !after.starts_with(is_part);
        pattern.push_str(if is_word { NAME } else { name });
        rest = after;
    }
    pattern + rest
}

/// Names as a list, of which the first three are said.
fn listed(mut names: Vec<String>) -> String {
    let last = match names.len() {
        0..=4 => names.pop().unwrap_or_default(),
        more => format!("{} more", more - 3),
    };
    names.truncate(3);
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}

/// What SQLite the program ships, where that is another one than judges.
fn shipped(program: &Program<'_>, own: &str) -> Vec<String> {
    let asked = program.elsewhere.map(|asked| asked.version.as_str());
    let others = program.shipped.iter().filter(|one| one.sqlite != own);
    let sentence = |one: &Shipped| {
        let Shipped { package, version, sqlite, path, line } = one;
        let todo = if asked == Some(sqlite) {
            ", and with that one".to_owned()
        } else {
            "; to plan with another one, too, name its shell under `sqlite`".to_owned()
        };
        format!(
            "the program ships SQLite {sqlite} ({package} {version}, {path}:{line}); its statements are planned with {own}{todo}"
        )
    };
    others.map(sentence).collect()
}

/// What another SQLite lacks.
fn elsewhere(program: &Program<'_>) -> Vec<String> {
    let Some(asked) = program.elsewhere else { return Vec::new() };
    let mut said = Vec::new();
    for (database, answer) in program.databases.iter().zip(&asked.answers) {
        if answer.unanswered > 0 {
            let (number, words) = (answer.unanswered, on_one_line(&answer.last_words));
            said.push(format!(
                "database {}: SQLite {} ({}) gave no plan of {number} {}{}",
                database.declaration.name,
                asked.version,
                asked.program,
                if number == 1 { "statement" } else { "statements" },
                if words.is_empty() { String::new() } else { format!(": {words}") },
            ));
        }
        let Some((first, message)) = answer.lacks.first() else { continue };
        let more = match answer.lacks.len() - 1 {
            0 => String::new(),
            more => format!(", nor {more} more of its objects"),
        };
        said.push(format!(
            "database {}: SQLite {} ({}) does not take `{first}` ({message}){more}; statements that need it are judged without that SQLite",
            database.declaration.name, asked.version, asked.program
        ));
    }
    said
}

/// The releases whose databases are not judged.
fn releases(program: &Program<'_>) -> Vec<String> {
    let releases = program.releases;
    let mut said = Vec::new();
    if let Some(reason) = &releases.unknown {
        said.push(format!("databases of older releases are not judged: {reason}"));
    }
    if releases.is_shallow && releases.names.is_empty() {
        said.push(
            "databases of older releases are not judged: this clone is shallow; fetch the tags with it"
                .to_owned(),
        );
    }
    for (database, own) in &releases.unread {
        said.extend(sentence(program, *database, own, "files that declare it are not in this clone in"));
    }
    for (database, own) in &releases.without {
        // Before the first that declares it, there was no such database.
        let declaring = releases.released.iter().filter(|one| one.database == *database);
        let first = declaring.filter_map(|one| one.releases.first()).min();
        let own: Vec<usize> =
            own.iter().copied().filter(|one| first.is_some_and(|first| one > first)).collect();
        said.extend(sentence(program, *database, &own, "nothing was found that declares it in"));
    }
    said
}

/// What is said of some releases of a database, the latest first.
fn sentence(program: &Program<'_>, database: usize, own: &[usize], reason: &str) -> Option<String> {
    let database = &program.databases.get(database)?.declaration.name;
    let name = |release: &usize| program.releases.names.get(*release).map(String::as_str);
    let names: Vec<&str> = own.iter().rev().filter_map(name).collect();
    let shown = names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(NAMES);
    let more = if more > 0 { format!(" and {more} more (--list releases)") } else { String::new() };
    (!names.is_empty()).then(|| format!("database {database}: {reason} {shown}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_alike_of_databases_is_said_once() {
        let pattern = without_name("foreign keys of `a` are enforced in a-b", "a");
        assert_eq!(pattern, "foreign keys of `\u{1}` are enforced in a-b");
        let alike = |names, places: &[&str]| Alike {
            pattern: pattern.clone(),
            sentence: "as it was",
            names,
            places: places.iter().map(|place| (*place).to_owned()).collect(),
        };
        assert_eq!(alike(vec!["a"], &["x:1"]).said(), "as it was (x:1)");
        let two = alike(vec!["a", "b"], &["x:1", "x:1"]).said();
        assert_eq!(two, "foreign keys of `a` and `b` are enforced in a-b (x:1)");
        let many = alike(vec!["a", "b", "c", "d", "e"], &["x:1", "y:2", "z:3"]).said();
        assert_eq!(
            many,
            "foreign keys of `a`, `b`, `c` and 2 more are enforced in a-b (x:1 and 2 other places)"
        );
    }
}
