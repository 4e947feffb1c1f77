//! What the program works with.

pub fn serve(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 3", []);
    crate::shared(db);
}

pub fn handler(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 4", []);
}

pub fn unused(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 5", []);
    only_from_unused(db);
}

fn only_from_unused(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 6", []);
}

#[get("/jobs")]
fn route(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 7", []);
}

#[inline]
fn inert(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 8", []);
}

fn migrate_to_v2(db: &Connection) {
    db.execute_batch("ALTER TABLE job ADD COLUMN at");
}

#[cfg_attr(test, derive(Debug))]
pub struct Plain;

#[cfg_attr(test, allow(dead_code))]
#[must_use]
pub fn not_a_test(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 9", []);
}

#[cfg(not(test))]
fn real_clock(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 10", []);
}

#[cfg(test)]
fn fake_clock(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 11", []);
}

#[cfg(test)]
use std::fmt;

fn behind_a_test_import(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 12", []);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn helper(db: &Connection) {
        db.execute("DELETE FROM job WHERE id = 13", []);
    }

    #[test]
    fn unused_works() {
        unused(&db());
    }
}

fn behind_the_tests(db: &Connection) {
    db.execute("DELETE FROM job WHERE id = 14", []);
}

#[tokio::test(flavor = "multi_thread")]
async fn asynchronous_test() {
    db.execute("DELETE FROM job WHERE id = 15", []);
}

#[rstest]
#[case(1)]
fn parametrised(#[case] id: u32) {
    db.execute("DELETE FROM job WHERE id = 16", []);
}

#[served]
impl Desk {
    fn asked_for(&self) {
        self.db.execute("DELETE FROM job WHERE id = 17", []);
    }
}

#[cfg(unix)]
impl Shelf {
    fn forgotten(&self) {
        self.db.execute("DELETE FROM job WHERE id = 18", []);
    }
}
