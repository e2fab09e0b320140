//! The two programs that schedule plans: an example of the engine, and MPXJ behind a small Java program. It builds
//! and installs what is missing. Both read one plan and write one answer in each line.

use std::fs;
use std::io::{BufRead, BufReader, BufWriter, Lines, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, bail};
use xtask::services::install::{find_program, install};
use xtask::workspace::{Workspace, cargo};

use super::generate;

const VERSION: &str = "16.10.0";
const SOURCE: &str = "bench/src/differential/Mpxj.java";

/// A program that answers every plan it is given.
pub(crate) struct Side {
    name: &'static str,
    child: Child,
    answers: Lines<BufReader<ChildStdout>>,
    writer: Option<JoinHandle<std::io::Result<()>>>,
}

impl Side {
    /// The engine.
    pub(crate) fn engine(workspace: &Workspace, seed: u64, numbers: Range<u64>) -> Result<Self> {
        let mut build = cargo();
        build.args(["build", "--release", "--package", "planwright-engine", "--features", "simple"]);
        run(build.args(["--example", "answers"]).current_dir(&workspace.root))?;
        let command = Command::new(workspace.target.join("release/examples/answers"));
        Self::start("the engine", command, seed, numbers)
    }

    /// MPXJ, with both of its schedulers.
    pub(crate) fn mpxj(workspace: &Workspace, seed: u64, numbers: Range<u64>) -> Result<Self> {
        let directory = workspace.target.join("differential");
        let libraries = fetched_libraries(workspace)?;
        let classes = directory.join("classes");
        let libraries = libraries.join("*");
        let mut compile = Command::new("javac");
        compile.arg("-nowarn").arg("-cp").arg(&libraries).arg("-d").arg(&classes);
        run(compile.arg(workspace.root.join(SOURCE)))?;
        let path = std::env::join_paths([&classes, &libraries]).context("a path with a colon")?;
        let mut command = Command::new("java");
        command.arg("-Dlog4j2.level=OFF").arg("-cp").arg(path).arg("Mpxj");
        Self::start("MPXJ", command, seed, numbers)
    }

    fn start(name: &'static str, mut command: Command, seed: u64, numbers: Range<u64>) -> Result<Self> {
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.with_context(|| format!("could not start {name}"))?;
        let input = child.stdin.take().context("no input")?;
        let answers = BufReader::new(child.stdout.take().context("no output")?).lines();
        // Each side has a writer of its own, so that neither waits for the other to be read.
        let writer = thread::spawn(move || {
            let mut input = BufWriter::new(input);
            for number in numbers {
                writeln!(input, "{}", generate::plan(seed, number).json())?;
            }
            input.flush()
        });
        Ok(Self { name, child, answers, writer: Some(writer) })
    }

    /// The answer to the next plan.
    pub(crate) fn next(&mut self) -> Result<String> {
        let line = self.answers.next().with_context(|| format!("{} ended before the plans", self.name))?;
        Ok(line?)
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        // After the last answer it ends by itself; before, nobody wants to hear the others.
        let ended = self.child.kill().and_then(|()| self.child.wait());
        if let Err(error) = ended {
            eprintln!("could not end {}: {error}", self.name);
        }
        if let Some(writer) = self.writer.take() {
            // A pipe that closes early is what a run that was given up looks like from here.
            let _ = writer.join();
        }
    }
}

/// The directory of the libraries of MPXJ, which are fetched and a JDK installed if they are missing.
pub(crate) fn fetched_libraries(workspace: &Workspace) -> Result<PathBuf> {
    let directory = workspace.target.join("differential");
    let libraries = directory.join("mpxj/lib");
    fetch(&directory, &libraries)?;
    if find_program("javac").is_none() {
        install(&["default-jdk-headless"])?;
    }
    Ok(libraries)
}

/// Fetches the libraries from where Python packages come from; they are one package there.
fn fetch(directory: &Path, libraries: &Path) -> Result<()> {
    if libraries.join("mpxj.jar").is_file() {
        return Ok(());
    }
    if !has_pip() {
        install(&["python3", "python3-pip"])?;
    }
    fs::create_dir_all(directory).context("could not make the directory for MPXJ")?;
    eprintln!("fetching MPXJ {VERSION}");
    let mut download = Command::new("python3");
    download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]).arg(directory);
    run(download.arg(format!("mpxj=={VERSION}")))?;
    let wheel = directory.join(format!("mpxj-{VERSION}-py3-none-any.whl"));
    run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(directory))
}

fn has_pip() -> bool {
    let mut asked = Command::new("python3");
    asked.args(["-m", "pip", "--version"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

/// Runs a program whose output is no result of ours.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::from(std::io::stderr()));
    let status = command.status().with_context(|| format!("could not run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
