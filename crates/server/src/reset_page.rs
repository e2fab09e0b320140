//! The page that the link of a reset mail leads to: a form for a new password, written here and working without scripts.
//! What a link is worth and which passwords are good enough is decided in accounts.

use axum::extract::State;
use http::StatusCode;
use planwright_accounts::passwords;
use planwright_web::form_page::{escaped, page, weaknesses, wrongs};
use planwright_web::input::Secret;
use planwright_web::language::Language;
use planwright_web::limits::Limit;
use planwright_web::path::ParentPath;
use planwright_web::reply::Raw;
use planwright_web::{ApiError, ApiResult, App, Body, Path, Routes, input, says};
use serde_json::Value as Json;

use crate::words;

/// Where the links lead.
const PATH: &str = "/reset-password/confirm/{uid}/{token}/";

/// The routes of this file.
pub fn routes() -> Routes {
    let page = |summary| says(summary).public().hidden().limit(Limit::PasswordReset);
    Routes::new().get(PATH, show, page("The form for a new password.")).post(
        PATH,
        choose,
        page("Set a new password with the form."),
    )
}

input! {
    /// The form.
    struct ChosenPassword {
        /// The new password.
        new_password: Secret<0, 1024>,
        /// The same once more.
        again: Secret<0, 1024>,
    }
}

async fn show(
    State(app): State<App>,
    ParentPath(uid): ParentPath<String>,
    Path(token): Path<String>,
    language: Language,
) -> ApiResult<Raw<Json>> {
    match passwords::holder_of_link(&app, &uid, &token).await {
        Ok(person) => Ok(answer(StatusCode::OK, language, &form(language, &person.username, &[]))),
        Err(refusal) => dead_link(language, refusal),
    }
}

async fn choose(
    State(app): State<App>,
    ParentPath(uid): ParentPath<String>,
    Path(token): Path<String>,
    language: Language,
    Body(chosen): Body<ChosenPassword>,
) -> ApiResult<Raw<Json>> {
    let person = match passwords::holder_of_link(&app, &uid, &token).await {
        Ok(person) => person,
        Err(refusal) => return dead_link(language, refusal),
    };
    let (password, again): (String, String) = (chosen.new_password.into(), chosen.again.into());
    if password != again {
        let wrong = words::PASSWORDS_DIFFER.text(language).to_owned();
        return Ok(again_with(language, &person.username, &[wrong]));
    }
    match passwords::choose(&app, &uid, &token, password).await {
        Ok(()) => Ok(answer(StatusCode::OK, language, &changed(language))),
        Err(refusal) => not_chosen(language, &person.username, refusal),
    }
}

fn answer(status: StatusCode, language: Language, content: &str) -> Raw<Json> {
    page(language, status, words::NEW_PASSWORD.text(language), content)
}

fn changed(language: Language) -> String {
    words::PASSWORD_CHANGED.text(language).to_owned() + words::SIGN_IN.text(language)
}

/// The form again, with what was wrong.
fn again_with(language: Language, username: &str, wrong: &[String]) -> Raw<Json> {
    answer(StatusCode::BAD_REQUEST, language, &form(language, username, wrong))
}

/// A password that is too weak may be another one; a link that is no good any more stays so.
fn not_chosen(language: Language, username: &str, refusal: ApiError) -> ApiResult<Raw<Json>> {
    match weaknesses(&refusal) {
        Some(wrong) => Ok(again_with(language, username, &words::refusals(language, &wrong))),
        None => dead_link(language, refusal),
    }
}

/// A link that is no good gets a page; a database that is away stays an error.
fn dead_link(language: Language, refusal: ApiError) -> ApiResult<Raw<Json>> {
    match refusal.status() == StatusCode::BAD_REQUEST.as_u16() {
        true => Ok(answer(StatusCode::BAD_REQUEST, language, words::DEAD_RESET_LINK.text(language))),
        false => Err(refusal),
    }
}

fn form(language: Language, username: &str, wrong: &[String]) -> String {
    let owner = format!("<strong>{}</strong>", escaped(username));
    format!(
        "<h1>{title}</h1><p>{advice}</p>{wrong}\
         <form method=\"post\">\
         <label for=\"new_password\">{label}</label>\
         <input id=\"new_password\" name=\"new_password\" type=\"password\" autocomplete=\"new-password\" required autofocus>\
         <label for=\"again\">{again}</label>\
         <input id=\"again\" name=\"again\" type=\"password\" autocomplete=\"new-password\" required>\
         <button>{button}</button></form>",
        title = words::CHOOSE_PASSWORD.text(language),
        advice = words::PASSWORD_ADVICE.around(language, &owner),
        wrong = wrongs(wrong),
        label = words::NEW_PASSWORD.text(language),
        again = words::ONCE_MORE.text(language),
        button = words::CHANGE_PASSWORD.text(language),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_into_the_page() {
        let shown = form(Language::English, "<script>\"&'", &["a < b".to_owned()]);
        assert!(shown.contains("&lt;script&gt;&quot;&amp;&#39;") && shown.contains("a &lt; b"));
        assert!(!shown.contains("<script>"));
    }

    #[test]
    fn a_name_that_looks_like_a_place_stays_a_name() {
        let shown = form(Language::French, "{}", &[]);
        assert!(shown.contains("Pour <strong>{}</strong>.") && shown.contains("Changer le mot de passe"));
    }
}
