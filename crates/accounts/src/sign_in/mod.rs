//! Signing in and staying signed in, at `/api/v1/auth/token/` and `/api/v1/auth/logout/`.
//! How passwords are kept is in `hashing.rs`; the form of the tokens belongs to the web crate.
//!
//! A session is one sign-in: a family of refresh tokens that follow one another.

pub mod audit;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;
pub mod sessions;

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{SessionId, UserId};
use planwright_domain::words::SignInEvent;
use planwright_store::{Result, Tx};
use planwright_web::session_tokens::Refresh;
use planwright_web::{Actor, ApiError, ApiResult, App, Routes, assurance};

use crate::people::PersonRow;
use crate::second_factor::challenges;
use crate::settings::AccountSettings;
use crate::{hashing, people};
use model::{Device, PresentedToken, SignedIn};
use rules::Verdict;

/// The routes of sign-in.
pub fn routes() -> Routes {
    routes::table().and(sessions::table()).and(audit::table())
}

/// A sign-in that may go on: its rows decide, and its tokens only name them.
///
/// The choice `remember_me` is a claim of the refresh token (contract 1, rule 7) and goes on from each to the next.
#[derive(Clone, Copy, Debug)]
pub struct Session {
    /// The family of refresh tokens.
    pub id: SessionId,
    /// Whose it is.
    pub user: UserId,
    /// When it ends at the latest, however much it is used.
    pub ends_at: DateTime<Utc>,
}

/// The second factor that a sign-in has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Factor {
    /// None.
    None,
    /// One of the person's own.
    Own,
    /// That of a provider of identities: it counts as long as the workspace lets it count.
    OfProvider,
}

impl Session {
    /// Begins a session.
    pub async fn begin(
        tx: &mut Tx,
        user: UserId,
        device: &Device,
        longest: Duration,
        factor: Factor,
    ) -> Result<Self> {
        let session = Self { id: tx.mint(), user, ends_at: tx.now() + longest };
        queries::insert_session(tx, &session, device, factor).await?;
        Ok(session)
    }

    /// An access token, which counts from the transaction's now.
    fn access(&self, app: &App, tx: &Tx) -> ApiResult<String> {
        Ok(app.session_tokens.access(self.user, self.id, self.ends_at, tx.now(), tx.mint())?)
    }

    /// Makes an access token and the next refresh token; sign-in at an identity provider is never remembered.
    pub async fn issue(&self, app: &App, tx: &mut Tx, remember: Option<bool>) -> ApiResult<SignedIn> {
        let settings = app.get::<AccountSettings>();
        let lifetime = rules::lifetime(settings, remember);
        let ends_at = (tx.now() + lifetime.lasts).min(self.ends_at);
        let token = Refresh { id: tx.mint(), user: self.user, remember, ends_at };
        queries::insert_token(tx, token.id, self.id, ends_at).await?;
        let refresh = app.session_tokens.refresh(token, tx.now())?;
        let max_age = lifetime.is_persistent.then(|| ends_at - tx.now());
        let cookie = Some(rules::cookie(&settings.cookie, &refresh, max_age));
        Ok(SignedIn { access: self.access(app, tx)?, cookie })
    }
}

/// Signs a person in; none when they were deactivated, or got another password, since they were read. Whoever has a second factor
/// is told to show it.
async fn open(app: &App, person: &PersonRow, remember: bool, device: &Device) -> ApiResult<Option<SignedIn>> {
    if person.second_factor_since.is_some() {
        return Err(challenges::ask(app, person, remember).await?);
    }
    let mut tx = app.db.begin().await?;
    if !queries::note_sign_in(&mut tx, person).await? {
        return Ok(None);
    }
    let longest = app.get::<AccountSettings>().longest_session;
    let session = Session::begin(&mut tx, person.id, device, longest, Factor::None).await?;
    let signed_in = session.issue(app, &mut tx, Some(remember)).await?;
    audit::note(&mut tx, SignInEvent::SignedIn, person.id, Some(session.id), Some(person.id), device).await?;
    tx.commit().await?;
    Ok(Some(signed_in))
}

/// Lets the session of a refresh token go on; none when the token is no good. The first request gets the next token, one
/// that came at the same time an access token only. A token that is used again later was stolen, so it ends the session.
async fn renew(
    app: &App,
    token: &PresentedToken,
    remember: Option<bool>,
    device: &Device,
) -> ApiResult<Option<SignedIn>> {
    let mut tx = app.db.begin().await?;
    let session = token.session();
    let signed_in = match rules::validate(token, tx.now()) {
        Verdict::Rotate if queries::use_up(&mut tx, token.id).await? => {
            session.issue(app, &mut tx, remember).await?
        }
        Verdict::Rotate | Verdict::Race => SignedIn { access: session.access(app, &tx)?, cookie: None },
        Verdict::Stolen => {
            queries::revoke(&mut tx, session.user, session.id).await?;
            audit::note(&mut tx, SignInEvent::Reused, session.user, Some(session.id), None, device).await?;
            tx.commit().await?;
            tracing::warn!(user = %token.user_id, "a refresh token was used twice; its session was ended");
            return Ok(None);
        }
        Verdict::Refuse => return Ok(None),
    };
    tx.commit().await?;
    Ok(Some(signed_in))
}

/// Makes sure that it is the caller who acts, and not somebody who found or stole what they are signed in with: by their
/// password if it was sent, else by a sign-in that is not long ago.
pub(crate) async fn confirm(app: &App, actor: &Actor, current_password: Option<String>) -> ApiResult<()> {
    if let Some(password) = current_password {
        let person = people::by_id(&app.db, actor.id).await?.ok_or_else(ApiError::not_found)?;
        return match hashing::matches_aside(password, person.password_hash).await? {
            true => Ok(()),
            false => Err(ApiError::invalid_field("current_password", "This is not the current password.")),
        };
    }
    match actor.assurance.confirmed_at.is_some_and(|at| assurance::is_recent(at, app.clock.now())) {
        true => Ok(()),
        false => Err(ApiError::forbidden(rules::NOT_RECENT).with_code(assurance::NOT_RECENT)),
    }
}

/// Ends a session of a person.
async fn end(app: &App, user: UserId, session: SessionId, device: &Device) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if queries::revoke(&mut tx, user, session).await? {
        audit::note(&mut tx, SignInEvent::SignedOut, user, Some(session), Some(user), device).await?;
    }
    tx.commit().await
}

/// Notes that somebody could not sign in under a name that there is.
async fn note_refusal(app: &App, user: UserId, device: &Device) -> Result<()> {
    let mut tx = app.db.begin().await?;
    audit::note(&mut tx, SignInEvent::Refused, user, None, None, device).await?;
    tx.commit().await
}
