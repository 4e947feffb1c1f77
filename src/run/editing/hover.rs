//! What an editor shows of the statement under the cursor: what a run knows of it, without measuring more.

use super::Outcome;
use crate::{
    report::explain::{self, Explanation, Growth, Point},
    run::{cost, explanation, migrated, place::Spot},
    source::SourceId,
};

/// What is known of the statement at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// In Markdown.
    pub text: String,
    /// The bytes of the statement; where it was changed since the run, those of the file as it is now.
    pub range: Option<(u32, u32)>,
    /// Whether it was changed since the run.
    pub is_typed: bool,
}

impl Outcome {
    /// What is known of the statement at a byte of a file: `now` as it is now, `then` as it was when the run read it.
    pub fn hover(&self, path: &str, now: u32, then: Option<u32>) -> Option<Hover> {
        let typed = self.analysis.typing.as_ref().and_then(|typing| typing.file(path));
        let typed = typed.and_then(|source| self.hover_in(source, path, now, true));
        typed.or_else(|| self.hover_in(self.sources.find(path)?.0, path, then?, false))
    }

    fn hover_in(&self, source: SourceId, path: &str, at: u32, is_typed: bool) -> Option<Hover> {
        let position = self.sources.get(source)?.position(at);
        let (line, column) = (Some(position.line), Some(position.column));
        let spot = Spot { path: path.to_owned(), line, column };
        let groups = self.at(source, &spot);
        if groups.is_empty() && !is_typed {
            let text = migrated::explain(self, source, &spot, false)?.ok()?;
            let text = format!("```text\n{}\n```\n", text.trim_end().replace("```", "'''"));
            return Some(Hover { text, range: None, is_typed });
        }
        let statements = &self.analysis.statements;
        let first = groups.iter().find_map(|group| statements.get(group.shown))?;
        let all: Vec<Explanation> = groups
            .iter()
            .map(|group| {
                let mut one = explanation::explanation(self, group, None);
                one.growth.points = self.points(group.shown);
                if is_typed {
                    let word = "Not judged yet: it was changed since the last check.".to_owned();
                    one.growth = Growth { words: vec![word], points: Vec::new() };
                    one.quiet.clear();
                }
                one
            })
            .collect();
        let range = (first.site.source == source).then_some((first.site.start, first.site.end));
        Some(Hover { text: explain::markdown::render(&all), range, is_typed })
    }

    /// What the check measured.
    fn points(&self, statement: usize) -> Vec<Point> {
        let trial = self.growth(statement).and_then(|growth| growth.trials.first());
        trial.map_or_else(Vec::new, |trial| trial.measures.iter().map(cost::point).collect())
    }
}
