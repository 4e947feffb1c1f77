//! What may stand in the holes of a text: a parameter for a value, nothing for an optional tail, a name for a name.
//! Proposes only; SQLite says which proposal compiles.

mod affixes;
mod around;
mod quoted;
mod results;
mod rows;
mod told;

use crate::{
    extract::{
        sql::contains_word,
        text::{HOLE, Hole, Text},
    },
    migration::{Step, mentions},
    schema::{Generated, Kind, Objects, Table, statements},
    source::SourceId,
};
use around::{Slot, slot};
pub(super) use quoted::with_values;
use std::collections::HashSet;
pub use told::name_words;
use told::told;

/// The names that a schema offers, in lower case.
#[derive(Debug, Default)]
pub struct Names {
    /// Of tables and views.
    pub tables: Vec<String>,
    /// Of columns.
    pub columns: Vec<String>,
    /// Of temporary tables, with the file that makes each.
    pub temporary: Vec<(SourceId, String)>,
    /// The files that make tables under names that only the running program knows.
    pub makers: HashSet<SourceId>,
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
            makers: HashSet::new(),
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

    /// What a hole stands for: in quotes, too, whatever table, unless the program makes up names for tables there.
    fn settled(&self, slot: Slot, source: Option<SourceId>) -> Slot {
        let is_any = matches!(&slot, Slot::MadeUp(name) if !self.tables.contains(&name.to_lowercase()));
        let makes = |source: SourceId| {
            self.makers.contains(&source) || self.temporary.iter().any(|(file, _)| *file == source)
        };
        let is_made = || source.is_some_and(makes);
        if is_any && !self.tables.is_empty() && !is_made() { Slot::QuotedTable } else { slot }
    }
}

/// The most fillings of one text that are tried.
const MAX_FILLINGS: usize = 400;

/// The most bytes that are read for what stands around holes: for each, those of the whole text.
const MOST_READ: usize = 20_000_000;

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

/// The fillings of a text that are worth trying.
pub struct Fillings {
    /// Those of one choice of tables stand together, the likeliest first: what compiles first is meant.
    pub groups: Vec<Vec<Text>>,
    /// Those of the tables that a name does not tell, though it does not rule them out.
    pub others: Vec<Vec<Text>>,
    /// Whether some hole names a table.
    pub names_table: bool,
}

impl Fillings {
    /// No filling is worth it.
    const fn none(names_table: bool) -> Self {
        Self { groups: Vec::new(), others: Vec::new(), names_table }
    }

    /// A text that has nothing to fill.
    pub fn whole(text: &Text) -> Self {
        Self { groups: vec![vec![text.clone()]], ..Self::none(false) }
    }
}

/// The fillings of a text that are worth trying.
pub fn fillings(text: &Text, names: &Names) -> Fillings {
    let (holes, source) = (text.holes(), text.origins().next().map(|(source, _)| source));
    let slots: Vec<Slot> = slots(text).map(|slot| names.settled(slot, source)).collect();
    if slots.len() < holes.len() {
        return Fillings::none(false);
    }
    let groups = alike(holes, &slots);
    let mut names_table = slots.iter().any(Slot::is_table);
    // Any table would do, and any columns.
    let kind = Kind::of(text.as_str());
    let inserts = matches!(kind, Kind::Insert | Kind::Replace);
    let is_open =
        |slot: &Slot| matches!(slot, Slot::Condition | Slot::Compared) || (inserts && *slot == Slot::Column);
    if (names_table && slots.iter().any(is_open)) || is_open_index(text) {
        return Fillings::none(names_table);
    }
    let is_schema = matches!(
        kind,
        Kind::CreateTable | Kind::CreateIndex | Kind::CreateView | Kind::CreateTrigger | Kind::AlterTable
    );
    let (mut tables, mut passed, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (name, members) in &groups {
        let mut own = members.iter().filter_map(|&index| slots.get(index));
        let first = own.clone().next();
        let slot = own.find(|slot| slot.names_part_of_table()).or(first);
        let mut some = slot.map_or_else(Vec::new, |slot| choices(slot, names, text));
        if is_schema {
            leave_parameters_out(&mut some);
        }
        if slot == Some(&Slot::Tail) && contains_word(text.as_str(), "create") {
            some.splice(0..0, key(name).map(str::to_owned));
        }
        let prefixed = match slot {
            Some(Slot::Affix(affix)) => affix.prefixed(names),
            _ => Vec::new(),
        };
        let is_one_of_several = slot.is_some_and(Slot::names_part_of_table) && some.len() > 1;
        names_table |= is_one_of_several && slot.is_some_and(Slot::says_little);
        if is_one_of_several || slot.is_some_and(Slot::is_table) || !prefixed.is_empty() {
            let (some, rest) = told(name, some);
            let rest = [rest, prefixed].concat();
            passed.push((members.as_slice(), if rest.is_empty() { some.clone() } else { rest }));
            tables.push((members.as_slice(), some));
        } else {
            others.push((members.as_slice(), some));
        }
    }
    let filled = |tables: &[(&[usize], Vec<String>)]| {
        let tables = ways(tables, &vec![String::new(); holes.len()], MAX_FILLINGS);
        let most = (MAX_FILLINGS / tables.len().max(1)).max(1);
        let fill = |values: &Vec<String>| text.fill(&values.iter().map(String::as_str).collect::<Vec<_>>());
        tables.iter().map(|values| ways(&others, values, most).iter().map(fill).collect()).collect()
    };
    let is_told = passed != tables;
    Fillings {
        groups: filled(&tables),
        others: if is_told { filled(&passed) } else { Vec::new() },
        names_table,
    }
}

/// Puts values in the place of parameters: a schema holds none.
fn leave_parameters_out(fillings: &mut [String]) {
    for one in fillings {
        *one = one.replace("?, ?", "?").replace('?', "1");
    }
}

/// The holes of a text, those together that hold one value since they have one name.
fn alike<'t>(holes: &'t [Hole], slots: &[Slot]) -> Vec<(&'t str, Vec<usize>)> {
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    for (index, hole) in holes.iter().enumerate() {
        // How many there are of a list is no list.
        let is_alike = |members: &[usize]| {
            let first = members.first().and_then(|&first| Some((holes.get(first)?, slots.get(first)?)));
            first.is_some_and(|(first, slot)| {
                first.list == hole.list
                    && first.name == hole.name
                    && slots.get(index).is_some_and(|own| own.may_hold_what(slot))
            })
        };
        match groups.iter_mut().find(|(name, members)| !name.is_empty() && is_alike(members)) {
            Some((_, members)) => members.push(index),
            None => groups.push((hole.name.as_str(), vec![index])),
        }
    }
    groups
}

/// What stands behind the name of a column where the name of a hole says that it makes that the key: of several engines, each has
/// other words for it.
fn key(name: &str) -> Option<&'static str> {
    let words = name_words(name).concat();
    if words.contains("autoinc") {
        Some("INTEGER PRIMARY KEY AUTOINCREMENT")
    } else if words.contains("primarykey") || words == "serial" || words == "bigserial" {
        Some("INTEGER PRIMARY KEY")
    } else {
        None
    }
}

/// Whether a hole of a text names a table.
pub(super) fn names_table(text: &Text) -> bool {
    slots(text).any(|slot| slot == Slot::Table)
}

/// What each hole of a text stands for; none where that would be too much to read.
fn slots(text: &Text) -> impl Iterator<Item = Slot> + '_ {
    let holes = text.holes().len();
    let is_read = holes.saturating_mul(text.as_str().len()) <= MOST_READ;
    (0..if is_read { holes } else { 0 }).map(|index| slot(text, index))
}

/// The values of all holes, for each way to choose among those of some; the first choice changes first.
fn ways(choices: &[(&[usize], Vec<String>)], values: &[String], most: usize) -> Vec<Vec<String>> {
    let lengths = choices.iter().map(|(_, some)| some.len().max(1));
    let total = lengths.clone().try_fold(1_usize, usize::checked_mul).unwrap_or(usize::MAX);
    let way = |number: usize| {
        let mut values = values.to_vec();
        let mut rest = number;
        for ((members, some), length) in choices.iter().zip(lengths.clone()) {
            let pick = some.get(rest % length).map_or("", String::as_str);
            rest /= length;
            for &member in *members {
                if let Some(value) = values.get_mut(member) {
                    pick.clone_into(value);
                }
            }
        }
        values
    };
    (0..total.min(most)).map(way).collect()
}

/// Whether a text makes an index of which not even the first column is known. `()` is what a list comes to that the program
/// fills as it runs.
pub(super) fn is_open_index(text: &Text) -> bool {
    let sql = text.as_str();
    let Some((_, columns)) = sql.split_once('(').filter(|_| Kind::of(sql) == Kind::CreateIndex) else {
        return false;
    };
    let first = columns.trim_start();
    let behind = first.strip_prefix(HOLE).unwrap_or("");
    (first.starts_with(')') && text.is_handed()) || behind.starts_with([',', ')', ' '])
}

/// The statements of a text but for the indexes of which no column is known.
fn without_open_indexes(text: &Text) -> Text {
    let mut all = Text::default();
    let mut from = 0;
    for (start, end) in
        statements(text.as_str()).filter(|&(start, end)| is_open_index(&text.part(start, end)))
    {
        all.append(&text.part(from, start));
        from = end;
    }
    all.append(&text.part(from, text.as_str().len()));
    all
}

/// The likeliest filling.
pub fn likeliest(text: &Text) -> Text {
    let groups = fillings(&without_open_indexes(text), &Names::default()).groups;
    groups.into_iter().flatten().next().unwrap_or_default()
}

fn choices(slot: &Slot, names: &Names, text: &Text) -> Vec<String> {
    let some = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    match slot {
        Slot::Parameter => some(&["?"]),
        Slot::Quoted => some(&["x"]),
        Slot::Amount => some(&["1"]),
        Slot::Hex => some(&["00"]),
        Slot::Ordinal(number) => vec![number.to_string()],
        Slot::Name(name) => some(&[name]),
        Slot::MadeUp(name) => names.made_up(text.origins().next().map(|(source, _)| source), name),
        Slot::List { parenthesised: true } => some(&["?, ?"]),
        Slot::List { parenthesised: false } => some(&["(?, ?)", "?"]),
        Slot::Values { count, parenthesised } => {
            let list = vec!["?"; (*count).max(1)].join(", ");
            vec![if *parenthesised { list } else { format!("({list})") }]
        }
        Slot::Table | Slot::QuotedTable => {
            let quote = if *slot == Slot::Table { "\"" } else { "" };
            let own = names.tables.iter().filter(|name| !name.starts_with("sqlite_"));
            own.map(|name| format!("{quote}{name}{quote}")).collect()
        }
        Slot::Affix(affix) => affix.choices(names, text.as_str()),
        Slot::Comparison => some(&["IN (?, ?)"]),
        Slot::Column => some(&["rowid", "1"]),
        Slot::Returned => some(&["*", "rowid", "1"]),
        Slot::Set => names.set_by(text.as_str()).iter().map(|name| format!("\"{name}\"")).collect(),
        Slot::Assignment => {
            names.set_by(text.as_str()).iter().map(|name| format!("\"{name}\" = ?")).collect()
        }
        Slot::Within(filled) => some(&[filled]),
        Slot::Alias(name) => vec![format!("\"{name}\"")],
        Slot::Condition => some(&["1", "", "AND 1", "WHERE 1"]),
        Slot::Result => some(&["*", "1", "1,"]),
        Slot::Order => some(&["", "1", "ASC", "rowid"]),
        Slot::Value => some(&["?", "1", "rowid", "?, ?", ""]),
        Slot::Tail => some(&["", "?", "1"]),
        // SQLite never takes it.
        Slot::Rest | Slot::Compared => vec![HOLE.to_string()],
    }
}

#[cfg(test)]
mod tests;
