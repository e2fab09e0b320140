//! The handler of each operation, from the route tables in the sources. It compares what it finds with `openapi.json`, so that
//! a route table which it cannot read is noticed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::document::Operation;
use super::section;
use crate::tidy::source::Source;

/// The methods of `Routes`, with the methods of HTTP that each adds.
const ADDERS: [(&str, &[&str]); 6] = [
    (".get(", &["GET"]),
    (".post(", &["POST"]),
    (".put(", &["PUT"]),
    (".patch(", &["PATCH"]),
    (".delete(", &["DELETE"]),
    (".write(", &["PUT", "PATCH"]),
];

/// A function that answers operations, with the file of its route table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Handler {
    file: String,
    name: String,
}

/// Each operation with its file and its handler, in the order of the paths.
///
/// # Errors
/// If an operation of the document is in no route table.
pub(super) fn make_table(sources: &[Source], document: &BTreeSet<Operation>) -> Result<String> {
    let handlers = find_handlers(sources);
    if let Some(missing) = document.iter().find(|operation| !handlers.contains_key(*operation)) {
        bail!(
            "no route table names {} {}: write its path as a literal, a constant or an element of an array",
            missing.method,
            missing.path
        );
    }
    let row = |(operation, handler): (&Operation, &Handler)| {
        let Operation { path, method } = operation;
        vec![
            format!("{method} `{path}`"),
            section::format_names([&*handler.name]),
            section::format_names([&*handler.file]),
        ]
    };
    let head = ["Operation", "Handler", "File"];
    let (inside, outside): (Vec<_>, Vec<_>) =
        handlers.iter().partition(|(operation, _)| document.contains(*operation));
    let listed = section::format_table(&head, inside.into_iter().map(row));
    let others = section::format_table(&head, outside.into_iter().map(row));
    Ok(format!("\n## In openapi.json\n{listed}\n## Not in openapi.json\n{others}"))
}

fn find_handlers(sources: &[Source]) -> BTreeMap<Operation, Handler> {
    let mut handlers = BTreeMap::new();
    let tables = sources.iter().filter(|source| {
        source.path.starts_with("crates/") && source.code.contains("Routes") && !source.is_test(1)
    });
    for source in tables {
        for (adder, methods) in ADDERS {
            for (at, _) in source.code.match_indices(adder) {
                for (path, handler) in read_row(source, sources, at + adder.len()) {
                    let operation =
                        |method: &&str| Operation { path: path.clone(), method: (*method).to_owned() };
                    handlers.extend(methods.iter().map(|method| (operation(method), handler.clone())));
                }
            }
        }
    }
    handlers
}

/// The paths of a row, whose arguments begin at an offset. None, if it is no row of a route table.
fn read_row(source: &Source, sources: &[Source], start: usize) -> Vec<(String, Handler)> {
    let Some((path, rest)) = source.code[start..].split_once(',') else { return Vec::new() };
    let blanks = path.len() - path.trim_start().len();
    let name = rest.trim_start();
    let name = &name[..name.find(|letter: char| !is_word(letter) && letter != ':').unwrap_or(0)];
    let handler = Handler { file: source.path.clone(), name: name.trim_end_matches(':').to_owned() };
    let paths = resolve_paths(source, sources, start + blanks, path.trim());
    paths.into_iter().filter(|path| path.starts_with('/')).map(|path| (path, handler.clone())).collect()
}

/// The paths that an argument stands for: a literal, a constant, a constant of several types, or an element of arrays.
fn resolve_paths(source: &Source, sources: &[Source], at: usize, argument: &str) -> Vec<String> {
    if argument.starts_with('"') {
        return read_literal(source, at).into_iter().collect();
    }
    match argument.rsplit_once("::") {
        Some((_, name)) => {
            let folder = source.path.split_inclusive('/').take(2).collect::<String>();
            let own_crate = sources.iter().filter(|other| other.path.starts_with(&folder));
            own_crate.flat_map(|other| list_constants(other, name)).collect()
        }
        None if argument.starts_with(char::is_uppercase) => list_constants(source, argument),
        None if argument.chars().all(is_word) => list_elements(source, argument),
        None => Vec::new(),
    }
}

/// The text of a literal that begins at an offset.
fn read_literal(source: &Source, at: usize) -> Option<String> {
    let length = source.code[at + 1..].find('"')?;
    Some(source.text[at + 1..at + 1 + length].to_owned())
}

fn list_constants(source: &Source, name: &str) -> Vec<String> {
    let declaration = format!("const {name}: &");
    let declared = source.code.match_indices(&declaration);
    let values = declared.filter_map(|(at, _)| {
        let end = at + source.code[at..].find(';')?;
        let value = at + source.code[at..end].find('"')?;
        read_literal(source, value)
    });
    values.collect()
}

/// The paths at the index that a name has in a pattern, as in `[all, one]: [&'static str; 2]`, of all arrays of so many paths.
fn list_elements(source: &Source, name: &str) -> Vec<String> {
    for (at, _) in source.code.match_indices("]: [&'static str; ") {
        let Some(open) = source.code[..at].rfind('[') else { continue };
        let names: Vec<&str> = source.code[open + 1..at].split(',').map(str::trim).collect();
        if let Some(index) = names.iter().position(|other| *other == name) {
            let arrays = list_arrays(source).into_iter().filter(|array| array.len() == names.len());
            return arrays.map(|mut array| array.swap_remove(index)).collect();
        }
    }
    Vec::new()
}

/// The arrays of paths in a file.
fn list_arrays(source: &Source) -> Vec<Vec<String>> {
    let starts = source.code.match_indices('[');
    let arrays = starts.filter_map(|(at, _)| {
        let end = at + source.code[at..].find(']')?;
        let quotes: Vec<usize> =
            source.code[at..end].match_indices('"').map(|(quote, _)| at + quote).collect();
        let paths: Vec<String> =
            quotes.chunks_exact(2).map(|pair| source.text[pair[0] + 1..pair[1]].to_owned()).collect();
        let is_of_paths = !paths.is_empty() && paths.iter().all(|path| path.starts_with('/'));
        is_of_paths.then_some(paths)
    });
    arrays.collect()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_rows(text: &str) -> Vec<String> {
        let sources = [Source::new("crates/plan/src/routes.rs", format!("use Routes;\n{text}"))];
        let handlers = find_handlers(&sources);
        handlers.iter().map(|(at, handler)| format!("{} {} {}", at.method, at.path, handler.name)).collect()
    }

    #[test]
    fn a_path_is_a_literal_or_a_constant() {
        let text = "const ONE: &str = \"/a/{id}/\";\nRoutes::new().get(\n  \"/a/\",\n  list,\n).write(ONE, update::<C>, says())";
        assert_eq!(list_rows(text), ["GET /a/ list", "PATCH /a/{id}/ update", "PUT /a/{id}/ update"]);
        assert_eq!(list_rows("map.get(key, 1).get(\"key\", 2)"), [""; 0]);
    }

    #[test]
    fn a_path_is_a_constant_of_each_type() {
        let text = "impl A for P { const ALL: &'static str = \"/p/\"; }\nimpl A for Q { const ALL: &'static str =\n \"/q/\"; }";
        assert_eq!(
            list_rows(&format!("{text}\nx.get(C::ALL, list::<C>, y)")),
            ["GET /p/ list", "GET /q/ list"]
        );
    }

    #[test]
    fn a_path_is_an_element_of_each_array() {
        let text = "of([\"/p/\", \"/p/{id}/\"]); of([\"/q/\", \"/q/{id}/\"]);\nfn of([all, one]: [&'static str; 2]) { x.post(one, show, y) }";
        assert_eq!(list_rows(text), ["POST /p/{id}/ show", "POST /q/{id}/ show"]);
    }

    #[test]
    fn an_operation_without_a_row_is_an_error() {
        let operation = Operation { path: "/a/".to_owned(), method: "GET".to_owned() };
        let message = make_table(&[], &BTreeSet::from([operation])).unwrap_err().to_string();
        assert!(message.starts_with("no route table names GET /a/"));
    }
}
