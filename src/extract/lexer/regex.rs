//! Regular expressions, which may hold quotes and brackets. Whether `/` starts one or divides is told by what stands in
//! front of it. An `impl` of [`Lexer`], apart for its length.

use super::{Class, Lexer};

/// Words behind which a value starts.
const BEFORE_VALUES: [&str; 16] = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "yield", "await",
    "if", "unless", "when",
];

impl Lexer<'_> {
    /// Skips a regular expression, if one stands here.
    pub(super) fn regex(&mut self) -> bool {
        if !self.language.regexes || self.bytes.get(self.at) != Some(&b'/') || self.divides() {
            return false;
        }
        let (mut at, mut in_class) = (self.at + 1, false);
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\n' => return false,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.at = at + 1;
                    while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
                        self.at += 1;
                    }
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Whether a value stands in front, or a tag opens or ends here.
    fn divides(&self) -> bool {
        let before = self.bytes.get(..self.at).unwrap_or(&[]);
        let gap = before.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let end = before.len() - gap;
        let last = end.checked_sub(1).and_then(|last| before.get(last)).copied().unwrap_or(b'(');
        let is_word = |byte: u8| matches!(self.table.class(byte), Class::Word | Class::Digit);
        if is_word(last) || last == b'$' {
            let length =
                before.get(..end).unwrap_or(&[]).iter().rev().take_while(|byte| is_word(**byte)).count();
            let word = self.text.get(end - length..end).unwrap_or("");
            return !BEFORE_VALUES.contains(&word);
        }
        (last == b'<' && gap == 0) || b")]}\"'`".contains(&last)
    }
}
