//! `cargo xtask test`: everything that CI runs, step by step, with one line of counts at the end. This file has the
//! order of the steps and their output. The other files of the folder are the steps.

mod agents;
mod application;
pub(crate) mod audit;
mod binaries;
mod cases;
mod clients;
mod document;
mod packages;
mod provider;
mod report;
mod tally;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use xtask::running_server;
use xtask::services::install::Servers;
use xtask::services::{Durability, Services};
use xtask::workspace::{Workspace, cargo};

use crate::facts;
use crate::tidy;
use binaries::{Build, TestBinary};
use report::Report;
use tally::Tally;

/// The options of the command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    only: Option<String>,
    offline: bool,
    audit: bool,
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
                "--audit" => options.audit = true,
                unknown => bail!("`cargo xtask test` does not know `{unknown}`"),
            }
        }
        Ok(options)
    }
}

/// Only makes the document from types, and compares it with `openapi.json` or writes it there.
pub(crate) fn make_document(arguments: &[String]) -> Result<ExitCode> {
    let write = match arguments {
        [] => false,
        [flag] if flag == "--write" => true,
        other => bail!("`cargo xtask openapi` does not know `{}`", other.join(" ")),
    };
    document::make(&Workspace::read()?, write)?;
    Ok(ExitCode::SUCCESS)
}

/// Only lints the document and has clients made of it.
pub(crate) fn run_clients() -> Result<ExitCode> {
    let workspace = Workspace::read()?;
    match clients::compile(&workspace, false)? {
        Outcome::Passed => Ok(ExitCode::SUCCESS),
        Outcome::Skipped(reason) => bail!("{reason}"),
    }
}

/// Only checks the application, against the built server.
pub(crate) fn run_application(offline: bool) -> Result<ExitCode> {
    let mut suite = Suite::new()?;
    let services = suite.start_services(offline);
    suite.check_application(offline);
    if running_server::named_binary().is_none() {
        suite.step("building the server", |suite| {
            suite.cargo(&["build", "--package", running_server::PACKAGE])
        });
    }
    suite.tell_stories(services.as_ref(), offline);
    Ok(suite.conclude())
}

/// Only walks through sign-in with a certified provider of identities, against the built server.
pub(crate) fn run_provider(offline: bool) -> Result<ExitCode> {
    let mut suite = Suite::new()?;
    suite.step("building the server", |suite| suite.cargo(&["build", "--package", running_server::PACKAGE]));
    suite.walk_with_provider(offline);
    Ok(suite.conclude())
}

/// Only asks as the official clients of the Model Context Protocol do, against the built server.
pub(crate) fn run_agents(offline: bool) -> Result<ExitCode> {
    let mut suite = Suite::new()?;
    suite.step("building the server", |suite| suite.cargo(&["build", "--package", running_server::PACKAGE]));
    suite.ask_as_agents(offline);
    Ok(suite.conclude())
}

/// Runs the steps and prints the counts; the exit code is 1 when anything failed.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let mut suite = Suite::new()?;
    match &options.only {
        Some(name) => suite.run_only(name, options.offline),
        None => suite.run_everything(options.offline),
    }
    if options.audit {
        suite.run_audit(options.offline);
    }
    Ok(suite.conclude())
}

struct Suite {
    workspace: Workspace,
    /// The steps.
    tally: Tally,
    /// The headlines of the failed steps.
    failures: Vec<String>,
    stages: Vec<(String, Duration)>,
    /// The tests in the steps.
    report: Report,
}

impl Suite {
    fn new() -> Result<Self> {
        Ok(Self {
            workspace: Workspace::read()?,
            tally: Tally::default(),
            failures: Vec::new(),
            stages: Vec::new(),
            report: Report::default(),
        })
    }

    fn run_everything(&mut self, offline: bool) {
        // Started first: a machine without the servers is told so before anything is compiled.
        let services = self.start_services(offline);
        self.step("formatting", |suite| suite.cargo(&["fmt", "--all", "--check"]));
        self.step("rules of the repository", Self::tidy);
        self.step("facts in the documentation", |suite| {
            facts::check(&suite.workspace)?;
            Ok(Outcome::Passed)
        });
        self.check_application(offline);
        let build = self.build_tests();
        if let Some(build) = &build {
            self.step("lints", |_| build.check_lints());
        }
        if let Some(build) = build {
            let services = services.as_ref();
            self.step("tests", |suite| suite.run_tests(&build.binaries, services, None));
            self.tell_stories(services, offline);
            self.walk_with_provider(offline);
            self.ask_as_agents(offline);
        }
        self.step("openapi.json is valid", |suite| document::is_valid(&suite.workspace, offline));
        self.step("clients can be made from openapi.json", |suite| {
            clients::compile_changed(&suite.workspace, offline)
        });
    }

    /// The steps of the application that need no server.
    fn check_application(&mut self, offline: bool) {
        self.step("application: packages", |suite| application::packages(&suite.workspace, offline));
        self.step("application: ui/dist is what a build makes", |suite| {
            application::is_built(&suite.workspace)
        });
        // After the build: rules about promises read the types of the API, which it makes.
        self.step("application: lint and format", |suite| application::lint(&suite.workspace));
        self.step("application: unit tests", |suite| {
            application::unit_tests(&suite.workspace, &mut suite.report)
        });
    }

    /// The stories of the application, in a browser against the server.
    fn tell_stories(&mut self, services: Option<&Services>, offline: bool) {
        let binary =
            running_server::named_binary().unwrap_or_else(|| self.workspace.target.join("debug/planwright"));
        self.step("application: browser", |_| {
            application::ensure_browser(offline)?;
            Ok(Outcome::Passed)
        });
        for stories in &application::STORIES {
            self.step(stories.headline, |suite| {
                application::stories(&suite.workspace, &binary, stories, services, &mut suite.report)
            });
        }
    }

    /// Sign-in with a certified provider, by the protocol and in a browser.
    fn walk_with_provider(&mut self, offline: bool) {
        self.step("a certified provider of identities and a browser", |suite| {
            provider::walk(&suite.workspace, offline, &mut suite.report)
        });
    }

    /// The official clients of the Model Context Protocol.
    fn ask_as_agents(&mut self, offline: bool) {
        self.step("official clients of the Model Context Protocol", |suite| {
            agents::ask(&suite.workspace, offline, &mut suite.report)
        });
    }

    fn run_audit(&mut self, offline: bool) {
        self.step("licences and sources", |suite| audit::licences(&suite.workspace, offline));
        self.step("advisories", |suite| audit::advisories(&suite.workspace, offline));
        self.step("list of parts", |suite| audit::list_of_parts(&suite.workspace, offline));
    }

    fn run_only(&mut self, name: &str, offline: bool) {
        let services = self.start_services(offline);
        let Some(build) = self.build_tests() else { return };
        self.tally = Tally::default();
        self.step("tests", |suite| {
            let outcome = suite.run_tests(&build.binaries, services.as_ref(), Some(name))?;
            if suite.report.tally.passed + suite.report.tally.failed == 0 {
                bail!("no test has `{name}` in its name");
            }
            Ok(outcome)
        });
    }

    fn start_services(&mut self, offline: bool) -> Option<Services> {
        let mut started = None;
        self.step("PostgreSQL and Redis", |_| {
            if offline && Servers::find().is_err() {
                return Ok(Outcome::Skipped("they are not installed and --offline was given"));
            }
            started = Some(Services::start(offline, Durability::Quick)?);
            Ok(Outcome::Passed)
        });
        started
    }

    fn build_tests(&mut self) -> Option<Build> {
        let mut built = None;
        self.step("building tests and server", |suite| {
            built = Some(binaries::build(&suite.workspace)?);
            Ok(Outcome::Passed)
        });
        built
    }

    /// Runs one step under a headline and counts it.
    fn step(&mut self, headline: &str, work: impl FnOnce(&mut Self) -> Result<Outcome>) {
        println!("\n=== {headline}");
        let started = Instant::now();
        let result = work(self);
        let time = started.elapsed();
        let seconds = time.as_secs_f32();
        self.stages.push((headline.to_owned(), time));
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
            bail!("{} violations of the rules of the repository", violations.len());
        }
        Ok(Outcome::Passed)
    }

    fn run_tests(
        &mut self,
        binaries: &[TestBinary],
        services: Option<&Services>,
        only: Option<&str>,
    ) -> Result<Outcome> {
        let ended = binaries::run(binaries, services, only, &mut self.report);
        ended.and(binaries::run_doc_tests(&self.workspace, only, &mut self.report))?;
        Ok(Outcome::Passed)
    }

    /// Prints the slowest parts, the failures and the counts.
    fn conclude(self) -> ExitCode {
        println!("\n=== where the time went");
        for (headline, time) in &self.stages {
            println!("{:8.1} s  {headline}", time.as_secs_f32());
        }
        println!("\n=== the slowest tests");
        let failures = self.report.failures();
        let mut tally = self.tally;
        tally.add(&self.report.tally);
        self.report.slowest().iter().for_each(|line| println!("{line}"));
        if !failures.is_empty() {
            println!("\n=== the tests that failed");
            failures.iter().for_each(|failure| println!("{failure}"));
        }
        println!();
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        println!("{tally}");
        if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
