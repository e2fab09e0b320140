//! The operations of the OpenAPI document, for tests that walk all of them, and for the check that an answer is one that the
//! document names. It knows the format of the document, and nothing of what an operation means.

use std::sync::LazyLock;

use http::Method;
use serde_json::Value as Json;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// One operation of the document.
pub struct Operation {
    /// Its method.
    pub method: Method,
    /// Its path, with the parameters in braces.
    pub path: String,
    /// What the document says about it.
    pub said: Json,
}

/// The file of the document.
pub const DOCUMENT_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");

/// The document as it is committed.
pub fn document() -> &'static Json {
    static DOCUMENT: LazyLock<Json> = LazyLock::new(|| {
        let text = std::fs::read(DOCUMENT_FILE).expect("the document is committed");
        serde_json::from_slice(&text).expect("the document is JSON")
    });
    &DOCUMENT
}

/// Every operation of a document, by path.
pub fn operations(document: &Json) -> Vec<Operation> {
    let paths = document["paths"].as_object().expect("the document has paths");
    let mut operations = Vec::new();
    for (path, item) in paths {
        for name in METHODS {
            let Some(said) = item.get(name) else { continue };
            let method = name.to_ascii_uppercase().parse().expect("it is the name of a method");
            operations.push(Operation { method, path: path.clone(), said: said.clone() });
        }
    }
    operations
}

impl Operation {
    /// Whether the document lets anybody call it.
    pub fn is_public(&self) -> bool {
        let schemes = self.said["security"].as_array().cloned().unwrap_or_default();
        schemes.iter().any(|scheme| scheme.as_object().is_some_and(|names| names.is_empty()))
    }

    /// The path with its parameters filled; `fill` is told the kind of each.
    pub fn path_with(&self, fill: impl Fn(&str) -> String) -> String {
        let mut kinds = self.kinds().into_iter();
        let fill_next = |segment: &str| match segment.starts_with('{') {
            true => fill(&kinds.next().expect("every parameter is of some kind")),
            false => segment.to_owned(),
        };
        self.path.split('/').map(fill_next).collect::<Vec<_>>().join("/")
    }

    /// What each parameter of the path is an id of: the words that stand before it and the parameters above it, such as
    /// `projects` and `projects/members` for a member of a project.
    pub fn kinds(&self) -> Vec<String> {
        let (mut before, mut words, mut kinds) = ("", Vec::new(), Vec::new());
        for segment in self.path.split('/') {
            if segment.starts_with('{') {
                words.push(before);
                kinds.push(words.join("/"));
            }
            before = segment;
        }
        kinds
    }

    /// The path with the names of its parameters left out, since those may differ between documents.
    pub fn shape(&self) -> String {
        self.path_with(|_| "{}".to_owned())
    }

    /// Method and path, with the names of its parameters left out.
    pub fn name_of_shape(&self) -> String {
        format!("{} {}", self.method, self.shape())
    }

    /// Method and path, for messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}
