//! The headers of requests and answers, defined once and referenced by every operation.

use http::Method;
use serde_json::{Value as Json, json};

use super::reason;
use crate::routes::Route;
use crate::schema::JsonObject;

/// Headers of answers: name in the document, name of the header, description.
const OF_ANSWERS: [(&str, &str, &str); 10] = [
    ("RequestId", "X-Request-ID", "The id of the request. Every log line of the request contains it."),
    (
        "RateLimit",
        "RateLimit",
        "The limit that is closest to its end: how many requests are left, and when more are possible.",
    ),
    ("RateLimitPolicy", "RateLimit-Policy", "The limits that counted the request."),
    ("RetryAfter", "Retry-After", "The number of seconds to wait before the next attempt."),
    ("ETag", "ETag", "The version of the row, such as `\"v3\"`; weak where dates change under a version."),
    ("Location", "Location", "The address of what was created."),
    ("IdempotentReplay", "Idempotent-Replay", "`true` if this is the stored answer of an earlier request."),
    ("IgnoredFields", "X-SVC-Ignored-Fields", "The unknown fields of the request."),
    ("PreferenceApplied", "Preference-Applied", "`handling=strict` if the request asked for it."),
    ("WWWAuthenticate", "WWW-Authenticate", "How to sign in."),
];

/// `components.headers`.
pub(super) fn components() -> Json {
    let rows = OF_ANSWERS.map(|(name, _, says)| {
        (name.to_owned(), json!({ "description": says, "schema": { "type": "string" } }))
    });
    Json::Object(rows.into_iter().collect())
}

/// `components.parameters`: the headers that requests may send.
pub(super) fn parameters() -> Json {
    json!({
        "IdempotencyKey": { "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "A text of your choice. A second request with the same text gets the answer of the first one.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 } },
        "Prefer": { "name": "Prefer", "in": "header", "required": false,
            "description": "`handling=strict` refuses unknown fields (RFC 7240).",
            "schema": { "type": "string" } },
        "IfNoneMatch": { "name": "If-None-Match", "in": "header", "required": false,
            "description": "The ETag that you have. The answer is 304 if it is still the same.",
            "schema": { "type": "string" } },
    })
}

/// `components.responses`: the answers for errors.
pub(super) fn failures() -> JsonObject {
    let statuses = [400, 401, 402, 403, 404, 408, 409, 410, 412, 413, 415, 416, 422, 429, 500, 501, 502, 503];
    let response = |status: u16| {
        let content = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } });
        let headers = headers_of(status, false);
        json!({ "description": reason(status), "headers": headers, "content": content })
    };
    statuses.into_iter().map(|status| (failure_name(status), response(status))).collect()
}

/// The name of the answer of a status in `components.responses`.
pub(super) fn failure_name(status: u16) -> String {
    reason(status).replace(' ', "")
}

/// The headers of an answer, as references.
fn headers_of(status: u16, is_write: bool) -> Json {
    let mut names = vec!["RequestId", "RateLimit", "RateLimitPolicy"];
    match status {
        401 => names.push("WWWAuthenticate"),
        429 | 503 => names.push("RetryAfter"),
        200..300 => names.extend(["IgnoredFields", "PreferenceApplied"]),
        _ => {}
    }
    if is_write && status < 300 {
        names.push("IdempotentReplay");
    }
    references(&names)
}

fn references(names: &[&str]) -> Json {
    let wire = |name: &str| OF_ANSWERS.iter().find(|(known, ..)| *known == name).map(|(_, wire, _)| *wire);
    let rows = names.iter().filter_map(|name| {
        Some((wire(name)?.to_owned(), json!({ "$ref": format!("#/components/headers/{name}") })))
    });
    Json::Object(rows.collect())
}

/// Adds the headers of every answer that succeeds.
pub(super) fn add_to(route: &Route, responses: &mut JsonObject) {
    let is_write = route.method != Method::GET && !route.rules.returns_secret && !route.rules.public;
    for (status, response) in responses.iter_mut() {
        let Some(status) = status.parse::<u16>().ok().filter(|_| response.get("$ref").is_none()) else {
            continue;
        };
        let mut headers = headers_of(status, is_write);
        if let (Some(said), Some(headers)) =
            (response["headers"].as_object().cloned(), headers.as_object_mut())
        {
            headers.extend(said);
        }
        if status == 201
            && let (Json::Object(more), Some(headers)) =
                (references(&["ETag", "Location"]), headers.as_object_mut())
        {
            headers.extend(more);
        }
        response["headers"] = headers;
    }
}

/// The headers that a request to a route may send, as references.
pub(super) fn requested(route: &Route, has_body: bool, has_query: bool, has_tag: bool) -> Vec<Json> {
    let keeps_answers = route.method != Method::GET && !route.rules.returns_secret && !route.rules.public;
    let names = [
        ("IdempotencyKey", keeps_answers),
        ("Prefer", has_body || has_query),
        ("IfNoneMatch", route.method == Method::GET && has_tag),
    ];
    let sent = names.into_iter().filter(|(_, sent)| *sent);
    sent.map(|(name, _)| json!({ "$ref": format!("#/components/parameters/{name}") })).collect()
}
