//! What a walk over the tokens of a file finds. Places are tokens, by their index.

use super::Brackets;
use crate::extract::languages::SinkKind;

/// A function of a file.
#[derive(Debug, Clone, Copy)]
pub struct FunctionSketch {
    /// The token of its name.
    pub name: u32,
    /// The token of the type that it is a method of, or [`NOWHERE`](super::NOWHERE).
    pub owner: u32,
    /// The token of the trait that it is written for, or of the first base of its class, or [`NOWHERE`](super::NOWHERE).
    pub implements: u32,
    /// The first token behind its body, or the end of the file.
    pub end: u32,
    /// Whether it is test code, by an attribute, by its name, or by what it stands in.
    pub is_test: bool,
    /// Whether something in front of it (an attribute, a decorator) may call it from afar.
    pub is_registered: bool,
}

/// A call, or a function named without being called.
#[derive(Debug, Clone, Copy)]
pub struct CallSketch {
    /// The token of the last word of the callee's name.
    pub name: u32,
    /// The function that it stands in, or [`NOWHERE`](super::NOWHERE).
    pub function: u32,
    /// The loops around it within the function.
    pub loop_depth: u8,
    /// Whether it is called here, or only named.
    pub is_call: bool,
    /// Whether it runs beside the function that it stands in, from then on.
    pub is_launched: bool,
}

/// A name with a value that may be text.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// The token of the name.
    pub name: u32,
    /// The first token of the value.
    pub value: u32,
    /// The function that it stands in, or [`NOWHERE`](super::NOWHERE).
    pub function: u32,
}

/// A constant that is a number.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// The bytes of its name, for the tokens of a file may be dropped.
    pub name: (u32, u32),
    /// Its value; the largest there is where that is too large.
    pub value: u64,
    /// The bytes of its value, with the sign.
    pub literal: (u32, u32),
    /// Whether it is told so by the word `const` alone, wherever it stands.
    pub is_const: bool,
    /// Whether it stands at the level of a file or a type, so that texts may name it.
    pub is_fixed: bool,
}

/// A text that may be SQL.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The first token of the expression.
    pub start: u32,
    /// The token of the literal that looks like SQL, or starts with a hole.
    pub literal: u32,
    /// The function that it stands in, or [`NOWHERE`](super::NOWHERE).
    pub function: u32,
    /// The loops around it within the function.
    pub loop_depth: u8,
    /// The call whose argument it is, as the token of the callee's name.
    pub callee: Option<(u32, SinkKind)>,
    /// Whether it stands in test code.
    pub is_test: bool,
    /// Whether the literal is SQL by itself, and no sentence that begins like it.
    pub is_likely: bool,
    /// Whether it begins with a name that stands for SQL, which is then the literal.
    pub is_named: bool,
}

/// A loop, as a range of tokens.
#[derive(Debug, Clone, Copy)]
pub struct LoopSketch {
    /// The word that starts it.
    pub start: u32,
    /// The first token of its body.
    pub body: u32,
    /// The first token behind it.
    pub end: u32,
}

/// What the walk found.
#[derive(Debug, Default)]
pub struct Sketch {
    /// In the order of their names.
    pub functions: Vec<FunctionSketch>,
    /// In order.
    pub calls: Vec<CallSketch>,
    /// In order.
    pub bindings: Vec<Binding>,
    /// In order.
    pub candidates: Vec<Candidate>,
    /// The names that something begins with, be it SQL or not, in order; none once that is known.
    pub heads: Vec<Candidate>,
    /// The calls that put the text of another file in their place.
    pub includes: Vec<CallSketch>,
    /// In the order of their starts. One that starts within another ends within it.
    pub loops: Vec<LoopSketch>,
    /// Those of the whole file.
    pub brackets: Brackets,
    /// The constants that are numbers, in order.
    pub numbers: Vec<Number>,
    /// The traits and, where a class names its bases, the classes that are declared, as tokens of their names.
    pub types: Vec<u32>,
    /// The modules that are declared as test code, as tokens of their names.
    pub test_modules: Vec<u32>,
    /// The methods that interfaces list, as tokens of their names.
    pub signatures: Vec<u32>,
    /// What is named in a value outside of all functions, and the key or the name that it is a value of.
    pub listed: Vec<(u32, u32)>,
}

impl Sketch {
    /// Whether other files may ask for what has a name here, or for a file that is named here.
    pub fn has_names(&self) -> bool {
        !self.includes.is_empty() || self.bindings.iter().any(|binding| binding.function == super::NOWHERE)
    }

    /// The innermost of the functions around a token.
    pub fn function_around(&self, at: usize) -> Option<u32> {
        /// How many functions in front of a place are looked at for the one that it stands in.
        const NEAR: usize = 32;
        let behind = self.functions.partition_point(|one| (one.name as usize) < at);
        let mut near = (behind.saturating_sub(NEAR)..behind).rev();
        let found = near.find(|&one| self.functions.get(one).is_some_and(|one| at < one.end as usize));
        found.map(|one| one as u32)
    }

    /// The last name that is given a value up to a token.
    pub fn bound_up_to(&self, at: usize) -> Option<&Binding> {
        self.bindings.iter().rev().find(|binding| binding.value as usize <= at)
    }

    /// Gives back the room that its longest lists had to grow.
    pub fn shrink(&mut self) {
        self.functions.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.brackets.shrink();
    }

    /// The functions that hold what may be SQL, or the text of a file of SQL, and whether that is likely.
    pub fn holders(&self) -> impl Iterator<Item = (u32, bool)> {
        let included = self.includes.iter().map(|one| (one.function, true));
        let functions = self.candidates.iter().map(|candidate| (candidate.function, candidate.is_likely));
        functions.chain(included).filter(|(function, _)| *function != super::NOWHERE)
    }
}
