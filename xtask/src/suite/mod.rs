//! `cargo xtask test`: everything that CI runs, step by step, ending with one line of counts.
//! The steps themselves stand beside this file; here is their order and what is said about them.

mod cargo_tests;
mod document;
mod tally;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::services::{Durability, Services};
use crate::tidy;
use crate::workspace::{Workspace, cargo};
use tally::Tally;

const SERVER_CRATE: &str = "planwright-server";

/// What the command line asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    only: Option<String>,
    offline: bool,
}

/// How a step ended when it did not fail.
enum Outcome {
    Passed,
    Skipped(&'static str),
}

impl Options {
    /// Reads the arguments after `test`.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--only" => options.only = Some(rest.next().context("--only needs a NAME")?.clone()),
                "--offline" => options.offline = true,
                unknown => bail!("`cargo xtask test` does not know `{unknown}`"),
            }
        }
        Ok(options)
    }
}

/// Runs the steps and prints the counts; the exit code is 1 when anything failed.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let workspace = Workspace::read()?;
    let mut suite = Suite { workspace, tally: Tally::default(), failures: Vec::new() };
    match &options.only {
        Some(name) => suite.run_only(name, options.offline),
        None => suite.run_everything(options.offline),
    }
    for failure in &suite.failures {
        println!("failed: {failure}");
    }
    println!("{}", suite.tally);
    Ok(if suite.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Suite {
    workspace: Workspace,
    tally: Tally,
    failures: Vec<String>,
}

impl Suite {
    fn run_everything(&mut self, offline: bool) {
        // Started first: a machine without the servers is told so before anything is compiled.
        let services = self.start_services(offline);
        self.step("formatting", |suite| suite.cargo(&["fmt", "--all", "--check"]));
        self.step("clippy", |suite| {
            suite.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
        });
        self.step("house rules", Self::tidy);
        self.step("server binary", |suite| {
            if !suite.workspace.has(SERVER_CRATE) {
                return Ok(Outcome::Skipped("there is no server crate yet"));
            }
            suite.cargo(&["build", "--package", SERVER_CRATE])
        });
        if let Some(services) = services {
            self.step("tests", |suite| suite.cargo_tests(&services, None));
        }
        self.step("openapi.json is what the server says", |suite| document::matches_server(&suite.workspace));
        self.step("openapi.json is valid", |suite| document::is_valid(&suite.workspace, offline));
    }

    fn run_only(&mut self, name: &str, offline: bool) {
        let Some(services) = self.start_services(offline) else { return };
        self.tally = Tally::default();
        self.step("tests", |suite| {
            let outcome = suite.cargo_tests(&services, Some(name))?;
            if suite.tally.passed + suite.tally.failed == 0 {
                bail!("no test has `{name}` in its name");
            }
            Ok(outcome)
        });
    }

    fn start_services(&mut self, offline: bool) -> Option<Services> {
        let mut started = None;
        self.step("PostgreSQL and Redis", |_| {
            started = Some(Services::start(offline, Durability::Quick)?);
            Ok(Outcome::Passed)
        });
        started
    }

    /// Runs one step under a headline and counts it.
    fn step(&mut self, headline: &str, work: impl FnOnce(&mut Self) -> Result<Outcome>) {
        println!("\n=== {headline}");
        let started = Instant::now();
        let result = work(self);
        let seconds = started.elapsed().as_secs_f32();
        match result {
            Ok(Outcome::Passed) => {
                self.tally.passed += 1;
                println!("--- {headline}: passed in {seconds:.1} s");
            }
            Ok(Outcome::Skipped(reason)) => {
                self.tally.skipped += 1;
                println!("--- {headline}: skipped, {reason}");
            }
            Err(error) => {
                self.tally.failed += 1;
                self.failures.push(headline.to_owned());
                println!("--- {headline}: FAILED in {seconds:.1} s: {error:#}");
            }
        }
    }

    fn cargo(&self, arguments: &[&str]) -> Result<Outcome> {
        run_to_success(cargo().args(arguments).current_dir(&self.workspace.root))?;
        Ok(Outcome::Passed)
    }

    fn tidy(&mut self) -> Result<Outcome> {
        let violations = tidy::check(&self.workspace)?;
        for violation in &violations {
            println!("{violation}");
        }
        if !violations.is_empty() {
            bail!("{} broken house rules", violations.len());
        }
        Ok(Outcome::Passed)
    }

    fn cargo_tests(&mut self, services: &Services, only: Option<&str>) -> Result<Outcome> {
        let (counted, ended) = cargo_tests::run(&self.workspace, services, only)?;
        self.tally.add(&counted);
        ended.map(|()| Outcome::Passed)
    }
}

/// Runs a command with its output shown as it comes; anything but success is an error.
fn run_to_success(command: &mut Command) -> Result<()> {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().display().to_string();
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("could not run {program}"))?;
    if !status.success() {
        bail!("{program} ended with {status}");
    }
    Ok(())
}
