//! Stores tables in `docs/benchmarks.md`, each in its own section between two markers. Text outside the markers is
//! not changed.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const FILE: &str = "docs/benchmarks.md";
const INTRODUCTION: &str = "# Benchmarks\n\nMeasured with `cargo xtask bench --record`.\n";

/// Puts the table in place of the one recorded before, or at the end of the file.
pub(crate) fn update(root: &Path, group: &str, table: &str) -> Result<()> {
    let path = root.join(FILE);
    let before = fs::read_to_string(&path).unwrap_or_else(|_| INTRODUCTION.to_owned());
    fs::create_dir_all(path.parent().context("the file has no folder")?)?;
    fs::write(&path, with_section(&before, group, table))
        .with_context(|| format!("could not write {FILE}"))?;
    println!("recorded in {FILE}");
    Ok(())
}

fn with_section(document: &str, group: &str, table: &str) -> String {
    let (open, close) = (format!("<!-- bench:{group} -->"), format!("<!-- /bench:{group} -->"));
    let section = format!("{open}\n{}\n{close}", table.trim_end());
    let start = document.find(&open);
    let end = document.find(&close).map(|at| at + close.len());
    match (start, end) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{section}{}", &document[..start], &document[end..])
        }
        _ => format!("{}\n\n## {group}\n\n{section}\n", document.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_a_section_and_then_replaces_it() {
        let first = with_section(INTRODUCTION, "server", "one\n");
        assert!(first.ends_with("\n\n## server\n\n<!-- bench:server -->\none\n<!-- /bench:server -->\n"));
        let around = format!("{first}\nWhat it means.\n");
        let second = with_section(&around, "server", "two\n");
        assert_eq!(second, around.replace("one", "two"));
    }
}
