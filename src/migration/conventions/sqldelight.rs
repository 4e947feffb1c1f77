//! `SQLDelight`: .sq files hold the schema as it is, and the queries under their names; .sqm files lead from one version
//! to the next. Below a source folder, all are of one database.

mod reader;

use crate::migration::convention::{Convention, PLAIN, Place, Texts};
use crate::source::{Source, SourceId};
use reader::Reader;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "SQLDelight",
    reads: |others| others.iter().map(String::as_str).filter(|path| kind(path).is_some()).collect(),
    place,
    is_snapshot: |path| kind(path) == Some("sq"),
    texts,
    ..PLAIN
};

/// `sq` or `sqm`.
fn kind(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, ending)| ending).filter(|ending| matches!(*ending, "sq" | "sqm"))
}

/// The source folder is the one called sqldelight, or one below with a name of its own: packages begin behind it.
fn place(path: &str) -> Option<Place<'_>> {
    const FOLDER: &str = "sqldelight";
    kind(path)?;
    let at = path.rfind("/sqldelight").map(|at| at + 1).or_else(|| path.starts_with(FOLDER).then_some(0))?;
    let end = path.get(at..)?.find('/').map(|length| at + length)?;
    let part = path.rsplit('/').next()?;
    Some(Place { folder: path.get(..end)?, part, number: None })
}

fn texts(id: SourceId, source: &Source) -> Option<Texts> {
    let kind = kind(&source.path)?;
    let texts = Reader::new(id, source.text()).read();
    Some(Texts { is_history: kind == "sqm", ..texts })
}
