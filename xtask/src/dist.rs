//! `cargo xtask dist`: the files of a release: a stripped binary with its licence, the list of its parts, and
//! checksums. It publishes nothing. Everything is in a directory below the target directory.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use xtask::workspace::{Workspace, cargo};

use crate::suite;

const BINARY: &str = "planwright";
/// The profile of `Cargo.toml` that is optimized over all crates at link time.
const PROFILE: &str = "distribution";
const CHECKSUMS: &str = "SHA256SUMS";
/// Files of the repository that go along.
const BESIDE: [&str; 3] = ["LICENSE", "CHANGELOG.md", "SECURITY.md"];

/// Builds it all and says where it is.
pub fn run(offline: bool) -> Result<ExitCode> {
    let workspace = Workspace::read()?;
    let directory = workspace.target.join("dist").join(name()?);
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    std::fs::create_dir_all(&directory)?;
    let built = build(&workspace)?;
    std::fs::copy(&built, directory.join(BINARY)).with_context(|| format!("copying {}", built.display()))?;
    for file in BESIDE {
        std::fs::copy(workspace.root.join(file), directory.join(file))?;
    }
    let parts = suite::audit::write_list_of_parts(&workspace, offline)?;
    match parts {
        Some(list) => drop(std::fs::copy(list, directory.join("parts.cdx.json"))?),
        None => println!("without the list of parts: its tool is not installed, and --offline was given"),
    }
    let sums = checksums(&directory)?;
    std::fs::write(directory.join(CHECKSUMS), &sums)?;
    println!("{sums}\nin {}", directory.display());
    Ok(ExitCode::SUCCESS)
}

/// `planwright-VERSION-SYSTEM`.
fn name() -> Result<String> {
    let told = Command::new("rustc").arg("-vV").output().context("running rustc")?;
    let told = String::from_utf8(told.stdout)?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    Ok(format!("{BINARY}-{}-{host}", env!("CARGO_PKG_VERSION")))
}

fn build(workspace: &Workspace) -> Result<PathBuf> {
    let status = cargo()
        .args(["build", "--profile", PROFILE, "--locked", "--package", "planwright-server", "--bin", BINARY])
        .current_dir(&workspace.root)
        .status()
        .context("running cargo build")?;
    ensure!(status.success(), "the release does not build; see above");
    Ok(workspace.target.join(PROFILE).join(BINARY))
}

/// One line for each file, as `sha256sum --check` reads them.
fn checksums(directory: &Path) -> Result<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.sort();
    let mut lines = String::new();
    for name in names {
        let hash = Sha256::digest(std::fs::read(directory.join(&name))?);
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        lines += &format!("{hash}  {name}\n");
    }
    Ok(lines)
}
