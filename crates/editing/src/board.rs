//! `/api/v1/tasks/{id}/reorder/`: the place of a task on the board, apart from its place in the outline.
//! Ranks have gaps between them, so that one move writes one row; when a gap is used up, all ranks are spread anew.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_plan::edit;
use planwright_plan::schedule::PlanLock;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_store::outbox::Event;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::input::Patch;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Body, Item, Json, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The gap between two ranks that were never moved.
const GAP: i64 = 1024;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/tasks/{id}/reorder/",
        reorder,
        says("Move a task on the board: before or after another task, or to the end."),
    )
}

input! {
    /// The new place of a task on the board. Exactly one of the three fields is required.
    pub struct BoardPlaceRequest {
        /// Put it directly before this task.
        pub before_id: Patch<TaskId>,
        /// Put it directly after this task.
        pub after_id: Patch<TaskId>,
        /// Put it after all other tasks.
        pub to_end: Patch<bool>,
    }
}

/// The place of a task on the board.
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

fn goal(request: &BoardPlaceRequest, task: TaskId) -> ApiResult<Goal> {
    let to_end = (request.to_end.as_given() == Some(&true)).then_some(Goal::End);
    let before = request.before_id.as_given().map(|id| Goal::Before(*id));
    let after = request.after_id.as_given().map(|id| Goal::After(*id));
    let mut goals = [before, after, to_end].into_iter().flatten();
    match (goals.next(), goals.next()) {
        (Some(Goal::Before(other) | Goal::After(other)), None) if other == task => {
            Err(ApiError::bad_request("A task cannot be placed next to itself."))
        }
        (Some(goal), None) => Ok(goal),
        _ => Err(ApiError::bad_request("Send exactly one of before_id, after_id and to_end.")),
    }
}

/// The ranks of a move: that of the row, and those that others get to make room for it.
#[derive(Debug, Default, PartialEq)]
struct Ranks {
    own: i64,
    others: Vec<(TaskId, i64)>,
}

/// Ranks a row at its goal; `rows` are the others by rank, those without one behind them. Rows without a rank get one only
/// as far as the goal is among them, and ranks are spread anew only when a gap is used up.
fn ranks(rows: &[(TaskId, Option<i64>)], goal: Goal) -> Option<Ranks> {
    let ranked = rows.iter().take_while(|row| row.1.is_some()).count();
    let at = match goal {
        Goal::End => ranked,
        Goal::Before(other) => rows.iter().position(|(id, _)| *id == other)?,
        Goal::After(other) => rows.iter().position(|(id, _)| *id == other)? + 1,
    };
    let counted = ranked.max(at).max(if matches!(goal, Goal::Before(_)) { at + 1 } else { at });
    let last = rows[..ranked].last().and_then(|row| row.1).unwrap_or_default();
    let context = |nth: usize| rows[nth].1.unwrap_or_else(|| last + (nth - ranked + 1) as i64 * GAP);
    let below = at.checked_sub(1).map(context);
    let above = (at < counted).then(|| context(at));
    let room = match (below, above) {
        (below, None) => Some(below.unwrap_or_default() + GAP),
        (None, Some(above)) => Some(above / 2).filter(|rank| *rank > 0),
        (Some(below), Some(above)) => Some((below + above) / 2).filter(|rank| *rank > below && *rank < above),
    };
    let fits = |rank: &i64| {
        *rank <= i64::from(i32::MAX) && (0..counted).all(|nth| context(nth) <= i64::from(i32::MAX))
    };
    if let Some(own) = room.filter(fits) {
        let others = (ranked..counted).map(|nth| (rows[nth].0, context(nth))).collect();
        return Some(Ranks { own, others });
    }
    // The row takes a place of its own in the count, and those behind it stand one further.
    let spread = |nth: usize| (nth as i64 + 1 + i64::from(nth >= at)) * GAP;
    let others = (0..counted).map(|nth| (rows[nth].0, spread(nth))).collect();
    Some(Ranks { own: (at as i64 + 1) * GAP, others })
}

async fn ranked(db: &dyn Read, project: ProjectId) -> Result<Vec<(TaskId, Option<i64>)>> {
    let select = "SELECT id, priority_rank FROM tasks WHERE project_id = :project AND deletion_id IS NULL
                  ORDER BY priority_rank ASC NULLS LAST, id";
    db.all(sql!(select, project = project)).await
}

/// Writes ranks that make room for another; no version rises, since nobody moved those rows.
async fn make_room(
    tx: &mut Tx,
    lock: &PlanLock,
    context: &WriteContext,
    ranks: &[(TaskId, i64)],
) -> Result<()> {
    if ranks.is_empty() {
        return Ok(());
    }
    let (project, program) = (context.project.id, context.project.program_id);
    write::queries::set_ranks(tx, lock, project, ranks).await?;
    tx.emit(Event::Socket(SocketEvent::QueueReordered), Some(project), program, json!({})).await
}

async fn reorder(
    State(app): State<App>,
    item: Item<TaskRecord, may::AuthorPlan>,
    Body(request): Body<BoardPlaceRequest>,
) -> ApiResult<Json<BoardPlace>> {
    let id = item.row.id;
    let goal = goal(&request, id)?;
    let (mut edit, before) = edit::open_plan(&app, item, Precondition::default()).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    if !context.may_edit(&before) {
        return Err(ApiError::forbidden("You may move only tasks that are assigned to you."));
    }
    let others: Vec<_> =
        ranked(&edit, edit.project()?).await?.into_iter().filter(|row| row.0 != id).collect();
    let missing = || ApiError::bad_request("There is no such task in the project.");
    let ranks = ranks(&others, goal).ok_or_else(missing)?;
    let (tx, lock) = edit.plan();
    make_room(tx, lock, &context, &ranks.others).await?;
    let (rank, renormalized) = (ranks.own, !ranks.others.is_empty());
    let after = TaskRecord { priority_rank: Some(rank), ..before.clone() };
    write::save(tx, lock, &context, vec![PlannedWrite::direct(before, after)], Board::EachRow).await?;
    edit.commit().await?;
    Ok(Json(BoardPlace { id, priority_rank: rank, renormalized }))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    fn move_to(rows: &[(TaskId, Option<i64>)], goal: Goal) -> (i64, Vec<(TaskId, i64)>) {
        let ranks = ranks(rows, goal).unwrap();
        (ranks.own, ranks.others)
    }

    #[test]
    fn a_row_goes_into_the_middle_of_a_gap_and_others_make_room_when_there_is_none() {
        let rows = [(id(1), Some(10)), (id(2), Some(12)), (id(3), Some(13)), (id(4), None)];
        assert_eq!(move_to(&rows, Goal::Before(id(2))), (11, vec![]));
        assert_eq!(move_to(&rows, Goal::Before(id(1))), (5, vec![]));
        assert_eq!(move_to(&rows, Goal::End), (13 + GAP, vec![]), "behind those that have a rank");
        let spread = vec![(id(1), GAP), (id(2), 2 * GAP), (id(3), 4 * GAP)];
        assert_eq!(move_to(&rows, Goal::After(id(2))), (3 * GAP, spread));
        assert_eq!(ranks(&rows, Goal::After(id(9))), None);
        assert_eq!(move_to(&[], Goal::End), (GAP, vec![]));
    }

    #[test]
    fn rows_without_a_rank_get_one_as_far_as_the_goal() {
        let rows = [(id(1), Some(10)), (id(2), None), (id(3), None), (id(4), None)];
        let (first, second) = (10 + GAP, 10 + 2 * GAP);
        assert_eq!(move_to(&rows, Goal::After(id(2))), (first + GAP, vec![(id(2), first)]));
        let before = (first + second) / 2;
        assert_eq!(move_to(&rows, Goal::Before(id(3))), (before, vec![(id(2), first), (id(3), second)]));
    }
}
