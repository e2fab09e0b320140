//! The order of the tasks on the board of a running sprint: `/api/v1/sprints/{id}/reorder/`.

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{SprintId, TaskId};
use planwright_domain::words::SprintState;
use planwright_plan::edit;
use planwright_plan::sprints::{SprintRow, tasks};
use planwright_store::{Read, Result, sql};
use planwright_web::input::{List, Patch};
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Body, Item, Json, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The routes of this file.
pub fn routes() -> Routes {
    Routes::new().post(
        "/api/v1/sprints/{id}/reorder/",
        reorder,
        says("Put all tasks of a running sprint in another order."),
    )
}

input! {
    /// A task at its place.
    pub struct RankedTaskRequest {
        /// The task.
        pub id: TaskId,
        /// The version that the caller has seen; it is checked when it is sent.
        pub server_version: Patch<i64>,
    }
}

input! {
    /// All tasks of the sprint in the order that is wanted.
    pub struct SprintOrderRequest {
        /// The tasks, each once.
        pub tasks: List<RankedTaskRequest, 1, 2000>,
    }
}

/// How many rows are at another place now.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Reordered {
    pub updated: i64,
}

async fn reorder(
    State(app): State<App>,
    item: Item<SprintRow, may::RunSprints>,
    Body(request): Body<SprintOrderRequest>,
) -> ApiResult<Json<Reordered>> {
    let (mut edit, sprint) = edit::open_plan(&app, item, Precondition::default()).await?;
    if sprint.state != SprintState::Active {
        return Err(ApiError::bad_request("Only the tasks of a running sprint have an order."));
    }
    let held = held(&edit, sprint.id).await?;
    let moved = ranks(&held, &request.tasks.0)?;
    if !moved.is_empty() {
        let (tx, lock) = edit.plan();
        tasks::rank(tx, lock.counter(sprint.project_id), &moved).await?;
        let told = json!({ "project_id": sprint.project_id, "sprint_id": sprint.id });
        edit.announce(SocketEvent::SprintReranked, told).await?;
    }
    edit.commit().await?;
    Ok(Json(Reordered { updated: moved.len() as i64 }))
}

/// The tasks of a sprint, with their versions and places; epics have none.
async fn held(db: &dyn Read, sprint: SprintId) -> Result<Vec<(TaskId, i64, Option<i64>)>> {
    let select = "SELECT id, server_version, sprint_rank FROM tasks
         WHERE sprint_id = :sprint AND deletion_id IS NULL AND type <> 'epic' ORDER BY id";
    db.all(sql!(select, sprint = sprint)).await
}

/// The new places of those that are at another one.
///
/// # Errors
/// 409 with the tasks that are missing, that are not in the sprint, that are there twice, or that others changed.
fn ranks(held: &[(TaskId, i64, Option<i64>)], wanted: &[RankedTaskRequest]) -> ApiResult<Vec<(TaskId, i64)>> {
    let known: HashMap<TaskId, (i64, Option<i64>)> =
        held.iter().map(|(id, version, rank)| (*id, (*version, *rank))).collect();
    let mut places: HashMap<TaskId, i64> = HashMap::new();
    let mut conflicts = Vec::new();
    for (at, task) in wanted.iter().enumerate() {
        let is_new = places.insert(task.id, at as i64 + 1).is_none();
        let stale = |version: i64| task.server_version.as_given().is_some_and(|seen| *seen != version);
        if !is_new || known.get(&task.id).is_none_or(|(version, _)| stale(*version)) {
            conflicts.push(task.id);
        }
    }
    conflicts.extend(held.iter().map(|(id, ..)| *id).filter(|id| !places.contains_key(id)));
    if !conflicts.is_empty() {
        return Err(ApiError::conflict("Send all tasks of the sprint as they are now, each once.")
            .with("conflicts", json!(conflicts)));
    }
    let other = |(id, place): &(TaskId, i64)| known.get(id).is_none_or(|(_, rank)| *rank != Some(*place));
    let mut moved: Vec<(TaskId, i64)> = places.into_iter().filter(other).collect();
    moved.sort_unstable_by_key(|(_, place)| *place);
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn task(number: u128, version: Option<i64>) -> RankedTaskRequest {
        let server_version = version.map_or(Patch::Absent, Patch::Set);
        RankedTaskRequest { id: TaskId(Uuid::from_u128(number)), server_version }
    }

    #[test]
    fn only_the_whole_sprint_as_it_is_now_can_be_ordered() {
        let held: Vec<_> = (1..=3).map(|at| (TaskId(Uuid::from_u128(at)), 1, Some(at as i64))).collect();
        let moved = ranks(&held, &[task(2, Some(1)), task(1, None), task(3, None)]).unwrap();
        assert_eq!(
            moved.iter().map(|(id, place)| (id.0.as_u128(), *place)).collect::<Vec<_>>(),
            [(2, 1), (1, 2)]
        );
        let conflicts = |wanted: &[RankedTaskRequest]| {
            ranks(&held, wanted).unwrap_err().body()["conflicts"].as_array().map(Vec::len)
        };
        assert_eq!(conflicts(&[task(1, None), task(2, None)]), Some(1), "one is missing");
        assert_eq!(conflicts(&[task(1, Some(7)), task(2, None), task(3, None)]), Some(1), "one is stale");
        assert_eq!(
            conflicts(&[task(1, None), task(2, None), task(3, None), task(4, None)]),
            Some(1),
            "a stranger"
        );
    }
}
