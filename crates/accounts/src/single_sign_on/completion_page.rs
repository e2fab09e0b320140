//! `/auth/sso/complete`: where a browser ends after signing in with a provider when there is no other client. It says what
//! happened, and works without scripts.

use planwright_web::form_page;
use planwright_web::input::{Name, Patch};
use planwright_web::language::Language;
use planwright_web::reply::Raw;
use planwright_web::{Query, Routes, input, says};
use serde_json::Value as Json;

use crate::words;

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

async fn show(language: Language, Query(outcome): Query<Outcome>) -> Raw<Json> {
    let error = outcome.error.given().map(String::from);
    let (title, text, way_on) = match error.as_deref() {
        None => (words::SIGNED_IN, words::CLOSE, Some(("/", words::GO_ON_TO_PLANWRIGHT))),
        Some("second_factor_required") => {
            (words::ONE_MORE_STEP, words::SHOW_FACTOR, Some(("/?second_factor", words::GO_ON)))
        }
        Some(error) => (words::NOT_SIGNED_IN, words::refused_sign_in(error), None),
    };
    let link =
        way_on.map(|(place, label)| format!("<p><a href=\"{place}\">{}</a></p>", label.text(language)));
    let (title, text, link) = (title.text(language), text.text(language), link.unwrap_or_default());
    form_page::shown(language, title, &format!("<h1>{title}</h1><p>{text}</p>{link}"))
}
