//! Fails a test whose answer has a status that the document does not name. Paths that the document does not have, such as
//! pages and unknown addresses, are not looked at.

use std::sync::OnceLock;

use http::Method;
use serde_json::Value as Json;

/// The document as it is committed; another test compares it with what the program says.
const DOCUMENT: &str = include_str!("../../../openapi.json");

struct Operation {
    method: Method,
    segments: Vec<&'static str>,
    statuses: Vec<u16>,
}

/// Fails unless the document says that this operation may answer like that.
#[track_caller]
pub(crate) fn check(method: &Method, path: &str, status: u16) {
    static OPERATIONS: OnceLock<Vec<Operation>> = OnceLock::new();
    let operations = OPERATIONS.get_or_init(read);
    let path = path.split('?').next().unwrap_or_default();
    let asked: Vec<&str> = path.split('/').collect();
    let fitting = operations.iter().filter(|one| one.method == *method && fits(&one.segments, &asked));
    // A written segment goes before a parameter.
    let meant = fitting.min_by_key(|one| one.segments.iter().filter(|segment| is_parameter(segment)).count());
    if let Some(meant) = meant {
        let is_named = meant.statuses.contains(&status);
        assert!(is_named, "{method} {path} answered {status}, which the document does not name");
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}

fn fits(segments: &[&str], asked: &[&str]) -> bool {
    let fits =
        |(segment, asked): (&&str, &&str)| segment == asked || (is_parameter(segment) && !asked.is_empty());
    segments.len() == asked.len() && segments.iter().zip(asked).all(fits)
}

fn read() -> Vec<Operation> {
    let document: Json = serde_json::from_str(DOCUMENT).expect("the document is JSON");
    // The document is read once for the whole run, and its texts stay.
    let document: &'static Json = Box::leak(Box::new(document));
    let paths = document["paths"].as_object().expect("the document has paths");
    let operation = |path: &'static str, method: &str, said: &Json| {
        let answers = said["responses"].as_object()?;
        Some(Operation {
            method: method.to_uppercase().parse().ok()?,
            segments: path.split('/').collect(),
            statuses: answers.keys().filter_map(|status| status.parse().ok()).collect(),
        })
    };
    let all = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.filter_map(move |(method, said)| operation(path, method, said))
    });
    all.collect()
}
