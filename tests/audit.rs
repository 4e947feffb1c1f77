//! The audit of database files: what it says is right, and it leaves no trace, whatever the file is and whoever writes to it.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics has failed, also in a function that several tests share"
)]

#[path = "audit/beside.rs"]
mod beside;
#[cfg(target_os = "linux")]
#[path = "audit/creation.rs"]
mod creation;
#[path = "audit/declared.rs"]
mod declared;
#[path = "audit/estimates.rs"]
mod estimates;
#[path = "audit/folder.rs"]
mod folder;
#[path = "audit/forecast.rs"]
mod forecast;
#[path = "audit/page.rs"]
mod page;
#[cfg(unix)]
#[path = "audit/readonly.rs"]
mod readonly;
mod repository;
#[path = "audit/stats.rs"]
mod stats;
#[path = "audit/strange.rs"]
mod strange;
#[path = "audit/ways.rs"]
mod ways;
#[path = "audit/writer.rs"]
mod writer;
