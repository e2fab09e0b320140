//! The one statement about lines of the audit; they are written in the store.

use chrono::{DateTime, Utc};
use planwright_store::page::{self, Key};
use planwright_store::{Read, Result, Value, sql};
use uuid::Uuid;

use super::model::{AuditEvent, AuditFilter};

/// The place of a line in the order: its time and its id.
pub(super) type Place = (DateTime<Utc>, Uuid);

const COLUMNS: &str =
    "SELECT a.id, a.event_type, a.actor_id, a.target_type, a.target_id, a.metadata, a.created_at,
    COALESCE((SELECT u.username FROM users u WHERE u.id = a.actor_id), '') AS actor_label,
    COALESCE(NULLIF(a.target_label, ''), CASE a.target_type
        WHEN 'user' THEN (SELECT u.username FROM users u WHERE u.id = a.target_id)
        WHEN 'project' THEN (SELECT p.name FROM projects p WHERE p.id = a.target_id)
        WHEN 'program' THEN (SELECT p.name FROM programs p WHERE p.id = a.target_id)
        WHEN 'project_member' THEN (SELECT u.username FROM project_members m JOIN users u ON u.id = m.user_id
                                    WHERE m.id = a.target_id)
        WHEN 'program_member' THEN (SELECT u.username FROM program_members m JOIN users u ON u.id = m.user_id
                                    WHERE m.id = a.target_id)
    END, '') AS target_label ";

/// The lines behind a place, newest first, one more than asked for.
pub(super) async fn newest(
    db: &dyn Read,
    filter: &AuditFilter,
    after: Option<Place>,
    size: i64,
) -> Result<Vec<AuditEvent>> {
    let from = sql!("FROM audit_events a WHERE TRUE")
        .when("AND a.event_type = :kind", "kind", filter.event_type.as_given().copied())
        .when("AND a.actor_id = :actor", "actor", filter.actor.as_given().copied())
        .when("AND a.created_at >= :since", "since", filter.since.as_given().copied())
        .when("AND a.created_at < :until", "until", filter.until.as_given().copied());
    let after = after.map(|(at, id)| (Value::Time(at), Value::Uuid(id)));
    let page = page::behind(from, Key::descending("a.created_at"), Key::descending("a.id"), after, size);
    db.all(page.wrap(COLUMNS, "")).await
}
