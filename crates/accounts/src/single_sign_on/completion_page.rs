//! `/auth/sso/complete`: where a browser ends after signing in with a provider when there is no other client. It says what
//! happened, and works without scripts.

use axum::response::IntoResponse;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use http::{HeaderValue, header};
use planwright_web::input::{Name, Patch};
use planwright_web::reply::Raw;
use planwright_web::{Query, Routes, input, says};
use serde_json::Value as Json;

const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The routes of this file.
pub fn table() -> Routes {
    let page = says("What became of a sign-in with a provider.").public().hidden();
    Routes::new().get("/auth/sso/complete", show, page)
}

input! {
    /// Why nobody is signed in.
    struct Outcome {
        /// The word of the refusal.
        error: Patch<Name<0, 64>>,
    }
}

async fn show(Query(outcome): Query<Outcome>) -> Raw<Json> {
    let (title, text) = match outcome.error.given() {
        None => ("You are signed in", "This window can be closed."),
        Some(error) => ("You are not signed in", sentence(error.as_str())),
    };
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title} – planwright</title>\n\
         <link rel=\"stylesheet\" href=\"/api/schema/assets/home.css\">\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1><p>{text}</p>\n</main>\n</body>\n</html>\n"
    );
    let mut response = ([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Raw::new(response)
}

/// The sentence for a word. Words that nobody knows get one that says nothing, since anybody can write them.
fn sentence(error: &str) -> &'static str {
    match error {
        "access_denied" => "The provider did not let you in, or you cancelled.",
        "sso_not_configured" => "There is no such provider here. Ask your administrator.",
        "invalid_state" => "This sign-in was not begun in this browser, or it took too long. Begin again.",
        "sso_account_disabled" => "Your account was deactivated. Ask your administrator.",
        "sso_no_member" => "You have no account here. Ask your administrator.",
        "email_unverified" => {
            "Your provider has not verified your e-mail address. Verify it there, and begin again."
        }
        _ => "The provider gave an answer that cannot be accepted. Try again, or ask your administrator.",
    }
}
