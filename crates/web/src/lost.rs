//! What a browser sees at an address that nothing has: a page with ways on. Programs, and everything below `/api/`, get JSON.

use axum::extract::Request;
use axum::response::Response;
use http::header::{ACCEPT, CONTENT_LENGTH};
use http::{Method, StatusCode};

/// The page for unknown addresses. The composition root adds it.
pub struct LostPage(pub fn() -> Response);

/// Whether a person in a browser asks for a page.
pub(crate) fn is_for_people(request: &Request) -> bool {
    let accepts = |value: &http::HeaderValue| value.to_str().is_ok_and(|text| text.contains("text/html"));
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path();
    let is_interface = path == "/api" || path.starts_with("/api/");
    is_read && !is_interface && request.headers().get_all(ACCEPT).iter().any(accepts)
}

/// The page in place of a JSON answer of 404; other answers stay. Status, limits and request id are those of the answer.
pub(crate) fn in_place(answer: Response, page: &LostPage) -> Response {
    if answer.status() != StatusCode::NOT_FOUND {
        return answer;
    }
    let (mut head, _) = answer.into_parts();
    let (own, body) = (page.0)().into_parts();
    head.headers.remove(CONTENT_LENGTH);
    for (name, value) in &own.headers {
        head.headers.insert(name, value.clone());
    }
    Response::from_parts(head, body)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn asked(method: Method, path: &str, accept: &str) -> bool {
        let request = Request::builder().method(method).uri(path).header(ACCEPT, accept);
        is_for_people(&request.body(Body::empty()).unwrap())
    }

    #[test]
    fn only_a_browser_that_looks_for_a_page_is_shown_one() {
        let browser = "text/html,application/xhtml+xml,*/*;q=0.8";
        assert!(asked(Method::GET, "/nowhere", browser) && asked(Method::HEAD, "/apis", browser));
        assert!(
            !asked(Method::GET, "/nowhere", "*/*") && !asked(Method::GET, "/nowhere", "application/json")
        );
        assert!(!asked(Method::POST, "/nowhere", browser));
        assert!(!asked(Method::GET, "/api/v1/nowhere/", browser) && !asked(Method::GET, "/api", browser));
    }
}
