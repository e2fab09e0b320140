//! The tasks that risks threaten, where a task becomes two or two become one. Everything else about risks is governance.

use std::collections::BTreeMap;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{RiskId, TaskId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};
use planwright_web::ApiResult;
use serde_json::json;

use crate::edit::Edit;

/// How many tasks a risk names at most.
const MOST_TASKS: usize = 10;

/// Lets risks of a task threaten another one as well. A risk that names as many tasks as it may threatens the other one instead.
pub async fn go_along(edit: &mut Edit, risks: &[RiskId], from: TaskId, to: TaskId) -> ApiResult<()> {
    rewrite(edit, risks, from, to, false).await
}

/// Lets risks of a task that is gone threaten another one instead.
pub async fn go_back(edit: &mut Edit, risks: &[RiskId], from: TaskId, to: TaskId) -> ApiResult<()> {
    rewrite(edit, risks, from, to, true).await
}

async fn rewrite(
    edit: &mut Edit,
    risks: &[RiskId],
    from: TaskId,
    to: TaskId,
    is_instead: bool,
) -> ApiResult<()> {
    if risks.is_empty() {
        return Ok(());
    }
    let number = edit.change_number().await?;
    let mut named: BTreeMap<(RiskId, i64), Vec<TaskId>> = BTreeMap::new();
    for (risk, version, task) in threatened(edit, risks, from).await? {
        named.entry((risk, version)).or_default().push(task);
    }
    for ((risk, version), before) in named {
        let mut after = before.clone();
        if is_instead || before.len() >= MOST_TASKS {
            after.retain(|task| *task != from);
        }
        if !after.contains(&to) {
            after.push(to);
        }
        write(edit, risk, &after, (version + 1, number)).await?;
        let place = edit.grant.place;
        let change = Change::of("risk", risk, ChangeKind::Updated, edit.grant.actor.id);
        let fields = [("tasks".to_owned(), json!([before, after]))].into_iter().collect();
        let (project, program) = (place.project, place.program);
        edit.record(Change { project, program, version: version + 1, fields, ..change }).await?;
        edit.announce(SocketEvent::RiskUpdated, json!({ "id": risk })).await?;
    }
    Ok(())
}

/// The tasks that risks threaten, with the versions of the risks: the live ones, and the one that is asked for.
async fn threatened(db: &dyn Read, risks: &[RiskId], task: TaskId) -> Result<Vec<(RiskId, i64, TaskId)>> {
    let select = "SELECT r.id, r.server_version, x.task_id FROM risks r JOIN risk_tasks x ON x.risk_id = r.id
         JOIN tasks t ON t.id = x.task_id AND (t.deletion_id IS NULL OR t.id = :task)
         WHERE r.id IN (:risks) ORDER BY r.id, t.short_id, t.id";
    db.all(sql!(select, risks = list(risks.iter().copied()), task = task)).await
}

/// Writes which tasks a risk threatens, and the version and the change number that it has by that.
async fn write(edit: &mut Edit, risk: RiskId, tasks: &[TaskId], (version, number): (i64, i64)) -> Result<()> {
    edit.run(sql!("DELETE FROM risk_tasks WHERE risk_id = :risk", risk = risk)).await?;
    let insert = "INSERT INTO risk_tasks (risk_id, task_id) VALUES (:risk, :task)";
    edit.run_each(tasks.iter().map(|task| sql!(insert, risk = risk, task = *task)).collect()).await?;
    let update = "UPDATE risks SET server_version = :version, change_number = :number, updated_at = :now WHERE id = :risk";
    let now = edit.now();
    edit.run(sql!(update, version = version, number = number, now = now, risk = risk)).await.map(drop)
}
