//! `/api/v1/projects/{id}/board-views/`: ways to look at a board, kept under a name and shared by the project.

pub mod model;
mod rules;

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_plan::edit::{self, Edit};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, sql};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, ProjectScope, Routes, says,
};

use self::model::*;

const ALL: &str = "/api/v1/projects/{id}/board-views/";
const ONE: &str = "/api/v1/projects/{id}/board-views/{view_pk}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The views of the board, by name."))
        .post(ALL, create, says("Keep a view of the board."))
        .patch(ONE, update, says("Change a view of the board."))
        .delete(ONE, delete, says("Delete a view of the board."))
}

type Kept = Item<BoardViewRow, may::TakePart>;

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<Vec<BoardSavedView>>> {
    let rows = of_project(&app.db, scope.project).await?;
    Ok(Json(rows.into_iter().map(BoardSavedView::from).collect()))
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::TakePart>,
    Body(request): Body<BoardSavedViewRequest>,
) -> ApiResult<Created<BoardSavedView>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let others = of_project(&edit, scope.project).await?;
    let fresh = BoardViewRow::fresh(edit.mint(), scope.project, scope.actor.id, edit.now());
    let row = rules::changed(fresh, request.into(), &others, edit.now())?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    Body(request): Body<PatchedBoardSavedViewRequest>,
) -> ApiResult<Versioned<BoardSavedView>> {
    let (mut edit, before) = edit::open_within(&app, item, expected).await?;
    may_keep(&edit, &before)?;
    let others = of_project(&edit, before.project_id).await?;
    let after = rules::changed(before.clone(), request, &others, edit.now())?;
    let written = edit.update(&before, after).await?;
    edit.commit().await?;
    Ok(written.shown(BoardSavedView::from))
}

async fn delete(State(app): State<App>, item: Kept, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_within(&app, item, expected).await?;
    may_keep(&edit, &row)?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Whoever made a view changes it, and so does a Resource Manager or above.
fn may_keep(edit: &Edit, row: &BoardViewRow) -> ApiResult<()> {
    let is_own = row.created_by == Some(edit.grant.actor.id);
    match is_own || edit.grant.role.rank() >= Role::ResourceManager.rank() {
        true => Ok(()),
        false => Err(ApiError::forbidden("You may change the views that you made.")),
    }
}

/// The views of a project, by name.
async fn of_project(db: &dyn Read, project: ProjectId) -> Result<Vec<BoardViewRow>> {
    let columns = select_list::<BoardViewRow>("v");
    let select = format!(
        "SELECT {columns} FROM board_views v WHERE v.project_id = :project AND v.deletion_id IS NULL
         ORDER BY v.name_key, v.id"
    );
    db.all(sql!(select, project = project)).await
}
