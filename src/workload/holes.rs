//! What may stand in the holes of a text: a parameter for a value, nothing for an optional tail, a name for a name.
//! Proposes only; SQLite says which proposal compiles.

use crate::{
    extract::text::{HOLE, Text},
    migration::{Step, mentions},
    schema::{Generated, Kind, Objects, Table},
    source::SourceId,
};

/// The names that a schema offers, in lower case.
#[derive(Debug, Default)]
pub struct Names {
    /// Of tables and views.
    pub tables: Vec<String>,
    /// Of columns.
    pub columns: Vec<String>,
    /// Of temporary tables, with the file that makes each.
    pub temporary: Vec<(SourceId, String)>,
    /// Of columns that an UPDATE may set: the table, the column, and whether no key and no index holds it.
    pub settable: Vec<(String, String, bool)>,
}

impl Names {
    /// What a schema offers that these steps made.
    pub fn of(objects: &Objects, steps: &[Step]) -> Self {
        let tables = objects.tables.iter().map(|table| &table.name);
        let views = objects.views.iter().map(|view| &view.name);
        let columns = objects.tables.iter().flat_map(|table| &table.columns);
        let temporary = |name: &str| {
            let own = objects.tables.iter().filter(|table| table.schema.eq_ignore_ascii_case("temp"));
            own.map(|table| &table.name).find(|own| own.eq_ignore_ascii_case(name)).cloned()
        };
        let made = |step: &Step| {
            let source = step.text.origins().next().map(|(source, _)| source);
            let created = mentions(likeliest(&step.text).as_str()).created;
            let made = created.iter().filter_map(|name| Some((source?, temporary(name)?)));
            made.collect::<Vec<_>>()
        };
        Self {
            tables: tables.chain(views).map(|name| name.to_lowercase()).collect(),
            columns: columns.map(|column| column.name.to_lowercase()).collect(),
            temporary: steps.iter().flat_map(made).collect(),
            settable: settable(objects),
        }
    }

    /// The columns that an UPDATE may mean where it does not name one: those of its table, or of all, that no key holds.
    fn set_by(&self, sql: &str) -> Vec<&str> {
        let named = mentions(sql).used;
        let is_own = |table: &String| named.is_empty() || named.contains(table);
        let own = || self.settable.iter().filter(|(table, ..)| is_own(table));
        let mut found: Vec<&str> = own().filter(|one| one.2).map(|one| one.1.as_str()).collect();
        if found.is_empty() {
            found.extend(own().map(|one| one.1.as_str()));
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_COLUMNS);
        found
    }

    /// The temporary tables that a name which the program makes up may stand for in a file: that of the name, where the
    /// file makes it, else each that it makes, else whatever has the name.
    fn made_up(&self, source: Option<SourceId>, name: &str) -> Vec<String> {
        let here = self.temporary.iter().filter(|(file, _)| Some(*file) == source);
        let mut found: Vec<String> = here.map(|(_, name)| name.clone()).collect();
        if found.iter().any(|one| one.eq_ignore_ascii_case(name)) {
            found.clear();
        }
        found.push(name.to_owned());
        found
    }
}

/// The most fillings of one text that are tried.
const MAX_FILLINGS: usize = 400;

/// The most columns that are tried where an UPDATE names none.
const MAX_COLUMNS: usize = 12;

/// The columns of all tables that are no rowid and are not computed.
fn settable(objects: &Objects) -> Vec<(String, String, bool)> {
    let is_indexed = |table: &str, column: &str| {
        let own = objects.indexes.iter().filter(|index| index.table == table);
        own.flat_map(|index| &index.columns).any(|one| one.key && one.name.as_deref() == Some(column))
            || objects.indexes.iter().any(|index| index.table == table && index.filter.is_some())
    };
    let refers = |table: &str, column: &str| {
        let keys = objects.foreign_keys.iter();
        keys.filter(|key| key.table == table).flat_map(|key| &key.columns).any(|(own, _)| own == column)
    };
    let of = |table: &Table| {
        let columns = table
            .columns
            .iter()
            .filter(|one| one.primary_key == 0 && one.generated == Generated::No && !one.hidden);
        let plain = |name: &str| !is_indexed(&table.name, name) && !refers(&table.name, name);
        let found = columns.map(|one| (table.name.to_lowercase(), one.name.to_lowercase(), plain(&one.name)));
        found.collect::<Vec<_>>()
    };
    objects.tables.iter().flat_map(of).collect()
}

/// What kind of thing a hole stands for, by what stands around it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Slot {
    /// Part of a string.
    Quoted,
    /// Part of a blob.
    Hex,
    /// Part of a name in quotes: what the source calls the value stands for it, so that another value is another name.
    Name(String),
    /// All of such a name, where a table is read.
    MadeUp(String),
    /// A list of values, with or without its parentheses.
    List { parenthesised: bool },
    /// The values of an INSERT, so many.
    Values { count: usize, parenthesised: bool },
    /// A table.
    Table,
    /// Part of a name, between these letters.
    Affix { before: String, after: String },
    /// A column, or an expression that could be one.
    Column,
    /// A column, or several, of those that a query returns.
    Returned,
    /// The column that a SET gives a value.
    Set,
    /// What a condition compares: which column that is, decides how rows are found.
    Compared,
    /// A term of a SET.
    Assignment,
    /// A condition, or nothing.
    Condition,
    /// A result column.
    Result,
    /// A direction, or a whole term of an ORDER BY.
    Order,
    /// A value.
    Value,
    /// Anything, or nothing.
    Tail,
    /// What the text is not whole without.
    Rest,
}

/// The fillings of a text that are worth trying, the likeliest first, and whether some hole names a table.
pub fn fillings(text: &Text, names: &Names) -> (Vec<Text>, bool) {
    let holes = text.holes();
    let slots: Vec<Slot> = (0..holes.len()).map(|index| slot(text, index)).collect();
    // Holes of one name hold one value.
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    for (index, hole) in holes.iter().enumerate() {
        match groups.iter_mut().find(|(name, _)| !name.is_empty() && *name == hole.name) {
            Some((_, members)) => members.push(index),
            None => groups.push((hole.name.as_str(), vec![index])),
        }
    }
    // Any table would do.
    let is_open = |slot: &Slot| matches!(slot, Slot::Condition | Slot::Compared);
    if slots.contains(&Slot::Table) && slots.iter().any(is_open) {
        return (Vec::new(), true);
    }
    let kind = Kind::of(text.as_str());
    let is_schema = matches!(
        kind,
        Kind::CreateTable | Kind::CreateIndex | Kind::CreateView | Kind::CreateTrigger | Kind::AlterTable
    );
    let choices: Vec<Vec<String>> = groups
        .iter()
        .map(|(_, members)| {
            let slot = members.first().and_then(|&index| slots.get(index));
            let mut some = slot.map_or_else(Vec::new, |slot| choices(slot, names, text));
            if is_schema {
                // A schema holds no parameters.
                for one in &mut some {
                    *one = one.replace("?, ?", "?").replace('?', "1");
                }
            }
            some
        })
        .collect();
    let total: usize = choices
        .iter()
        .map(|some| some.len().max(1))
        .try_fold(1_usize, usize::checked_mul)
        .unwrap_or(usize::MAX);
    let mut all = Vec::new();
    for number in 0..total.min(MAX_FILLINGS) {
        let mut values = vec![""; holes.len()];
        let mut rest = number;
        for ((_, members), some) in groups.iter().zip(&choices) {
            let pick = some.get(rest % some.len().max(1)).map_or("", String::as_str);
            rest /= some.len().max(1);
            for &member in members {
                if let Some(value) = values.get_mut(member) {
                    *value = pick;
                }
            }
        }
        all.push(text.fill(&values));
    }
    (all, slots.contains(&Slot::Table))
}

/// The likeliest filling.
pub fn likeliest(text: &Text) -> Text {
    fillings(text, &Names::default()).0.into_iter().next().unwrap_or_default()
}

fn choices(slot: &Slot, names: &Names, text: &Text) -> Vec<String> {
    let some = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    match slot {
        Slot::Quoted => some(&["x"]),
        Slot::Hex => some(&["00"]),
        Slot::Name(name) => some(&[name]),
        Slot::MadeUp(name) => names.made_up(text.origins().next().map(|(source, _)| source), name),
        Slot::List { parenthesised: true } => some(&["?, ?"]),
        Slot::List { parenthesised: false } => some(&["(?, ?)", "?"]),
        Slot::Values { count, parenthesised } => {
            let list = vec!["?"; (*count).max(1)].join(", ");
            vec![if *parenthesised { list } else { format!("({list})") }]
        }
        Slot::Table => {
            let own = names.tables.iter().filter(|name| !name.starts_with("sqlite_"));
            own.map(|name| format!("\"{name}\"")).collect()
        }
        Slot::Affix { before, after } => affixes(before, after, names),
        Slot::Column => some(&["rowid", "1"]),
        Slot::Returned => some(&["*", "rowid", "1"]),
        Slot::Set => names.set_by(text.as_str()).iter().map(|name| format!("\"{name}\"")).collect(),
        Slot::Assignment => {
            names.set_by(text.as_str()).iter().map(|name| format!("\"{name}\" = ?")).collect()
        }
        Slot::Condition => some(&["1", "", "AND 1", "WHERE 1"]),
        Slot::Result => some(&["*", "1", "1,"]),
        Slot::Order => some(&["", "1", "ASC", "rowid"]),
        Slot::Value => some(&["?", "1", "rowid", "?, ?", ""]),
        Slot::Tail => some(&["", "?", "1"]),
        // SQLite never takes it.
        Slot::Rest | Slot::Compared => vec![HOLE.to_string()],
    }
}

/// What makes a name of the schema out of the letters around a hole.
fn affixes(before: &str, after: &str, names: &Names) -> Vec<String> {
    let all = names.tables.iter().chain(&names.columns);
    let mut found: Vec<String> = all
        .filter_map(|name| name.strip_prefix(before)?.strip_suffix(after))
        .filter(|middle| !middle.is_empty())
        .map(str::to_owned)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn slot(text: &Text, index: usize) -> Slot {
    let Some(hole) = text.holes().get(index) else { return Slot::Tail };
    let sql = text.as_str();
    let at = hole.at as usize;
    let (before, after) = (sql.get(..at).unwrap_or(""), sql.get(at + 1..).unwrap_or(""));
    if let Some(quote) = open_quote(before) {
        let name = name(&hole.name);
        return match before.strip_suffix(quote) {
            _ if quote == '\'' && is_blob(before) => Slot::Hex,
            _ if quote == '\'' => Slot::Quoted,
            Some(lead) if after.starts_with(quote) && reads(lead) => Slot::MadeUp(name),
            _ => Slot::Name(name),
        };
    }
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let head = before.rsplit(|character: char| !is_word(character)).next().unwrap_or("");
    let tail = after.split(|character: char| !is_word(character)).next().unwrap_or("");
    if hole.needed && !head.is_empty() && tail.is_empty() {
        return Slot::Rest;
    }
    if !head.is_empty() || !tail.is_empty() {
        return Slot::Affix { before: head.to_lowercase(), after: tail.to_lowercase() };
    }
    let (lead, next) = (before.trim_end(), after.trim_start().chars().next());
    let word = lead.rsplit(|character: char| !is_word(character)).next().unwrap_or("").to_ascii_lowercase();
    if let Some(sign) = lead.chars().next_back().filter(|character| !is_word(*character)) {
        return match after_sign(lead, sign, next, hole.list) {
            Slot::Tail if hole.needed => Slot::Rest,
            slot => slot,
        };
    }
    let slot = match after_word(&word, lead, next) {
        Slot::Tail if hole.needed => Slot::Rest,
        slot => slot,
    };
    if hole.list && !matches!(slot, Slot::Table | Slot::Values { .. } | Slot::Condition | Slot::Assignment) {
        Slot::List { parenthesised: false }
    } else {
        slot
    }
}

/// Whether a text ends within a blob: `x'…`.
fn is_blob(before: &str) -> bool {
    let head = before.rsplit_once('\'').map_or("", |(head, _)| head);
    let lead = head.strip_suffix(['x', 'X']);
    lead.is_some_and(|lead| !lead.ends_with(|one: char| one.is_alphanumeric() || one == '_'))
}

/// Whether a table is named behind a text, to be read or changed.
fn reads(lead: &str) -> bool {
    let word = lead.trim_end().rsplit(char::is_whitespace).next().unwrap_or("");
    ["from", "join", "into", "update"].iter().any(|one| word.eq_ignore_ascii_case(one))
}

fn after_word(word: &str, lead: &str, next: Option<char>) -> Slot {
    match word {
        "from" | "join" | "into" | "table" | "update" | "on" if next != Some('=') => Slot::Table,
        "exists" if lead.to_ascii_lowercase().contains("if not exists") => Slot::Table,
        "in" => Slot::List { parenthesised: false },
        "values" => Slot::Values { count: insert_columns(lead), parenthesised: false },
        "set" if next == Some('=') => Slot::Set,
        "set" => Slot::Assignment,
        "where" | "and" | "or" | "having" | "on" | "not" | "when" => {
            if next.is_some_and(|next| "=<>!".contains(next)) { Slot::Compared } else { Slot::Condition }
        }
        "select" | "distinct" | "returning" => Slot::Result,
        "by" => Slot::Column,
        "limit" | "offset" | "like" | "glob" | "between" | "is" | "then" | "else" | "case" | "match"
        | "default" => Slot::Value,
        "asc" | "desc" => Slot::Order,
        _ => Slot::Tail,
    }
}

fn after_sign(lead: &str, sign: char, next: Option<char>, list: bool) -> Slot {
    match sign {
        '(' => {
            let before = lead.trim_end_matches(['(', ' ', '\n', '\t']);
            let word = before
                .rsplit(|character: char| !character.is_alphanumeric())
                .next()
                .unwrap_or("")
                .to_ascii_lowercase();
            match word.as_str() {
                "in" => Slot::List { parenthesised: true },
                "values" => Slot::Values { count: insert_columns(lead), parenthesised: true },
                _ if list => Slot::List { parenthesised: true },
                _ => Slot::Value,
            }
        }
        ',' if in_result(lead) => Slot::Returned,
        ',' | '=' | '<' | '>' | '+' | '-' | '*' | '/' | '|' | '%' => Slot::Value,
        '.' => Slot::Column,
        _ if next == Some('.') => Slot::Table,
        _ => Slot::Tail,
    }
}

/// Whether the text ends among result columns: behind the last SELECT, with no FROM since.
fn in_result(lead: &str) -> bool {
    let lower = lead.to_ascii_lowercase();
    let last = |word: &str| lower.rfind(word);
    last("select").is_some_and(|select| {
        last("from").is_none_or(|from| from < select) && last("values").is_none_or(|at| at < select)
    })
}

/// How many columns an INSERT names in front of its VALUES.
fn insert_columns(lead: &str) -> usize {
    let lower = lead.to_ascii_lowercase();
    let head = lower.rfind("values").and_then(|at| lead.get(..at)).unwrap_or(lead);
    let list = head.rsplit_once('(').and_then(|(_, list)| list.rsplit_once(')')).map_or("", |(list, _)| list);
    if list.is_empty() { 1 } else { list.split(',').count() }
}

/// A name for what the source calls so.
fn name(expression: &str) -> String {
    let is_word = |one: &char| one.is_alphanumeric() || *one == '_';
    let name: String = expression.chars().filter(is_word).take(40).collect();
    if name.is_empty() { "x".to_owned() } else { name }
}

/// The quote within which a text ends.
fn open_quote(before: &str) -> Option<char> {
    let mut open: Option<char> = None;
    for character in before.chars().filter(|&character| character != HOLE) {
        match open {
            Some(quote) if character == quote => open = None,
            None if matches!(character, '\'' | '"' | '`') => open = Some(character),
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests;
