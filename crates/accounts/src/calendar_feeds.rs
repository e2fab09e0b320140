//! The calendar feeds of a person end like their personal tokens: with a new password, and when the person is shut out.
//! Feeds are made, shown and revoked by the sharing area.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CalendarFeedId, UserId};
use planwright_domain::words::AuditKind;
use planwright_store::audit::Audited;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::json;

use crate::tokens::Reason;

row! {
    /// As much of a feed as its end needs.
    struct FeedRow {
        id: CalendarFeedId,
        name: String,
        created_at: DateTime<Utc>,
    }
}

/// Ends every calendar feed of a person, each with its line in the audit.
pub async fn end_all(tx: &mut Tx, person: UserId, by: Option<UserId>, reason: Reason) -> Result<()> {
    let feeds = of_person(tx, person).await?;
    end_these(tx, by, reason, feeds).await
}

/// The same for those that were made until a moment, by the system.
pub async fn end_made_until(tx: &mut Tx, person: UserId, until: DateTime<Utc>, reason: Reason) -> Result<()> {
    let feeds = of_person(tx, person).await?;
    let ended = feeds.into_iter().filter(|feed| feed.created_at <= until).collect();
    end_these(tx, None, reason, ended).await
}

async fn of_person(db: &dyn Read, person: UserId) -> Result<Vec<FeedRow>> {
    let select = "SELECT id, name, created_at FROM calendar_feeds WHERE user_id = :person ORDER BY id";
    db.all(sql!(select, person = person)).await
}

async fn end_these(tx: &mut Tx, by: Option<UserId>, reason: Reason, feeds: Vec<FeedRow>) -> Result<()> {
    if feeds.is_empty() {
        return Ok(());
    }
    let ids: Vec<CalendarFeedId> = feeds.iter().map(|feed| feed.id).collect();
    tx.run(sql!("DELETE FROM calendar_feeds WHERE id IN (:ids)", ids = list(ids))).await?;
    let line = |feed: FeedRow| Audited {
        kind: AuditKind::CalendarFeedRevoked,
        actor: by,
        target_type: "calendar_feed",
        target: Some(feed.id.0),
        label: feed.name,
        metadata: json!({ "reason": reason.as_str() }),
    };
    tx.audit_each(feeds.into_iter().map(line).collect()).await
}
