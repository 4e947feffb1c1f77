//! Builds the databases of a program, each with connections like the program's own: as configured, else as its
//! sources show.

use super::{Database, likeliest};
use crate::{
    config::Config,
    extract::{Extraction, Role},
    migration::Declaration,
    schema::{SchemaError, Settings, variant},
    source::Sources,
};
use memchr::memmem;
use rayon::prelude::*;

/// Builds every database that is declared.
///
/// # Errors
/// Where a setting is refused, or SQLite has no memory left.
pub fn build(
    config: &Config,
    sources: &Sources,
    extraction: &Extraction,
    declarations: Vec<Declaration>,
) -> Result<Vec<Database>, SchemaError> {
    let foreign_keys = sets_foreign_keys(sources, extraction);
    declarations
        .into_par_iter()
        .with_max_len(1)
        .map(|declaration| {
            let settings = settings(config, &declaration, foreign_keys);
            let statements = declaration
                .config
                .and_then(|index| config.databases.get(index))
                .and_then(|one| one.statements.clone());
            let variant = variant::build(&declaration, &settings, &likeliest)?;
            Ok(Database { declaration, settings, statements, variant })
        })
        .collect()
}

fn settings(config: &Config, declaration: &Declaration, foreign_keys: bool) -> Settings {
    let mut settings = Settings { foreign_keys, ..Settings::default() };
    if let Some(configured) = declaration.config.and_then(|index| config.databases.get(index)) {
        settings.functions.clone_from(&configured.functions);
        settings.collations.clone_from(&configured.collations);
        settings.modules.clone_from(&configured.modules);
        settings.attached = configured.attached.keys().cloned().collect();
        settings.pragmas = configured.pragmas.clone();
        if let Some(value) = settings.pragmas.remove("foreign_keys") {
            settings.foreign_keys = is_on(&value);
        }
    }
    settings
}

/// Whether the program turns foreign keys on, by a PRAGMA in its SQL or in what it connects with.
fn sets_foreign_keys(sources: &Sources, extraction: &Extraction) -> bool {
    let by_pragma = extraction
        .literals
        .iter()
        .filter(|literal| literal.role != Role::Test)
        .any(|literal| literal.variants.iter().any(|text| enables(text.as_str())));
    by_pragma || sources.as_slice().par_iter().any(|source| connects_with_keys(&source.text))
}

/// `_foreign_keys=on`, `_fk=true`, `_pragma=foreign_keys(1)`, `foreign_keys(true)`.
fn connects_with_keys(text: &str) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, b"foreign_keys").any(|at| {
        let before = text.get(at.saturating_sub(10)..at).unwrap_or("");
        let option = before.ends_with(['_', '=', '.', '&', '?', '"']);
        option && enables(text.get(at..(at + 24).min(text.len())).unwrap_or(""))
    }) || memmem::find(bytes, b"_fk=true").is_some()
        || memmem::find(bytes, b"_fk=1").is_some()
}

/// Whether a text sets foreign keys on.
fn enables(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("foreign_keys").any(|(at, name)| {
        let rest = lower.get(at + name.len()..).unwrap_or("");
        let value = rest
            .trim_start_matches(|character: char| character.is_whitespace() || "=('\"".contains(character));
        let word = value.split(|character: char| !character.is_alphanumeric()).next().unwrap_or("");
        value.len() < rest.len() && is_on(word)
    })
}

fn is_on(value: &str) -> bool {
    matches!(value.trim().to_ascii_lowercase().as_str(), "1" | "on" | "true" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_keys_are_seen_where_a_program_sets_them() {
        assert!(enables("PRAGMA foreign_keys = ON;"));
        assert!(enables("PRAGMA foreign_keys(1)"));
        assert!(!enables("PRAGMA foreign_keys = OFF"));
        assert!(!enables("PRAGMA foreign_keys"));
        assert!(connects_with_keys("sql.Open(\"sqlite\", \"file:x?_foreign_keys=on\")"));
        assert!(connects_with_keys("options.foreign_keys(true)"));
    }
}
