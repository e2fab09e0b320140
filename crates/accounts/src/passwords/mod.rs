//! Passwords: how they are kept, which ones are good enough, how one gets a new one, at `/api/v1/auth/password/`.
//! Signing in with one is in `sign_in`.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_domain::ids::UserId;
use planwright_jobs::{JobError, NewJob, Registry, mail, queue};
use planwright_store::{Db, Result, Tx};
use planwright_web::{ApiResult, App, Routes, token};
use uuid::Uuid;

use crate::letters::{self, Changed};
use crate::people::PersonRow;
use crate::settings::AccountSettings;
use crate::{calendar_feeds, people, sign_in, tokens};

pub(crate) use rules::is_plain_address;

pub use crate::hashing::{hash, hash_aside, matches, matches_aside};

/// The routes of passwords.
pub fn routes() -> Routes {
    routes::table()
}

/// The kind of job that looks for the people behind an address and mails them a reset link.
pub(crate) const MAIL_RESET_LINKS: &str = "mail_password_reset_links";

/// The jobs of passwords.
pub fn jobs() -> Registry<App> {
    Registry::default().on(MAIL_RESET_LINKS, mail_reset_links)
}

/// Writes a new password and ends everything that the old one opened: sessions, personal tokens, calendar feeds,
/// reset links.
///
/// The person is written first, which locks the row: a sign-in with the old password either comes before, and its session
/// ends here, or finds another password.
pub async fn replace(
    tx: &mut Tx,
    id: UserId,
    password_hash: &str,
    by: Option<UserId>,
    reason: tokens::Reason,
) -> Result<()> {
    queries::write(tx, id, password_hash).await?;
    // History tells that it changed and never from what to what.
    people::record(tx, id, by, "password", serde_json::json!([null, null])).await?;
    letters::tell(tx, id, Changed::Password { by_owner: by == Some(id) }).await?;
    sign_in::queries::revoke_all(tx, id).await?;
    queries::use_up_all(tx, id).await?;
    tokens::revoke_all(tx, id, by, reason).await?;
    calendar_feeds::end_all(tx, id, by, reason).await
}

/// Writes a new password for whoever runs the program, and ends everything that the old one opened.
pub async fn set(db: &Db, id: UserId, password_hash: &str) -> Result<()> {
    let mut tx = db.begin().await?;
    replace(&mut tx, id, password_hash, None, tokens::Reason::PasswordChange).await?;
    tx.commit().await
}

/// Has a reset link mailed to whoever has that address, once for all that ask while it waits.
async fn ask_for_link(app: &App, request: model::ResetRequest) -> Result<()> {
    let once = format!(
        "{MAIL_RESET_LINKS}:{}",
        app.sealer.fingerprint("address", request.email.to_lowercase().as_bytes())
    );
    let mut tx = app.db.begin().await?;
    queue::enqueue(&mut tx, NewJob::new(MAIL_RESET_LINKS, &request)?.once(once)).await?;
    tx.commit().await
}

/// Uses a link up for a new password; false when the link or the password is another one by now.
async fn reset(app: &App, person: &PersonRow, link: Uuid, password_hash: &str) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    if !queries::still_has(&mut tx, person).await? || !queries::use_up(&mut tx, link).await? {
        return Ok(false);
    }
    replace(&mut tx, person.id, password_hash, Some(person.id), tokens::Reason::PasswordReset).await?;
    tx.commit().await?;
    Ok(true)
}

/// Looking for people is a job, so that a request takes equally long whether or not anybody has that address.
async fn mail_reset_links(app: App, request: model::ResetRequest) -> std::result::Result<(), JobError> {
    let settings = app.get::<AccountSettings>();
    let mut tx = app.db.begin().await?;
    for person in queries::resettable(&tx, &request.email).await? {
        let link = new_link(&mut tx, settings, &person).await?;
        let sealed = mail::seal_link(&app.sealer, &link)?;
        mail::send(&mut tx, &rules::reset_mail(settings, &person, sealed)).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// A link that lets its holder choose a new password for a person, once.
pub async fn new_link(tx: &mut Tx, settings: &AccountSettings, person: &PersonRow) -> Result<String> {
    let secret = token::random();
    let expires_at = tx.now() + settings.reset_link;
    queries::insert_link(tx, person.id, &token::hash(&secret), expires_at).await?;
    Ok(rules::reset_link(settings, person, &secret))
}

/// Whose password a link may change; an error when it is good no more.
pub async fn holder_of_link(app: &App, uid: &str, secret: &str) -> ApiResult<PersonRow> {
    Ok(routes::holder(app, uid, secret).await?.0)
}

/// Uses a link up for a new password, or says why not.
pub async fn choose(app: &App, uid: &str, secret: &str, password: String) -> ApiResult<()> {
    routes::choose(app, uid, secret, password).await
}
