//! Asking for an archive.

use planwright_domain::ids::UserId;
use planwright_domain::words::AuditKind;
use planwright_jobs::{NewJob, queue};
use planwright_plan_files::seed::Slugs;
use planwright_store::audit::Audited;
use planwright_web::{ApiError, ApiResult, App};
use serde_json::json;
use uuid::Uuid;

use super::jobs::{EXPORT, ExportBundle};
use super::queries::{self, ExportRow, Whole};

/// Adds an export and queues its job.
pub(super) async fn queued(app: &App, whole: Whole, user: UserId) -> ApiResult<ExportRow> {
    let mut tx = app.db.begin().await?;
    let name = queries::name(&tx, whole).await?.ok_or_else(ApiError::not_found)?;
    let filename = format!("{}.tar.gz", Slugs::new().make(&name, "export"));
    let export = queries::insert(&mut tx, whole, user, &filename).await?;
    let job = NewJob::new(EXPORT, &ExportBundle { export })?;
    queue::enqueue(&mut tx, job.once(format!("{EXPORT}:{export}"))).await?;
    tx.audit(told(whole, export, user, name)).await?;
    let row = queries::find(&tx, whole, export).await?.ok_or_else(ApiError::not_found)?;
    tx.commit().await?;
    Ok(row)
}

/// The line of the audit about an export.
fn told(whole: Whole, export: Uuid, user: UserId, label: String) -> Audited {
    let (target_type, target) = match whole {
        Whole::Project(id) => ("project", Some(id.0)),
        Whole::Program(id) => ("program", Some(id.0)),
        Whole::Workspace => ("workspace", None),
    };
    let (kind, metadata) = (AuditKind::ExportTriggered, json!({ "export": export }));
    Audited { kind, actor: Some(user), target_type, target, label, metadata }
}
