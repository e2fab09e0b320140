//! `cargo xtask bench`: what this machine measures, as markdown tables. A group of measures is one line
//! in `GROUPS` and one file beside this one; nothing here fails because a number is bad.

mod client;
mod examples;
mod machine;
mod record;
mod server;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

/// One row of a table.
pub(crate) struct Measure {
    /// What was measured.
    pub(crate) name: String,
    /// The result with its unit.
    pub(crate) result: String,
}

type Group = fn(&Workspace) -> Result<Vec<Measure>>;

const GROUPS: [(&str, Group); 2] = [("engine", examples::measure_engine), ("server", server::measure)];

/// Measures the named group, or all of them, and prints or records the tables.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let mut wanted = "all";
    let mut recording = false;
    for argument in arguments {
        match argument.as_str() {
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
        let measures = measure(&workspace).with_context(|| format!("could not measure {name}"))?;
        if measures.is_empty() {
            println!("{name}: nothing to measure yet");
            continue;
        }
        let table = table(&circumstances, &measures);
        println!("\n## {name}\n\n{table}");
        if recording {
            record::update(&workspace.root, name, &table)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn table(circumstances: &str, measures: &[Measure]) -> String {
    let mut text = format!("{circumstances}\n\n| measure | result |\n|---|---|\n");
    for Measure { name, result } in measures {
        let _ = writeln!(text, "| {name} | {result} |");
    }
    text
}
