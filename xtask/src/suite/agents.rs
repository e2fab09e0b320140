//! Runs the cases of `tests/agents/`: the official clients of the Model Context Protocol from npm and PyPI, against the built
//! server, over HTTP and over standard input.

use anyhow::Result;
use xtask::workspace::Workspace;

use super::packages::Packages;
use super::report::Report;
use super::{Outcome, cases};

const NPM: [&str; 1] = ["@modelcontextprotocol/sdk@1.32.2"];
const PYPI: [&str; 1] = ["mcp==2.3.0"];

/// Runs the cases and adds their counts.
pub(super) fn ask(workspace: &Workspace, offline: bool, report: &mut Report) -> Result<Outcome> {
    if offline {
        return Ok(Outcome::Skipped("the clients come from npm and PyPI and --offline was given"));
    }
    let packages = Packages { directory: workspace.target.join("agents"), npm: &NPM, pypi: &PYPI };
    if !packages.are_there()? {
        return Ok(Outcome::Skipped("the clients cannot be had from npm and PyPI here"));
    }
    let python = packages.directory.join("python/bin/python");
    cases::run(workspace, &packages, "agents", Some(&python), report)
}
