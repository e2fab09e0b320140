//! The page that the link of an invitation leads to: a form for a user name and a password.
//! What an invitation is worth is decided in accounts.

use axum::extract::State;
use http::StatusCode;
use planwright_accounts::invites;
use planwright_accounts::invites::model::{InviteAcceptRequest, InviteRow};
use planwright_web::input::{Name, Patch, Secret};
use planwright_web::limits::Limit;
use planwright_web::reply::Raw;
use planwright_web::{ApiError, ApiResult, App, Body, Query, Routes, input, says};
use serde_json::Value as Json;

use planwright_web::form_page::{escaped, page, weaknesses, wrongs};

/// Where the links lead.
const PATH: &str = "/invite/accept";

const TITLE: &str = "Invitation";

/// The routes of this file.
pub fn routes() -> Routes {
    let of = |summary| says(summary).public().hidden().limit(Limit::InvitesAccept);
    Routes::new().get(PATH, show, of("The form of an invitation.")).post(
        PATH,
        accept,
        of("Accept an invitation with the form."),
    )
}

input! {
    /// The link.
    struct InviteLink {
        /// Its token.
        token: Patch<Name<0, 128>>,
    }
}

input! {
    /// The form.
    struct AcceptedForm {
        /// The token of the link.
        token: Name<1, 128>,
        /// The user name.
        username: Name<0, 150>,
        /// The password.
        password: Secret<0, 1024>,
        /// The same once more.
        again: Secret<0, 1024>,
    }
}

async fn show(State(app): State<App>, Query(link): Query<InviteLink>) -> ApiResult<Raw<Json>> {
    let token = link.token.given().map(String::from).unwrap_or_default();
    match invites::invited(&app, &token).await {
        Ok(invite) => Ok(page(StatusCode::OK, TITLE, &form(&invite, &token, "", &[]))),
        Err(refusal) => dead_link(refusal),
    }
}

async fn accept(State(app): State<App>, Body(sent): Body<AcceptedForm>) -> ApiResult<Raw<Json>> {
    let token = String::from(sent.token);
    let invite = match invites::invited(&app, &token).await {
        Ok(invite) => invite,
        Err(refusal) => return dead_link(refusal),
    };
    let username = String::from(sent.username);
    let (password, again): (String, String) = (sent.password.into(), sent.again.into());
    if password != again {
        return Ok(again_with(&invite, &token, &username, &["The two passwords differ.".to_owned()]));
    }
    let request = InviteAcceptRequest::chosen(&token, username.clone(), password)?;
    match invites::accept(&app, request).await {
        Ok(accepted) => Ok(page(StatusCode::OK, TITLE, &welcome(&accepted.username))),
        Err(refusal) => match wrong_with(&refusal) {
            Some(wrong) => Ok(again_with(&invite, &token, &username, &wrong)),
            None => dead_link(refusal),
        },
    }
}

fn welcome(username: &str) -> String {
    format!(
        "<h1>Welcome</h1><p>Your account is there. Sign in as <strong>{}</strong>.</p>",
        escaped(username)
    )
}

const DEAD: &str = "<h1>This invitation is not valid any more</h1><p>It was used, revoked, or it is too old. Ask for a new one.</p>";

/// A link that is no good gets a page; a database that is away stays an error.
fn dead_link(refusal: ApiError) -> ApiResult<Raw<Json>> {
    match refusal.status() == StatusCode::BAD_REQUEST.as_u16() {
        true => Ok(page(StatusCode::BAD_REQUEST, TITLE, DEAD)),
        false => Err(refusal),
    }
}

/// What is wrong with the password or the user name, if one of them is.
fn wrong_with(refusal: &ApiError) -> Option<Vec<String>> {
    let names = || {
        let messages = refusal.body().get("username")?.as_array()?;
        Some(messages.iter().filter_map(Json::as_str).map(str::to_owned).collect())
    };
    weaknesses(refusal).or_else(names)
}

/// The form again, with the name that was typed.
fn again_with(invite: &InviteRow, token: &str, username: &str, wrong: &[String]) -> Raw<Json> {
    page(StatusCode::BAD_REQUEST, TITLE, &form(invite, token, username, wrong))
}

fn form(invite: &InviteRow, token: &str, username: &str, wrong: &[String]) -> String {
    format!(
        "<h1>Join the workspace</h1>\
         <p>For <strong>{}</strong>. Choose a user name, and a password of at least 10 characters; a few words that do not belong together are best.</p>{}\
         <form method=\"post\" action=\"{PATH}\">\
         <input name=\"token\" type=\"hidden\" value=\"{}\">\
         <label for=\"username\">User name</label>\
         <input id=\"username\" name=\"username\" autocomplete=\"username\" value=\"{}\" required autofocus>\
         <label for=\"password\">Password</label>\
         <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"new-password\" required>\
         <label for=\"again\">The same once more</label>\
         <input id=\"again\" name=\"again\" type=\"password\" autocomplete=\"new-password\" required>\
         <button>Join</button></form>",
        escaped(&invite.email),
        wrongs(wrong),
        escaped(token),
        escaped(username)
    )
}
