//! Which crate of ours uses which library, from the manifests. Why a library was chosen is prose, and is only checked to be there.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use xtask::workspace::{Package, Workspace};

use super::section;

/// The page that says why each library was chosen.
pub(super) const PAGE: &str = "docs/dependencies.md";
const OURS: &str = "planwright-";

/// The crates that use a library.
#[derive(Default)]
struct Users<'a> {
    program: BTreeSet<&'a str>,
    tests: BTreeSet<&'a str>,
}

/// Each library with the crates that use it.
pub(super) fn make_table(workspace: &Workspace) -> String {
    let rows = find_users(&workspace.packages).into_iter().map(|(library, users)| {
        let tests = users.tests.difference(&users.program).copied();
        vec![
            section::format_names([library]),
            section::format_names(users.program.iter().copied()),
            section::format_names(tests),
        ]
    });
    section::format_table(&["Library", "Used by", "Only by the tests of"], rows)
}

/// Compares the libraries that the page explains with those that the manifests name.
///
/// # Errors
/// If one is not explained, or one that is explained is not used.
pub(super) fn check_reasons(workspace: &Workspace, page: &str) -> Result<()> {
    let explained = list_explained_libraries(page);
    let used: BTreeSet<&str> = find_users(&workspace.packages).into_keys().collect();
    if let Some(library) = used.difference(&explained).next() {
        bail!("{PAGE} does not say why `{library}` is used: add a row");
    }
    if let Some(library) = explained.difference(&used).next() {
        bail!("{PAGE} explains `{library}`, which no manifest names: remove it");
    }
    Ok(())
}

fn find_users(packages: &[Package]) -> BTreeMap<&str, Users<'_>> {
    let is_ours = |name: &str| name.starts_with(OURS) || packages.iter().any(|package| package.name == name);
    let mut users: BTreeMap<&str, Users<'_>> = BTreeMap::new();
    for package in packages {
        let name = package.name.strip_prefix(OURS).unwrap_or(&package.name);
        for dependency in package.dependencies.iter().filter(|dependency| !is_ours(&dependency.name)) {
            let users = users.entry(&dependency.name).or_default();
            let side = if dependency.development { &mut users.tests } else { &mut users.program };
            side.insert(name);
        }
    }
    users
}

/// The names in the first columns of the tables about crates.
fn list_explained_libraries(page: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut is_about_crates = false;
    for line in page.lines() {
        is_about_crates = line.starts_with("| Crate ") || (is_about_crates && line.starts_with('|'));
        let first = line.split('|').nth(1).filter(|_| is_about_crates).unwrap_or_default();
        names.extend(first.split('`').skip(1).step_by(2));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::workspace::Dependency;

    fn workspace(dependencies: &[(&str, bool)]) -> Workspace {
        let dependencies = dependencies
            .iter()
            .map(|(name, development)| Dependency { name: (*name).to_owned(), development: *development });
        let package = Package {
            name: "planwright-plan".to_owned(),
            manifest: String::new(),
            dependencies: dependencies.collect(),
            examples: Vec::new(),
        };
        Workspace { root: "".into(), target: "".into(), packages: vec![package] }
    }

    #[test]
    fn a_library_of_the_program_is_not_only_one_of_tests() {
        let made = make_table(&workspace(&[
            ("serde", true),
            ("serde", false),
            ("insta", true),
            ("planwright-web", false),
        ]));
        let rows: Vec<&str> = made.lines().skip(3).collect();
        assert_eq!(rows, ["| `insta` |  | `plan` |", "| `serde` | `plan` |  |"]);
    }

    #[test]
    fn every_library_has_a_reason_and_every_reason_a_library() {
        let page =
            "| Crate | For |\n|---|---|\n| `serde`, `csv` 2 | `uuid` |\n\n| Library |\n|---|\n| `toml` |\n";
        assert!(check_reasons(&workspace(&[("serde", false), ("csv", true)]), page).is_ok());
        let missing = check_reasons(&workspace(&[("serde", false), ("csv", true), ("toml", false)]), page);
        assert!(missing.unwrap_err().to_string().contains("why `toml` is used"));
        let unused = check_reasons(&workspace(&[("serde", false)]), page);
        assert!(unused.unwrap_err().to_string().contains("explains `csv`"));
    }
}
