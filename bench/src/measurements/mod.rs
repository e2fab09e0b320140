//! `cargo xtask bench`: measurements on this machine, as markdown tables. A group of measurements is one line in
//! `GROUPS` and one file or folder. A bad number never fails the command.

mod api;
mod application;
mod client;
mod collaboration;
mod examples;
mod imports;
mod kernel;
mod live;
mod load;
mod machine;
mod memory;
mod processor;
mod record;
mod release;
mod server;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use xtask::workspace::Workspace;

use table::Table;

/// One row of a table.
pub(crate) struct Measure {
    /// What was measured.
    pub(crate) name: String,
    /// The result with its unit.
    pub(crate) result: String,
}

type Group = fn(&Workspace, Option<&Path>) -> Result<Table>;

const GROUPS: [(&str, Group); 7] = [
    ("engine", |workspace, _| Ok(examples::measure_engine(workspace)?.into())),
    ("server", |workspace, _| Ok(server::measure(workspace)?.into())),
    ("api", api::measure),
    ("collaboration", |workspace, _| collaboration::measure(workspace)),
    ("live", |workspace, _| live::measure(workspace)),
    ("imports", |workspace, _| imports::measure(workspace)),
    ("application", |workspace, _| application::measure(workspace)),
];

/// Measures the named group, or all of them, and prints or records the tables.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let mut wanted = "all";
    let mut recording = false;
    let mut beside = None;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--beside" => beside = Some(PathBuf::from(arguments.next().context("--beside needs a binary")?)),
            "--record" => recording = true,
            name if name == "all" || GROUPS.iter().any(|(group, _)| *group == name) => wanted = name,
            unknown => bail!("`cargo xtask bench` does not know `{unknown}`"),
        }
    }
    let workspace = Workspace::read()?;
    for (name, measure) in GROUPS {
        if wanted != "all" && wanted != name {
            continue;
        }
        // Read before the measuring adds to it.
        let circumstances = machine::describe();
        let table =
            measure(&workspace, beside.as_deref()).with_context(|| format!("could not measure {name}"))?;
        if table.is_empty() {
            println!("{name}: nothing to measure yet");
            continue;
        }
        let section = format!("{circumstances}\n\n{}", table.markdown());
        println!("\n## {name}\n\n{section}");
        if recording {
            record::update(&workspace.root, name, &section)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
