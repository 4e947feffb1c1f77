//! The types of Go that are given back, or said to be, what the tree does not declare: an interface in a file that a tool writes
//! when the program is built. Who asks for it calls their methods, and is not in the tree. Reads lines, as `gofmt` has them.

use crate::source::{Source, Words};
use rayon::prelude::*;
use rustc_hash::FxHashSet as HashSet;

/// What may give back a type as another, or say that it is one.
static GIVES: Words<'_> = Words::new(&["return &", "var _ "]);

/// The types, each with its folder, of these files and their folders.
pub(super) fn undeclared<'a>(files: &[(&'a str, &'a Source)]) -> HashSet<(&'a str, String)> {
    let giving = files.par_iter().filter(|(_, source)| source.has_any(&GIVES));
    let given: Vec<(&str, Given)> = giving
        .flat_map_iter(|(folder, source)| source.peek(given).into_iter().map(|one| (*folder, one)))
        .collect();
    let folders: HashSet<&str> = given.iter().map(|(folder, _)| *folder).collect();
    let beside: Vec<&(&str, &Source)> = files.iter().filter(|(folder, _)| folders.contains(folder)).collect();
    let declared: Vec<(&str, String)> = beside
        .par_iter()
        .flat_map_iter(|(folder, source)| {
            let wanted = given.iter().filter(|(own, _)| own == folder).map(|(_, one)| one.wanted.as_str());
            let wanted: HashSet<&str> = wanted.collect();
            let found = source.peek(|text| declared(text, &wanted));
            found.into_iter().map(|name| (*folder, name)).collect::<Vec<_>>()
        })
        .collect();
    let declared: HashSet<(&str, String)> = declared.into_iter().collect();
    let open = given.into_iter().filter(|(folder, one)| !declared.contains(&(*folder, one.wanted.clone())));
    open.map(|(folder, one)| (folder, one.own)).collect()
}

/// A type that is given back.
#[derive(Debug, PartialEq, Eq)]
struct Given {
    own: String,
    /// As what.
    wanted: String,
}

fn given(text: &str) -> Vec<Given> {
    let mut lines = text.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let next = lines.peek().map_or("", |next| next.trim_start());
        found.extend(said(line).or_else(|| given_back(line, next)));
    }
    found
}

/// `var _ Wanted = (*Own)(nil)`, `var _ Wanted = &Own{}`
fn said(line: &str) -> Option<Given> {
    let (wanted, value) = line.strip_prefix("var _ ")?.split_once(" = ")?;
    let own = word(value.trim_start_matches(['(', '*', '&']));
    pair(own, wanted)
}

/// `func (r *Root) Marks() Wanted { return &Own{r} }`, or over several lines
fn given_back(line: &str, next: &str) -> Option<Given> {
    let (head, body) = line.strip_prefix("func ")?.split_once(" {")?;
    let (_, wanted) = head.trim_end().rsplit_once(") ")?;
    let body = if body.trim().is_empty() { next } else { body.trim_start() };
    let value = body.strip_prefix("return &")?;
    let own = word(value);
    pair(own, wanted).filter(|_| value.get(own.len()..).is_some_and(|rest| rest.starts_with('{')))
}

fn pair(own: &str, wanted: &str) -> Option<Given> {
    let is_open = wanted.starts_with(char::is_uppercase) && word(wanted) == wanted;
    (is_open && !own.is_empty()).then(|| Given { own: own.to_owned(), wanted: wanted.to_owned() })
}

/// Which of these types a file declares, alone or in a list of them.
fn declared(text: &str, wanted: &HashSet<&str>) -> Vec<String> {
    let name = |line: &str| {
        let line = line.trim_start();
        let name = word(line.strip_prefix("type ").unwrap_or(line));
        wanted.contains(name).then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// The name that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|one: char| !one.is_alphanumeric() && one != '_');
    text.get(..end.unwrap_or(text.len())).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_given_back_as_others() {
        let text = "func (r *Root) Marks() MarkResolver  { return &marks{r} }\n\
                    func (r *Root) Pens() PenResolver {\n\treturn &pens{r}\n}\n\
                    var _ Inker = (*ink)(nil)\n\
                    func New() *Root {\n\treturn &Root{}\n}\n\
                    func Serve() http.Handler {\n\treturn &server{}\n}\n";
        let one = |own: &str, wanted: &str| Given { own: own.to_owned(), wanted: wanted.to_owned() };
        assert_eq!(
            given(text),
            [one("marks", "MarkResolver"), one("pens", "PenResolver"), one("ink", "Inker")]
        );
    }

    #[test]
    fn types_are_declared_alone_or_in_a_list() {
        let wanted: HashSet<&str> = HashSet::from_iter(["Inker", "Penner", "Marker"]);
        let text = "type Inker interface {\n}\n\ntype (\n\tPenner interface{}\n)\n\nvar x Marker\n";
        assert_eq!(declared(text, &wanted), ["Inker", "Penner"]);
    }
}
