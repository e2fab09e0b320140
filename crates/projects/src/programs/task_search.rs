//! `/api/v1/programs/{id}/task-search/`: tasks of a program by a part of their name, for links between projects. Only tasks of
//! projects that the caller is a member of are found.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, ProjectId, TaskId};
use planwright_domain::words::TaskStatus;
use planwright_store::dialect::{begins, contains, pattern};
use planwright_store::{Read, Result, row, sql};
use planwright_web::input::{Name, Patch};
use planwright_web::{Actor, ApiResult, App, Json, ProgramScope, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

/// How many tasks are found at most.
const MOST: i64 = 200;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/programs/{id}/task-search/",
        search,
        says("Tasks of a program whose name contains a text; names that begin with it come first.")
            .agent_surface(),
    )
}

input! {
    /// What to look for.
    pub struct ProgramTaskQuery {
        /// A part of the name.
        pub q: Name<1, 200>,
        /// No tasks of this project.
        pub exclude_project: Patch<ProjectId>,
    }
}

row! {
    /// A task that was found.
    #[derive(Serialize, JsonSchema)]
    pub struct ProgramTaskHit {
        pub id: TaskId,
        pub name: String,
        pub short_id: String,
        /// Its outline number; blank for a task without a place in the outline.
        pub wbs_path: String,
        pub status: TaskStatus,
        pub is_milestone: bool,
        pub project_id: ProjectId,
        pub project_name: String,
    }
}

async fn search(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    Query(query): Query<ProgramTaskQuery>,
) -> ApiResult<Json<Vec<ProgramTaskHit>>> {
    let without = query.exclude_project.given();
    Ok(Json(found(&app.db, &scope.actor, scope.program, &query.q, without).await?))
}

/// The live tasks of a program that the caller sees and whose name contains the text.
async fn found(
    db: &dyn Read,
    actor: &Actor,
    program: ProgramId,
    text: &str,
    without: Option<ProjectId>,
) -> Result<Vec<ProgramTaskHit>> {
    let named = contains(db.engine(), "t.name", "search");
    let select = sql!(
        format!(
            "SELECT t.id, t.name, t.short_id, COALESCE(s.outline, '') AS wbs_path, t.status, t.is_milestone,
                t.project_id, o.name AS project_name
             FROM tasks t JOIN projects o ON o.id = t.project_id AND o.deletion_id IS NULL
             LEFT JOIN task_schedule s ON s.task_id = t.id
             WHERE o.program_id = :program AND t.deletion_id IS NULL AND {named}"
        ),
        program = program,
        search = pattern(text)
    );
    let seen = actor
        .in_visible_projects(select.when("AND t.project_id <> :without", "without", without), "t.project_id");
    let order = format!(
        " ORDER BY CASE WHEN {} THEN 0 ELSE 1 END, t.name, o.name, t.id LIMIT {MOST}",
        begins(db.engine(), "t.name", "start")
    );
    db.all(seen.push(&order).bind("start", text.to_lowercase())).await
}
