//! `/api/v1/projects/{id}/board/lanes/`: the tasks of a board by the phases that they belong to.

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::{Read, Result, row, sql};
use planwright_web::input::{Int, Patch};
use planwright_web::{ApiResult, App, Json, ProjectScope, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

/// The lane of tasks without a phase.
const ROOT: &str = "root";

/// The routes of this file.
pub fn table() -> Routes {
    let says = says("The tasks of the board by phase, in the order of the plan.").agent_surface();
    Routes::new().get("/api/v1/projects/{id}/board/lanes/", show, says)
}

input! {
    /// How the tasks of a board are grouped.
    pub struct LaneQuery {
        /// The level of the phases that are lanes; 1, the top level, unless said otherwise.
        pub group_depth: Patch<Int<1, 20>>,
    }
}

row! {
    struct LaneRow {
        id: TaskId,
        parent_id: Option<TaskId>,
        name: String,
        on_board: bool,
    }
}

/// A phase with the tasks below it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardLane {
    /// The phase; `root` for tasks without one.
    pub id: String,
    pub name: String,
    pub is_root: bool,
    /// The tasks, in the order of the plan.
    pub task_ids: Vec<TaskId>,
}

/// The tasks of a board by phase.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardLanes {
    pub group_depth: i64,
    /// In the order of the plan; tasks without a phase are last.
    pub lanes: Vec<BoardLane>,
    /// The name of the phase right above a task, where that is not its lane.
    pub crumbs: HashMap<TaskId, String>,
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<LaneQuery>,
) -> ApiResult<Json<BoardLanes>> {
    let depth = query.group_depth.given().map_or(1, i64::from);
    Ok(Json(lanes(rows(&app.db, scope.project).await?, depth)))
}

/// The lanes of rows that stand in the order of the plan.
fn lanes(rows: Vec<LaneRow>, group_depth: i64) -> BoardLanes {
    let places: HashMap<TaskId, usize> =
        rows.iter().enumerate().map(|(place, row)| (row.id, place)).collect();
    let parent = |row: &LaneRow| row.parent_id.and_then(|id| places.get(&id)).map(|place| &rows[*place]);
    let mut lanes: Vec<BoardLane> = Vec::new();
    let mut of_phase: HashMap<TaskId, usize> = HashMap::new();
    let mut alone = Vec::new();
    let mut crumbs = HashMap::new();
    for row in rows.iter().filter(|row| row.on_board) {
        let mut above: Vec<&LaneRow> =
            std::iter::successors(parent(row), |row| parent(row)).take(rows.len()).collect();
        above.reverse();
        let place = usize::try_from(group_depth - 1).unwrap_or_default();
        let Some(phase) = above.get(place.min(above.len().saturating_sub(1))) else {
            alone.push(row.id);
            continue;
        };
        let lane = *of_phase.entry(phase.id).or_insert_with(|| {
            let (id, name) = (phase.id.to_string(), phase.name.clone());
            lanes.push(BoardLane { id, name, is_root: false, task_ids: Vec::new() });
            lanes.len() - 1
        });
        lanes[lane].task_ids.push(row.id);
        if let Some(direct) = above.last().filter(|direct| direct.id != phase.id) {
            crumbs.insert(row.id, direct.name.clone());
        }
    }
    if !alone.is_empty() || lanes.is_empty() {
        lanes.push(BoardLane { id: ROOT.into(), name: "No phase".into(), is_root: true, task_ids: alone });
    }
    BoardLanes { group_depth, lanes, crumbs }
}

/// The tasks and phases of a project in the order of the plan.
async fn rows(db: &dyn Read, project: ProjectId) -> Result<Vec<LaneRow>> {
    let select = "SELECT t.id, t.parent_id, t.name, NOT COALESCE(s.is_phase, FALSE) AS on_board
         FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND NOT t.is_subtask
         ORDER BY s.outline_order ASC NULLS LAST, t.id";
    db.all(sql!(select, project = project)).await
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn row(id: u128, parent: u128, on_board: bool) -> LaneRow {
        let task = |id| TaskId(Uuid::from_u128(id));
        let parent_id = (parent > 0).then(|| task(parent));
        LaneRow { id: task(id), parent_id, name: format!("Row {id}"), on_board }
    }

    fn shown(depth: i64) -> Vec<(String, usize)> {
        let rows =
            vec![row(1, 0, false), row(2, 1, true), row(3, 1, false), row(4, 3, true), row(5, 0, true)];
        lanes(rows, depth).lanes.into_iter().map(|lane| (lane.name, lane.task_ids.len())).collect()
    }

    #[test]
    fn tasks_stand_in_the_lane_of_their_phase_and_those_without_one_are_last() {
        let named = |rows: &[(&str, usize)]| -> Vec<(String, usize)> {
            rows.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        assert_eq!(shown(1), named(&[("Row 1", 2), ("No phase", 1)]));
        assert_eq!(
            shown(2),
            named(&[("Row 1", 1), ("Row 3", 1), ("No phase", 1)]),
            "as deep as there are phases"
        );
    }

    #[test]
    fn a_crumb_names_the_phase_between_a_task_and_its_lane() {
        let found = lanes(vec![row(1, 0, false), row(2, 1, true), row(3, 1, false), row(4, 3, true)], 1);
        assert_eq!(found.crumbs.into_values().collect::<Vec<_>>(), ["Row 3"]);
    }
}
