//! The tools of PostgreSQL that write and read its dumps.
//! A password goes to them by the environment, where a list of processes shows nothing.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// Writes a dump of the whole database.
pub fn dump(url: &str, to: &Path) -> anyhow::Result<()> {
    let mut tool = tool("pg_dump", url);
    run(tool.arg("--format=custom").arg("--file").arg(to))
}

/// Brings a dump back in one transaction; `clean` takes away first what is there of the same names.
pub fn restore(url: &str, from: &Path, clean: bool) -> anyhow::Result<()> {
    let mut tool = tool("pg_restore", url);
    tool.arg("--no-owner").arg("--exit-on-error").arg("--single-transaction");
    if clean {
        tool.args(["--clean", "--if-exists"]);
    }
    run(tool.arg(from))
}

/// Whether a dump can be read to its end.
pub fn check_dump(path: &Path) -> anyhow::Result<()> {
    let mut tool = Command::new("pg_restore");
    run(tool.arg("--file=-").arg(path).stdout(Stdio::null()))
        .with_context(|| format!("{} cannot be read", path.display()))
}

fn tool(name: &str, url: &str) -> Command {
    let mut tool = Command::new(name);
    let parts = url.split_once("://").and_then(|(scheme, rest)| {
        let (user, place) = rest.split_once('@')?;
        let (user, password) = user.split_once(':')?;
        Some((format!("{scheme}://{user}@{place}"), password))
    });
    match parts {
        Some((address, password)) => tool.arg("--dbname").arg(address).env("PGPASSWORD", password),
        None => tool.arg("--dbname").arg(url),
    };
    tool
}

fn run(tool: &mut Command) -> anyhow::Result<()> {
    let name = tool.get_program().to_string_lossy().into_owned();
    let status = tool.status().with_context(|| format!("running {name}; is it installed?"))?;
    ensure!(status.success(), "{name} failed");
    Ok(())
}
