//! `/api/v1/auth/token/second-factor/` continues a sign-in whose password was right; `/api/v1/auth/passkey/` signs in with a passkey
//! alone. What is refused is told in the same words, whatever the reason.

use axum::extract::State;
use axum::http::HeaderMap;
use planwright_domain::ids::UserId;
use planwright_domain::words::{ChallengeKind, SignInEvent};
use planwright_store::Tx;
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App, Body, IgnoredBody, Json, Routes, says, token};

use super::commands::{self, Means};
use super::model::{PasskeyOptions, PasskeySignInRequest, SecondStepRequest};
use super::{ceremonies, challenges, queries};
use crate::people;
use crate::settings::{AccountSettings, CookieSettings};
use crate::sign_in::audit::How;
use crate::sign_in::model::{Device, SignedIn};
use crate::sign_in::{self, Factor, Session, audit};

/// Where a sign-in goes on.
pub const PATH: &str = "/api/v1/auth/token/second-factor/";

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .post(
            PATH,
            continue_sign_in,
            says("Continue a sign-in with a code. The refresh token comes as a cookie.")
                .public()
                .limit(Limit::SecondFactor),
        )
        .post(
            "/api/v1/auth/passkey/options/",
            ask_for_signature,
            says("Ask for what a browser needs to sign in with a passkey.")
                .public()
                .limit(Limit::PasskeyOptions),
        )
        .post(
            "/api/v1/auth/passkey/",
            sign_in_with_passkey,
            says("Sign in with a passkey. The refresh token comes as a cookie.")
                .public()
                .limit(Limit::SecondFactor),
        )
}

/// The cookie in which a sign-in with a provider of identities waits for its second step. No page can read it.
pub fn cookie(app: &App, word: &str) -> String {
    let settings = &app.get::<AccountSettings>().cookie;
    let name = format!("{}_second_factor", app.settings.prefix);
    let ours = CookieSettings { name, path: PATH.to_owned(), ..settings.clone() };
    sign_in::rules::cookie(&ours, word, Some(chrono::Duration::seconds(super::PATIENCE_SECONDS)))
}

/// The word of that cookie.
fn presented(app: &App, headers: &HeaderMap) -> Option<String> {
    let name = format!("{}_second_factor", app.settings.prefix);
    let ours = CookieSettings { name, ..app.get::<AccountSettings>().cookie.clone() };
    sign_in::rules::presented(headers, &ours).map(str::to_owned)
}

fn ended() -> ApiError {
    let detail = "This sign-in has ended. Begin again.";
    ApiError::unauthenticated(detail).with_code("challenge_ended")
}

fn refused() -> ApiError {
    ApiError::unauthenticated("This code is not accepted.").with_code("second_factor_refused")
}

fn no_passkey() -> ApiError {
    ApiError::unauthenticated("This passkey is not accepted.").with_code("passkey_refused")
}

async fn continue_sign_in(
    State(app): State<App>,
    headers: HeaderMap,
    device: Device,
    Body(request): Body<SecondStepRequest>,
) -> ApiResult<SignedIn> {
    let word = request.challenge.given().map(String::from).filter(|word| !word.is_empty());
    let hash = token::hash(&word.or_else(|| presented(&app, &headers)).ok_or_else(ended)?);
    let mut tx = app.db.begin().await?;
    let waiting = queries::attempt(&mut tx, ChallengeKind::SignIn, &hash).await?.ok_or_else(ended)?;
    let user = waiting.user_id.ok_or_else(ended)?;
    commands::count_try(&app, user).await?;
    let Some(means) = commands::accept(&app, &mut tx, user, request.code.as_str()).await? else {
        note_refusal(&mut tx, user, &device, "second_factor").await?;
        tx.commit().await?;
        return Err(refused());
    };
    queries::delete_challenge(&mut tx, &hash).await?;
    let signed_in = enter(&app, &mut tx, user, waiting.remember, means, &device).await?.ok_or_else(ended)?;
    tx.commit().await?;
    Ok(signed_in)
}

/// Begins the session of somebody who has shown all that is asked; none when they were deactivated.
async fn enter(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    remember: bool,
    means: Means,
    device: &Device,
) -> ApiResult<Option<SignedIn>> {
    let Some(person) = people::by_id(tx, user).await? else { return Ok(None) };
    if !sign_in::queries::note_sign_in(tx, &person).await? {
        return Ok(None);
    }
    let longest = app.get::<AccountSettings>().longest_session;
    let session = Session::begin(tx, user, device, longest, Factor::Own).await?;
    let signed_in = session.issue(app, tx, Some(remember)).await?;
    let how = How { device, provider: None, second_factor: Some(means.as_str()) };
    audit::note_how(tx, SignInEvent::SignedIn, user, Some(session.id), Some(user), how).await?;
    Ok(Some(signed_in))
}

async fn note_refusal(tx: &mut Tx, user: UserId, device: &Device, what: &str) -> ApiResult<()> {
    let how = How { device, provider: None, second_factor: Some(what) };
    Ok(audit::note_how(tx, SignInEvent::Refused, user, None, None, how).await?)
}

async fn ask_for_signature(State(app): State<App>, _: IgnoredBody) -> ApiResult<Json<PasskeyOptions>> {
    let mut tx = app.db.begin().await?;
    let options = challenges::ask_for_signature(&app, &mut tx, None).await?;
    tx.commit().await?;
    Ok(Json(options))
}

async fn sign_in_with_passkey(
    State(app): State<App>,
    device: Device,
    Body(request): Body<PasskeySignInRequest>,
) -> ApiResult<SignedIn> {
    let answer = serde_json::Value::Object(request.credential).to_string();
    let claimed = ceremonies::claimed(answer.as_bytes()).ok_or_else(no_passkey)?;
    let mut tx = app.db.begin().await?;
    let word = request.challenge.as_str();
    let taken = challenges::take_passkey(&app, &mut tx, ChallengeKind::Passkey, word).await?;
    let (_, state) = taken.ok_or_else(no_passkey)?;
    let Some(key) = commands::signed_by(&app, &mut tx, &state, &claimed).await? else {
        if people::by_id(&tx, claimed.user).await?.is_some() {
            note_refusal(&mut tx, claimed.user, &device, Means::Passkey.as_str()).await?;
        }
        tx.commit().await?;
        return Err(no_passkey());
    };
    let remember = request.remember_me.0;
    let signed_in = enter(&app, &mut tx, key.user_id, remember, Means::Passkey, &device).await?;
    tx.commit().await?;
    signed_in.ok_or_else(no_passkey)
}
