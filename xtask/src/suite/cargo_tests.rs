//! Runs `cargo test` against the private services and counts what its test binaries report.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use super::tally::Tally;
use crate::services::Services;
use crate::workspace::{Workspace, cargo};

/// Runs every test, or those whose name contains `only`, and shows the output as it comes.
///
/// The counts are returned even when a test failed; the second value is how the run ended.
pub(super) fn run(
    workspace: &Workspace,
    services: &Services,
    only: Option<&str>,
) -> Result<(Tally, Result<()>)> {
    let mut command = cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]).args(only);
    for (name, value) in services.variables() {
        command.env(name, value);
    }
    let mut process = command
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("could not run cargo test")?;
    let output = process.stdout.take().context("cargo test has no output")?;
    let mut tally = Tally::default();
    // Split by bytes: a test may print what is not UTF-8.
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("could not read what cargo test prints")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        if let Some(counted) = Tally::from_test_result(&line) {
            tally.add(&counted);
        }
    }
    let status = process.wait().context("could not wait for cargo test")?;
    Ok((tally, judge(status.success())))
}

fn judge(succeeded: bool) -> Result<()> {
    if !succeeded {
        bail!("a test failed or did not compile; see above");
    }
    Ok(())
}
