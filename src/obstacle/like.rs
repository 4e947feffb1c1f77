//! Conditions that no index serves as they stand: patterns, what is not to be, and OR.

use super::{
    Kind,
    compare::{integer, string},
    indexes::Key,
    rewrite::Rewrite,
    subject::{Named, Subject, same},
    terms::{Comparison, Term},
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form},
    schema::Affinity,
};

impl Subject<'_> {
    /// LIKE or GLOB.
    pub fn pattern(
        &self,
        query: u32,
        whole: &Expression,
        operator: &str,
        left: &Expression,
        right: &Expression,
    ) -> Option<Term> {
        let named = *self.columns(query, left).first()?;
        let (said, column) = (words::code(whole.text(self.sql)), words::code(named.name()));
        let term = |words: String| Term::new(Kind::Like, whole, Some(&named), words);
        let is_bare = self.column(query, left).is_some();
        let wildcards: &[char] = if operator == "LIKE" { &['%', '_'] } else { &['*', '?', '['] };
        let value = self.literal_text(query, right);
        if value.as_deref().is_some_and(|value| value.starts_with(wildcards)) {
            return Some(term(format!(
                "no index serves {said}, a pattern that begins with a wildcard; an FTS5 table with the trigram tokenizer would"
            )));
        }
        if !is_bare || (named.affinity() != Affinity::Text && operator == "LIKE") {
            let why = if is_bare { "is not of a TEXT type" } else { "does not stand alone" };
            return Some(term(format!("no index serves {said}, in which {column} {why}")));
        }
        let collation = if operator == "LIKE" { "NOCASE" } else { "BINARY" };
        let index = self.indexes().find(|index| {
            index.filter.is_none()
                && index.columns.first().is_some_and(|first| {
                    first.name.as_deref().is_some_and(|name| same(name, named.name()))
                        && same(&first.collation, collation)
                })
        });
        if value.is_some() {
            let words = format!("{operator} compares by {collation}, and no index on {column} is ordered so");
            let mut found = term(words);
            found.is_used = self.seeks(&named, true);
            found.keys = Key::column(&named, collation, true).into_iter().collect();
            return Some(found);
        }
        let any = "a pattern that begins with no wildcard";
        Some(term(match (&right.form, index) {
            (Form::Parameter, Some(index)) => {
                format!("SQLite plans {said} for what is bound: the index `{}` serves {any}", index.name)
            }
            (Form::Parameter, None) => format!(
                "no index on {column} is ordered by {collation}, by which {operator} compares; with one, {any} is searched"
            ),
            (_, Some(index)) => format!(
                "the pattern of {said} is computed; bound as one value, {any} is served by the index `{}`",
                index.name
            ),
            (_, None) => format!("no index serves {said}, whose pattern is computed"),
        }))
    }

    /// A string that stands in the text: also one in double quotes, which SQLite takes for one where there is no such column.
    fn literal_text(&self, query: u32, of: &Expression) -> Option<String> {
        match &of.form {
            Form::Text => string(of.text(self.sql)),
            Form::Column { qualifier: None, name, is_quoted: true, .. }
                if self.owner(query, of).is_none() =>
            {
                Some(name.clone())
            }
            _ => None,
        }
    }

    /// `<>`, IS NOT and NOT: all but some values.
    pub fn all_but(&self, query: u32, whole: &Expression) -> Option<Term> {
        let columns = self.columns(query, whole);
        let named = columns.first()?;
        if let Form::Unary(_, of) = &whole.form
            && matches!(of.form, Form::Column { .. })
        {
            return self.truth(whole, named, true);
        }
        let said = words::code(whole.text(self.sql));
        let mut term = Term::new(
            Kind::IsNot,
            whole,
            Some(named),
            format!("no index serves {said}, which asks for all values but some"),
        );
        let Form::Binary(operator, left, right) = &whole.form else { return Some(term) };
        let (Some(_), true) = (self.column(query, left), columns.len() == 1) else { return Some(term) };
        let unwanted = integer(right.text(self.sql)).filter(|value| matches!(value, 0 | 1));
        if let Some(unwanted) = unwanted.filter(|_| operator == "<>" || named.not_null()) {
            let text = format!("{} = {}", left.text(self.sql), 1 - unwanted);
            term.rewrites = vec![Rewrite::new(whole, text, self.is_flag(named))];
        }
        let is_literal = matches!(right.form, Form::Number | Form::Text | Form::Null);
        if let Some(filter) = self.unqualified(query, whole).filter(|_| is_literal) {
            let key = Key::column(named, named.collation(), false);
            term.keys = key.into_iter().map(|key| key.only(filter.clone())).collect();
        }
        Some(term)
    }

    /// A column that is itself the condition.
    pub fn truth(&self, whole: &Expression, named: &Named<'_>, negated: bool) -> Option<Term> {
        let said = words::code(whole.text(self.sql));
        let words = format!("no index serves {said}: it is no comparison");
        let mut term =
            Term::new(if negated { Kind::IsNot } else { Kind::Operator }, whole, Some(named), words);
        let column = match &whole.form {
            Form::Unary(_, of) => of.text(self.sql),
            _ => whole.text(self.sql),
        };
        let text = format!("{column} = {}", u8::from(!negated));
        term.rewrites = vec![Rewrite::new(whole, text, self.is_flag(named))];
        Some(term)
    }

    /// The condition that a column is 0 or 1, unless its table checks that.
    fn is_flag(&self, named: &Named<'_>) -> Vec<String> {
        let is_gap = |next: &char| !next.is_whitespace() && !matches!(next, '"' | '`');
        let sql: String = self.table.sql.to_ascii_lowercase().chars().filter(is_gap).collect();
        let name = named.name().to_ascii_lowercase();
        let checks = ["0,1", "1,0"].iter().any(|values| sql.contains(&format!("check({name}in({values}))")));
        if checks { Vec::new() } else { vec![format!("{} is only ever 0 or 1", words::code(named.name()))] }
    }

    /// An OR.
    pub fn any_of(&self, query: u32, whole: &Expression) -> Option<Term> {
        let mut arms = Vec::new();
        flatten(whole, "OR", &mut arms);
        let columns = self.columns(query, whole);
        let named = columns.first()?;
        let compared: Vec<Vec<Comparison<'_>>> = arms
            .iter()
            .map(|arm| {
                let mut parts = Vec::new();
                flatten(arm, "AND", &mut parts);
                parts.into_iter().flat_map(|part| self.compared(query, part)).collect()
            })
            .collect();
        let said = words::code(whole.text(self.sql));
        if let Some(free) =
            arms.iter().find(|arm| self.columns(query, arm).is_empty() && self.is_fixed(query, arm))
        {
            let mut term = Term::new(
                Kind::Or,
                whole,
                Some(named),
                format!(
                    "no index serves {said}, in which {} is about no column; a statement for each of the two cases can be searched",
                    words::code(free.text(self.sql))
                ),
            );
            term.is_used = self.is_parameterless(free);
            return Some(term);
        }
        let single = compared.iter().all(|arm| {
            arm.len() == 1 && arm.iter().all(|one| one.operator == "=" && self.is_column(one, named))
        });
        let mut term = Term::new(Kind::Or, whole, Some(named), String::new());
        if single {
            term.kind = Kind::NoIndex;
            term.is_used = self.seeks(named, false);
            term.keys = Key::column(named, named.collation(), false).into_iter().collect();
            term.words =
                format!("no index of `{}` begins with {}", self.table.name, words::code(named.name()));
            return Some(term);
        }
        term.rewrites = self.row_value(whole, &compared).into_iter().collect();
        if !term.rewrites.is_empty() {
            term.words = format!("{said} is tested on each row");
            return Some(term);
        }
        let open: Vec<(&&Expression, Named<'_>)> = arms
            .iter()
            .zip(&compared)
            .filter_map(|(arm, parts)| {
                let named: Vec<Named<'_>> =
                    parts.iter().filter_map(|one| self.column(query, one.side)).collect();
                let has_index = named.iter().any(|named| named.is_rowid || self.begins(named));
                named.first().filter(|_| !has_index).map(|named| (arm, *named))
            })
            .collect();
        let shown: Vec<&str> = open.iter().map(|(arm, _)| arm.text(self.sql)).collect();
        if compared.iter().any(Vec::is_empty) {
            term.words = format!("no index serves {said}");
            return Some(term);
        }
        if open.is_empty() {
            return None;
        }
        term.words =
            format!("an OR is searched only if each arm is, and {} has no index", words::list(&shown));
        term.keys =
            open.iter().filter_map(|(_, named)| Key::column(named, named.collation(), false)).collect();
        Some(term)
    }

    fn is_column(&self, one: &Comparison<'_>, named: &Named<'_>) -> bool {
        self.column(one.query, one.side).is_some_and(|other| same(other.name(), named.name()))
    }

    /// Whether an index begins with a column.
    fn begins(&self, named: &Named<'_>) -> bool {
        self.indexes().filter(|index| index.filter.is_none()).any(|index| {
            index
                .columns
                .first()
                .and_then(|first| first.name.as_deref())
                .is_some_and(|name| same(name, named.name()))
        })
    }

    /// Whether an expression is the same in every run.
    fn is_parameterless(&self, of: &Expression) -> bool {
        !of.all().iter().any(|part| part.form == Form::Parameter)
    }

    /// `a > x OR (a = x AND b > y)` is `(a, b) > (x, y)`.
    fn row_value(&self, whole: &Expression, arms: &[Vec<Comparison<'_>>]) -> Option<Rewrite> {
        let last = arms.last()?;
        let value = |one: &Comparison<'_>| one.others.first().map(|other| other.text(self.sql));
        let side = |one: &Comparison<'_>| one.side.text(self.sql);
        let (final_one, strict) = (last.last()?, last.last()?.operator.trim_end_matches('='));
        if !matches!(strict, "<" | ">") || arms.len() < 2 {
            return None;
        }
        for (number, arm) in arms.iter().enumerate() {
            let (ends, before) = arm.split_last()?;
            let wanted = if number + 1 == arms.len() { final_one.operator } else { strict };
            let is_same = |(one, other): (&Comparison<'_>, &Comparison<'_>)| {
                one.operator == "=" && side(one) == side(other) && value(one) == value(other)
            };
            let follows = before.len() == number && before.iter().zip(last).all(is_same);
            let ends_there = last
                .get(number)
                .is_some_and(|other| side(ends) == side(other) && value(ends) == value(other));
            if !follows || !ends_there || ends.operator != wanted {
                return None;
            }
        }
        let values: Vec<&str> = last.iter().filter_map(value).collect();
        // A parameter without a name or number is bound anew wherever it stands.
        if values.contains(&"?")
            || last.iter().any(|one| one.others.len() != 1 || self.column(one.query, one.side).is_none())
        {
            return None;
        }
        let sides: Vec<&str> = last.iter().map(side).collect();
        let text = format!("({}) {} ({})", sides.join(", "), final_one.operator, values.join(", "));
        Some(Rewrite::new(whole, text, Vec::new()))
    }
}

/// The parts that an operator joins.
fn flatten<'e>(of: &'e Expression, operator: &str, found: &mut Vec<&'e Expression>) {
    match &of.form {
        Form::Binary(own, left, right) if own == operator => {
            flatten(left, operator, found);
            flatten(right, operator, found);
        }
        _ => found.push(of),
    }
}
