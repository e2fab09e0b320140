//! The audit of all parts of planwright: licences and sources, known vulnerabilities, and the list of parts. The
//! tools come from crates.io into the target directory. `deny.toml` says what is accepted.

use std::path::PathBuf;

use anyhow::{Context, Result};
use xtask::workspace::{Workspace, cargo};

use super::{Outcome, run_to_success};

/// A tool, with the version that is used.
struct Tool {
    name: &'static str,
    version: &'static str,
}

const DENY: Tool = Tool { name: "cargo-deny", version: "0.20.2" };
const CYCLONEDX: Tool = Tool { name: "cargo-cyclonedx", version: "0.5.9" };

/// The crate of the program, and what its list of parts is called.
const SERVER: &str = "planwright-server";
const PARTS: &str = "planwright-parts";

/// Every licence is accepted, every crate comes from crates.io, and none is refused.
pub(super) fn licences(workspace: &Workspace, offline: bool) -> Result<Outcome> {
    deny(workspace, offline, &["bans", "licenses", "sources"])
}

/// No crate has a known vulnerability or is abandoned.
pub(super) fn advisories(workspace: &Workspace, offline: bool) -> Result<Outcome> {
    if offline {
        return Ok(Outcome::Skipped("the list of advisories is fetched, and --offline was given"));
    }
    deny(workspace, offline, &["advisories"])
        .context("either a crate has an advisory, or github.com/rustsec/advisory-db could not be fetched")
}

/// Writes the list of parts of the program as CycloneDX.
pub(super) fn list_of_parts(workspace: &Workspace, offline: bool) -> Result<Outcome> {
    let Some(list) = write_list_of_parts(workspace, offline)? else { return Ok(NOT_INSTALLED) };
    println!("{}", list.display());
    Ok(Outcome::Passed)
}

/// Writes that list beside what was built and says where; nothing when its tool is missing and may not be installed.
pub(crate) fn write_list_of_parts(workspace: &Workspace, offline: bool) -> Result<Option<PathBuf>> {
    let Some(tool) = installed(workspace, &CYCLONEDX, offline)? else { return Ok(None) };
    let mut command = std::process::Command::new(tool);
    command.current_dir(&workspace.root).args(["cyclonedx", "--format", "json"]);
    run_to_success(command.args(["--override-filename", PARTS]))?;
    let kept = workspace.target.join(PARTS).with_extension("json");
    // The tool writes a list into the directory of every crate; that of the server has all parts of the program.
    for package in &workspace.packages {
        let list = workspace.root.join(&package.manifest).with_file_name(PARTS).with_extension("json");
        match package.name == SERVER {
            true => std::fs::rename(&list, &kept),
            false => std::fs::remove_file(&list),
        }
        .with_context(|| format!("moving {}", list.display()))?;
    }
    Ok(Some(kept))
}

const NOT_INSTALLED: Outcome = Outcome::Skipped("its tool is not installed and --offline was given");

fn deny(workspace: &Workspace, offline: bool, checks: &[&str]) -> Result<Outcome> {
    let Some(tool) = installed(workspace, &DENY, offline)? else { return Ok(NOT_INSTALLED) };
    let mut command = std::process::Command::new(tool);
    run_to_success(command.current_dir(&workspace.root).arg("check").args(checks))?;
    Ok(Outcome::Passed)
}

/// Where a tool is; it is compiled first when its version is not there yet, and nothing without a network.
fn installed(workspace: &Workspace, tool: &Tool, offline: bool) -> Result<Option<PathBuf>> {
    let home = workspace.target.join(format!("tools/{}-{}", tool.name, tool.version));
    let program = home.join("bin").join(tool.name);
    if program.is_file() {
        return Ok(Some(program));
    }
    if offline {
        return Ok(None);
    }
    let mut install = cargo();
    install.args(["install", "--locked", "--version", tool.version, "--root"]).arg(&home).arg(tool.name);
    run_to_success(install.current_dir(&workspace.target))
        .with_context(|| format!("could not install {} {}", tool.name, tool.version))?;
    Ok(Some(program))
}
