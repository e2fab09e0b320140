//! Checks the application of `ui/`: form, types, words and unit tests, whether `ui/dist` is what a build makes, and its stories
//! in a browser against the built server. What the pages must do is written in `ui/stories`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use xtask::running_server::{self, RunningServer};
use xtask::services::Services;
use xtask::services::install::{find_program, install};
use xtask::workspace::Workspace;

use super::report::Report;
use super::{Outcome, run_to_success};

const FOLDER: &str = "ui";
/// The browser of the system.
pub(super) const BROWSER: &str = "chromium";

/// The library that gives a program another clock, as Debian installs it.
const CLOCK: &str = "/usr/lib/*/faketime/libfaketimeMT.so.1";
/// The moment at which every picture is taken: the clock starts there and goes on.
const MOMENT: &str = "@2026-11-02 09:00:00";

/// With this variable the pictures of the pages are written anew.
const KEEP: &str = "PLANWRIGHT_KEEP_PICTURES";

/// A run of stories on a server of its own.
pub(super) struct Stories {
    /// Its step.
    pub(super) headline: &'static str,
    /// Whether the server uses PostgreSQL instead of SQLite.
    on_postgres: bool,
    /// The stories by name; without names all but those that need the moment.
    only: &'static [&'static str],
    /// Whether the server lives at the moment of the pictures.
    at_one_moment: bool,
}

/// All runs: every story on SQLite, those on PostgreSQL that reach what differs there, then the pages at one moment.
pub(super) const STORIES: [Stories; 3] = [
    Stories {
        headline: "application: stories on SQLite",
        on_postgres: false,
        only: &[],
        at_one_moment: false,
    },
    Stories {
        headline: "application: stories on PostgreSQL",
        on_postgres: true,
        only: &ENGINE_STORIES,
        at_one_moment: false,
    },
    Stories { headline: "application: pages", on_postgres: false, only: &["pages"], at_one_moment: true },
];

/// The stories in which the engine can make a difference that a browser sees. The tests of the interface run on both engines anyway.
const ENGINE_STORIES: [&str; 4] = [
    // Search: each engine has a text index of its own, and another way to ignore case.
    "palette",
    // Many rows in one statement, dates recalculated under row locks, and a baseline of all rows.
    "planner",
    // A job copies a whole plan: workers skip locked rows, and rows are written as arrays.
    "templates",
    // Writers at once, who wait for each other's rows instead of for the one writer of SQLite.
    "two_people",
];

/// Installs exactly what `package-lock.json` names, and Node where it is missing.
pub(super) fn packages(workspace: &Workspace, offline: bool) -> Result<Outcome> {
    let folder = workspace.root.join(FOLDER);
    if offline {
        return match folder.join("node_modules").is_dir() {
            true => Ok(Outcome::Passed),
            false => {
                bail!("the packages of ui/ are not installed: run `npm ci` there, or leave out --offline")
            }
        };
    }
    if find_program("npm").is_none() {
        install(&["nodejs", "npm"])?;
    }
    let mut npm = Command::new("npm");
    run_to_success(npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))?;
    Ok(Outcome::Passed)
}

/// Checks that a build of the source makes the committed files. The types of the API are made on the way, and checked.
pub(super) fn is_built(workspace: &Workspace) -> Result<Outcome> {
    run_to_success(node(workspace).args(["tools/build.mjs", "--check"]))?;
    Ok(Outcome::Passed)
}

/// Checks form and rules with the program that `package-lock.json` names. A warning fails like an error.
pub(super) fn lint(workspace: &Workspace) -> Result<Outcome> {
    let biome = "node_modules/@biomejs/biome/bin/biome";
    run_to_success(node(workspace).args([biome, "ci", "--error-on-warnings", "."]))?;
    Ok(Outcome::Passed)
}

/// Runs the unit tests. One of them compares the languages of every message.
pub(super) fn unit_tests(workspace: &Workspace, report: &mut Report) -> Result<Outcome> {
    let mut command = node(workspace);
    command.args(["node_modules/vitest/vitest.mjs", "run"]).env("NO_COLOR", "1");
    read(&mut command, "application", report)
}

/// Runs stories against a server of their own.
pub(super) fn stories(
    workspace: &Workspace,
    binary: &Path,
    stories: &Stories,
    services: Option<&Services>,
    report: &mut Report,
) -> Result<Outcome> {
    if stories.on_postgres && services.is_none() {
        return Ok(Outcome::Skipped("PostgreSQL is not there"));
    }
    let services = services.filter(|_| stories.on_postgres);
    let (server, mut command) = prepared(workspace, binary, stories, services)?;
    let ended = read(&mut command, stories.headline, report);
    drop(server);
    ended
}

/// Makes sure of the browser, and of the other clock if there are pictures to be compared.
pub(super) fn ensure_browser(offline: bool) -> Result<()> {
    let mut missing = Vec::new();
    if find_program(BROWSER).is_none() {
        missing.extend([BROWSER, "fonts-liberation"]);
    }
    if clock().is_none() {
        missing.push("faketime");
    }
    match (missing.is_empty(), offline) {
        (true, _) => Ok(()),
        (false, true) => {
            bail!("stories need {}: install it, or leave out --offline", missing.join(" and "))
        }
        (false, false) => install(&missing),
    }
}

fn prepared(
    workspace: &Workspace,
    binary: &Path,
    stories: &Stories,
    services: Option<&Services>,
) -> Result<(RunningServer, Command)> {
    let scratch = workspace.target.join("stories");
    let clock = clock();
    let mut settings = Vec::new();
    if stories.at_one_moment {
        let library = clock.as_deref().context("libfaketime was not found")?;
        // Only the clock on the wall is another: what waits for some time must go on waiting.
        settings = vec![
            ("LD_PRELOAD", library),
            ("FAKETIME", MOMENT),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ("TZ", "UTC"),
        ];
    }
    let server = RunningServer::start_on(binary, &scratch, services, &settings)?;
    let mut command = node(workspace);
    command.arg("stories/run.mjs").arg(format!("http://{}", server.address)).args(stories.only);
    // A server that was built before may hold other pages than those that are checked.
    command.args(running_server::named_binary().map(|_| "--dist"));
    command.args(std::env::var_os(KEEP).map(|_| "--keep"));
    command.env("PLANWRIGHT_STORY_PASSWORD", running_server::PASSWORD);
    command.env("PLANWRIGHT_STORY_MAIL", scratch.join("data/mail"));
    if let Some(browser) = find_program(BROWSER) {
        command.env("CHROMIUM", browser);
    }
    Ok((server, command))
}

fn node(workspace: &Workspace) -> Command {
    let mut command = Command::new("node");
    command.current_dir(workspace.root.join(FOLDER));
    command
}

fn clock() -> Option<String> {
    let (before, after) = CLOCK.split_once('*')?;
    let places = std::fs::read_dir(before).ok()?.flatten();
    let libraries = places.map(|place| place.path().join(after.trim_start_matches('/')));
    libraries.into_iter().find(|library| library.is_file()).map(|library| library.display().to_string())
}

/// Shows what a command prints and adds it to the report.
fn read(command: &mut Command, step: &str, report: &mut Report) -> Result<Outcome> {
    let mut process =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("could not run node")?;
    let output = process.stdout.take().context("node has no output")?;
    // Split by bytes: a page may say what is not UTF-8.
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("could not read what node prints")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        report.read_case(step, &line);
    }
    let status = process.wait().context("could not wait for node")?;
    if !status.success() {
        bail!("node ended with {status}");
    }
    Ok(Outcome::Passed)
}
