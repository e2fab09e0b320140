//! `cargo xtask facts`: writes what the documentation says about the sources between markers, so that it cannot go stale.
//! With `--check` it only compares. The other files of this folder each make one part.

mod dependencies;
mod document;
mod example;
mod routes;
mod section;
mod tables;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use xtask::workspace::Workspace;

use crate::tidy;

/// A part of a page that is made from the sources.
struct Section {
    /// The page, relative to the root.
    page: &'static str,
    /// The name in its markers.
    name: &'static str,
    /// What stands between them.
    content: String,
}

/// Writes the pages, or only compares them.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let workspace = Workspace::read()?;
    match arguments {
        [] => write(&workspace)?,
        [flag] if flag == "--check" => check(&workspace)?,
        other => bail!("`cargo xtask facts` does not know `{}`", other.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares the pages with the sources.
///
/// # Errors
/// If a page says something else, naming all such pages.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let stale: Vec<&str> = find_stale_pages(workspace)?.into_iter().map(|(page, _)| page).collect();
    if !stale.is_empty() {
        bail!("{} no longer true: run `cargo xtask facts` and read the difference", stale.join(", "));
    }
    Ok(())
}

fn write(workspace: &Workspace) -> Result<()> {
    for (page, text) in find_stale_pages(workspace)? {
        fs::write(workspace.root.join(page), text).with_context(|| format!("could not write {page}"))?;
        println!("{page}");
    }
    Ok(())
}

/// The pages whose text differs from what the sources say, each with the text that it should have.
fn find_stale_pages(workspace: &Workspace) -> Result<Vec<(&'static str, String)>> {
    let mut pages: BTreeMap<&str, (String, String)> = BTreeMap::new();
    for Section { page, name, content } in make_sections(workspace)? {
        let (_, text) = match pages.entry(page) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let stored = fs::read_to_string(workspace.root.join(page));
                let stored = stored.with_context(|| format!("could not read {page}"))?;
                entry.insert((stored.clone(), stored))
            }
        };
        *text = section::fill(text, name, &content).with_context(|| page.to_owned())?;
    }
    let stale = pages.into_iter().filter(|(_, (stored, text))| stored != text);
    Ok(stale.map(|(page, (_, text))| (page, text)).collect())
}

fn make_sections(workspace: &Workspace) -> Result<Vec<Section>> {
    let document = document::read_operations(&workspace.root)?;
    let sources = tidy::read_rust_sources(&workspace.root)?;
    let dependencies = fs::read_to_string(workspace.root.join(dependencies::PAGE))?;
    dependencies::check_reasons(workspace, &dependencies)?;
    let quotes = example::quotes(&workspace.root)?.into_iter();
    let mut sections: Vec<Section> =
        quotes.map(|(name, content)| Section { page: "CONTRIBUTING.md", name, content }).collect();
    sections.extend([
        Section { page: "README.md", name: "operations", content: document.len().to_string() },
        Section { page: "docs/routes.md", name: "routes", content: routes::make_table(&sources, &document)? },
        Section { page: dependencies::PAGE, name: "users", content: dependencies::make_table(workspace) },
        Section { page: "docs/tables.md", name: "tables", content: tables::make_table(&sources) },
    ]);
    Ok(sections)
}
