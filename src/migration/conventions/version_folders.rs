//! A folder for each version of the program, `0.9` or `42`, with files that are numbered or not.

use crate::migration::convention::{Convention, PLAIN, Place};
use crate::migration::file_number;
use crate::source::folder_of;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention { name: "folders of versions", place, reached, ..PLAIN };

/// The most files of a folder, less one.
const FILES: u64 = 1000;

/// The place of a file in a folder that is named after a version.
fn place(path: &str) -> Option<Place<'_>> {
    let (folder, file) = path.rsplit_once('/')?;
    let number = match whole(folder)? {
        // A folder of one number has files that have none.
        (version, true) => version + file_number(file).unwrap_or(0) + 1,
        (version, false) => version.checked_add(file_number(file)?)?.checked_add(1)?,
    };
    let folder = folder_of(folder);
    Some(Place { folder, part: file, number: Some(number) })
}

/// A snapshot in such a folder has what all files of that version do.
fn reached(path: &str) -> Option<u64> {
    let (version, _) = whole(path.rsplit_once('/')?.0)?;
    version.checked_add(FILES - 1)
}

/// The version that a folder is named after, with room behind it for the numbers of files, and whether that is one number.
fn whole(folder: &str) -> Option<(u64, bool)> {
    let name = folder.rsplit('/').next()?;
    match name.parse::<u64>() {
        Ok(one) => Some((Some(one).filter(|one| *one < 1000)? * FILES, true)),
        Err(_) => Some((version(name)?, false)),
    }
}

/// The version that a folder is named after: `0.17`, with room behind it for the number of a file; what was tried before a version is
/// in front of it: `v1.0.0-beta`, `v1.0.0-rc1`, `v1.0.0`.
fn version(name: &str) -> Option<u64> {
    let (digits, tried) = name.trim_start_matches('v').split_once('-').unzip();
    let digits = digits.unwrap_or(name).trim_start_matches('v');
    let parts: Option<Vec<u64>> = digits.split('.').map(|part| part.parse().ok()).collect();
    let parts =
        parts.filter(|parts| (2..=3).contains(&parts.len()) && parts.iter().all(|part| *part < 1000))?;
    let three = parts.into_iter().chain(std::iter::repeat(0)).take(3);
    let whole = three.fold(0, |version, part| version * 1000 + part) * FILES;
    match tried.map(|word| word.bytes().next()) {
        None => Some(whole),
        Some(Some(first @ b'a'..=b'z')) => {
            whole.checked_sub(FILES / 2)?.checked_add(u64::from(first - b'a') * 10)
        }
        Some(_) => None,
    }
}
