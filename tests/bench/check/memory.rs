//! How much memory a process holds, as far as the system says.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// The most resident memory of a run, in kilobytes, as the system last said; in a run of its own, since it looks on.
pub fn peak_memory(mut command: Command) -> io::Result<Option<u64>> {
    let mut child = command.spawn()?;
    let status = Path::new("/proc").join(child.id().to_string()).join("status");
    let mut peak = None;
    while child.try_wait()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let most = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = most.and_then(|most| most.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kilobytes);
        thread::sleep(Duration::from_millis(1));
    }
    Ok(peak)
}
