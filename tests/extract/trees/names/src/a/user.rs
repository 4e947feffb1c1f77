//! Uses names of the same folder, and of another.

use super::names::{self, NEAR_QUERY, TABLE};

const TAIL: &str = "LIMIT 1";

fn uses(db: &Connection) {
    db.prepare(NEAR_QUERY);
    db.prepare(&format!("SELECT id FROM {TABLE} {TAIL}"));
    db.prepare(&format!("SELECT {} FROM {}", Schema::COLUMNS, names::TABLE));
    db.prepare(&format!("SELECT id FROM t {}", fragment));
    db.prepare(&format!("{FAR_QUERY} {TAIL}"));
    for id in ids {
        db.prepare(crate::b::names::FAR_QUERY);
    }
}
