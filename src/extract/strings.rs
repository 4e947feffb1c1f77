//! The ways of writing a string, as the descriptions of languages use them. Knows no language.

/// What a backslash means in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// Nothing.
    None,
    /// `\n`, `\x41`, `\u{41}`; before a line break it swallows the break and the white space that follows.
    SwallowIndent,
    /// The same, but before a line break it swallows the break alone.
    SwallowBreak,
    /// The same, but before white space it swallows that and the next backslash.
    Gaps,
    /// Nothing, but the closing quote twice is that quote.
    Doubled,
    /// It stands for itself, and so does what follows it, be it the closing quote.
    Kept,
}

/// How a string ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With its closing quote.
    Quote,
    /// As in C++: with `)`, the word between the opening quote and `(`, and the closing quote.
    Delimiter,
    /// As in PHP: with the word behind the opening mark, which starts a line below.
    Word,
    /// As in Ruby: the same, and the rest of the line that it starts in comes before it.
    WordBelow,
    /// As in Ruby: with the bracket that closes the one behind the opening mark, or the same sign again.
    Bracket,
}

/// How a string marks the expressions in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// What opens an expression; it ends where the bracket that the mark ends with is closed.
    pub open: &'static [&'static str],
    /// Whether `$name` stands for a value.
    pub names: bool,
    /// Whether a mark twice, or its closing bracket twice, is that sign.
    pub doubled: bool,
}

/// What a string holds beside text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holes {
    /// Text only.
    None,
    /// Expressions in braces.
    Braces,
    /// Expressions behind marks, with strings in them that may have the quotes of this one.
    Marked(Marks),
}

/// One way of writing a string.
#[derive(Debug)]
pub struct StringForm {
    /// The letters in front of the quote, in any case.
    pub prefix: &'static str,
    /// The opening quote.
    pub open: &'static str,
    /// The closing quote.
    pub close: &'static str,
    /// What a backslash means.
    pub escapes: Escapes,
    /// Whether `#` may stand between prefix and quote, as often as behind the end.
    pub hashes: bool,
    /// Whether it may run over several lines.
    pub multiline: bool,
    /// Whether it holds bytes and not text.
    pub bytes: bool,
    /// What it holds beside text.
    pub holes: Holes,
    /// How it ends.
    pub ending: Ending,
}

impl StringForm {
    /// A string between quotes, on one line, with nothing special in it.
    pub const fn between(open: &'static str, close: &'static str) -> Self {
        Self {
            prefix: "",
            open,
            close,
            escapes: Escapes::None,
            hashes: false,
            multiline: false,
            bytes: false,
            holes: Holes::None,
            ending: Ending::Quote,
        }
    }

    /// The same with escapes.
    pub const fn escaped(quote: &'static str) -> Self {
        Self { escapes: Escapes::SwallowBreak, ..Self::between(quote, quote) }
    }

    /// The same over several lines.
    #[must_use]
    pub const fn over_lines(self) -> Self {
        Self { multiline: true, ..self }
    }

    /// The same with a prefix.
    #[must_use]
    pub const fn behind(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }

    /// The same with expressions in it.
    #[must_use]
    pub const fn with(self, marks: Marks) -> Self {
        Self { holes: Holes::Marked(marks), ..self }
    }

    /// Whether its opening quote starts with this byte.
    pub fn opens_with(&self, byte: u8) -> bool {
        self.open.as_bytes().first() == Some(&byte)
    }
}
