//! The files, functions and calls of the program, as facts.

use super::{FactsError, Gatherer};
use crate::extract::{Role, languages};

impl Gatherer<'_> {
    pub(super) fn gather_sources(&mut self) -> Result<(), FactsError> {
        let mut table = self.facts.batch("source", ["id", "path", "language", "skipped"])?;
        for (id, source) in self.program.sources.iter() {
            let language = languages::of_path(&source.path).and_then(|index| languages::ALL.get(index));
            let language = language.map(|language| language.name.to_lowercase());
            table.insert([&i64::from(id.0), &source.path, &language, &None::<String>])?;
        }
        let first = self.program.sources.iter().len() as i64;
        for (index, skipped) in self.program.sources.skipped.iter().enumerate() {
            table.insert([&(first + index as i64), &skipped.path, &None::<String>, &skipped.reason])?;
        }
        table.finish()
    }

    pub(super) fn gather_functions(&mut self) -> Result<(), FactsError> {
        let mut table = self.facts.batch("function", ["site", "name", "role", "reason"])?;
        for function in &self.program.extraction.functions {
            let site = self.site(function.site)?;
            let reason = (!function.reason.is_empty()).then_some(function.reason.as_str());
            let role = function.role.as_str();
            self.functions.push(table.insert([&site, &function.name, &role, &reason])?);
        }
        table.finish()
    }

    /// The row of a function.
    pub(super) fn function(&self, index: Option<u32>) -> Option<i64> {
        index.and_then(|index| self.functions.get(index as usize)).copied()
    }

    pub(super) fn gather_calls(&mut self) -> Result<(), FactsError> {
        let mut arguments = self.facts.batch("argument", ["call", "ordinal", "origin"])?;
        let mut calls = self.facts.batch(
            "call",
            ["site", "caller", "callee_name", "callee", "statement", "loop_depth", "in_transaction"],
        )?;
        for call in &self.program.extraction.calls {
            let site = self.site(call.site)?;
            let from = self.function(call.caller);
            let to = self.function(call.callee);
            let row = calls.insert([
                &site,
                &from,
                &call.callee_name,
                &to,
                &None::<i64>,
                &call.loop_depth,
                &call.in_transaction,
            ])?;
            for argument in &call.arguments {
                arguments.insert([&row, &(argument.ordinal + 1), &argument.origin.as_str()])?;
            }
        }
        // The call that a statement is handed to is one of a library, or of a helper.
        for (statement, row) in self.program.statements.iter().zip(self.rows.statements.clone()) {
            let Some(literal) = self.program.extraction.literals.get(statement.literal) else { continue };
            let Some(sink) = literal.sink.as_ref().filter(|_| literal.role != Role::Test) else { continue };
            let site = self.site(sink.site)?;
            let caller = self.function(literal.function);
            calls.insert([
                &site,
                &caller,
                &sink.name,
                &None::<i64>,
                &row,
                &literal.loop_depth,
                &literal.in_transaction,
            ])?;
        }
        arguments.finish()?;
        calls.finish()
    }
}
