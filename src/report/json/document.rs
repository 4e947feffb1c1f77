//! What all JSON of planlint begins with. Knows nothing of what follows.

use serde::Serialize;

/// What each document begins with, and its own.
#[derive(Serialize)]
struct Document<'a, T> {
    version: u32,
    planlint: &'a str,
    sqlite: &'a str,
    root: Option<&'a str>,
    #[serde(flatten)]
    own: T,
}

/// A document on one line, with a line break at its end.
pub(super) fn document<T: Serialize>(sqlite: &str, root: Option<&str>, own: T) -> String {
    let document = Document { version: 1, planlint: env!("CARGO_PKG_VERSION"), sqlite, root, own };
    // Strings, numbers and lists always have a JSON; an empty text would be the only other answer.
    let mut text = serde_json::to_string(&document).unwrap_or_default();
    text.push('\n');
    text
}
