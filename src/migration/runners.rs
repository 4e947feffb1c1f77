//! How code gets at the files of a folder: by naming each of them, or by reading the folder. Told by words, in the code
//! near the folder; what is not recognised is not known.

use super::{common_parts, files, manifests};
use crate::{
    extract::is_test_code,
    source::{Site, Source, SourceId, Sources},
};
use memchr::memmem;
use std::collections::BTreeSet;

/// How the files of a folder are run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Runners {
    /// Where code names the files one by one.
    pub list: Option<Site>,
    /// The files that it does not name, and that nothing else names.
    pub unlisted: Vec<SourceId>,
    /// Where code reads the folder, and has its files in the order of their names.
    pub sorted: Option<Site>,
}

/// Finds what runs these files of a folder.
pub(super) fn find(sources: &Sources, folder: &str, files: &BTreeSet<SourceId>) -> Runners {
    let names: Vec<(SourceId, String)> =
        files.iter().filter_map(|&file| Some((file, name(sources.path(file))?))).collect();
    let depth = folder.split('/').count();
    let is_near = |source: &Source| common_parts(folder, &source.path) + 2 >= depth;
    let near = || sources.iter().filter(|(_, source)| is_code(source) && is_near(source));
    let mut found = Runners::default();
    for (id, source) in near().filter(|(_, source)| !is_test_code(&source.path)) {
        found.sorted = found.sorted.or_else(|| sorted_names(id, source, folder));
        if found.list.is_none() && names.iter().take(3).any(|(_, name)| names_it(source, name)) {
            let quoted: Vec<usize> =
                names.iter().filter_map(|(_, name)| quoted(source.text(), name)).collect();
            let is_list = quoted.len() >= 2 && quoted.len() * 2 > names.len();
            found.list = quoted.iter().min().filter(|_| is_list).map(|&at| Site::at(id, at));
        }
    }
    if found.list.is_some() && !near().any(|(_, source)| takes_whole(source, folder)) {
        let is_named =
            |name: &str| sources.iter().any(|(_, source)| is_code(source) && names_it(source, name));
        let unlisted = names.iter().filter(|(_, name)| !is_named(name));
        found.unlisted = unlisted.map(|(file, _)| *file).collect();
    }
    found
}

fn extension(source: &Source) -> &str {
    source.path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Whether a file may run others: it is neither SQL nor the manifest of a package.
pub(super) fn is_code(source: &Source) -> bool {
    extension(source) != "sql" && !manifests::is_one(&source.path)
}

/// Whether code may run all files of a folder: it names the folder and no file in it, or calls what knows the folder by
/// habit.
pub(super) fn takes_whole(source: &Source, folder: &str) -> bool {
    source.peek(|text| text_takes_whole(&source.path, text, folder))
}

fn text_takes_whole(path: &str, text: &str, folder: &str) -> bool {
    const BY_HABIT: [&str; 3] = ["migrate!(", "embed_migrations!", "include_dir!"];
    let Some(last) = folder.rsplit('/').next().filter(|last| !last.is_empty()) else { return true };
    let is_whole = |at: usize| {
        let behind = text.get(at + last.len()..).unwrap_or_default().trim_start_matches('/');
        // A name that is put in there comes from somewhere: the list, perhaps.
        let names_file = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '{' | '%' | '$');
        let is_put = is_joined(text, at, behind) || only_joined(text, at);
        let names_no_file = !behind.starts_with(names_file) && !is_put;
        names_no_file && is_string(text, at) && is_folder(path, text, at + last.len(), folder)
    };
    BY_HABIT.iter().any(|habit| memmem::find(text.as_bytes(), habit.as_bytes()).is_some())
        || mentions(text, last).any(is_whole)
        // Beside it, a pattern needs no folder.
        || (files::series(path) == folder && memmem::find(text.as_bytes(), b"*.sql").is_some())
}

/// Whether what a variable holds is put behind a path: `path.join(root, 'migrations', file)`; `behind` is what follows the path.
fn is_joined(text: &str, at: usize, behind: &str) -> bool {
    let next = behind.trim_start_matches(['"', '\'', '`']).trim_start().strip_prefix(',');
    let is_variable = next.is_some_and(|next| next.trim_start().starts_with(|one: char| one.is_alphabetic()));
    let mut depth = 0_usize;
    let mut before = text.get(..at).unwrap_or_default().char_indices().rev().take(FAR);
    let open = before.find(|(_, one)| {
        depth += usize::from(*one == ')');
        let is_open = *one == '(' && depth == 0;
        depth -= usize::from(*one == '(' && depth > 0);
        is_open
    });
    let call = open.and_then(|(open, _)| text.get(..open)).unwrap_or_default();
    is_variable && ["join", "Join", "Combine", "resolve"].iter().any(|word| call.ends_with(word))
}

/// Whether a line binds a path to a name, and all that is done with this is to put what a variable holds behind it.
fn only_joined(text: &str, at: usize) -> bool {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(start..at).unwrap_or_default();
    let Some(name) = bound_name(line).filter(|_| line.contains('=')) else { return false };
    let is_put = |at: usize| is_joined(text, at, text.get(at + name.len()..).unwrap_or_default());
    let mut uses = mentions(text, name).filter(|&one| one > at || one < start).map(is_put).peekable();
    uses.peek().is_some() && uses.all(|is_put| is_put)
}

/// What code calls a file: its name without what stands behind the first dot or, where that is a number alone, all of it.
pub(super) fn name(path: &str) -> Option<String> {
    let file = files::numbered_part(path)?;
    let stem = file.split('.').next().unwrap_or(file);
    let is_number = stem.bytes().all(|byte| byte.is_ascii_digit());
    Some(if is_number { file } else { stem }.to_owned())
}

/// How far in front of a place a path or a line is followed.
const FAR: usize = 1024;

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Where a text has a name, whole.
pub(super) fn mentions<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, name.as_bytes()).filter(move |&at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let behind = bytes.get(at + name.len());
        ![before, behind].into_iter().flatten().any(|&byte| is_name_byte(byte))
    })
}

fn mention(text: &str, name: &str) -> Option<usize> {
    mentions(text, name).next()
}

fn names_it(source: &Source, name: &str) -> bool {
    source.peek(|text| mention(text, name).is_some())
}

/// Whether a string begins in front of a place, with nothing but a path or the head of an address in between.
fn is_quoted(text: &str, at: usize) -> bool {
    // `qrc:/db/schema.sql`
    let is_path = |byte: &u8| is_name_byte(*byte) || matches!(byte, b'.' | b'/' | b':');
    let mut before = text.as_bytes().get(..at).unwrap_or_default().iter().rev().take(FAR);
    before.find(|byte| !is_path(byte)).is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'))
}

/// Whether a place stands in a string, or in what tells the compiler of Go to embed a file.
pub(super) fn is_string(text: &str, at: usize) -> bool {
    let is_embedded = || {
        let before = text.as_bytes().get(at.saturating_sub(FAR)..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| *byte == b'\n').map(|end| end + 1);
        // Of a longer line, the head is not looked for.
        let start = start.or_else(|| (before.len() == at).then_some(0));
        let line = start.and_then(|start| before.get(start..)).unwrap_or_default();
        line.trim_ascii_start().starts_with(b"//go:embed")
    };
    is_quoted(text, at) || is_embedded()
}

fn quoted(text: &str, name: &str) -> Option<usize> {
    mentions(text, name).find(|&at| is_string(text, at))
}

/// Words of calls that list a folder.
const LISTS: [&str; 9] =
    ["read_dir", "ReadDir", "listdir", "scandir", "iterdir", "glob", "rglob", "Glob", "WalkDir"];

/// Words that put things in the order of their text.
const SORTS: [&str; 5] = ["sorted", "sort", "sort_unstable", "BTreeSet", "BTreeMap"];

/// Words that put things in another order, or make numbers of texts.
const ORDERS_OTHERWISE: [&str; 17] = [
    "key",
    "int",
    "parse",
    "Atoi",
    "ParseInt",
    "ParseUint",
    "SortFunc",
    "SortStableFunc",
    "Slice",
    "natsorted",
    "sort_by",
    "sort_by_key",
    "sort_unstable_by_key",
    "u32",
    "u64",
    "i32",
    "i64",
];

/// Where a function lists this folder.
fn lists_folder<'a>(path: &str, text: &'a str, folder: &str) -> Option<(usize, &'a str)> {
    let last = folder.rsplit('/').next().filter(|last| !last.is_empty())?;
    mention(text, last)?;
    let parts = functions(text);
    let of =
        |at: usize| parts.iter().find(|(start, part)| (*start..start + part.len()).contains(&at)).copied();
    for at in mentions(text, last) {
        let line_start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let line = text.get(line_start..)?.lines().next()?;
        let is_embedded = line.starts_with("//go:embed");
        if (!is_quoted(text, at) && !is_embedded) || !is_folder(path, text, at + last.len(), folder) {
            continue;
        }
        let own = of(at).filter(|_| line.starts_with([' ', '\t']));
        // What stands outside of functions has a name, by which they know it.
        let line = if is_embedded { text.get(line_start..)?.lines().nth(1)? } else { line };
        let bound = bound_name(line).filter(|_| own.is_none());
        let users = parts.iter().copied().filter(|(start, part)| {
            let is_own = own.is_some_and(|(own, _)| own == *start);
            is_own || bound.is_some_and(|name| mention(part, name).is_some())
        });
        let lists = |(start, part): (usize, &'a str)| {
            let at = LISTS.iter().filter_map(|word| mention(part, word)).min()?;
            Some((start + at, part))
        };
        if let Some(found) = users.into_iter().find_map(lists) {
            return Some(found);
        }
    }
    None
}

/// Whether the path that ends at a place means this folder: its parts are the folder's last ones, and the file stands
/// below what is in front of them.
pub(super) fn is_folder(path: &str, text: &str, end: usize, folder: &str) -> bool {
    let before = text.get(..end).unwrap_or_default();
    let is_path = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-' | '.' | '/');
    let start = before.char_indices().rev().take(FAR).find(|(_, one)| !is_path(*one));
    let start = start.map_or(0, |(at, one)| at + one.len_utf8());
    let written = before.get(start..).unwrap_or_default().trim_start_matches(['.', '/']);
    folder.strip_suffix(written).is_some_and(|base| {
        (base.is_empty() || base.ends_with('/')) && path.starts_with(base.trim_start_matches('/'))
    })
}

/// Where a function reads this folder, and has its files in the order of their names.
fn sorted_names(id: SourceId, source: &Source, folder: &str) -> Option<Site> {
    source.peek(|text| {
        let (at, part) = lists_folder(&source.path, text, folder)?;
        let has = |words: &[&str]| words.iter().any(|word| mention(part, word).is_some());
        // Go lists a folder in the order of names.
        let is_sorted = (extension(source) == "go" || has(&SORTS)) && !has(&ORDERS_OTHERWISE);
        is_sorted.then_some(Site::at(id, at))
    })
}

/// The functions of a file, and what stands before and between them, with the byte at which each begins.
pub(super) fn functions(text: &str) -> Vec<(usize, &str)> {
    const HEADS: [&str; 8] =
        ["def ", "async def ", "func ", "fn ", "pub fn ", "async fn ", "pub async fn ", "pub(crate) fn "];
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if HEADS.iter().any(|head| line.trim_start().starts_with(head)) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(&start, end)| Some((start, text.get(start..end)?))).collect()
}

/// The name that a line at the level of a file binds.
pub(super) fn bound_name(line: &str) -> Option<&str> {
    let mut words =
        line.split(|one: char| !(one.is_alphanumeric() || one == '_')).filter(|word| !word.is_empty());
    words.find(|word| !matches!(*word, "pub" | "crate" | "const" | "static" | "var" | "let"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(path: &str, text: &str) -> Option<bool> {
        let source = Source::new(path, text);
        let lists = lists_folder(&source.path, source.text(), "app/migrations");
        lists.map(|_| sorted_names(SourceId(0), &source, "app/migrations").is_some())
    }

    #[test]
    fn the_order_of_names_is_told_by_the_function_that_lists_the_folder() {
        let python = "DIR = Path(__file__).parent / \"migrations\"\n\ndef run(db):\n    for path in sorted(DIR.glob(\"*.sql\")):\n        db.executescript(path.read_text())\n";
        assert_eq!(sorted("app/db.py", python), Some(true));
        let by_number = python.replace(")):", "), key=number):");
        assert_eq!(sorted("app/db.py", &by_number), Some(false));
        let go = "//go:embed migrations/*.sql\nvar files embed.FS\n\nfunc run(db *sql.DB) error {\n\tentries, err := files.ReadDir(\"migrations\")\n\treturn err\n}\n";
        assert_eq!(sorted("app/db.go", go), Some(true));
        let rust = "fn run() {\n    let mut all = fs::read_dir(\"migrations\").unwrap();\n    all.sort_by_key(number);\n}\n\nfn other() {\n    names.sort();\n}\n";
        assert_eq!(sorted("app/db.rs", rust), Some(false));
        assert_eq!(sorted("app/db.rs", "fn run() { migrate(\"migrations\") }\n"), None);
    }

    #[test]
    fn who_names_the_folder_alone_may_run_all_of_it() {
        let takes = |text: &str| takes_whole(&Source::new("app/db.py", text), "app/migrations");
        assert!(takes("run(\"migrations\")") && takes("glob('migrations/*.sql')"));
        assert!(takes("//go:embed migrations\n") && takes("sqlx::migrate!()"));
        assert!(!takes("run(\"migrations/0001_init.sql\")") && !takes("# see migrations"));
        assert!(takes("listdir(os.path.join(root(), 'migrations'))") && takes("run('migrations', db)"));
        assert!(!takes("read(os.path.join(root(), 'migrations', name))"));
        let bound = |then: &str| format!("DIR = os.path.join(HERE, 'migrations')\n\n{then}\n");
        assert!(!takes(&bound("read(os.path.join(DIR, name))")));
        assert!(takes(&bound("run(DIR)\nread(os.path.join(DIR, name))")));
    }

    #[test]
    fn a_file_is_named_in_a_string_or_not_at_all() {
        assert!(quoted("include_str!(\"../sql/0001_init.sql\")", "0001_init").is_some());
        assert!(quoted("// see 0001_init.sql", "0001_init").is_none());
        assert!(quoted("\"0001_init_more.sql\"", "0001_init").is_none());
        assert_eq!(name("db/0001_init.up.sql").as_deref(), Some("0001_init"));
        assert_eq!(name("db/1.sql").as_deref(), Some("1.sql"));
    }
}
