//! From the file as written to the configuration as used: what takes knowledge of more than one value.

use super::{
    Allow, AuditConfig, Config, ConfigError, DatabaseConfig, GlobError, Globs, Level, LogFile, RuleSetting,
    SchemaSource, Severity, SourceKind, Transaction,
    file::{self, File, Text},
};
use crate::source::{MAX_BYTES, plain::MOST_BYTES};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use toml::{Spanned, Value, value::Datetime};

type Checked<T> = Result<T, ConfigError>;

/// Checks a whole file.
pub(super) fn config(path: &str, text: &str, file: File) -> Checked<Config> {
    let at = Place { path, text };
    let mut rule_names = Vec::new();
    let mut rules: BTreeMap<String, Vec<RuleSetting>> = BTreeMap::new();
    for (name, said) in file.rules {
        rule_names.push((name.get_ref().clone(), name.span()));
        let settings: Checked<_> = said.0.iter().map(|rule| at.rule(rule)).collect();
        rules.insert(name.into_inner(), settings?);
    }
    let mut allows = Vec::new();
    for allow in file.allow {
        allows.push(at.allow(allow, &mut rule_names)?);
    }
    Ok(Config {
        path: Some(path.to_owned()),
        text: text.to_owned(),
        fail_on: file.fail_on.map_or(Severity::Warning, severity),
        min_coverage: file.min_coverage.map(|percent| at.percent(&percent)).transpose()?,
        rule_folders: at.plain_paths(file.rule_folders)?,
        baseline: at.plain_paths(file.baseline.into_iter().collect())?.pop(),
        sqlite: file.sqlite.map(|text| (text.get_ref().clone(), text.span())),
        max_file_bytes: file.max_file_bytes.unwrap_or(MAX_BYTES).min(MOST_BYTES),
        workload: at.logs(file.workload)?,
        rules,
        rule_names,
        databases: at.databases(file.database)?,
        exclude: at.globs(&file.paths.exclude, Globs::paths)?,
        offline: at.globs(&file.paths.offline, Globs::paths)?,
        measure_growth: file.growth.measure.unwrap_or(true),
        audit: at.audit(&file.audit)?,
        allows,
    })
}

/// The file whose values are checked, for errors that point into it.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a str,
    text: &'a str,
}

impl Place<'_> {
    fn refuse<T>(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Checked<T> {
        let (path, text) = (self.path.to_owned(), self.text.to_owned());
        Err(ConfigError::Invalid { path, text, span, message: message.into(), help: Some(help.into()) })
    }

    fn percent(&self, written: &Spanned<u64>) -> Checked<u32> {
        match u32::try_from(*written.get_ref()) {
            Ok(percent) if percent <= 100 => Ok(percent),
            _ => self.refuse(written.span(), "a share of more than all", "write percent: 0 to 100"),
        }
    }

    fn audit(&self, written: &file::Audit) -> Checked<AuditConfig> {
        let micros = |ms: &Spanned<f64>| match *ms.get_ref() * 1000.0 {
            micros if (1.0..1e12).contains(&micros) => Ok(micros.round() as u64),
            _ => self.refuse(ms.span(), "no time that anything takes", "write milliseconds: 0.001 or more"),
        };
        Ok(AuditConfig {
            budget_us: written.budget_ms.as_ref().map(micros).transpose()?,
            page_us: written
                .page_ms
                .as_ref()
                .map(micros)
                .transpose()?
                .unwrap_or(AuditConfig::default().page_us),
        })
    }

    fn rule(&self, rule: &file::Rule) -> Checked<RuleSetting> {
        Ok(RuleSetting { level: rule.level.map(level), paths: self.globs(&rule.paths, Globs::paths)? })
    }

    fn databases(&self, databases: Vec<Spanned<file::Database>>) -> Checked<Vec<DatabaseConfig>> {
        let mut checked = Vec::new();
        let mut names = BTreeSet::new();
        let mut attached = Vec::new();
        for database in databases {
            let header = database.span();
            let mut database = database.into_inner();
            let Some(name) = database.name.take().filter(|name| !name.get_ref().trim().is_empty()) else {
                return self.refuse(header, "a database without a name", "name it: `name = \"…\"`");
            };
            if !names.insert(name.get_ref().clone()) {
                let message = format!("a second database `{name}`", name = name.get_ref());
                return self.refuse(name.span(), message, "give it another name, or join the two");
            }
            attached.extend(database.attached.values().cloned());
            checked.push(self.database(name, database)?);
        }
        for other in attached {
            if !names.contains(other.get_ref()) {
                let message = format!("there is no database `{}` in this file", other.get_ref());
                let known = names.iter().map(String::as_str);
                let help = super::near(other.get_ref(), known).map_or_else(
                    || "name the database that is attached, as its `[[database]]` does".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                return self.refuse(other.span(), message, help);
            }
        }
        Ok(checked)
    }

    fn database(&self, name: Spanned<String>, written: file::Database) -> Checked<DatabaseConfig> {
        let rows: Vec<_> = written
            .rows
            .into_iter()
            .map(|(name, rows)| (name.get_ref().clone(), rows, name.span()))
            .collect();
        if let (Some((.., span)), Some(_)) = (rows.first(), &written.stats) {
            let help = "leave out one of them: the file says how many rows each table has";
            return self.refuse(span.clone(), "`rows` beside a file of statistics", help);
        }
        let growing = written.growing.iter().filter(|name| !name.get_ref().contains(['*', '?']));
        let under = |key: &'static str| move |name: &Text| (key, name.get_ref().clone(), name.span());
        let named = growing.map(under("growing")).chain(written.bounded.keys().map(under("bounded")));
        let rows_of = |(name, _, span): &(String, u64, Range<usize>)| ("rows", name.clone(), span.clone());
        let named = named.chain(rows.iter().map(rows_of)).collect();
        Ok(DatabaseConfig {
            span: name.span(),
            name: name.into_inner(),
            migrations: self.schema_sources(written.migrations)?,
            create: self.schema_sources(written.create)?,
            open: self.schema_sources(written.open)?,
            transaction: written.transaction.map(transaction),
            statements: written.statements.map(|globs| self.globs(&globs, Globs::paths)).transpose()?,
            workload: self.logs(written.workload)?,
            stats: self.logs(written.stats.into_iter().collect())?.pop(),
            growing: self.globs(&written.growing, Globs::names)?,
            bounded: written
                .bounded
                .into_iter()
                .map(|(name, rows)| (name.get_ref().to_ascii_lowercase(), rows))
                .collect(),
            rows,
            named,
            releases: written.releases.map(|globs| self.globs(&globs, Globs::names)).transpose()?,
            attached: written
                .attached
                .into_iter()
                .map(|(schema, name)| (schema, name.into_inner()))
                .collect(),
            functions: written.functions.iter().map(|text| self.function(text)).collect::<Checked<_>>()?,
            collations: written.collations,
            modules: written.modules,
            pragmas: written.pragmas.iter().map(|pragma| self.pragma(pragma)).collect::<Checked<_>>()?,
            migration_pragmas: written
                .migration_pragmas
                .iter()
                .map(|pragma| self.pragma(pragma))
                .collect::<Checked<_>>()?,
        })
    }

    fn globs<'a>(
        &self,
        written: &'a [Text],
        make: fn(Vec<&'a str>) -> Result<Globs, GlobError>,
    ) -> Checked<Globs> {
        make(written.iter().map(|text| text.get_ref().as_str()).collect()).or_else(|error| {
            let span = written.get(error.index).map_or(0..0, Spanned::span);
            self.refuse(span, error.message, error.help)
        })
    }

    /// Paths of single files or folders, where a wildcard is a mistake.
    fn plain_paths(&self, written: Vec<Text>) -> Checked<Vec<String>> {
        for text in &written {
            self.plain_path(text.get_ref(), text.span())?;
        }
        Ok(written.into_iter().map(Spanned::into_inner).collect())
    }

    fn logs(&self, written: Vec<Text>) -> Checked<Vec<LogFile>> {
        let log = |text: Text| {
            self.plain_path(text.get_ref(), text.span())?;
            let span = text.span();
            Ok(LogFile { path: text.into_inner().trim_start_matches("./").to_owned(), span })
        };
        written.into_iter().map(log).collect()
    }

    fn plain_path(&self, path: &str, span: Range<usize>) -> Checked<()> {
        if let Err(error) = Globs::paths([path]) {
            return self.refuse(span, error.message.replace("pattern never matches", "path"), error.help);
        }
        if path.contains(['*', '?']) {
            return self.refuse(span, "a pattern, where one path is expected", "name each path");
        }
        Ok(())
    }

    fn schema_sources(&self, written: Vec<Text>) -> Checked<Vec<SchemaSource>> {
        written.into_iter().map(|text| self.schema_source(text)).collect()
    }

    fn schema_source(&self, text: Text) -> Checked<SchemaSource> {
        let span = text.span();
        let kind = match text.get_ref().split_once("::") {
            None => SourceKind::Files(self.globs(std::slice::from_ref(&text), Globs::paths)?),
            Some((_, name)) if name.trim().is_empty() => {
                return self.refuse(
                    span,
                    "no name after `::`",
                    "write `file::NAME`; `*` stands for any characters",
                );
            }
            Some((path, name)) => {
                self.plain_path(path, span.clone())?;
                SourceKind::Name { path: path.trim_start_matches("./").to_owned(), name: name.to_owned() }
            }
        };
        Ok(SchemaSource { pattern: text.into_inner(), kind, span })
    }

    /// `name/2`, or `name` for any number of arguments.
    fn function(&self, text: &Text) -> Checked<(String, i32)> {
        let (name, arguments) = match text.get_ref().split_once('/') {
            None => (text.get_ref().as_str(), Some(-1)),
            Some((name, count)) => (name, count.parse().ok().filter(|count| (0..=127).contains(count))),
        };
        match arguments {
            Some(arguments) if !name.is_empty() => Ok((name.to_owned(), arguments)),
            _ => self.refuse(
                text.span(),
                format!("`{}` is no function", text.get_ref()),
                "write its name and the number of its arguments: `hash/1`; the name alone for any number",
            ),
        }
    }

    fn pragma(&self, (name, value): (&Text, &Spanned<Value>)) -> Checked<(String, String)> {
        const SWITCH: [&str; 8] = ["0", "1", "on", "off", "yes", "no", "true", "false"];
        let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        if name.get_ref().is_empty() || !name.get_ref().chars().all(word) {
            let message = format!("`{}` is no name of a pragma", name.get_ref());
            return self.refuse(name.span(), message, "write it as SQLite spells it: `foreign_keys`");
        }
        let text = match value.get_ref() {
            Value::Boolean(on) => on.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::String(text) => text.clone(),
            _ => {
                let message = format!("`{}` has a value that no pragma takes", name.get_ref());
                return self.refuse(value.span(), message, "write true, false, a whole number or a word");
            }
        };
        let is_switch = SWITCH.iter().any(|word| text.eq_ignore_ascii_case(word));
        if name.get_ref().eq_ignore_ascii_case("foreign_keys") && !is_switch {
            let message = format!("`{text}` turns foreign keys neither on nor off");
            return self.refuse(value.span(), message, "write true or false");
        }
        Ok((name.get_ref().to_ascii_lowercase(), text))
    }

    fn allow(&self, allow: Spanned<file::Allow>, names: &mut Vec<(String, Range<usize>)>) -> Checked<Allow> {
        let span = allow.span();
        let allow = allow.into_inner();
        let Some(rule) = allow.rule else {
            return self.refuse(span, "an exception that names no rule", "name the rule: `rule = \"…\"`");
        };
        let Some(reason) = allow.reason.filter(|reason| !reason.get_ref().trim().is_empty()) else {
            return self.refuse(
                span,
                "an exception without a reason",
                "say why it is fine: `reason = \"…\"`",
            );
        };
        names.push((rule.get_ref().clone(), rule.span()));
        Ok(Allow {
            rule: rule.into_inner(),
            path: allow.path.map(|path| self.path_or_paths(&path)).transpose()?,
            table: allow.table.map(Spanned::into_inner),
            statement: allow.statement.map(Spanned::into_inner),
            reason: reason.into_inner(),
            until: allow.until.map(|date| self.date(&date)).transpose()?,
            bounded: allow.bounded,
            span,
        })
    }

    fn path_or_paths(&self, written: &Spanned<Value>) -> Checked<Globs> {
        let patterns: Option<Vec<&str>> = match written.get_ref() {
            Value::String(pattern) => Some(vec![pattern]),
            Value::Array(patterns) => patterns.iter().map(Value::as_str).collect(),
            _ => None,
        };
        let Some(patterns) = patterns else {
            return self.refuse(written.span(), "no pattern for paths", "write a text, or a list of texts");
        };
        Globs::paths(patterns).or_else(|error| self.refuse(written.span(), error.message, error.help))
    }

    /// A day, as a text or as a date of TOML.
    fn date(&self, written: &Spanned<Value>) -> Checked<String> {
        let date = match written.get_ref() {
            Value::Datetime(date) => Some(*date),
            Value::String(text) => text.parse::<Datetime>().ok(),
            _ => None,
        };
        match date {
            Some(Datetime { date: Some(day), time: None, offset: None }) => Ok(day.to_string()),
            _ => self.refuse(written.span(), "this is no date", "write a day of the calendar: `2027-12-31`"),
        }
    }
}

fn level(level: file::Level) -> Level {
    match level {
        file::Level::Off => Level::Off,
        file::Level::Note => Level::At(Severity::Note),
        file::Level::Warning => Level::At(Severity::Warning),
        file::Level::Error => Level::At(Severity::Error),
    }
}

fn transaction(transaction: file::Transaction) -> Transaction {
    match transaction {
        file::Transaction::Step => Transaction::Step,
        file::Transaction::All => Transaction::All,
        file::Transaction::None => Transaction::None,
    }
}

fn severity(severity: file::Severity) -> Severity {
    match severity {
        file::Severity::Note => Severity::Note,
        file::Severity::Warning => Severity::Warning,
        file::Severity::Error => Severity::Error,
    }
}
