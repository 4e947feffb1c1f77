//! The quotes and brackets in a line of code, as far as all languages have the same.

/// The characters of a text that stand in no quotes. One without a second one in its line is none.
pub(super) fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut until = 0;
    let mut single = Vec::new();
    text.char_indices().filter(move |&(at, one)| {
        if at < until {
            return false;
        }
        if one == '\n' {
            single.clear();
        }
        if !matches!(one, '"' | '\'' | '`') || single.contains(&one) {
            return true;
        }
        let Some(length) = text.get(at + 1..).and_then(|rest| quoted(rest, one)) else {
            single.push(one);
            return true;
        };
        until = at + length + 2;
        false
    })
}

/// How long a text in quotes is, from behind the first one.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, one) in rest.char_indices() {
        match one {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if one == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// What stands in the bracket that a text begins with.
pub(super) fn bracketed(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('(')?;
    let mut depth = 1_usize;
    for (at, one) in outside(rest) {
        match one {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest.get(..at);
        }
    }
    None
}

/// The parts of a text between signs that stand in no brackets.
pub(super) fn split<'t>(text: &'t str, signs: [&str; 2]) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (at, one) in outside(text) {
        match one {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 || at < from => {}
            _ => {
                let sign =
                    signs.iter().find(|sign| text.get(at..).is_some_and(|rest| rest.starts_with(**sign)));
                if let Some(sign) = sign {
                    parts.extend(text.get(from..at));
                    from = at + sign.len();
                }
            }
        }
    }
    parts.extend(text.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_brackets_keep_what_stands_in_them() {
        let of = |text| outside(text).map(|(_, one)| one).collect::<String>();
        assert_eq!(of("a \"b\\\"{\" c 'd' e"), "a  c  e");
        assert_eq!(of("it's {\n'}'"), "it's {\n");
        assert_eq!(bracketed("(a(\")\") b) c"), Some("a(\")\") b"));
        assert_eq!((bracketed("(a"), bracketed("a()")), (None, None));
        assert_eq!(split("a || (b || c) or \"||\"", ["||", " or "]), ["a ", " (b || c)", "\"||\""]);
    }
}
