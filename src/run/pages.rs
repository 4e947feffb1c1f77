//! The pages of rules, run: each case is a program in memory, judged as any other by all rules, and what is found in it
//! is held against what it announces. Knows pages and findings; knows no rule by name.

use super::{CheckRequest, Past, RunError, check_tree, configuration};
use crate::{
    config::{self, Config, ConfigError, near},
    report::{
        Diagnostic, Failure, Place, State,
        pages::{Fault, Tested, Tried},
    },
    rule::{self, Announced, Case, Page, PageError, Rule},
    source::{Buffers, Folder, Tree, history::Kept},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Why pages can't be run.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// A page is malformed.
    #[error(transparent)]
    Malformed(#[from] PageError),
    /// A page announces a rule that is not there.
    #[error("{at}")]
    NoSuchRule {
        /// The place, and what is wrong.
        at: PageError,
        /// The rule that was meant, perhaps.
        near: Option<String>,
    },
    /// A folder has no page.
    #[error("there is no page in {0}")]
    NoPages(String),
    /// A folder has no page of a rule that was asked for.
    #[error("there is no page {0}")]
    NoPage(String),
}

impl From<&PagesError> for Failure {
    fn from(error: &PagesError) -> Self {
        let at = |at: &PageError| Self::new(&at.message).at_line(&at.path, &at.text, at.line);
        match error {
            PagesError::Malformed(page) if page.text.is_empty() => Self::new(page.to_string()),
            PagesError::Malformed(page) => at(page),
            PagesError::NoSuchRule { at: page, near: Some(near) } => {
                at(page).with_help(format!("did you mean `{near}`?"))
            }
            PagesError::NoSuchRule { at: page, near: None } => at(page).with_help(
                "`planlint rules` lists them all; your own are read from the folders that `rule-folders` names",
            ),
            PagesError::NoPages(_) | PagesError::NoPage(_) => {
                Self::new(error.to_string()).with_help("the page of a rule is a file of its name: <rule>.md")
            }
        }
    }
}

/// Runs the pages of a folder, or those of some rules, with all rules that the configuration knows. `display` is the
/// folder as named in messages.
///
/// # Errors
/// Where the configuration, a rule or a page is at fault, or there is no page to run.
pub fn test_rules(
    request: &CheckRequest<'_>,
    (folder, display): (&Path, &str),
    only: &[String],
) -> Result<Tested, RunError> {
    let (_, rules) = configuration(request)?;
    if let Some(name) = only.iter().find(|name| !rules.iter().any(|rule| rule.name == **name)) {
        return Err(RunError::NoSuchRule(name.clone(), nearest(name, &rules)));
    }
    let wanted = |name: &String| only.is_empty() || only.contains(name);
    let mut pages = rule::load_pages(folder, display).map_err(PagesError::from)?;
    if pages.is_empty() {
        return Err(PagesError::NoPages(display.to_owned()).into());
    }
    pages.retain(|page| wanted(&page.rule));
    if let Some(name) = only.iter().find(|name| !pages.iter().any(|page| page.rule == **name)) {
        return Err(PagesError::NoPage(page_path(display, name)).into());
    }
    pages.iter().try_for_each(|page| check_names(page, &rules))?;
    let cases: Vec<(&Page, &Case)> =
        pages.iter().flat_map(|page| page.cases.iter().map(move |case| (page, case))).collect();
    // The first error is that of the first case, whichever thread was faster.
    let tried: Vec<Result<Tried, RunError>> =
        cases.par_iter().map(|(page, case)| try_case(page, case, &rules)).collect();
    let own = rules.iter().filter(|rule| !rule::is_builtin(&rule.name) && wanted(&rule.name));
    let strays = pages.iter().filter_map(|page| stray(page, &rules));
    Ok(Tested {
        cases: tried.into_iter().collect::<Result<_, _>>()?,
        notes: own.filter_map(|rule| gap(rule, &pages, display)).chain(strays).collect(),
    })
}

/// Runs one case with these rules, and tells what is announced and not found, and the reverse. What is wrong with its
/// configuration is a fault of the case; an error is what is wrong with a rule.
fn try_case(page: &Page, case: &Case, rules: &[Rule]) -> Result<Tried, RunError> {
    let faults = match diagnostics(case, rules) {
        Ok(found) => compare(case.announced.clone(), &found, rules, |path, line| case.page_line(path, line)),
        Err(RunError::Config(error)) => vec![unjudged(case, &error)],
        Err(error) => return Err(error),
    };
    Ok(Tried { page: page.path.clone(), line: case.line, title: case.title.clone(), faults })
}

/// That the configuration of a case can't be used, at its line of the page.
fn unjudged(case: &Case, error: &ConfigError) -> Fault {
    let line = match error {
        ConfigError::Read { .. } => 0,
        ConfigError::Parse { text, span, .. } | ConfigError::Invalid { text, span, .. } => {
            1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count() as u32
        }
    };
    Fault { line: case.page_line(config::FILE_NAME, line), text: format!("it can't be judged: {error}") }
}

/// What is found and not announced, and the reverse; empty where the two agree. `line_of` says for a line of a file of
/// the program where a reader finds it.
pub fn compare(
    mut announced: Vec<Announced>,
    found: &[Diagnostic],
    rules: &[Rule],
    line_of: impl Fn(&str, u32) -> u32,
) -> Vec<Fault> {
    let severity = |mark: &Announced| {
        let own = || rules.iter().find(|rule| rule.name == mark.rule).map(|rule| rule.severity);
        mark.severity.or_else(own)
    };
    let mut faults = Vec::new();
    for one in found.iter().filter(|one| one.state == State::New) {
        let is_it = |mark: &Announced| covers(mark, one) && severity(mark) == Some(one.severity);
        if let Some(index) = announced.iter().position(is_it) {
            announced.remove(index);
            continue;
        }
        let line = one.place.as_ref().map_or_else(|| line_of("", 0), |it| line_of(&it.path, it.start.line));
        let place = one.place.as_ref().map_or_else(|| "nowhere".to_owned(), Place::short);
        let Diagnostic { rule, severity, message, .. } = one;
        faults.push(Fault {
            line,
            text: format!("found and not announced: {rule} ({severity}) at {place}: {message}"),
        });
    }
    faults.extend(announced.iter().map(|mark| {
        let word = severity(mark).map_or_else(String::new, |severity| format!(" ({severity})"));
        let Announced { path, line, rule, .. } = mark;
        let text = format!("announced and not found: {rule}{word} at {path}:{line}");
        Fault { line: line_of(path, *line), text }
    }));
    faults.sort_by_key(|fault| fault.line);
    faults
}

fn covers(mark: &Announced, found: &Diagnostic) -> bool {
    let lies_there =
        |place: &Place| place.path == mark.path && (place.start.line..=place.end.line).contains(&mark.line);
    mark.rule == found.rule && found.place.as_ref().is_some_and(lies_there)
}

/// What all rules find in a case.
fn diagnostics(case: &Case, rules: &[Rule]) -> Result<Vec<Diagnostic>, RunError> {
    let config = configuration_of(case, rules)?;
    let today = case.files.iter().filter(|file| file.release().is_none());
    let open = today.map(|file| (file.path.clone(), Some(file.text.clone().into_bytes()))).collect();
    let tree = Tree::new(Buffers::<Folder> { open, unlisted: BTreeSet::new(), beneath: None });
    let request = CheckRequest { config: None, ..CheckRequest::new(PathBuf::new()) };
    let past: Past = Ok(Some(Box::new(releases(case))));
    Ok(check_tree(&request, &tree, &past, &config, rules)?.report.diagnostics)
}

/// The releases of a case, in their order.
fn releases(case: &Case) -> Kept {
    let mut kept = Kept::default();
    for (file, (tag, path)) in case.files.iter().filter_map(|file| Some((file, file.release()?))) {
        if kept.releases.last().is_none_or(|(last, _)| last != tag) {
            kept.releases.push((tag.to_owned(), BTreeMap::new()));
        }
        if let Some((_, files)) = kept.releases.last_mut() {
            files.insert(path.to_owned(), file.text.clone());
        }
    }
    kept
}

/// The configuration among the files of a case.
fn configuration_of(case: &Case, rules: &[Rule]) -> Result<Config, ConfigError> {
    let Some(file) = case.files.iter().find(|file| file.path == config::FILE_NAME) else {
        return Ok(Config::default());
    };
    let config = config::parse(&file.path, &file.text)?;
    if !config.rule_folders.is_empty() {
        let message = "a case has the rules of the run, and no `rule-folders` of its own".to_owned();
        return Err(config.error(0..0, message, None));
    }
    let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    config.check_rule_names(&names)?;
    Ok(config)
}

/// Checks that the rules which a page announces are there.
fn check_names(page: &Page, rules: &[Rule]) -> Result<(), PagesError> {
    for case in &page.cases {
        let unknown = |mark: &&Announced| !rules.iter().any(|rule| rule.name == mark.rule);
        if let Some(mark) = case.announced.iter().find(unknown) {
            let at = page
                .error(case.page_line(&mark.path, mark.line), format!("there is no rule `{}`", mark.rule));
            return Err(PagesError::NoSuchRule { at, near: nearest(&mark.rule, rules) });
        }
    }
    Ok(())
}

pub(super) fn nearest(name: &str, rules: &[Rule]) -> Option<String> {
    near(name, rules.iter().map(|rule| rule.name.as_str())).map(str::to_owned)
}

/// What a rule of the user's own lacks: a page, a case that fires, or one that is silent.
fn gap(rule: &Rule, pages: &[Page], folder: &str) -> Option<String> {
    let Some(page) = pages.iter().find(|page| page.rule == rule.name) else {
        return Some(format!("{}: it has no page {}", rule.path, page_path(folder, &rule.name)));
    };
    let firing = page.cases.iter().filter(|case| page.fires(case)).count();
    if firing == 0 {
        return Some(format!("{}: in no case does `{}` find anything", page.path, rule.name));
    }
    (firing == page.cases.len()).then(|| {
        format!("{}: in no case is `{}` silent; a healthy program belongs here", page.path, rule.name)
    })
}

/// That a page has the name of no rule, which may be a slip of the pen.
fn stray(page: &Page, rules: &[Rule]) -> Option<String> {
    if rules.iter().any(|rule| rule.name == page.rule) {
        return None;
    }
    let near =
        nearest(&page.rule, rules).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Some(format!("{}: it has the name of no rule{near}", page.path))
}

fn page_path(folder: &str, rule: &str) -> String {
    format!("{}/{rule}.md", folder.trim_end_matches('/'))
}
