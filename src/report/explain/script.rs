//! A script for the sqlite3 shell that shows what a check saw: the schema, as far as a statement needs it, rows, values
//! for the parameters, the plan and the steps. Writes down; runs nothing.

use crate::{
    extract::sql::contains_word,
    growth::{Filled, Sample},
    schema::{Explained, IndexObject, Objects, StatementKind, TableKind, file::Stat, qualified, quoted},
    shell::{analyzed, on_one_line, remark, statement, within},
};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What a script is made of.
pub struct Script<'a> {
    /// What it is about, a comment each.
    pub remarks: &'a [String],
    /// The schema.
    pub objects: &'a Objects,
    /// The statement, as planned.
    pub explained: &'a Explained,
    /// The rows, and the text that runs on them.
    pub sample: &'a Sample,
    /// Whether the program enforces foreign keys.
    pub foreign_keys: bool,
    /// The statistics that it was planned with.
    pub statistics: Vec<Stat>,
}

impl Script<'_> {
    /// The text of the script.
    pub fn text(&self) -> String {
        let needed = self.needed();
        // Here and below: writing to a string never fails.
        let mut out = String::new();
        for remark in self.remarks {
            self::remark(&mut out, remark);
        }
        self.create(&mut out, &needed);
        for filled in &self.sample.tables {
            fill(&mut out, filled);
        }
        self.create_late(&mut out, &needed);
        self.analyze(&mut out, &needed);
        if self.foreign_keys {
            out.push_str("\nPRAGMA foreign_keys = ON;\n");
        }
        self.run(&mut out);
        out
    }

    /// The tables and views that the statement needs, by their names in lower case.
    fn needed(&self) -> BTreeSet<String> {
        let reads = self.explained.reads.iter().map(|read| &read.table);
        let writes = self.explained.writes.iter().map(|write| &write.table);
        let planned = self.explained.plan.steps.iter().filter_map(|step| step.table.as_ref());
        let filled = self.sample.tables.iter().map(|filled| &filled.table);
        let mut names: BTreeSet<String> =
            reads.chain(writes).chain(planned).chain(filled).map(|name| name.to_lowercase()).collect();
        let tables = self.objects.tables.iter().map(|table| table.name.to_lowercase());
        let views = self.objects.views.iter().map(|view| view.name.to_lowercase());
        let all: Vec<String> = tables.chain(views.clone()).collect();
        names.extend(views.filter(|view| contains_word(&self.sample.text, view)));
        if names.contains("sqlite_sequence") {
            // Only a table with AUTOINCREMENT brings it about.
            let mut all = self.objects.tables.iter();
            names.extend(all.find(|table| table.autoincrement).map(|table| table.name.to_lowercase()));
        }
        loop {
            let texts: Vec<&str> = self.texts(&names).collect();
            let is_named = |name: &&String| texts.iter().any(|text| contains_word(text, name));
            let more: Vec<String> = all.iter().filter(is_named).cloned().collect();
            let before = names.len();
            names.extend(more);
            if names.len() == before {
                return names;
            }
        }
    }

    /// The texts of what is needed that may name other tables.
    fn texts<'a>(&'a self, names: &'a BTreeSet<String>) -> impl Iterator<Item = &'a str> {
        let is_needed = |name: &str| names.contains(&name.to_lowercase());
        let views = self.objects.views.iter().filter(move |view| is_needed(&view.name));
        let names_others = |kind: &TableKind| self.foreign_keys || matches!(kind, TableKind::Virtual(_));
        let tables = self.objects.tables.iter();
        let tables = tables.filter(move |table| is_needed(&table.name) && names_others(&table.kind));
        let triggers = self.objects.triggers.iter().filter(|trigger| self.fires(&trigger.table));
        views
            .map(|view| view.sql.as_str())
            .chain(tables.map(|table| table.sql.as_str()))
            .chain(triggers.map(|trigger| trigger.sql.as_str()))
    }

    /// Whether the triggers of a table or view can fire.
    fn fires(&self, table: &str) -> bool {
        self.explained.writes.iter().any(|write| write.table.eq_ignore_ascii_case(table))
    }

    fn create(&self, out: &mut String, needed: &BTreeSet<String>) {
        let is_needed = |name: &str| needed.contains(&name.to_lowercase());
        let tables = || {
            let own = self.objects.tables.iter().filter(|table| !table.is_made());
            own.filter(|table| is_needed(&table.name))
        };
        let attached: BTreeSet<&str> = tables().map(|table| table.schema.as_str()).collect();
        for schema in attached.into_iter().filter(|schema| !matches!(*schema, "main" | "temp")) {
            let _ = writeln!(out, "ATTACH ':memory:' AS {};", quoted(schema));
        }
        if needed.iter().any(|name| name.starts_with("sqlite_stat")) {
            out.push_str("ANALYZE;\n");
        }
        for table in tables() {
            statement(out, &within(&table.schema, &table.sql));
            // In the order in which they were made: of two that serve alike, SQLite takes the later one.
            let mut indexes: Vec<&IndexObject> =
                self.objects.indexes_of(&table.schema, &table.name).collect();
            indexes.sort_by_key(|index| index.made);
            for (index, sql) in indexes.iter().filter_map(|index| Some((index, index.sql.as_ref()?))) {
                statement(out, &within(&index.schema, sql));
            }
        }
    }

    /// Views and triggers, when the rows are there: no trigger fires for them.
    fn create_late(&self, out: &mut String, needed: &BTreeSet<String>) {
        for view in self.objects.views.iter().filter(|view| needed.contains(&view.name.to_lowercase())) {
            statement(out, &within(&view.schema, &view.sql));
        }
        for trigger in self.objects.triggers.iter().filter(|trigger| self.fires(&trigger.table)) {
            statement(out, &within(&trigger.schema, &trigger.sql));
        }
    }

    /// What ANALYZE would find where the program runs.
    fn analyze(&self, out: &mut String, needed: &BTreeSet<String>) {
        let is_needed = |stat: &&Stat| needed.contains(&stat.table.to_lowercase());
        let needed: Vec<&Stat> = self.statistics.iter().filter(is_needed).collect();
        out.extend(analyzed(&needed).into_iter().flat_map(|text| ["\n".to_owned(), text]));
    }

    fn run(&self, out: &mut String) {
        out.push('\n');
        if !self.sample.parameters.is_empty() {
            out.push_str(".parameter init\n");
        }
        for (name, value) in &self.sample.parameters {
            let escaped =
                value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
            let name = on_one_line(name);
            let _ = writeln!(out, ".parameter set {name} \"{escaped}\"");
        }
        let is_query = matches!(self.explained.kind, StatementKind::Select | StatementKind::Other);
        if !is_query {
            // What a check changes is taken back; a parent that is deleted is not refused for its children.
            let defer = if self.foreign_keys { "PRAGMA defer_foreign_keys = ON;\n" } else { "" };
            let _ = write!(out, "BEGIN;\n{defer}");
        }
        out.push_str(".mode quote\n.eqp on\n.stats vmstep\n");
        statement(out, self.sample.text.trim());
        if !is_query {
            out.push_str(".eqp off\n.stats off\nROLLBACK;\n");
        }
    }
}

fn fill(out: &mut String, filled: &Filled) {
    let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    let name = qualified(&filled.schema, &filled.table);
    if filled.formulas.is_empty() {
        let shown = filled.values.len() as u64;
        if shown < filled.rows {
            let (table, rows) = (&filled.table, filled.rows);
            out.push('\n');
            remark(out, &format!("{shown} of {rows} rows of {table}, whose values follow no rule:"));
        }
        let rows: Vec<String> = filled.values.iter().map(|row| format!("  ({})", row.join(", "))).collect();
        if !rows.is_empty() {
            if shown >= filled.rows {
                out.push('\n');
            }
            let (columns, rows) = (list(&filled.columns), rows.join(",\n"));
            statement(out, &format!("INSERT OR IGNORE INTO {name} ({columns})\nVALUES\n{rows}"));
        }
        return;
    }
    let expressions = filled.formulas.iter().zip(&filled.columns);
    let expressions: Vec<String> =
        expressions.map(|(formula, column)| format!("  {formula} AS {}", quoted(column))).collect();
    let (columns, expressions) = (list(&filled.columns), expressions.join(",\n"));
    let steps = filled.rows.saturating_sub(1);
    out.push('\n');
    statement(
        out,
        &format!(
            "INSERT OR IGNORE INTO {name} ({columns})\n\
             WITH RECURSIVE made(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM made WHERE n < {steps})\n\
             SELECT\n{expressions}\nFROM made"
        ),
    );
}

#[cfg(test)]
mod tests;
