//! Room: a file of JSON for each version of the schema, and classes that lead from one to another. The last file holds what
//! a new database is made with. Where no such file is kept, that is told from the classes of which Room makes it.

mod classes;
mod entities;
mod writer;

use crate::extract::{is_test_code, text::Text};
use crate::migration::convention::{Convention, Declared, PLAIN, Place, Texts};
use crate::source::{Source, SourceId, Sources, Words};
use classes::File;
use entities::Room;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Room",
    reads,
    is_snapshot: |path| version(path).is_some(),
    place: |path| {
        let (folder, _) = version(path)?;
        Some(Place { folder, part: folder.rsplit('/').next()?, number: None })
    },
    texts,
    declares,
    is_in_code: |path| [".kt", ".java"].iter().any(|end| path.ends_with(end)),
    users: &USES,
    beside_index: "Room refuses a database whose indexes are not those of its entities: declare the index in `indices` of \
                   the `@Entity`, raise `version`, and let a migration make it under the name that Room gives it, \
                   `index_<table>_<columns>`",
    plain_indexes: true,
    ..PLAIN
};

/// What a file says that uses it.
const USES: [&str; 2] = ["androidx.room", "android.arch.persistence.room"];

/// The schemas of databases without a file of JSON, and the statements of methods that have none.
fn declares(sources: &Sources) -> Declared {
    static USING: Words<'_> = Words::new(&USES);
    let is_code = |source: &Source| matches!(source.path.rsplit('.').next(), Some("kt" | "java"));
    let code = sources.iter().filter(|(_, source)| is_code(source) && !is_test_code(&source.path));
    let all: Vec<(SourceId, &Source)> = code.collect();
    let own = all.par_iter().filter(|(_, source)| source.has_any(&USING)).map(|(id, _)| *id);
    let mut ids: BTreeSet<SourceId> = own.collect();
    if ids.is_empty() {
        return Declared::default();
    }
    let parse = |ids: &BTreeSet<SourceId>| -> Room<'_> {
        let files = ids.iter().filter_map(|id| Some((*id, sources.get(*id)?)));
        Room::new(files.map(|(id, source)| File::new(id, &source.path, source.text())).collect())
    };
    let room = parse(&ids);
    // What is embedded need not speak of Room itself.
    let wanted = room.wanted();
    let stem =
        |path: &str| path.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or("").to_owned();
    ids.extend(all.into_iter().filter(|(_, source)| wanted.contains(&stem(&source.path))).map(|(id, _)| id));
    let room = parse(&ids);
    let exported = |class: &str| {
        let is_of =
            |path: &str| version(path).is_some_and(|(folder, _)| folder.ends_with(&format!(".{class}")));
        sources.iter().any(|(_, source)| is_of(&source.path))
    };
    let schemas = room.databases().into_iter().filter(|(_, class, _)| !exported(class));
    let schemas = schemas.map(|(site, class, text)| (site, class.to_owned(), text)).collect();
    Declared { schemas, statements: room.writes() }
}

/// The folder, named after the class of the database, and the version of a schema.
fn version(path: &str) -> Option<(&str, u64)> {
    let (folder, file) = path.rsplit_once('/')?;
    let (above, class) = folder.rsplit_once('/')?;
    let is_class = class.contains('.') && above.rsplit('/').next()?.to_ascii_lowercase().ends_with("schemas");
    let number = file.strip_suffix(".json")?.parse().ok()?;
    is_class.then_some((folder, number))
}

/// The last version of each database.
fn reads(others: &[String]) -> Vec<&str> {
    let mut last: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    for path in others {
        if let Some((folder, number)) = version(path) {
            let own = last.entry(folder).or_insert((number, path));
            *own = (*own).max((number, path));
        }
    }
    last.into_values().map(|(_, path)| path).collect()
}

/// The statements of a schema: those that the file has as `createSql`, the names of their objects put in, and triggers.
fn texts(id: SourceId, source: &Source) -> Option<Texts> {
    let (_, number) = version(&source.path).filter(|_| source.text().contains("\"formatVersion\""))?;
    let mut schema = Text::default();
    let (mut key, mut name) = ("", "");
    for (start, inside) in strings(source.text()) {
        let behind = source.text().get(start + inside.len() + 1..).unwrap_or("");
        if behind.trim_start().starts_with(':') {
            key = inside;
            continue;
        }
        match key {
            "tableName" | "viewName" => name = inside,
            "createSql" | "contentSyncTriggers" => push(&mut schema, inside, name, (id, start)),
            _ => {}
        }
    }
    schema.push_at(&format!("PRAGMA user_version = {number};\n"), id, 0);
    Some(Texts { schema, ..Texts::default() })
}

/// The strings of a text of JSON, each with the place behind its opening quote, as they are written.
fn strings(json: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = json.get(at..).and_then(|rest| rest.find('"')) {
        let start = at + open + 1;
        let rest = json.get(start..).unwrap_or("");
        let mut is_escaped = false;
        let end = rest.bytes().position(|byte| {
            let ends = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        let Some(end) = end else { break };
        found.push((start, rest.get(..end).unwrap_or("")));
        at = start + end + 1;
    }
    found
}

/// Adds a statement. That it may be there already is said of none: it makes a new database.
fn push(schema: &mut Text, inside: &str, name: &str, (id, start): (SourceId, usize)) {
    const MARKS: [&str; 3] = ["${TABLE_NAME}", "${VIEW_NAME}", " IF NOT EXISTS"];
    let mut at = 0;
    while let Some(rest) = inside.get(at..).filter(|rest| !rest.is_empty()) {
        let offset = (start + at) as u32;
        let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
        at += if let Some(mark) = mark {
            schema.push_at(if mark.starts_with('$') { name } else { "" }, id, offset);
            mark.len()
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            let one = escaped.get(..1).unwrap_or("");
            schema.push_at(if matches!(one, "n" | "r" | "t" | "u") { " " } else { one }, id, offset);
            if one == "u" { 6 } else { 2 }
        } else {
            let length = rest.find(['$', '\\', ' ']).map_or(rest.len(), |end| end.max(1));
            schema.push(rest.get(..length).unwrap_or(""), id, offset);
            length
        };
    }
    schema.push_at(";\n", id, (start + inside.len()) as u32);
}
