//! The page that the link of a reset mail leads to: a form for a new password, written here and working without scripts.
//! What a link is worth and which passwords are good enough is decided in accounts.

use axum::extract::State;
use http::StatusCode;
use planwright_accounts::passwords;
use planwright_web::input::Secret;
use planwright_web::limits::Limit;
use planwright_web::path::ParentPath;
use planwright_web::reply::Raw;
use planwright_web::{ApiError, ApiResult, App, Body, Path, Routes, input, says};
use serde_json::Value as Json;

use planwright_web::form_page::{escaped, page, weaknesses, wrongs};

/// Where the links lead.
const PATH: &str = "/reset-password/confirm/{uid}/{token}/";

const TITLE: &str = "New password";

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
) -> ApiResult<Raw<Json>> {
    match passwords::holder_of_link(&app, &uid, &token).await {
        Ok(person) => Ok(page(StatusCode::OK, TITLE, &form(&person.username, &[]))),
        Err(refusal) => dead_link(refusal),
    }
}

async fn choose(
    State(app): State<App>,
    ParentPath(uid): ParentPath<String>,
    Path(token): Path<String>,
    Body(chosen): Body<ChosenPassword>,
) -> ApiResult<Raw<Json>> {
    let person = match passwords::holder_of_link(&app, &uid, &token).await {
        Ok(person) => person,
        Err(refusal) => return dead_link(refusal),
    };
    let (password, again): (String, String) = (chosen.new_password.into(), chosen.again.into());
    if password != again {
        let wrong = ["The two passwords differ.".to_owned()];
        return Ok(page(StatusCode::BAD_REQUEST, TITLE, &form(&person.username, &wrong)));
    }
    match passwords::choose(&app, &uid, &token, password).await {
        Ok(()) => Ok(page(StatusCode::OK, TITLE, DONE)),
        Err(refusal) => match weaknesses(&refusal) {
            Some(wrong) => Ok(page(StatusCode::BAD_REQUEST, TITLE, &form(&person.username, &wrong))),
            None => dead_link(refusal),
        },
    }
}

const DONE: &str = "<h1>The password was changed</h1><p>Sign in with the new one. All sessions and tokens of the old one have ended.</p>";

const DEAD: &str = "<h1>This link is not valid any more</h1><p>It was used, or it is too old. Ask for a new one where you sign in.</p>";

/// A link that is no good gets a page; a database that is away stays an error.
fn dead_link(refusal: ApiError) -> ApiResult<Raw<Json>> {
    match refusal.status() == StatusCode::BAD_REQUEST.as_u16() {
        true => Ok(page(StatusCode::BAD_REQUEST, TITLE, DEAD)),
        false => Err(refusal),
    }
}

fn form(username: &str, wrong: &[String]) -> String {
    let wrong = wrongs(wrong);
    format!(
        "<h1>Choose a new password</h1>\
         <p>For <strong>{}</strong>. At least 10 characters; a few words that do not belong together are best.</p>{wrong}\
         <form method=\"post\">\
         <label for=\"new_password\">New password</label>\
         <input id=\"new_password\" name=\"new_password\" type=\"password\" autocomplete=\"new-password\" required autofocus>\
         <label for=\"again\">The same once more</label>\
         <input id=\"again\" name=\"again\" type=\"password\" autocomplete=\"new-password\" required>\
         <button>Change the password</button></form>",
        escaped(username)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_into_the_page() {
        let shown = form("<script>\"&'", &["a < b".to_owned()]);
        assert!(shown.contains("&lt;script&gt;&quot;&amp;&#39;") && shown.contains("a &lt; b"));
        assert!(!shown.contains("<script>"));
    }
}
