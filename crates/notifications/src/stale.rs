//! The daily look at tasks in progress on which nothing has changed for as many days as their project says.
//! Their assignees are told once; after a change the days begin again.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::words::{NotificationKind, TaskStatus};
use planwright_jobs::{JobError, Registry};
use planwright_store::{Read, Result, row, sql};
use planwright_web::App;
use planwright_web::visible::project_is_open_to;
use uuid::Uuid;

use crate::telling::{self, Told};

/// So many tasks are told of in one transaction.
const AT_ONCE: i64 = 500;

row! {
    struct StaleRow {
        id: TaskId,
        project_id: ProjectId,
        assignee_id: UserId,
        changed_at: DateTime<Utc>,
        threshold_days: i64,
    }
}

/// The job.
pub fn jobs() -> Registry<App> {
    Registry::default().every("find_stale_tasks", Duration::days(1), async |app: App| {
        find(&app).await.map_err(JobError::from)
    })
}

async fn find(app: &App) -> Result<()> {
    let mut after = TaskId(Uuid::nil());
    loop {
        let mut tx = app.db.begin().await?;
        let now = tx.now();
        let rows = unchanged(&tx, after, now - Duration::days(1)).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.id;
        let stale = rows.into_iter().filter(|row| is_stale(row, now));
        telling::write(&mut tx, stale.map(told).collect()).await?;
        tx.commit().await?;
    }
}

fn is_stale(row: &StaleRow, now: DateTime<Utc>) -> bool {
    now - row.changed_at >= Duration::days(row.threshold_days)
}

fn told(row: StaleRow) -> Told {
    let days = row.threshold_days;
    Told {
        recipient: row.assignee_id,
        kind: NotificationKind::TaskStale,
        occasion: format!("{} {}", row.id, row.changed_at.timestamp_micros()),
        project: Some(row.project_id),
        program: None,
        task: Some(row.id),
        comment: None,
        mention: None,
        body: format!("The task is in progress, and nothing has changed for {days} days or more."),
        is_mailed_by_default: false,
    }
}

/// The next tasks in progress, by id, that were last changed before a time. Their assignees see the project, which is not
/// archived.
async fn unchanged(db: &dyn Read, after: TaskId, before: DateTime<Utc>) -> Result<Vec<StaleRow>> {
    let is_open = project_is_open_to("u", "p");
    let select = format!(
        "SELECT x.id, x.project_id, x.assignee_id, x.changed_at, x.threshold_days FROM (
            SELECT t.id, t.project_id, t.assignee_id, p.stale_task_threshold_days AS threshold_days,
                COALESCE((SELECT MAX(h.at) FROM history h WHERE h.entity = 'task' AND h.entity_id = t.id),
                    t.status_changed_at) AS changed_at
            FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL AND p.archived_at IS NULL
            JOIN project_members m ON m.project_id = p.id AND m.user_id = t.assignee_id AND m.deletion_id IS NULL
            JOIN users u ON u.id = t.assignee_id AND u.is_active
            WHERE t.id > :after AND t.deletion_id IS NULL AND t.status = :status AND {is_open}) AS x
         WHERE x.changed_at < :before ORDER BY x.id LIMIT :most"
    );
    let values =
        sql!(select, after = after, before = before, status = TaskStatus::InProgress, most = AT_ONCE);
    db.all(values).await
}
