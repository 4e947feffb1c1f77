//! The files, functions and calls of the program, as facts.

use super::{Gatherer, Program};
use crate::{
    extract::{
        Begins, Call, LoopSource, Role, Run,
        languages::{self, Language},
    },
    source::{Site, Words},
};

/// What says that a file speaks to SQLite through apsw.
static APSW: Words<'_> = Words::new(&["import apsw", "from apsw"]);

impl Gatherer<'_> {
    pub(super) fn gather_sources(&mut self) {
        let sources = self.program.sources;
        for (id, source) in sources.iter() {
            let language = languages::of(&source.path);
            let is_python = language.is_some_and(|language| language.name == "Python");
            let driver = (is_python && source.has_any(&APSW)).then_some("apsw");
            let role = self.role(&source.path, language);
            let name = language.map(|language| language.name.to_lowercase());
            let name = if source.is_excerpt() { Some("log") } else { name.as_deref() };
            self.gather_source(i64::from(id.0), &source.path, (name, role), driver, None);
        }
        for (id, skipped) in (sources.iter().len() as i64..).zip(&sources.skipped) {
            let role = self.role(&skipped.path, languages::of(&skipped.path));
            self.gather_source(id, &skipped.path, (None, role), None, Some(&skipped.reason));
        }
    }

    fn gather_source(
        &mut self,
        id: i64,
        path: &str,
        (language, role): (Option<&str>, &str),
        driver: Option<&str>,
        skipped: Option<&str>,
    ) {
        self.facts.insert(
            "source",
            [
                ("id", &id),
                ("path", &path),
                ("language", &language),
                ("role", &role),
                ("driver", &driver),
                ("skipped", &skipped),
            ],
        );
    }

    /// What a file holds, by its path.
    fn role(&self, path: &str, language: Option<&Language>) -> &'static str {
        let Program { config, sources, is_offline, .. } = self.program;
        if language.is_some_and(|language| language.is_test_path(path)) {
            "test"
        } else if is_offline(path, config, sources) {
            "offline"
        } else {
            "production"
        }
    }

    pub(super) fn gather_builders(&mut self) {
        for (name, site) in self.program.builders {
            let site = self.site(*site);
            self.facts.insert("query_builder", [("name", name), ("site", &site)]);
        }
    }

    pub(super) fn gather_functions(&mut self) {
        let named = self.functions_named();
        for (function, is_named) in self.program.extraction.functions.iter().zip(named) {
            if !is_named {
                self.functions.push(None);
                continue;
            }
            let site = self.site(function.site);
            let reason = (!function.reason.is_empty()).then_some(function.reason.as_str());
            let role = function.role.as_str();
            let row = self.facts.insert(
                "function",
                [
                    ("site", &site),
                    ("name", &function.name),
                    ("role", &role),
                    ("reason", &reason),
                    ("given_connection", &function.is_given_connection),
                ],
            );
            self.functions.push(Some(row));
        }
    }

    /// Which functions a statement or a call names.
    fn functions_named(&self) -> Vec<bool> {
        let extraction = self.program.extraction;
        let mut named = vec![false; extraction.functions.len()];
        let literals = extraction.literals.iter().filter_map(|literal| literal.function);
        let calls = extraction.calls.iter().filter(|call| tells(call));
        for function in literals.chain(calls.flat_map(|call| call.caller.into_iter().chain(call.callee))) {
            if let Some(named) = named.get_mut(function as usize) {
                *named = true;
            }
        }
        named
    }

    /// The row of a function.
    pub(super) fn function(&self, index: Option<u32>) -> Option<i64> {
        index.and_then(|index| *self.functions.get(index as usize)?)
    }

    pub(super) fn gather_calls(&mut self) {
        for call in self.program.extraction.calls.iter().filter(|call| tells(call)) {
            let from = self.function(call.caller);
            let to = self.function(call.callee);
            self.gather_call(call.site, (from, &call.callee_name), (to, None), &call.run);
        }
        // The call that a statement is handed to is one of a library, or of a helper.
        for (statement, row) in self.program.statements.iter().zip(self.rows.statements.clone()) {
            let Some(literal) = self.program.extraction.literals.get(statement.literal) else { continue };
            let Some(sink) = literal.sink.as_ref().filter(|_| literal.role != Role::Test) else { continue };
            let caller = self.function(literal.function);
            self.gather_call(sink.site, (caller, &sink.name), (None, Some(row)), &literal.run);
        }
    }

    fn gather_call(
        &mut self,
        site: Site,
        (caller, name): (Option<i64>, &str),
        (to, statement): (Option<i64>, Option<i64>),
        run: &Run,
    ) {
        let site = self.site(site);
        let around = self.optional_site(run.loop_site);
        let outermost = self.optional_site(run.outermost_site);
        let source = run.loop_source.map(LoopSource::as_str);
        let row = self.facts.insert(
            "call",
            [
                ("site", &site),
                ("caller", &caller),
                ("callee_name", &name),
                ("callee", &to),
                ("statement", &statement),
                ("loop_depth", &run.loop_depth),
                ("loop", &around),
                ("outermost_loop", &outermost),
                ("loop_source", &source),
                ("loop_searches", &run.besides.searches),
                ("loop_writes", &run.besides.writes),
                ("loop_waits", &run.besides.waits),
                ("loop_asks", &run.asks),
                ("conditional", &run.when.conditional),
                ("seldom", &run.when.seldom),
                ("in_transaction", &run.in_transaction),
                ("begins", &run.begins.map(Begins::as_str)),
                ("commits", &run.commits.map(Begins::as_str)),
            ],
        );
        for argument in &run.arguments {
            let parameter = argument.parameter.map(|parameter| parameter + 1);
            let ordinal = argument.ordinal + 1;
            self.facts.insert(
                "argument",
                [
                    ("call", &row),
                    ("ordinal", &ordinal),
                    ("name", &argument.name),
                    ("origin", &argument.origin.as_str()),
                    ("parameter", &parameter),
                ],
            );
        }
    }
}

/// Whether anything can be asked of a call: one whose name means several functions tells only of a transaction.
fn tells(call: &Call) -> bool {
    call.callee.is_some() || call.run.in_transaction == Some(true)
}
