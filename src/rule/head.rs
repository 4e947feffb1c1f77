//! The head of a rule: the comments in front of its SELECT. Knows the form of the head; knows no SQL.
//!
//! ```sql
//! -- Scans of growing tables
//! -- severity: warning
//! -- yields-to: correlated-scan
//! -- subject: reads
//! --
//! -- Why this is bad, in as many paragraphs as it takes.
//! --
//! -- remedy: What to do about it.
//! --
//! -- ignore: When nothing is to be done about it, to the end of the head.
//! SELECT …
//! ```

use super::{Need, Stage};
use crate::config::Severity;

/// A head that is complete.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub title: String,
    pub severity: Severity,
    pub stage: Stage,
    pub yields_to: Vec<String>,
    pub needs: Vec<Need>,
    pub subject: Option<String>,
    pub why: String,
    pub remedy: String,
    pub ignore: Option<String>,
}

/// What is wrong with a head, and the line from 1.
pub(super) type HeadError = (u32, String);

#[derive(Default)]
struct Draft {
    severity: Option<Severity>,
    stage: Option<Stage>,
    yields_to: Option<Vec<String>>,
    needs: Option<Vec<Need>>,
    subject: Option<String>,
    why: String,
    remedy: Option<String>,
    ignore: Option<String>,
}

/// Reads the head of a rule's text.
pub(super) fn read(text: &str) -> Result<Head, HeadError> {
    let mut lines = text
        .lines()
        .map_while(|line| line.trim_end().strip_prefix("--"))
        .map(str::trim)
        .zip(1_u32..)
        .peekable();
    let title = match lines.next() {
        Some((title, _)) if !title.is_empty() => title.to_owned(),
        _ => return Err((1, "the first line must be a comment with the title of the rule".to_owned())),
    };
    let mut draft = Draft::default();
    while let Some((line, number)) = lines.next_if(|(line, _)| !line.is_empty()) {
        draft.key(line).map_err(|message| (number, message))?;
    }
    let mut last = 1;
    for (line, number) in lines {
        draft.prose(line).map_err(|message| (number, message))?;
        last = number;
    }
    draft.complete(title).map_err(|message| (last, message))
}

impl Draft {
    fn key(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once(':').ok_or_else(|| {
            format!("expected `key: value`, or an empty comment line before the prose; found `{line}`")
        })?;
        let value = value.trim();
        match key.trim() {
            "severity" => once("severity", &mut self.severity, severity(value)?),
            "stage" => once("stage", &mut self.stage, stage(value)?),
            "yields-to" => once("yields-to", &mut self.yields_to, list(value)),
            "needs" => {
                let needs = list(value).iter().map(|word| need(word)).collect::<Result<_, _>>()?;
                once("needs", &mut self.needs, needs)
            }
            "subject" => once("subject", &mut self.subject, value.to_owned()),
            key => {
                Err(format!("unknown key `{key}`: a head has severity, stage, yields-to, needs and subject"))
            }
        }
    }

    fn prose(&mut self, line: &str) -> Result<(), String> {
        if let Some(remedy) = line.strip_prefix("remedy:") {
            return once("remedy", &mut self.remedy, remedy.trim().to_owned());
        }
        if let Some(ignore) = line.strip_prefix("ignore:") {
            return once("ignore", &mut self.ignore, ignore.trim().to_owned());
        }
        let text = self.ignore.as_mut().or(self.remedy.as_mut()).unwrap_or(&mut self.why);
        match (line.is_empty(), text.is_empty() || text.ends_with('\n')) {
            (true, false) => text.push_str("\n\n"),
            (false, false) => {
                text.push(' ');
                text.push_str(line);
            }
            (_, true) => text.push_str(line),
        }
        Ok(())
    }

    fn complete(self, title: String) -> Result<Head, String> {
        let missing = |what: &str| format!("the head has no {what}");
        let why = self.why.trim().to_owned();
        let remedy = self.remedy.unwrap_or_default().trim().to_owned();
        if why.is_empty() {
            return Err(missing("prose that says why this is bad, after an empty comment line"));
        }
        if remedy.is_empty() {
            return Err(missing("`remedy:`"));
        }
        Ok(Head {
            title,
            severity: self.severity.ok_or_else(|| missing("`severity:`"))?,
            stage: self.stage.unwrap_or(Stage::Facts),
            yields_to: self.yields_to.unwrap_or_default(),
            needs: self.needs.unwrap_or_default(),
            subject: self.subject,
            why,
            remedy,
            ignore: self.ignore.map(|ignore| ignore.trim().to_owned()),
        })
    }
}

fn once<T>(key: &str, slot: &mut Option<T>, value: T) -> Result<(), String> {
    if slot.replace(value).is_some() {
        return Err(format!("`{key}:` is there twice"));
    }
    Ok(())
}

fn list(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The severity that a word stands for.
pub(super) fn severity(word: &str) -> Result<Severity, String> {
    Severity::of(word).ok_or_else(|| format!("`{word}` is no severity: note, warning or error"))
}

fn stage(word: &str) -> Result<Stage, String> {
    match word {
        "facts" => Ok(Stage::Facts),
        "findings" => Ok(Stage::Findings),
        _ => Err(format!("`{word}` is no stage: facts or findings")),
    }
}

fn need(word: &str) -> Result<Need, String> {
    match word {
        "growth" => Ok(Need::Growth),
        "releases" => Ok(Need::Releases),
        "file" => Ok(Need::File),
        _ => Err(format!("`{word}` is nothing that a rule can need: growth, releases or file")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Need, Stage, read};
    use crate::config::Severity;

    const WHOLE: &str = "-- Scans of growing tables\n-- severity: warning\n-- yields-to: a-rule, b-rule\n\
        -- needs: growth\n-- subject: reads\n--\n-- It is slow,\n-- and slower each day.\n--\n-- Second paragraph.\n--\n\
        -- remedy: Add an index,\n-- or do less.\n--\n-- ignore: Where it is\n-- small.\nSELECT 1";

    #[test]
    fn a_whole_head_is_read() {
        let head = read(WHOLE).unwrap();
        assert_eq!(head.title, "Scans of growing tables");
        assert_eq!(head.severity, Severity::Warning);
        assert_eq!(head.stage, Stage::Facts);
        assert_eq!(head.yields_to, ["a-rule", "b-rule"]);
        assert_eq!(head.needs, [Need::Growth]);
        assert_eq!(head.why, "It is slow, and slower each day.\n\nSecond paragraph.");
        assert_eq!(head.remedy, "Add an index, or do less.");
        assert_eq!(head.ignore.as_deref(), Some("Where it is small."));
        assert_eq!(head.subject.as_deref(), Some("reads"));
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        for (from, to, line, message) in [
            ("-- Scans of growing tables", "", 1, "the first line must be a comment"),
            ("severity: warning", "severity: fatal", 2, "`fatal` is no severity"),
            ("yields-to:", "yield-to:", 3, "unknown key `yield-to`"),
            ("needs: growth", "needs: money", 4, "`money` is nothing that a rule can need"),
            ("needs: growth", "severity: note", 4, "`severity:` is there twice"),
            ("needs: growth", "It is slow", 4, "expected `key: value`"),
            ("remedy: Add", "Add", 16, "the head has no `remedy:`"),
            ("-- severity: warning\n", "", 15, "the head has no `severity:`"),
        ] {
            let (found, said) = read(&WHOLE.replacen(from, to, 1)).unwrap_err();
            assert!(said.starts_with(message), "{said}");
            assert_eq!(found, line, "{said}");
        }
    }
}
