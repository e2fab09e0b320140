//! The committed `openapi.json`: a test makes it from types, and here it is checked to be valid OpenAPI. The validator
//! comes from PyPI into a virtual environment under the target directory.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use xtask::services::install::{find_program, install};
use xtask::workspace::{Workspace, linting_cargo};

use super::{Outcome, run_to_success};

const FILE: &str = "openapi.json";
/// The test that makes the document.
const MAKING: &str = "the_committed_document_is_made_from_the_types";
const VALIDATOR: &str = "openapi-spec-validator==0.9.0";

/// Compares the committed document with the one that the types make, or writes it again.
pub(super) fn make(workspace: &Workspace, write: bool) -> Result<Outcome> {
    let mut command = linting_cargo();
    command.args(["test", "--workspace", "--test", "api", MAKING]).current_dir(&workspace.root);
    run_to_success(if write { command.env("PLANWRIGHT_WRITE_OPENAPI", "1") } else { &mut command })?;
    Ok(Outcome::Passed)
}

/// Validates the committed document with openapi-spec-validator.
pub(super) fn is_valid(workspace: &Workspace, offline: bool) -> Result<Outcome> {
    let committed = workspace.root.join(FILE);
    if !committed.is_file() {
        return Ok(Outcome::Skipped("there is no openapi.json yet"));
    }
    let environment = workspace.target.join("venv");
    if !is_prepared(&environment) {
        if offline {
            return Ok(Outcome::Skipped("the validator is not installed and --offline was given"));
        }
        prepare(&environment).context(
            "could not get openapi-spec-validator from PyPI; without a network, give --offline to skip this",
        )?;
    }
    run_to_success(Command::new(environment.join("bin/openapi-spec-validator")).arg(&committed))?;
    Ok(Outcome::Passed)
}

fn is_prepared(environment: &Path) -> bool {
    let stamp = fs::read_to_string(environment.join("planwright-stamp"));
    stamp.is_ok_and(|version| version == VALIDATOR)
}

fn prepare(environment: &Path) -> Result<()> {
    if find_program("python3").is_none() {
        install(&["python3-venv"])?;
    }
    let mut create = Command::new("python3");
    create.args(["-m", "venv", "--clear"]).arg(environment);
    if run_to_success(&mut create).is_err() {
        // Debian's python3 comes without what `venv` needs.
        install(&["python3-venv"])?;
        run_to_success(&mut create)?;
    }
    let mut pip = Command::new(environment.join("bin/pip"));
    run_to_success(pip.args(["install", "--quiet", "--disable-pip-version-check", VALIDATOR]))?;
    fs::write(environment.join("planwright-stamp"), VALIDATOR)?;
    Ok(())
}
