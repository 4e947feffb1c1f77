//! The tables of entities, as Room makes them: from the fields of a class and what annotates them.

use super::classes::{Annotation, Class, Field, File};
use crate::{
    migration::tokens::{Code, Range},
    source::SourceId,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many classes are followed in one another: those that are embedded, and those that another is made of.
const MAX_DEPTH: u8 = 4;

/// How many of them are followed from one class.
const MAX_CLASSES: usize = 24;

/// A class: its file and its place there.
pub(super) type Place = (usize, usize);

/// A column of an entity.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub name: String,
    /// Its type in SQL; empty where a converter is not known.
    pub affinity: &'static str,
    pub not_null: bool,
    pub default: Option<String>,
    pub collation: Option<String>,
    pub is_key: bool,
    pub is_indexed: bool,
    /// Whether Room gives it a number.
    pub is_generated: bool,
    /// The file, and the first byte of the field's name.
    pub at: (usize, usize),
}

/// All files that use Room.
#[derive(Debug, Default)]
pub(super) struct Room<'a> {
    pub files: Vec<File<'a>>,
    classes: BTreeMap<&'a str, Place>,
    /// The texts that have a name, by their files, and the first of them.
    constants: BTreeMap<(&'a str, SourceId), &'a str>,
    any: BTreeMap<&'a str, &'a str>,
    /// The types that converters make of others.
    converters: BTreeMap<String, String>,
}

impl<'a> Room<'a> {
    pub fn new(files: Vec<File<'a>>) -> Self {
        let mut room = Self { files, ..Self::default() };
        for (number, file) in room.files.iter().enumerate() {
            for (at, class) in file.classes.iter().enumerate() {
                room.classes.entry(class.name).or_insert((number, at));
            }
            let code = &file.code;
            for at in (2..code.length()).filter(|&at| code.is(at - 1, "=")) {
                // `const val NAME: String = "…"`
                let name = if at > 4 && code.is(at - 3, ":") { at - 4 } else { at - 2 };
                if let Some(text) = code.text(at)
                    && !code.word(name).is_empty()
                {
                    room.constants.entry((code.word(name), file.id)).or_insert(text);
                    room.any.entry(code.word(name)).or_insert(text);
                }
            }
        }
        room.converters = room.files.iter().flat_map(converters).collect();
        room
    }

    /// The types that fields embed, or that classes are made of, and that no file here declares.
    pub fn wanted(&self) -> BTreeSet<String> {
        let embeds = |field: &&Field<'_>| field.annotations.iter().any(|one| one.name == "Embedded");
        let of = |(_, class): (Place, &Class<'_>)| {
            let fields = class.fields.iter().filter(embeds).map(|field| field.kind.trim_end_matches('?'));
            let bases = class.bases.iter().filter(|_| Self::entity(class).is_some()).map(String::as_str);
            fields.chain(bases).map(str::to_owned).collect::<Vec<_>>()
        };
        self.all().flat_map(of).filter(|name| self.named(name).is_none()).collect()
    }

    pub fn class(&self, (file, at): Place) -> Option<(&File<'a>, &Class<'a>)> {
        let file = self.files.get(file)?;
        Some((file, file.classes.get(at)?))
    }

    /// The class of a name.
    pub fn named(&self, name: &str) -> Option<Place> {
        self.classes.get(name).copied()
    }

    /// All classes.
    pub fn all(&self) -> impl Iterator<Item = (Place, &Class<'a>)> {
        let of = |(number, file): (usize, &'_ File<'a>)| {
            (0..file.classes.len()).map(move |at| (number, at)).collect::<Vec<_>>()
        };
        let places: Vec<Place> = self.files.iter().enumerate().flat_map(of).collect();
        places.into_iter().filter_map(|place| Some((place, self.class(place)?.1)))
    }

    /// A text in a range: as written, or of a constant.
    pub fn text(&self, file: &File<'_>, (from, to): Range) -> Option<String> {
        if let Some(text) = file.code.text(from) {
            let parts = (from..to).filter_map(|at| file.code.text(at));
            return Some(if to > from + 1 { parts.collect() } else { text.to_owned() });
        }
        Some(self.constant(file, to.checked_sub(1)?)?.to_owned())
    }

    /// The text of a constant that is named at a token: that of the class in front of it, of its own file, of what the file
    /// imports, else any.
    fn constant(&self, file: &File<'_>, at: usize) -> Option<&'a str> {
        let name = file.code.word(at);
        let of = |home: SourceId| self.constants.get(&(name, home));
        let of_owner = |owner: &str| of(self.class(self.named(owner)?)?.0.id);
        let imported = || file.imports.iter().find(|(last, _)| *last == name).map(|(_, owner)| *owner);
        let found = owner(&file.code, at).and_then(of_owner).or_else(|| of(file.id));
        found.or_else(|| imported().and_then(of_owner)).or_else(|| self.any.get(name)).copied()
    }

    /// The texts of a list.
    pub fn texts(&self, file: &File<'_>, range: Range) -> Vec<String> {
        file.code.elements(range).into_iter().filter_map(|one| self.text(file, one)).collect()
    }

    /// The classes that a list names: `[Ship::class]`, `{Ship.class}`.
    pub fn classes_in(&self, file: &File<'_>, range: Range) -> Vec<Place> {
        let of = |(from, to): Range| {
            let mut words = (from..to).map(|at| file.code.word(at));
            words.rfind(|word| !word.is_empty() && *word != "class").and_then(|word| self.named(word))
        };
        file.code.elements(range).into_iter().filter_map(of).collect()
    }

    /// The annotation of an entity, if a class is one.
    pub fn entity<'c>(class: &Class<'c>) -> Option<Annotation<'c>> {
        class.annotations.iter().find(|one| one.name == "Entity").copied()
    }

    /// The table of an entity.
    pub fn table(&self, place: Place) -> Option<String> {
        let (file, class) = self.class(place)?;
        let entity = Self::entity(class)?;
        let name = file.argument(&entity, "tableName").and_then(|range| self.text(file, range));
        Some(name.filter(|name| !name.is_empty()).unwrap_or_else(|| class.name.to_owned()))
    }

    /// The columns of a class.
    pub fn columns(&self, place: Place) -> Vec<Column> {
        let mut found = Vec::new();
        self.add_columns(place, "", false, 0, &mut found);
        let ignored = self.class(place).and_then(|(file, class)| {
            let range = file.argument(&Self::entity(class)?, "ignoredColumns")?;
            Some(self.texts(file, range))
        });
        found.retain(|one| !ignored.iter().flatten().any(|name| *name == one.name));
        found
    }

    fn add_columns(&self, place: Place, prefix: &str, is_null: bool, depth: u8, found: &mut Vec<Column>) {
        let Some((file, class)) = self.class(place).filter(|_| depth < MAX_DEPTH) else { return };
        for base in class.bases.iter().take(MAX_CLASSES) {
            let base = base.split('<').next().unwrap_or("");
            let holds = |place: &Place| self.class(*place).is_some_and(|(_, class)| !class.is_interface);
            if let Some(base) = self.named(base).filter(holds) {
                self.add_columns(base, prefix, is_null, depth + 1, found);
            }
        }
        let mut followed = 0;
        for field in &class.fields {
            let with = |name: &str| field.annotations.iter().find(|one| one.name == name);
            if with("Ignore").is_some() || with("Relation").is_some() {
                continue;
            }
            let Some(embedded) = with("Embedded") else {
                found.push(self.column(place.0, file, field, prefix, is_null));
                continue;
            };
            let own = file.argument(embedded, "prefix").and_then(|range| self.text(file, range));
            let own = format!("{prefix}{}", own.unwrap_or_default());
            let from = found.len();
            followed += 1;
            if followed > MAX_CLASSES {
                continue;
            }
            if let Some(inner) = self.named(field.kind.trim_end_matches('?')) {
                self.add_columns(inner, &own, is_null || field.kind.ends_with('?'), depth + 1, found);
            }
            if with("PrimaryKey").is_some() {
                found.iter_mut().skip(from).for_each(|one| one.is_key = true);
            }
        }
    }

    fn column(
        &self,
        number: usize,
        file: &File<'a>,
        field: &Field<'a>,
        prefix: &str,
        is_null: bool,
    ) -> Column {
        let with = |name: &str| field.annotations.iter().find(|one| one.name == name);
        let info = with("ColumnInfo");
        let said = |name: &str| info.and_then(|info| file.argument(info, name));
        let word = |range: Range| file.code.word(range.1.saturating_sub(1));
        let name = said("name").and_then(|range| self.text(file, range));
        let key = with("PrimaryKey");
        let generated = key.and_then(|key| file.argument(key, "autoGenerate"));
        let affinity = match said("typeAffinity").map(word) {
            Some("TEXT") => "TEXT",
            Some("INTEGER") => "INTEGER",
            Some("REAL") => "REAL",
            Some("BLOB") => "BLOB",
            _ => self.affinity(&field.kind),
        };
        let is_given = ["NonNull", "NotNull", "Nonnull"].iter().any(|name| with(name).is_some());
        let is_there = is_primitive(&field.kind) || is_given;
        let not_null = if file.is_kotlin { !field.kind.ends_with('?') } else { is_there };
        Column {
            name: format!("{prefix}{}", name.unwrap_or_else(|| field.name.to_owned())),
            affinity,
            not_null: not_null && !is_null,
            default: said("defaultValue").and_then(|range| self.text(file, range)),
            collation: said("collate").map(|range| word(range).to_owned()),
            is_key: key.is_some(),
            is_indexed: said("index").is_some_and(|range| word(range) == "true"),
            is_generated: generated.is_some_and(|range| word(range) == "true"),
            at: (number, file.code.start(field.at)),
        }
    }

    /// What a type is in SQL, a converter followed.
    fn affinity(&self, kind: &str) -> &'static str {
        let bare = kind.trim_end_matches('?');
        let known = basic(bare);
        if !known.is_empty() {
            return known;
        }
        let converted = self.converters.get(bare).map_or("", |to| basic(to));
        let is_enum = || {
            let (file, class) = self.class(self.named(bare)?)?;
            (file.code.word(class.at.checked_sub(2)?) == "enum").then_some("TEXT")
        };
        if converted.is_empty() { is_enum().unwrap_or("") } else { converted }
    }
}

/// The class in front of what is named at a token: `Ship.KEY`, `Ship.Companion.KEY`.
pub(super) fn owner<'a>(code: &Code<'a>, at: usize) -> Option<&'a str> {
    let before = |at: usize| at.checked_sub(2).filter(|_| code.is(at - 1, "."));
    let one = before(at)?;
    let one = if code.word(one) == "Companion" { before(one)? } else { one };
    Some(code.word(one))
}

/// What a type is that needs no converter.
fn basic(kind: &str) -> &'static str {
    match kind.rsplit('.').next().unwrap_or(kind) {
        "Int" | "Long" | "Short" | "Byte" | "Boolean" | "Char" | "int" | "long" | "short" | "byte"
        | "boolean" | "char" | "Integer" | "Character" => "INTEGER",
        "Float" | "Double" | "float" | "double" => "REAL",
        "String" => "TEXT",
        "ByteArray" | "byte[]" | "UUID" | "ByteBuffer" => "BLOB",
        _ => "",
    }
}

fn is_primitive(kind: &str) -> bool {
    ["int", "long", "short", "byte", "boolean", "char", "float", "double"].contains(&kind)
}

/// The types that the converters of a file take, with those that they give.
fn converters(file: &File<'_>) -> Vec<(String, String)> {
    let code = &file.code;
    let mut found = Vec::new();
    for at in 0..code.length() {
        let Some((_, behind)) = file.annotation(at).filter(|(one, _)| one.name == "TypeConverter") else {
            continue;
        };
        let (_, _, start) = file.lead(behind);
        let Some(open) = (start..start + 40).find(|&at| code.is(at, "(")) else { continue };
        let Some(&(from, to)) = code.arguments(open).first() else { continue };
        let (_, _, from) = file.lead(from);
        let close = code.close(open);
        let (takes, gives) = if file.is_kotlin {
            let gives =
                if code.is(close + 1, ":") { (close + 2, code.behind_type(close + 2)) } else { (0, 0) };
            ((from + 2, to), gives)
        } else {
            ((from, to.saturating_sub(1)), (start, code.behind_type(start)))
        };
        let kind = |range| code.spelling(range).trim_end_matches('?').to_owned();
        let (takes, gives) = (kind(takes), kind(gives));
        if basic(&takes).is_empty() && !basic(&gives).is_empty() {
            found.push((takes, gives));
        }
    }
    found
}
