//! Which function a call means. Knows types by name alone. An `impl` of [`Collector`], apart for its length.

use super::{Collector, Located};
use crate::extract::{
    flow::Flow,
    fold::{Folder, Spot},
};
use crate::source::folder_of;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// The most packages of one name that are told apart.
const MOST_PACKAGES: usize = 16;

/// How far in a file its imports stand.
const IMPORTS_END: usize = 16 * 1024;

/// A function that holds SQL: its file, its place there, and its number.
type Holder = (u32, u32, u32);

impl Collector<'_> {
    /// Which of the functions of a name a call means, by the type in front of it; `None` where that is not certain.
    pub(super) fn callee(&self, flow: &Flow<'_>, spot: Spot, name: usize, callees: &[u32]) -> Option<u32> {
        let folder = self.folder;
        let mark = |byte: u8| name.checked_sub(1).is_some_and(|before| folder.is(spot, before, byte));
        let word = |back: usize| name.checked_sub(back).map_or("", |before| folder.word(spot, before));
        let holders = || callees.iter().filter_map(|number| self.holder(*number));
        let owner = if mark(b'.') {
            match word(2) {
                "self" | "cls" | "this" => folder.owner(spot),
                receiver if flow.receives(receiver) => folder.owner(spot),
                // `ShipTable.create(db)`
                typed if is_type(typed) && holders().any(|holder| owner_of(folder, &holder) == typed) => {
                    typed
                }
                receiver => {
                    let of_package = self.of_package((spot, name), receiver, holders());
                    let method = || self.method(flow, (folder.word(spot, name), name), receiver, holders());
                    return of_package.or_else(method);
                }
            }
        } else if mark(b':') {
            match word(3) {
                "Self" => folder.owner(spot),
                typed if is_type(typed) => typed,
                _ => "",
            }
        } else if self.is_own(spot, mark(b'>') && word(3) == "this", holders()) {
            folder.owner(spot)
        } else {
            ""
        };
        let is_free = !b".:>".iter().any(|&sign| mark(sign)) && folder.type_of_method(spot).is_empty();
        let is_method =
            |&(unit, function, _): &Holder| is_type(folder.type_of_method(Spot::at(unit as usize, function)));
        // Who is no method has no method to call by its name alone.
        let of_owner = holders().filter(|holder| owner_of(folder, holder) == owner);
        let of_owner = of_owner.filter(|holder| !is_free || !is_method(holder));
        let here = of_owner.clone().filter(|(unit, ..)| *unit == spot.unit as u32);
        let beside = of_owner.clone().filter(|(unit, ..)| folder.is_beside(spot.unit, *unit as usize));
        // A function of another package has its name in front.
        let afar = if folder.language(spot).is_some_and(|language| language.packages) {
            None
        } else {
            only(of_owner)
        };
        only(here).or_else(|| only(beside)).or(afar).map(|(.., number)| number)
    }

    /// The function of a package that the file imports, which is the folder of that name: of several, the one whose path
    /// stands there.
    fn of_package(
        &self,
        (spot, at): (Spot, usize),
        package: &str,
        holders: impl Iterator<Item = Holder>,
    ) -> Option<u32> {
        let folder = self.folder;
        if package.is_empty() || !folder.language(spot)?.packages || folder.declares(spot, package, at) {
            return None;
        }
        let path = |unit: usize| Some(folder.sources.path(folder.units.get(unit)?.source));
        let home = |holder: &Holder| path(holder.0 as usize).map_or("", folder_of);
        let is_of = |holder: &Holder| {
            owner_of(folder, holder).is_empty() && home(holder).rsplit('/').next() == Some(package)
        };
        let all: Vec<Holder> = holders.filter(is_of).take(MOST_PACKAGES + 1).collect();
        if all.is_empty() || all.len() > MOST_PACKAGES {
            return None;
        }
        let text = folder.sources.get(folder.units.get(spot.unit)?.source)?.text();
        let head = text.get(..text.floor_char_boundary(IMPORTS_END)).unwrap_or(text);
        let imports = |path: &str| head.contains(&format!("/{path}\""));
        if let [one] = all.as_slice() {
            return imports(package).then_some(one.2);
        }
        only(all.iter().filter(|holder| imports(home(holder))).copied()).map(|(.., number)| number)
    }

    /// Whether a call without a type in front means a method of the type around: `$this->name(…)`, or one of the holders, in
    /// a language that needs no word for it.
    fn is_own(&self, spot: Spot, by_this: bool, mut holders: impl Iterator<Item = Holder>) -> bool {
        let implicit = self.folder.language(spot).is_some_and(|language| language.implicit_self);
        let owner = self.folder.owner(spot);
        by_this || implicit && holders.any(|holder| owner_of(self.folder, &holder) == owner)
    }

    fn holder(&self, number: u32) -> Option<Holder> {
        self.places.get(number as usize).map(|&(unit, index)| (unit, index, number))
    }

    /// The method that a value of unknown type has, which its name alone tells: the only function of that name in the
    /// tree, or one of several that all call the same, of as many parameters, and none that collections have too.
    fn method(
        &self,
        flow: &Flow<'_>,
        (word, name): (&str, usize),
        receiver: &str,
        holders: impl Iterator<Item = Holder>,
    ) -> Option<u32> {
        const MOST: usize = 16;
        if is_common(word) {
            return None;
        }
        let all: Vec<Holder> = holders.take(MOST + 1).collect();
        if all.len() > MOST || !self.do_the_same(&all) {
            return None;
        }
        let fits = |&&(unit, function, _): &&Holder| {
            self.flows.of(Spot::at(unit as usize, function)).is_some_and(|callee| {
                let fits = flow.argument_count(name) == Some(callee.arity());
                fits && (callee.is_async() || !flow.is_awaited(name))
            })
        };
        // What is called on a transaction is more likely its own.
        let is_alike = |holder: &&&Holder| {
            names_transaction(owner_of(self.folder, holder)) == names_transaction(receiver)
        };
        let fitting: Vec<&Holder> = all.iter().filter(fits).collect();
        fitting.iter().find(is_alike).or(fitting.first()).map(|(.., number)| *number)
    }

    /// Whether it does not matter which of these functions of one name is meant, for the tree has no other of that name but
    /// what they call, and they all call the same.
    fn do_the_same(&self, all: &[Holder]) -> bool {
        let Some(&(unit, function, number)) = all.first() else { return false };
        if all.len() == 1 && self.graph.is_only(unit, function) {
            return true;
        }
        let Some(inner) = self.leads.get(&number) else { return false };
        let name = self.graph.name(unit, function);
        let called = inner.iter().filter_map(|number| self.holder(*number));
        let of_name = called.filter(|(unit, function, _)| self.graph.name(*unit, *function) == name).count();
        all.iter().all(|(.., number)| self.leads.get(number) == Some(inner))
            && self.graph.count(unit, function) as usize == all.len() + of_name
    }
}

/// Whether a word is the name of a transaction, or of its type.
fn names_transaction(word: &str) -> bool {
    word.starts_with("tx") || word.contains("Tx") || word.contains("Transaction")
}

/// Which functions with SQL each caller calls.
pub(super) fn leads(calls: &[Located]) -> HashMap<u32, BTreeSet<u32>> {
    let mut leads: HashMap<u32, BTreeSet<u32>> = HashMap::default();
    for (call, ..) in calls {
        if let (Some(caller), Some(callee)) = (call.caller, call.callee) {
            leads.entry(caller).or_default().insert(callee);
        }
    }
    leads
}

fn owner_of<'a>(folder: &Folder<'a>, (unit, function, _): &Holder) -> &'a str {
    folder.owner(Spot::at(*unit as usize, *function))
}

/// Whether a word is the name of a type, as types are written.
fn is_type(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
}

fn only(mut holders: impl Iterator<Item = Holder>) -> Option<Holder> {
    let first = holders.next()?;
    holders.next().is_none().then_some(first)
}

/// Whether collections, files and channels have methods of this name.
fn is_common(name: &str) -> bool {
    const NAMES: [&str; 36] = [
        "get", "set", "insert", "remove", "push", "pop", "contains", "next", "len", "load", "find", "update",
        "execute", "query", "open", "close", "read", "write", "send", "iter", "clear", "append", "add",
        "commit", "delete", "save", "put", "take", "last", "first", "count", "flush", "run", "new", "exists",
        "list",
    ];
    NAMES.contains(&name.to_ascii_lowercase().as_str())
}
