//! The operations of `openapi.json`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// A method and a path, sorted by path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Operation {
    pub(super) path: String,
    /// In capitals.
    pub(super) method: String,
}

/// The operations of the committed document.
pub(super) fn read_operations(root: &Path) -> Result<BTreeSet<Operation>> {
    let text = fs::read_to_string(root.join("openapi.json")).context("could not read openapi.json")?;
    Ok(list_operations(&serde_json::from_str(&text).context("openapi.json is no JSON")?))
}

fn list_operations(document: &Value) -> BTreeSet<Operation> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            let methods = METHODS.into_iter().filter(|method| item.get(method).is_some());
            methods.map(|method| Operation { path: path.clone(), method: method.to_uppercase() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_path_has_an_operation_for_each_method_and_none_for_its_parameters() {
        let paths = json!({ "/a/": { "get": {}, "patch": {}, "parameters": [] }, "/b/": { "post": {} } });
        let operations = list_operations(&json!({ "paths": paths }));
        let listed: Vec<String> =
            operations.iter().map(|operation| format!("{} {}", operation.method, operation.path)).collect();
        assert_eq!(listed, ["GET /a/", "PATCH /a/", "POST /b/"]);
    }
}
