//! `/api/v1/tasks/{id}/reorder/`: the place of a task on the board, apart from its place in the outline.
//! Ranks have gaps between them, so that one move writes one row; when a gap is used up, all ranks are spread anew.

use axum::extract::State;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::outbox::Event;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::input::Patch;
use planwright_web::{Actor, ApiError, ApiResult, App, Body, Json, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::seen::SeenTask;
use super::write::{self, Board, Judged, Known, TaskRecord};

/// The gap between two ranks that were never moved.
const GAP: i64 = 1024;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/tasks/{id}/reorder/",
        reorder,
        says("Put a task before or after another on the board, or at its end."),
    )
}

input! {
    /// Where a task goes on the board; exactly one of the three.
    pub struct BoardPlaceRequest {
        /// Right before this task.
        pub before_id: Patch<TaskId>,
        /// Right after this task.
        pub after_id: Patch<TaskId>,
        /// Behind all others.
        pub to_end: Patch<bool>,
    }
}

/// Where a task is on the board now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardPlace {
    /// The task.
    pub id: TaskId,
    /// Its rank.
    pub priority_rank: i64,
    /// Whether other tasks got new ranks too.
    pub renormalized: bool,
}

/// Where a row goes in a list without it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Goal {
    Before(TaskId),
    After(TaskId),
    End,
}

fn goal(wish: &BoardPlaceRequest, task: TaskId) -> ApiResult<Goal> {
    let to_end = (wish.to_end.as_given() == Some(&true)).then_some(Goal::End);
    let before = wish.before_id.as_given().map(|id| Goal::Before(*id));
    let after = wish.after_id.as_given().map(|id| Goal::After(*id));
    let mut goals = [before, after, to_end].into_iter().flatten();
    match (goals.next(), goals.next()) {
        (Some(Goal::Before(other) | Goal::After(other)), None) if other == task => {
            Err(ApiError::bad_request("A task has no place beside itself."))
        }
        (Some(goal), None) => Ok(goal),
        _ => Err(ApiError::bad_request("Send exactly one of before_id, after_id and to_end.")),
    }
}

/// The rank of a row at its goal, or none when ranks have to be spread anew first; `rows` are the others in their order.
fn rank(rows: &[(TaskId, Option<i64>)], goal: Goal) -> Option<Option<i64>> {
    let at = match goal {
        Goal::End => rows.len(),
        Goal::Before(other) => rows.iter().position(|(id, _)| *id == other)?,
        Goal::After(other) => rows.iter().position(|(id, _)| *id == other)? + 1,
    };
    let below = at.checked_sub(1).map(|at| rows[at].1);
    let above = rows.get(at).map(|row| row.1);
    Some(match (below, above) {
        (None, None) => Some(GAP),
        (Some(below), None) => {
            below.and_then(|rank| rank.checked_add(GAP)).filter(|rank| *rank <= i64::from(i32::MAX))
        }
        (None, Some(above)) => above.filter(|rank| *rank > 0).map(|rank| rank / 2),
        (Some(below), Some(above)) => below
            .zip(above)
            .filter(|(below, above)| above - below > 1)
            .map(|(below, above)| (below + above) / 2),
    })
}

async fn ranked(db: &impl Read, project: ProjectId) -> Result<Vec<(TaskId, Option<i64>)>> {
    let select = "SELECT id, priority_rank FROM tasks WHERE project_id = :project AND deletion_id IS NULL
                  ORDER BY priority_rank ASC NULLS LAST, id";
    db.all(sql!(select, project = project)).await
}

async fn reorder(
    State(app): State<App>,
    actor: Actor,
    SeenTask(id): SeenTask,
    Body(wish): Body<BoardPlaceRequest>,
) -> ApiResult<Json<BoardPlace>> {
    let goal = goal(&wish, id)?;
    let mut tx = app.db.begin().await?;
    let (scope, mut turn, before) = write::open(&mut tx, &actor, id).await?;
    let known = Known::bare(&tx, &scope).await?;
    if !known.may_edit(&before) {
        return Err(ApiError::forbidden("You may move the tasks that are assigned to you."));
    }
    let others: Vec<_> = ranked(&tx, scope.project).await?.into_iter().filter(|row| row.0 != id).collect();
    let missing = || ApiError::bad_request("There is no such task in the project.");
    let place = rank(&others, goal).ok_or_else(missing)?;
    let renormalized = place.is_none();
    let rank = match place {
        Some(rank) => rank,
        None => spread(&mut tx, &mut turn, &known, &others, goal).await?,
    };
    let after = TaskRecord { priority_rank: Some(rank), ..before.clone() };
    write::save(&mut tx, &mut turn, &known, vec![Judged::direct(before, after)], Board::EachRow).await?;
    turn.end(&mut tx).await?;
    tx.commit().await?;
    Ok(Json(BoardPlace { id, priority_rank: rank, renormalized }))
}

/// Gives all other rows ranks with gaps between them, and says the rank at the goal.
async fn spread(
    tx: &mut Tx,
    turn: &mut crate::schedule::Turn,
    known: &Known,
    others: &[(TaskId, Option<i64>)],
    goal: Goal,
) -> Result<i64> {
    let fresh: Vec<(TaskId, Option<i64>)> =
        (1i64..).zip(others).map(|(nth, (id, _))| (*id, Some(nth * GAP))).collect();
    let ids: Vec<TaskId> = fresh.iter().map(|(id, _)| *id).collect();
    let ranks: std::collections::HashMap<TaskId, Option<i64>> = fresh.iter().copied().collect();
    let records = write::queries::records(tx, &ids).await?;
    let judged = records.into_iter().map(|before| {
        let after = TaskRecord { priority_rank: ranks[&before.id], ..before.clone() };
        Judged::direct(before, after)
    });
    write::save(tx, turn, known, judged.collect(), Board::OneForAll).await?;
    let event = Event::Socket(SocketEvent::QueueReordered);
    tx.emit(event, Some(known.project.id), known.project.program_id, json!({})).await?;
    Ok(rank(&fresh, goal).flatten().unwrap_or(GAP / 2))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    #[test]
    fn a_row_goes_into_the_middle_of_a_gap_and_asks_for_room_when_there_is_none() {
        let rows = [(id(1), Some(10)), (id(2), Some(12)), (id(3), Some(13)), (id(4), None)];
        assert_eq!(rank(&rows, Goal::Before(id(2))), Some(Some(11)));
        assert_eq!(rank(&rows, Goal::After(id(2))), Some(None));
        assert_eq!(rank(&rows, Goal::Before(id(1))), Some(Some(5)));
        assert_eq!(rank(&rows, Goal::End), Some(None));
        assert_eq!(rank(&rows[..3], Goal::End), Some(Some(13 + GAP)));
        assert_eq!(rank(&rows, Goal::After(id(9))), None);
        assert_eq!(rank(&[], Goal::End), Some(Some(GAP)));
    }
}
