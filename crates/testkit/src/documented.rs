//! Fails a test whose answer has a status that the document does not name. Paths that the document does not have, such as
//! pages and unknown addresses, are not looked at.

use std::sync::OnceLock;

use http::Method;

use crate::operations::{Operation, document, operations};

/// Fails unless the document says that this operation may answer like that.
#[track_caller]
pub(crate) fn check(method: &Method, path: &str, status: u16) {
    static OPERATIONS: OnceLock<Vec<Operation>> = OnceLock::new();
    let operations = OPERATIONS.get_or_init(|| operations(document()));
    let path = path.split('?').next().unwrap_or_default();
    let asked: Vec<&str> = path.split('/').collect();
    let fitting = operations.iter().filter(|one| one.method == *method && fits(&one.path, &asked));
    // A written segment goes before a parameter.
    if let Some(meant) = fitting.min_by_key(|one| one.kinds().len()) {
        let is_named = meant.said["responses"].get(status.to_string()).is_some();
        assert!(is_named, "{method} {path} answered {status}, which the document does not name");
    }
}

fn fits(path: &str, asked: &[&str]) -> bool {
    let fits =
        |segment: &str, asked: &str| segment == asked || (segment.starts_with('{') && !asked.is_empty());
    let mut asked = asked.iter();
    path.split('/').all(|segment| asked.next().is_some_and(|asked| fits(segment, asked)))
        && asked.next().is_none()
}
