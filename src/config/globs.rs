//! Patterns for paths and for names. Knows strings only: what exists on disk is for others to ask.
//!
//! `*` stands for any characters but `/`, `?` for one of them, and `**` for any number of folders. A pattern is held
//! against the whole path from the root of the tree; where its last part has no wildcard it also covers what
//! lies below, so `vendor` and `vendor/**` say the same.

/// A set of patterns. The empty set matches nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Globs {
    patterns: Vec<String>,
    names: bool,
}

/// Why a pattern can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GlobError {
    /// What is wrong with it.
    pub message: &'static str,
    /// What to write instead.
    pub help: &'static str,
    /// Which of the patterns it is, from 0.
    pub index: usize,
}

impl Globs {
    /// A set of patterns for paths.
    ///
    /// # Errors
    /// At the first pattern that could never mean what it says.
    pub fn paths<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Self, GlobError> {
        Self::checked(patterns, false, path)
    }

    /// A set of patterns for names of SQLite, where ASCII case makes no difference.
    ///
    /// # Errors
    /// At the first pattern that is empty.
    pub fn names<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Self, GlobError> {
        Self::checked(patterns, true, name)
    }

    fn checked<S: AsRef<str>>(
        patterns: impl IntoIterator<Item = S>,
        names: bool,
        check: fn(&str) -> Result<String, (&'static str, &'static str)>,
    ) -> Result<Self, GlobError> {
        let patterns = patterns.into_iter().enumerate().map(|(index, pattern)| {
            check(pattern.as_ref()).map_err(|(message, help)| GlobError { message, help, index })
        });
        Ok(Self { patterns: patterns.collect::<Result<_, _>>()?, names })
    }

    /// Whether one of the patterns covers this path or name.
    pub fn matches(&self, text: &str) -> bool {
        if self.names {
            let text = text.to_ascii_lowercase();
            return self.patterns.iter().any(|pattern| part_matches(pattern, &text));
        }
        self.patterns.iter().any(|pattern| path_matches(pattern, text))
    }

    /// Whether there is no pattern at all.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The patterns, in the order given.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

const EMPTY: (&str, &str) = ("an empty pattern never matches", "leave it out, or name something");

fn name(pattern: &str) -> Result<String, (&'static str, &'static str)> {
    if pattern.trim().is_empty() { Err(EMPTY) } else { Ok(pattern.to_ascii_lowercase()) }
}

/// A pattern in the one spelling that is matched, without `./` before it and `/` after it; or what is wrong with it and
/// what to write instead.
fn path(pattern: &str) -> Result<String, (&'static str, &'static str)> {
    let spelled = pattern.trim_start_matches("./").trim_end_matches('/');
    let mut parts = spelled.split('/');
    if pattern.starts_with('/') {
        return Err(("an absolute path never matches", "write it from the root of the tree"));
    }
    if spelled.trim().is_empty() {
        return Err(EMPTY);
    }
    if pattern.contains('\\') {
        return Err(("`\\` does not part folders here", "write `/`, on every system"));
    }
    if pattern.contains(['[', '{', '!']) {
        let help = "write one pattern per case; `?` stands for any one character";
        return Err(("only `*`, `?` and `**` have a meaning in a pattern", help));
    }
    if parts.clone().any(|part| part == "..") {
        return Err(("`..` leads out of the tree", "write it from the root of the tree"));
    }
    if parts.any(|part| part != "**" && part.contains("**")) {
        return Err(("`**` stands for whole folders", "put it between `/`, as in `src/**/*.sql`"));
    }
    Ok(spelled.to_owned())
}

fn path_matches(pattern: &str, path: &str) -> bool {
    let folder = pattern.rsplit('/').next().is_some_and(|last| !last.contains(['*', '?']));
    let below = folder.then_some("**");
    let parts = pattern.split('/').chain(below);
    matches(parts, path.split('/'), |part| *part == "**", |part, text| part_matches(part, text))
}

fn part_matches(pattern: &str, text: &str) -> bool {
    let same = |wild: &char, one: &char| *wild == '?' || wild == one;
    matches(pattern.chars(), text.chars(), |wild| *wild == '*', same)
}

/// Matches a sequence in which some elements stand for any number of others, in time proportional to the product of
/// the lengths: going back to the last such element is enough, since an earlier one could take no less.
fn matches<P, T>(
    mut pattern: P,
    mut text: T,
    any: impl Fn(&P::Item) -> bool,
    same: impl Fn(&P::Item, &T::Item) -> bool,
) -> bool
where
    P: Iterator + Clone,
    T: Iterator + Clone,
{
    let mut retry: Option<(P, T)> = None;
    loop {
        let rest = text.clone();
        match (pattern.next(), text.next()) {
            (None, None) => return true,
            (Some(wild), _) if any(&wild) => {
                text = rest.clone();
                retry = Some((pattern.clone(), rest));
                continue;
            }
            (Some(wild), Some(one)) if same(&wild, &one) => continue,
            _ => {}
        }
        let Some((after, from)) = &mut retry else { return false };
        if from.next().is_none() {
            return false;
        }
        pattern = after.clone();
        text = from.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches_path(pattern: &str, path: &str) -> bool {
        Globs::paths([pattern]).unwrap().matches(path)
    }

    #[test]
    fn a_star_stays_within_a_folder() {
        assert!(matches_path("db/*.sql", "db/1.sql"));
        assert!(!matches_path("db/*.sql", "db/old/1.sql"));
        assert!(!matches_path("*.sql", "db/1.sql"));
        assert!(matches_path("db/?.s*l", "db/é.sql"));
        assert!(!matches_path("db/?.sql", "db/12.sql"));
    }

    #[test]
    fn two_stars_stand_for_any_number_of_folders() {
        for path in ["a.sql", "x/a.sql", "x/y/a.sql"] {
            assert!(matches_path("**/*.sql", path), "{path}");
        }
        assert!(matches_path("src/**/db/**/a.rs", "src/db/a.rs"));
        assert!(matches_path("src/**/db/**/a.rs", "src/x/db/y/db/z/a.rs"));
        assert!(!matches_path("src/**/db/**/a.rs", "src/x/y/a.rs"));
        assert!(!matches_path("src/**", "source/a.rs"));
        assert!(matches_path("**", "any/thing"));
    }

    #[test]
    fn a_folder_covers_what_lies_below_it() {
        for pattern in ["vendor", "./vendor/", "vendor/**"] {
            assert!(matches_path(pattern, "vendor/a/b.c"), "{pattern}");
            assert!(!matches_path(pattern, "vendored/b.c"), "{pattern}");
        }
        assert!(matches_path("src/admin.rs", "src/admin.rs"));
        assert!(!matches_path("src/*", "src/a/b.rs"));
    }

    #[test]
    fn names_match_in_any_case() {
        let globs = Globs::names(["TX_*", "blocks"]).unwrap();
        assert!(globs.matches("tx_Inputs") && globs.matches("BLOCKS"));
        assert!(!globs.matches("blocks2") && !globs.matches("ctx_a"));
        assert!(!Globs::default().matches("blocks"));
    }

    #[test]
    fn a_pattern_that_could_never_match_is_refused() {
        let cases = [
            ("", "empty"),
            ("/etc/*", "absolute"),
            ("a\\b", "does not part folders"),
            ("a/*.{rs,go}", "only `*`, `?` and `**`"),
            ("../a", "out of the tree"),
            ("a**b", "whole folders"),
        ];
        for (pattern, message) in cases {
            let error = Globs::paths([pattern]).unwrap_err();
            assert!(error.to_string().contains(message), "{pattern}: {error}");
        }
    }

    #[test]
    fn many_stars_do_not_take_forever() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches_path(&pattern, &"a".repeat(5000)));
    }
}
