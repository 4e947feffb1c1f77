//! knex: modules with a function up and one down, which say in calls what becomes of the schema: <https://knexjs.org>. Raw SQL is read
//! where it stands; loops and names that are computed are not.

use crate::migration::{
    convention::{Convention, Declared, PLAIN},
    draft::{Column, Draft, Index, Place, Table, quoted, speaks_of_sqlite},
    tokens::{Code, Link, Range},
};
use crate::{
    extract::is_test_code,
    source::{Source, SourceId, Sources, Words, folder_of},
};
use std::collections::BTreeMap;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "knex", declares, ..PLAIN };

/// What a chain of calls goes on with behind the name of the schema.
const SCHEMA: &str = "schema";

/// What is said of a table and makes no column.
const OTHERS: [&str; 11] = [
    "comment",
    "engine",
    "charset",
    "collate",
    "inherits",
    "dropForeign",
    "setNullable",
    "dropNullable",
    "queryContext",
    "check",
    "dropChecks",
];

/// What makes a table, or changes one.
const BUILDS: [&str; 4] = ["createTable", "createTableIfNotExists", "alterTable", "table"];

fn is_code(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "js" | "ts" | "mjs" | "cjs" | "mts" | "cts")))
}

/// The schemas that the migrations lead to: those of a folder, with what stands beside it.
fn declares(sources: &Sources) -> Declared {
    static USING: Words<'_> = Words::new(&["createTable(", "createTableIfNotExists("]);
    static NAMING: Words<'_> = Words::new(&["knex"]);
    static CHANGING: Words<'_> = Words::new(&["schema.", ".schema\n", ".schema\r"]);
    let is_own = |source: &Source| is_code(&source.path) && !is_test_code(&source.path);
    let is_wanted = |source: &Source| source.has_any(&CHANGING) && source.has_any(&NAMING);
    let makes = |source: &Source| source.has_any(&USING) && is_wanted(source);
    let code = || sources.iter().filter(|(_, source)| is_own(source));
    if !code().any(|(_, source)| makes(source)) || !code().any(|(_, source)| speaks_of_sqlite(source)) {
        return Declared::default();
    }
    let mut drafts: BTreeMap<&str, Draft> = BTreeMap::new();
    let mut files: Vec<(SourceId, &Source)> = code().filter(|(_, source)| is_wanted(source)).collect();
    // What has no number begins.
    files.sort_by_key(|(_, source)| is_numbered(&source.path));
    for (id, source) in files {
        let folder = folder_of(&source.path);
        let home = if is_numbered(&source.path) { folder_of(folder) } else { folder };
        Reader { id, code: Code::of_scripts(source.text()) }.read(drafts.entry(home).or_default());
    }
    let schemas = drafts.into_values().filter_map(|draft| draft.declared("main".to_owned()));
    Declared { schemas: schemas.collect(), ..Declared::default() }
}

/// Whether the name of a file begins with the time at which it was written.
fn is_numbered(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.starts_with(|first: char| first.is_ascii_digit())
}

/// A file of code.
struct Reader<'a> {
    id: SourceId,
    code: Code<'a>,
}

impl Reader<'_> {
    fn read(&self, draft: &mut Draft) {
        let code = &self.code;
        let (mut at, mut is_back) = (0, false);
        while at < code.length() {
            // `exports.down = `, `down: `, `function down(`, `const down = `, `async down(knex) {`
            let is_head = || {
                let is_member = code.is(at.wrapping_sub(1), ".");
                let is_declared =
                    matches!(code.word(at.wrapping_sub(1)), "function" | "const" | "let" | "var");
                let is_named = code.is(at + 1, "(") || code.is(at + 1, ":");
                is_declared || if is_member { code.is(at + 1, "=") } else { is_named }
            };
            match code.word(at) {
                "down" if is_head() => is_back = true,
                "up" if is_head() => is_back = false,
                "if" => at = self.behind_others(at).unwrap_or(at),
                SCHEMA if !is_back && code.is(at + 1, ".") => {
                    // What stands within the chain has chains of its own.
                    for link in code.links(at).0 {
                        self.apply(&link, draft);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The end of what runs on another system: `if (knex.client.dialect === "mysql") {`.
    fn behind_others(&self, at: usize) -> Option<usize> {
        const OTHERS: [&str; 7] = ["mysql", "mysql2", "mariadb", "pg", "postgres", "postgresql", "mssql"];
        let code = &self.code;
        let open = at + 1;
        let close = code.is(open, "(").then(|| code.close(open))?;
        let texts = || (open..close).filter_map(|at| code.text(at));
        let is_plain = !(open..close).any(|at| code.is(at, "!") || code.is(at, "|"));
        let is_other =
            texts().any(|text| OTHERS.contains(&text)) && !texts().any(|text| text.contains("sqlite"));
        if !(is_other && is_plain) {
            return None;
        }
        if code.is(close + 1, "{") {
            return Some(code.close(close + 1));
        }
        // One statement, up to where the block around it ends.
        let mut end = close + 1;
        while end < code.length() && !code.is(end, ";") && !code.is(end, "}") {
            end = if code.is(end, "(") || code.is(end, "{") { code.close(end) + 1 } else { end + 1 };
        }
        Some(end)
    }

    fn apply(&self, link: &Link<'_>, draft: &mut Draft) -> Option<()> {
        let code = &self.code;
        let open = link.open?;
        let given = code.texts(open);
        let place = (self.id, code.start(open) as u32);
        match link.name {
            build if BUILDS.contains(&build) => {
                let name = given.first()?;
                let table =
                    if build.starts_with("create") { draft.create(name, place) } else { draft.table(name) };
                let callback = *code.arguments(open).last()?;
                if self.fill(table?, name, callback).is_none() {
                    draft.drop(name);
                }
            }
            "dropTable" | "dropTableIfExists" => draft.drop(given.first()?),
            "renameTable" => draft.rename(given.first()?, given.get(1)?),
            _ => {}
        }
        Some(())
    }

    /// What a callback says of a table: `(table) => { table.increments("id"); }`.
    fn fill(&self, table: &mut Table, name: &str, (from, to): Range) -> Option<()> {
        let code = &self.code;
        let open = (from..to).find(|&at| code.is(at, "{"))?;
        // `function (t) {`, `(t: Knex.TableBuilder) => {`, `t => {`
        let own =
            (from..open).map(|at| code.word(at)).find(|word| !matches!(*word, "" | "async" | "function"))?;
        let mut at = open;
        while at < code.close(open) {
            let is_own = code.word(at) == own && !code.is(at - 1, ".");
            if is_own && code.is(at + 1, ".") {
                let (links, end) = code.links(at);
                self.line(table, name, &links, (self.id, code.start(at) as u32));
                at = end.max(at + 1);
            } else if is_own {
                // Who is handed it may add what is not seen.
                return None;
            } else {
                at += 1;
            }
        }
        Some(())
    }

    /// A line of a callback: a column, or what becomes of one, of an index or a key.
    fn line(&self, table: &mut Table, name: &str, links: &[Link<'_>], place: Place) -> Option<()> {
        let code = &self.code;
        let (first, rest) = links.split_first()?;
        let open = first.open?;
        let given = code.texts(open);
        let listed = || self.names(open);
        match first.name {
            "index" | "unique" => {
                let index = self.index(name, listed(), (open, false), first.name == "unique", place);
                table.index(index);
            }
            "primary" => table.primary(listed()),
            "foreign" => {
                let columns = listed();
                let to = |call: &str| {
                    let link = rest.iter().find(|link| link.name == call)?;
                    Some(self.names(link.open?))
                };
                table.refer(columns, to("inTable")?.first()?, to("references").unwrap_or_default());
            }
            "dropColumn" | "dropColumns" => given.iter().for_each(|column| table.drop(column)),
            "dropPrimary" => table.primary(Vec::new()),
            "dropTimestamps" => ["created_at", "updated_at"].iter().for_each(|column| table.drop(column)),
            "renameColumn" => table.rename(given.first()?, given.get(1)?),
            "dropIndex" | "dropUnique" => table.drop_index_of(&listed()),
            "timestamps" => {
                let is_camel =
                    code.arguments(open).get(2).is_some_and(|&range| code.spelling(range) == "true");
                let names = if is_camel { ["createdAt", "updatedAt"] } else { ["created_at", "updated_at"] };
                for column in names {
                    table.put(Column {
                        name: column.to_owned(),
                        kind: "datetime".to_owned(),
                        ..Column::default()
                    });
                }
            }
            _ => self.column(table, name, links, place)?,
        }
        Some(())
    }

    /// A column, with the indexes that are made beside it.
    fn column(&self, table: &mut Table, name: &str, links: &[Link<'_>], place: Place) -> Option<()> {
        let (first, rest) = links.split_first()?;
        let open = first.open?;
        let counts = first.name.ends_with("ncrements");
        let named = self.code.texts(open).first().copied().or_else(|| counts.then_some("id"))?;
        let kind = self.kind(first.name, open)?;
        let mut column = Column { name: named.to_owned(), kind, counts, ..Column::default() };
        (column.is_key, column.is_needed) = (counts, counts);
        for link in rest {
            if let Some(is_unique) = self.say(&mut column, link) {
                let columns = vec![named.to_owned()];
                table.index(self.index(name, columns, (link.open?, true), is_unique, place));
            }
        }
        table.put(column);
        Some(())
    }

    /// What a call says of the column in front of it; whether an index on it is unique, where it makes one.
    fn say(&self, column: &mut Column, link: &Link<'_>) -> Option<bool> {
        let code = &self.code;
        let given = link.open.map_or_else(Vec::new, |open| code.texts(open));
        match link.name {
            "notNullable" => column.is_needed = true,
            "nullable" => column.is_needed = false,
            "primary" => column.is_key = true,
            "defaultTo" => column.default = link.open.and_then(|open| code.first_value(open)),
            "references" => {
                // `references("ship.id")`
                let (table, to) = given.first()?.split_once('.').unwrap_or(("", given.first()?));
                column.refers_to = Some((table.to_owned(), to.to_owned()));
            }
            "inTable" | "on" => {
                if let Some((table, _)) = &mut column.refers_to {
                    (*given.first()?).clone_into(table);
                }
            }
            "index" => return Some(false),
            "unique" => return Some(true),
            _ => {}
        }
        None
    }

    /// The names that a call is given first: a text, or a list of them.
    fn names(&self, open: usize) -> Vec<String> {
        let code = &self.code;
        let first = code.arguments(open).first().copied();
        let names = first.map_or_else(Vec::new, |(from, _)| {
            if code.is(from, "[") { code.texts(from) } else { code.text(from).into_iter().collect() }
        });
        names.into_iter().map(str::to_owned).collect()
    }

    /// An index under the name that it is given, or that knex gives it.
    fn index(
        &self,
        table: &str,
        columns: Vec<String>,
        (open, is_behind): (usize, bool),
        is_unique: bool,
        place: Place,
    ) -> Index {
        let code = &self.code;
        // Behind the columns, or alone behind a column.
        let given = code.arguments(open);
        let named = given.get(usize::from(!is_behind)).and_then(|&range| code.alone(range));
        let end = if is_unique { "unique" } else { "index" };
        let own = || format!("{table}_{}_{end}", columns.join("_")).to_lowercase();
        let name = named.map_or_else(own, str::to_owned);
        let columns = columns.into_iter().map(|column| (column, false)).collect();
        let predicate = given.iter().find_map(|&range| self.predicate(range));
        Index { name, columns, is_unique, predicate, place }
    }

    /// A raw term with its values: `whereRaw("rank = ?", [1])`.
    fn bound(&self, term: &str, open: usize) -> Option<String> {
        let code = &self.code;
        let list = code.arguments(open).get(1).map(|&(from, _)| from).filter(|&from| code.is(from, "["));
        let values = list.map_or_else(Vec::new, |list| code.arguments(list));
        let mut values = values.into_iter();
        let mut parts = term.split('?');
        let mut whole = parts.next()?.to_owned();
        for part in parts {
            whole.push_str(&code.value(values.next()?)?);
            whole.push_str(part);
        }
        Some(whole)
    }

    /// Which rows an index holds: `{ predicate: knex.whereRaw("late = 1") }`.
    fn predicate(&self, (from, to): Range) -> Option<String> {
        let code = &self.code;
        let at = (from..to).find(|&at| code.word(at) == "predicate" && code.is(at + 1, ":"))?;
        let (links, _) = code.links(at + 2);
        let terms = links.iter().filter(|link| link.open.is_some()).map(|link| {
            let open = link.open?;
            let first = *code.texts(open).first()?;
            // An index has no other table.
            let column = quoted(first.rsplit('.').next().unwrap_or(first));
            match link.name {
                "whereRaw" | "andWhereRaw" => self.bound(first, open).map(|term| format!("({term})")),
                "whereNull" => Some(format!("{column} IS NULL")),
                "whereNotNull" => Some(format!("{column} IS NOT NULL")),
                _ => None,
            }
        });
        let terms: Vec<String> = terms.collect::<Option<_>>()?;
        (!terms.is_empty()).then(|| terms.join(" AND "))
    }

    /// The type that the method of a column stands for on SQLite; `None` where it is no column.
    fn kind(&self, method: &str, open: usize) -> Option<String> {
        let kind = match method {
            "increments" | "bigIncrements" | "integer" | "tinyint" | "smallint" | "mediumint" => "integer",
            "bigInteger" | "bigint" => "bigint",
            "string" | "uuid" | "enum" | "enu" => "varchar",
            "text" => "text",
            "boolean" | "bool" => "boolean",
            "date" => "date",
            "datetime" | "dateTime" | "timestamp" => "datetime",
            "time" => "time",
            "float" | "double" | "decimal" => "float",
            "json" | "jsonb" => "json",
            "binary" => "blob",
            "specificType" => return self.code.texts(open).get(1).map(|kind| (*kind).to_owned()),
            other if OTHERS.contains(&other) => return None,
            // One of another system, or of a package.
            _ => "",
        };
        Some(kind.to_owned())
    }
}
