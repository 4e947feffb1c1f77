//! Which way a file leads, by its name and by those beside it. golang-migrate looks for `.up.` and `.down.`, wherever they stand, and
//! passes over what has neither; other tools look at the end of a name alone, and run that, too.

use super::{file_number, files, runners};
use crate::source::Sources;
use std::collections::BTreeSet;

/// The words of code that runs files by such names.
const WORDS: [&[u8]; 2] = [b"golang-migrate/migrate", b"migrate/v4"];
/// Those of a tool of Go that takes any sign in front of `up`.
const OTHERS: [&[u8]; 2] = [b"maragudk/migrate", b"maragu.dev/migrate"];

/// Drops the files `U2__x.sql` beside which there is one `V2__y.sql`, and `x_downgrade.sql` beside `y_upgrade.sql`: they lead
/// back. Alone they are steps like others.
pub(super) fn drop_undoing<T>(files: &mut Vec<T>, path: impl Fn(&T) -> &str) {
    let version = |file: &T| files::prefixed(path(file), 'V').map(str::to_owned);
    let versions: BTreeSet<String> = files.iter().filter_map(version).collect();
    files.retain(|file| !files::prefixed(path(file), 'U').is_some_and(|version| versions.contains(version)));
    let is_part = |file: &T, word: &str| {
        path(file)
            .strip_suffix(".sql")
            .and_then(|stem| stem.strip_suffix(word))
            .is_some_and(|stem| stem.ends_with(['.', '_', '-']))
    };
    if files.iter().any(|file| is_part(file, "upgrade")) {
        files.retain(|file| !is_part(file, "downgrade"));
    }
}

/// Drops the files `1_x.up.sql` and `1_x.autocommit.up.sql` beside which there is one `1_x.sqlite.up.sql`: they are for all other
/// databases (<https://github.com/ory/x/blob/master/popx/migration_box.go>).
pub(super) fn drop_others_twins<T>(files: &mut Vec<T>, path: impl Fn(&T) -> &str) {
    let is_sqlite = |word: &&str| matches!(*word, "sqlite" | "sqlite3");
    let is_marked = |file: &T| name(path(file)).split('.').any(|word| is_sqlite(&word));
    let bare = |file: &T| {
        let words = name(path(file)).split('.').filter(|word| !is_sqlite(word) && *word != "autocommit");
        words.collect::<Vec<_>>().join(".")
    };
    let is_directed = |file: &&T| direction(path(file)).is_some();
    let own = files.iter().filter(is_directed).filter(|file| is_marked(file));
    let own: BTreeSet<String> = own.map(bare).collect();
    files.retain(|file| is_marked(file) || !own.contains(&bare(file)));
}

/// Keeps the files of a folder that lead forward: not those beside which another one of their number does, nor, where the tool passes
/// over them, those without a direction.
pub(super) fn keep_forward<T>(
    files: &mut Vec<T>,
    path: impl Fn(&T) -> &str,
    passes_over: impl FnOnce() -> bool,
) {
    let number = |file: &T| file_number(name(path(file)));
    let leads = |file: &T| direction(path(file));
    let up: BTreeSet<u64> =
        files.iter().filter(|file| leads(file) == Some(true)).filter_map(number).collect();
    files.retain(|file| leads(file) != Some(false) || !number(file).is_some_and(|own| up.contains(&own)));
    let is_lost = |file: &T| leads(file).is_none() && number(file).is_some();
    if up.len() >= 2 && files.iter().any(is_lost) && passes_over() {
        files.retain(|file| !is_lost(file));
    }
}

/// Whether code of a tree runs files by a tool that passes over those without a direction.
pub(super) fn are_asked(sources: &Sources) -> bool {
    let is_go = |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| ending == "go");
    let code = || sources.iter().filter(|(_, source)| is_go(&source.path) && runners::is_code(source));
    let says = |words: &[&[u8]]| {
        let has = |text: &str| words.iter().any(|word| memchr::memmem::find(text.as_bytes(), word).is_some());
        code().any(|(_, source)| source.peek(has))
    };
    says(&WORDS) && !says(&OTHERS)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a file leads forward; `None` where its name does not say.
fn direction(path: &str) -> Option<bool> {
    let file = name(path);
    let up = file.rfind(".up.");
    let down = file.rfind(".down.");
    (up.is_some() || down.is_some()).then(|| up > down)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn the_last_word_says_which_way_a_file_leads() {
        assert_eq!(direction("m/1_x.up.db.sql"), Some(true));
        assert_eq!(direction("m/1_x.down.db.sql"), Some(false));
        assert_eq!(direction("m/1_x.up.sql.down.sql"), Some(false));
        assert_eq!(direction("m/1_x.sql"), None);
        let keep = |files: &[&str], passes_over: bool| {
            let mut files: Vec<String> = files.iter().map(|&one| one.to_owned()).collect();
            keep_forward(&mut files, |file| file, || passes_over);
            files.join(" ")
        };
        assert_eq!(keep(&["1_x.up.sql", "1_x.down.db.sql"], false), "1_x.up.sql");
        let scaled = ["1_x.up.sql", "2_scale.down.payment.sql"];
        assert_eq!(keep(&scaled, false), scaled.join(" "));
        let three = ["1_x.up.sql", "2_y.up.sql", "3_z.sql"];
        assert_eq!(keep(&three, false), three.join(" "));
        assert_eq!(keep(&three, true), "1_x.up.sql 2_y.up.sql");
    }

    #[test]
    fn a_tool_beside_another_may_take_what_that_passes_over() {
        let asked = |imports: &[&str]| {
            let files = imports.iter().enumerate().map(|(at, import)| {
                Source::new(format!("store/{at}.go"), format!("package store\n\nimport \"{import}\"\n"))
            });
            are_asked(&Sources::of(files.collect()))
        };
        let (one, other) = ("github.com/golang-migrate/migrate/v4", "github.com/maragudk/migrate");
        assert!(asked(&[one]) && !asked(&[other]) && !asked(&[one, other]));
    }
}
