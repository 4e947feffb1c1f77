//! GRDB: migrations of Swift that say in calls what becomes of the schema, `db.create(table: "ship") { t in t.column("name", .text) }`:
//! <https://github.com/groue/GRDB.swift>. A table with a column whose name is computed is left out.

use crate::migration::{
    convention::{Convention, Declared, PLAIN},
    draft::{Column, Draft, Index, Place, Table, quoted},
    files::compare,
    tokens::{Code, Link, Range},
};
use crate::{
    extract::{is_test_code, languages},
    source::{Source, SourceId, Sources, Words, folder_of},
};
use std::collections::BTreeMap;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "GRDB", declares, ..PLAIN };

/// What has the name of the table of a type.
const NAME: &str = "databaseTableName";

/// How far behind that its text stands, in tokens.
const NEAR: usize = 10;

/// The schemas that the migrations of each folder lead to.
fn declares(sources: &Sources) -> Declared {
    static USING: Words<'_> = Words::new(&["create(table:"]);
    static NAMING: Words<'_> = Words::new(&[NAME]);
    let is_swift = |path: &str| languages::of(path).is_some_and(|language| language.name == "Swift");
    let is_code = |source: &Source| is_swift(&source.path) && !is_test_code(&source.path);
    let having = |words: &'static Words<'static>| {
        sources.iter().filter(move |(_, source)| is_code(source) && source.has_any(words))
    };
    let mut files: Vec<(SourceId, &Source)> = having(&USING).collect();
    if files.is_empty() {
        return Declared::default();
    }
    files.sort_by(|(_, one), (_, other)| compare(&one.path, &other.path));
    let names: BTreeMap<String, String> =
        having(&NAMING).flat_map(|(_, source)| names(source.text())).collect();
    let mut drafts: BTreeMap<&str, Draft> = BTreeMap::new();
    for (id, source) in files {
        let reader = Reader { id, code: Code::new(source.text()), names: &names };
        reader.read(drafts.entry(folder_of(&source.path)).or_default());
    }
    let schemas = drafts.into_values().filter_map(|draft| draft.declared("main".to_owned()));
    Declared { schemas: schemas.collect(), ..Declared::default() }
}

/// The names of the tables of types: `static let databaseTableName = "ship"`.
fn names(text: &str) -> Vec<(String, String)> {
    let code = Code::new(text);
    let (mut owner, mut found) = ("", Vec::new());
    for at in 0..code.length() {
        match code.word(at) {
            "struct" | "class" | "enum" | "extension" if !code.word(at + 1).is_empty() => {
                owner = code.word(at + 1);
            }
            NAME if !code.is(at.wrapping_sub(1), ".") => {
                let text = (at + 1..at + NEAR).find_map(|at| code.text(at));
                found.extend(text.map(|text| (owner.to_owned(), text.to_owned())));
            }
            _ => {}
        }
    }
    found
}

/// A file of code.
struct Reader<'a> {
    id: SourceId,
    code: Code<'a>,
    names: &'a BTreeMap<String, String>,
}

impl<'a> Reader<'a> {
    fn read(&self, draft: &mut Draft) {
        let code = &self.code;
        for at in 0..code.length() {
            let does = matches!(code.word(at), "create" | "alter" | "drop" | "rename");
            if does && code.is(at.wrapping_sub(1), ".") && code.is(at + 1, "(") {
                self.apply(code.word(at), at + 1, draft);
            }
        }
    }

    fn apply(&self, verb: &str, open: usize, draft: &mut Draft) -> Option<()> {
        let code = &self.code;
        let place = (self.id, code.start(open) as u32);
        let of = |label: &str| self.labelled(open, label).and_then(|range| self.name(range));
        match verb {
            "create" => {
                if let Some(name) = of("table") {
                    let is_whole = self.fill(draft.create(&name, place)?, &name, open).is_some();
                    if !is_whole {
                        draft.drop(&name);
                    }
                } else if let Some(name) = of("virtualTable") {
                    draft.add(&name, self.virtual_table(&name, open)?, place);
                } else {
                    let (name, table) = (of("index"), of("on").or_else(|| of("indexOn"))?);
                    let columns = self.labelled(open, "columns").or_else(|| self.labelled(open, "on"))?;
                    let columns = self.list(columns)?;
                    let own = || format!("index_{table}_on_{}", columns.join("_"));
                    let says = |label: &str| self.labelled(open, label).map(|range| code.spelling(range));
                    let is_unique = says("unique").as_deref() == Some("true")
                        || says("options").is_some_and(|options| options.contains("unique"));
                    let name = name.unwrap_or_else(own);
                    let columns = columns.into_iter().map(|column| (column, false)).collect();
                    draft.table(&table)?.index(Index { name, columns, is_unique, predicate: None, place });
                }
            }
            "alter" => {
                let name = of("table")?;
                let is_whole = self.fill(draft.table(&name)?, &name, open).is_some();
                if !is_whole {
                    draft.drop(&name);
                }
            }
            "drop" => match (of("table"), of("index")) {
                (Some(table), _) => draft.drop(&table),
                (_, Some(index)) => draft.drop_index(&index),
                _ => {}
            },
            _ => draft.rename(&of("table")?, &of("to")?),
        }
        Some(())
    }

    /// What stands behind a label of a call.
    fn labelled(&self, open: usize, label: &str) -> Option<Range> {
        let code = &self.code;
        let mut given = code.arguments(open).into_iter();
        given
            .find(|&(from, _)| code.word(from) == label && code.is(from + 1, ":"))
            .map(|(from, to)| (from + 2, to))
    }

    /// A name: a text, or that of the table of a type.
    fn name(&self, (from, to): Range) -> Option<String> {
        let code = &self.code;
        if to == from + 1 {
            return code.text(from).filter(|text| !text.contains('\\')).map(str::to_owned);
        }
        let owner = (to == from + 3 && code.word(from + 2) == NAME).then(|| code.word(from))?;
        // A type without a name for its table has its own.
        let own = || owner.get(..1).map(|first| first.to_ascii_lowercase() + owner.get(1..).unwrap_or(""));
        self.names.get(owner).cloned().or_else(own)
    }

    /// The names of a list; `None` where one is computed.
    fn list(&self, (from, to): Range) -> Option<Vec<String>> {
        if !self.code.is(from, "[") {
            return self.name((from, to)).map(|name| vec![name]);
        }
        self.code.arguments(from).into_iter().map(|range| self.name(range)).collect()
    }

    /// The closure behind a call: its parameter and its braces.
    fn closure(&self, open: usize) -> Option<(&'a str, Range)> {
        let code = &self.code;
        let brace = code.close(open) + 1;
        let is_one = code.is(brace, "{") && code.word(brace + 2) == "in";
        is_one.then(|| (code.word(brace + 1), (brace + 3, code.close(brace))))
    }

    /// The lines of a closure that begin with its parameter.
    fn lines(&self, own: &str, (from, to): Range) -> Vec<(Vec<Link<'a>>, usize)> {
        let code = &self.code;
        let is_line = |&at: &usize| code.word(at) == own && code.is(at + 1, ".") && !code.is(at - 1, ".");
        (from..to).filter(is_line).map(|at| (code.links(at).0, at)).collect()
    }

    /// What a closure makes of a table; `None` where it has a column whose name is computed.
    fn fill(&self, table: &mut Table, name: &str, open: usize) -> Option<()> {
        let (own, body) = self.closure(open)?;
        for (links, at) in self.lines(own, body) {
            self.line(table, name, &links, (self.id, self.code.start(at) as u32))?;
        }
        Some(())
    }

    fn line(&self, table: &mut Table, name: &str, links: &[Link<'a>], place: Place) -> Option<()> {
        let code = &self.code;
        let Some((first, rest)) = links.split_first() else { return Some(()) };
        let Some(open) = first.open else { return Some(()) };
        let given = code.arguments(open);
        let of = |label: &str| self.labelled(open, label);
        let columns = || given.first().and_then(|&range| self.list(range));
        match (first.name, given.first()) {
            ("autoIncrementedPrimaryKey", Some(&range)) => {
                let kind = "INTEGER".to_owned();
                table.put(Column {
                    name: self.name(range)?,
                    kind,
                    is_key: true,
                    counts: true,
                    ..Column::default()
                });
            }
            ("primaryKey", Some(&(from, _))) if code.is(from, "[") => table.primary(columns()?),
            ("uniqueKey", _) => table.unique(columns()?),
            ("foreignKey", _) => {
                let to = of("columns").and_then(|range| self.list(range)).unwrap_or_default();
                table.refer(columns()?, &of("references").and_then(|range| self.name(range))?, to);
            }
            ("drop", _) => table.drop(&of("column").and_then(|range| self.name(range))?),
            ("rename", _) => {
                let name = |label| of(label).and_then(|range| self.name(range));
                table.rename(&name("column")?, &name("to")?);
            }
            ("column" | "add" | "primaryKey", Some(&range)) => {
                let named = of("column").or_else(|| (!code.is(range.0 + 1, ":")).then_some(range));
                let kind = given.get(1).map_or("", |&(from, _)| code.word(from + 1));
                let mut column =
                    Column { name: self.name(named?)?, kind: kind.to_uppercase(), ..Column::default() };
                column.is_key = first.name == "primaryKey";
                for link in rest {
                    if self.say(&mut column, link) {
                        let name = format!("{name}_on_{}", column.name);
                        let columns = vec![(column.name.clone(), false)];
                        table.index(Index { name, columns, is_unique: false, predicate: None, place });
                    }
                }
                table.put(column);
            }
            _ => {}
        }
        Some(())
    }

    /// What a call says of the column in front of it; whether it makes an index on it.
    fn say(&self, column: &mut Column, link: &Link<'_>) -> bool {
        let code = &self.code;
        match (link.name, link.open) {
            ("notNull", _) => column.is_needed = true,
            ("unique", _) => column.is_unique = true,
            ("primaryKey", _) => column.is_key = true,
            ("indexed", _) => return true,
            ("defaults", Some(open)) => {
                column.default = self.labelled(open, "to").and_then(|range| code.value(range));
            }
            ("references", Some(open)) => {
                let table = code.arguments(open).first().and_then(|&range| self.name(range));
                let to = self.labelled(open, "column").and_then(|range| self.name(range));
                column.refers_to = table.map(|table| (table, to.unwrap_or_default()));
            }
            _ => {}
        }
        false
    }

    /// What makes a virtual table of FTS.
    fn virtual_table(&self, name: &str, open: usize) -> Option<String> {
        let code = &self.code;
        let module = self.labelled(open, "using").map(|(from, _)| code.word(from).to_lowercase());
        let module = module.filter(|module| module.starts_with("fts"))?;
        let (own, body) = self.closure(open)?;
        let mut parts = Vec::new();
        for (links, _) in self.lines(own, body) {
            let Some((first, open)) = links.first().and_then(|link| Some((link.name, link.open?))) else {
                continue;
            };
            match first {
                "column" => parts.push(self.name(*code.arguments(open).first()?)?),
                "synchronize" => {
                    let table = self.labelled(open, "withTable").and_then(|range| self.name(range))?;
                    parts.push(format!("content='{}'", table.replace('\'', "''")));
                }
                _ => {}
            }
        }
        Some(format!("CREATE VIRTUAL TABLE {} USING {module}({})", quoted(name), parts.join(", ")))
    }
}
