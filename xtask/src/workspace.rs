//! The workspace as cargo describes it: its root, its target directory and the dependencies of its crates. It reads
//! `cargo metadata --no-deps`. Nothing is resolved or built.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The workspace as its manifests describe it.
pub struct Workspace {
    /// The repository root.
    pub root: PathBuf,
    /// Where cargo puts what it builds.
    pub target: PathBuf,
    /// Every member crate.
    pub packages: Vec<Package>,
}

/// One member crate.
pub struct Package {
    /// The name in its manifest.
    pub name: String,
    /// Its `Cargo.toml`, relative to the root, with forward slashes.
    pub manifest: String,
    /// Its dependencies.
    pub dependencies: Vec<Dependency>,
    /// The names of its `examples/`.
    pub examples: Vec<String>,
}

/// One line of a manifest's dependency tables.
pub struct Dependency {
    /// The package.
    pub name: String,
    /// Whether it stands under `dev-dependencies`.
    pub development: bool,
}

impl Workspace {
    /// Asks cargo; works from any directory inside the repository.
    pub fn read() -> Result<Self> {
        let output = cargo()
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .stderr(Stdio::inherit())
            .output()
            .context("could not run cargo metadata")?;
        if !output.status.success() {
            bail!("cargo metadata failed ({})", output.status);
        }
        Self::parse(&serde_json::from_slice(&output.stdout).context("cargo metadata printed no JSON")?)
    }

    fn parse(metadata: &Value) -> Result<Self> {
        let root = PathBuf::from(text(metadata, "workspace_root")?);
        let packages = list(metadata, "packages")
            .iter()
            .map(|package| Package::parse(package, &root))
            .collect::<Result<_>>()?;
        Ok(Self { target: PathBuf::from(text(metadata, "target_directory")?), root, packages })
    }

    /// Whether a crate of this name is a member.
    pub fn has(&self, name: &str) -> bool {
        self.packages.iter().any(|package| package.name == name)
    }
}

impl Package {
    fn parse(package: &Value, root: &Path) -> Result<Self> {
        let manifest = Path::new(text(package, "manifest_path")?);
        let relative = manifest.strip_prefix(root).unwrap_or(manifest);
        let dependencies = list(package, "dependencies")
            .iter()
            .map(|dependency| {
                Ok(Dependency {
                    name: text(dependency, "name")?.to_owned(),
                    development: dependency["kind"] == "dev",
                })
            })
            .collect::<Result<_>>()?;
        let examples = list(package, "targets")
            .iter()
            .filter(|target| list(target, "kind").iter().any(|kind| kind == "example"))
            .map(|target| text(target, "name").map(str::to_owned))
            .collect::<Result<_>>()?;
        Ok(Self {
            name: text(package, "name")?.to_owned(),
            manifest: relative.to_string_lossy().replace('\\', "/"),
            dependencies,
            examples,
        })
    }
}

/// The cargo that runs us, so that a toolchain override stays in force.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A cargo whose compiler is clippy, for the crates of the workspace. It keeps what it compiles beside what a plain cargo
/// compiles, so that a warning is never missed because a crate was compiled before.
pub fn linting_cargo() -> Command {
    let mut command = cargo();
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("cargo metadata has no text `{key}`"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}
