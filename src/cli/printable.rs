//! Text for a terminal, which does what it is told: a name or a source line may tell it to rename the window, to hide what
//! was found, or to answer. Colours stay, since they are ours.

/// A text without what a terminal would follow, but for line breaks, tabs and colours.
pub(super) fn printable(text: String) -> String {
    if !text.contains(|one: char| one.is_control() && one != '\n') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let length = colour(rest).unwrap_or(first.len_utf8());
        let (part, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if length > first.len_utf8() || matches!(first, '\n' | '\t') || !first.is_control() {
            plain.push_str(part);
        } else if !rest.starts_with("\r\n") {
            plain.push('\u{fffd}');
        }
        rest = behind;
    }
    plain
}

/// The length of what sets a colour, where it stands here: `ESC [`, numbers, `m`.
fn colour(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|one: char| !one.is_ascii_digit() && one != ';')?;
    numbers.get(end..)?.starts_with('m').then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn colours_and_line_breaks_stay_and_nothing_else_that_is_followed() {
        for (text, shown) in [
            ("plain\tä\n", "plain\tä\n"),
            ("\u{1b}[1;31mred\u{1b}[0m", "\u{1b}[1;31mred\u{1b}[0m"),
            ("a\r\nb\rc", "a\nb\u{fffd}c"),
            ("\u{1b}]0;title\u{7}", "\u{fffd}]0;title\u{fffd}"),
            ("\u{1b}[2J\u{9b}2J\u{1b}", "\u{fffd}[2J\u{fffd}2J\u{fffd}"),
            ("\u{1b}[", "\u{fffd}["),
        ] {
            assert_eq!(printable(text.to_owned()), shown);
        }
    }
}
