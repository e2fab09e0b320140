//! `DELETE /api/v1/workspace/`: everything that was planned goes and cannot be restored; people stay. The caller repeats
//! the name of the workspace in a header, so that no slip does it.

use axum::extract::State;
use http::HeaderMap;
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_domain::words::AuditKind;
use planwright_plan::deletion::{delete_program, delete_project_for_good};
use planwright_plan::edit::Edit;
use planwright_store::audit::Audited;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::{ApiError, ApiResult, App, NoContent, Routes, WorkspaceScope, says};
use serde_json::json;

use super::{logo, queries};

type Owner = WorkspaceScope<may::OwnWorkspace>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new().delete(
        "/api/v1/workspace/",
        delete,
        says("Delete everything in the workspace except its people. The header X-Confirm-Workspace repeats its name.")
            .session_only()
            .dangerous(),
    )
}

async fn delete(State(app): State<App>, owner: Owner, headers: HeaderMap) -> ApiResult<NoContent> {
    let name = format!("x-{}-confirm-workspace", app.settings.prefix);
    let said = ["x-confirm-workspace", name.as_str()].into_iter().find_map(|name| headers.get(name));
    let said = said.and_then(|value| std::str::from_utf8(value.as_bytes()).ok()).unwrap_or_default();
    let mut edit = Edit::begin(&app, &owner).await?;
    let workspace = queries::lock(&edit).await?;
    if said.trim() != workspace.name {
        let message = "The header X-Confirm-Workspace must repeat the name of the workspace.";
        return Err(ApiError::bad_request(message));
    }
    wipe(&mut edit, &owner).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Projects and programs are marked as deleted for good; what belongs to the workspace alone is removed.
async fn wipe(edit: &mut Edit, owner: &Owner) -> ApiResult<()> {
    let actor = owner.actor.id;
    let projects = live_projects(edit).await?;
    let programs = live_programs(edit).await?;
    for project in &projects {
        delete_project_for_good(edit, actor, *project).await?;
    }
    for program in &programs {
        delete_program(edit, actor, *program).await?;
    }
    empty_tables(edit).await?;
    logo::remove(edit).await?;
    let metadata = json!({ "projects": projects.len(), "programs": programs.len() });
    let (kind, label) = (AuditKind::WorkspaceDeleted, String::new());
    let actor = Some(actor);
    Ok(edit.audit(Audited { kind, actor, target_type: "workspace", target: None, label, metadata }).await?)
}

async fn live_projects(db: &dyn Read) -> Result<Vec<ProjectId>> {
    db.scalars(sql!("SELECT id FROM projects WHERE deletion_id IS NULL ORDER BY id")).await
}

async fn live_programs(db: &dyn Read) -> Result<Vec<ProgramId>> {
    db.scalars(sql!("SELECT id FROM programs WHERE deletion_id IS NULL ORDER BY id")).await
}

/// Groups, the links of groups, and what is in the trash, which nobody may restore any more.
async fn empty_tables(tx: &mut Tx) -> Result<()> {
    tx.run(sql!("DELETE FROM workspace_group_projects")).await?;
    tx.run(sql!("DELETE FROM workspace_group_members")).await?;
    tx.run(sql!("DELETE FROM workspace_groups")).await?;
    let for_good =
        "UPDATE deletions SET entity = 'project_for_good' WHERE entity = 'project' AND restored_at IS NULL";
    tx.run(sql!(for_good)).await.map(drop)
}
