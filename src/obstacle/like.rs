//! Conditions that no index serves as they stand: patterns, and what is not to be.

use super::{
    Kind,
    compare::{integer, string},
    indexes::Key,
    rewrite::Rewrite,
    subject::{Named, Subject, same},
    terms::Term,
    words,
};
use crate::{
    extract::names::{
        Names,
        expressions::{Expression, Form},
    },
    schema::{Affinity, IndexObject},
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
        let bound = self.bound_pattern(whole).and_then(string).filter(|_| operator == "LIKE");
        let begin = bound.clone().or_else(|| self.literal_text(query, joined(right).0));
        if begin.as_deref().is_some_and(|begin| begin.starts_with(wildcards)) {
            // FTS5 is handed the pattern of a LIKE without ESCAPE alone.
            let escapes = whole.text(self.sql).to_ascii_uppercase().contains("ESCAPE");
            let cure = if escapes { "" } else { "; an FTS5 table with the trigram tokenizer would" };
            let pattern = if bound.is_some() { "to which a pattern is bound" } else { "a pattern" };
            return Some(term(format!(
                "no index serves {said}, {pattern} that begins with a wildcard{cure}"
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
        let mut found = term(match (&right.form, index) {
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
            (_, None) => format!(
                "no index serves {said}: its pattern is computed, and no index on {column} is ordered by {collation}, by which {operator} compares"
            ),
        });
        let end = self.literal_text(query, joined(right).1);
        let is_prefix = index.is_none() && operator == "LIKE" && end.as_deref() == Some("%");
        found.advice = is_prefix.then(|| self.prefix_range(&named)).flatten();
        Some(found)
    }

    /// What searches an index that minds the case of letters, in the place of a LIKE that does not.
    fn prefix_range(&self, named: &Named<'_>) -> Option<String> {
        let is_led = |index: &&IndexObject| {
            let first = index.columns.first().filter(|_| index.filter.is_none());
            let name = first.filter(|first| same(&first.collation, "BINARY"));
            name.and_then(|first| first.name.as_deref()).is_some_and(|name| same(name, named.name()))
        };
        self.indexes().find(is_led).map(|index| {
            let column = words::code(named.name());
            format!(
                "Where the case of letters counts, a range of {column}, from the prefix up to what follows it, is searched by the index `{}`",
                index.name
            )
        })
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
            return Some(self.truth(whole, named, true));
        }
        let said = words::code(whole.text(self.sql));
        let mut term = Term::new(
            Kind::IsNot,
            whole,
            Some(named),
            format!("no index serves {said}, which asks for all values but some"),
        );
        let Form::Binary(operator, left, right) = &whole.form else { return Some(term) };
        if right.form == Form::Null {
            term.words = format!("no index serves {said}, which asks for all values but NULL");
        }
        let (Some(_), true) = (self.column(query, left), columns.len() == 1) else { return Some(term) };
        let unwanted = integer(right.text(self.sql)).filter(|value| matches!(value, 0 | 1));
        let conditions = self.is_flag(named);
        let is_named =
            named.column.is_some_and(|one| one.declared_type.to_ascii_uppercase().contains("BOOL"));
        let is_flag = (conditions.is_empty() || is_named) && (operator == "<>" || self.never_null(named));
        if let Some(unwanted) = unwanted.filter(|_| is_flag) {
            let text = format!("{} = {}", left.text(self.sql), 1 - unwanted);
            term.rewrites = vec![Rewrite::new(whole, text, conditions)];
        }
        let is_literal = matches!(right.form, Form::Number | Form::Text | Form::Null);
        if let Some(filter) = self.unqualified(query, whole).filter(|_| is_literal) {
            let key = Key::column(named, named.collation(), false);
            term.keys = key.into_iter().map(|key| key.only(filter.clone())).collect();
        }
        Some(term)
    }

    /// `IS TRUE` and `IS FALSE` of a column, which ask whether it is 0, and compare it with nothing.
    pub fn true_or_false(&self, query: u32, whole: &Expression) -> Option<Term> {
        let Form::Binary(operator, left, right) = &whole.form else { return None };
        let says = |word: &str| right.text(self.sql).eq_ignore_ascii_case(word);
        let is_true = says("true");
        let negated = match operator.as_str() {
            "IS" if is_true || says("false") => !is_true,
            "IS NOT" if is_true || says("false") => is_true,
            _ => return None,
        };
        let named = self.column(query, left)?;
        // What is not true may be NULL.
        if operator == "IS NOT" && !self.never_null(&named) {
            return None;
        }
        Some(self.truth(whole, &named, negated))
    }

    /// A column that is itself the condition.
    pub fn truth(&self, whole: &Expression, named: &Named<'_>, negated: bool) -> Term {
        let said = words::code(whole.text(self.sql));
        let words = format!("no index serves {said}: it is no comparison");
        let mut term =
            Term::new(if negated { Kind::IsNot } else { Kind::Operator }, whole, Some(named), words);
        let column = match &whole.form {
            Form::Unary(_, of) | Form::Binary(_, of, _) => of.text(self.sql),
            _ => whole.text(self.sql),
        };
        let text = format!("{column} = {}", u8::from(!negated));
        term.rewrites = vec![Rewrite::new(whole, text, self.is_flag(named))];
        term
    }

    /// The condition that a column is 0 or 1, unless its table checks that.
    fn is_flag(&self, named: &Named<'_>) -> Vec<String> {
        if self.table.checks_flag(named.name()) {
            Vec::new()
        } else {
            vec![format!("{} is only ever 0 or 1", words::code(named.name()))]
        }
    }
}

/// What is bound to the LIKEs of a text, which its callers do each in their way.
pub(super) fn patterns(names: &Names) -> Vec<&str> {
    names.predicates.iter().filter_map(|one| one.pattern.as_deref()).collect()
}

/// The first and the last of what `||` joins; twice what is not joined.
fn joined(of: &Expression) -> (&Expression, &Expression) {
    let (mut first, mut last) = (of, of);
    if let Form::Binary(operator, _, right) = &of.form
        && operator == "||"
    {
        last = right;
    }
    while let Form::Binary(operator, left, _) = &first.form
        && operator == "||"
    {
        first = left;
    }
    (first, last)
}
