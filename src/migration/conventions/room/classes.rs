//! The classes of Java and Kotlin files with what annotates them and their fields. A class that is not found by its name
//! in a file that uses Room has no fields here.

use super::entities::owner;
use crate::{
    migration::tokens::{Code, Range},
    source::SourceId,
};

/// What stands behind `@`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Annotation<'a> {
    pub name: &'a str,
    /// Its parenthesis, as a token; `None` where it has none.
    pub open: Option<usize>,
    /// Its sign.
    pub at: usize,
}

/// A field or a property.
#[derive(Debug)]
pub(super) struct Field<'a> {
    pub name: &'a str,
    /// Its type, without white space; empty where it is not written.
    pub kind: String,
    pub annotations: Vec<Annotation<'a>>,
    /// The token of its name.
    pub at: usize,
}

/// A class or an interface.
#[derive(Debug)]
pub(super) struct Class<'a> {
    pub name: &'a str,
    /// The token of its name.
    pub at: usize,
    /// Whether it holds no values.
    pub is_interface: bool,
    pub annotations: Vec<Annotation<'a>>,
    pub fields: Vec<Field<'a>>,
    /// The types that it leaves open: `Dao<Row>` has one.
    pub parameters: Vec<&'a str>,
    /// What it is made of, without white space: `Base`, `Dao<Ship>`.
    pub bases: Vec<String>,
    /// Its braces.
    pub body: Range,
}

/// A file of code.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub id: SourceId,
    pub code: Code<'a>,
    pub is_kotlin: bool,
    pub classes: Vec<Class<'a>>,
    /// What it imports of classes: the name, and the class.
    pub imports: Vec<(&'a str, &'a str)>,
}

/// The most imports of a file.
const MOST_IMPORTS: usize = 200;

const MODIFIERS: [&str; 24] = [
    "public",
    "private",
    "protected",
    "internal",
    "final",
    "static",
    "abstract",
    "open",
    "data",
    "sealed",
    "inner",
    "override",
    "lateinit",
    "volatile",
    "transient",
    "suspend",
    "inline",
    "value",
    "annotation",
    "enum",
    "fun",
    "constructor",
    "default",
    "vararg",
];

impl<'a> File<'a> {
    pub fn new(id: SourceId, path: &str, text: &'a str) -> Self {
        let mut file = Self {
            id,
            code: Code::new(text),
            is_kotlin: path.rsplit('.').next() == Some("kt"),
            classes: Vec::new(),
            imports: Vec::new(),
        };
        file.classes = file.read();
        file.imports = file.imported();
        file
    }

    fn imported(&self) -> Vec<(&'a str, &'a str)> {
        let code = &self.code;
        let starts = (0..code.length()).filter(|&at| code.word(at) == "import");
        let ends = starts.take(MOST_IMPORTS).map(|at| {
            let mut last = at + 1 + usize::from(code.word(at + 1) == "static");
            while code.is(last + 1, ".") && !code.word(last + 2).is_empty() {
                last += 2;
            }
            last
        });
        ends.filter_map(|last| Some((code.word(last), owner(code, last)?))).collect()
    }

    /// The annotation at a token, and the token behind it.
    pub fn annotation(&self, at: usize) -> Option<(Annotation<'a>, usize)> {
        if !self.code.is(at, "@") {
            return None;
        }
        let mut name = at + 1;
        // `@field:ColumnInfo`, `@androidx.room.Entity`
        while (self.code.is(name + 1, ".") || self.code.is(name + 1, ":"))
            && !self.code.word(name + 2).is_empty()
        {
            name += 2;
        }
        let open = Some(name + 1).filter(|&open| self.code.is(open, "("));
        let behind = open.map_or(name + 1, |open| self.code.close(open) + 1);
        Some((Annotation { name: self.code.word(name), open, at }, behind))
    }

    /// An argument of an annotation: by its name, or the first without one where that is `value`.
    pub fn argument(&self, annotation: &Annotation<'_>, name: &str) -> Option<Range> {
        let arguments = self.code.arguments(annotation.open?);
        let is_named =
            |&(start, _): &Range| !self.code.word(start).is_empty() && self.code.is(start + 1, "=");
        let named = arguments.iter().find(|one| is_named(one) && self.code.word(one.0) == name);
        if let Some(&(start, end)) = named {
            return Some((start + 2, end));
        }
        arguments.first().copied().filter(|one| name == "value" && !is_named(one))
    }

    /// The elements of a list that an annotation is given.
    pub fn elements(&self, annotation: &Annotation<'_>, name: &str) -> Vec<Range> {
        self.argument(annotation, name).map_or_else(Vec::new, |range| self.code.elements(range))
    }

    /// An annotation within another, which Kotlin writes without a sign.
    pub fn inner(&self, from: usize) -> Option<Annotation<'a>> {
        if let Some((annotation, _)) = self.annotation(from) {
            return Some(annotation);
        }
        let open = (from..from + 6).find(|&at| self.code.is(at, "("))?;
        Some(Annotation { name: self.code.word(open.checked_sub(1)?), open: Some(open), at: from })
    }

    fn read(&self) -> Vec<Class<'a>> {
        let code = &self.code;
        let mut found = Vec::new();
        let mut pending = Vec::new();
        let mut at = 0;
        while at < code.length() {
            if let Some((annotation, behind)) = self.annotation(at) {
                pending.push(annotation);
                at = behind;
                continue;
            }
            let word = code.word(at);
            let is_named = matches!(word, "class" | "interface") && !code.word(at + 1).is_empty();
            if is_named && !(at > 0 && (code.is(at - 1, ".") || code.is(at - 1, ":"))) {
                found.push(self.class(at + 1, std::mem::take(&mut pending)));
            } else if !MODIFIERS.contains(&word) {
                pending.clear();
            }
            at += 1;
        }
        found
    }

    fn class(&self, name: usize, annotations: Vec<Annotation<'a>>) -> Class<'a> {
        let code = &self.code;
        let mut at = code.behind_type(name);
        let parameters = code.types(name + 1, at);
        let mut fields = Vec::new();
        while self.annotation(at).is_some() || MODIFIERS.contains(&code.word(at)) {
            at = self.annotation(at).map_or(at + 1, |(_, behind)| behind);
        }
        if self.is_kotlin && code.is(at, "(") {
            fields.extend(code.arguments(at).into_iter().filter_map(|range| self.parameter(range)));
            at = code.close(at) + 1;
        }
        let mut bases = Vec::new();
        if code.is(at, ":") || matches!(code.word(at), "extends" | "implements") {
            loop {
                let behind = code.behind_type(at + 1);
                bases.push(code.spelling((at + 1, behind)));
                at = if code.is(behind, "(") { code.close(behind) + 1 } else { behind };
                if !(code.is(at, ",") || matches!(code.word(at), "extends" | "implements")) {
                    break;
                }
            }
        }
        let body = if code.is(at, "{") { (at, code.close(at)) } else { (at, at) };
        fields.extend(if self.is_kotlin { self.properties(body) } else { self.fields(body) });
        let is_interface = code.word(name - 1) == "interface";
        Class { name: code.word(name), at: name, is_interface, annotations, fields, parameters, bases, body }
    }

    /// The annotations and the modifiers from a token on, and the token behind them.
    pub fn lead(&self, start: usize) -> (Vec<Annotation<'a>>, Vec<&'a str>, usize) {
        let (mut annotations, mut modifiers, mut at) = (Vec::new(), Vec::new(), start);
        loop {
            if let Some((annotation, behind)) = self.annotation(at) {
                annotations.push(annotation);
                at = behind;
            } else if MODIFIERS.contains(&self.code.word(at)) && !self.code.is(at + 1, ":") {
                modifiers.push(self.code.word(at));
                at += 1;
            } else {
                return (annotations, modifiers, at);
            }
        }
    }

    /// `val name: Type` among the parameters of a constructor.
    fn parameter(&self, (start, end): Range) -> Option<Field<'a>> {
        let (annotations, _, at) = self.lead(start);
        if !matches!(self.code.word(at), "val" | "var") || at + 1 >= end {
            return None;
        }
        Some(self.property(at + 1, annotations).0)
    }

    /// The property whose name stands at a token, and the token behind its type.
    fn property(&self, name: usize, annotations: Vec<Annotation<'a>>) -> (Field<'a>, usize) {
        let code = &self.code;
        let (kind, behind) = if code.is(name + 1, ":") {
            let behind = code.behind_type(name + 2);
            (code.spelling((name + 2, behind)), behind)
        } else {
            let is_text = code.text(name + 2).is_some();
            let value = code.word(name + 2);
            let kind = match value {
                _ if is_text => "String",
                "true" | "false" => "Boolean",
                _ if value.ends_with('L') && value.starts_with(|one: char| one.is_ascii_digit()) => "Long",
                _ if value.starts_with(|one: char| one.is_ascii_digit()) => "Int",
                _ => "",
            };
            (kind.to_owned(), name + 1)
        };
        (Field { name: code.word(name), kind, annotations, at: name }, behind)
    }

    /// The properties in the body of a Kotlin class that hold a value.
    fn properties(&self, (open, close): Range) -> Vec<Field<'a>> {
        let code = &self.code;
        let mut found = Vec::new();
        let mut at = open + 1;
        while at < close {
            let (annotations, modifiers, behind) = self.lead(at);
            at = behind.max(at);
            if matches!(code.word(at), "val" | "var") && !modifiers.contains(&"fun") {
                let (field, behind) = self.property(at + 1, annotations);
                let is_computed = code.word(behind) == "by" || code.word(behind) == "get";
                if !is_computed && code.word(at.wrapping_sub(1)) != "const" {
                    found.push(field);
                }
                at = behind;
            } else if code.opens(at) {
                at = code.close(at) + 1;
            } else {
                at += 1;
            }
        }
        found
    }

    /// The fields in the body of a Java class.
    fn fields(&self, (open, close): Range) -> Vec<Field<'a>> {
        let code = &self.code;
        let mut found = Vec::new();
        let mut at = open + 1;
        while at < close {
            let (annotations, modifiers, start) = self.lead(at);
            let ends =
                |at: usize| at >= close || [";", "=", "(", "{", ","].iter().any(|sign| code.is(at, sign));
            let behind = if code.word(start).is_empty() { start } else { code.behind_type(start) };
            let end = (start..=close).find(|&at| ends(at) && at >= behind).unwrap_or(close);
            let is_field = (code.is(end, ";") || code.is(end, "=")) && end == behind + 1;
            if is_field && !modifiers.contains(&"static") && !modifiers.contains(&"transient") {
                let kind = code.spelling((start, behind));
                found.push(Field { name: code.word(behind), kind, annotations, at: behind });
            }
            at = end;
            // To the end of the value, or of the body of a method.
            while at < close && !code.is(at, ";") {
                let is_block = code.is(at, "{");
                let closed = if code.opens(at) { code.close(at) } else { at };
                at = closed;
                if is_block && !is_field {
                    break;
                }
                at += 1;
            }
            at += 1;
        }
        found
    }
}
