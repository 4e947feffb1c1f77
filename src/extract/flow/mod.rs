//! What a call is given, and in which loop: the element of the loop around, what the loop's last turn found, a parameter
//! of the function. Follows names through the assignments of one function; knows no types.

mod added;
mod applied;
mod arguments;
mod arms;
mod assignments;
mod besides;
mod branches;
mod heads;
mod kept;
mod keys;
mod known;
mod loops;
mod names;
mod pairs;
mod patterns;
mod prepared;
mod runs;
mod spelling;
mod transactions;
mod turns;
mod walked;

pub(super) use known::Flows;

pub use arms::Arm;
pub(crate) use arms::added as added_column;
pub use besides::Besides;
pub use branches::When;
pub use loops::LoopSource;
pub(super) use prepared::PREPARES;
pub(super) use spelling::is_connection;
pub use walked::Walked;

use super::{
    code::Code,
    fold::{Folder, Spot},
    lexer::Kind,
    sketch::{CallSketch, LoopSketch},
};
use crate::source::Site;
use arms::Leaving;
use assignments::Assignment;
use besides::Doings;
use names::Names;
use runs::Bound;
use rustc_hash::FxHashMap as HashMap;
use std::{
    ops::Range,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};
use transactions::FirstCalls;

/// Where the value of an argument comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It is written there.
    Literal,
    /// The element of the loop around.
    LoopItem,
    /// What the loop's last turn computed.
    LastResult,
    /// A parameter of the function around.
    Parameter,
    /// Anything else.
    Unknown,
}

impl Origin {
    /// The word for it in the facts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Literal => "literal",
            Self::LoopItem => "loop_item",
            Self::LastResult => "last_result",
            Self::Parameter => "parameter",
            Self::Unknown => "unknown",
        }
    }
}

/// An argument of a call, or a value that it binds to a parameter of SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// From 0.
    pub ordinal: u32,
    /// The name that it is bound to, where it is bound by name; with its prefix, if the driver asks for one.
    pub name: Option<String>,
    /// Where its value comes from.
    pub origin: Origin,
    /// The parameter of the function around that it depends on, from 0, the receiver aside. Not asked where a loop
    /// around hands the value.
    pub parameter: Option<u32>,
}

/// What is known of the call at a token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// The loops around it within its function.
    pub loop_depth: u8,
    /// What the innermost of them walks over.
    pub loop_source: Option<LoopSource>,
    /// The header of the innermost.
    pub loop_site: Option<Site>,
    /// The header of the outermost.
    pub outermost_site: Option<Site>,
    /// What else that loop does.
    pub besides: Besides,
    /// In which of its turns it runs.
    pub when: When,
    /// Whether the walk that the loop makes from what its last turn found ends by what another call says.
    pub asks: bool,
    /// Whether a transaction is open around it; `None` where nothing tells, or nobody asks: a call that may mean several
    /// functions is asked only if one of its name has a loop.
    pub in_transaction: Option<bool>,
    /// Where a call of the function opens that transaction; `None` where none does, for all that is seen.
    pub begins: Option<Begins>,
    /// Where the transaction is committed that a driver opened by itself, as that of Python does.
    pub commits: Option<Begins>,
    /// What it is given; read where a loop is around it that may matter, here or in a caller.
    pub arguments: Vec<Argument>,
    /// The literals that an INSERT, or what asks for a list, is given: their place from 0, the name that they are bound to, and their text.
    pub literals: Vec<(u32, Option<String>, String)>,
    /// The patterns that a LIKE is given, which begin with a wildcard: the same, with `…` in place of what is computed.
    pub patterns: Vec<(u32, Option<String>, String)>,
}

/// Where a transaction is opened, or committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    /// In the innermost loop around the call, in each of its turns.
    Loop,
    /// In the function, and not within that loop, or not in each turn.
    Function,
}

impl Begins {
    /// The word of the facts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::Function => "function",
        }
    }
}

/// Of which calls the arguments are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// Of none: nobody asks what code that is no work of the program hands on.
    Nothing,
    /// Of those in loops.
    Looped,
    /// Of all.
    All,
}

/// A function, as its names flow.
pub(super) struct Flow<'a> {
    code: Code<'a>,
    /// Its tokens, from its name on.
    body: Range<usize>,
    /// The type that it is a method of, or nothing.
    owner: &'a str,
    /// The loops of the file.
    loops: &'a [LoopSketch],
    /// The calls of the file.
    calls: &'a [CallSketch],
    // A function is asked for few of these, and most for none.
    parameters: OnceLock<Vec<Vec<&'a str>>>,
    /// The names of the parameters.
    given: OnceLock<Names<'a>>,
    /// The names whose value depends on each parameter, connections aside.
    dependent: OnceLock<Names<'a>>,
    assignments: OnceLock<Vec<Assignment<'a>>>,
    /// The elements of loops, and the names that depend on them, by the body of the loop.
    items: Mutex<HashMap<usize, Arc<Names<'a>>>>,
    /// What loops do, by their bodies.
    doings: Mutex<HashMap<usize, Doings>>,
    /// The `if`s and `match`es, and the `%`s.
    forks: OnceLock<Vec<usize>>,
    remainders: OnceLock<Vec<usize>>,
    /// The first calls that speak of transactions.
    first_calls: OnceLock<FirstCalls>,
    /// The texts that begin or end a transaction, and whether they begin it.
    begun: OnceLock<Vec<(usize, bool)>>,
    /// The `if`s that leave the function.
    leaving: OnceLock<Vec<Leaving>>,
    /// Whether a parameter is one, by its name.
    is_given_transaction: OnceLock<bool>,
}

impl<'a> Flow<'a> {
    /// The function of a spot.
    pub fn new(folder: &Folder<'a>, spot: Spot) -> Option<Self> {
        let sketch = &folder.units.get(spot.unit)?.sketch;
        let function = sketch.functions.get(spot.function as usize)?;
        Some(Self {
            code: folder.code(spot)?,
            body: function.name as usize..function.end as usize,
            owner: folder.owner(spot),
            loops: &sketch.loops,
            calls: &sketch.calls,
            parameters: OnceLock::new(),
            given: OnceLock::new(),
            dependent: OnceLock::new(),
            assignments: OnceLock::new(),
            items: Mutex::default(),
            doings: Mutex::default(),
            forks: OnceLock::new(),
            remainders: OnceLock::new(),
            first_calls: OnceLock::new(),
            begun: OnceLock::new(),
            leaving: OnceLock::new(),
            is_given_transaction: OnceLock::new(),
        })
    }

    /// Whether a call of the function is given a text with this in it first.
    pub fn gives(&self, words: &str) -> bool {
        let texts = self.body.clone().filter(|&at| self.code.kind(at) == Some(Kind::Text));
        texts.into_iter().any(|at| {
            self.code.word(at).contains(words)
                && at.checked_sub(1).is_some_and(|open| self.code.is(open, b'('))
        })
    }

    /// The place of a token.
    pub fn site(&self, at: usize) -> Option<Site> {
        self.code.site(at..at + 1)
    }

    /// The names of each parameter, the receiver aside.
    fn parameters(&self) -> &[Vec<&'a str>] {
        self.parameters.get_or_init(|| {
            self.parameter_ranges().into_iter().filter_map(|range| self.parameter(range)).collect()
        })
    }

    /// The tokens of each parameter.
    fn parameter_ranges(&self) -> Vec<Range<usize>> {
        let Some(open) = self.parameters_open(self.body.start) else { return Vec::new() };
        self.whole(self.code.arguments(open).0)
    }

    /// Parameters whose types have commas between angle brackets, put together again.
    fn whole(&self, ranges: Vec<(usize, usize)>) -> Vec<Range<usize>> {
        let mut joined: Vec<Range<usize>> = Vec::new();
        let mut angles = 0_i32;
        for (start, end) in ranges {
            match joined.last_mut() {
                Some(last) if angles > 0 => last.end = end,
                _ => joined.push(start..end),
            }
            angles += (start..end)
                .map(|at| {
                    i32::from(self.code.is(at, b'<'))
                        - i32::from(self.code.is(at, b'>') && !self.code.is(at - 1, b'-'))
                })
                .sum::<i32>();
        }
        joined
    }

    /// How many parameters it has, the receiver aside.
    pub fn arity(&self) -> usize {
        self.parameters().len()
    }

    /// Whether it gives a future.
    pub fn is_async(&self) -> bool {
        self.body.start.checked_sub(2).is_some_and(|before| self.code.word(before) == "async")
    }

    /// Whether the value of the call at a token is waited for.
    pub fn is_awaited(&self, name: usize) -> bool {
        let close = self.open(name).map(|open| self.code.matching(open));
        close.is_some_and(|close| self.code.is(close + 1, b'.') && self.code.word(close + 2) == "await")
    }

    /// How many arguments the call at a token has.
    pub fn argument_count(&self, name: usize) -> Option<usize> {
        self.open(name).map(|open| self.code.arguments(open).0.len())
    }

    /// The parenthesis of the parameters, past the generic ones.
    fn parameters_open(&self, name: usize) -> Option<usize> {
        // A function without a name goes by the parenthesis of its parameters.
        if self.code.is(name, b'(') {
            return Some(name);
        }
        // What runs when a value is made has none.
        if self.code.is(name, b'{') {
            return None;
        }
        let mut angles = 0_u32;
        for at in name + 1..name + 80 {
            if self.code.is(at, b'<') {
                angles += 1;
            } else if self.code.is(at, b'>') && !self.code.is(at - 1, b'-') {
                angles = angles.saturating_sub(1);
            } else if angles == 0 && self.code.is(at, b'(') {
                return Some(at);
            } else if self.code.is(at, b'{') || self.code.is(at, b';') {
                return None;
            }
        }
        None
    }

    /// The names of a parameter; `None` for the receiver of a method.
    fn parameter(&self, range: Range<usize>) -> Option<Vec<&'a str>> {
        let end =
            range.clone().find(|&at| self.code.is(at, b':') || self.code.is(at, b'=')).unwrap_or(range.end);
        let names = if self.code.has_receivers() {
            vec![self.code.word(range.start)]
        } else {
            assignments::pattern(self.code, range.start..end)
        };
        let receiver = range.clone().take(4).any(|at| matches!(self.code.word(at), "self" | "cls"));
        (!receiver && !range.is_empty()).then_some(names)
    }

    /// What is known of the call whose name stands at a token.
    fn run(&self, call: usize, is_helper: bool, reads: Reads, values: impl FnOnce() -> Vec<Bound>) -> Run {
        let around = loops::around(self.code, self.loops, call, self.body.start);
        let wanted = match reads {
            Reads::Nothing => false,
            Reads::Looped => around.is_some(),
            Reads::All => true,
        };
        let around = around.as_ref();
        let arguments = if wanted { self.arguments(call, around, &values()) } else { Vec::new() };
        let walks = || arguments.iter().any(|one| one.origin == Origin::LastResult);
        Run {
            loop_depth: around.map_or(0, |one| one.depth),
            loop_source: around.map(|one| one.source),
            loop_site: around.and_then(|one| self.code.site(one.range.start..one.body)),
            outermost_site: around.and_then(|one| self.code.site(one.outermost.clone())),
            besides: around.map(|one| self.besides(one, call, is_helper)).unwrap_or_default(),
            when: if reads == Reads::Nothing { When::default() } else { self.when(around, call) },
            asks: around.is_some_and(|around| walks() && self.asks(around, call)),
            in_transaction: self.in_transaction(call),
            begins: self.begins_at(call, around.map(|one| one.range.start)),
            commits: self.commits_at(call, around),
            arguments,
            literals: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// What a loop does besides one of its calls.
    fn besides(&self, around: &loops::Around<'a>, call: usize, is_helper: bool) -> Besides {
        // A map that is half filled holds only what is right.
        let mut known = self.doings.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry(around.body)
            .or_insert_with(|| Doings::new(self.code, self.loops, around))
            .besides(call, is_helper)
    }
}
