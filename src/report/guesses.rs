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
    said.extend(builders(program));
    said.extend(steps(program));
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

/// When and how steps of a schema run, as far as the sources were asked.
fn steps(program: &Program<'_>) -> Vec<String> {
    let mut said = Vec::new();
    for database in program.databases {
        for (site, sentence) in &database.declaration.guesses {
            let place = place(program.sources, *site);
            let place = place.map_or_else(String::new, |place| format!(" ({})", place.short()));
            said.push(format!("{sentence}{place}"));
        }
    }
    said
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
