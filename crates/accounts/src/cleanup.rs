//! Drops what has ended for good: sessions, refresh tokens and reset links, some days after their end.
//! When each of them ends is decided by its own module.

use chrono::Duration;
use planwright_jobs::{JobError, Registry};
use planwright_web::App;

use crate::{invites, passwords, sign_in};

/// The jobs of this clean-up.
pub(crate) fn jobs() -> Registry<App> {
    Registry::default().every("forget_expired_sessions", Duration::days(1), forget_expired)
}

/// How long sessions, refresh tokens and reset links are kept after their end, in days.
const KEPT_DAYS: i64 = 7;

/// How long invitations are kept after their end, in days.
const INVITES_KEPT_DAYS: i64 = 30;

async fn forget_expired(app: App) -> std::result::Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    let before = tx.now() - Duration::days(KEPT_DAYS);
    let sessions = sign_in::queries::forget_ended(&mut tx, before).await?;
    let links = passwords::queries::forget_ended(&mut tx, before).await?;
    let audit_end = tx.now() - Duration::days(sign_in::audit::KEPT_DAYS);
    sign_in::audit::forget(&mut tx, audit_end).await?;
    let invites_end = tx.now() - Duration::days(INVITES_KEPT_DAYS);
    invites::queries::forget_ended(&mut tx, invites_end).await?;
    tx.commit().await?;
    tracing::info!(sessions, links, "ended sessions and old reset links were deleted");
    Ok(())
}
