//! Files as editors name them: `file:` URIs.

use gen_lsp_types::Uri;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The path of a file; `None` for what is no file, such as a text that was never saved.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let text = decoded(rest.split(['?', '#']).next()?)?;
    let mut letters = text.chars().skip(1);
    let is_drive = letters.next().is_some_and(|one| one.is_ascii_alphabetic()) && letters.next() == Some(':');
    if cfg!(windows) && is_drive {
        return Some(PathBuf::from(text.get(1..)?.replace('/', "\\")));
    }
    text.starts_with('/').then(|| PathBuf::from(text))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |one: Option<u8>| char::from(one?).to_digit(16);
        bytes.push(if byte == b'%' { (digit(rest.next())? * 16 + digit(rest.next())?) as u8 } else { byte });
    }
    String::from_utf8(bytes).ok()
}

/// The URI of a path.
pub(super) fn of(path: &Path) -> Uri {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.trim_start_matches(r"\\?\").replace('\\', "/") } else { text.into() };
    let mut uri = "file://".to_owned();
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    Uri(uri)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_same_there_and_back() {
        for text in ["/a/b c.rs", "/ä/50%.sql", "/a#b?c.py", "/c:/x.go"] {
            assert_eq!(path(&of(Path::new(text))), Some(PathBuf::from(text)));
        }
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        assert_eq!(path(&Uri("file://localhost/a%20b".into())), Some(PathBuf::from("/a b")));
        for text in ["untitled:one", "file:///a%", "file:///%zz", "file:///%ff", "file://host/a", ""] {
            assert_eq!(path(&Uri(text.into())), None, "{text}");
        }
    }
}
