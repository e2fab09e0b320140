//! `/api/v1/projects/{id}/board-config/`: the columns of the board of a project, and how full they are.

pub mod model;
mod rules;

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_domain::words::TaskStatus;
use planwright_plan::edit::Edit;
use planwright_plan::tasks::ON_BOARD;
use planwright_store::record::select_list;
use planwright_store::{Read, Result, sql};
use planwright_web::{ApiResult, App, Body, Json, ProjectScope, Routes, says};

use self::model::*;

const CONFIG: &str = "/api/v1/projects/{id}/board-config/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(CONFIG, show, says("The columns of the board, and how full they are.").agent_surface())
        .put(CONFIG, replace, says("Replace the columns of the board."))
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<BoardColumnConfigResponse>> {
    let row = stored(&app.db, scope.project).await?;
    Ok(Json(shown(&app.db, scope.project, rules::read(row.map(|row| row.columns))).await?))
}

async fn replace(
    State(app): State<App>,
    scope: ProjectScope<may::ArrangeBoard>,
    Body(request): Body<BoardColumnConfigRequest>,
) -> ApiResult<Json<BoardColumnConfigResponse>> {
    let columns = rules::columns(request.columns.0)?;
    let mut edit = Edit::locked(&app, &scope).await?;
    let before = stored(&edit, scope.project).await?;
    let (fresh, created_at, project_id) = (edit.mint(), edit.now(), scope.project);
    let row = before.clone().unwrap_or_else(|| BoardConfigRow::fresh(fresh, project_id, created_at));
    edit.save(before, BoardConfigRow { columns: rules::stored(&columns), ..row }).await?;
    let answer = shown(&edit, scope.project, columns).await?;
    edit.commit().await?;
    Ok(Json(answer))
}

async fn shown(
    db: &dyn Read,
    project: ProjectId,
    columns: Vec<BoardColumn>,
) -> Result<BoardColumnConfigResponse> {
    let counts = counts(db, project).await?.into_iter().collect::<HashMap<_, _>>();
    Ok(BoardColumnConfigResponse { columns: rules::filled(columns, &counts) })
}

/// The columns of a project, as somebody arranged them.
async fn stored(db: &dyn Read, project: ProjectId) -> Result<Option<BoardConfigRow>> {
    let columns = select_list::<BoardConfigRow>("c");
    let select = format!("SELECT {columns} FROM board_configs c WHERE c.project_id = :project");
    db.maybe(sql!(select, project = project)).await
}

/// How many tasks of a board have which status.
async fn counts(db: &dyn Read, project: ProjectId) -> Result<Vec<(TaskStatus, i64)>> {
    let select = format!(
        "SELECT t.status, COUNT(*) FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE {ON_BOARD} GROUP BY t.status"
    );
    db.all(sql!(select, project = project)).await
}
