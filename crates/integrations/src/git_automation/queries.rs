//! Every statement about the automation of projects and what forges told.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{GitAutomationId, ProgramId, ProjectId, TaskId};
use planwright_domain::words::{GitOutcome, GitProvider, GitRefusal};
use planwright_store::record::select_list;
use planwright_store::{Db, Read, Result, Tx, sql};

use super::model::{GitAutomationRow, LastSeen, LinkedTask};
use super::rules;

/// The automation of a project.
pub async fn of_project(db: &dyn Read, project: ProjectId) -> Result<Option<GitAutomationRow>> {
    let columns = select_list::<GitAutomationRow>("a");
    let select = format!("SELECT {columns} FROM git_automations a WHERE a.project_id = :project");
    db.maybe(sql!(select, project = project)).await
}

/// What was told and refused last in a project.
pub async fn seen(db: &dyn Read, project: ProjectId) -> Result<LastSeen> {
    let columns = select_list::<LastSeen>("a");
    let select = format!("SELECT {columns} FROM git_automations a WHERE a.project_id = :project");
    Ok(db.maybe(sql!(select, project = project)).await?.unwrap_or_default())
}

/// The program of a live project, and whether the project is archived. `None` if there is no such project.
pub async fn place(db: &dyn Read, project: ProjectId) -> Result<Option<(Option<ProgramId>, bool)>> {
    let select = "SELECT program_id, archived_at IS NOT NULL FROM projects
         WHERE id = :project AND deletion_id IS NULL";
    db.maybe(sql!(select, project = project)).await
}

/// Notes that a forge was not listened to.
pub async fn note_refusal(
    tx: &mut Tx,
    id: GitAutomationId,
    why: GitRefusal,
    provider: Option<GitProvider>,
) -> Result<()> {
    let update = "UPDATE git_automations SET last_refusal_at = :now, last_refusal_outcome = :why,
            last_refusal_provider = :provider WHERE id = :id";
    tx.run(sql!(update, now = tx.now(), why = why, provider = provider, id = id)).await.map(drop)
}

/// Notes what became of what a forge told.
pub async fn note_delivery(
    tx: &mut Tx,
    id: GitAutomationId,
    outcome: GitOutcome,
    provider: GitProvider,
) -> Result<()> {
    let update = "UPDATE git_automations SET last_delivery_at = :now, last_delivery_outcome = :outcome,
            last_delivery_provider = :provider WHERE id = :id";
    tx.run(sql!(update, now = tx.now(), outcome = outcome, provider = provider, id = id)).await.map(drop)
}

/// Remembers what was told; false when it was told before.
pub async fn remember(tx: &mut Tx, project: ProjectId, fingerprint: &str) -> Result<bool> {
    let insert = "INSERT INTO git_deliveries (project_id, fingerprint, received_at)
         VALUES (:project, :fingerprint, :now) ON CONFLICT (project_id, fingerprint) DO NOTHING";
    let insert = sql!(insert, project = project, fingerprint = fingerprint, now = tx.now());
    Ok(tx.run(insert).await? == 1)
}

/// Forgets what was told before a moment.
pub async fn forget(db: &Db, before: DateTime<Utc>) -> Result<()> {
    let mut tx = db.begin().await?;
    tx.run(sql!("DELETE FROM git_deliveries WHERE received_at < :before", before = before)).await?;
    tx.commit().await
}

/// The tasks of a project that have an address as a link, or a page below it; the oldest first.
pub async fn linked(db: &dyn Read, project: ProjectId, url: &str) -> Result<Vec<TaskId>> {
    let is_one = |column: &str, url: &str| {
        format!(
            "{column} = :{url} OR SUBSTR({column}, 1, LENGTH(:{url}) + 1) IN (:{url} || '/', :{url} || '?', :{url} || '#')"
        )
    };
    let is_it = |column: &str| format!("({} OR {})", is_one(column, "plain"), is_one(column, "with_port"));
    let select = format!(
        "SELECT t.id FROM tasks t WHERE t.project_id = :project AND t.deletion_id IS NULL AND (
             t.id IN (SELECT l.task_id FROM task_links l
                 WHERE l.project_id = :project AND l.deletion_id IS NULL AND {})
             OR t.id IN (SELECT s.task_id FROM synced_tasks s WHERE s.project_id = :project AND {}))
         ORDER BY t.created_at, t.id",
        is_it("LOWER(l.url)"),
        is_it("LOWER(s.external_url)")
    );
    let [plain, with_port] = rules::spellings(url);
    let select = sql!(select, project = project, plain = plain, with_port = with_port);
    let rows: Vec<LinkedTask> = db.all(select).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}
