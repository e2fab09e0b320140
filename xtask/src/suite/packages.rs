//! Packages of npm and PyPI that a step of the tests needs, in a directory of the step within the target directory. They are
//! fetched once; a stamp tells which are there.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use xtask::services::install::{find_program, install};

use super::run_to_success;

/// The packages of one step, each with its version.
pub(super) struct Packages {
    /// Where they are, and where the step runs.
    pub(super) directory: PathBuf,
    /// Of npm.
    pub(super) npm: &'static [&'static str],
    /// Of PyPI; they get a virtual environment.
    pub(super) pypi: &'static [&'static str],
}

impl Packages {
    /// Fetches what is not there yet; false says that it cannot be had here.
    pub(super) fn are_there(&self) -> Result<bool> {
        fs::create_dir_all(&self.directory)?;
        let stamp = self.directory.join("stamp");
        let wanted = [self.npm, self.pypi].concat().join("\n");
        if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(true);
        }
        if self.fetch().is_err() {
            return Ok(false);
        }
        fs::write(stamp, wanted)?;
        Ok(true)
    }

    fn fetch(&self) -> Result<()> {
        if find_program("npm").is_none() {
            install(&["nodejs", "npm"])?;
        }
        let manifest = "{\"private\": true, \"type\": \"module\"}\n";
        fs::write(self.directory.join("package.json"), manifest)?;
        let mut npm = self.inside("npm");
        run_to_success(npm.args(["install", "--silent", "--no-audit", "--no-fund"]).args(self.npm))?;
        if self.pypi.is_empty() {
            return Ok(());
        }
        if find_program("python3").is_none() {
            install(&["python3-venv"])?;
        }
        run_to_success(self.inside("python3").args(["-m", "venv", "--clear", "python"]))?;
        let mut pip = self.python("pip");
        run_to_success(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(self.pypi))
    }

    /// A program of the system that runs in the directory.
    pub(super) fn inside(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.directory);
        command
    }

    /// A program that a package of npm brings.
    pub(super) fn node(&self, program: &str) -> Command {
        self.inside(self.directory.join("node_modules/.bin").join(program))
    }

    /// A program of the virtual environment. Those that it starts are found there as well.
    pub(super) fn python(&self, program: &str) -> Command {
        let binaries = self.directory.join("python/bin");
        let mut command = self.inside(binaries.join(program));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(binaries).chain(std::env::split_paths(&path));
        if let Ok(paths) = std::env::join_paths(paths) {
            command.env("PATH", paths);
        }
        command
    }
}
