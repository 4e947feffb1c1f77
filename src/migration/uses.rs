//! Where a text that a function keeps in a variable is used: there it runs, not where it stands. Knows words, and follows a name to the
//! next place that has it.

use super::runners::mentions;
use crate::{
    extract::{Extraction, Literal},
    source::Sources,
};

/// The place of a text in the order of its file, as a byte.
pub(super) fn place(sources: &Sources, extraction: &Extraction, literal: &Literal) -> u32 {
    used_at(sources, extraction, literal).unwrap_or(literal.site.start)
}

fn used_at(sources: &Sources, extraction: &Extraction, literal: &Literal) -> Option<u32> {
    let function = extraction.functions.get(literal.function? as usize)?.site;
    let source = sources.get(literal.site.source).filter(|_| function.contains(literal.site))?;
    let name = variable(source.text().get(..literal.site.start as usize)?)?;
    let rest = source.text().get(literal.site.end as usize..function.end as usize)?;
    let at = mentions(rest, name).next()?;
    Some(literal.site.end + at as u32)
}

/// The variable that a text is bound to, by what stands in front of it: `const name =`, `String name =`, `name: string =`.
fn variable(before: &str) -> Option<&str> {
    let line = before.get(before.rfind('\n').map_or(0, |end| end + 1)..)?.trim_end();
    let line = line.strip_suffix('=')?;
    let is_other = |one: char| "=!<>+:.|".contains(one);
    let line = line.strip_suffix(':').unwrap_or(line);
    if line.ends_with(is_other) {
        return None;
    }
    let head = line.split_once(": ").map_or(line, |(head, _)| head).trim_end();
    let name = head.rsplit(|one: char| !(one.is_alphanumeric() || one == '_')).next()?;
    name.starts_with(|one: char| one.is_alphabetic() || one == '_').then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_of_a_text_is_told_by_what_stands_in_front_of_it() {
        for line in ["const sql = ", "\tlet sql: string = ", "x();\nString sql =", "sql := ", "  sql = "] {
            assert_eq!(variable(line), Some("sql"), "{line}");
        }
        for line in ["run(", "sql += ", "if sql == ", "one[2] = ", "push({ sql: "] {
            assert_eq!(variable(line), None, "{line}");
        }
    }
}
