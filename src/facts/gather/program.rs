//! The files, functions and calls of the program, as facts.

use super::{Batch, FactsError, Gatherer, Program};
use crate::{
    extract::{Call, LoopSource, Role, Run, languages},
    source::Site,
};

const CALL: [&str; 16] = [
    "site",
    "caller",
    "callee_name",
    "callee",
    "statement",
    "loop_depth",
    "loop",
    "outermost_loop",
    "loop_source",
    "loop_searches",
    "loop_writes",
    "loop_waits",
    "loop_asks",
    "conditional",
    "seldom",
    "in_transaction",
];

/// The tables of calls.
struct CallTables<'a> {
    calls: Batch<'a, 16>,
    arguments: Batch<'a, 5>,
}

impl Gatherer<'_> {
    pub(super) fn gather_sources(&mut self) -> Result<(), FactsError> {
        let mut table =
            self.facts.batch("source", ["id", "path", "language", "role", "driver", "skipped"])?;
        for (id, source) in self.program.sources.iter() {
            let language = languages::of_path(&source.path).and_then(|index| languages::ALL.get(index));
            let language = language.map(|language| language.name.to_lowercase());
            let is_apsw = language.as_deref() == Some("python") && source.text.contains("import apsw");
            let (role, driver) = (self.role(&source.path), is_apsw.then_some("apsw"));
            let nothing = None::<String>;
            table.insert([&i64::from(id.0), &source.path, &language, &role, &driver, &nothing])?;
        }
        let first = self.program.sources.iter().len() as i64;
        for (index, skipped) in self.program.sources.skipped.iter().enumerate() {
            let role = self.role(&skipped.path);
            table.insert([
                &(first + index as i64),
                &skipped.path,
                &None::<String>,
                &role,
                &None::<String>,
                &skipped.reason,
            ])?;
        }
        table.finish()
    }

    /// What a file holds, by its path.
    fn role(&self, path: &str) -> &'static str {
        let language = languages::of_path(path).and_then(|index| languages::ALL.get(index));
        let Program { config, sources, is_offline, .. } = self.program;
        if language.is_some_and(|language| language.is_test_path(path)) {
            "test"
        } else if is_offline(path, config, sources) {
            "offline"
        } else {
            "production"
        }
    }

    pub(super) fn gather_functions(&mut self) -> Result<(), FactsError> {
        let mut table = self.facts.batch("function", ["site", "name", "role", "reason"])?;
        let named = self.functions_named();
        for (function, is_named) in self.program.extraction.functions.iter().zip(named) {
            if !is_named {
                self.functions.push(None);
                continue;
            }
            let site = self.site(function.site)?;
            let reason = (!function.reason.is_empty()).then_some(function.reason.as_str());
            let role = function.role.as_str();
            self.functions.push(Some(table.insert([&site, &function.name, &role, &reason])?));
        }
        table.finish()
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

    pub(super) fn gather_calls(&mut self) -> Result<(), FactsError> {
        let mut tables = CallTables {
            calls: self.facts.batch("call", CALL)?,
            arguments: self.facts.batch("argument", ["call", "ordinal", "name", "origin", "parameter"])?,
        };
        for call in self.program.extraction.calls.iter().filter(|call| tells(call)) {
            let from = self.function(call.caller);
            let to = self.function(call.callee);
            self.gather_call(&mut tables, call.site, (from, &call.callee_name), (to, None), &call.run)?;
        }
        // The call that a statement is handed to is one of a library, or of a helper.
        for (statement, row) in self.program.statements.iter().zip(self.rows.statements.clone()) {
            let Some(literal) = self.program.extraction.literals.get(statement.literal) else { continue };
            let Some(sink) = literal.sink.as_ref().filter(|_| literal.role != Role::Test) else { continue };
            let caller = self.function(literal.function);
            self.gather_call(&mut tables, sink.site, (caller, &sink.name), (None, Some(row)), &literal.run)?;
        }
        tables.arguments.finish()?;
        tables.calls.finish()
    }

    fn gather_call(
        &mut self,
        tables: &mut CallTables<'_>,
        site: Site,
        (caller, name): (Option<i64>, &str),
        (to, statement): (Option<i64>, Option<i64>),
        run: &Run,
    ) -> Result<(), FactsError> {
        let site = self.site(site)?;
        let around = self.optional_site(run.loop_site)?;
        let outermost = self.optional_site(run.outermost_site)?;
        let source = run.loop_source.map(LoopSource::as_str);
        let row = tables.calls.insert([
            &site,
            &caller,
            &name,
            &to,
            &statement,
            &run.loop_depth,
            &around,
            &outermost,
            &source,
            &run.besides.searches,
            &run.besides.writes,
            &run.besides.waits,
            &run.asks,
            &run.when.conditional,
            &run.when.seldom,
            &run.in_transaction,
        ])?;
        for argument in &run.arguments {
            let parameter = argument.parameter.map(|parameter| parameter + 1);
            let ordinal = argument.ordinal + 1;
            tables.arguments.insert([
                &row,
                &ordinal,
                &argument.name,
                &argument.origin.as_str(),
                &parameter,
            ])?;
        }
        Ok(())
    }
}

/// Whether anything can be asked of a call: one whose name means several functions tells only of a transaction.
fn tells(call: &Call) -> bool {
    call.callee.is_some() || call.run.in_transaction == Some(true)
}
