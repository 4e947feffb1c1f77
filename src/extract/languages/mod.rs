//! A language is a description: how it writes strings and comments, what begins a function or a loop, how it
//! puts text together, and which of its code is test code. Adding a language is adding a file beside this one.

mod go;
mod python;
mod rust;
mod sql;

/// What a backslash means in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// Nothing.
    None,
    /// `\n`, `\x41`, `\u{41}`; before a line break it swallows the break and the white space that follows.
    SwallowIndent,
    /// The same, but before a line break it swallows the break alone.
    SwallowBreak,
}

/// What a string holds beside text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holes {
    /// Text only.
    None,
    /// Expressions in braces.
    Braces,
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
}

impl StringForm {
    /// Whether its opening quote starts with this byte.
    pub fn opens_with(&self, byte: u8) -> bool {
        self.open.as_bytes().first() == Some(&byte)
    }
}

/// A comment between two marks.
#[derive(Debug)]
pub struct BlockComment {
    /// The opening mark.
    pub open: &'static str,
    /// The closing mark.
    pub close: &'static str,
    /// Whether comments nest.
    pub nested: bool,
}

/// How a format string marks its holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatStyle {
    /// `{}`, `{0}`, `{name}`, `{name:?}`; `{{` is a brace.
    Braces,
    /// `%s`, `%d`, `%(name)s`, `%[1]s`; `%%` is a per cent sign.
    Percent,
}

/// A function or macro that makes text of a format string and arguments.
#[derive(Debug)]
pub struct FormatCall {
    /// The last word of its name.
    pub name: &'static str,
    /// How the format string marks its holes.
    pub style: FormatStyle,
    /// Whether it is called with `!`.
    pub bang: bool,
}

/// How a call treats the text that it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SinkKind {
    /// Runs or prepares the first statement; says nothing of the rest.
    RunsOne,
    /// Runs one statement, and refuses the text where there are more.
    RefusesMore,
    /// Runs all of them.
    RunsMany,
    /// Runs SQL, by its name; how is not known.
    Runs,
}

impl SinkKind {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RunsOne => "runs_one",
            Self::RefusesMore => "refuses_more",
            Self::RunsMany => "runs_many",
            Self::Runs => "runs",
        }
    }
}

/// A language, as far as finding SQL in it needs.
#[derive(Debug)]
pub struct Language {
    /// Its name in reports.
    pub name: &'static str,
    /// The endings of its files.
    pub extensions: &'static [&'static str],
    /// Its ways of writing a string, the longer opening quote first.
    pub strings: &'static [StringForm],
    /// What starts a comment that ends with the line.
    pub line_comments: &'static [&'static str],
    /// Its comment between two marks.
    pub block_comment: Option<BlockComment>,
    /// Whether `'` starts a character or a lifetime.
    pub ticks: bool,
    /// Whether indentation makes the blocks.
    pub indented: bool,
    /// Whether a line break ends a statement that could end there.
    pub breaks: bool,
    /// Whether literals that stand side by side are one.
    pub adjacent: bool,
    /// Whether `text % values` fills the holes of a text.
    pub percent_operator: bool,
    /// Whether a choice is written `a if condition else b`.
    pub suffix_if: bool,
    /// The word that starts a function.
    pub function: &'static str,
    /// The words that start a loop.
    pub loops: &'static [&'static str],
    /// Methods whose closure runs once per element.
    pub loop_methods: &'static [&'static str],
    /// The words that declare a name with a value.
    pub declares: &'static [&'static str],
    /// Words that look like calls in front of a parenthesis, and are none.
    pub keywords: &'static [&'static str],
    /// What makes text of a format string.
    pub formats: &'static [FormatCall],
    /// Macros that put texts together without a format string.
    pub concatenates: &'static [&'static str],
    /// Methods that return the text that they are called on.
    pub identities: &'static [&'static str],
    /// The functions of the usual drivers that run SQL.
    pub sinks: &'static [(&'static str, SinkKind)],
    /// Parts of a path that make a file test code: a folder's name, or what a file's name starts or ends with.
    pub test_paths: &'static [&'static str],
    /// What the name of a test function starts with.
    pub test_functions: &'static [&'static str],
    /// Whether the whole file is SQL.
    pub is_sql: bool,
}

impl Language {
    /// The words that announce a function, a loop, a declaration, a type or a module.
    pub fn announcing(&self) -> impl Iterator<Item = &'static str> {
        let words = self.loops.iter().chain(self.declares).copied();
        words.chain(["class", "impl", "trait", "mod", self.function])
    }

    /// Whether a comment may start with this byte.
    pub fn comment_starts_with(&self, byte: u8) -> bool {
        let blocks = self.block_comment.iter().map(|block| block.open);
        self.line_comments.iter().copied().chain(blocks).any(|start| start.as_bytes().first() == Some(&byte))
    }

    /// How a call of this name treats SQL; `None` where the name is not known to run any.
    pub fn sink(&self, name: &str) -> Option<SinkKind> {
        const SPEAKING: [&str; 6] = ["query", "exec", "prepare", "sql", "select_", "fetch_"];
        let known = self.sinks.iter().find(|(sink, _)| *sink == name).map(|&(_, kind)| kind);
        let speaks = || {
            let lower = name.to_ascii_lowercase();
            SPEAKING.iter().any(|word| lower.contains(word)).then_some(SinkKind::Runs)
        };
        known.or_else(speaks)
    }

    /// Whether this path is that of test code.
    pub fn is_test_path(&self, path: &str) -> bool {
        const FOLDERS: [&str; 8] =
            ["tests", "test", "testing", "testdata", "fixtures", "benches", "testutil", "test_utils"];
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        folders.split('/').any(|folder| FOLDERS.contains(&folder))
            || self.test_paths.iter().any(|mark| match mark.strip_suffix('*') {
                Some(start) => stem.starts_with(start),
                None => mark.strip_prefix('*').map_or(stem == *mark, |end| stem.ends_with(end)),
            })
    }
}

/// All languages that are read.
pub const ALL: &[&Language] = &[&rust::RUST, &python::PYTHON, &go::GO, &sql::SQL];

/// The language of a path, by the ending of its name.
pub fn of(path: &str) -> Option<&'static Language> {
    ALL.get(of_path(path)?).copied()
}

/// The language of a path, by the ending of its name, as an index into [`ALL`].
pub fn of_path(path: &str) -> Option<usize> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = file.rsplit_once('.')?;
    ALL.iter().position(|language| language.extensions.contains(&extension))
}
