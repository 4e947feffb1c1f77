//! A library whose tests stand in other files.

mod store;
#[cfg(test)]
mod checks;
#[cfg(test)]
pub(crate) mod helpers;

pub fn add(db: &Connection) {
    db.execute("INSERT INTO item VALUES (1)", []);
}
