//! `/auth/sso/complete`: where a browser ends after signing in with a provider when there is no other client. It says what
//! happened, and works without scripts.

use planwright_web::form_page;
use planwright_web::input::{Name, Patch};
use planwright_web::reply::Raw;
use planwright_web::{Query, Routes, input, says};
use serde_json::Value as Json;

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
    let error = outcome.error.given().map(String::from);
    let (title, text, link) = match error.as_deref() {
        None => (
            "You are signed in",
            "This window can be closed.",
            "<p><a href=\"/\">Go on to planwright</a></p>",
        ),
        Some("second_factor_required") => (
            "One more step",
            "Your provider knows you. Now show your second factor.",
            "<p><a href=\"/?second_factor\">Go on</a></p>",
        ),
        Some(error) => ("You are not signed in", sentence(error), ""),
    };
    form_page::shown(title, &format!("<h1>{title}</h1><p>{text}</p>{link}"))
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
