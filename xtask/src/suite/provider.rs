//! Runs the cases of `tests/provider/`: the built server with a certified provider of identities from npm, first without a window,
//! then with the Chromium of the system and its virtual authenticator.

use anyhow::Result;
use xtask::services::install::find_program;
use xtask::workspace::Workspace;

use super::packages::Packages;
use super::report::Report;
use super::{Outcome, application, cases};

const NPM: [&str; 2] = ["oidc-provider@9.13.3", "playwright-core@1.65.1"];

/// Runs the cases and adds their counts.
pub(super) fn walk(workspace: &Workspace, offline: bool, report: &mut Report) -> Result<Outcome> {
    if offline {
        return Ok(Outcome::Skipped("the provider comes from npm and --offline was given"));
    }
    let packages = Packages { directory: workspace.target.join("provider"), npm: &NPM, pypi: &[] };
    if !packages.are_there()? {
        return Ok(Outcome::Skipped("the provider cannot be had from npm here"));
    }
    application::ensure_browser(offline)?;
    cases::run(workspace, &packages, "provider", find_program(application::BROWSER).as_deref(), report)
}
