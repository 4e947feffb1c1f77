//! All that reads what a stranger wrote, on texts made from a seed: fixtures, changed at random, cut off at each byte and
//! nested deeply. The subjects are those of the fuzzer; what it finds becomes a fixture in `tests/never_panics/`.
//! `PLANLINT_SEEDS=FOLDER` writes what it starts from there, a folder for each subject.

#![cfg(test)]
#![expect(clippy::print_stderr, reason = "what a reader does not bear is said where it is read")]

#[path = "never_panics/nested.rs"]
mod nested;
#[path = "never_panics/seeds.rs"]
mod seeds;
#[path = "fuzz/subjects.rs"]
mod subjects;

use seeds::{Random, mutated, seeds};
use std::{fs, path::Path, thread};
use subjects::{ALL, Subject};

/// Says what was read, if that panics.
struct Told<'a>(&'static str, &'a [u8]);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let shown: String = String::from_utf8_lossy(self.1).chars().take(3_000).collect();
            eprintln!("{} does not bear {} bytes: {shown:?}", self.0, self.1.len());
        }
    }
}

fn read((name, run): Subject, bytes: &[u8]) {
    let _told = Told(name, bytes);
    run(bytes);
}

/// The subject of this name.
fn subject(name: &str) -> Subject {
    *ALL.iter().find(|(own, _)| *own == name).unwrap()
}

fn changed(name: &str, rounds: u32) {
    let subject = subject(name);
    let seeds = seeds(name);
    assert!(seeds.len() > 3, "{name} has {} seeds", seeds.len());
    let mut random = Random::new(name);
    for seed in seeds.iter().filter(|seed| seed.len() < 4_000) {
        read(subject, seed);
    }
    for _ in 0..rounds {
        read(subject, &mutated(&seeds, &mut random));
    }
}

#[test]
fn sources_of_any_language_are_read_to_their_end() {
    changed("sources", 1_500);
}

#[test]
fn statements_of_any_kind_are_read_to_their_end() {
    changed("statements", 1_500);
}

#[test]
fn plans_in_any_words_are_read_to_their_end() {
    changed("plans", 10_000);
}

#[test]
fn configurations_of_any_kind_are_read_to_their_end() {
    changed("configuration", 6_000);
    changed("sizes", 6_000);
}

#[test]
fn rules_and_their_pages_are_read_to_their_end() {
    changed("rules", 5_000);
}

#[test]
fn pages_of_any_bytes_are_read_to_their_end() {
    changed("pages", 20_000);
}

#[test]
fn comments_of_any_kind_are_read_to_their_end() {
    changed("comments", 1_000);
}

#[test]
fn logs_of_any_kind_are_read_to_their_end() {
    changed("logs", 3_000);
}

#[test]
fn what_is_cut_off_anywhere_is_read_to_its_end() {
    for subject in ALL {
        let mut seeds = seeds(subject.0);
        seeds.retain(|seed| (150..700).contains(&seed.len()));
        // One of each language, and few of the rest.
        seeds.sort();
        seeds.dedup_by_key(|seed| seed.first().copied());
        for seed in seeds.iter().take(14) {
            let step = if matches!(subject.0, "statements" | "sources" | "comments") { 5 } else { 1 };
            for end in (0..seed.len()).step_by(step) {
                read(subject, seed.get(..end).unwrap());
            }
        }
    }
}

/// What the fuzzer found: each file in a folder that is called after its subject.
#[test]
fn what_was_once_too_much_is_read_to_its_end() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/never_panics");
    let mut count = 0;
    for subject in ALL {
        let Ok(files) = fs::read_dir(folder.join(subject.0)) else { continue };
        for file in files {
            read(subject, &fs::read(file.unwrap().path()).unwrap());
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn what_the_fuzzer_starts_from_is_written_where_it_is_asked_for() {
    let Some(folder) = std::env::var_os("PLANLINT_SEEDS") else { return };
    for (name, _) in ALL {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds(name).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed).unwrap();
        }
    }
}
