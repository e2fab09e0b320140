//! Cases that are written in the language of a client: a folder of `tests/` with a `run.mjs`, which starts the built server, goes
//! through its cases and ends with their counts.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use xtask::workspace::Workspace;

use super::Outcome;
use super::packages::Packages;
use super::report::Report;

/// How a case starts and stops the server; it is put beside the files of each folder.
const SERVER: &str = "tests/server.mjs";

/// Runs the cases of a folder with its packages and perhaps with another program, and adds their counts.
pub(super) fn run(
    workspace: &Workspace,
    packages: &Packages,
    folder: &str,
    with: Option<&Path>,
    report: &mut Report,
) -> Result<Outcome> {
    fs::copy(workspace.root.join(SERVER), packages.directory.join("server.mjs"))?;
    for entry in fs::read_dir(workspace.root.join("tests").join(folder))? {
        let entry = entry?;
        fs::copy(entry.path(), packages.directory.join(entry.file_name()))?;
    }
    let mut cases = packages.inside("node");
    cases.arg("run.mjs").arg(workspace.target.join("debug/planwright")).args(with);
    let output = cases.output().context("node cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    text.lines().for_each(|line| report.read_case(folder, line));
    let said = String::from_utf8_lossy(&output.stderr);
    let (passed, failed) =
        counts(&text).with_context(|| format!("the cases did not end with their counts: {said}"))?;
    report.tally.passed += passed;
    report.tally.failed += failed;
    match failed {
        0 => Ok(Outcome::Passed),
        _ => bail!("{failed} cases failed"),
    }
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
