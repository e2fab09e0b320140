//! What sprints hold now: points and tasks, how many of them are done, wait for a decision or are under way.
//! An epic and a drawer subtask do not count; neither does work that was finished before the sprint began.

use std::collections::HashMap;

use planwright_domain::ids::SprintId;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

row! {
    /// What one sprint holds. Work that waits for a decision is in `pending` and nowhere else.
    #[derive(Copy, Default, PartialEq)]
    pub struct Load {
        pub points: i64,
        pub tasks: i64,
        pub done_points: i64,
        /// The points that are left of what is not done; what was burnt of a task under way is not among them.
        pub remaining_points: i64,
        pub done_tasks: i64,
        pub pending: i64,
        pub under_way: i64,
    }
}

row! {
    struct LoadOf { sprint_id: SprintId }
    and load: Load
}

/// Which tasks `t` count in sprints and in figures of teams: those that are there, no epics and no drawer subtasks.
pub const IS_WORK: &str = "t.deletion_id IS NULL AND t.type <> 'epic' AND NOT t.is_subtask";

/// What some sprints hold; a sprint without tasks is missing.
pub async fn loads(db: &dyn Read, sprints: &[SprintId]) -> Result<HashMap<SprintId, Load>> {
    if sprints.is_empty() {
        return Ok(HashMap::new());
    }
    let select = format!(
        "SELECT x.sprint_id,
            CAST(SUM(CASE WHEN x.counts THEN x.points ELSE 0 END) AS BIGINT) AS points,
            CAST(SUM(CASE WHEN x.counts THEN 1 ELSE 0 END) AS BIGINT) AS tasks,
            CAST(SUM(CASE WHEN x.counts AND x.done THEN x.points ELSE 0 END) AS BIGINT) AS done_points,
            CAST(SUM(CASE WHEN x.counts AND NOT x.done THEN x.remaining ELSE 0 END) AS BIGINT) AS remaining_points,
            CAST(SUM(CASE WHEN x.counts AND x.done THEN 1 ELSE 0 END) AS BIGINT) AS done_tasks,
            CAST(SUM(CASE WHEN x.sprint_pending THEN 1 ELSE 0 END) AS BIGINT) AS pending,
            CAST(SUM(CASE WHEN x.counts AND x.status IN ('IN_PROGRESS', 'REVIEW') THEN 1 ELSE 0 END) AS BIGINT)
                AS under_way
         FROM (SELECT t.sprint_id, t.status, t.sprint_pending, t.status = 'COMPLETE' AS done,
                COALESCE(t.story_points, 0) AS points,
                COALESCE(t.remaining_points, t.story_points, 0) AS remaining,
                NOT t.sprint_pending AND (t.status <> 'COMPLETE' OR t.actual_finish IS NULL
                    OR t.actual_finish >= COALESCE(s.begun_on, s.start_date)) AS counts
            FROM tasks t JOIN sprints s ON s.id = t.sprint_id
            WHERE t.sprint_id IN (:sprints) AND {IS_WORK}
         ) AS x GROUP BY x.sprint_id"
    );
    let rows: Vec<LoadOf> = db.all(sql!(select, sprints = list(sprints.iter().copied()))).await?;
    Ok(rows.into_iter().map(|row| (row.sprint_id, row.load)).collect())
}

/// What one sprint holds.
pub async fn load(db: &dyn Read, sprint: SprintId) -> Result<Load> {
    Ok(loads(db, &[sprint]).await?.remove(&sprint).unwrap_or_default())
}
