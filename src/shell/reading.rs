//! What a shell writes: rows of plans as JSON, and what it complains of. Knows nothing of how it is asked.

use crate::{
    plan::{Plan, Row},
    schema::Explained,
};

/// The line of the script at which something is refused, and why: `Parse error near line 7: no such column: a`.
pub(super) fn complaint(line: &str) -> Option<(u32, &str)> {
    let (_, rest) = line.split_once("near line ")?;
    let (number, message) = rest.split_once(": ")?;
    Some((number.parse().ok()?, message))
}

/// A row of a plan, as a shell writes it.
#[derive(serde::Deserialize)]
struct Written {
    id: i64,
    parent: i64,
    #[serde(default)]
    notused: i64,
    detail: Option<String>,
}

/// A plan from the rows that a shell wrote, with the tables of its steps where the names in it are those of the plan that is known.
pub(super) fn read(rows: &str, explained: &Explained) -> Option<Plan> {
    let rows = rows.trim();
    let written: Vec<Written> = if rows.is_empty() { Vec::new() } else { serde_json::from_str(rows).ok()? };
    let row = |one: Written| Row {
        id: one.id,
        parent: one.parent,
        cost: one.notused,
        detail: one.detail,
        ..Row::default()
    };
    let rows: Vec<Row> = written.into_iter().map(row).collect();
    let mut plan = Plan::parse(&rows);
    for step in &mut plan.steps {
        let known = step.name.as_deref().and_then(|name| table(name, explained));
        step.schema = known.map(|(schema, _)| schema.to_owned());
        step.table = known.map(|(_, table)| table.clone());
    }
    Some(plan)
}

/// The schema and table that a name in a plan of a statement means; `None` where it is not known, or of two tables, as one alias
/// is in two subqueries.
pub(super) fn table<'a>(name: &str, explained: &'a Explained) -> Option<(&'a str, &'a String)> {
    let named = explained.plan.steps.iter().filter(|step| step.name.as_deref() == Some(name));
    let mut tables = named.filter_map(|step| Some((step.schema.as_deref()?, step.table.as_ref()?)));
    let first = tables.next()?;
    tables.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_complains_of_has_a_line() {
        let said = "Parse error near line 12: no such column: a\n  SELECT a FROM t\n   error here ---^";
        assert_eq!(said.lines().filter_map(complaint).collect::<Vec<_>>(), [(12, "no such column: a")]);
        assert_eq!(
            complaint("Error: near line 3: near \"STRICT\": syntax error"),
            Some((3, "near \"STRICT\": syntax error"))
        );
    }
}
