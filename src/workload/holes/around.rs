//! What kind of thing a hole stands for, told by the words and signs around it. Knows no schema.

use super::{
    affixes::{Affix, lacks_condition},
    results::{in_result, is_alias, is_one_value},
    rows::{columns_in_front, values_left},
};
use crate::{
    extract::text::{HOLE, Text, opening},
    schema::Kind,
};

/// What kind of thing a hole stands for, by what stands around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slot {
    /// A value that the source puts between quotes.
    Parameter,
    /// Part of a string.
    Quoted,
    /// Part of a blob.
    Hex,
    /// How much of a unit of time, as in `'-7 days'`.
    Amount,
    /// Part of a name in quotes: what the source calls the value stands for it, so that another value is another name.
    Name(String),
    /// All of such a name, where a table is read.
    MadeUp(String),
    /// A list of values, with or without its parentheses.
    List { parenthesised: bool },
    /// The values of an INSERT, so many.
    Values { count: usize, parenthesised: bool },
    /// A table.
    Table,
    /// The same within quotes.
    QuotedTable,
    /// Part of a name.
    Affix(Affix),
    /// How a column is compared, and with what.
    Comparison,
    /// A column, or an expression that could be one.
    Column,
    /// A column, or several, of those that a query returns.
    Returned,
    /// The column that a SET gives a value.
    Set,
    /// What a condition compares: which column that is, decides how rows are found.
    Compared,
    /// A term of a SET.
    Assignment,
    /// A condition beside others, or nothing.
    Condition,
    /// A condition that what stands behind NOT or OR is part of, beside others: this is what makes no difference there.
    Within(&'static str),
    /// What the program calls a column of a result, or a table, by what the source calls the value.
    Alias(String),
    /// A result column.
    Result,
    /// A direction, or a whole term of an ORDER BY.
    Order,
    /// A value.
    Value,
    /// The number of a parameter: one that no other has.
    Ordinal(u32),
    /// Anything, or nothing.
    Tail,
    /// What the text is not whole without.
    Rest,
}

/// The words that a condition stands behind.
const CONDITIONS: [&str; 7] = ["where", "and", "or", "on", "having", "not", "when"];

/// The words that compare what stands in front of them.
const COMPARISONS: [&str; 8] = ["in", "like", "glob", "is", "between", "not", "match", "regexp"];

impl Slot {
    /// Whether it is the name of whatever table.
    pub(super) fn is_table(&self) -> bool {
        matches!(self, Self::Table | Self::QuotedTable)
    }

    /// Whether it stands beside letters or quotes in the name of a table.
    pub(super) fn names_part_of_table(&self) -> bool {
        matches!(self, Self::QuotedTable | Self::Affix(Affix { is_table: true, .. }))
    }

    /// Whether the letters beside it are so few that they tell no table from others.
    pub(super) fn says_little(&self) -> bool {
        const FEW: usize = 4;
        match self {
            Self::Affix(Affix { before, after, .. }) => {
                [before, after].iter().flat_map(|part| part.chars()).filter(|one| *one != '_').count() < FEW
            }
            _ => true,
        }
    }

    /// Whether what fills another hole of its name can fill this one: a value within quotes is written otherwise than outside, and
    /// what is given to columns is none of the terms by which rows are found.
    pub(super) fn may_hold_what(&self, other: &Self) -> bool {
        let is_own = |slot: &Self| {
            matches!(slot, Self::Hex | Self::Amount | Self::Parameter | Self::Ordinal(_) | Self::List { .. })
        };
        let is_within = |slot: &Self| matches!(slot, Self::Quoted | Self::Name(_) | Self::MadeUp(_));
        let sets = |slot: &Self| matches!(slot, Self::Set | Self::Assignment);
        let is_term = |slot: &Self| *slot == Self::Condition;
        // The columns of an INSERT are none of its values.
        let is_listed = |slot: &Self| matches!(slot, Self::Column | Self::Values { .. });
        if is_own(self) || is_own(other) || (is_listed(self) && is_listed(other)) {
            return self == other;
        }
        if *self == Self::Quoted || *other == Self::Quoted {
            return is_within(self) && is_within(other);
        }
        !(sets(self) && is_term(other) || is_term(self) && sets(other))
    }
}

/// What a hole stands for.
pub(super) fn slot(text: &Text, index: usize) -> Slot {
    let Some(hole) = text.holes().get(index) else { return Slot::Tail };
    if hole.is_value {
        return Slot::Parameter;
    }
    let sql = text.as_str();
    let at = hole.at as usize;
    let (before, after) = (sql.get(..at).unwrap_or(""), sql.get(at + 1..).unwrap_or(""));
    if let Some(quote) = open_quote(before) {
        let name = name(&hole.name);
        return match before.strip_suffix(quote) {
            _ if quote == '\'' && is_blob(before) => Slot::Hex,
            _ if quote == '\'' && is_time_unit(after) => Slot::Amount,
            _ if quote == '\'' => Slot::Quoted,
            Some(lead) if after.starts_with(closing(quote)) && reads(lead) => Slot::MadeUp(name),
            _ => Slot::Name(name),
        };
    }
    let head = last_word(before);
    let tail = first_word(after);
    // A condition in front of a WHERE is none.
    let has_where = first_word(after.trim_start()).eq_ignore_ascii_case("where");
    let is_rest = hole.is_made && !has_where && lacks_condition(before);
    if hole.needed && !head.is_empty() && tail.is_empty() {
        return Slot::Rest;
    }
    // What follows at once, `VALUES{rows}`, begins with a parenthesis.
    let is_rows = head.eq_ignore_ascii_case("values")
        && tail.is_empty()
        && matches!(Kind::of(sql), Kind::Insert | Kind::Replace);
    if (!head.is_empty() || !tail.is_empty()) && !is_rows {
        let is_compared = tail.is_empty() && is_compared(before, after);
        let is_table = before.strip_suffix(head).is_some_and(reads);
        let is_rest = is_rest && tail.is_empty();
        let (before, after) = (head.to_lowercase(), tail.to_lowercase());
        return Slot::Affix(Affix { before, after, is_table, is_compared, is_rest });
    }
    if before.ends_with('$') {
        return Slot::Ordinal(ordinal(text, index));
    }
    if is_alias(before.trim_end(), after) {
        return Slot::Alias(name(&hole.name));
    }
    let found = unquoted(before.trim_end(), after, hole.list);
    let found = if found == Slot::Tail && is_compared(before, after) { Slot::Comparison } else { found };
    if found == Slot::Tail && (hole.needed || is_rest) { Slot::Rest } else { found }
}

/// The number of a parameter that the program counts, as in `$%d`: behind all that are written, and those counted before.
fn ordinal(text: &Text, index: usize) -> u32 {
    let sql = text.as_str();
    let digits = |one: &str| one.len() - one.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let written = sql.split('$').skip(1).filter_map(|rest| rest.get(..digits(rest))?.parse::<u32>().ok());
    let is_counted = |at: u32| sql.get(..at as usize).is_some_and(|before| before.ends_with('$'));
    let counted = text.holes().iter().take(index + 1).filter(|hole| is_counted(hole.at)).count();
    written.max().unwrap_or(0).saturating_add(counted as u32)
}

/// What a hole stands for that stands alone, outside of quotes.
fn unquoted(lead: &str, after: &str, list: bool) -> Slot {
    if let Some(slot) = condition(lead, after) {
        return slot;
    }
    let next = after.trim_start().chars().next();
    if is_one_value(lead, after) {
        return Slot::Value;
    }
    if let Some(sign) = lead.chars().next_back().filter(|character| !is_word(*character)) {
        let slot = after_sign(lead, sign, next, list);
        let count = values_left(lead, after, list).filter(|&count| list || count > 1);
        return match (slot, count) {
            (Slot::Value | Slot::Values { .. }, Some(count)) => Slot::Values { count, parenthesised: true },
            (slot, _) => slot,
        };
    }
    let slot = after_word(&last_word(lead).to_ascii_lowercase(), lead, next);
    if list && !matches!(slot, Slot::Table | Slot::Values { .. } | Slot::Condition | Slot::Assignment) {
        Slot::List { parenthesised: false }
    } else {
        slot
    }
}

/// What a hole stands for behind the word of a condition, parentheses aside. What rows are found by is the least that has to be
/// known of a query: a condition that is all of it, or that others stand beside by OR, is not made up.
fn condition(lead: &str, after: &str) -> Option<Slot> {
    let inner = lead.trim_end_matches(|one: char| one == '(' || one.is_whitespace());
    let opened = lead.get(inner.len()..)?.matches('(').count();
    let word = last_word(inner).to_ascii_lowercase();
    if !CONDITIONS.contains(&word.as_str()) {
        return None;
    }
    let comparison = first_word(after.trim_start()).to_ascii_lowercase();
    if after.trim_start().starts_with(['=', '<', '>', '!']) || COMPARISONS.contains(&comparison.as_str()) {
        return Some(Slot::Compared);
    }
    if word == "and" && opened == 0 && is_bound(inner) {
        return Some(Slot::Value);
    }
    // `ON` stands in front of a table, too.
    if word == "on" && opened == 0 {
        return None;
    }
    let mut behind = after.trim_start();
    for _ in 0..opened {
        behind = behind.strip_prefix(')').unwrap_or(behind).trim_start();
    }
    if let Some(filled) = within(inner, &word) {
        return Some(Slot::Within(filled));
    }
    let next = first_word(behind).to_ascii_lowercase();
    let beside = behind
        .get(next.len()..)
        .unwrap_or("")
        .trim_start_matches(|one: char| one == '(' || one.is_whitespace());
    let is_beside = match word.as_str() {
        "where" => next == "and" && !beside.starts_with(HOLE),
        "and" | "having" | "when" => true,
        _ => false,
    };
    let is_change = || {
        let changes = matches!(Kind::of(lead), Kind::Delete | Kind::Update);
        changes && word == "where" && !lead.to_ascii_lowercase().contains("select")
    };
    Some(if is_beside || is_change() { Slot::Condition } else { Slot::Rest })
}

/// What makes no difference behind the OR or the NOT that a text ends with, where that is part of a condition which others stand
/// beside: by those, rows are found. What an AND has in front of it is one of them.
fn within(lead: &str, word: &str) -> Option<&'static str> {
    let is_beside = |head: &str| {
        let head = head.trim_end_matches(|one: char| one == '(' || one.is_whitespace());
        last_word(head).eq_ignore_ascii_case("and") && !is_bound(head)
    };
    match word {
        "not" => is_beside(lead.get(..lead.len() - word.len())?).then_some("0"),
        "or" => {
            let open = opening(lead)?;
            let begins = first_word(lead.get(open + 1..)?.trim_start()).to_ascii_lowercase();
            (!["select", "with"].contains(&begins.as_str()) && is_beside(lead.get(..open)?)).then_some("1")
        }
        _ => None,
    }
}

/// Whether the AND that a text ends with stands behind the lower bound of a BETWEEN.
fn is_bound(lead: &str) -> bool {
    let lower = lead.to_ascii_lowercase();
    let mut words = lower.split(|one: char| !is_word(one)).rev().filter(|word| !word.is_empty()).skip(1);
    words.find(|word| CONDITIONS.contains(word) || *word == "between") == Some("between")
}

/// Whether a condition ends in front of a hole with a column, and behind the hole with nothing else: what is missing is how
/// it is compared.
fn is_compared(before: &str, after: &str) -> bool {
    const NO_COLUMNS: [&str; 9] =
        ["exists", "conflict", "case", "null", "true", "false", "select", "duplicate", "distinct"];
    const GO_ON: [&str; 10] =
        ["and", "or", "order", "group", "limit", "union", "intersect", "except", "having", "returning"];
    let before = before.trim_end();
    let is_named = |one: char| is_word(one) || matches!(one, '.' | '"' | '`' | '[' | ']');
    let head = before.trim_end_matches(is_named);
    let column = last_word(before.trim_end_matches(['"', '`', ']'])).to_ascii_lowercase();
    let is_column = column.starts_with(|one: char| one.is_alphabetic() || one == '_')
        && !CONDITIONS.contains(&column.as_str())
        && !NO_COLUMNS.contains(&column.as_str());
    let inner = head.trim_end_matches(|one: char| one == '(' || one.is_whitespace());
    let word = last_word(inner).to_ascii_lowercase();
    let is_condition = inner.len() < head.len()
        && CONDITIONS.contains(&word.as_str())
        && word != "when"
        && !matches!(Kind::of(before), Kind::CreateTable | Kind::CreateIndex | Kind::CreateTrigger);
    let next = after.trim_start();
    let ends = next.is_empty() || next.starts_with([')', ';']);
    let word = first_word(next).to_ascii_lowercase();
    is_column && is_condition && (ends || GO_ON.contains(&word.as_str()))
}

pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The word that a text ends with.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(|character: char| !is_word(character)).next().unwrap_or("")
}

/// The word that a text starts with.
pub(super) fn first_word(text: &str) -> &str {
    text.split(|character: char| !is_word(character)).next().unwrap_or("")
}

/// Whether a text ends within a blob: `x'…`.
fn is_blob(before: &str) -> bool {
    let head = before.rsplit_once('\'').map_or("", |(head, _)| head);
    let lead = head.strip_suffix(['x', 'X']);
    lead.is_some_and(|lead| !lead.ends_with(is_word))
}

/// Whether a table is named behind a text, to be read or changed.
fn reads(lead: &str) -> bool {
    let word = lead.trim_end().rsplit(char::is_whitespace).next().unwrap_or("");
    ["from", "join", "into", "update"].iter().any(|one| word.eq_ignore_ascii_case(one))
}

fn after_word(word: &str, lead: &str, next: Option<char>) -> Slot {
    match word {
        "from" | "join" | "into" | "table" | "update" | "on" => Slot::Table,
        "exists" if lead.to_ascii_lowercase().contains("if not exists") => Slot::Table,
        "in" => Slot::List { parenthesised: false },
        "values" => Slot::Values { count: columns_in_front(lead), parenthesised: false },
        "set" if next == Some('=') => Slot::Set,
        "set" => Slot::Assignment,
        "select" | "distinct" | "returning" => Slot::Result,
        "by" => Slot::Column,
        "limit" | "offset" | "like" | "glob" | "between" | "is" | "then" | "else" | "case" | "match"
        | "default" => Slot::Value,
        "asc" | "desc" => Slot::Order,
        _ => Slot::Tail,
    }
}

fn after_sign(lead: &str, sign: char, next: Option<char>, list: bool) -> Slot {
    match sign {
        '(' => {
            let before = lead.trim_end_matches(['(', ' ', '\n', '\t']);
            let is_into = |word: &str| word.eq_ignore_ascii_case("into");
            match last_word(before).to_ascii_lowercase().as_str() {
                // What others stand behind is one of them.
                "in" | "values" if next == Some(',') && !list => Slot::Value,
                "in" => Slot::List { parenthesised: true },
                "values" => Slot::Values { count: columns_in_front(lead), parenthesised: true },
                _ if list && before.split_whitespace().rev().nth(1).is_some_and(is_into) => Slot::Column,
                _ if list => Slot::List { parenthesised: true },
                _ => Slot::Value,
            }
        }
        ',' if in_result(lead) => Slot::Returned,
        ',' | '=' | '<' | '>' | '+' | '-' | '*' | '/' | '|' | '%' => Slot::Value,
        '.' => Slot::Column,
        _ if next == Some('.') => Slot::Table,
        _ => Slot::Tail,
    }
}

/// Whether a text goes on with a unit of time that ends a string: ` days'`.
fn is_time_unit(after: &str) -> bool {
    const UNITS: [&str; 6] = ["second", "minute", "hour", "day", "month", "year"];
    let unit = first_word(after.trim_start()).to_ascii_lowercase();
    let is_last = after.trim_start().get(unit.len()..).is_some_and(|rest| rest.starts_with('\''));
    is_last && UNITS.contains(&unit.strip_suffix('s').unwrap_or(&unit))
}

/// A name for what the source calls so.
fn name(expression: &str) -> String {
    let name: String = expression.chars().filter(|one| is_word(*one)).take(40).collect();
    if name.is_empty() { "x".to_owned() } else { name }
}

/// What closes what a quote opens.
fn closing(quote: char) -> char {
    if quote == '[' { ']' } else { quote }
}

/// The quote within which a text ends.
fn open_quote(before: &str) -> Option<char> {
    let mut open: Option<char> = None;
    for character in before.chars().filter(|&character| character != HOLE) {
        match open {
            // A name in brackets stands on one line.
            Some(quote) if character == closing(quote) || (quote == '[' && character == '\n') => open = None,
            None if matches!(character, '\'' | '"' | '`' | '[') => open = Some(character),
            _ => {}
        }
    }
    open
}
