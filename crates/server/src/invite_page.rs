//! The page that the link of an invitation leads to: a form for a user name and a password.
//! What an invitation is worth is decided in accounts.

use axum::extract::State;
use http::StatusCode;
use planwright_accounts::invites;
use planwright_accounts::invites::model::{InviteAcceptRequest, InviteRow};
use planwright_web::form_page::{escaped, page, weaknesses, wrongs};
use planwright_web::input::{Name, Patch, Secret};
use planwright_web::language::Language;
use planwright_web::limits::Limit;
use planwright_web::reply::Raw;
use planwright_web::{ApiError, ApiResult, App, Body, Query, Routes, input, says};
use serde_json::Value as Json;

use crate::words;

/// Where the links lead.
const PATH: &str = "/invite/accept";

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

async fn show(
    State(app): State<App>,
    language: Language,
    Query(link): Query<InviteLink>,
) -> ApiResult<Raw<Json>> {
    let token = link.token.given().map(String::from).unwrap_or_default();
    match invites::invited(&app, &token).await {
        Ok(invite) => Ok(answer(StatusCode::OK, language, &form(language, &invite, &token, "", &[]))),
        Err(refusal) => dead_link(language, refusal),
    }
}

async fn accept(
    State(app): State<App>,
    language: Language,
    Body(sent): Body<AcceptedForm>,
) -> ApiResult<Raw<Json>> {
    let (token, username) = (String::from(sent.token), String::from(sent.username));
    let invite = match invites::invited(&app, &token).await {
        Ok(invite) => invite,
        Err(refusal) => return dead_link(language, refusal),
    };
    let (password, again): (String, String) = (sent.password.into(), sent.again.into());
    if password != again {
        let wrong = words::PASSWORDS_DIFFER.text(language).to_owned();
        return Ok(again_with(language, &invite, &token, &username, &[wrong]));
    }
    let request = InviteAcceptRequest::chosen(&token, username.clone(), password)?;
    match invites::accept(&app, request).await {
        Ok(accepted) => Ok(answer(StatusCode::OK, language, &welcome(language, &accepted.username))),
        Err(refusal) => not_accepted(language, &invite, &token, &username, refusal),
    }
}

fn answer(status: StatusCode, language: Language, content: &str) -> Raw<Json> {
    page(language, status, words::INVITATION.text(language), content)
}

fn welcome(language: Language, username: &str) -> String {
    let name = format!("<strong>{}</strong>", escaped(username));
    words::WELCOME.around(language, &name) + words::SIGN_IN.text(language)
}

/// A link that is no good gets a page; a database that is away stays an error.
fn dead_link(language: Language, refusal: ApiError) -> ApiResult<Raw<Json>> {
    match refusal.status() == StatusCode::BAD_REQUEST.as_u16() {
        true => Ok(answer(StatusCode::BAD_REQUEST, language, words::DEAD_INVITATION.text(language))),
        false => Err(refusal),
    }
}

/// A name or a password that is refused may be another one; a link that is no good any more stays so.
fn not_accepted(
    language: Language,
    invite: &InviteRow,
    token: &str,
    username: &str,
    refusal: ApiError,
) -> ApiResult<Raw<Json>> {
    match wrong_with(&refusal) {
        Some(wrong) => {
            let wrong = words::refusals(language, &wrong);
            Ok(again_with(language, invite, token, username, &wrong))
        }
        None => dead_link(language, refusal),
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
fn again_with(
    language: Language,
    invite: &InviteRow,
    token: &str,
    username: &str,
    wrong: &[String],
) -> Raw<Json> {
    answer(StatusCode::BAD_REQUEST, language, &form(language, invite, token, username, wrong))
}

fn form(language: Language, invite: &InviteRow, token: &str, username: &str, wrong: &[String]) -> String {
    let address = format!("<strong>{}</strong>", escaped(&invite.email));
    format!(
        "<h1>{title}</h1><p>{advice}</p>{wrong}\
         <form method=\"post\" action=\"{PATH}\">\
         <input name=\"token\" type=\"hidden\" value=\"{token}\">\
         <label for=\"username\">{name}</label>\
         <input id=\"username\" name=\"username\" autocomplete=\"username\" value=\"{username}\" required autofocus>\
         <label for=\"password\">{password}</label>\
         <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"new-password\" required>\
         <label for=\"again\">{again}</label>\
         <input id=\"again\" name=\"again\" type=\"password\" autocomplete=\"new-password\" required>\
         <button>{button}</button></form>",
        title = words::JOIN_WORKSPACE.text(language),
        advice = words::ACCOUNT_ADVICE.around(language, &address),
        wrong = wrongs(wrong),
        token = escaped(token),
        name = words::USER_NAME.text(language),
        username = escaped(username),
        password = words::PASSWORD.text(language),
        again = words::ONCE_MORE.text(language),
        button = words::JOIN.text(language),
    )
}
