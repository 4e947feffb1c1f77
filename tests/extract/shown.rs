//! What was found, as a person reads it: a line for each literal and below it its texts, holes as `{name}`, lists of
//! placeholders as `{name…}`; then functions, calls and constants.

use planlint::extract::sql::Looks;
use planlint::extract::text::{HOLE, Text};
use planlint::extract::{Argument, Call, Constant, Element, Extraction, Literal, Role};
use planlint::source::{Site, Sources};
use std::fmt::Write as _;

/// A text on one line.
pub fn line(text: &Text) -> String {
    let mut holes = text.holes().iter();
    let mut shown = String::new();
    for character in text.as_str().chars() {
        match character {
            HOLE => {
                let hole = holes.next().unwrap();
                let _ = write!(shown, "{{{}{}}}", hole.name, if hole.list { "…" } else { "" });
            }
            '\\' | '\'' | '"' => shown.push(character),
            other => shown.extend(other.escape_debug()),
        }
    }
    shown
}

/// Everything about a tree.
pub fn shown(sources: &Sources, extraction: &Extraction) -> String {
    let mut out = String::new();
    let many = sources.as_slice().len() > 1;
    let place = |site: Site| {
        let position = sources.get(site.source).unwrap().position(site.start);
        let path = if many { format!("{}:", sources.path(site.source)) } else { String::new() };
        format!("{path}{}:{}", position.line, position.column)
    };
    for one in &extraction.literals {
        let _ = writeln!(out, "{} {}", place(one.site), marks(one, extraction).join(", "));
        for text in &one.variants {
            let _ = writeln!(out, "    {}", line(text));
        }
    }
    section(&mut out, "functions", &extraction.functions, |one| {
        let reason = if one.reason.is_empty() { String::new() } else { format!(": {}", one.reason) };
        format!("{} {} {}{reason}", place(one.site), one.name, one.role.as_str())
    });
    section(&mut out, "calls", &extraction.calls, |one| {
        format!("{} {}", place(one.site), call(one, extraction))
    });
    section(&mut out, "constants", &extraction.constants, |one| {
        format!("{} {}", place(one.site), constant(one, extraction, &place))
    });
    out
}

fn section<T>(out: &mut String, title: &str, all: &[T], row: impl Fn(&T) -> String) {
    if !all.is_empty() {
        let _ = writeln!(out, "{title}");
        for one in all {
            let _ = writeln!(out, "    {}", row(one));
        }
    }
}

fn marks(one: &Literal, extraction: &Extraction) -> Vec<String> {
    let function = one.function.map_or("no function", |index| &extraction.functions[index as usize].name);
    let mut marks = vec![function.to_owned()];
    if one.role != Role::Production {
        marks.push(one.role.as_str().to_owned());
    }
    marks.extend(one.sink.as_ref().map(|sink| format!("{} {}", sink.name, sink.kind.as_str())));
    marks.extend((one.run.loop_depth > 0).then(|| format!("loop {}", one.run.loop_depth)));
    marks.extend(one.constant.as_ref().map(|name| format!("constant {name}")));
    marks.extend((one.run.in_transaction == Some(true)).then(|| "in a transaction".to_owned()));
    marks.extend((one.looks == Looks::Perhaps).then(|| "perhaps".to_owned()));
    marks
}

fn call(one: &Call, extraction: &Extraction) -> String {
    let name = |index: Option<u32>| index.map(|index| extraction.functions[index as usize].name.as_str());
    let origin = |argument: &Argument| argument.origin.as_str();
    let arguments: Vec<&str> = one.run.arguments.iter().map(origin).collect();
    let mut shown = format!(
        "{} calls {}({})",
        name(one.caller).unwrap_or("no function"),
        one.callee_name,
        arguments.join(", ")
    );
    if one.callee.is_none() {
        shown.push_str(", one of several");
    }
    if one.run.loop_depth > 0 {
        let _ = write!(shown, ", loop {}", one.run.loop_depth);
    }
    if one.run.in_transaction == Some(true) {
        shown.push_str(", in a transaction");
    }
    shown
}

fn constant(one: &Constant, extraction: &Extraction, place: &dyn Fn(Site) -> String) -> String {
    let element = |element: &Element| match element {
        Element::Literal(index) => place(extraction.literals[*index].site),
        Element::Name(name) => name.clone(),
        Element::Constant(site) => place(*site),
        Element::Function(turn) => place(turn.site),
    };
    let elements: Vec<String> = one.elements.iter().map(element).collect();
    let elements = elements.join(", ");
    if one.is_list { format!("{} = [{elements}]", one.name) } else { format!("{} = {elements}", one.name) }
}
