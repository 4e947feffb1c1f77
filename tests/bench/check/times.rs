//! What benches say of times.

use std::time::Duration;

/// The one in the middle, of times in order.
pub fn median(times: &[Duration]) -> Duration {
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The median, and all of them.
pub fn line(times: &[Duration]) -> String {
    let all: Vec<String> = times.iter().map(|time| format!("{:.1}", time.as_secs_f64() * 1e3)).collect();
    format!("{:.1} ms (of {})", median(times).as_secs_f64() * 1e3, all.join(", "))
}
