//! Deciding whether work belongs to the sprint that it came into.

use std::collections::HashMap;

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::TaskId;
use planwright_domain::words::ScopeChangeStatus;
use planwright_plan::Edit;
use planwright_plan::sprints::scope::ScopeChangeRow;
use planwright_plan::sprints::tasks;
use planwright_plan::tasks::write::queries::records;
use planwright_plan::tasks::write::{PlannedWrite, TaskRecord};
use planwright_web::ApiResult;
use serde_json::{Value as Json, json};

/// Decides on those of some scope changes that wait; all of them as they are then.
///
/// Accepted work belongs to the sprint. Rejected work leaves it.
pub async fn decide(
    edit: &mut Edit,
    rows: Vec<ScopeChangeRow>,
    verdict: ScopeChangeStatus,
    goal_impact: Option<&str>,
) -> ApiResult<Vec<ScopeChangeRow>> {
    let (by, now) = (edit.grant.actor.id, edit.now());
    let mut after = Vec::with_capacity(rows.len());
    let mut decided = Vec::new();
    for row in rows {
        if row.status != ScopeChangeStatus::Pending {
            after.push(row);
            continue;
        }
        let mut wanted = row.decided(verdict, by, now);
        wanted.goal_impact = goal_impact.map_or(wanted.goal_impact, str::to_owned);
        let written = edit.update(&row, wanted).await?.row;
        decided.push(written.clone());
        after.push(written);
    }
    follow(edit, &decided, verdict).await?;
    announce(edit, &decided, verdict).await?;
    Ok(after)
}

/// Has the tasks follow the decision on them.
async fn follow(edit: &mut Edit, decided: &[ScopeChangeRow], verdict: ScopeChangeStatus) -> ApiResult<()> {
    let ids: Vec<TaskId> = decided.iter().map(|row| row.task_id).collect();
    let tasks: HashMap<TaskId, TaskRecord> =
        records(edit, &ids).await?.into_iter().map(|task| (task.id, task)).collect();
    let of_sprint = decided
        .iter()
        .filter_map(|row| tasks.get(&row.task_id).filter(|task| task.sprint_id == Some(row.sprint_id)));
    let changed = of_sprint.map(|task| {
        let mut after = TaskRecord { sprint_pending: false, ..task.clone() };
        if verdict == ScopeChangeStatus::Rejected {
            (after.sprint_id, after.sprint_rank) = (None, None);
        }
        PlannedWrite::direct(task.clone(), after)
    });
    let changed: Vec<_> = changed.collect();
    tasks::write(edit, changed).await?;
    Ok(())
}

/// The board hears of every decision, other services only of what was accepted.
async fn announce(edit: &mut Edit, decided: &[ScopeChangeRow], verdict: ScopeChangeStatus) -> ApiResult<()> {
    for row in decided {
        let told = json!({ "sprint_id": row.sprint_id, "task_id": row.task_id });
        edit.announce(SocketEvent::SprintScopeChanged, told).await?;
        if verdict == ScopeChangeStatus::Accepted {
            let body = webhook_body(row, &edit.grant.actor.source);
            edit.hook(WebhookEvent::SprintScopeChanged, body).await?;
        }
    }
    Ok(())
}

fn webhook_body(row: &ScopeChangeRow, source: &str) -> Json {
    json!({
        "id": row.id,
        "sprint": row.sprint_id,
        "project": row.project_id,
        "task": row.task_id,
        "item_name": row.item_name,
        "status": row.status,
        "goal_impact": row.goal_impact,
        "added_at": row.added_at,
        "source": source,
    })
}
