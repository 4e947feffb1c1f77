//! Statements put together at random, in which the name of every alias says what its table is.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::format_collect,
    reason = "the texts are made here, and a test that can't go on fails"
)]

use super::made_with;
use planlint::plan::Op;
use planlint::schema::{Live, Settings};
use std::fmt::Write;

const SCHEMA: &str = "CREATE TABLE ta(id INTEGER PRIMARY KEY, x, y, z); CREATE INDEX ta_x ON ta(x);
    CREATE TABLE tb(id INTEGER PRIMARY KEY, x UNIQUE, y, z); CREATE INDEX tb_yz ON tb(y, z);
    CREATE TABLE tc(id, x, y, z, PRIMARY KEY(x, y)) WITHOUT ROWID; CREATE INDEX tc_z ON tc(z) WHERE z > 5;
    CREATE TABLE td(id, x, y, z);
    CREATE VIRTUAL TABLE vt USING fts5(id, x, y, z);
    CREATE TEMP TABLE te(id INTEGER PRIMARY KEY, x, y, z); CREATE INDEX te_xy ON te(x, y);
    CREATE TABLE other.tf(id INTEGER PRIMARY KEY, x, y, z); CREATE INDEX other.tf_y ON tf(y);";

const TABLES: &[&str] = &["ta", "tb", "tc", "td", "te", "tf", "vt"];
const COLUMNS: &[&str] = &["id", "x", "y", "z"];

/// Statements from a seed: always the same ones.
struct Writer {
    state: u64,
    aliases: usize,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % bound
    }

    fn of(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }

    /// A table and an alias that begins with its name; a subquery's begins with `sub`.
    fn source(&mut self, depth: usize) -> (String, String) {
        self.aliases += 1;
        if depth > 0 && self.below(5) == 0 {
            let alias = format!("sub_{}", self.aliases);
            let limit = self.of(&["", " LIMIT 3", " GROUP BY 1"]);
            return (
                format!(
                    "(SELECT 1 AS id, 2 AS x, 3 AS y, 4 AS z UNION {}{limit})",
                    self.select(depth - 1, 4)
                ),
                alias,
            );
        }
        let table = self.of(TABLES);
        (table.to_owned(), format!("{table}_{}", self.aliases))
    }

    fn column(&mut self, aliases: &[String]) -> String {
        let alias = &aliases[self.below(aliases.len())];
        format!("{alias}.{}", self.of(COLUMNS))
    }

    fn condition(&mut self, aliases: &[String], depth: usize) -> String {
        let column = self.column(aliases);
        match self.below(if depth == 0 { 5 } else { 10 }) {
            0 => format!("{column} = ?"),
            1 => format!("{column} = {}", self.column(aliases)),
            2 => format!("{column} > {}", self.below(9)),
            3 => format!("{column} IN (1, ?, 3)"),
            4 => format!("({column} = 1 OR {} = 2)", self.column(aliases)),
            5 => format!("{column} IN ({})", self.select(depth - 1, 1)),
            6 => format!("EXISTS ({})", self.correlated(aliases, depth - 1)),
            7 => format!("NOT EXISTS ({})", self.correlated(aliases, depth - 1)),
            8 => format!("{column} = ({})", self.correlated(aliases, depth - 1)),
            _ => {
                let (left, right) = (self.condition(aliases, depth - 1), self.condition(aliases, depth - 1));
                format!("({left} OR {right})")
            }
        }
    }

    fn correlated(&mut self, outer: &[String], depth: usize) -> String {
        let (inner, column) = (self.select(depth, 1), self.column(outer));
        let condition = self.of(&["= 1", "IS NOT NULL", "= ?"]);
        format!("{inner} AND {column} {condition}")
    }

    fn select(&mut self, depth: usize, columns: usize) -> String {
        let (first, alias) = self.source(depth);
        let mut from = format!("{first} AS {alias}");
        let mut aliases = vec![alias];
        for _ in 0..self.below(3) {
            let (next, alias) = self.source(depth);
            let join = self.of(&["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"]);
            let left = self.column(&aliases);
            let right = format!("{alias}.{}", self.of(COLUMNS));
            write!(from, " {join} {next} AS {alias} ON {left} = {right}").unwrap();
            aliases.push(alias);
        }
        let shown: Vec<String> = (0..columns).map(|_| self.column(&aliases)).collect();
        let conditions: String =
            (0..self.below(3)).map(|_| format!(" AND {}", self.condition(&aliases, depth))).collect();
        format!("SELECT {} FROM {from} WHERE 1{conditions}", shown.join(", "))
    }

    fn statement(&mut self) -> String {
        match self.below(12) {
            0 => format!("{} UNION {}", self.select(2, 2), self.select(2, 2)),
            1 => format!("INSERT INTO td(x) {}", self.select(2, 1)),
            2 => {
                let condition = self.condition(&["tb_0".to_owned()], 2);
                format!("UPDATE tb AS tb_0 SET z = 1 WHERE {condition}")
            }
            3 => {
                let condition = self.condition(&["tc_0".to_owned()], 2);
                format!("DELETE FROM tc AS tc_0 WHERE {condition}")
            }
            4 => {
                let (step, start) = (self.select(1, 1), self.select(1, 1));
                format!(
                    "WITH RECURSIVE sub_r(x) AS ({start} UNION ALL SELECT ta_9.x FROM sub_r JOIN ta AS ta_9 ON ta_9.y = sub_r.x WHERE ta_9.z IN ({step})) SELECT * FROM sub_r"
                )
            }
            5 => {
                let order = [
                    "ORDER BY 1",
                    "ORDER BY 2 DESC LIMIT 4",
                    "GROUP BY 1",
                    "GROUP BY 1, 2 ORDER BY count(*)",
                ];
                format!("{} {}", self.select(2, 2), self.of(&order))
            }
            _ => self.select(2, 2),
        }
    }
}

/// What is wrong with the tables of a statement's plan.
fn mistakes(live: &mut Live, sql: &str) -> Vec<String> {
    let plan = live.explain(sql).unwrap_or_else(|refusal| panic!("{sql}: {refusal:?}")).plan;
    let mut found = Vec::new();
    for step in &plan.steps {
        let reads = matches!(step.op, Op::Scan | Op::Search | Op::VirtualScan { .. });
        let (true, Some(name)) = (reads, &step.name) else { continue };
        let expected = name.split('_').next().filter(|table| TABLES.contains(table));
        if step.table.as_deref() != expected {
            found.push(format!("{} is on {:?}", step.detail, step.table));
        }
    }
    found
}

#[test]
fn every_step_is_on_the_table_its_alias_says() {
    let settings = Settings { attached: vec!["other".to_owned()], ..Settings::default() };
    let mut live = made_with(&settings, SCHEMA);
    let mut writer = Writer { state: 42, aliases: 0 };
    for _ in 0..2_000 {
        let sql = writer.statement();
        let wrong = mistakes(&mut live, &sql);
        assert!(
            wrong.is_empty(),
            "{sql}\n{}\n{wrong:#?}",
            live.explain(&sql).unwrap().plan.lines().join("\n")
        );
    }
}
