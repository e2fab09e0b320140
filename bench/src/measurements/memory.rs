//! The memory of a running server, from the proc file system; on other systems it is unknown.

use std::fs;

use anyhow::{Context, Result};
use xtask::running_server::RunningServer;

use super::machine;

/// Forgets the most memory that a server had, so that the next reading is of what comes after.
pub(crate) fn forget_peak(server: &RunningServer) -> Result<()> {
    fs::write(format!("/proc/{}/clear_refs", server.id()), "5").context("the peak cannot be reset")
}

/// The most memory that it had at one time.
pub(crate) fn peak_kibibytes(server: &RunningServer) -> Option<f64> {
    kibibytes(server, "VmHWM")
}

/// The memory that it has.
pub(crate) fn resident_kibibytes(server: &RunningServer) -> Option<f64> {
    kibibytes(server, "VmRSS")
}

fn kibibytes(server: &RunningServer, field: &str) -> Option<f64> {
    let text = machine::field(&format!("/proc/{}/status", server.id()), field)?;
    text.split_whitespace().next()?.parse().ok()
}
