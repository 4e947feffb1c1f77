//! Files whose text a program is built with, as the value of a variable, `//go:embed name.sql`, or as what a macro fills:
//! `format!(include_str!("name.sql"), …)`. An `impl` of [`Folder`], apart for its length.

use super::{Folder, Spot, Unit};
use crate::{
    extract::{languages::FormatStyle, text::Text},
    source::{SourceId, Sources, folder_of},
};
use memchr::memmem;
use rustc_hash::FxHashMap as HashMap;

/// What stands in front of the name of the file.
const EMBEDS: &str = "//go:embed ";

/// By the folder and the name of the variable, the file.
pub(super) type Embedded = HashMap<String, HashMap<String, SourceId>>;

/// The variables that stand for the text of one file: the folder, the name, and the file.
pub(in crate::extract) fn embedded<'a>(
    sources: &'a Sources,
    units: &[Unit],
) -> Vec<(&'a str, &'a str, SourceId)> {
    let finder = memmem::Finder::new(EMBEDS);
    let mut named: Vec<(&str, &str, String)> = Vec::new();
    for unit in units.iter().filter(|unit| unit.language.packages && !unit.is_test) {
        let (path, text) = (sources.path(unit.source), unit.text(sources));
        // It is a directive at the start of a line alone.
        let is_first =
            |at: &usize| at.checked_sub(1).is_none_or(|before| text.as_bytes().get(before) == Some(&b'\n'));
        for at in finder.find_iter(text.as_bytes()).filter(is_first) {
            let found = text.get(at + EMBEDS.len()..).and_then(variable);
            named.extend(found.map(|(file, name)| (folder_of(path), name, beside(path, file))));
        }
    }
    if named.is_empty() {
        return Vec::new();
    }
    let files: HashMap<&str, SourceId> =
        sources.iter().map(|(id, source)| (source.path.as_str(), id)).collect();
    let known = named.into_iter();
    known.filter_map(|(folder, name, file)| Some((folder, name, *files.get(file.as_str())?))).collect()
}

/// The file that a line names, and the variable that the next one declares.
fn variable(text: &str) -> Option<(&str, &str)> {
    let (line, rest) = text.split_once('\n')?;
    let file = line.trim().trim_matches(['"', '`']);
    let declared = rest.trim_start().lines().next()?;
    let mut words = declared.split_whitespace().skip_while(|word| *word == "var");
    let (name, kind) = (words.next()?, words.next()?);
    (matches!(kind, "string" | "[]byte") && !file.contains([' ', '*'])).then_some((file, name))
}

/// The path that is meant by one in a file.
pub(in crate::extract) fn beside(own: &str, named: &str) -> String {
    let mut parts: Vec<&str> = own.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

impl Folder<'_> {
    /// The text of the file that a variable of the folder stands for.
    pub(super) fn embedded_text(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        let unit = self.units.get(spot.unit).filter(|unit| unit.language.packages)?;
        let all = self.embedded.get_or_init(|| {
            let mut all = Embedded::default();
            for (folder, name, file) in embedded(self.sources, self.units) {
                all.entry(folder.to_owned()).or_default().insert(name.to_owned(), file);
            }
            all
        });
        let file = *all.get(folder_of(self.sources.path(unit.source)))?.get(name)?;
        let text = self.sources.get(file)?.text();
        (!self.declares(spot, name, at)).then(|| vec![Text::exact(text, file, 0)])
    }

    /// The texts that a macro makes of the text of a file which it is built with; none where no macro does.
    pub(in crate::extract) fn filled_in_place(&self, source: SourceId, text: &Text) -> Vec<Text> {
        let units = self.units.iter().enumerate().filter(|(_, unit)| !unit.is_test);
        let mut included = units.flat_map(|(at, unit)| {
            unit.sketch.includes.iter().map(move |call| (Spot::at(at, call.function), call.name as usize))
        });
        let path = self.sources.path(source);
        let filled = |(spot, include): (Spot, usize)| {
            let named = self.word(spot, include + 3).trim_matches(['"', '#', 'r']);
            let code =
                self.code(spot).filter(|_| beside(self.sources.path(self.source(spot)), named) == path)?;
            let open = code.around(include).next()?;
            let mark = open.checked_sub(1).filter(|&mark| code.is(mark, b'!'))?;
            let formats = code.language().formats.iter().filter(|format| format.bang);
            let style = formats.filter(|one| one.name == code.word(mark - 1)).map(|one| one.style).next()?;
            let (arguments, _) = code.arguments(open);
            let (&(first, _), values) = arguments.split_first()?;
            (first == include && style == FormatStyle::Braces)
                .then(|| self.fill_all(spot, std::slice::from_ref(text), values, style))
        };
        included.find_map(filled).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_meant_from_the_file_that_has_it() {
        assert_eq!(beside("src/store/mod.rs", "add.sql"), "src/store/add.sql");
        assert_eq!(beside("src/store/mod.rs", "../../sql/./add.sql"), "sql/add.sql");
        assert_eq!(beside("main.rs", "add.sql"), "add.sql");
    }

    #[test]
    fn a_variable_stands_for_one_file() {
        assert_eq!(variable("a.sql\nvar add string\n"), Some(("a.sql", "add")));
        assert_eq!(variable("\"a.sql\"\n\tadd []byte\n"), Some(("a.sql", "add")));
        assert_eq!(variable("*.sql\nvar all embed.FS\n"), None);
        assert_eq!(variable("a.sql b.sql\nvar all string\n"), None);
    }
}
