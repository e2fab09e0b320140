//! A description of the machine of a measurement: processor, memory, load and commit.

use std::fs;
use std::process::{Command, Stdio};

/// One line about the machine and the moment.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = memory_gibibytes().map_or(String::new(), |size| format!(", {size} GiB of memory"));
    let load = load_average().unwrap_or_else(|| "not known".to_owned());
    let commit = commit().unwrap_or_else(|| "no commit".to_owned());
    format!("{cores} cores of {}{memory}; load average before: {load}; {commit}.", processor())
}

fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn memory_gibibytes() -> Option<u64> {
    let kibibytes: u64 = field("/proc/meminfo", "MemTotal")?.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.div_ceil(1024 * 1024))
}

fn load_average() -> Option<String> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    Some(text.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
}

fn commit() -> Option<String> {
    let output = Command::new("git")
        .args(["log", "-1", "--format=commit %h of %cs"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// The value behind `name:` in a file of the proc file system.
pub(crate) fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}
