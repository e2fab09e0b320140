//! Unknown fields of a request: the answer names them, or the request is refused if the caller asks for strict
//! handling (decisions, Lists; RFC 7240). Bodies are compared with their types, queries with the parameters of the
//! route.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value as Json};

use crate::body::{names_in_query, says_nothing};
use crate::input::Input;
use crate::problem::Problems;
use crate::{ApiError, ApiResult, App};

/// The maximum number of names in an answer. The others are counted.
const MOST_NAMES: usize = 20;
/// The maximum number of shown characters of a name.
const LONGEST_NAME: usize = 80;
/// The message of strict handling for each field.
const UNKNOWN: &str = "There is no such field.";

/// The fields and parameters of one route.
#[derive(Clone)]
pub(crate) struct Taken {
    /// The program.
    pub(crate) app: App,
    /// The query parameters of the route, by extractor.
    pub(crate) query: &'static [&'static [&'static str]],
    /// Whether it is an action without fields.
    pub(crate) no_body: bool,
}

/// The unknown names, in the extensions of the request while it is handled.
#[derive(Clone, Debug)]
pub(crate) struct Ignored {
    strict: bool,
    names: Arc<Mutex<BTreeSet<String>>>,
}

impl Ignored {
    /// The recorded names of a request. `None` without a route, as in tests of one extractor.
    pub(crate) fn of(request: &Request) -> Option<Self> {
        request.extensions().get::<Self>().cloned()
    }

    /// Records or refuses the fields of a body that its type does not know.
    pub(crate) fn note<T: Input>(&self, body: &Map<String, Json>) -> Problems {
        let mut unknown = Vec::new();
        T::unknown(body, "", &mut unknown);
        self.settle(unknown)
    }

    /// Records or refuses unknown names.
    pub(crate) fn settle(&self, unknown: Vec<String>) -> Problems {
        let mut problems = Problems::default();
        match self.strict {
            true => unknown.iter().for_each(|name| problems.say(name, UNKNOWN)),
            false => self.names.lock().unwrap_or_else(PoisonError::into_inner).extend(unknown),
        }
        problems
    }
}

/// What an object says. Its unknown fields are recorded, or refused together with everything else that is wrong.
pub(crate) fn read_noted<T: Input>(ignored: Option<&Ignored>, object: &Map<String, Json>) -> ApiResult<T> {
    let refused = ignored.map(|ignored| ignored.note::<T>(object)).unwrap_or_default();
    match (T::read(object), refused.is_empty()) {
        (Ok(body), true) => Ok(body),
        (Ok(_), false) => Err(ApiError::invalid(refused)),
        (Err(problems), _) => Err(ApiError::invalid(problems).and_invalid(refused)),
    }
}

/// The layer around a handler that names the unknown fields of the request.
pub(crate) async fn watch(State(taken): State<Taken>, mut request: Request, next: Next) -> Response {
    let ignored = Ignored { strict: is_strict(request.headers()), names: Arc::default() };
    let query = names_in_query(request.uri().query().unwrap_or_default());
    let is_known = |name: &String| taken.query.iter().any(|names| names.contains(&name.as_str()));
    let unknown = query.into_iter().filter(|name| !is_known(name)).collect();
    let problems = ignored.settle(unknown);
    if !problems.is_empty() {
        return applied(&ignored, &taken.app, ApiError::invalid(problems).into_response());
    }
    if taken.no_body {
        request = match without_fields(request).await {
            Ok(request) => request,
            Err(refusal) => return applied(&ignored, &taken.app, refusal.into_response()),
        };
    }
    request.extensions_mut().insert(ignored.clone());
    let response = next.run(request).await;
    applied(&ignored, &taken.app, response)
}

/// Refuses a body for an action without fields. An empty object is allowed.
async fn without_fields(request: Request) -> ApiResult<Request> {
    let (parts, body) = request.into_parts();
    // The guard has read and bounded it already.
    let bytes = to_bytes(body, usize::MAX).await.map_err(|error| ApiError::unexpected(error.into()))?;
    match says_nothing(&bytes) {
        true => Ok(Request::from_parts(parts, Body::empty())),
        false => Err(ApiError::invalid_field("non_field_errors", "This action takes no fields.")),
    }
}

/// Whether the preferences contain `handling=strict` (RFC 7240, section 4.4).
fn is_strict(headers: &HeaderMap) -> bool {
    let preferences = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    preferences.flat_map(|line| line.split(',')).any(|preference| {
        let mut sides = preference.split(';').next().unwrap_or_default().split('=').map(str::trim);
        let (name, value) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
        name.eq_ignore_ascii_case("handling") && value.trim_matches('"').eq_ignore_ascii_case("strict")
    })
}

fn applied(ignored: &Ignored, app: &App, mut response: Response) -> Response {
    if ignored.strict {
        let headers = response.headers_mut();
        headers.insert("preference-applied", HeaderValue::from_static("handling=strict"));
        return response;
    }
    let names = ignored.names.lock().unwrap_or_else(PoisonError::into_inner);
    if names.is_empty() {
        return response;
    }
    let header = HeaderName::try_from(format!("x-{}-ignored-fields", app.settings.prefix));
    if let (Ok(header), Ok(value)) = (header, HeaderValue::try_from(listed(&names))) {
        response.headers_mut().insert(header, value);
    }
    response
}

/// Names as one short line of visible ASCII, whatever the caller sent.
fn listed(names: &BTreeSet<String>) -> String {
    let mut shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| visible(name)).collect();
    if names.len() > MOST_NAMES {
        shown.push(format!("and {} more", names.len() - MOST_NAMES));
    }
    shown.join(", ")
}

fn visible(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes().take(LONGEST_NAME) {
        match byte {
            b'!'..=b'~' if !b"%,".contains(&byte) => text.push(char::from(byte)),
            _ => _ = write!(text, "%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_handling_is_found_among_other_preferences() {
        let strict = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert("prefer", HeaderValue::from_static(value));
            is_strict(&headers)
        };
        for yes in ["handling=strict", "return=minimal, Handling = \"Strict\"", "handling=strict; foo=1"] {
            assert!(strict(yes), "{yes}");
        }
        for no in ["handling=lenient", "strict", "return=strict", ""] {
            assert!(!strict(no), "{no}");
        }
    }

    #[test]
    fn names_that_a_caller_chose_cannot_break_the_header() {
        let names = ["a\r\nSet-Cookie: x=1", "naïve", &"x".repeat(500)].map(str::to_owned);
        let line = listed(&BTreeSet::from(names));
        assert!(line.starts_with("a%0D%0ASet-Cookie:%20x=1, na%C3%AFve, xxx"), "{line}");
        assert!(line.len() < 200);
        let many: BTreeSet<String> = (0..50).map(|n| format!("f{n:02}")).collect();
        assert!(listed(&many).ends_with("f19, and 30 more"));
    }
}
