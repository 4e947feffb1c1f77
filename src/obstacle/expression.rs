//! Indexes on expressions and on generated columns: which of them says the same as the statement, in other words.

use super::{
    compare::string,
    rewrite::Rewrite,
    subject::{Named, Subject, same},
    terms::Comparison,
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form, conditions},
    schema::{Affinity, Column, quoted_text},
};

/// Functions of SQLite's own that an index may call.
const BUILT_IN: &[&str] = &[
    "abs",
    "coalesce",
    "date",
    "datetime",
    "format",
    "hex",
    "ifnull",
    "iif",
    "instr",
    "json_array_length",
    "json_extract",
    "json_type",
    "julianday",
    "length",
    "lower",
    "ltrim",
    "max",
    "min",
    "nullif",
    "octet_length",
    "printf",
    "quote",
    "replace",
    "round",
    "rtrim",
    "sign",
    "strftime",
    "substr",
    "substring",
    "time",
    "trim",
    "typeof",
    "unhex",
    "unicode",
    "unixepoch",
    "upper",
];

impl Subject<'_> {
    /// The text of an expression without the names of tables; `None` where it is not of the table's columns alone, or
    /// depends on when it is run.
    pub fn unqualified(&self, query: u32, of: &Expression) -> Option<String> {
        let all = of.all();
        let is_own = |part: &&Expression| match &part.form {
            Form::Column { is_quoted, .. } => self.column(query, part).is_some() && !is_quoted,
            Form::Parameter | Form::Subquery => false,
            // With a function of the program, nobody else could write to the table.
            Form::Call(name, _) => BUILT_IN.contains(&name.as_str()),
            Form::Other(parts) => !parts.is_empty(),
            Form::Text => !matches!(
                part.text(self.sql).to_ascii_lowercase().as_str(),
                "'now'" | "'localtime'" | "'utc'"
            ),
            // What a template puts in, nobody can copy.
            _ => !crate::extract::sql::is_put_in(part.text(self.sql)),
        };
        if !all.iter().all(is_own) {
            return None;
        }
        let (mut text, mut from) = (String::new(), of.start);
        for part in all {
            if let Form::Column { name, name_start, .. } = &part.form {
                text.push_str(self.sql.get(from..part.start)?);
                let own =
                    self.column(query, part).filter(|own| own.column.is_some() && !same(own.name(), name));
                from = own.map_or(*name_start, |_| part.end);
                // A view may call it otherwise.
                text.extend(own.map(|own| words::name(own.name())));
            }
        }
        text.push_str(self.sql.get(from..of.end)?);
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// An index of the table whose first column is an expression about this column.
    pub fn expression_index(&self, one: &Comparison<'_>, named: &Named<'_>) -> Option<(&str, &str)> {
        let on_column = self.indexes().filter_map(|index| {
            let expression = index.columns.first()?.expression.as_deref()?;
            let mut words = expression.split(|next: char| !next.is_alphanumeric() && next != '_');
            words.any(|word| same(word, named.name())).then_some((index.name.as_str(), expression))
        });
        let side = canonical(one.side.text(self.sql));
        let all: Vec<(&str, &str)> = on_column.collect();
        let same_expression =
            all.iter().find(|(_, expression)| side.is_some() && canonical(expression) == side);
        same_expression.or(all.first()).copied()
    }

    /// What an index is on, where that says the same as the statement.
    pub fn as_indexed(&self, one: &Comparison<'_>) -> Vec<Rewrite> {
        let is_own = |part: &&Expression| {
            !matches!(part.form, Form::Column { .. }) || self.column(one.query, part).is_some()
        };
        let side = canonical(one.side.text(self.sql));
        if side.is_none() || !one.side.all().iter().all(is_own) {
            return Vec::new();
        }
        let qualifier = one.side.all().iter().find_map(|part| match &part.form {
            Form::Column { qualifier, .. } => qualifier.clone(),
            _ => None,
        });
        let expressions = self.indexes().filter_map(|index| index.columns.first()?.expression.clone());
        let same_expression =
            expressions.filter(|text| canonical(text) == side).map(|text| match &qualifier {
                Some(qualifier) => qualified(&text, qualifier),
                None => text,
            });
        let says_same = |column: &&Column| {
            let is_same = |text: String| canonical(&text) == side;
            same(&column.collation, "BINARY") && self.table.expression_of(&column.name).is_some_and(is_same)
        };
        // The column has a type, which the expression has not.
        let agrees = |column: &&Column| {
            let named = Named { column: Some(column), is_rowid: false };
            let agrees =
                |other: &&Expression| self.agrees(one.query, &named, other).is_some_and(|all| all.is_empty());
            let is_typed = matches!(one.side.form, Form::Cast(..) | Form::Collate(..));
            column.affinity == Affinity::Blob
                && !is_typed
                && !self.brings_collation(one)
                && !one.others.is_empty()
                && one.others.iter().all(agrees)
        };
        let generated =
            self.table.columns.iter().filter(agrees).filter(says_same).map(|column| match &qualifier {
                Some(qualifier) => format!("{qualifier}.{}", column.name),
                None => column.name.clone(),
            });
        let sides: Vec<String> = same_expression.chain(generated).collect();
        sides.into_iter().map(|text| Rewrite::new(one.side, text, Vec::new())).collect()
    }

    /// Whether a table that is read later is searched by what is compared: its column stands alone on the other side.
    pub fn finds_another(&self, one: &Comparison<'_>) -> bool {
        let [other] = one.others.as_slice() else { return false };
        let Form::Column { qualifier, name, .. } = &other.form else { return false };
        let Some((table, _)) = self.owner(one.query, other) else { return false };
        let printed = qualifier.as_deref().unwrap_or(&table.name);
        self.plan.steps.iter().skip(self.at + 1).any(|step| {
            let is_it = step.name.as_deref().is_some_and(|own| same(own, printed));
            is_it && !step.is_automatic() && step.terms.iter().any(|term| same(&term.column, name))
        })
    }
}

/// An expression with the name of a table before each of its columns.
fn qualified(text: &str, qualifier: &str) -> String {
    const PROBE: &str = "SELECT 1 WHERE ";
    let found = conditions(&format!("{PROBE}{text}"));
    let columns = found.iter().flat_map(|one| one.expression.all()).filter_map(|part| match part.form {
        Form::Column { name_start, .. } => name_start.checked_sub(PROBE.len()),
        _ => None,
    });
    let mut with = text.to_owned();
    for at in columns.collect::<Vec<_>>().into_iter().rev() {
        with.insert_str(at, &format!("{qualifier}."));
    }
    with
}

/// An expression without white space, quotes of names, tables before columns and case; `->>` as the function that it is;
/// `None` for one of which not every part is read.
fn canonical(text: &str) -> Option<String> {
    let probe = format!("SELECT 1 WHERE {text}");
    let found = conditions(&probe);
    let [one] = found.as_slice() else { return None };
    spelt(&one.expression, &probe)
}

fn spelt(of: &Expression, sql: &str) -> Option<String> {
    let all = |parts: &[Expression]| {
        let parts: Option<Vec<String>> = parts.iter().map(|part| spelt(part, sql)).collect();
        parts.map(|parts| parts.join(","))
    };
    Some(match &of.form {
        Form::Column { name, .. } => name.to_ascii_lowercase(),
        Form::Call(name, parts) => format!("{name}({})", all(parts)?),
        Form::Binary(operator, left, right) if operator == "->>" && right.form == Form::Text => {
            let path = string(right.text(sql)).unwrap_or_default();
            let is_label = path.chars().all(|next| next.is_ascii_alphanumeric() || next == '_')
                && !path.starts_with(|next: char| next.is_ascii_digit());
            let path = if is_label { format!("$.{path}") } else { path };
            format!("json_extract({},{})", spelt(left, sql)?, quoted_text(&path))
        }
        // What stands behind ESCAPE is no part of the tree.
        Form::Binary(operator, ..)
            if operator.ends_with("LIKE") && of.text(sql).to_ascii_lowercase().contains("escape") =>
        {
            return None;
        }
        Form::Binary(operator, left, right) => {
            format!("({}{operator}{})", spelt(left, sql)?, spelt(right, sql)?)
        }
        Form::Unary(sign, of) => format!("({sign} {})", spelt(of, sql)?),
        Form::Cast(of, kind) => format!("cast({} as {kind})", spelt(of, sql)?),
        Form::Collate(of, name) => format!("{} collate {}", spelt(of, sql)?, name.to_ascii_lowercase()),
        Form::Number | Form::Text | Form::Blob | Form::Null => of.text(sql).trim().to_owned(),
        Form::Parameter | Form::Subquery | Form::Other(_) | Form::Between { .. } | Form::In { .. } => {
            return None;
        }
    })
}
