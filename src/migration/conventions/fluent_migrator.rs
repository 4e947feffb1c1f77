//! `FluentMigrator`: classes of C# with a number, whose methods say in chains of calls what becomes of the schema:
//! <https://fluentmigrator.github.io>. What they do in code, or by SQL, is not read here.

use crate::migration::{
    convention::{Convention, Declared, PLAIN},
    draft::{Column, Draft, Index, Place, Table, speaks_of_sqlite},
    levels::Level,
    tokens::{Code, Link, Range, is_csharp},
};
use crate::{
    extract::is_test_code,
    source::{Source, SourceId, Sources, Words, folder_of, folders_above},
};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "FluentMigrator",
    words: &["FluentMigrator"],
    undoes: is_for_another,
    declares,
    own_tables: &[(
        "VersionInfo",
        "CREATE TABLE \"VersionInfo\" (\"Version\" INTEGER NOT NULL, \"AppliedOn\" DATETIME, \"Description\" TEXT)",
    )],
    ..PLAIN
};

/// How far behind the head of a shortcut for a table its chain begins, in tokens.
const NEAR: usize = 40;

/// A file of code.
struct File<'a> {
    id: SourceId,
    folder: &'a str,
    code: Code<'a>,
}

/// A method of a migration that leads forward.
struct Step<'f, 'a> {
    number: u64,
    file: &'f File<'a>,
    name: &'a str,
    body: Range,
}

/// The schemas that the migrations lead to, one for each name that their methods have.
fn declares(sources: &Sources) -> Declared {
    static USING: Words<'_> = Words::new(&["FluentMigrator"]);
    let is_code =
        |source: &Source| is_csharp(&source.path) && !is_test_code(&source.path) && source.has_any(&USING);
    let files = sources.iter().filter(|(_, source)| is_code(source)).map(|(id, source)| File {
        id,
        folder: folder_of(&source.path),
        code: Code::new(source.text()),
    });
    let files: Vec<File<'_>> = files.collect();
    let is_sqlite = |source: &Source| is_csharp(&source.path) && speaks_of_sqlite(source);
    if files.is_empty() || !sources.iter().any(|(_, source)| is_sqlite(source)) {
        return Declared::default();
    }
    let shortcuts: BTreeMap<&str, Vec<Column>> = files.iter().flat_map(shortcuts).collect();
    let mut steps: Vec<Step<'_, '_>> = files.iter().flat_map(steps).collect();
    steps.sort_by_key(|step| step.number);
    let mut drafts: BTreeMap<(&str, String), Draft> = BTreeMap::new();
    let projects = sources.others.iter().filter(|path| path.strip_suffix(".csproj").is_some());
    let projects: BTreeSet<&str> = projects.map(|path| folder_of(path)).collect();
    for step in steps {
        let draft = drafts.entry((project(&projects, step.file.folder), database(step.name))).or_default();
        read(step.file, step.body, draft, &shortcuts);
    }
    let schemas = drafts.into_iter().filter_map(|((_, name), draft)| draft.declared(name));
    Declared { schemas: schemas.collect(), ..Declared::default() }
}

/// Whether a text stands in a call that runs on another system alone: `IfDatabase(ProcessorIdConstants.PostgreSQL).Execute.Sql(…)`.
fn is_for_another(levels: &[Level<'_>]) -> bool {
    levels.iter().any(|level| {
        let chain = level.head().rsplit([';', '{', '}']).next().unwrap_or("");
        let system = chain.split_once("IfDatabase(").and_then(|(_, rest)| rest.split_once(')'));
        // Texts are blank here.
        system
            .is_some_and(|(name, _)| !name.trim().is_empty() && !name.to_ascii_lowercase().contains("sqlite"))
    })
}

/// The folder among those of projects that a folder belongs to; that of the tree, where it belongs to none.
fn project<'f>(projects: &BTreeSet<&str>, folder: &'f str) -> &'f str {
    let mut own = std::iter::once(folder).chain(folders_above(folder));
    own.find(|folder| projects.contains(folder)).unwrap_or("")
}

/// The database that the name of a method speaks of: `Up` of the only one, `LogDbUpgrade` of the one for the log.
fn database(method: &str) -> String {
    const ENDS: [&str; 4] = ["DbUpgrade", "DatabaseUpgrade", "Upgrade", "Up"];
    let name = ENDS.iter().find_map(|end| method.strip_suffix(end)).unwrap_or(method);
    if name.is_empty() { "main".to_owned() } else { name.to_ascii_lowercase() }
}

/// The methods of the migrations of a file that lead forward.
fn steps<'f, 'a>(file: &'f File<'a>) -> Vec<Step<'f, 'a>> {
    let code = &file.code;
    let mut found = Vec::new();
    let mut number = None;
    for at in 0..code.length() {
        match code.word(at) {
            "Migration" | "TimestampedMigration"
                if code.is(at + 1, "(") && code.is(at.wrapping_sub(1), "[") =>
            {
                number = number_of(code, at + 1);
            }
            "override" => {
                let end = (at + 1..at + 8).find(|&at| code.is(at, "(")).unwrap_or(at);
                let (name, open) = (code.word(end.wrapping_sub(1)), code.close(end) + 1);
                // What is not closed reaches to the end of the file.
                let is_closed = code.is(open, "{") && code.close(open) < code.length();
                if let Some(number) = number.filter(|_| end > at && is_closed && name != "Down") {
                    found.push(Step { number, file, name, body: (open + 1, code.close(open)) });
                }
            }
            _ => {}
        }
    }
    found
}

/// The number in a parenthesis; of several, as the parts of a time have them, one behind the other.
fn number_of(code: &Code<'_>, open: usize) -> Option<u64> {
    let numbers = code.arguments(open).into_iter().map(|(from, _)| {
        let digits = code.word(from).trim_end_matches(['L', 'l']).replace('_', "");
        digits.parse::<u64>().ok()
    });
    let all: Vec<u64> = numbers.map_while(|one| one).collect();
    all.split_first().map(|(first, more)| {
        more.iter().fold(*first, |sum, one| sum.saturating_mul(100).saturating_add(*one))
    })
}

/// The methods of the tree that make a table with columns of its own: `TableForModel(this ICreateExpressionRoot root, string name)`.
fn shortcuts<'a>(file: &File<'a>) -> Vec<(&'a str, Vec<Column>)> {
    let code = &file.code;
    let is_one = |at: &usize| {
        code.word(*at).starts_with("Table") && code.is(at + 1, "(") && code.word(at + 2) == "this"
    };
    let shortcut = |at: usize| {
        let behind = code.close(at + 1);
        let makes = (behind..behind + NEAR).find(|&at| code.word(at) == "Table" && code.is(at - 1, "."))?;
        let mut reader = Columns::default();
        for link in code.links(makes - 2).0.iter().skip(1) {
            reader.take(code, link);
        }
        Some((code.word(at), reader.end()))
    };
    (0..code.length()).filter(is_one).filter_map(shortcut).collect()
}

/// What the chains of a method make of a schema.
fn read(file: &File<'_>, (from, to): Range, draft: &mut Draft, shortcuts: &BTreeMap<&str, Vec<Column>>) {
    let code = &file.code;
    let mut at = from;
    while at < to {
        let mut root = at;
        let is_root = !code.is(at.wrapping_sub(1), ".") || code.word(at.wrapping_sub(2)) == "this";
        if is_root && code.word(at) == "IfDatabase" && code.is(at + 1, "(") {
            let close = code.close(at + 1);
            let is_own = code.spelling((at + 2, close)).to_ascii_lowercase().contains("sqlite");
            root = if is_own { close + 2 } else { to };
            at = if is_own { close + 2 } else { code.links(close).1 };
        }
        if is_root && root < to && matches!(code.word(root), "Create" | "Alter" | "Delete" | "Rename") {
            let (chain, end) = code.links(root);
            let place = (file.id, code.start(root) as u32);
            Chain { code, links: &chain, place }.apply(code.word(root), draft, shortcuts);
            at = end;
        }
        at += 1;
    }
}

/// A chain of calls.
struct Chain<'c, 'a> {
    code: &'c Code<'a>,
    links: &'c [Link<'a>],
    place: Place,
}

impl<'a> Chain<'_, 'a> {
    /// The texts that the calls of these names are given.
    fn given(&self, names: &[&str]) -> Vec<&'a str> {
        let own = self.links.iter().filter(|link| names.contains(&link.name)).filter_map(|link| link.open);
        own.flat_map(|open| self.code.texts(open)).collect()
    }

    fn first(&self, names: &[&str]) -> Option<&'a str> {
        self.given(names).first().copied()
    }

    fn apply(&self, root: &str, draft: &mut Draft, shortcuts: &BTreeMap<&str, Vec<Column>>) -> Option<()> {
        let (first, rest) = self.links.split_first()?;
        let name = first.open.and_then(|open| self.code.texts(open).first().copied());
        let on = || self.first(&["OnTable", "FromTable"]);
        match (root, first.name) {
            ("Create", kind) if kind.starts_with("Table") => {
                let table = draft.create(name?, self.place)?;
                shortcuts.get(kind).into_iter().flatten().for_each(|one| table.put(one.clone()));
                self.columns(None, rest, table);
            }
            ("Alter", "Table") => self.columns(None, rest, draft.table(name?)?),
            ("Create" | "Alter", "Column") => self.columns(name, rest, draft.table(on()?)?),
            ("Create", "Index") => {
                let table = on()?;
                let index = self.index(name, table);
                draft.table(table)?.index(index);
            }
            ("Create", "UniqueConstraint") => {
                draft.table(on()?)?.unique(owned(&self.given(&["Column", "Columns"])));
            }
            ("Create", "PrimaryKey") => {
                draft.table(on()?)?.primary(owned(&self.given(&["Column", "Columns"])));
            }
            ("Create", "ForeignKey") => {
                let own = owned(&self.given(&["ForeignColumn", "ForeignColumns"]));
                let to = owned(&self.given(&["PrimaryColumn", "PrimaryColumns"]));
                draft.table(on()?)?.refer(own, self.first(&["ToTable"])?, to);
            }
            ("Delete", "Table") => draft.drop(name?),
            ("Delete", "Column") => {
                let table = draft.table(on()?)?;
                for column in self.given(&["Column"]) {
                    table.drop(column);
                }
            }
            ("Delete", "Index" | "UniqueConstraint") => {
                if let Some(name) = name {
                    draft.drop_index(name);
                }
                let columns = owned(&self.given(&["OnColumn", "OnColumns", "Column", "Columns"]));
                draft.table(on()?)?.drop_index_of(&columns);
            }
            ("Rename", "Table") => draft.rename(name?, self.first(&["To"])?),
            ("Rename", "Column") => draft.table(on()?)?.rename(name?, self.first(&["To"])?),
            _ => {}
        }
        Some(())
    }

    /// The columns that calls add to a table, or make anew; the first of them where it is named.
    fn columns(&self, name: Option<&str>, links: &[Link<'a>], table: &mut Table) {
        let mut reader = Columns::default();
        reader.begin(name);
        for link in links {
            reader.take(self.code, link);
            if link.name == "Indexed"
                && let Some(column) = &reader.open
            {
                let named = link.open.and_then(|open| self.code.texts(open).first().copied());
                let columns = vec![(column.name.clone(), false)];
                let name =
                    named.map_or_else(|| format!("IX_{}_{}", table.name(), column.name), str::to_owned);
                reader.indexes.push(Index {
                    name,
                    columns,
                    is_unique: false,
                    predicate: None,
                    place: self.place,
                });
            }
        }
        let indexes = std::mem::take(&mut reader.indexes);
        for column in reader.end() {
            table.put(column);
        }
        for index in indexes {
            table.index(index);
        }
    }

    fn index(&self, name: Option<&str>, table: &str) -> Index {
        let mut columns: Vec<(String, bool)> = Vec::new();
        for link in self.links {
            match link.name {
                "OnColumn" => {
                    let named = link.open.into_iter().flat_map(|open| self.code.texts(open));
                    columns.extend(named.map(|column| (column.to_owned(), false)));
                }
                "Descending" => {
                    if let Some((_, is_from_end)) = columns.last_mut() {
                        *is_from_end = true;
                    }
                }
                _ => {}
            }
        }
        let own =
            || columns.iter().fold(format!("IX_{table}"), |name, (column, _)| format!("{name}_{column}"));
        let name = name.map_or_else(own, str::to_owned);
        let is_unique = self.links.iter().any(|link| link.name == "Unique");
        Index { name, columns, is_unique, predicate: None, place: self.place }
    }
}

/// The columns of a chain, as they are read.
#[derive(Default)]
struct Columns {
    found: Vec<Column>,
    open: Option<Column>,
    indexes: Vec<Index>,
}

impl Columns {
    fn begin(&mut self, name: Option<&str>) {
        self.found.extend(self.open.take());
        self.open = name.map(|name| Column { name: name.to_owned(), is_needed: true, ..Column::default() });
    }

    /// Takes a call that begins a column, or says something of the one that is open.
    fn take(&mut self, code: &Code<'_>, link: &Link<'_>) {
        let given = || link.open.map_or_else(Vec::new, |open| code.texts(open));
        if matches!(link.name, "WithColumn" | "AddColumn" | "AlterColumn") {
            return self.begin(given().first().copied());
        }
        let Some(column) = &mut self.open else { return };
        match link.name {
            "Nullable" => column.is_needed = false,
            "NotNullable" => column.is_needed = true,
            "PrimaryKey" => column.is_key = true,
            "Identity" => column.counts = true,
            "Unique" => column.is_unique = true,
            "WithDefaultValue" => column.default = link.open.and_then(|open| code.first_value(open)),
            "ForeignKey" => {
                if let [.., table, to] = given().as_slice() {
                    column.refers_to = Some(((*table).to_owned(), (*to).to_owned()));
                }
            }
            "AsCustom" => column.kind = given().first().map_or_else(String::new, |kind| (*kind).to_owned()),
            other => {
                if let Some(kind) = kind(other) {
                    kind.clone_into(&mut column.kind);
                }
            }
        }
    }

    fn end(mut self) -> Vec<Column> {
        self.begin(None);
        self.found
    }
}

/// The type that the method of a column stands for on SQLite.
fn kind(method: &str) -> Option<&'static str> {
    Some(match method.strip_prefix("As")? {
        "Boolean" | "Byte" | "Int16" | "Int32" | "Int64" => "INTEGER",
        "AnsiString" | "FixedLengthAnsiString" | "FixedLengthString" | "String" | "Time" | "Xml" => "TEXT",
        "Guid" => "UNIQUEIDENTIFIER",
        "Currency" | "Decimal" | "Double" | "Float" => "NUMERIC",
        "Binary" => "BLOB",
        "Date" | "DateTime" | "DateTime2" | "DateTimeOffset" => "DATETIME",
        _ => return None,
    })
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
