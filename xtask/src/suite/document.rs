//! Checks the committed `openapi.json`: it is what the server prints, and it is valid OpenAPI. The validator comes
//! from PyPI into a virtual environment under the target directory.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use xtask::services::install::{find_program, install};
use xtask::workspace::Workspace;

use super::{Outcome, run_to_success};

const FILE: &str = "openapi.json";
const VALIDATOR: &str = "openapi-spec-validator==0.9.0";

/// Compares the committed document with what the built server prints.
pub(super) fn matches_server(workspace: &Workspace) -> Result<Outcome> {
    let committed = workspace.root.join(FILE);
    let server = workspace.target.join("debug/planwright");
    if !committed.is_file() || !server.is_file() {
        return Ok(Outcome::Skipped("it needs both openapi.json and the server binary"));
    }
    let output = Command::new(&server)
        .arg("openapi")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("could not run planwright openapi")?;
    if !output.status.success() {
        bail!("`planwright openapi` ended with {}", output.status);
    }
    let served = String::from_utf8(output.stdout).context("`planwright openapi` printed no UTF-8")?;
    if let Some(difference) = first_difference(&fs::read_to_string(&committed)?, &served) {
        bail!("{difference}\nrun: cargo run --package planwright-server -- openapi > {FILE}");
    }
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

fn first_difference(committed: &str, served: &str) -> Option<String> {
    if committed.trim_end() == served.trim_end() {
        return None;
    }
    let (mut old, mut new) = (committed.lines(), served.lines());
    let mut number = 0;
    loop {
        number += 1;
        let (before, after) = (old.next(), new.next());
        if before != after || before.is_none() {
            let show = |line: Option<&str>| line.map_or("(end of file)".to_owned(), shortened);
            return Some(format!(
                "{FILE}:{number} differs\n  file:   {}\n  server: {}",
                show(before),
                show(after)
            ));
        }
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(160).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_final_newline_makes_no_difference() {
        assert_eq!(first_difference("{}\n", "{}"), None);
    }

    #[test]
    fn names_the_first_line_that_differs() {
        let said = first_difference("{\n1\n}", "{\n2\n}").unwrap();
        assert!(said.starts_with("openapi.json:2 differs"), "{said}");
        let said = first_difference("{", "{\n}").unwrap();
        assert!(said.contains("(end of file)"), "{said}");
    }
}
