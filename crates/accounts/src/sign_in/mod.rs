//! Signing in and staying signed in, at `/api/v1/auth/token/` and `/api/v1/auth/logout/`.
//! How passwords are kept is in `hashing.rs`; the access token itself belongs to the web crate.
//!
//! A session is one sign-in: a family of refresh tokens that follow one another.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_domain::ids::{SessionId, UserId};
use planwright_store::{Result, Tx};
use planwright_web::{ApiResult, App, Routes, token};

use crate::people::PersonRow;
use crate::settings::AccountSettings;
use model::{PresentedToken, SignedIn};
use rules::Verdict;

/// The routes of sign-in.
pub fn routes() -> Routes {
    routes::table()
}

/// A sign-in that may go on.
///
/// The contract carries the choice `remember_me` as a claim inside the refresh token. Ours are opaque random text, stored
/// as hashes, because a token that is to be revoked has to be looked up anyway, and one that says nothing leaks nothing.
/// The choice is therefore the `remember` column of the session that the token belongs to. It outlives rotation just like
/// a claim, no caller can tell the difference, and a session without a choice (NULL: it began before there was one) keeps
/// the persistent cookie of seven days.
#[derive(Clone, Copy, Debug)]
pub struct Session {
    /// The family of refresh tokens.
    pub id: SessionId,
    /// Whose it is.
    pub user: UserId,
    /// Whether it outlives the browser; none for sessions from before there was a choice.
    pub remember: Option<bool>,
}

impl Session {
    /// Begins a session; sign-in at an identity provider is never remembered.
    pub async fn begin(tx: &mut Tx, user: UserId, remember: bool) -> Result<Self> {
        let session = Self { id: tx.mint(), user, remember: Some(remember) };
        queries::insert_session(tx, &session).await?;
        Ok(session)
    }

    /// Makes the next refresh token of the session and an access token; both count from the transaction's now.
    pub async fn issue(&self, app: &App, tx: &mut Tx) -> ApiResult<SignedIn> {
        let settings = app.get::<AccountSettings>();
        let lifetime = rules::lifetime(settings, self.remember);
        let refresh = token::random();
        let expires_at = tx.now() + lifetime.lasts;
        queries::insert_token(tx, self.id, &token::hash(&refresh), expires_at).await?;
        let access = app.access_tokens.issue(self.user, tx.now(), tx.mint())?;
        let max_age = lifetime.is_persistent.then_some(lifetime.lasts);
        Ok(SignedIn { access, cookie: rules::cookie(&settings.cookie, &refresh, max_age) })
    }
}

/// Signs a person in; none when they were deactivated, or got another password, since they were read.
async fn open(app: &App, person: &PersonRow, remember: bool) -> ApiResult<Option<SignedIn>> {
    let mut tx = app.db.begin().await?;
    if !queries::note_sign_in(&mut tx, person).await? {
        return Ok(None);
    }
    let session = Session::begin(&mut tx, person.id, remember).await?;
    let signed_in = session.issue(app, &mut tx).await?;
    tx.commit().await?;
    Ok(Some(signed_in))
}

/// Lets the session of a refresh token go on with the next one; none when the token is no good. One that was used twice was
/// stolen from somebody, so it ends the session.
async fn renew(app: &App, token: &PresentedToken) -> ApiResult<Option<SignedIn>> {
    let mut tx = app.db.begin().await?;
    match rules::validate(token, tx.now()) {
        Verdict::Rotate => queries::use_up(&mut tx, token.id).await?,
        Verdict::Race => {}
        Verdict::Stolen => {
            queries::revoke(&mut tx, token.session_id).await?;
            tx.commit().await?;
            tracing::warn!(user = %token.user_id, "a refresh token was used twice; its session was ended");
            return Ok(None);
        }
        Verdict::Refuse => return Ok(None),
    }
    let signed_in = token.session().issue(app, &mut tx).await?;
    tx.commit().await?;
    Ok(Some(signed_in))
}

/// Ends the session of a refresh token.
async fn end(app: &App, token: &PresentedToken) -> Result<()> {
    let mut tx = app.db.begin().await?;
    queries::revoke(&mut tx, token.session_id).await?;
    tx.commit().await
}
