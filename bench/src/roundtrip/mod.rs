//! `cargo xtask roundtrip`: writes plans as Microsoft Project XML and as Primavera XER, has MPXJ read and schedule these
//! files, and compares the dates with ours. Every row where a difference begins needs a reason.

mod compare;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xtask::workspace::{Workspace, cargo};

use crate::differential::sides::{fetched_libraries, run as run_program};
use compare::{Outcome, compare};

const SOURCE: &str = "bench/src/roundtrip/Roundtrip.java";
/// The plans that are compared when none is named.
const SAMPLES: &str = "crates/exchange/src/samples";
const SHOWN: usize = 5;

/// Compares plans and prints the results.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let workspace = Workspace::read()?;
    let (planwright, named) = match arguments {
        [option, binary, named @ ..] if option == "--binary" => (PathBuf::from(binary), named),
        named => (built(&workspace)?, named),
    };
    let plans = plans(&workspace, named)?;
    let directory = workspace.target.join("roundtrip");
    std::fs::create_dir_all(&directory).context("could not make the directory of the files")?;
    let mut files = Vec::new();
    for plan in &plans {
        for end in ["xml", "xer"] {
            let name = plan.file_stem().context("a plan without a name")?.to_string_lossy();
            let file = directory.join(format!("{name}.{end}"));
            run_program(Command::new(&planwright).arg("convert").arg(plan).arg(&file).stderr(Stdio::null()))?;
            files.push((plan, file));
        }
    }
    let answers = scheduled(&workspace, &files)?;
    let mut is_fine = true;
    for ((plan, file), answer) in files.iter().zip(answers) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(error) = answer["error"].as_str() {
            println!("{name}: MPXJ refuses: {error}");
            is_fine = false;
            continue;
        }
        let ours = report(&planwright, plan)?;
        let Outcome { same, explained, unexplained } = compare(&ours, &answer, name.ends_with(".xer"));
        let count = unexplained.len();
        println!("{name}: {same} rows agree, {explained} differ for a reason, {count} for none");
        unexplained.iter().take(SHOWN).for_each(|difference| println!("  {difference}"));
        is_fine &= unexplained.is_empty();
    }
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The binary of this source.
fn built(workspace: &Workspace) -> Result<PathBuf> {
    let mut build = cargo();
    run_program(build.args(["build", "--package", "planwright-server"]).current_dir(&workspace.root))?;
    Ok(workspace.target.join("debug/planwright"))
}

/// The plans that were named, or the samples.
fn plans(workspace: &Workspace, arguments: &[String]) -> Result<Vec<PathBuf>> {
    if !arguments.is_empty() {
        return Ok(arguments.iter().map(PathBuf::from).collect());
    }
    let entries = std::fs::read_dir(workspace.root.join(SAMPLES)).context("could not list the samples")?;
    let mut plans: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    plans.sort();
    Ok(plans)
}

/// What MPXJ computes for each file.
fn scheduled(workspace: &Workspace, files: &[(&PathBuf, PathBuf)]) -> Result<Vec<Value>> {
    let libraries = fetched_libraries(workspace)?.join("*");
    let classes = workspace.target.join("roundtrip/classes");
    let mut compile = Command::new("javac");
    compile.arg("-nowarn").arg("-cp").arg(&libraries).arg("-d").arg(&classes);
    run_program(compile.arg(workspace.root.join(SOURCE)))?;
    let path = std::env::join_paths([&classes, &libraries]).context("a path with a colon")?;
    let mut java = Command::new("java");
    java.arg("-Dlog4j2.level=OFF").arg("-cp").arg(path).arg("Roundtrip");
    let output = java.args(files.iter().map(|(_, file)| file)).stderr(Stdio::null()).output()?;
    if !output.status.success() {
        bail!("MPXJ ended with {}", output.status);
    }
    let lines = String::from_utf8(output.stdout).context("MPXJ answered no text")?;
    lines.lines().map(|line| serde_json::from_str(line).context("MPXJ answered no JSON")).collect()
}

/// The first project of a plan with our dates, and its links.
fn report(planwright: &Path, plan: &Path) -> Result<Value> {
    let mut command = Command::new(planwright);
    let output = command.arg("schedule").arg(plan).args(["--json", "--runs", "0"]).output()?;
    serde_json::from_slice(&output.stdout).with_context(|| format!("no report for {}", plan.display()))
}
