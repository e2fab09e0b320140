//! Finds links and paths in Markdown pages that lead to no file of the repository. Addresses of the web are not checked.

use std::collections::BTreeSet;

use super::Violation;

const ROOTS: [&str; 8] = ["crates/", "docs/", "xtask/", "tests/", "ui/", "deploy/", "schema/", ".ci/"];
/// The pages of others, and the page that tells of files which are gone.
const UNCHECKED: [&str; 2] = ["crates/web/assets/", "CHANGELOG.md"];
/// Marks a path as a pattern or a placeholder.
const OPEN: [&str; 7] = ["*", "{", "<", "…", "NNNN", "NAME", " "];

/// The links and paths of a page that lead nowhere; `files` is every file.
pub(crate) fn check(page: &str, content: &str, files: &BTreeSet<String>) -> Vec<Violation> {
    if !page.ends_with(".md") || UNCHECKED.iter().any(|start| page.starts_with(start)) {
        return Vec::new();
    }
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut violations = Vec::new();
    for (index, line) in content.lines().enumerate() {
        let links = list_links(line).filter_map(|link| Some((link, resolve(folder, link)?)));
        let paths = list_paths(line).map(|path| (path, path.to_owned()));
        for (name, target) in links.chain(paths).filter(|(_, target)| !is_there(files, target)) {
            let message = format!("`{name}` leads to no file: `{target}` is not in the repository");
            violations.push(Violation::new(page, index + 1, message));
        }
    }
    violations
}

/// The targets of links to files.
fn list_links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    targets
        .map(|target| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty() && !target.contains(':'))
}

/// The paths from the root of the repository that stand as code.
fn list_paths(line: &str) -> impl Iterator<Item = &str> {
    let spans = line.split('`').skip(1).step_by(2);
    spans.filter(|span| {
        ROOTS.iter().any(|root| span.starts_with(root)) && !OPEN.iter().any(|mark| span.contains(mark))
    })
}

/// A link as a path from the root; none if it leads out of the repository.
fn resolve(folder: &str, link: &str) -> Option<String> {
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            ".." => drop(path.pop()?),
            "." | "" => {}
            name => path.push(name),
        }
    }
    Some(path.join("/"))
}

/// Whether it is a file, or a folder with files.
fn is_there(files: &BTreeSet<String>, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    let folder = format!("{path}/");
    path.is_empty()
        || files.contains(path)
        || files.range(folder.clone()..).next().is_some_and(|file| file.starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(page: &str, content: &str) -> Vec<String> {
        let files = ["docs/api/a.md", "README.md", "crates/web/src/lib.rs"];
        let files = files.into_iter().map(str::to_owned).collect();
        check(page, content, &files).into_iter().map(|violation| violation.message).collect()
    }

    #[test]
    fn a_link_leads_to_a_file_or_a_folder() {
        let good = "[a](api/a.md#b), [b](api/), [c](../README.md), [d](#e), [f](https://a.b/c.md)";
        assert_eq!(faults("docs/b.md", good), [""; 0]);
        let wrong = faults("docs/b.md", "[a](a.md)");
        assert_eq!(wrong, ["`a.md` leads to no file: `docs/a.md` is not in the repository"]);
    }

    #[test]
    fn a_path_as_code_is_one_from_the_root() {
        assert_eq!(
            faults("docs/b.md", "`crates/web/`, `crates/*/src`, `cargo test`, `web/src/none.rs`"),
            [""; 0]
        );
        assert_eq!(faults("docs/b.md", "`crates/web/src/none.rs`").len(), 1);
        assert_eq!(faults("CHANGELOG.md", "`crates/web/src/none.rs`").len(), 0);
    }
}
