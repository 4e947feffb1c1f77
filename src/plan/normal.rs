//! A plan in words that stay the same where SQLite's change, for plans that are kept and held against those of another
//! day: numbers, aliases of old and the words of one version are left out, and what means the same is written alike. It is
//! still the language of EXPLAIN QUERY PLAN, and can be read as such. Knows no schema.

use super::{Index, Op, Plan, Program, Purpose, Row, SetOperator, Step, Term, TermKind};

impl Plan {
    /// The plan, a line a step, two spaces a level. `is_plain` says whether an index has all rows of its table and columns
    /// alone: of others, versions differ in what they call covering.
    pub fn normal(&self, is_plain: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut writer = Writer { plan: self, is_plain, lines: Vec::new() };
        writer.below(None, 0);
        writer.lines
    }
}

/// The steps that such lines say, in their order and without their tree.
pub fn steps(lines: &[String]) -> Vec<Step> {
    let row = |line: &String| Row { detail: Some(line.trim_start().to_owned()), ..Row::default() };
    lines.iter().map(|line| Step::read(&row(line))).collect()
}

struct Writer<'a> {
    plan: &'a Plan,
    is_plain: &'a dyn Fn(&str) -> bool,
    lines: Vec<String>,
}

impl<'a> Writer<'a> {
    fn children(&self, of: Option<usize>) -> Vec<(usize, &'a Step)> {
        let all = self.plan.steps.iter().enumerate().filter(|(_, step)| step.parent == of);
        // Versions print subqueries of expressions at different loops, or make loops of them: here they stand behind.
        let is_asked = |step: &Step| step.exists || matches!(step.op, Op::Scalar { .. } | Op::List { .. });
        let (asked, mut rest): (Vec<_>, Vec<_>) = all.partition(|(_, step)| is_asked(step));
        let last = rest.iter().rposition(|(_, step)| step.is_loop() || step.op == Op::Search);
        let behind = last.map_or(0, |last| last + 1);
        rest.splice(behind..behind, asked);
        rest
    }

    fn below(&mut self, of: Option<usize>, depth: usize) {
        for (at, step) in self.children(of) {
            self.step(at, step, depth);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        // What a text brings along must not look like another line.
        let text: String = text.chars().map(|one| if one.is_control() { ' ' } else { one }).collect();
        self.lines.push(format!("{:indent$}{text}", "", indent = depth * 2));
    }

    fn step(&mut self, at: usize, step: &Step, depth: usize) {
        match &step.op {
            // They read no table, or are printed by some versions alone.
            Op::BloomFilter | Op::Reuse | Op::ConstantRow | Op::Values(_) | Op::OrIndex => {
                self.below(Some(at), depth);
            }
            Op::Compound | Op::Merge(_) => {
                self.line(depth, "COMPOUND QUERY");
                self.arms((at, step), (None, false), depth + 1);
            }
            _ if step.exists => {
                self.line(depth, "CORRELATED SCALAR SUBQUERY");
                let text = self.words(step);
                self.line(depth + 1, &text);
                self.below(Some(at), depth + 2);
            }
            _ => {
                let text = self.words(step);
                self.line(depth, &text);
                self.below(Some(at), depth + 1);
            }
        }
    }

    /// The SELECTs of a compound, one after the other, whether they are merged or not.
    fn arms(
        &mut self,
        (at, step): (usize, &Step),
        (before, is_sorted): (Option<SetOperator>, bool),
        depth: usize,
    ) {
        let merged = if let Op::Merge(operator) = &step.op { Some(*operator) } else { None };
        // To merge, each side is sorted; without that, rows are kept in a B-tree that is not printed as a step.
        let is_sorted = is_sorted || merged.is_some_and(|operator| operator != SetOperator::All);
        for (arm, own) in self.children(Some(at)) {
            let operator = match &own.op {
                Op::LeftMost | Op::MergeLeft => before,
                Op::MergeRight => merged,
                Op::Union(operator) => Some(*operator),
                _ => {
                    self.step(arm, own, depth);
                    continue;
                }
            };
            match self.children(Some(arm)).as_slice() {
                [(inner, step)] if matches!(step.op, Op::Merge(_)) => {
                    self.arms((*inner, step), (operator, is_sorted), depth);
                }
                _ => self.arm(arm, operator, is_sorted, depth),
            }
        }
    }

    fn arm(&mut self, at: usize, operator: Option<SetOperator>, is_sorted: bool, depth: usize) {
        self.line(depth, operator.map_or("LEFT-MOST SUBQUERY", SetOperator::as_str));
        for (inner, step) in self.children(Some(at)) {
            let is_sort = matches!(step.op, Op::TempBTree(Purpose::OrderBy | Purpose::LastTermsOfOrderBy(_)));
            if !(is_sorted && is_sort) {
                self.step(inner, step, depth + 1);
            }
        }
    }

    fn words(&self, step: &Step) -> String {
        let name = step.name.as_deref().map_or_else(String::new, numberless);
        match &step.op {
            Op::Scan | Op::Search => {
                format!("{} {name}{}", step.op.as_str(), self.way(step))
            }
            Op::VirtualScan { number, text } => format!("SCAN {name} VIRTUAL TABLE INDEX {number}:{text}"),
            // Versions choose otherwise between the two, and none reads more by that.
            Op::CoRoutine | Op::Materialize => "SUBQUERY".to_owned(),
            Op::TempBTree(purpose) => sort(purpose, &step.detail),
            Op::Scalar { correlated: true } => "CORRELATED SCALAR SUBQUERY".to_owned(),
            Op::List { correlated: true } => "CORRELATED LIST SUBQUERY".to_owned(),
            Op::RightJoin => format!("RIGHT-JOIN {name}"),
            Op::InIndex => match &step.index {
                Some(Index::Named { name, .. }) => format!("USING INDEX {name} FOR IN-OPERATOR"),
                _ => format!("USING ROWID SEARCH ON TABLE {name} FOR IN-OPERATOR"),
            },
            Op::TriggerProgram => match &step.program {
                Some(Program::Trigger(name)) => format!("-- TRIGGER {name}"),
                _ => "-- FOREIGN KEY ACTION".to_owned(),
            },
            Op::Other => step.detail.clone(),
            other => other.as_str().to_owned(),
        }
    }

    /// What leads to the rows, from USING on.
    fn way(&self, step: &Step) -> String {
        let index = match &step.index {
            None => return String::new(),
            Some(Index::Named { name, covering }) => {
                let covering = if *covering && (self.is_plain)(name) { "COVERING " } else { "" };
                format!("{covering}INDEX {name}")
            }
            Some(Index::PrimaryKey) => "PRIMARY KEY".to_owned(),
            Some(Index::Rowid) => "INTEGER PRIMARY KEY".to_owned(),
            Some(Index::Automatic { .. }) => "AUTOMATIC INDEX".to_owned(),
        };
        if step.terms.is_empty() {
            return format!(" USING {index}");
        }
        format!(" USING {index} ({})", terms(&step.terms))
    }
}

/// `(subquery-2)` without its number, which is counted over the whole statement. Old versions print the number alone.
fn numberless(name: &str) -> String {
    let inner = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match inner.and_then(|inner| inner.rsplit_once('-')) {
        Some((kind, number)) if is_number(number) => format!("({kind})"),
        _ if is_number(name) => "(subquery)".to_owned(),
        _ => name.to_owned(),
    }
}

fn sort(purpose: &Purpose, detail: &str) -> String {
    let what = match purpose {
        Purpose::OrderBy => "ORDER BY",
        // Not all versions say how many.
        Purpose::LastTermsOfOrderBy(_) => "LAST TERMS OF ORDER BY",
        Purpose::Distinct => "DISTINCT",
        Purpose::GroupBy => "GROUP BY",
        Purpose::Aggregate(text) => text,
        Purpose::Other => return detail.to_owned(),
    };
    format!("USE TEMP B-TREE FOR {what}")
}

/// `a=? AND ANY(b) AND (c,d)>(?,?)`.
fn terms(terms: &[Term]) -> String {
    let mut parts = Vec::new();
    let mut rest = terms;
    while let Some(first) = rest.first() {
        let more = rest.iter().skip(1).take_while(|term| term.continues).count();
        let (own, behind) = rest.split_at_checked(1 + more).unwrap_or((rest, &[]));
        let sign = match first.kind {
            TermKind::Equal => "=",
            TermKind::Lower => ">",
            TermKind::Upper => "<",
            TermKind::Any => "",
        };
        let columns: Vec<&str> = own.iter().map(|term| term.column.as_str()).collect();
        let values = vec!["?"; own.len()].join(",");
        parts.push(match (first.kind, own.len()) {
            (TermKind::Any, _) => format!("ANY({})", first.column),
            (_, 1) => format!("{}{sign}?", first.column),
            _ => format!("({}){sign}({values})", columns.join(",")),
        });
        rest = behind;
    }
    parts.join(" AND ")
}
