//! The rows that a statement was measured on, and what it was run with, as SQL: what someone else needs to see the
//! same. Knows no CREATE and no shell.

use super::bindings::{Binding, values, with_few_rows};
use super::codes::Codes;
use super::data::DataSet;
use super::formula::Formulas;
use super::measure::LIST;
use super::uses::Reading;
use crate::schema::sqlite::types::Value;
use crate::workload::Statement;
use std::collections::BTreeSet;

/// So few rows are simpler to read one by one.
const FEW: u64 = 8;
/// The most rows that are given one by one.
const MOST: u64 = 300;

/// Rows, and a statement on them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sample {
    /// The rows of each growing table.
    pub rows: u64,
    /// The tables with rows, in the order of the schema.
    pub tables: Vec<Filled>,
    /// The text of the statement.
    pub text: String,
    /// It asks for fewer rows than the program does.
    pub has_few_rows: bool,
    /// Its parameters: `?1` or the name, and the value as SQL.
    pub parameters: Vec<(String, String)>,
}

/// A table with rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub table: String,
    /// The columns that are given.
    pub columns: Vec<String>,
    /// How many rows it had.
    pub rows: u64,
    /// For each column an expression of `n`, the number of the row from 0. Empty where that can't be said.
    pub formulas: Vec<String>,
    /// Else the rows, or the first of them, as literals.
    pub values: Vec<Vec<String>>,
}

/// What a statement was run on.
pub(super) fn sample(
    set: &DataSet<'_>,
    tables: &BTreeSet<usize>,
    statement: &Statement,
    reading: &Reading,
    binding: Binding,
) -> Sample {
    let mut counts: Vec<u64> = tables.iter().map(|table| set.rows(*table)).chain([set.size]).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts.dedup();
    let codes = Codes::new(counts.first().copied().unwrap_or(set.size));
    let formulas = Formulas::new(&codes, &counts);
    let filled = tables.iter().filter_map(|table| filled(set, *table, &codes, &formulas));
    let explained = statement.explained();
    let names = explained.map_or(&[][..], |explained| &explained.parameters);
    let bound = values(reading, binding, set).into_iter().zip(names).zip(1..);
    let is_long = binding == Binding::Wide;
    let text = with_few_rows(statement.text.as_str());
    Sample {
        has_few_rows: text != statement.text.as_str(),
        rows: set.size,
        tables: filled.collect(),
        text: long(&text, reading).filter(|_| is_long).unwrap_or(text),
        parameters: bound
            .map(|((value, name), number)| {
                let name = name.clone().unwrap_or_else(|| format!("?{number}"));
                (name, codes.literal(&value))
            })
            .collect(),
    }
}

fn filled(set: &DataSet<'_>, table: usize, codes: &Codes, formulas: &Formulas<'_>) -> Option<Filled> {
    let model = set.model.tables.get(table).filter(|model| model.is_filled)?;
    let rows = set.rows(table);
    let own = || model.columns.iter().enumerate().filter(|(_, column)| !column.is_computed);
    let column =
        |number: usize| -> Vec<Value> { (0..rows).map(|row| set.value((table, number), row)).collect() };
    let said: Option<Vec<String>> = match rows {
        0..=FEW => None,
        _ => own().map(|(number, _)| formulas.of(&column(number), number as u64)).collect(),
    };
    let listed =
        |row: u64| own().map(|(number, _)| codes.literal(&set.value((table, number), row))).collect();
    Some(Filled {
        schema: model.schema.clone(),
        table: model.name.clone(),
        columns: own().map(|(_, column)| column.name.clone()).collect(),
        rows,
        values: if said.is_some() { Vec::new() } else { (0..rows.min(MOST)).map(listed).collect() },
        formulas: said.unwrap_or_default(),
    })
}

/// The text with a list as long as it was measured. All of its elements are one parameter, so that those behind it
/// keep their numbers.
fn long(text: &str, reading: &Reading) -> Option<String> {
    let (from, to) = reading.list?;
    let first = reading.list_place() + 1;
    let many = vec![format!("?{}", first + 1); LIST].join(", ");
    let list = text.get(from..to)?.replace("?, ?", &format!("?{first}, {many}"));
    Some(format!("{}{list}{}", text.get(..from)?, text.get(to..)?))
}
