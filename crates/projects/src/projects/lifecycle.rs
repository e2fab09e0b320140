//! `/api/v1/projects/{id}/archive/`, `unarchive/` and `transfer/`: what an Owner does to a project as a whole.
//! Deleting is in `routes.rs`, bringing back in `trash.rs`.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::words::ChangeKind;
use planwright_plan::containers::hold_project;
use planwright_plan::containers::members::{project_member, set_project_role};
use planwright_store::Tx;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_web::version::Versioned;
use planwright_web::{ApiError, ApiResult, App, IgnoredBody, OpenBody, ProjectScope, Routes, says};
use serde_json::json;

use super::model::{Project, ProjectRow};
use super::requests::TransferRequest;
use super::{present, queries};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/projects/{id}/archive/", archive, says("Freeze a project."))
        .post("/api/v1/projects/{id}/unarchive/", unarchive, says("Let a frozen project be changed again."))
        .post("/api/v1/projects/{id}/transfer/", transfer, says("Hand a project over to another member."))
}

async fn archive(
    State(app): State<App>,
    scope: ProjectScope<may::OwnProject>,
    _: IgnoredBody,
) -> ApiResult<Versioned<Project>> {
    freeze(app, scope, true).await
}

async fn unarchive(
    State(app): State<App>,
    scope: ProjectScope<may::OwnProject>,
    _: IgnoredBody,
) -> ApiResult<Versioned<Project>> {
    freeze(app, scope, false).await
}

/// Doing it twice changes nothing the second time.
async fn freeze(
    app: App,
    scope: ProjectScope<may::OwnProject>,
    frozen: bool,
) -> ApiResult<Versioned<Project>> {
    let mut tx = app.db.begin().await?;
    let before = queries::find_to_change(&mut tx, scope.project).await?.ok_or_else(ApiError::not_found)?;
    if before.archived_at.is_some() != frozen {
        let stamp = frozen.then(|| (tx.now(), scope.actor.id));
        queries::set_archived(&mut tx, &scope, stamp).await?;
        let after = ProjectRow {
            archived_at: stamp.map(|(at, _)| at),
            archived_by: stamp.map(|(_, person)| person),
            ..before.clone()
        };
        tell(&mut tx, &scope, &before, &after).await?;
    }
    let row = present::one(&tx, &app.clock, &scope.actor, scope.project).await?;
    tx.commit().await?;
    Ok(Versioned::new(row.server_version, row))
}

async fn tell(
    tx: &mut Tx,
    scope: &ProjectScope<may::OwnProject>,
    before: &ProjectRow,
    after: &ProjectRow,
) -> ApiResult<()> {
    let (project, program) = (Some(scope.project), scope.program);
    let version = before.server_version + 1;
    let updated = Change::of("project", scope.project, ChangeKind::Updated, scope.actor.id);
    tx.record(Change { project, program, version, ..updated }.between(before, after)).await?;
    let event = match after.archived_at {
        Some(_) => SocketEvent::ProjectArchived,
        None => SocketEvent::ProjectUnarchived,
    };
    tx.emit(Event::Socket(event), project, program, json!({ "id": scope.project })).await?;
    Ok(())
}

async fn transfer(
    State(app): State<App>,
    scope: ProjectScope<may::OwnProject>,
    OpenBody(request): OpenBody<TransferRequest>,
) -> ApiResult<Versioned<Project>> {
    let mut tx = app.db.begin().await?;
    let scope = hold_project(&mut tx, &scope).await?;
    hand_over(&mut tx, &scope, request).await?;
    let row = present::one(&tx, &app.clock, &scope.actor, scope.project).await?;
    tx.commit().await?;
    Ok(Versioned::new(row.server_version, row))
}

async fn hand_over(
    tx: &mut Tx,
    scope: &ProjectScope<may::OwnProject>,
    request: TransferRequest,
) -> ApiResult<()> {
    let actor = scope.actor.id;
    let heir = request.new_owner_user_id;
    let old = project_member(tx, scope.project, actor).await?.ok_or_else(ApiError::not_found)?;
    let new = project_member(tx, scope.project, heir).await?;
    let new = new.filter(|member| member.user_id != actor).ok_or_else(|| {
        ApiError::invalid_field("new_owner_user_id", "Must be another member of the project.")
    })?;
    if !crate::people::is_active(tx, heir).await? {
        return Err(ApiError::invalid_field("new_owner_user_id", "This person can no longer sign in."));
    }
    // In this order, since a project has one Owner at every moment.
    set_project_role(tx, actor, &old, Role::ProjectManager).await?;
    set_project_role(tx, actor, &new, Role::Owner).await?;
    let told = json!({ "id": scope.project, "new_owner_id": heir });
    tx.emit(Event::Socket(SocketEvent::ProjectTransferred), Some(scope.project), scope.program, told).await?;
    Ok(())
}
