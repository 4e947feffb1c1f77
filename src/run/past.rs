//! The releases of a tree, as a run comes by them. That they can't be read is no failure: then nothing is known of them, and
//! the report says why.

use super::CheckRequest;
use crate::{
    config::Config,
    extract::Extraction,
    migration::{
        Declaration,
        release::{self, Releases},
    },
    source::{Git, GitError, Sources, history::History},
};

/// Where the releases of a tree are read; `None` where it is in no repository.
pub(super) type Past = Result<Option<Box<dyn History>>, GitError>;

/// The releases of the tree, as git has them.
pub(super) fn past(request: &CheckRequest<'_>) -> Past {
    match Git::open(&request.root) {
        Ok(git) => Ok(Some(Box::new(git.without_fetching()))),
        Err(GitError::NoRepository(_) | GitError::NoGit(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What the releases declared.
pub(super) fn releases(
    past: &Past,
    config: &Config,
    sources: &Sources,
    extraction: &Extraction,
    declarations: &[Declaration],
) -> Releases {
    let unknown = |error: &GitError| Releases { unknown: Some(error.line()), ..Releases::default() };
    match past {
        Ok(None) => Releases::default(),
        Ok(Some(history)) => {
            let read = release::releases(config, history.as_ref(), sources, extraction, declarations);
            read.unwrap_or_else(|error| unknown(&error))
        }
        Err(error) => unknown(error),
    }
}
