//! What a statement costs, in words: the verdict of the check and of the larger sizes, or why there is none.

use super::explanation::Subject;
use crate::{
    growth::{Binding, Class, Data, Measure, Series, Trial, has_time},
    report::explain::{Growth, Point},
    schema::{Explained, StatementKind},
    workload::Outcome as Became,
};

impl Subject<'_> {
    pub fn trials(&self) -> &[Trial] {
        self.outcome.growth(self.index).map_or(&[], |growth| &growth.trials)
    }

    /// How its cost grows, in words and numbers.
    pub fn growth(&self, series: Option<&Series>) -> Growth {
        let Some(trial) = self.trials().first() else {
            return Growth {
                words: vec![format!("Not measured: {}.", self.unmeasured())],
                points: Vec::new(),
            };
        };
        let mut words = vec![self.verdict(trial)];
        let spread =
            if trial.data == Data::Uniform { ", on rows whose values are spread evenly" } else { "" };
        words.push(format!("It was run {}{spread}.", binding_words(trial.binding)));
        if has_time(self.statement) {
            words.push("A parameter stood in the place of the time that it compares with.".to_owned());
        }
        let points: Vec<Point> =
            series.map_or_else(Vec::new, |series| series.points.iter().map(point).collect());
        let far = series.and_then(|series| series.far);
        if let Some((class, explained)) = far.filter(|far| *far != (trial.class, trial.explained)) {
            let by = if explained { "" } else { "not " };
            words.push(format!(
                "At the larger sizes below it is {}, and {by}explained by the rows.",
                class.as_str()
            ));
        }
        if let Some(cut) = series.and_then(|series| series.cut.as_ref()) {
            words.push(format!("Larger sizes were left out: {cut}."));
        }
        if series.is_some_and(|series| series.points.iter().any(|point| point.run.stopped)) {
            words.push(
                "Some runs did not come to their end: a constraint refused a row, or a limit was met."
                    .to_owned(),
            );
        }
        words.extend(
            self.trials().iter().skip(1).map(|other| {
                format!("Run {}: {}", binding_words(other.binding), lower(&self.verdict(other)))
            }),
        );
        Growth { words, points }
    }

    /// The verdict of the check, as a sentence.
    fn verdict(&self, trial: &Trial) -> String {
        let changes = self.statement.explained().is_some_and(changes);
        let rows = if changes { "changed" } else { "returned" };
        let data = data_words(trial).map_or_else(String::new, |words| format!(" {words}"));
        let class = match trial.class {
            Class::Constant => return format!("Constant{data}: the cost does not grow with the tables."),
            Class::Linear => "Linear",
            Class::Quadratic => "Quadratic",
        };
        let explained = if trial.explained { "explain that" } else { "do not explain that" };
        format!("{class}{data}; the rows {rows} {explained}.")
    }

    /// Why nothing was measured.
    fn unmeasured(&self) -> String {
        if let Some(reason) = self.outcome.growth(self.index).and_then(|growth| growth.unmeasured.clone()) {
            return reason;
        }
        match &self.statement.outcome {
            Became::Planned { explained, .. } if explained.plan.steps.is_empty() => {
                "it looks for no rows".to_owned()
            }
            Became::Planned { explained, .. } if explained.proven_constant => {
                "the plan proves the cost constant, each step being a search for one row by a unique key"
                    .to_owned()
            }
            Became::Planned { .. } => "none of its tables grows".to_owned(),
            Became::Applied { .. } => "it is a step of the schema".to_owned(),
            Became::Dynamic { reason } => format!("its text is not known before the program runs ({reason})"),
            Became::Refused { database: None, refusal } => format!(
                "SQLite refuses it: {}; if another folder declares the table, name the tree that holds both, after the place",
                refusal.message
            ),
            Became::Refused { refusal, .. } => format!("SQLite refuses it: {}", refusal.message),
            Became::Foreign => "it is written for another database system".to_owned(),
            Became::Test => "it stands in test code, which is not judged".to_owned(),
            Became::NotSql => "it is no SQL".to_owned(),
        }
    }

    /// Why nothing was found.
    pub fn quiet(&self) -> String {
        let trials = self.trials();
        let Some(worst) = trials.first() else { return format!("None: {}.", self.unmeasured()) };
        let changes = self.statement.explained().is_some_and(changes);
        let rows = if changes { "changed" } else { "returned" };
        if trials.iter().all(|trial| trial.class == Class::Constant) {
            return "None: in every way that it was run, its cost stays as it is while the tables grow."
                .to_owned();
        }
        if worst.explained {
            return format!("None: the rows {rows} explain what it costs.");
        }
        if self.named().is_empty() {
            "None: its cost grows, but no rule that is on speaks of it.".to_owned()
        } else {
            "None stands here. What makes its cost grow may be told of another place:".to_owned()
        }
    }
}

fn changes(explained: &Explained) -> bool {
    !matches!(explained.kind, StatementKind::Select | StatementKind::Other)
}

pub(super) fn point(measure: &Measure) -> Point {
    let run = &measure.run;
    Point {
        rows: measure.rows,
        steps: run.steps,
        pages: run.pages,
        sorts: run.sorts,
        returned: run.returned,
        changed: run.changed,
    }
}

fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The distribution, in words that end a sentence.
pub(super) fn data_words(trial: &Trial) -> Option<String> {
    let columns: Vec<&str> = trial.through.iter().map(|one| one.column.as_str()).collect();
    trial.words().or_else(|| match trial.data {
        Data::Uniform | Data::FewGroups | Data::SharedKey | Data::Nested => None,
        Data::FirstCommon if columns.is_empty() => {
            Some("when every row has its counterpart in the other table".to_owned())
        }
        Data::FirstCommon => Some(format!("when most rows have the same {}", columns.join(" and "))),
        Data::LastCommon => Some("when hardly any row has a value that stands apart".to_owned()),
    })
}

fn binding_words(binding: Binding) -> &'static str {
    match binding {
        Binding::None => "as it stands, for it has no parameters",
        Binding::Present => "with the values of a row that is there",
        Binding::Absent => "with keys that no row has",
        Binding::Rare => "with the values that few rows have for its flags",
        Binding::Given => "with the values of the log",
        Binding::Null => "with NULL for what it chooses by",
        Binding::Chosen => "with other values for what it chooses by",
        Binding::Near => "with ranges that hold few rows",
        Binding::Wide => "with the widest ranges, long lists and far pages",
    }
}
