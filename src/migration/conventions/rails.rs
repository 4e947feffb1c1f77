//! Rails: schema.rb or structure.sql is what a new database is made with; migrations in Ruby lead there.

use crate::extract::text::Text;
use crate::migration::{
    convention::{Convention, PLAIN, Place, Texts},
    draft::quoted,
};
use crate::source::{Source, SourceId};

/// What is known of it.
pub(super) const CONVENTION: Convention =
    Convention { name: "Rails", is_snapshot: is_schema, is_migration, place, texts, ..PLAIN };

/// Those that were run everywhere are kept in other folders.
fn is_migration(source: &Source) -> bool {
    let ending = source.path.rsplit_once('.').map(|(_, ending)| ending);
    ending == Some("rb") && source.text().contains("< ActiveRecord::Migration")
}

/// Whether a file is a schema: `db/schema.rb`, or that of one of several databases, `db/queue_schema.rb`.
fn is_schema(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_one = |name: &str| file == name || file.strip_suffix(name).is_some_and(|head| head.ends_with('_'));
    folder.rsplit('/').next() == Some("db") && (is_one("schema.rb") || is_one("structure.sql"))
}

/// One of several databases is named in front: its files are those of that name.
fn place(path: &str) -> Option<Place<'_>> {
    let ends = ["_schema.rb", "_structure.sql"];
    let folder = ends.iter().find_map(|end| path.strip_suffix(end)).filter(|_| is_schema(path))?;
    let part = path.rsplit('/').next()?;
    Some(Place { folder, part, number: None })
}

/// The statements that a schema in Ruby stands for.
fn texts(id: SourceId, source: &Source) -> Option<Texts> {
    if !is_schema(&source.path) || !source.text().contains("ActiveRecord::Schema") {
        return None;
    }
    let mut reader = Reader { id, schema: Text::default(), table: None };
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        reader.line(line, at);
        at += line.len();
    }
    Some(Texts { schema: reader.schema, ..Texts::default() })
}

/// What was read so far.
struct Reader {
    id: SourceId,
    schema: Text,
    table: Option<Table>,
}

/// A table whose block is open.
struct Table {
    name: String,
    at: u32,
    columns: Vec<String>,
    indexes: Vec<(String, u32)>,
}

impl Reader {
    fn line(&mut self, line: &str, at: usize) {
        let code = line.trim_start();
        let at = (at + line.len() - code.len()) as u32;
        let (word, rest) = code.split_once([' ', '(']).unwrap_or((code, ""));
        let given = Given::read(rest);
        match word.trim_end() {
            "create_table" => self.table = given.first().map(|name| table(name, &given, at)),
            "end" => self.end(),
            "add_index" => {
                if let Some(sql) = given.first().and_then(|name| index(name, &given, 1)) {
                    self.push(&sql, at);
                }
            }
            "execute" => {}
            other => {
                if let (Some(kind), Some(table)) = (other.strip_prefix("t."), self.table.as_mut()) {
                    table.line(kind, &given, at);
                }
            }
        }
    }

    fn end(&mut self) {
        let Some(table) = self.table.take() else { return };
        let sql = format!("CREATE TABLE {} ({})", quoted(&table.name), table.columns.join(", "));
        self.push(&sql, table.at);
        for (sql, at) in table.indexes {
            self.push(&sql, at);
        }
    }

    fn push(&mut self, sql: &str, at: u32) {
        self.schema.push_at(&format!("{sql};\n"), self.id, at);
    }
}

impl Table {
    /// Reads a line of the block: a column, two of them, or an index.
    fn line(&mut self, kind: &str, given: &Given<'_>, at: u32) {
        let is_needed = given.get("null") == Some("false");
        let tail = if is_needed { " NOT NULL" } else { "" };
        match (kind, given.first()) {
            ("index", _) => self.indexes.extend(index(&self.name, given, 0).map(|sql| (sql, at))),
            ("timestamps", _) => {
                let both = ["created_at", "updated_at"];
                self.columns.extend(both.map(|name| format!("{} datetime(6) NOT NULL", quoted(name))));
            }
            ("references" | "belongs_to", Some(name)) => {
                self.columns.push(format!("{} integer{tail}", quoted(&format!("{name}_id"))));
            }
            ("check_constraint" | "foreign_key" | "unique_constraint", _) | (_, None) => {}
            (_, Some(name)) => {
                let default = given.get("default").map_or_else(String::new, |value| match value {
                    "true" => " DEFAULT 1".to_owned(),
                    "false" => " DEFAULT 0".to_owned(),
                    value if value.starts_with('"') => {
                        format!(" DEFAULT '{}'", bare(value).replace('\'', "''"))
                    }
                    value if value.parse::<f64>().is_ok() => format!(" DEFAULT {value}"),
                    _ => String::new(),
                });
                self.columns.push(format!("{} {}{default}{tail}", quoted(name), sql_type(kind, given)));
            }
        }
    }
}

fn table(name: &str, given: &Given<'_>, at: u32) -> Table {
    let key = given.get("primary_key").filter(|key| key.starts_with('"')).map_or("id", bare);
    let columns = match given.get("id") {
        Some("false") => Vec::new(),
        Some(kind) if kind.starts_with(':') && !matches!(kind, ":integer" | ":bigint" | ":primary_key") => {
            vec![format!(
                "{} {} NOT NULL PRIMARY KEY",
                quoted(key),
                sql_type(kind.trim_start_matches(':'), given)
            )]
        }
        _ => vec![format!("{} integer PRIMARY KEY AUTOINCREMENT NOT NULL", quoted(key))],
    };
    Table { name: name.to_owned(), at, columns, indexes: Vec::new() }
}

/// The index on a table whose columns are given at this place.
fn index(table: &str, given: &Given<'_>, place: usize) -> Option<String> {
    let columns = given.values.get(place)?;
    let columns: Vec<String> = if columns.starts_with('[') {
        columns.split('"').skip(1).step_by(2).map(quoted).collect()
    } else {
        // An expression stands there as text.
        let text = bare(columns);
        vec![if text.contains('(') { text.to_owned() } else { quoted(text) }]
    };
    let name = given.get("name").map(bare)?;
    let unique = if given.get("unique") == Some("true") { "UNIQUE " } else { "" };
    let condition = given.get("where").map_or_else(String::new, |text| format!(" WHERE {}", bare(text)));
    let columns = columns.join(", ");
    Some(format!("CREATE {unique}INDEX {} ON {} ({columns}){condition}", quoted(name), quoted(table)))
}

/// The type that a column of SQLite gets.
fn sql_type(kind: &str, given: &Given<'_>) -> String {
    match (kind, given.get("limit"), given.get("precision")) {
        ("string", Some(limit), _) => format!("varchar({limit})"),
        ("string", ..) => "varchar".to_owned(),
        ("bigint", ..) => "integer".to_owned(),
        ("binary", ..) => "blob".to_owned(),
        ("decimal", _, Some(precision)) => {
            format!("decimal({precision},{})", given.get("scale").unwrap_or("0"))
        }
        ("datetime" | "timestamp", ..) => "datetime(6)".to_owned(),
        ("virtual", ..) => given.get("type").unwrap_or("").trim_start_matches(':').to_owned(),
        _ => kind.to_owned(),
    }
}

fn bare(text: &str) -> &str {
    text.trim_matches(['"', '\'', ':'])
}

/// What a call is given: values, and others behind names.
#[derive(Default)]
struct Given<'a> {
    values: Vec<&'a str>,
    named: Vec<(&'a str, &'a str)>,
}

impl<'a> Given<'a> {
    fn read(text: &'a str) -> Self {
        let mut given = Self::default();
        for part in parts(text) {
            let named = part
                .split_once(": ")
                .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            match named {
                Some((name, value)) => given.named.push((name, value.trim())),
                None => given.values.push(part),
            }
        }
        given
    }

    /// The first value, without its quotes.
    fn first(&self) -> Option<&'a str> {
        self.values.first().map(|name| bare(name)).filter(|name| !name.is_empty())
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.named.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }
}

/// The parts of a line between commas, strings and brackets whole, up to the block that begins there.
fn parts(text: &str) -> Vec<&str> {
    let text = text.trim_end();
    let text = text.rfind(" do |").and_then(|end| text.get(..end)).unwrap_or(text).trim_end_matches(')');
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (at, one) in text.char_indices() {
        match one {
            _ if quote == Some(one) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(one),
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or("").trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or("").trim());
    parts.retain(|part| !part.is_empty());
    parts
}
