//! The release binary: built, and measured on both databases. How it is started is the matter of `xtask`.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use xtask::running_server::{PACKAGE, named_binary};
use xtask::services::{Durability, Services};
use xtask::workspace::{Workspace, cargo};

use super::table::Table;

/// Builds the release binary and says where it is.
pub fn build(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(binary) = named_binary() {
        return Ok(binary);
    }
    let built = cargo()
        .args(["build", "--release", "--package", PACKAGE])
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .status()
        .context("could not run cargo build")?;
    if !built.success() {
        bail!("the release binary does not build");
    }
    Ok(workspace.target.join("release/planwright"))
}

/// What measures one database: its name, the binary, a directory for its data, the services if it is PostgreSQL, and the table
/// that gets the rows.
pub type MeasureOn = fn(&str, &Path, &Path, Option<&Services>, &mut Table) -> Result<()>;

/// Builds the release binary and measures it on both databases; nothing when there is no server crate.
pub fn on_both_databases(workspace: &Workspace, mut table: Table, measure_on: MeasureOn) -> Result<Table> {
    if !workspace.has(PACKAGE) {
        return Ok(table);
    }
    let binary = build(workspace)?;
    let scratch = workspace.target.join("bench");
    measure_on("SQLite", &binary, &scratch, None, &mut table)?;
    // Measuring installs nothing: a machine without PostgreSQL gets half of the table.
    match Services::start(true, Durability::AsInstalled) {
        Ok(services) => measure_on("PostgreSQL", &binary, &scratch, Some(&services), &mut table)?,
        Err(error) => eprintln!("PostgreSQL: {error:#}"),
    }
    Ok(table)
}
