//! What a call is given, and in which loop: the element of the loop around, what the loop's last turn found, a parameter
//! of the function. Follows names through the assignments of one function; knows no types.

mod assignments;
mod code;
mod loops;
mod runs;
mod transactions;

pub use loops::{Besides, LoopSource};

use super::fold::{Folder, Spot};
use crate::source::Site;
use assignments::{Assignment, assignments};
use code::Code;
use runs::Bound;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use transactions::is_connection;

/// A loop of more tokens is not followed from turn to turn.
const LONG_LOOP: usize = 1500;

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
    /// The parameter of the function around that it depends on, from 0, the receiver aside.
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
    /// What else that loop does.
    pub besides: Besides,
    /// Whether a transaction is open around it; `None` where nothing tells.
    pub in_transaction: Option<bool>,
    /// What it is given; not read where no loop is around it, here or in a caller.
    pub arguments: Vec<Argument>,
}

/// The body of a loop, and the names that depend on its element.
type Items<'a> = (usize, Rc<[&'a str]>);

/// A function, as its names flow.
pub(super) struct Flow<'f, 'a> {
    code: Code<'f, 'a>,
    /// Its tokens, from its name on.
    body: Range<usize>,
    // A function is asked for few of these, and most for none.
    parameters: OnceCell<Vec<Vec<&'a str>>>,
    /// The names whose value depends on each parameter; empty for connections, on which all does.
    dependent: OnceCell<Vec<Vec<&'a str>>>,
    assignments: OnceCell<Vec<Assignment<'a>>>,
    /// The elements of loops, and the names that depend on them, by the body of the loop.
    items: RefCell<Vec<Items<'a>>>,
    /// The first call that opens a transaction.
    transaction: OnceCell<Option<usize>>,
}

impl<'f, 'a> Flow<'f, 'a> {
    /// The function of a spot.
    pub fn new(folder: &'f Folder<'a>, spot: Spot) -> Option<Self> {
        let function = folder.units.get(spot.unit)?.sketch.functions.get(spot.function as usize)?;
        let name = function.name as usize;
        Some(Self {
            code: Code { folder, spot },
            body: name..function.end as usize,
            parameters: OnceCell::new(),
            dependent: OnceCell::new(),
            assignments: OnceCell::new(),
            items: RefCell::default(),
            transaction: OnceCell::new(),
        })
    }

    /// The names of each parameter, the receiver aside.
    fn parameters(&self) -> &[Vec<&'a str>] {
        self.parameters.get_or_init(|| {
            let Some(open) = self.parameters_open(self.body.start) else { return Vec::new() };
            let (ranges, _) = self.code.arguments(open);
            self.whole(ranges).into_iter().filter_map(|range| self.parameter(range)).collect()
        })
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
        let names = if self.code.by_lines() {
            vec![self.code.word(range.start)]
        } else {
            assignments::pattern(self.code, range.start..end)
        };
        let receiver = range.clone().take(4).any(|at| matches!(self.code.word(at), "self" | "cls"));
        (!receiver && !range.is_empty()).then_some(names)
    }

    fn assignments(&self) -> &[Assignment<'a>] {
        self.assignments.get_or_init(|| assignments(self.code, self.body.clone()))
    }

    /// Whether an expression names one of these.
    fn mentions(&self, range: Range<usize>, names: &[&str]) -> bool {
        range.into_iter().any(|at| {
            let field = at.checked_sub(1).is_some_and(|before| self.code.is(before, b'.'));
            let own = at.checked_sub(2).is_some_and(|before| matches!(self.code.word(before), "self" | "."));
            self.code.is_word(at)
                && (!field || own)
                && names.contains(&self.code.word(at))
                && !self.is_callee(at)
        })
    }

    fn is_callee(&self, at: usize) -> bool {
        self.code.is(at + 1, b'(')
            || (self.code.is(at + 1, b'=') && !self.code.is(at + 2, b'=')) && self.code.indented()
    }

    /// The names whose value depends on these, through the assignments of a range.
    fn derived(&self, from: Vec<&'a str>, within: &Range<usize>) -> Vec<&'a str> {
        let mut known = from;
        for _ in 0..3 {
            let before = known.len();
            for one in self.assignments().iter().filter(|one| within.contains(&one.at)) {
                if self.mentions(one.value.clone(), &known) {
                    let fresh: Vec<&str> =
                        one.names.iter().copied().filter(|name| !known.contains(name)).collect();
                    known.extend(fresh);
                }
            }
            if known.len() == before {
                break;
            }
        }
        known
    }

    /// What is known of the call whose name stands at a token. Its arguments are read where it stands in a loop, or
    /// where `fully`.
    fn run(&self, call: usize, fully: bool, values: impl FnOnce() -> Vec<Bound>) -> Run {
        let around = loops::around(self.code, call, self.body.start);
        let arguments = if fully || around.is_some() {
            self.arguments(call, around.as_ref(), &values())
        } else {
            Vec::new()
        };
        let around = around.as_ref();
        Run {
            loop_depth: around.map_or(0, |one| one.depth),
            loop_source: around.map(|one| one.source),
            loop_site: around
                .and_then(|one| self.code.folder.site(self.code.spot, one.range.start..one.body)),
            besides: around.map(|one| loops::besides(self.code, one, call)).unwrap_or_default(),
            in_transaction: self.in_transaction(call),
            arguments,
        }
    }

    fn arguments(&self, call: usize, around: Option<&loops::Around<'a>>, ranges: &[Bound]) -> Vec<Argument> {
        let items = around.map(|one| self.items(one)).unwrap_or_default();
        let carried = around.map(|one| self.carried(call, one)).unwrap_or_default();
        let arguments = ranges.iter().enumerate().map(|(ordinal, (name, range))| {
            let parameter = self.parameter_in(range);
            let origin = if !range.clone().any(|at| self.code.is_word(at)) {
                Origin::Literal
            } else if self.mentions(range.clone(), &carried) {
                Origin::LastResult
            } else if self.mentions(range.clone(), &items) {
                Origin::LoopItem
            } else if parameter.is_some() {
                Origin::Parameter
            } else {
                Origin::Unknown
            };
            Argument { ordinal: ordinal as u32, name: name.clone(), origin, parameter }
        });
        arguments.collect()
    }

    /// The names of a loop's element, and those that depend on it.
    fn items(&self, around: &loops::Around<'a>) -> Rc<[&'a str]> {
        // The body, and not the start: closures of one chain start together.
        let start = around.body;
        let known =
            self.items.borrow().iter().find(|(at, _)| *at == start).map(|(_, items)| Rc::clone(items));
        known.unwrap_or_else(|| {
            let items: Rc<[&str]> = self.derived(around.items.clone(), &around.range).into();
            self.items.borrow_mut().push((start, Rc::clone(&items)));
            items
        })
    }

    /// The names that a turn of the loop gives to the next, with what the call found: assigned in the loop from its
    /// result, and declared outside.
    fn carried(&self, call: usize, around: &loops::Around<'a>) -> Vec<&'a str> {
        // In the long loop of a server everything depends on everything.
        if around.range.len() > LONG_LOOP {
            return Vec::new();
        }
        let all = || self.assignments().iter().filter(|one| around.range.contains(&one.at));
        let seeds = all().filter(|one| one.value.contains(&call)).flat_map(|one| one.names.iter().copied());
        let seeds: Vec<&str> = seeds.collect();
        if seeds.is_empty() || all().all(|one| one.declares) {
            return Vec::new();
        }
        let found = self.derived(seeds, &around.range);
        let depends =
            |one: &&Assignment<'a>| one.value.contains(&call) || self.mentions(one.value.clone(), &found);
        let mut carried: Vec<&str> = all()
            .filter(|one| !one.declares)
            .filter(depends)
            .flat_map(|one| one.names.iter().copied())
            .collect();
        // A name that is declared, or given something else, in front of the call starts each turn anew.
        carried.retain(|name| {
            !all().any(|one| one.at < call && one.names.contains(name) && (one.declares || !depends(&one)))
                && !around.items.contains(name)
        });
        // What is taken from them in front of the call: `let parent = header.parent;`, `while let Some(one) = node`.
        self.derived(carried, &(around.range.start..call))
    }

    /// The parameter that an expression depends on, from 0.
    fn parameter_in(&self, range: &Range<usize>) -> Option<u32> {
        let within = |names: &Vec<&str>| !names.is_empty() && self.mentions(range.clone(), names);
        let dependent = || {
            self.dependent.get_or_init(|| {
                let depends = |names: &Vec<&'a str>| {
                    let plain = names.iter().all(|name| !is_connection(name));
                    if plain { self.derived(names.clone(), &self.body) } else { Vec::new() }
                };
                self.parameters().iter().map(depends).collect()
            })
        };
        let index = self.parameters().iter().position(within).or_else(|| dependent().iter().position(within));
        index.map(|index| index as u32)
    }
}
