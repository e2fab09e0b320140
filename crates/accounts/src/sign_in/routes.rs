//! `/api/v1/auth/token/` and `/api/v1/auth/logout/`: sign in, refresh, sign out here or everywhere.
//! A refused sign-in takes as long and says the same, whoever it was for.

use axum::extract::State;
use axum::http::HeaderMap;
use planwright_store::{Result, Tx};
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiError, ApiResult, App, Body, Routes, says, token};

use super::model::{LoginRequest, PresentedToken, SignedIn, SignedOut};
use super::rules::Verdict;
use super::{Session, queries, rules};
use crate::people::PersonRow;
use crate::settings::AccountSettings;
use crate::{passwords, people};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/auth/token/",
            sign_in,
            says("Sign in; the refresh token comes as a cookie.")
                .public()
                .limit(Limit::Login)
                .limit(Limit::LoginAccount),
        )
        .post(
            "/api/v1/auth/token/refresh/",
            refresh,
            says("A new access token for the refresh cookie, which is replaced.")
                .public()
                .limit(Limit::Refresh),
        )
        .post(
            "/api/v1/auth/logout/",
            sign_out,
            says("Clear the refresh cookie and end its session.").public(),
        )
        .post(
            "/api/v1/auth/logout/all/",
            sign_out_everywhere,
            says("End all of one's own sessions.").session_only(),
        )
}

async fn sign_in(State(app): State<App>, Body(request): Body<LoginRequest>) -> ApiResult<SignedIn> {
    let LoginRequest { username, password, remember_me } = request;
    let person = proven(&app, &username, password.into()).await?;
    let mut tx = app.db.begin().await?;
    if !queries::note_sign_in(&mut tx, &person).await? {
        return Err(refused(&username));
    }
    let session = Session::begin(&mut tx, person.id, remember_me.0).await?;
    let signed_in = session.issue(&app, &mut tx).await?;
    tx.commit().await?;
    Ok(signed_in)
}

/// The person of that name, when the password is theirs and they may sign in.
async fn proven(app: &App, username: &str, password: String) -> ApiResult<PersonRow> {
    let person = people::by_username(&app.db, username).await?;
    let hash = person.as_ref().and_then(|person| person.password_hash.clone());
    let is_right = passwords::matches_aside(password, hash).await?;
    person.filter(|person| is_right && person.may_sign_in()).ok_or_else(|| refused(username))
}

fn refused(username: &str) -> ApiError {
    // People type passwords into the wrong field, so the log gets a hash that tells repetitions and nothing else.
    let hashed_name = token::hash(&username.to_lowercase());
    tracing::warn!(%hashed_name, "a sign-in was refused");
    ApiError::unauthenticated(rules::NO_SIGN_IN)
}

async fn refresh(State(app): State<App>, headers: HeaderMap) -> ApiResult<SignedIn> {
    let token = find_presented(&app, &headers).await?.ok_or_else(no_refresh)?;
    let mut tx = app.db.begin().await?;
    match rules::validate(&token, tx.now()) {
        Verdict::Rotate => queries::use_up(&mut tx, token.id).await?,
        Verdict::Race => {}
        Verdict::Stolen => return Err(end_stolen(tx, &token).await?),
        Verdict::Refuse => return Err(no_refresh()),
    }
    let signed_in = token.session().issue(&app, &mut tx).await?;
    tx.commit().await?;
    Ok(signed_in)
}

fn no_refresh() -> ApiError {
    ApiError::unauthenticated(rules::NO_REFRESH)
}

/// Ends the session of a token that was used twice, and says what every other refused refresh is told.
async fn end_stolen(mut tx: Tx, token: &PresentedToken) -> ApiResult<ApiError> {
    queries::revoke(&mut tx, token.session_id).await?;
    tx.commit().await?;
    tracing::warn!(user = %token.user_id, "a refresh token was used twice; its session was ended");
    Ok(no_refresh())
}

async fn find_presented(app: &App, headers: &HeaderMap) -> Result<Option<PresentedToken>> {
    let settings = app.get::<AccountSettings>();
    match rules::presented(headers, &settings.cookie) {
        Some(presented) => queries::find_token(&app.db, &token::hash(presented)).await,
        None => Ok(None),
    }
}

async fn sign_out(State(app): State<App>, headers: HeaderMap) -> SignedOut {
    if let Err(error) = end_presented(&app, &headers).await {
        // Whoever signs out must end up without a cookie even when the database is away; the session expires by itself.
        tracing::warn!(%error, "a session could not be ended at sign-out");
    }
    forget_cookie(&app)
}

async fn end_presented(app: &App, headers: &HeaderMap) -> Result<()> {
    let Some(token) = find_presented(app, headers).await? else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    queries::revoke(&mut tx, token.session_id).await?;
    tx.commit().await
}

async fn sign_out_everywhere(State(app): State<App>, actor: Actor) -> ApiResult<SignedOut> {
    let mut tx = app.db.begin().await?;
    queries::revoke_all(&mut tx, actor.id).await?;
    tx.commit().await?;
    Ok(forget_cookie(&app))
}

fn forget_cookie(app: &App) -> SignedOut {
    SignedOut { cookie: rules::cleared_cookie(&app.get::<AccountSettings>().cookie) }
}
