//! Other texts for a comparison in which an expression stands around the column: the column alone on one side, and what
//! undoes the expression on the other. Each returns the same rows, always or under the conditions that it names.

use super::{
    Kind,
    compare::{integer, string},
    indexes::Key,
    subject::{Subject, begins_with, same},
    terms::{Comparison, Term, mirrored},
    words,
};
use crate::{
    extract::names::expressions::{Expression, Form},
    schema::{Affinity, quoted_text},
};

/// Another text in the place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rewrite {
    pub start: usize,
    pub end: usize,
    pub text: String,
    /// What must hold so that it means the same.
    pub conditions: Vec<String>,
    /// Expressions of constants that must be true so that it does.
    pub proofs: Vec<String>,
}

/// A column alone, and what it is compared with then.
pub(super) struct Bare {
    pub side: String,
    pub others: Vec<String>,
    pub operator: String,
    pub conditions: Vec<String>,
    /// All of the text, where it is no comparison of this form.
    pub whole: Option<String>,
}

impl Rewrite {
    pub fn new(whole: &Expression, text: String, conditions: Vec<String>) -> Self {
        Self { start: whole.start, end: whole.end, text, conditions, proofs: Vec::new() }
    }

    /// The statement with it.
    pub fn applied(&self, sql: &str) -> String {
        let (before, after) = (sql.get(..self.start).unwrap_or(""), sql.get(self.end..).unwrap_or(""));
        let is_word = |next: char| next.is_alphanumeric() || next == '_';
        let gap = |is: bool| if is { " " } else { "" };
        let (left, right) = (before.ends_with(is_word), after.starts_with(is_word));
        format!("{before}{}{}{}{after}", gap(left), self.text, gap(right))
    }
}

impl Subject<'_> {
    /// A comparison in which something stands around the column.
    pub fn wrapped(&self, one: &Comparison<'_>) -> Term {
        let columns = self.columns(one.query, one.side);
        let Some(named) = columns.first() else {
            return Term::new(Kind::Wrapped, one.whole, None, String::new());
        };
        let (side, column) = (words::code(one.side.text(self.sql)), words::code(named.name()));
        let has_column = |index: &&crate::schema::IndexObject| begins_with(index, named.name());
        let on_expression = self.expression_index(one, named);
        let (kind, index, reason) = if let Some((index, expression)) = on_expression {
            let words = format!("the index `{index}` is on {}, and not on {side}", words::code(expression));
            (Kind::ExpressionIndex, Some(index.to_owned()), words)
        } else if let Some(index) = self.indexes().find(has_column) {
            (
                Kind::Wrapped,
                Some(index.name.clone()),
                format!("the index `{}` on {column} does not serve {side}", index.name),
            )
        } else if named.is_rowid {
            (Kind::Wrapped, None, format!("the primary key {column} does not serve {side}"))
        } else {
            (Kind::Wrapped, None, format!("no index serves {side}"))
        };
        let parts = one.side.all();
        let kind = if words::calls(&parts, &["hex"]) { Kind::Hex } else { kind };
        let mut term = Term::new(kind, one.whole, Some(named), reason);
        term.index = index;
        term.advice = words::unwrapping(&parts, &side, &column);
        term.rewrites = self.unwrapped(one);
        let key = Key::expression(self, one.query, one.side, one.is_range());
        term.keys = key.map(|key| key.marked(one)).into_iter().collect();
        term.is_used = self.step.terms.iter().any(|term| term.column == "<expr>");
        // What finds the rows of a table that is read later is in the way only where that could be read first.
        term.needs_fix = self.finds_another(one);
        term
    }

    fn unwrapped(&self, one: &Comparison<'_>) -> Vec<Rewrite> {
        // A sign and a CAST leave a column its collation; all else takes it away, and the other side's may count.
        let is_kept = matches!(one.side.form, Form::Unary("+", _) | Form::Cast(..));
        let is_written = one.side.all().iter().any(|part| matches!(part.form, Form::Collate(..)));
        if is_written || (!is_kept && self.brings_collation(one)) {
            return self.as_indexed(one);
        }
        let found = match &one.side.form {
            Form::Unary("+", of) => self.signless(one, of),
            Form::Binary(operator, left, right) if operator == "+" || operator == "-" => {
                self.shifted(one, operator, left, right)
            }
            Form::Call(name, parts) => match (name.as_str(), parts.as_slice()) {
                ("hex", [of]) => self.unhexed(one, of, "upper"),
                ("lower" | "upper", [of]) => match &of.form {
                    Form::Call(inner, parts) if inner == "hex" => {
                        parts.first().and_then(|of| self.unhexed(one, of, name))
                    }
                    _ => self.caseless(one, of, name),
                },
                ("substr" | "substring", [of, start, length]) => self.prefix(one, of, start, length),
                ("coalesce" | "ifnull", [of, instead]) => self.coalesced(one, of, instead),
                _ => None,
            },
            Form::Cast(of, kind) => self.uncast(one, of, kind),
            _ => None,
        };
        let rewrites = found.map(|bare| Rewrite::new(one.whole, bare.text(one), bare.conditions));
        rewrites.into_iter().chain(self.as_indexed(one)).collect()
    }

    /// Whether something on the other side has a collation that is not BINARY, and that would not decide any more.
    pub fn brings_collation(&self, one: &Comparison<'_>) -> bool {
        let brings = |part: &&Expression| match &part.form {
            Form::Collate(..) => true,
            Form::Column { .. } => {
                self.owner(one.query, part).is_none_or(|(_, column)| !same(&column.collation, "BINARY"))
            }
            _ => false,
        };
        one.others.iter().any(|other| other.all().iter().any(brings))
    }

    /// The same comparison with this on the side of the column. All of it agrees, or nothing is said.
    fn same_others(&self, one: &Comparison<'_>, of: &Expression) -> Option<(Bare, Vec<String>)> {
        let named = self.column(one.query, of)?;
        let mut conditions = Vec::new();
        for other in &one.others {
            conditions.extend(self.agrees(one.query, &named, other)?);
        }
        let others: Vec<String> = one.others.iter().map(|other| other.text(self.sql).to_owned()).collect();
        let bare = Bare {
            side: of.text(self.sql).to_owned(),
            others,
            operator: one.operator.to_owned(),
            conditions: Vec::new(),
            whole: None,
        };
        (!one.others.is_empty()).then_some((bare, conditions))
    }

    /// `+a = …`: the sign takes the type away, and nothing else.
    fn signless(&self, one: &Comparison<'_>, of: &Expression) -> Option<Bare> {
        let (bare, conditions) = self.same_others(one, of)?;
        Some(Bare { conditions, ..bare })
    }

    /// `a + 1 > …`: the number goes to the other side.
    fn shifted(
        &self,
        one: &Comparison<'_>,
        operator: &str,
        left: &Expression,
        right: &Expression,
    ) -> Option<Bare> {
        let (of, number, is_left) =
            if self.column(one.query, left).is_some() { (left, right, true) } else { (right, left, false) };
        let named = self.column(one.query, of)?;
        let by = number.text(self.sql);
        // A parameter without a name or number is told by its place, which must not change.
        let is_named = number.form == Form::Parameter && by != "?";
        if !is_named && integer(by).is_none() {
            return None;
        }
        if integer(by) == Some(0) && is_left {
            let (bare, mut conditions) = self.same_others(one, of)?;
            let is_text = named.affinity() == Affinity::Text || named.affinity() == Affinity::Blob;
            conditions.extend(self.holds(&named, "only numbers"));
            return (!is_text).then_some(Bare { conditions, ..bare });
        }
        if !matches!(named.affinity(), Affinity::Integer | Affinity::Numeric) || one.operator == "IN" {
            return None;
        }
        let mut conditions = self.holds(&named, "whole numbers");
        conditions.extend(self.whole_numbers(number)?);
        for other in &one.others {
            conditions.extend(self.whole_numbers(other)?);
        }
        conditions.push("no number is near 2^63".to_owned());
        let moved = |other: &Expression| {
            let text = other.text(self.sql);
            let text = if other.parts().is_empty() { text.to_owned() } else { format!("({text})") };
            match (operator, is_left) {
                ("+", _) => format!("{text} - {by}"),
                (_, true) => format!("{text} + {by}"),
                (_, false) => format!("{by} - {text}"),
            }
        };
        let turns = operator == "-" && !is_left;
        let operator = if turns { mirrored(one.operator)? } else { one.operator };
        let others = one.others.iter().map(|other| moved(other)).collect();
        Some(Bare {
            side: of.text(self.sql).to_owned(),
            others,
            operator: operator.to_owned(),
            conditions,
            whole: None,
        })
    }

    /// `hex(a) = …`: the other side becomes bytes. `written` is the case of the digits that could match so far.
    fn unhexed(&self, one: &Comparison<'_>, of: &Expression, written: &str) -> Option<Bare> {
        let named = self.column(one.query, of)?;
        if !matches!(one.operator, "=" | "IN") || named.affinity() != Affinity::Blob || one.others.is_empty()
        {
            return None;
        }
        let mut conditions = self.holds(&named, "only blobs");
        if !self.never_null(&named) && one.others.iter().any(|other| other.form != Form::Text) {
            // hex(NULL) is an empty text.
            conditions.push("no empty text is compared with it".to_owned());
        }
        let others = one.others.iter().map(|other| match &other.form {
            Form::Text => {
                let digits = string(other.text(self.sql))?;
                let fits = |next: char| {
                    next.is_ascii_digit()
                        || if written == "upper" {
                            matches!(next, 'A'..='F')
                        } else {
                            matches!(next, 'a'..='f')
                        }
                };
                let is_hex = !digits.is_empty() && digits.len() % 2 == 0 && digits.chars().all(fits);
                is_hex.then(|| format!("x'{digits}'"))
            }
            Form::Call(name, _) if name == written => Some(format!("unhex({})", other.text(self.sql))),
            _ => {
                let what = if self.owner(one.query, other).is_some() { "compared" } else { "bound" };
                conditions.push(format!("{written}-case hex is {what} (the case no longer matters)"));
                Some(format!("unhex({})", other.text(self.sql)))
            }
        });
        let others = others.collect::<Option<Vec<String>>>()?;
        Some(Bare {
            side: of.text(self.sql).to_owned(),
            others,
            operator: one.operator.to_owned(),
            conditions,
            whole: None,
        })
    }

    /// `lower(a) = …`: NOCASE folds the same letters.
    fn caseless(&self, one: &Comparison<'_>, of: &Expression, name: &str) -> Option<Bare> {
        let named = self.column(one.query, of)?;
        let [other] = one.others.as_slice() else { return None };
        if one.operator != "=" || named.affinity() != Affinity::Text {
            return None;
        }
        let mut conditions = self.holds(&named, "no blobs");
        let text = match &other.form {
            Form::Text => {
                let value = string(other.text(self.sql))?;
                let folds = |next: char| {
                    if name == "lower" { next.is_ascii_uppercase() } else { next.is_ascii_lowercase() }
                };
                (!value.chars().any(folds)).then(|| other.text(self.sql).to_owned())?
            }
            Form::Parameter => {
                conditions.push(format!("what is bound is text in {name} case"));
                other.text(self.sql).to_owned()
            }
            Form::Call(folded, parts) if folded == name => {
                let inner = parts.first().filter(|part| part.form == Form::Parameter)?;
                conditions.push("text is bound".to_owned());
                inner.text(self.sql).to_owned()
            }
            _ => return None,
        };
        let collate = if same(named.collation(), "NOCASE") { "" } else { " COLLATE NOCASE" };
        let others = vec![if one.is_right { text.clone() } else { format!("{text}{collate}") }];
        let side = of.text(self.sql).to_owned();
        let side = if one.is_right { format!("{side}{collate}") } else { side };
        Some(Bare { side, others, operator: "=".to_owned(), conditions, whole: None })
    }

    /// `substr(a, 1, 3) = 'abc'`: all texts from `abc` up to the next that does not begin so.
    fn prefix(
        &self,
        one: &Comparison<'_>,
        of: &Expression,
        start: &Expression,
        length: &Expression,
    ) -> Option<Bare> {
        let named = self.column(one.query, of)?;
        let [other] = one.others.as_slice() else { return None };
        let value = string(other.text(self.sql)).filter(|_| other.form == Form::Text)?;
        let (start, length) = (integer(start.text(self.sql))?, integer(length.text(self.sql))?);
        let is_plain = value.chars().all(|next| next.is_ascii_graphic() || next == ' ');
        let fits =
            start == 1 && usize::try_from(length).is_ok_and(|length| length == value.len() && length > 0);
        let compares =
            named.affinity() == Affinity::Text && same(named.collation(), "BINARY") && one.operator == "=";
        if !(is_plain && fits && compares) {
            return None;
        }
        let mut end = value.clone();
        let last = end.pop()?;
        end.push(char::from_u32(u32::from(last) + 1)?);
        let side = of.text(self.sql).to_owned();
        let (low, high) = (quoted_text(&value), quoted_text(&end));
        let whole = Some(format!("({side} >= {low} AND {side} < {high})"));
        let (others, operator) = (Vec::new(), String::new());
        Some(Bare { side, others, operator, conditions: Vec::new(), whole })
    }

    /// `coalesce(a, 0) = …`: what stands for NULL is compared now.
    fn coalesced(&self, one: &Comparison<'_>, of: &Expression, instead: &Expression) -> Option<Bare> {
        let named = self.column(one.query, of)?;
        let (bare, conditions) = self.same_others(one, of)?;
        if !same(named.collation(), "BINARY") || matches!(one.operator, "IS" | "IN" | "BETWEEN") {
            return None;
        }
        if self.never_null(&named) {
            return Some(Bare { conditions, ..bare });
        }
        let [other] = one.others.as_slice() else { return None };
        let (left, right) = (integer(instead.text(self.sql))?, integer(other.text(self.sql))?);
        let counts = match one.operator {
            "=" => left == right,
            "<" => left < right,
            "<=" => left <= right,
            ">" => left > right,
            _ => left >= right,
        };
        if !counts {
            return Some(Bare { conditions, ..bare });
        }
        let whole = Some(format!("({} OR {} IS NULL)", bare.text(one), bare.side));
        Some(Bare { conditions, whole, ..bare })
    }

    /// `CAST(a AS TEXT) = …` of what is of that type, or is written in one way only.
    fn uncast(&self, one: &Comparison<'_>, of: &Expression, kind: &str) -> Option<Bare> {
        let named = self.column(one.query, of)?;
        let (wanted, own) = (Affinity::of(kind), named.affinity());
        let others: Vec<String> = one.others.iter().map(|other| other.text(self.sql).to_owned()).collect();
        if others.is_empty() || !matches!(one.operator, "=" | "IN") {
            return None;
        }
        let mut conditions = match (wanted, own) {
            (Affinity::Text, Affinity::Text) => self.holds(&named, "no blobs"),
            (Affinity::Integer | Affinity::Text, Affinity::Integer) => self.holds(&named, "whole numbers"),
            _ => return None,
        };
        if wanted != own {
            for other in &one.others {
                match &other.form {
                    Form::Parameter => conditions.push("plain whole numbers are bound".to_owned()),
                    Form::Number if integer(other.text(self.sql)).is_some() => {}
                    Form::Text => {
                        let value = string(other.text(self.sql))?;
                        value.parse::<i64>().ok().filter(|number| number.to_string() == value)?;
                    }
                    _ => return None,
                }
            }
        }
        let side = of.text(self.sql).to_owned();
        Some(Bare { side, others, operator: one.operator.to_owned(), conditions, whole: None })
    }
}

impl Bare {
    /// The comparison with it.
    pub fn text(&self, one: &Comparison<'_>) -> String {
        let Self { side, others, operator, whole, .. } = self;
        if let Some(whole) = whole {
            return whole.clone();
        }
        match operator.as_str() {
            "IN" => format!("{side} IN ({})", others.join(", ")),
            "BETWEEN" => format!("{side} BETWEEN {}", others.join(" AND ")),
            operator if one.is_right => {
                format!("{} {} {side}", others.join(""), mirrored(operator).unwrap_or(operator))
            }
            operator => format!("{side} {operator} {}", others.join("")),
        }
    }
}
