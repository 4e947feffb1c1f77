//! Functions whose names speak of migrations and that the program calls as it works, for one thing at a time: `migrateUser(from,
//! to)`; and texts that a function keeps for later. An `impl` of [`Collector`], apart for its length.

use super::{Collector, Located, setup::is_ddl};
use crate::extract::{
    Found,
    code::Code,
    flow::Reads,
    fold::Spot,
    roles::{BY_NAME, ONLY_SUCH, Role},
    sketch::NOWHERE,
    sql::begins_temporary,
    text::Text,
};
use rustc_hash::FxHashSet as HashSet;

/// How many tokens a text may stand behind the field that it is for.
const FURTHEST: usize = 24;

impl Collector<'_> {
    /// Calls such functions work of the program, with what only they call.
    pub(super) fn overrule_names(&mut self, found: &mut [Found], calls: &[Located]) {
        let named = self.in_role(BY_NAME).filter(|&one| self.is_called_at_work(one, calls));
        let mut work: Vec<u32> = named.filter(|&one| self.moves_what_it_is_given(one, found)).collect();
        if work.is_empty() {
            return;
        }
        let follows: HashSet<u32> = self.in_role(ONLY_SUCH).collect();
        let mut overruled: HashSet<u32> = HashSet::default();
        while let Some(one) = work.pop() {
            if overruled.insert(one) {
                let below = self.leads.get(&one).into_iter().flatten().copied();
                work.extend(below.filter(|callee| follows.contains(callee)));
            }
        }
        for &one in &overruled {
            if let Some(function) = self.functions.get_mut(one as usize) {
                function.role = Role::Production;
                "the program calls it for what it is given".clone_into(&mut function.reason);
            }
        }
        for one in found.iter_mut() {
            if one.literal.role == Role::Migration
                && one.literal.function.is_some_and(|function| overruled.contains(&function))
            {
                one.literal.role = Role::Production;
            }
        }
    }

    /// Whether a text is a part of what a field is given, or is prepared for one that the function does not use itself:
    /// `Store { list: format("SELECT …") }`, `self.list = "SELECT …"`, `prepare("SELECT …", &list_)`.
    pub(super) fn is_kept(&self, one: &Found) -> bool {
        let spot = Spot::at(one.unit as usize, NOWHERE);
        let (Some(unit), Some(code)) = (self.folder.units.get(spot.unit), self.folder.code(spot)) else {
            return false;
        };
        let (is, is_word, word) = (|at, byte| code.is(at, byte), |at| code.is_word(at), |at| code.word(at));
        let end =
            unit.sketch.functions.get(one.candidate.function as usize).map_or(0, |one| one.end as usize);
        let call = code.around(one.candidate.start as usize).next();
        let behind = call.map_or(one.end as usize, |open| code.matching(open));
        // A statement that is stepped where it is prepared runs there.
        let is_used = |name: usize| (behind..end).any(|at| is_word(at) && word(at) == word(name));
        let prepares = |at: usize| {
            let word = word(at).to_ascii_lowercase();
            ["prepare", "statement", "stmt", "compile"].iter().any(|part| word.contains(part))
                && !word.contains("run")
                && !word.contains("exec")
        };
        // `list_`, `m_list`, `this->list`
        let is_member = |at: usize| {
            let is_named = word(at).ends_with('_') || word(at).starts_with("m_");
            let is_path = at > 1 && (is(at - 1, b'.') || (is(at - 1, b'>') && is(at - 2, b'-')));
            is_word(at) && (is_named || is_path) && !is_used(at)
        };
        let is_macro =
            |at: usize| is_word(at) && word(at).bytes().all(|one| one.is_ascii_uppercase() || one == b'_');
        if call.is_some_and(|open| is_run_behind(code, open)) {
            return false;
        }
        let mut is_prepared = false;
        let mut at = one.candidate.start as usize;
        let floor = at.saturating_sub(FURTHEST);
        while at > floor.max(3) {
            at -= 1;
            is_prepared |= is_word(at) && prepares(at);
            if is(at, b':') && is(at - 1, b':') {
                at -= 1;
            } else if is(at, b':') {
                return is_word(at - 1) && (is(at - 2, b'{') || is(at - 2, b','));
            } else if is(at, b'=') {
                // `store.list, err = …`
                let mut target = at - 1;
                while target > 2 && is(target - 1, b',') && is_word(target - 2) {
                    target -= 2;
                }
                let is_field = is_word(target) && is(target - 1, b'.');
                return target > 2 && if is_prepared { is_member(target) } else { is_field };
            } else if is(at, b',') && is_macro(at - 3) {
                // `ASSIGN(list_, prepare("SELECT …"))`
                return is_prepared && is(at - 2, b'(') && is_member(at - 1);
            } else if !is_word(at) && !b"(.&".iter().any(|&byte| is(at, byte)) {
                break;
            }
        }
        let called = call.and_then(|open| open.checked_sub(1)).is_some_and(prepares);
        let is_address = |at: usize| is(at, b'&') && !is(at - 1, b'&') && !is(at + 1, b'&');
        called && (one.end as usize..behind).any(|at| is_address(at) && is_member(path_end(code, at + 1)))
    }

    /// The functions that migrate for this reason.
    fn in_role(&self, reason: &str) -> impl Iterator<Item = u32> {
        let all = (0_u32..).zip(&self.functions);
        all.filter(move |(_, one)| one.role == Role::Migration && one.reason == reason)
            .map(|(number, _)| number)
    }

    /// Whether work of the program calls a function.
    fn is_called_at_work(&self, callee: u32, calls: &[Located]) -> bool {
        let Some(name) = self.functions.get(callee as usize).map(|one| one.name.as_str()) else {
            return false;
        };
        calls.iter().any(|(call, ..)| {
            let around = call.caller.and_then(|number| self.functions.get(number as usize));
            let means = call.callee.map_or(call.callee_name == name, |one| one == callee);
            means && around.is_some_and(|one| one.role == Role::Production && one.name != "main")
        })
    }

    /// Whether a function changes no schema, and binds what it is given to its statements.
    fn moves_what_it_is_given(&self, function: u32, found: &[Found]) -> bool {
        let own = || found.iter().filter(|one| one.literal.function == Some(function));
        let binds = |one: &Found| {
            let handed = one.handed.as_ref();
            let flow = handed.and_then(|handed| Some((handed, self.flows.of(handed.spot)?)));
            flow.is_some_and(|(handed, flow)| {
                let run = flow.run_of(handed.sink as usize, handed.text, Reads::All);
                run.arguments.iter().any(|argument| argument.parameter.is_some())
            })
        };
        // What is temporary is no schema of the database's own.
        let is_temporary = |one: &Found| {
            let names = |text: &str| {
                text.split_whitespace().take(6).any(|word| word.to_ascii_lowercase().starts_with("temp."))
            };
            let mut texts = one.literal.variants.iter().map(Text::as_str);
            texts.all(|text| begins_temporary(text) || names(text))
        };
        !own().any(|one| is_ddl(one) && !is_temporary(one)) && own().any(binds)
    }
}

/// Whether what the call of a bracket makes is run at once: `prepare("…")?.query_row(…)`, `must(prepare("…")).Exec()`.
fn is_run_behind(code: Code<'_>, open: usize) -> bool {
    const PASSED: [&str; 5] = ["unwrap", "expect", "map_err", "await", "context"];
    if !code.is(open, b'(') {
        return false;
    }
    let mut at = code.matching(open) + 1;
    while code.is(at, b'?') || code.is(at, b')') || code.is(at, b'.') {
        if code.is(at, b'.') {
            if !PASSED.contains(&code.word(at + 1)) {
                return code.is(at + 2, b'(');
            }
            at = if code.is(at + 2, b'(') { code.matching(at + 2) } else { at + 1 };
        }
        at += 1;
    }
    false
}

/// The last word of a path: `this->list`, `store.list`.
fn path_end(code: Code<'_>, mut at: usize) -> usize {
    while code.is_word(at + 2) && code.is(at + 1, b'.') || code.is_word(at + 3) && code.is(at + 1, b'-') {
        at += if code.is(at + 1, b'.') { 2 } else { 3 };
    }
    at
}
