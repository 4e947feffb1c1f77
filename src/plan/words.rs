//! What one text of EXPLAIN QUERY PLAN says. Knows the words, and nothing of the rows around them.
//!
//! Names are printed without quotes and may contain anything, so a text is read from both ends: its first
//! words, then its suffixes, and what remains is the name.

use super::{Index, Op, Purpose, SetOperator, Term, TermKind};

/// What a text says.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub op: Op,
    pub name: Option<String>,
    pub index: Option<Index>,
    pub terms: Vec<Term>,
    pub left_join: bool,
    pub exists: bool,
}

impl Said {
    fn op(op: Op) -> Self {
        Self { op, ..Self::default() }
    }

    fn named(op: Op, name: &str) -> Self {
        Self { op, name: Some(name.to_owned()), ..Self::default() }
    }
}

/// Reads one text. What is not known is [`Op::Other`].
pub(super) fn read(detail: &str) -> Said {
    let text = without_estimate(detail);
    fixed(text)
        .or_else(|| constant_rows(text))
        .or_else(|| table_loop(text))
        .or_else(|| subquery(text))
        .or_else(|| named(text))
        .or_else(|| temp_b_tree(text))
        .or_else(|| filter(text))
        .unwrap_or_default()
}

/// Takes ` (~N rows)` off the end, which SQLite adds where it was compiled to.
fn without_estimate(text: &str) -> &str {
    let estimate = text.strip_suffix(" rows)").or_else(|| text.strip_suffix(" row)"));
    let split = estimate.and_then(|front| front.rsplit_once(" (~"));
    match split {
        Some((front, number)) if is_number(number) => front,
        _ => text,
    }
}

fn fixed(text: &str) -> Option<Said> {
    let op = match text {
        "SCAN CONSTANT ROW" | "SCAN 1 CONSTANT ROW" => Op::ConstantRow,
        "SETUP" => Op::Setup,
        "RECURSIVE STEP" => Op::RecursiveStep,
        "COMPOUND QUERY" => Op::Compound,
        "LEFT-MOST SUBQUERY" => Op::LeftMost,
        "LEFT" => Op::MergeLeft,
        "RIGHT" => Op::MergeRight,
        "MULTI-INDEX OR" => Op::MultiIndexOr,
        "CREATE BLOOM FILTER" => Op::BloomFilter,
        _ => return set_operator(text).map(Said::op),
    };
    Some(Said::op(op))
}

fn set_operator(text: &str) -> Option<Op> {
    let operator = |text| match text {
        "UNION ALL" => Some(SetOperator::All),
        "UNION" => Some(SetOperator::Distinct),
        "EXCEPT" => Some(SetOperator::Except),
        "INTERSECT" => Some(SetOperator::Intersect),
        _ => None,
    };
    if let Some(merged) = text.strip_prefix("MERGE (") {
        return merged.strip_suffix(')').and_then(operator).map(Op::Merge);
    }
    operator(text.strip_suffix(" USING TEMP B-TREE").unwrap_or(text)).map(Op::Union)
}

fn constant_rows(text: &str) -> Option<Said> {
    let number = text.strip_prefix("SCAN ")?.strip_suffix(" CONSTANT ROWS")?;
    number.parse().ok().map(|rows| Said::op(Op::Values(rows)))
}

/// A loop over a table, a view, a subquery or a virtual table.
fn table_loop(text: &str) -> Option<Said> {
    let scan = text.strip_prefix("SCAN ");
    let op = if scan.is_some() { Op::Scan } else { Op::Search };
    let rest = scan.or_else(|| text.strip_prefix("SEARCH "))?;
    let (rest, left_join) = cut(rest, " LEFT-JOIN");
    let mut said = Said { left_join, ..Said::op(op) };
    let name = if let Some((name, asked)) = virtual_table(rest) {
        said.op = asked;
        name
    } else if let Some((name, index, terms)) = by_index(rest) {
        said.index = Some(index);
        said.terms = terms;
        name
    } else {
        rest
    };
    let (name, exists) = cut(name, " EXISTS");
    said.exists = exists;
    match name.strip_suffix("-ROW VALUES CLAUSE").map(str::parse) {
        Some(Ok(rows)) if said.op == Op::Scan => said.op = Op::Values(rows),
        _ => said.name = Some(without_kind(name).to_owned()),
    }
    Some(said)
}

fn cut<'a>(text: &'a str, suffix: &str) -> (&'a str, bool) {
    text.strip_suffix(suffix).map_or((text, false), |front| (front, true))
}

/// Up to 3.35 a name was printed as `TABLE t AS a` or `SUBQUERY 1 AS a`. Since then it is the alias alone.
fn without_kind(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("TABLE ").or_else(|| name.strip_prefix("SUBQUERY ")) else {
        return name;
    };
    rest.rsplit_once(" AS ").map_or(rest, |(_, alias)| alias)
}

fn virtual_table(text: &str) -> Option<(&str, Op)> {
    let (name, asked) = text.split_once(" VIRTUAL TABLE INDEX ")?;
    let (number, text) = asked.split_once(':')?;
    let number = match number.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    Some((name, Op::VirtualScan { number, text: text.to_owned() }))
}

/// Splits a text at the last USING that introduces an index.
fn by_index(text: &str) -> Option<(&str, Index, Vec<Term>)> {
    text.rmatch_indices(" USING ").find_map(|(at, using)| {
        let (index, terms) = index(text.get(at + using.len()..)?)?;
        Some((text.get(..at)?, index, terms))
    })
}

fn index(text: &str) -> Option<(Index, Vec<Term>)> {
    if let Some(sought) = text.strip_prefix("INTEGER PRIMARY KEY ") {
        return Some((Index::Rowid, terms(sought)?));
    }
    if let Some(sought) = text.strip_prefix("PRIMARY KEY") {
        return Some((Index::PrimaryKey, optional_terms(sought)?));
    }
    if let Some(rest) = text.strip_prefix("AUTOMATIC ") {
        let partial = rest.strip_prefix("PARTIAL ");
        let rest = partial.unwrap_or(rest);
        let covering = rest.strip_prefix("COVERING ");
        let sought = covering.unwrap_or(rest).strip_prefix("INDEX")?;
        let index = Index::Automatic { partial: partial.is_some(), covering: covering.is_some() };
        return Some((index, optional_terms(sought)?));
    }
    let covering = text.strip_prefix("COVERING ");
    let named = covering.unwrap_or(text).strip_prefix("INDEX ").filter(|named| !named.starts_with('('))?;
    let (name, terms) = name_and_terms(named);
    Some((Index::Named { name: name.to_owned(), covering: covering.is_some() }, terms))
}

fn optional_terms(text: &str) -> Option<Vec<Term>> {
    if text.is_empty() { Some(Vec::new()) } else { terms(text.strip_prefix(' ')?) }
}

/// Splits the terms from the name before them, which may itself contain parentheses.
fn name_and_terms(text: &str) -> (&str, Vec<Term>) {
    let split =
        text.match_indices(" (").find_map(|(at, _)| Some((text.get(..at)?, terms(text.get(at + 1..)?)?)));
    split.unwrap_or((text, Vec::new()))
}

/// `(a=? AND ANY(b) AND c>? AND c<?)`, where a column's name may contain ` AND `.
fn terms(text: &str) -> Option<Vec<Term>> {
    let listed = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut found = Vec::new();
    let mut unread = String::new();
    for part in listed.split(" AND ") {
        unread.push_str(part);
        match term(&unread).filter(|_| is_balanced(&unread)) {
            Some(terms) => {
                found.extend(terms);
                unread.clear();
            }
            None => unread.push_str(" AND "),
        }
    }
    unread.is_empty().then_some(found)
}

/// Whether every parenthesis has its other one: else it is half of a name that was cut.
fn is_balanced(text: &str) -> bool {
    let depth = text.bytes().try_fold(0_u32, |depth, byte| match byte {
        b'(' => Some(depth + 1),
        b')' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}

/// One condition: several terms where it compares a row value.
fn term(text: &str) -> Option<Vec<Term>> {
    let one = |column: &str, kind| vec![Term { column: column.to_owned(), kind, continues: false }];
    if let Some(column) = text.strip_prefix("ANY(").and_then(|rest| rest.strip_suffix(')')) {
        return Some(one(column, TermKind::Any));
    }
    let operators = [("=", TermKind::Equal), (">", TermKind::Lower), ("<", TermKind::Upper)];
    if let Some(front) = text.strip_suffix('?') {
        return operators.iter().find_map(|(sign, kind)| Some(one(front.strip_suffix(sign)?, *kind)));
    }
    let (front, _) = text.rsplit_once("(?,")?;
    operators.iter().find_map(|(sign, kind)| {
        let columns = front.strip_suffix(sign)?.strip_prefix('(')?.strip_suffix(')')?;
        let nth =
            |(at, column): (usize, &str)| Term { column: column.to_owned(), kind: *kind, continues: at > 0 };
        Some(columns.split(',').enumerate().map(nth).collect())
    })
}

/// A subquery in an expression, which has a number.
fn subquery(text: &str) -> Option<Said> {
    let (reuse, rest) = text.strip_prefix("REUSE ").map_or((false, text), |rest| (true, rest));
    let (correlated, rest) = rest.strip_prefix("CORRELATED ").map_or((false, rest), |rest| (true, rest));
    let (kind, number) = rest.rsplit_once("SUBQUERY ").filter(|(_, number)| is_number(number))?;
    let op = match kind {
        "" | "LIST " | "SCALAR " if reuse => Op::Reuse,
        "LIST " => Op::List { correlated },
        "SCALAR " => Op::Scalar { correlated },
        _ => return None,
    };
    Some(Said::named(op, number))
}

/// A few words and a name.
fn named(text: &str) -> Option<Said> {
    if let Some(arm) = text.strip_prefix("INDEX ").filter(|arm| is_number(arm)) {
        return Some(Said::named(Op::OrIndex, arm));
    }
    let ops = [
        ("CO-ROUTINE ", Op::CoRoutine),
        ("MATERIALIZE ", Op::Materialize),
        ("RIGHT-JOIN ", Op::RightJoin),
        ("-- TRIGGER ", Op::TriggerProgram),
    ];
    ops.into_iter().find_map(|(first, op)| Some(Said::named(op, text.strip_prefix(first)?)))
}

fn temp_b_tree(text: &str) -> Option<Said> {
    let purpose = match text.strip_prefix("USE TEMP B-TREE FOR ")? {
        "ORDER BY" => Purpose::OrderBy,
        "RIGHT PART OF ORDER BY" | "LAST TERMS OF ORDER BY" => Purpose::LastTermsOfOrderBy(0),
        "LAST TERM OF ORDER BY" => Purpose::LastTermsOfOrderBy(1),
        "DISTINCT" => Purpose::Distinct,
        "GROUP BY" => Purpose::GroupBy,
        other if other.ends_with("(DISTINCT)") || other.ends_with("(ORDER BY)") => {
            Purpose::Aggregate(other.to_owned())
        }
        other => last_terms(other).map_or(Purpose::Other, Purpose::LastTermsOfOrderBy),
    };
    Some(Said::op(Op::TempBTree(purpose)))
}

fn last_terms(text: &str) -> Option<u32> {
    text.strip_prefix("LAST ")?.strip_suffix(" TERMS OF ORDER BY")?.parse().ok()
}

/// What spares reading: a Bloom filter, or an index that answers an IN.
fn filter(text: &str) -> Option<Said> {
    if let Some(rest) = text.strip_prefix("BLOOM FILTER ON ") {
        let (name, terms) = name_and_terms(rest);
        return Some(Said { terms, ..Said::named(Op::BloomFilter, name) });
    }
    let probed = text.strip_suffix(" FOR IN-OPERATOR")?;
    if let Some(name) = probed.strip_prefix("USING INDEX ") {
        // Only an index that holds every column compared is probed.
        let index = Some(Index::Named { name: name.to_owned(), covering: true });
        return Some(Said { index, ..Said::op(Op::InIndex) });
    }
    let name = probed.strip_prefix("USING ROWID SEARCH ON TABLE ")?;
    Some(Said { index: Some(Index::Rowid), ..Said::named(Op::InIndex, name) })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
