//! Plans a statement again: in other words, or with one index more or less. All of it happens in a transaction that is rolled
//! back. What a step is called in both plans is what was printed; no table is resolved here.

use super::guard::Mode;
use super::tokens::{Kind, Tokens};
use super::{Live, SchemaError, quoted, sqlite};
use crate::plan::{Op, Plan, Row};
use std::collections::{BTreeMap, BTreeSet};

/// What the name of an index begins with that is there for one plan.
pub const TRIAL: &str = "planlint trial";

/// A database on which indexes can be tried. Dropping it takes everything back.
#[derive(Debug)]
pub struct Workshop<'a> {
    live: &'a mut Live,
    changed: bool,
    /// How many plans and indexes may still be tried.
    left: usize,
    /// Whether an index can have nothing but columns, ordered as these are, and has all rows.
    pub plain_indexes: bool,
}

/// An index that is made or left out, and the statements that are planned then.
#[derive(Debug)]
pub struct IndexTrial<'a> {
    /// CREATE INDEX or DROP INDEX.
    pub change: &'a str,
    /// The index.
    pub index: &'a str,
    /// The table.
    pub table: &'a str,
    /// It enforces something: what does not read its table may go by it, such as the check of a foreign key.
    pub is_unique: bool,
    /// Texts with their plans as they are.
    pub texts: Vec<(&'a str, &'a Plan)>,
}

/// Trials that do not meet.
#[derive(Default)]
struct Apart {
    members: Vec<usize>,
    indexes: BTreeSet<String>,
    changed: BTreeSet<String>,
    read: BTreeSet<String>,
    is_closed: bool,
}

impl IndexTrial<'_> {
    /// Whether it stands alone: what it changes, or what its texts read, may be more than the tables that are known.
    fn is_alone(&self) -> bool {
        let mut steps = self.texts.iter().flat_map(|(_, plan)| &plan.steps);
        self.is_unique || steps.any(|step| step.table.is_none() && matches!(step.op, Op::Scan | Op::Search))
    }

    /// The trials with texts, by their places, in groups in which none changes a table that a statement of another reads, nor
    /// an index of the same name.
    fn apart(trials: &[Self]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Apart> = Vec::new();
        for (at, trial) in trials.iter().enumerate().filter(|(_, trial)| !trial.texts.is_empty()) {
            let changed = trial.table.to_lowercase();
            let steps = trial.texts.iter().flat_map(|(_, plan)| &plan.steps);
            let mut read: BTreeSet<String> =
                steps.filter_map(|step| step.table.as_ref()).map(|table| table.to_lowercase()).collect();
            read.insert(changed.clone());
            let (index, is_alone) = (trial.index.to_lowercase(), trial.is_alone());
            let is_apart = |one: &&mut Apart| {
                !is_alone
                    && !one.is_closed
                    && !one.indexes.contains(&index)
                    && !one.read.contains(&changed)
                    && one.changed.is_disjoint(&read)
            };
            let group = match groups.iter_mut().find(is_apart) {
                Some(group) => group,
                None => groups.push_mut(Apart::default()),
            };
            group.members.push(at);
            group.indexes.insert(index);
            group.changed.insert(changed);
            group.read.append(&mut read);
            group.is_closed = is_alone;
        }
        groups.into_iter().map(|group| group.members).collect()
    }
}

impl Live {
    /// Begins to try things out.
    ///
    /// # Errors
    ///
    /// SQLite refuses to enforce foreign keys as the settings say.
    pub fn workshop(&mut self) -> Result<Workshop<'_>, SchemaError> {
        self.enforce_keys(self.settings.foreign_keys)?;
        Ok(Workshop { live: self, changed: false, left: usize::MAX, plain_indexes: false })
    }
}

impl Workshop<'_> {
    /// From now on, so many plans and indexes are tried and no more.
    pub fn allow(&mut self, trials: usize) {
        self.left = trials;
    }

    /// The plan of a statement; `None` where SQLite does not accept it, or enough was tried.
    pub fn plan(&mut self, sql: &str) -> Option<Plan> {
        self.left = self.left.checked_sub(1)?;
        self.live.guard.begin(Mode::Explain);
        let mut statement = self.live.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).ok()?;
        let mut rows = statement.raw_query();
        let mut read = Vec::new();
        while let Some(row) = rows.next().ok()? {
            read.push(Row {
                id: row.get(0).ok()?,
                parent: row.get(1).ok()?,
                cost: row.get(2).ok()?,
                detail: row.get(3).ok()?,
                ..Row::default()
            });
        }
        Some(Plan::parse(&read))
    }

    /// The plan of a statement where a table has more indexes, each on these terms: what stands in the parentheses of
    /// CREATE INDEX with them, and perhaps a WHERE behind. `None` where there can be no such index.
    pub fn plan_with(&mut self, schema: &str, table: &str, terms: &[String], sql: &str) -> Option<Plan> {
        let indexes: Vec<_> = terms.iter().map(|terms| (schema, table, terms.as_str())).collect();
        self.plan_with_all(&indexes, sql)
    }

    /// The same where several tables may have more: each index by its schema, its table and its terms.
    pub fn plan_with_all(&mut self, indexes: &[(&str, &str, &str)], sql: &str) -> Option<Plan> {
        self.left = self.left.checked_sub(indexes.len())?;
        self.begin()?;
        let name =
            |schema: &str, at: usize| format!("{}.{}", quoted(schema), quoted(&format!("{TRIAL} {at}")));
        let mut made = 0;
        for (number, (schema, table, terms)) in indexes.iter().enumerate() {
            let create = format!("CREATE INDEX {} ON {} {terms}", name(schema, number), quoted(table));
            self.live.guard.begin(Mode::Run);
            if self.live.connection.execute_batch(&create).is_err() {
                break;
            }
            made += 1;
        }
        let plan = if made == indexes.len() { self.plan(sql) } else { None };
        self.live.guard.begin(Mode::Own);
        for (number, (schema, ..)) in indexes.iter().enumerate().take(made) {
            self.live.connection.execute_batch(&format!("DROP INDEX {}", name(schema, number))).ok()?;
        }
        plan
    }

    /// The texts in a column, each once, of a table that has few rows.
    pub fn texts(&mut self, table: &str, column: &str) -> Vec<String> {
        let (table, column) = (quoted(table), quoted(column));
        let sql =
            format!("SELECT DISTINCT {column} FROM main.{table} WHERE typeof({column}) = 'text' LIMIT 100");
        self.live.guard.begin(Mode::Own);
        let read = || -> sqlite::Result<Vec<String>> {
            let mut statement = self.live.connection.prepare(&sql)?;
            statement.query_map([], |row| row.get(0))?.collect()
        };
        read().unwrap_or_default()
    }

    /// The texts in a column of an empty table once a statement has run with these values; none where it can't.
    pub fn texts_after(&mut self, sql: &str, values: &[String], table: &str, column: &str) -> Vec<String> {
        if self.begin().is_none() {
            return Vec::new();
        }
        self.live.guard.begin(Mode::Run);
        let ran = || -> sqlite::Result<()> {
            self.live.connection.execute(&format!("DELETE FROM main.{}", quoted(table)), [])?;
            let mut statement = self.live.connection.prepare(sql)?;
            let mut rows = statement.query(sqlite::params_from_iter(values))?;
            while rows.next()?.is_some() {}
            Ok(())
        };
        if ran().is_ok() { self.texts(table, column) } else { Vec::new() }
    }

    /// The plans of statements on a schema that is changed for them. Nothing where it can't be, and `None` where SQLite
    /// does not accept a statement then. The order of the indexes, which decides between two that seem equally good, is
    /// afterwards what it was.
    pub fn plans_after(&mut self, change: &str, texts: &[&str]) -> Vec<Option<Plan>> {
        self.plans_after_all(&[(change, texts)]).pop().unwrap_or_default()
    }

    /// The same of each of several trials, as if there were no other. Those that do not meet are made together: whenever
    /// they are taken back, SQLite reads the whole schema again.
    pub fn plans_after_each(&mut self, trials: &[IndexTrial<'_>]) -> Vec<Vec<Option<Plan>>> {
        let mut plans = vec![Vec::new(); trials.len()];
        for group in IndexTrial::apart(trials) {
            let all: Vec<&IndexTrial<'_>> = group.iter().filter_map(|&at| trials.get(at)).collect();
            let texts: Vec<Vec<&str>> =
                all.iter().map(|one| one.texts.iter().map(|(text, _)| *text).collect()).collect();
            let changes: Vec<(&str, &[&str])> =
                all.iter().zip(&texts).map(|(one, texts)| (one.change, texts.as_slice())).collect();
            for (at, found) in group.iter().zip(self.plans_after_all(&changes)) {
                if let Some(place) = plans.get_mut(*at) {
                    *place = found;
                }
            }
        }
        plans
    }

    /// The plans of the statements of each change, once all changes are made.
    fn plans_after_all(&mut self, changes: &[(&str, &[&str])]) -> Vec<Vec<Option<Plan>>> {
        if self.begin().is_none() {
            return Vec::new();
        }
        self.live.guard.begin(Mode::Own);
        if self.live.connection.execute_batch("SAVEPOINT changed").is_err() {
            return Vec::new();
        }
        let mut texts: Vec<&[&str]> = Vec::new();
        for (change, of_change) in changes {
            self.live.guard.begin(Mode::Run);
            let is_changed = self.live.connection.execute_batch(change).is_ok();
            texts.push(if is_changed { of_change } else { &[] });
        }
        let plans = texts.iter().map(|texts| texts.iter().map(|text| self.plan(text)).collect()).collect();
        self.live.guard.begin(Mode::Own);
        // A savepoint that is gone leaves nothing to be taken back.
        let _ = self.live.connection.execute_batch("ROLLBACK TO changed; RELEASE changed");
        plans
    }

    /// Whether two texts of a statement take the same values in the same places: what is bound by position, number or
    /// name means the same in both.
    pub fn takes_the_same(one: &str, other: &str) -> bool {
        let (one, other) = (parameters(one), parameters(other));
        let is_bare = |all: &[String]| all.iter().any(|token| token == "?");
        one == other || (!is_bare(&one) && !is_bare(&other) && numbered(&one) == numbered(&other))
    }

    /// Whether an expression of constants is true.
    pub fn holds(&mut self, expression: &str) -> bool {
        self.live.guard.begin(Mode::Run);
        let sql = format!("SELECT ({expression}) IS TRUE");
        self.live.connection.query_row(&sql, [], |row| row.get(0)).unwrap_or(false)
    }

    fn begin(&mut self) -> Option<()> {
        if !self.changed {
            self.live.guard.begin(Mode::Own);
            self.live.connection.execute_batch("SAVEPOINT workshop").ok()?;
            self.changed = true;
        }
        Some(())
    }
}

impl Drop for Workshop<'_> {
    fn drop(&mut self) {
        if self.changed {
            self.live.guard.begin(Mode::Own);
            // A savepoint that cannot be rolled back is gone already.
            let _ = self.live.connection.execute_batch("ROLLBACK TO workshop; RELEASE workshop");
            self.live.forget();
        }
    }
}

/// The parameters of a text, in its order.
fn parameters(sql: &str) -> Vec<String> {
    let tokens = Tokens::from(sql, 0).filter(|token| token.kind == Kind::Parameter);
    tokens.map(|token| token.text.to_owned()).collect()
}

/// The parameters that are written with a name or number, each once, and the numbers that SQLite gives them.
fn numbered(parameters: &[String]) -> BTreeMap<&str, usize> {
    let (mut found, mut last) = (BTreeMap::new(), 0);
    for token in parameters {
        let number = token.strip_prefix('?').and_then(|number| number.parse::<usize>().ok());
        let number = *found.entry(token.as_str()).or_insert(number.unwrap_or(last + 1));
        last = last.max(number);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Settings;

    #[test]
    fn parameters_keep_their_places() {
        let same = Workshop::takes_the_same;
        assert!(
            same("a + ? > ?", "a > ? - ?") && same("?1 < ?2", "?2 > ?1") && same(":a = :b", ":a > :b + :a")
        );
        assert!(
            !same("? = ?", "?")
                && !same(":a = :b", ":b = :a")
                && !same("?1 = ?2", "?1")
                && !same("?5 = ?", "? = ?5")
        );
        assert!(!same("?2 = :a", ":a = ?2") && same("?1 = 1 OR ?1 = 2", "?1 IN (1, 2)"));
    }

    #[test]
    fn what_is_changed_for_a_plan_is_taken_back_in_its_order() {
        let mut live = Live::open(&Settings::default()).unwrap();
        for applied in
            live.apply("CREATE TABLE t(a, b); CREATE INDEX by_a ON t(a); CREATE INDEX by_b ON t(b);")
        {
            applied.outcome.unwrap();
        }
        let before = live.objects().unwrap();
        let mut workshop = live.workshop().unwrap();
        let sql = "SELECT * FROM t WHERE a = ? AND b = ?";
        let lines = |plan: &Plan| plan.lines().join("; ");
        let newest = "SEARCH t USING INDEX by_b (b=?)";
        assert_eq!(lines(&workshop.plan(sql).unwrap()), newest);
        let plans = workshop.plans_after("DROP INDEX main.by_b", &[sql, "SELECT nothing FROM t"]);
        assert_eq!(lines(plans[0].as_ref().unwrap()), "SEARCH t USING INDEX by_a (a=?)");
        assert_eq!(plans[1], None);
        // Made anew, `by_a` would be the newest, and win.
        assert!(workshop.plans_after("DROP INDEX main.by_a", &[sql])[0].is_some());
        assert_eq!(lines(&workshop.plan(sql).unwrap()), newest);
        assert_eq!(workshop.plans_after("DROP INDEX main.by_c", &[sql]), []);
        drop(workshop);
        assert_eq!(live.objects().unwrap(), before);
        assert_eq!(lines(&live.explain(sql).unwrap().plan), newest);
    }

    #[test]
    fn trials_that_meet_are_made_one_after_the_other() {
        let mut live = Live::open(&Settings::default()).unwrap();
        let schema = "CREATE TABLE t(a, b); CREATE INDEX t_a ON t(a); CREATE INDEX t_b ON t(b); \
                      CREATE TABLE u(a, b); CREATE INDEX u_a ON u(a); CREATE INDEX u_b ON u(b);";
        live.apply(schema).into_iter().for_each(|applied| drop(applied.outcome.unwrap()));
        let texts =
            ["SELECT * FROM t WHERE a = ?", "SELECT * FROM u WHERE a = ?", "SELECT * FROM t, u USING (a)"];
        let plans: Vec<Plan> = texts.iter().map(|text| live.explain(text).unwrap().plan).collect();
        let mut workshop = live.workshop().unwrap();
        let trial = |change, index, table, text: usize| IndexTrial {
            change,
            index,
            table,
            is_unique: false,
            texts: vec![(texts[text], &plans[text])],
        };
        let t = trial("DROP INDEX main.t_a", "t_a", "t", 0);
        let u = trial("DROP INDEX main.u_a", "u_a", "u", 1);
        let both = trial("DROP INDEX main.t_b", "t_b", "t", 2);
        let again = trial("DROP INDEX main.t_a; CREATE INDEX main.t_a ON u(a, b)", "T_A", "u", 1);
        let alone = IndexTrial { is_unique: true, ..trial("DROP INDEX main.u_b", "u_b", "u", 1) };
        let trials = [t, u, both, again, alone];
        assert_eq!(IndexTrial::apart(&trials), [vec![0, 1], vec![2], vec![3], vec![4]]);
        let each = workshop.plans_after_each(&trials);
        for (trial, plans) in trials.iter().zip(each) {
            let texts: Vec<&str> = trial.texts.iter().map(|(text, _)| *text).collect();
            assert_eq!(plans, workshop.plans_after(trial.change, &texts), "{}", trial.change);
        }
    }

    #[test]
    fn an_index_is_there_for_one_plan() {
        let mut live = Live::open(&Settings::default()).unwrap();
        for applied in live.apply("CREATE TABLE t(a, b);") {
            applied.outcome.unwrap();
        }
        let before = live.objects().unwrap();
        let mut workshop = live.workshop().unwrap();
        let sql = "SELECT b FROM t WHERE a = ?";
        assert_eq!(workshop.plan(sql).unwrap().lines(), ["SCAN t"]);
        let with = workshop.plan_with("main", "t", &["(a)".to_owned()], sql).unwrap();
        assert_eq!(with.lines(), ["SEARCH t USING INDEX planlint trial 0 (a=?)"]);
        assert_eq!(workshop.plan_with("main", "t", &["(nothing)".to_owned()], sql), None);
        assert_eq!(workshop.plan(sql).unwrap().lines(), ["SCAN t"]);
        assert!(workshop.holds("5 > 3") && !workshop.holds("NULL") && !workshop.holds("nothing"));
        drop(workshop);
        assert_eq!(live.objects().unwrap(), before);
    }
}
