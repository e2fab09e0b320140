//! `/api/v1/auth/token/` and `/api/v1/auth/logout/`: sign in, refresh, sign out here or everywhere.
//! A refused sign-in takes as long and says the same, whoever it was for.

use axum::extract::State;
use axum::http::HeaderMap;
use planwright_domain::words::SignInEvent;
use planwright_plan::edit::Edit;
use planwright_store::Result;
use planwright_web::actor::bearer;
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiError, ApiResult, App, Body, IgnoredBody, Routes, origin, request_id, says};

use super::model::{Device, LoginRequest, PresentedToken, SignedIn, SignedOut};
use super::{audit, end, note_refusal, open, queries, renew, rules};
use crate::settings::AccountSettings;
use crate::{hashing, people};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/auth/token/",
            sign_in,
            says("Sign in. The refresh token comes as a cookie.")
                .public()
                .limit(Limit::Login)
                .limit(Limit::LoginAccount),
        )
        .post(
            "/api/v1/auth/token/refresh/",
            refresh,
            says("Get a new access token for the refresh cookie. The cookie is replaced.")
                .public()
                .limit(Limit::Refresh),
        )
        .post(
            "/api/v1/auth/logout/",
            sign_out,
            says("Sign out: delete the refresh cookie and end the session of the cookie or of the access token.")
                .public(),
        )
        .post(
            "/api/v1/auth/logout/all/",
            sign_out_everywhere,
            says("End all your sessions.").session_only().before_second_factor(),
        )
}

async fn sign_in(
    State(app): State<App>,
    device: Device,
    Body(request): Body<LoginRequest>,
) -> ApiResult<SignedIn> {
    let LoginRequest { username, password, remember_me } = request;
    let found = people::by_username(&app.db, &username).await?;
    let hash = found.as_ref().and_then(|person| person.password_hash.clone());
    let is_right = hashing::matches_aside(password.into(), hash).await?;
    let known = found.as_ref().map(|person| person.id);
    if let Some(person) = found.filter(|person| is_right && person.may_sign_in())
        && let Some(signed_in) = open(&app, &person, remember_me.0, &device).await?
    {
        return Ok(signed_in);
    }
    if let Some(user) = known {
        note_refusal(&app, user, &device).await?;
    }
    Err(refused(&app, &username, &device))
}

fn refused(app: &App, username: &str, device: &Device) -> ApiError {
    // People type passwords into the wrong field, so the log gets a keyed hash that tells repetitions and nothing else.
    let name = app.sealer.fingerprint("user name", username.to_lowercase().as_bytes());
    let (request, address) = (request_id::current(), device.address.as_deref().unwrap_or("unknown"));
    // Tools that ban addresses read this line; its target and its fields are documented.
    tracing::warn!(target: "planwright::sign_in", request_id = %request, hashed_name = %name, address, "a sign-in was refused");
    ApiError::unauthenticated(rules::NO_SIGN_IN)
}

async fn refresh(
    State(app): State<App>,
    headers: HeaderMap,
    device: Device,
    _: IgnoredBody,
) -> ApiResult<SignedIn> {
    if !origin::is_welcome(&headers, &app.settings) {
        return Err(ApiError::forbidden("Pages of this origin may not refresh a sign-in."));
    }
    let (token, remember) = find_presented(&app, &headers).await?.ok_or_else(no_refresh)?;
    renew(&app, &token, remember, &device).await?.ok_or_else(no_refresh)
}

fn no_refresh() -> ApiError {
    ApiError::unauthenticated(rules::NO_REFRESH)
}

/// The refresh token of the cookie, with the choice that it carries.
async fn find_presented(app: &App, headers: &HeaderMap) -> Result<Option<(PresentedToken, Option<bool>)>> {
    let settings = app.get::<AccountSettings>();
    let shown = rules::presented(headers, &settings.cookie);
    let Some(said) = shown.and_then(|token| app.session_tokens.read_refresh(token)) else { return Ok(None) };
    let found = queries::find_token(&app.db, said.id, said.user).await?;
    Ok(found.map(|token| (token, said.remember)))
}

async fn sign_out(State(app): State<App>, headers: HeaderMap, device: Device, _: IgnoredBody) -> SignedOut {
    if let Err(error) = end_presented(&app, &headers, &device).await {
        // Whoever signs out must end up without a cookie even when the database is away; the session expires by itself.
        tracing::warn!(%error, "a session could not be ended at sign-out");
    }
    forget_cookie(&app)
}

/// Browsers keep the cookie to the path of the refresh, so a client that signs out shows its access token.
async fn end_presented(app: &App, headers: &HeaderMap, device: &Device) -> Result<()> {
    if let Some((token, _)) = find_presented(app, headers).await? {
        end(app, token.user_id, token.session_id, device).await?;
    }
    if let Some(access) = bearer(headers).and_then(|token| app.session_tokens.read_access(token)) {
        end(app, access.user, access.session, device).await?;
    }
    Ok(())
}

async fn sign_out_everywhere(State(app): State<App>, actor: Actor, device: Device) -> ApiResult<SignedOut> {
    let mut edit = Edit::begin(&app, &actor).await?;
    queries::revoke_all(&mut edit, actor.id).await?;
    audit::note(&mut edit, SignInEvent::SignedOut, actor.id, None, Some(actor.id), &device).await?;
    edit.commit().await?;
    Ok(forget_cookie(&app))
}

fn forget_cookie(app: &App) -> SignedOut {
    SignedOut { cookie: rules::cleared_cookie(&app.get::<AccountSettings>().cookie) }
}
