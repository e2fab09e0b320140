//! `cargo xtask tidy`: checks the rules of the repository. Each rule is a file in this folder. Checks of rustfmt and
//! clippy are not repeated here.

pub(crate) mod boundaries;
mod mask;
mod pages;
mod shape;
pub(crate) mod source;
pub(crate) mod tables;
mod text;
mod words;

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use xtask::workspace::Workspace;

use source::Source;

/// One broken rule: where it is, what is wrong and what to do.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    file: String,
    line: usize,
    message: String,
}

impl Violation {
    fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// `cargo xtask tidy`: prints every violation; the exit code is 1 when there is one.
pub(crate) fn run() -> Result<ExitCode> {
    let violations = check(&Workspace::read()?)?;
    for violation in &violations {
        println!("{violation}");
    }
    if violations.is_empty() {
        println!("tidy");
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("{} violations", violations.len());
    Ok(ExitCode::FAILURE)
}

/// Every violation in the tree, sorted by place.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Violation>> {
    let mut violations = boundaries::check(workspace);
    let mut writes = Vec::new();
    let paths = tracked_files(&workspace.root)?;
    let files: BTreeSet<String> = paths.iter().cloned().collect();
    for path in paths {
        violations.extend(shape::check_name(&path));
        let Ok(bytes) = fs::read(workspace.root.join(&path)) else {
            // Deleted but not yet committed, or a link to nowhere.
            continue;
        };
        // What is not UTF-8 is a picture or an archive, and no rule speaks of those.
        let Ok(content) = String::from_utf8(bytes) else { continue };
        violations.extend(text::check(&path, &content));
        violations.extend(pages::check(&path, &content, &files));
        if path.ends_with(".rs") {
            let source = Source::new(path, content);
            violations.extend(shape::check(&source));
            violations.extend(words::check(&source));
            writes.extend(tables::writes(&source));
        }
    }
    violations.extend(tables::check(&writes, boundaries::WRITERS));
    violations.extend(boundaries::check_reasons());
    violations.sort();
    Ok(violations)
}

/// Every Rust file, sorted by path.
pub(crate) fn read_rust_sources(root: &Path) -> Result<Vec<Source>> {
    let paths = tracked_files(root)?.into_iter().filter(|path| path.ends_with(".rs"));
    let sources = paths.filter_map(|path| {
        let text = fs::read_to_string(root.join(&path)).ok()?;
        Some(Source::new(path, text))
    });
    Ok(sources.collect())
}

/// What git has or is about to have: files that it ignores follow no rules.
fn tracked_files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("could not run git ls-files")?;
    if !output.status.success() {
        bail!("git ls-files failed ({})", output.status);
    }
    let mut paths: Vec<String> = String::from_utf8_lossy(&output.stdout)
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    paths.sort();
    // A file in a merge conflict is listed once for each side.
    paths.dedup();
    Ok(paths)
}
