//! `/api/v1/workspace/audit-events/`: list by cursor, and export as JSON lines.

use axum::body::Body;
use axum::extract::State;
use chrono::{DateTime, Utc};
use futures_util::stream::try_unfold;
use planwright_domain::words::AuditKind;
use planwright_plan::edit::Edit;
use planwright_store::StoreError;
use planwright_store::audit::Audited;
use planwright_web::actor::ClientAddress;
use planwright_web::envelope::CursorPage;
use planwright_web::reply::{Download, JsonLines};
use planwright_web::{ApiError, ApiResult, App, CursorPaging, Query, Routes, says};
use serde_json::json;
use uuid::Uuid;

use super::model::{AuditEvent, AuditFilter};
use super::queries::{self, Place};
use crate::Administrator;

/// The list that cursors belong to.
const LIST: &str = "audit-events";

/// How many lines are read at a time for an export.
const BLOCK: i64 = 500;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/workspace/audit-events/",
            list,
            says("List the lines of the audit, newest first.").session_only(),
        )
        .get(
            "/api/v1/workspace/audit-events/export/",
            export,
            says("Download the lines of the audit as JSON lines, newest first.").session_only(),
        )
}

async fn list(
    State(app): State<App>,
    _: Administrator,
    Query(filter): Query<AuditFilter>,
    paging: CursorPaging,
) -> ApiResult<CursorPage<AuditEvent>> {
    let rows = queries::newest(&app.db, &filter, place(&paging)?, paging.size).await?;
    let keys = |row: &AuditEvent| vec![row.created_at.to_rfc3339(), row.id.to_string()];
    Ok(paging.envelope(LIST, rows, keys, |row| row))
}

/// Where the page begins: behind a time and an id.
fn place(paging: &CursorPaging) -> ApiResult<Option<Place>> {
    let Some(keys) = paging.after(LIST, 2)? else { return Ok(None) };
    let at = DateTime::parse_from_rfc3339(&keys[0]).map(|at| at.with_timezone(&Utc));
    match (at, keys[1].parse::<Uuid>()) {
        (Ok(at), Ok(id)) => Ok(Some((at, id))),
        _ => Err(ApiError::invalid_field("cursor", "Invalid cursor.")),
    }
}

async fn export(
    State(app): State<App>,
    administrator: Administrator,
    from: ClientAddress,
    Query(filter): Query<AuditFilter>,
) -> ApiResult<Download<JsonLines>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    edit.audit(Audited {
        kind: AuditKind::AuditExported,
        actor: Some(administrator.actor.id),
        target_type: "workspace",
        target: None,
        label: String::new(),
        metadata: json!({
            "source_ip": from.0,
            "event_type": filter.event_type.as_given(),
            "actor": filter.actor.as_given(),
            "since": filter.since.as_given(),
            "until": filter.until.as_given(),
        }),
    })
    .await?;
    edit.commit().await?;
    Ok(Download::streamed("audit.jsonl", lines(app, filter)))
}

/// The lines in blocks, as they are read from the database while they leave.
fn lines(app: App, filter: AuditFilter) -> Body {
    let begin: (App, AuditFilter, Option<Place>, bool) = (app, filter, None, true);
    let blocks = try_unfold(begin, async |(app, filter, after, goes_on)| {
        if !goes_on {
            return Ok::<_, StoreError>(None);
        }
        let mut rows = queries::newest(&app.db, &filter, after, BLOCK).await?;
        let goes_on = rows.len() > BLOCK as usize;
        rows.truncate(BLOCK as usize);
        let after = rows.last().map(|row| (row.created_at, row.id));
        let mut text = String::new();
        for row in &rows {
            text += &serde_json::to_string(row).map_err(|error| StoreError::Unexpected(error.into()))?;
            text.push('\n');
        }
        Ok(Some((text, (app, filter, after, goes_on))))
    });
    Body::from_stream(blocks)
}
