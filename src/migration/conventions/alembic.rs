//! Alembic: files of Python, each of which names the one before it.

use crate::migration::convention::{Convention, InCode, Link, PLAIN};

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Alembic",
    wraps: false,
    words: &["from alembic", "import alembic"],
    in_code: InCode::All,
    files: &["alembic.ini"],
    links,
    own_tables: &[(
        "alembic_version",
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
    )],
    ..PLAIN
};

/// What a migration calls itself, and the one before it, or those.
fn links(path: &str, text: &str) -> Option<Link> {
    path.rsplit_once('.').filter(|(_, ending)| *ending == "py")?;
    let value = |name: &str| {
        text.lines().find_map(|line| {
            let (head, value) = line.split_once('=')?;
            (head.split(':').next()?.trim_end() == name).then_some(value)
        })
    };
    let names =
        |value: &str| value.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned).collect::<Vec<String>>();
    let before = value("down_revision")?;
    let own = names(value("revision")?).into_iter().next()?;
    Some(Link { own, before: names(before) })
}
