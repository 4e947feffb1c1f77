//! The terms of a condition that are about the table of a step, each with the reason why it does not narrow it.

use super::{
    Fix, Kind, Obstacle,
    indexes::Key,
    rewrite::Rewrite,
    subject::{Named, Subject, begins_with, same},
    types::is_row_value,
    words,
};
use crate::{
    extract::names::expressions::{Condition, Expression, Form},
    schema::IndexObject,
};

/// A term about the table.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    pub column: Option<String>,
    pub index: Option<String>,
    pub words: String,
    /// What is said only where an index on the column turns the join round.
    pub unsaid: String,
    pub advice: Option<String>,
    /// The step seeks by it: there is no obstacle.
    pub is_used: bool,
    /// It is none unless another text helps.
    pub needs_fix: bool,
    pub rewrites: Vec<Rewrite>,
    /// What an index would have to have for it; of an OR, one for each index.
    pub keys: Vec<Key>,
    pub fix: Option<Fix>,
}

/// A comparison of the columns on one side with what is the same for all rows of the table.
pub(super) struct Comparison<'e> {
    pub query: u32,
    /// All of it.
    pub whole: &'e Expression,
    /// What holds columns of the table.
    pub side: &'e Expression,
    /// What it is compared with: one thing, two bounds, a list, or nothing that is known for a subquery.
    pub others: Vec<&'e Expression>,
    /// As if the side stood on the left; `BETWEEN` and `IN` too.
    pub operator: &'e str,
    /// It does not stand on the left.
    pub is_right: bool,
}

impl Comparison<'_> {
    pub fn is_range(&self) -> bool {
        !matches!(self.operator, "=" | "IS" | "IN")
    }
}

impl Term {
    pub fn new(kind: Kind, whole: &Expression, column: Option<&Named<'_>>, words: String) -> Self {
        Self {
            kind,
            start: whole.start,
            end: whole.end,
            column: column.map(|column| column.name().to_owned()),
            index: None,
            words,
            unsaid: String::new(),
            advice: None,
            is_used: false,
            needs_fix: false,
            rewrites: Vec::new(),
            keys: Vec::new(),
            fix: None,
        }
    }

    pub fn obstacle(self, step: usize) -> Option<Obstacle> {
        let Self { kind, start, end, column, index, words, advice, fix, .. } = self;
        (!words.is_empty()).then_some(Obstacle { step, kind, start, end, column, index, words, advice, fix })
    }
}

impl Subject<'_> {
    /// The terms of a condition.
    pub fn terms(&self, condition: &Condition) -> Vec<Term> {
        let (query, whole) = (condition.query, &condition.expression);
        let own = self.double_quoted(query, whole).or_else(|| self.exists(condition));
        if let Some(term) = own.or_else(|| self.true_or_false(query, whole)) {
            return vec![term];
        }
        match &whole.form {
            Form::Binary(operator, left, right) => match operator.as_str() {
                "OR" => self.any_of(query, whole).into_iter().collect(),
                "<>" | "IS NOT" => self.all_but(query, whole).into_iter().collect(),
                "LIKE" | "GLOB" => self.pattern(query, whole, operator, left, right).into_iter().collect(),
                _ => self.comparisons(query, whole),
            },
            Form::Unary("NOT", _) | Form::Between { negated: true, .. } | Form::In { negated: true, .. } => {
                self.all_but(query, whole).into_iter().collect()
            }
            _ => self.comparisons(query, whole),
        }
    }

    fn comparisons(&self, query: u32, whole: &Expression) -> Vec<Term> {
        let found = self.compared(query, whole);
        if found.is_empty() {
            return self.unserved(query, whole).into_iter().collect();
        }
        let term = |one: &Comparison<'_>| {
            let mut term = self.term(one);
            if one.is_right && matches!(one.whole.form, Form::Between { .. }) {
                // The whole says two things, and what is compared here is one of them.
                term.rewrites.clear();
            }
            term
        };
        found.iter().map(term).collect()
    }

    /// A condition as comparisons of one column each; none where it is something else.
    pub fn compared<'e>(&self, query: u32, whole: &'e Expression) -> Vec<Comparison<'e>> {
        let has = |part: &Expression| !self.columns(query, part).is_empty();
        let fixed = |part: &Expression| self.is_fixed(query, part);
        let of =
            |side, others, operator, is_right| Comparison { query, whole, side, others, operator, is_right };
        match &whole.form {
            Form::Binary(operator, left, right) => {
                let Some(mirrored) = mirrored(operator) else { return Vec::new() };
                if has(left) && fixed(right) {
                    vec![of(left, vec![right], operator, false)]
                } else if has(right) && fixed(left) {
                    vec![of(right, vec![left], mirrored, true)]
                } else if self.is_sought_by(query, left, operator, right) {
                    vec![of(left, Vec::new(), operator, false)]
                } else if self.is_sought_by(query, right, mirrored, left) {
                    vec![of(right, Vec::new(), mirrored, true)]
                } else {
                    Vec::new()
                }
            }
            Form::Between { of: value, low, high, .. } if has(value) && fixed(low) && fixed(high) => {
                vec![of(value, vec![low, high], "BETWEEN", false)]
            }
            Form::Between { of: value, low, high, .. } if fixed(value) && has(low) && has(high) => {
                vec![of(low, vec![value], "<=", true), of(high, vec![value], ">=", true)]
            }
            Form::In { of: value, list, .. } if has(value) => match list {
                Some(list) if list.iter().all(fixed) => vec![of(value, list.iter().collect(), "IN", false)],
                Some(_) => Vec::new(),
                None => vec![of(value, Vec::new(), "IN", false)],
            },
            _ => Vec::new(),
        }
    }

    fn term(&self, one: &Comparison<'_>) -> Term {
        let (bare, explicit) = match &one.side.form {
            Form::Collate(of, name) => (&**of, Some(name.as_str())),
            _ => (one.side, None),
        };
        match self.column(one.query, bare) {
            Some(named) => self.plain(one, &named, explicit),
            // An index serves a row value by the first of its columns, and nothing else is known of it here.
            None if is_row_value(bare, self.sql) => {
                let column = self.columns(one.query, bare).first().copied();
                Term::new(Kind::Wrapped, one.whole, column.as_ref(), String::new())
            }
            None => self.wrapped(one),
        }
    }

    /// A column that is compared as it is.
    fn plain(&self, one: &Comparison<'_>, named: &Named<'_>, explicit: Option<&str>) -> Term {
        let asked = self.asked_of(named, if one.is_range() { range_sign(one.operator) } else { "=" });
        let written = one.others.iter().find_map(|other| match &other.form {
            Form::Collate(_, name) => Some(name.as_str()),
            _ => None,
        });
        let collation = asked.map_or_else(
            || explicit.or(written).unwrap_or(named.collation()).to_owned(),
            |asked| asked.collation.clone(),
        );
        let (kind, index, words) = self.reason(one, named, &collation);
        let mut term = Term::new(kind, one.whole, Some(named), words);
        // What is sought in an index that is built each time is no more than read.
        term.is_used = !self.step.is_automatic() && self.seeks(named, one.is_range());
        term.index = index.map(|index| index.name.clone());
        let key = Key::column(named, &collation, one.is_range()).map(|key| key.marked(one));
        let is_null = one.operator == "IS" && one.others.iter().all(|other| other.form == Form::Null);
        let only = |key: Key| {
            if is_null && self.filters().count() == 1 {
                key.only(format!("{} IS NULL", words::name(named.name())))
            } else {
                key
            }
        };
        term.keys = key.map(only).into_iter().collect();
        if self.is_outer()
            && term.keys.iter().any(Key::joins)
            && !matches!(kind, Kind::Affinity | Kind::Untyped)
        {
            // It is the other table that this finds.
            term.unsaid = std::mem::take(&mut term.words);
        }
        let is_partial = matches!(kind, Kind::Partial | Kind::Bound);
        if is_partial && self.is_in_outer_join(one) {
            // What is said in the ON of an outer join keeps no row away; said in the WHERE, it would.
            term.words.clear();
        } else if is_partial {
            term.advice = Some("Say the same in the statement, where that is meant".to_owned());
            term.rewrites = self.with_filter(one, named);
        }
        if kind == Kind::NotLeading {
            term.rewrites = index.and_then(|index| self.with_values(one, named, index)).into_iter().collect();
        }
        if matches!(kind, Kind::Affinity | Kind::Untyped) {
            term.keys.clear();
            term.rewrites = self.without_affinity(one, named);
        }
        term
    }

    /// Why no index serves a column that is compared as it is.
    fn reason(
        &self,
        one: &Comparison<'_>,
        named: &Named<'_>,
        collation: &str,
    ) -> (Kind, Option<&IndexObject>, String) {
        let column = words::code(named.name());
        let is_first = |index: &&IndexObject| begins_with(index, named.name());
        let leading: Vec<&IndexObject> = self.indexes().filter(is_first).collect();
        if let Some(index) = leading.first() {
            // That a statement implies the WHERE of the index which it goes by, SQLite sees.
            let serves = |index: &IndexObject| index.filter.is_none() || self.goes_by(index);
            let whole = leading.iter().find(|index| serves(index));
            let Some(whole) = whole else {
                let filter = index.filter.as_deref().unwrap_or("");
                let (only, (kind, unseen)) = (words::line(filter), self.unseen(one.query, filter));
                let words = format!("the index `{}` holds only rows with `{only}`{unseen}", index.name);
                return (kind, Some(*index), words);
            };
            let fits = |index: &&&IndexObject| {
                index.columns.first().is_some_and(|first| same(&first.collation, collation))
            };
            if !leading.iter().any(|index| fits(&index)) {
                let own = whole.columns.first().map_or("BINARY", |first| first.collation.as_str());
                let words = format!(
                    "{column} is compared by {}, and the index `{}` is ordered by {}",
                    collation.to_uppercase(),
                    whole.name,
                    own.to_uppercase()
                );
                return (Kind::Collation, Some(*whole), words);
            }
            if let Some((kind, words)) = self.other_type(one, named, &whole.name) {
                return (kind, Some(*whole), words);
            }
        }
        if named.is_rowid || !leading.is_empty() {
            let words = if self.step.terms.is_empty() {
                String::new()
            } else {
                format!("{} finds the rows, and {column} is tested on each of them", self.way())
            };
            let is_range = self.step.ranges() > 0 && one.is_range();
            return (
                if is_range { Kind::SecondRange } else { Kind::OtherIndex },
                leading.first().copied(),
                words,
            );
        }
        if let Some(index) = self.limited_to(one, named) {
            let (name, filter) = (&index.name, words::line(index.filter.as_deref().unwrap_or("")));
            let words = format!(
                "the index `{name}` holds only rows with `{filter}`, which SQLite does not see in `{}`",
                words::line(one.whole.text(self.sql))
            );
            return (Kind::Partial, Some(index), words);
        }
        self.behind(named).unwrap_or_else(|| {
            (Kind::NoIndex, None, format!("no index of `{}` begins with {column}", self.table.name))
        })
    }

    /// An index that has the column behind others.
    fn behind(&self, named: &Named<'_>) -> Option<(Kind, Option<&IndexObject>, String)> {
        let is_named = |name: Option<&String>| name.is_some_and(|name| same(name, named.name()));
        let has = |index: &&IndexObject| {
            index.columns.iter().any(|column| column.key && is_named(column.name.as_ref()))
        };
        let index = self.indexes().filter(|index| index.filter.is_none()).find(has)?;
        let before: Vec<&str> = index
            .columns
            .iter()
            .take_while(|column| !is_named(column.name.as_ref()))
            .filter_map(|column| column.name.as_deref().or(column.expression.as_deref()))
            .collect();
        let column = words::code(named.name());
        let ranges = self.step.ranges() > 0 && self.way() == format!("the index `{}`", index.name);
        if ranges {
            let words = format!(
                "the index `{}` is searched by a range, and {column} after it is tested on each row",
                index.name
            );
            return Some((Kind::SecondRange, Some(index), words));
        }
        let place = match before.len() {
            1 => "only the second column".to_owned(),
            2 => "only the third column".to_owned(),
            count => format!("only column {}", count + 1),
        };
        let missing: Vec<&str> = before.iter().copied().filter(|name| !self.is_compared(name)).collect();
        let why = if missing.is_empty() {
            "is not searched by the columns before it".to_owned()
        } else if missing == before.get(..1).unwrap_or_default() {
            format!("the statement does not compare the first, {}", words::list(&missing))
        } else {
            format!("the statement does not compare {}", words::list(&missing))
        };
        let why = if missing.is_empty() { format!("that {why}") } else { why };
        let words = format!("{column} is {place} of the index `{}`, and {why}", index.name);
        Some((Kind::NotLeading, Some(index), words))
    }

    /// A name in double quotes that is no column of anything.
    fn double_quoted(&self, query: u32, whole: &Expression) -> Option<Term> {
        let part = whole.all().into_iter().find(|part| self.is_string(query, part))?;
        if !self.columns(query, whole).is_empty() {
            return None;
        }
        let text = part.text(self.sql);
        let words = format!(
            "{text} is no column of these tables, so that SQLite takes it for a string, and no column is compared"
        );
        Some(Term::new(Kind::DoubleQuoted, whole, None, words))
    }

    /// A condition that has a column of the table, and that no index can serve.
    fn unserved(&self, query: u32, whole: &Expression) -> Option<Term> {
        let columns = self.columns(query, whole);
        let named = columns.first()?;
        if whole.all().iter().any(|part| part.form == Form::Subquery) {
            // Whether it is the same for all rows is not known.
            return None;
        }
        let said = words::code(whole.text(self.sql));
        let several = columns.iter().any(|other| !same(other.name(), named.name()));
        let words = match &whole.form {
            Form::Binary(..) | Form::Between { .. } if several => {
                format!("no index serves {said}, which compares columns of one row with each other")
            }
            Form::Column { .. } => return Some(self.truth(whole, named, false)),
            Form::Other(_) | Form::Binary(..) | Form::Between { .. } | Form::In { .. } => {
                format!("no index serves {said}")
            }
            _ => format!("no index serves {said}: it is no comparison"),
        };
        let mut term = Term::new(Kind::Operator, whole, Some(named), words);
        // An index of the rows for which it holds serves it.
        let filter = self.unqualified(query, whole).filter(|_| several && named.column.is_some());
        let collation = named.column.map_or("BINARY", |column| column.collation.as_str());
        let key = Key::column(named, collation, false).zip(filter);
        term.keys = key.map(|(key, filter)| key.only(filter)).into_iter().collect();
        Some(term)
    }
}

/// The operator when the sides change places; `None` for one that is no comparison by order.
pub(super) fn mirrored(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "=" => "=",
        "IS" => "IS",
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        _ => return None,
    })
}

fn range_sign(operator: &str) -> &str {
    if operator == "BETWEEN" { ">=" } else { operator }
}
