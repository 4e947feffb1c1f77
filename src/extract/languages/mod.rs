//! A language is a description: how it writes strings and comments, what begins a function or a loop, how it
//! puts text together, and which of its code is test code. Adding a language is adding a file beside this one, and its
//! name to the modules here: the list of all is made from the files, by `src/build.rs`.

mod cpp;
mod csharp;
mod dart;
mod go;
mod haskell;
mod java;
mod javascript;
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod sql;
mod swift;

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

pub use super::library::{FormatCall, FormatStyle, Given, ImportForm, Joining, Method, Methods, Part, Place};
pub use super::strings::{Ending, Escapes, Holes, Marks, StringForm};

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
    /// What stands between pieces of code, from where one ends to where the next begins. A file starts with it.
    pub outside: Option<BlockComment>,
    /// Whether `'` starts a character or a lifetime.
    pub ticks: bool,
    /// Whether `/` may start a regular expression.
    pub regexes: bool,
    /// Whether `#` stands in front of the names that only a type itself sees: `this.#columns()`.
    pub private_names: bool,
    /// Whether programs write files of it, in lines that nobody reads.
    pub bundled: bool,
    /// Whether a call needs no parentheses.
    pub commands: bool,
    /// Whether indentation makes the blocks.
    pub indented: bool,
    /// The words behind which a block begins whose lines start where its first word stands. What a function is given stands behind it
    /// without parentheses, and a function is an equation.
    pub layout: &'static [&'static str],
    /// Whether a line break ends a statement that could end there.
    pub breaks: bool,
    /// Whether literals that stand side by side are one.
    pub adjacent: bool,
    /// Whether `text % values` fills the holes of a text.
    pub percent_operator: bool,
    /// Whether a choice is written `a if condition else b`.
    pub suffix_if: bool,
    /// Whether a list is made of another as `[element for name in list]`.
    pub comprehensions: bool,
    /// Whether a choice is written `condition ? a : b`.
    pub ternary: bool,
    /// Whether a choice between blocks, or with `match`, is a value.
    pub block_values: bool,
    /// Whether constants are objects with members: `{ SHIP: "ships" }`.
    pub objects: bool,
    /// The sign that puts two texts together.
    pub joins: u8,
    /// How it is written where it has more than one byte.
    pub joins_as: &'static [&'static str],
    /// The word that starts a function.
    pub function: &'static str,
    /// Whether the type that a function is a method of stands in parentheses in front of its name.
    pub receivers: bool,
    /// Whether a name, parentheses and a body make a function, with no word in front.
    pub bare_functions: bool,
    /// Whether `(a) => body` is a function.
    pub arrows: bool,
    /// Whether `=` may stand between the parentheses of a function and its body.
    pub equals_bodies: bool,
    /// Whether a method calls those of its own type without naming it.
    pub implicit_self: bool,
    /// Whether what stands beside the methods of a type runs when one is made.
    pub body_runs: bool,
    /// The words that announce a type, whose methods stand in its braces.
    pub types: &'static [&'static str],
    /// Whether what nothing reaches from `main` never runs: no framework calls functions by their names.
    pub closed: bool,
    /// Whether all files of a folder see what has a name at the level of one of them.
    pub packages: bool,
    /// How files import functions of others.
    pub imports: ImportForm,
    /// What the names of calls have in them whose arguments run beside the function around, from then on.
    pub launches: &'static [&'static str],
    /// The word in front of a call that runs so.
    pub launching: &'static str,
    /// The words that start a loop.
    pub loops: &'static [&'static str],
    /// Whether the head of a loop stands in parentheses, and one statement may be its body.
    pub parenthesised: bool,
    /// Methods whose closure runs once per element.
    pub loop_methods: &'static [&'static str],
    /// The words that declare a name with a value.
    pub declares: &'static [&'static str],
    /// Whether a type in front of a name declares it.
    pub typed: bool,
    /// What marks a parameter that takes all arguments which remain, a word or signs beside its name or type.
    pub variadic: &'static str,
    /// The words in front of a bracket that holds the elements of a list.
    pub lists: &'static [&'static str],
    /// Words that look like calls in front of a parenthesis, and are none.
    pub keywords: &'static [&'static str],
    /// Whether what is written behind `%` in a text is a hole, whoever is given it.
    pub percent_texts: bool,
    /// What makes text of a format string.
    pub formats: &'static [FormatCall],
    /// Macros that put texts together without a format string.
    pub concatenates: &'static [&'static str],
    /// Macros whose tokens are SQL as it stands.
    pub quotes_sql: &'static [&'static str],
    /// Methods that put more text behind the one that they are called on.
    pub appends: &'static [&'static str],
    /// Functions and macros that put a formatted text behind their first argument.
    pub writes: &'static [&'static str],
    /// Methods, or functions of a list, that put one more element behind it.
    pub pushes: &'static [&'static str],
    /// Methods of a list that put one more element in front of it.
    pub leads: &'static [&'static str],
    /// Types whose `push` puts more text behind the one that they are made of, and whose `push_bind` a parameter.
    pub builders: &'static [&'static str],
    /// Whether `name << value` puts more behind a text or a list.
    pub streams: bool,
    /// What makes one text of a list.
    pub joinings: &'static [Joining],
    /// Methods that return the text that they are called on.
    pub identities: &'static [&'static str],
    /// The functions of the usual drivers that run SQL.
    pub sinks: &'static [(&'static str, SinkKind)],
    /// Those of them that take the first row of what a text returns, however many there are.
    pub first_rows: &'static [&'static str],
    /// The methods of the usual drivers that make the SQL themselves.
    pub methods: Option<&'static Methods>,
    /// The functions that the usual drivers call on a new database, where others bring an old one to the same schema.
    pub creates: &'static [&'static str],
    /// The functions that the usual drivers call within a transaction, or calls that are given such a function.
    pub transactional: &'static [&'static str],
    /// The names of folders that hold test code, beside the usual ones; `*` stands for what comes before or behind.
    pub test_folders: &'static [&'static str],
    /// The names of files that are test code, without their ending; `*` stands for what comes before or behind.
    pub test_paths: &'static [&'static str],
    /// What marks a function or a type as test code, behind `@` or in brackets.
    pub test_marks: &'static [&'static str],
    /// What the name of a test function starts with.
    pub test_functions: &'static [&'static str],
    /// Whether the whole file is SQL.
    pub is_sql: bool,
}

/// A language of which nothing is known but that it is written as most are: what a description starts from.
pub const PLAIN: Language = Language {
    name: "",
    extensions: &[],
    strings: &[],
    line_comments: &["//"],
    block_comment: Some(BlockComment { open: "/*", close: "*/", nested: false }),
    outside: None,
    ticks: false,
    regexes: false,
    private_names: false,
    bundled: false,
    commands: false,
    indented: false,
    layout: &[],
    breaks: false,
    adjacent: false,
    percent_operator: false,
    suffix_if: false,
    comprehensions: false,
    ternary: false,
    block_values: false,
    objects: false,
    joins: b'+',
    joins_as: &[],
    function: "",
    receivers: false,
    bare_functions: false,
    arrows: false,
    equals_bodies: false,
    implicit_self: false,
    body_runs: false,
    types: &[],
    closed: false,
    packages: false,
    imports: ImportForm::Unread,
    launches: &[],
    launching: "",
    loops: &[],
    parenthesised: false,
    loop_methods: &[],
    declares: &[],
    typed: false,
    variadic: "",
    lists: &[],
    keywords: &[],
    percent_texts: false,
    formats: &[],
    concatenates: &[],
    quotes_sql: &[],
    appends: &[],
    writes: &[],
    pushes: &[],
    leads: &[],
    builders: &[],
    streams: false,
    joinings: &[],
    identities: &[],
    sinks: &[],
    first_rows: &[],
    methods: None,
    creates: &[],
    transactional: &[],
    test_folders: &[],
    test_paths: &[],
    test_marks: &[],
    test_functions: &[],
    is_sql: false,
};

impl Language {
    /// The words that announce a function, a loop, a declaration, a type or a module.
    pub fn announcing(&self) -> impl Iterator<Item = &'static str> {
        let words = self.loops.iter().chain(self.declares).copied();
        words.chain(self.types.iter().copied()).chain(["mod", self.function])
    }

    /// Whether layout makes the blocks, functions are equations, and declarations stand in no order.
    pub const fn has_layout(&self) -> bool {
        !self.layout.is_empty()
    }

    /// Whether other files see a name at the level of a file.
    pub fn shows(&self, name: &str) -> bool {
        self.has_layout() || super::words::is_global(name)
    }

    /// Whether other files may see a name at the level of a file, by its letters or by what they import.
    pub fn may_show(&self, name: &str) -> bool {
        self.imports.takes_names() || self.shows(name)
    }

    /// Whether types may stand between the name of what is called and the parenthesis: `name<T>(`.
    pub fn types_behind_names(&self) -> bool {
        self.typed || self.arrows || self.implicit_self
    }

    /// Whether a comment may start with this byte.
    pub fn comment_starts_with(&self, byte: u8) -> bool {
        let blocks = self.block_comment.iter().chain(&self.outside).map(|block| block.open);
        self.line_comments.iter().copied().chain(blocks).any(|start| start.as_bytes().first() == Some(&byte))
    }

    /// Whether a declaration hands a constructor what it is given: `Statement rows("…", db)`.
    pub fn constructs(&self) -> bool {
        self.streams && self.typed
    }

    /// Whether a method of this name fills the text that it is called on: `text.format(value)`.
    pub fn fills(&self, name: &str) -> bool {
        let is_method = |one: &FormatCall| {
            self.percent_operator || (one.style == FormatStyle::Percent && one.name.starts_with("format"))
        };
        self.formats.iter().any(|one| !one.bang && one.name == name && is_method(one))
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
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        // Bytes, for it is asked of each file and each of its folders.
        let fits = |name: &str, marks: &[&str]| {
            let name = name.as_bytes();
            marks.iter().any(|mark| match mark.as_bytes() {
                [start @ .., b'*'] => name.starts_with(start),
                [b'*', end @ ..] => name.ends_with(end),
                whole => name == whole,
            })
        };
        let mut above = "";
        folders.split('/').any(|folder| {
            let before = std::mem::replace(&mut above, folder);
            is_test_folder(folder) || tries_another(before, folder) || fits(folder, self.test_folders)
        }) || fits(stem, self.test_paths)
    }
}

/// Whether a program of the folder of programs is named after the one that it tries: `cmd/store-test`.
fn tries_another(above: &str, name: &str) -> bool {
    above == "cmd" && name.ends_with("-test")
}

/// Whether tests are in folders of this name, whatever the language.
fn is_test_folder(name: &str) -> bool {
    // Who does not want a folder to be taken for a module puts a line before its name.
    let is_named = matches!(
        name.trim_start_matches('_'),
        "tests" | "test" | "testing" | "testdata" | "fixtures" | "benches" | "testutil" | "test_utils"
    );
    is_named
        || ["integration", "e2e", "functional", "acceptance", "smoke"].iter().any(|kind| {
            name.strip_prefix(kind)
                .is_some_and(|rest| matches!(rest, "-test" | "-tests" | "_test" | "_tests"))
        })
}

/// The language of a path, by the ending of its name.
pub fn of(path: &str) -> Option<&'static Language> {
    ALL.get(of_path(path)?).copied()
}

/// A language of [`ALL`] as an index into it.
pub fn number(language: &Language) -> Option<usize> {
    ALL.iter().position(|one| one.name == language.name)
}

/// The language of a path, by the ending of its name, as an index into [`ALL`].
pub fn of_path(path: &str) -> Option<usize> {
    // It is asked for each file again and again.
    static BY_EXTENSION: LazyLock<FxHashMap<&str, usize>> = LazyLock::new(|| {
        let all = ALL.iter().enumerate().rev();
        all.flat_map(|(at, language)| language.extensions.iter().map(move |one| (*one, at))).collect()
    });
    let at = path.bytes().rposition(|byte| matches!(byte, b'.' | b'/'))?;
    let extension = path.get(at..)?.strip_prefix('.')?;
    BY_EXTENSION.get(extension).copied()
}
