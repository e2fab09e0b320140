//! Runs the cases of `tests/provider/`: the built server with a certified provider of identities from npm, first without a window,
//! then with the Chromium of the system and its virtual authenticator.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::tally::Tally;
use super::{Outcome, application, run_to_success};
use crate::services::install::{find_program, install};
use crate::workspace::Workspace;

const NPM: [&str; 2] = ["oidc-provider@9.13.3", "playwright-core@1.65.1"];

/// Runs the cases and adds their counts.
pub(super) fn walk(workspace: &Workspace, offline: bool, tally: &mut Tally) -> Result<Outcome> {
    if offline {
        return Ok(Outcome::Skipped("the provider comes from npm and --offline was given"));
    }
    let directory = workspace.target.join("provider");
    fs::create_dir_all(&directory)?;
    if !is_fetched(&directory)? {
        return Ok(Outcome::Skipped("the provider cannot be had from npm here"));
    }
    for entry in fs::read_dir(workspace.root.join("tests/provider"))? {
        let entry = entry?;
        fs::copy(entry.path(), directory.join(entry.file_name()))?;
    }
    let mut cases = Command::new("node");
    cases.current_dir(&directory).arg("run.mjs").arg(workspace.target.join("debug/planwright"));
    application::ensure_browser(offline)?;
    cases.args(find_program(application::BROWSER));
    let output = cases.output().context("node cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let (passed, failed) = counts(&text).context("the cases did not end with their counts")?;
    tally.passed += passed;
    tally.failed += failed;
    match failed {
        0 => Ok(Outcome::Passed),
        _ => bail!("{failed} cases failed"),
    }
}

/// Fetches the packages once; false says that they cannot be had here.
fn is_fetched(directory: &PathBuf) -> Result<bool> {
    let stamp = directory.join("stamp");
    let wanted = NPM.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(true);
    }
    if find_program("npm").is_none() {
        install(&["nodejs", "npm"])?;
    }
    fs::write(directory.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n")?;
    let mut npm = Command::new("npm");
    npm.current_dir(directory).args(["install", "--silent", "--no-audit", "--no-fund"]).args(NPM);
    if run_to_success(&mut npm).is_err() {
        return Ok(false);
    }
    fs::write(stamp, wanted)?;
    Ok(true)
}

/// The counts of the last line: `N passed, N failed`.
fn counts(text: &str) -> Option<(usize, usize)> {
    let (passed, failed) = text.trim_end().lines().last()?.split_once(" passed, ")?;
    Some((passed.parse().ok()?, failed.strip_suffix(" failed")?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_has_the_counts() {
        assert_eq!(counts("ok   one\n3 passed, 1 failed\n"), Some((3, 1)));
        assert_eq!(counts("the server ended"), None);
    }
}
