//! Releases whose declarations stood elsewhere.

use super::{INDEX, NONE, PROGRAM, checked, found, lacking, released, schema, store};
use crate::repository::Repository;

#[test]
fn folders_that_were_renamed_are_followed_back() {
    // A name that is too short to be looked for by itself.
    let short = |index: &str| store(index).replace("INITIAL_SCHEMA", "TABLES");
    let repository = Repository::empty();
    let folders = ["store/src", "crates/store/src", "packages/store/src"];
    for (folder, tag) in folders.iter().zip(["v1.0", "v1.1", "v1.2"]) {
        repository.write(&format!("{folder}/db.rs"), &short(""));
        repository.commit();
        repository.git(&["tag", tag]);
        repository.git(&["rm", "--quiet", "-r", folder]);
    }
    repository.write("apps/store/src/db.rs", &short(INDEX));
    assert_eq!(found(&checked(repository.path())), lacking("v1.0 to v1.2"));
}

#[test]
fn a_constant_that_moved_to_a_file_of_another_name_is_found_by_its_own() {
    let repository = Repository::empty();
    repository.write("src/main.rs", &store(""));
    repository.commit();
    repository.git(&["tag", "v1.0"]);
    repository.write("src/main.rs", PROGRAM);
    repository.write("src/tables/initial.rs", &schema(""));
    repository.commit();
    repository.git(&["tag", "v1.1"]);
    repository.git(&["rm", "--quiet", "-r", "src/tables"]);
    repository.write("src/schema.rs", &schema(INDEX));
    assert_eq!(found(&checked(repository.path())), lacking("v1.0 to v1.1"));
}

#[test]
fn a_file_that_got_another_name_and_nothing_else_is_found_by_what_it_declares() {
    let repository = Repository::empty();
    repository.write("src/main.rs", PROGRAM);
    repository.write("src/initial.rs", &schema(""));
    repository.commit();
    repository.git(&["tag", "v1.0"]);
    repository.git(&["mv", "src/initial.rs", "src/schema.rs"]);
    repository.commit();
    repository.git(&["tag", "v1.1"]);
    repository.write("src/schema.rs", &schema(INDEX));
    assert_eq!(found(&checked(repository.path())), lacking("v1.0 to v1.1"));
}

#[test]
fn a_series_of_migrations_that_moved_is_the_same_series() {
    let table =
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, barcode TEXT NOT NULL, weight INTEGER NOT NULL);\n";
    let index = "CREATE INDEX parcels_by_barcode ON parcels (barcode);\n";
    let repository = Repository::empty();
    repository.write("src/store.rs", PROGRAM);
    repository.write("migrations/0001_parcels.sql", table);
    repository.commit();
    repository.git(&["tag", "v1.0"]);
    repository
        .write("migrations/0002_by_weight.sql", "CREATE INDEX parcels_by_weight ON parcels (weight);\n");
    repository.commit();
    repository.git(&["tag", "v1.1"]);
    repository.write("db/.keep", "");
    repository.git(&["mv", "migrations", "db/migrations"]);
    repository.write("db/migrations/0003_by_barcode.sql", index);
    assert_eq!(found(&checked(repository.path())), NONE);
    repository.write("db/migrations/0003_by_barcode.sql", "");
    repository.write("db/migrations/0001_parcels.sql", &format!("{table}{index}"));
    let edited = "edited-migration: this migration is not what v1.1 released: databases that ran it then do \
                  not run it again";
    assert_eq!(
        found(&checked(repository.path())),
        [lacking("v1.0 to v1.1"), vec![edited.to_owned()]].concat()
    );
}

#[test]
fn a_database_that_is_younger_than_a_release_was_not_there_then() {
    let repository = released("src/db.rs", &["v1.0"]);
    let letters = |index: &str| store(index).replace("parcel", "letter").replace("INITIAL", "LETTER");
    repository.write("src/letters.rs", &letters(""));
    repository.commit();
    repository.git(&["tag", "v1.1"]);
    repository.write("src/letters.rs", &letters(INDEX));
    let expected = lacking("v1.1").pop().unwrap().replace("parcel", "letter");
    let outcome = checked(repository.path());
    assert_eq!(found(&outcome), [expected]);
    assert!(!outcome.report.guesses.iter().any(|one| one.contains("v1.0")), "{:?}", outcome.report.guesses);
}
