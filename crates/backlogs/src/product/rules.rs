//! Decisions about a product backlog, without a database: how ready it is, what an order names, and by which score it goes.

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::TaskId;
use planwright_domain::words::Readiness;
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::{ApiError, ApiResult};
use serde_json::json;

use super::model::{BacklogEpic, BacklogHealth, BacklogOrderRequest, BacklogRow, EpicRollup, SeenTask};

/// The rows that wait.
pub fn waiting(rows: &[BacklogRow]) -> impl Iterator<Item = &BacklogRow> {
    rows.iter().filter(|row| row.waits)
}

/// The epics with their stories, and the stories without an epic; `shown` holds all of them as they are shown.
pub fn grouped<T>(
    rows: &[BacklogRow],
    epics: &[TaskId],
    mut shown: HashMap<TaskId, T>,
) -> (Vec<BacklogEpic<T>>, Vec<T>) {
    let rollups = rollups(rows);
    let below = |epic: Option<TaskId>, shown: &mut HashMap<TaskId, T>| -> Vec<T> {
        waiting(rows).filter(|row| row.epic_id == epic).filter_map(|row| shown.remove(&row.id)).collect()
    };
    let ungrouped = below(None, &mut shown);
    let grouped = epics.iter().filter_map(|id| {
        let (stories, rollup) = (below(Some(*id), &mut shown), rollups.get(id).copied().unwrap_or_default());
        Some(BacklogEpic { epic: shown.remove(id)?, stories, rollup })
    });
    (grouped.collect(), ungrouped)
}

/// How ready the rows are that wait.
pub fn health(rows: &[BacklogRow], capacity_points: Option<i64>) -> BacklogHealth {
    let mut health = BacklogHealth { capacity_points, ..BacklogHealth::default() };
    for row in waiting(rows) {
        health.story_count += 1;
        health.unestimated += i64::from(row.story_points.is_none());
        health.ac_total += row.criteria;
        health.ac_met += row.criteria_met;
        if row.dor == Readiness::Ready {
            health.ready_count += 1;
            health.ready_points += row.story_points.unwrap_or_default();
        }
    }
    if health.story_count > 0 {
        health.dor_pct = (health.ready_count as f64 * 100.0 / health.story_count as f64).round() as i64;
    }
    health
}

/// What the rows below each epic add up to.
pub fn rollups(rows: &[BacklogRow]) -> HashMap<TaskId, EpicRollup> {
    let mut rollups: HashMap<TaskId, EpicRollup> = HashMap::new();
    for row in rows {
        let Some(epic) = row.epic_id else { continue };
        let rollup = rollups.entry(epic).or_default();
        let points = row.story_points.unwrap_or_default();
        rollup.story_count += 1;
        rollup.points_total += points;
        rollup.points_done += if row.is_done { points } else { 0 };
    }
    rollups
}

/// Where rows go in a list without them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    /// They are the whole list.
    Whole,
    Before(TaskId),
    After(TaskId),
    End,
}

/// What an order asks for.
///
/// # Errors
/// 400 when a row is named twice, or when more than one place is named, or one beside itself.
pub fn goal(request: &BacklogOrderRequest) -> ApiResult<Goal> {
    let named: HashSet<TaskId> = distinct(&request.stories.0)?;
    let given = |id: &planwright_web::Patch<Option<TaskId>>| id.as_given().copied().flatten();
    let goals = [
        given(&request.before).map(Goal::Before),
        given(&request.after).map(Goal::After),
        (request.to_end.as_given() == Some(&true)).then_some(Goal::End),
    ];
    let mut goals = goals.into_iter().flatten();
    match (goals.next(), goals.next()) {
        (Some(Goal::Before(other) | Goal::After(other)), None) if named.contains(&other) => {
            Err(ApiError::bad_request("A row has no place beside itself."))
        }
        (goal, None) => Ok(goal.unwrap_or(Goal::Whole)),
        _ => Err(ApiError::bad_request("Send at most one of before, after and to_end.")),
    }
}

/// The ids of rows, each once.
///
/// # Errors
/// 400 when one is named twice.
pub fn distinct(rows: &[SeenTask]) -> ApiResult<HashSet<TaskId>> {
    let named: HashSet<TaskId> = rows.iter().map(|row| row.id).collect();
    match named.len() == rows.len() {
        true => Ok(named),
        false => Err(ApiError::invalid_field("stories", "A row is named twice.")),
    }
}

/// Refuses an order that was made from another state: rows that were changed or are gone, and rows that it leaves out.
///
/// # Errors
/// 409 with the rows as they stand; the version of one that is not there is null.
pub fn nothing_stale(
    sent: &[SeenTask],
    rows: &HashMap<TaskId, TaskRecord>,
    left_out: &[TaskId],
) -> ApiResult<()> {
    let version = |id: &TaskId| rows.get(id).map(|row| row.server_version);
    let stale = sent.iter().filter(|seen| version(&seen.id) != Some(seen.server_version));
    let ids = stale.map(|seen| seen.id).chain(left_out.iter().copied());
    let conflicts: Vec<_> = ids.map(|id| json!({ "id": id, "server_version": version(&id) })).collect();
    match conflicts.is_empty() {
        true => Ok(()),
        false => Err(ApiError::conflict("The list has changed meanwhile; read it again.")
            .with("conflicts", json!(conflicts))),
    }
}

/// The order by score: the highest first. Rows of the same score and rows without one, which go last, stay as they were.
pub fn by_score(rows: Vec<(TaskId, Option<f64>)>) -> Vec<TaskId> {
    let mut rows = rows;
    let key = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|one, other| key(other.1).total_cmp(&key(one.1)));
    rows.into_iter().map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use planwright_domain::words::TaskType;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    fn row(number: u128, story_points: Option<i64>) -> BacklogRow {
        BacklogRow {
            id: id(number),
            r#type: TaskType::Story,
            epic_id: Some(id(100)),
            waits: true,
            is_done: false,
            dor: Readiness::Ready,
            story_points,
            criteria: 2,
            criteria_met: 1,
        }
    }

    #[test]
    fn an_epic_counts_what_is_done_and_the_backlog_what_waits() {
        let done = BacklogRow { waits: false, is_done: true, ..row(1, Some(5)) };
        let idea = BacklogRow { dor: Readiness::Idea, ..row(2, None) };
        let rows = [done, idea, row(3, Some(3))];
        let rollup = EpicRollup { story_count: 3, points_total: 8, points_done: 5 };
        assert_eq!(rollups(&rows), HashMap::from([(id(100), rollup)]));
        let health = health(&rows, Some(20));
        let counts = (health.story_count, health.unestimated, health.ready_count, health.ready_points);
        assert_eq!(counts, (2, 1, 1, 3));
        assert_eq!((health.dor_pct, health.ac_met, health.ac_total), (50, 2, 4));
    }

    #[test]
    fn the_order_by_score_leaves_equal_scores_as_they_were() {
        let rows =
            vec![(id(1), None), (id(2), Some(2.0)), (id(3), Some(9.0)), (id(4), Some(2.0)), (id(5), None)];
        assert_eq!(by_score(rows), [id(3), id(2), id(4), id(1), id(5)]);
    }

    #[test]
    fn an_order_from_another_state_is_refused_with_what_is_there() {
        let record = TaskRecord {
            server_version: 2,
            ..TaskRecord::fresh(id(1), Uuid::nil().into(), Default::default())
        };
        let rows = HashMap::from([(id(1), record)]);
        let seen = |number, server_version| SeenTask { id: id(number), server_version };
        assert!(nothing_stale(&[seen(1, 2)], &rows, &[]).is_ok());
        let refused = nothing_stale(&[seen(1, 1), seen(7, 1)], &rows, &[]).unwrap_err();
        assert_eq!(refused.body()["conflicts"][0], json!({ "id": id(1), "server_version": 2 }));
        assert_eq!(refused.body()["conflicts"][1], json!({ "id": id(7), "server_version": null }));
    }
}
