//! Builds the test binaries and the server in one pass of the compiler, which also lints them, and runs the binaries one
//! after another. They run without cargo, because only then they report the time of each test.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xtask::services::Services;
use xtask::workspace::{Workspace, cargo, linting_cargo};

use super::Outcome;
use super::report::Report;

/// One binary full of tests.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TestBinary {
    /// The name of its target.
    name: String,
    executable: PathBuf,
    /// Where cargo would run it.
    directory: PathBuf,
}

/// What a build of the workspace gives.
#[derive(Debug, Default)]
pub(super) struct Build {
    /// The binaries of tests.
    pub(super) binaries: Vec<TestBinary>,
    /// The warnings of the compiler and of clippy, each once, though most crates are compiled twice.
    warnings: HashSet<String>,
}

/// Builds everything; what cargo has to say appears as it comes.
pub(super) fn build(workspace: &Workspace) -> Result<Build> {
    let mut command = linting_cargo();
    command.args(["test", "--workspace", "--no-run", "--message-format", "json"]);
    command.current_dir(&workspace.root).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut process = command.spawn().context("could not run cargo test")?;
    let messages = process.stdout.take().context("cargo has no output")?;
    let mut build = Build::default();
    for line in BufReader::new(messages).lines() {
        let line = line.context("could not read what cargo prints")?;
        build.read(&serde_json::from_str(&line).context("cargo printed no JSON")?);
    }
    if !process.wait().context("could not wait for cargo")?.success() {
        bail!("the tests do not compile; see above");
    }
    Ok(build)
}

impl Build {
    fn read(&mut self, message: &Value) {
        self.binaries.extend(TestBinary::announced(message));
        let diagnostic = &message["message"];
        let Some(text) = diagnostic["rendered"].as_str() else { return };
        // The compiler also warns of how many warnings there were, which is no lint.
        let is_lint = diagnostic["level"] == "warning" && !diagnostic["code"].is_null();
        if !is_lint || self.warnings.insert(text.to_owned()) {
            eprint!("{text}");
        }
    }

    /// Fails if anything was warned of.
    pub(super) fn check_lints(&self) -> Result<Outcome> {
        match self.warnings.len() {
            0 => Ok(Outcome::Passed),
            count => bail!("{count} warnings; they stand above, where the tests were built"),
        }
    }
}

/// Runs them, or of each the tests whose name contains `only`, and shows the output as it comes. The report has what was
/// counted even when a test failed.
pub(super) fn run(
    binaries: &[TestBinary],
    services: Option<&Services>,
    only: Option<&str>,
    report: &mut Report,
) -> Result<()> {
    let mut failed = Vec::new();
    for binary in binaries {
        println!("\n     {}", binary.name);
        let mut command = binary.command(services);
        if !read(command.args(only), &binary.name, report)? {
            failed.push(binary.name.as_str());
        }
    }
    if !failed.is_empty() {
        bail!("tests failed in {}; see above", failed.join(", "));
    }
    Ok(())
}

/// Runs the examples in doc comments. Where there are none, cargo would read every crate to find that out.
pub(super) fn run_doc_tests(workspace: &Workspace, only: Option<&str>, report: &mut Report) -> Result<()> {
    let mut search = Command::new("git");
    search.args(["grep", "--quiet", "--extended-regexp", r"^\s*//[/!] ?```", "--", "crates/*/src/*.rs"]);
    let found = search.current_dir(&workspace.root).status().context("could not run git grep")?;
    match found.code() {
        Some(0) => {}
        Some(1) => return Ok(()),
        _ => bail!("git grep ended with {found}"),
    }
    let mut command = linting_cargo();
    command.args(["test", "--workspace", "--doc", "--no-fail-fast"]).args(only);
    command.current_dir(&workspace.root).stdin(Stdio::null());
    if !read(&mut command, "examples in doc comments", report)? {
        bail!("examples in doc comments failed; see above");
    }
    Ok(())
}

impl TestBinary {
    /// Reads a message of cargo; most are of other things.
    fn announced(message: &Value) -> Option<Self> {
        let executable = message["executable"].as_str()?;
        let manifest = Path::new(message["manifest_path"].as_str()?);
        let is_test = message["profile"]["test"] == true;
        let directory = manifest.parent()?.to_owned();
        let name = message["target"]["name"].as_str()?.to_owned();
        is_test.then(|| Self { name, executable: executable.into(), directory })
    }

    fn command(&self, services: Option<&Services>) -> Command {
        let mut command = Command::new(&self.executable);
        command.args(["-Z", "unstable-options", "--report-time"]);
        // The times are unstable in libtest, which a released toolchain admits only so.
        command.env("RUSTC_BOOTSTRAP", "1");
        command.env("CARGO_MANIFEST_DIR", &self.directory).env("CARGO", cargo().get_program());
        if let Some(services) = services {
            // Tests that need a server are ignored where there is none.
            command.arg("--include-ignored");
            command.envs(services.variables().iter().map(|(name, value)| (name, value)));
        }
        command.current_dir(&self.directory).stdin(Stdio::null());
        command
    }
}

/// Shows what a binary prints and adds it to the report; whether it ended well.
fn read(command: &mut Command, name: &str, report: &mut Report) -> Result<bool> {
    let mut process =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("could not run {name}"))?;
    let output = process.stdout.take().context("the tests have no output")?;
    // Split by bytes: a test may print what is not UTF-8.
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("could not read what the tests print")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        report.read(name, &line);
    }
    let status = process.wait().context("could not wait for the tests")?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_the_messages_of_cargo_only_test_binaries_count() {
        let mut message = json!({
            "reason": "compiler-artifact", "manifest_path": "/w/crates/store/Cargo.toml",
            "target": {"name": "store"}, "profile": {"test": true}, "executable": "/t/store-1",
        });
        let expected = TestBinary {
            name: "store".to_owned(),
            executable: "/t/store-1".into(),
            directory: "/w/crates/store".into(),
        };
        assert_eq!(TestBinary::announced(&message), Some(expected));
        message["profile"]["test"] = json!(false);
        assert_eq!(TestBinary::announced(&message), None);
        assert_eq!(TestBinary::announced(&json!({"reason": "build-finished"})), None);
    }

    #[test]
    fn a_lint_counts_once_and_other_messages_do_not() {
        let lint =
            json!({"message": {"level": "warning", "code": {"code": "dead_code"}, "rendered": "unused"}});
        let summary = json!({"message": {"level": "warning", "code": null, "rendered": "1 warning emitted"}});
        let mut build = Build::default();
        build.read(&summary);
        assert!(build.check_lints().is_ok());
        build.read(&lint);
        build.read(&lint);
        assert_eq!(build.warnings.len(), 1);
        assert!(build.check_lints().is_err());
    }
}
