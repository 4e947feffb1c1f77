//! Which files matter to a run, for an editor that watches them.

use crate::{config, extract};
use gen_lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration,
    RegistrationParams,
};
use std::path::Path;

/// What an editor is asked to watch.
pub(super) fn registration() -> RegistrationParams {
    let endings: Vec<&str> =
        extract::languages::ALL.iter().flat_map(|language| language.extensions).copied().collect();
    let patterns = [format!("**/*.{{{}}}", endings.join(",")), "**/planlint*".to_owned()];
    let watcher = |pattern| FileSystemWatcher { glob_pattern: GlobPattern::Pattern(pattern), kind: None };
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: patterns.map(watcher).into() };
    let registration = Registration {
        id: "planlint-files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    RegistrationParams { registrations: vec![registration] }
}

/// Whether a change of a file can change what is found.
pub(super) fn matters(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.starts_with("planlint") || extract::is_wanted(&path.to_string_lossy())
}

/// Whether a file says where a tree begins.
pub(super) fn is_configuration(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == config::FILE_NAME)
}
