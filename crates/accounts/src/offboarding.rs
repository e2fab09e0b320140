//! Shutting a person out of everything at once.
//! Who may do that is decided by the areas that ask for it.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::MemberStatus;
use planwright_store::{Result, Tx, sql};

use crate::{calendar_feeds, people, sign_in, tokens};

/// Ends what a person was let in with until a moment: sign-ins, personal tokens and calendar feeds. It runs some time after the person was
/// deactivated, so it asks whether they still are: somebody who was let in again since then is not shut out. The answer is whether
/// they are out.
pub async fn deactivate(tx: &mut Tx, user: UserId, at: Option<DateTime<Utc>>) -> Result<bool> {
    let until = at.unwrap_or_else(|| tx.now());
    let statement = sql!(
        "UPDATE users SET is_active = FALSE, server_version = server_version + 1
         WHERE id = :id AND is_active = TRUE AND status = :deactivated",
        id = user,
        deactivated = MemberStatus::Deactivated
    );
    if tx.run(statement).await? == 1 {
        people::record(tx, user, None, "is_active", serde_json::json!([true, false])).await?;
    }
    let is_out = people::by_id(tx, user).await?.is_none_or(|person| !person.may_sign_in());
    // Whoever is still out got nothing since then: what is dated later is a clock that is ahead, or a sign-in that was under way.
    let until = if is_out { tx.now() + Duration::days(1) } else { until };
    sign_in::queries::revoke_begun_until(tx, user, until).await?;
    tokens::revoke_minted_until(tx, user, until, tokens::Reason::Offboarding).await?;
    calendar_feeds::end_made_until(tx, user, until, tokens::Reason::Offboarding).await?;
    Ok(is_out)
}
