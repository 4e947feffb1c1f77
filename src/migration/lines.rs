//! Lines of code: the quotes and brackets in them, and what they declare, as far as all languages have the same.

/// What announces a named function, in languages that have a word for it.
const NAMED: [&str; 6] = ["fn", "function", "func", "fun", "sub", "def"];

/// What begins a statement of words and brackets that declares nothing.
const SPOKEN: [&str; 22] = [
    "return", "await", "new", "throw", "yield", "else", "if", "for", "foreach", "while", "switch", "match",
    "when", "select", "catch", "case", "using", "lock", "let", "go", "defer", "unless",
];

/// A line of code, without the space around it.
#[derive(Clone, Copy)]
pub(super) struct Line<'c> {
    pub start: usize,
    pub indent: usize,
    pub text: &'c str,
}

/// The lines in front of a place, the nearest first; those that are empty or comments alone aside.
pub(super) fn lines_up(code: &str, at: usize) -> impl Iterator<Item = Line<'_>> + Clone {
    let mut end = code.get(at..).and_then(|rest| rest.find('\n')).map_or(code.len(), |length| at + length);
    let mut is_over = false;
    std::iter::from_fn(move || {
        while !is_over {
            let start = code.get(..end)?.rfind('\n').map_or(0, |before| before + 1);
            let line = code.get(start..end)?;
            is_over = start == 0;
            end = start.saturating_sub(1);
            let text = line.trim_ascii();
            if !(text.is_empty() || is_comment(text)) {
                return Some(Line { start, indent: line.len() - line.trim_ascii_start().len(), text });
            }
        }
        None
    })
}

/// Whether a line is a comment alone.
pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with('#')
}

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

/// How far the blocks that a text ends lead out of it at most, and how many more it begins than it ends.
pub(super) fn braces(text: &str) -> (i32, i32) {
    let (mut low, mut sum) = (0, 0);
    // Most lines have none.
    let text = if memchr::memchr2(b'{', b'}', text.as_bytes()).is_some() { text } else { "" };
    for (_, one) in outside(text) {
        match one {
            '{' => sum += 1,
            '}' => sum -= 1,
            _ => {}
        }
        low = low.min(sum);
    }
    (low, sum)
}

/// Whether a line begins a function with a name. Languages with such blocks often let it run before the code comes to it.
pub(super) fn declares(line: &str) -> bool {
    let mut words = line.split_whitespace().take(6);
    if words.any(|word| NAMED.contains(&word.trim_end_matches('*'))) && words.next().is_some() {
        return true;
    }
    let Some((head, _)) = line.split_once('(') else { return false };
    let mut words = head.split_whitespace();
    words.next().is_some_and(|first| !SPOKEN.contains(&first))
        && words.next().is_some()
        && head.chars().all(|one| one.is_alphanumeric() || "_<>,?[]:.*& ".contains(one))
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
        assert_eq!((braces("} else { a('{'); }"), braces("f(() => {")), ((-1, -1), (0, 1)));
        assert_eq!(split("a || (b || c) or \"||\"", ["||", " or "]), ["a ", " (b || c)", "\"||\""]);
    }

    #[test]
    fn a_function_with_a_name_is_known_by_its_first_line() {
        let named = [
            "pub(crate) fn f<T: A>(",
            "async function* f() {",
            "static Task<int> F(int a)",
            "def f(a):",
            "sub f {",
        ];
        let others = [
            "const f = () => {",
            "run(function () {",
            "return run(",
            "else if (a) {",
            "db.exec(",
            "match f(a) {",
        ];
        assert!(named.into_iter().all(declares) && !others.into_iter().any(declares));
    }
}
