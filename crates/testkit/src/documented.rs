//! Fails a test whose answer has a status that the document does not name. Paths that the document does not have, such as
//! pages and unknown addresses, are not looked at.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use http::Method;

use crate::operations::{Operation, document, operations};

/// An operation as far as its answers are checked.
struct Documented {
    segments: Vec<String>,
    statuses: HashSet<String>,
}

/// The operations by their method and the number of segments of their path: a test sends many requests.
static DOCUMENTED: LazyLock<HashMap<(Method, usize), Vec<Documented>>> = LazyLock::new(|| {
    let mut documented: HashMap<_, Vec<Documented>> = HashMap::new();
    for operation in operations(document()) {
        let segments = operation.path.split('/').count();
        documented.entry((operation.method.clone(), segments)).or_default().push(Documented::new(&operation));
    }
    documented
});

/// Fails unless the document says that this operation may answer like that.
#[track_caller]
pub(crate) fn check(method: &Method, path: &str, status: u16) {
    let path = path.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    let Some(candidates) = DOCUMENTED.get(&(method.clone(), segments.len())) else { return };
    let matches = candidates.iter().filter(|one| one.has_address(&segments));
    // A written segment goes before a parameter.
    if let Some(operation) = matches.min_by_key(|one| one.parameters()) {
        let is_named = operation.statuses.contains(&status.to_string());
        assert!(is_named, "{method} {path} answered {status}, which the document does not name");
    }
}

impl Documented {
    fn new(operation: &Operation) -> Self {
        let statuses = operation.said["responses"].as_object();
        let statuses = statuses.into_iter().flat_map(|named| named.keys().cloned()).collect();
        Self { segments: operation.path.split('/').map(str::to_owned).collect(), statuses }
    }

    fn has_address(&self, segments: &[&str]) -> bool {
        let pairs = self.segments.iter().zip(segments);
        pairs.into_iter().all(|(own, sent)| own == sent || (is_parameter(own) && !sent.is_empty()))
    }

    fn parameters(&self) -> usize {
        self.segments.iter().filter(|segment| is_parameter(segment)).count()
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}
