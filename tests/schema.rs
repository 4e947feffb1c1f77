//! A live database under guard: what migrations do, what statements read, and what is refused.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice,
    reason = "a test that panics has failed, also in a function that several tests share"
)]

#[path = "schema/applying.rs"]
mod applying;
#[path = "schema/comparing.rs"]
mod comparing;
#[path = "schema/constructs.rs"]
mod constructs;
#[path = "schema/copies.rs"]
mod copies;
#[path = "schema/explaining.rs"]
mod explaining;
#[path = "schema/hostile.rs"]
mod hostile;
#[path = "schema/listing.rs"]
mod listing;
#[path = "schema/random.rs"]
mod random;
#[path = "schema/splitting.rs"]
mod splitting;

use planlint::schema::{Effect, Live, Refusal, Settings};

/// A database made by a text that must be taken whole.
fn made_by(sql: &str) -> Live {
    made_with(&Settings::default(), sql)
}

fn made_with(settings: &Settings, sql: &str) -> Live {
    let mut live = Live::open(settings).unwrap();
    for applied in live.apply(sql) {
        let statement = &sql[applied.start..applied.end];
        assert!(applied.outcome.is_ok(), "{statement}: {:?}", applied.outcome);
    }
    live
}

/// What came of the statements of a text, in order.
fn outcomes(live: &mut Live, sql: &str) -> Vec<Result<Effect, Refusal>> {
    live.apply(sql).into_iter().map(|applied| applied.outcome).collect()
}

/// What came of the only statement of a text.
fn outcome(live: &mut Live, sql: &str) -> Result<Effect, Refusal> {
    let mut all = outcomes(live, sql);
    assert_eq!(all.len(), 1, "{sql}");
    all.remove(0)
}
