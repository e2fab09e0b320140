//! `/api/v1/projects/{id}/archive/`, `unarchive/` and `transfer/`: what an Owner does to a project as a whole.
//! Deleting is in `routes.rs`, bringing back in `trash.rs`.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_plan::containers::ProjectRow;
use planwright_plan::edit::{self, Edit};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiResult, App, IgnoredBody, Item, OpenBody, ProjectScope, Routes, says};
use serde_json::json;

use super::model::Project;
use super::present;
use super::requests::TransferRequest;
use crate::members;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/projects/{id}/archive/", archive, says("Archive a project."))
        .post("/api/v1/projects/{id}/unarchive/", unarchive, says("Make an archived project active again."))
        .post(
            "/api/v1/projects/{id}/transfer/",
            transfer,
            says("Make another member the Owner of a project."),
        )
}

type Owned = Item<ProjectRow, may::OwnProject>;

async fn archive(State(app): State<App>, item: Owned, _: IgnoredBody) -> ApiResult<Versioned<Project>> {
    freeze(app, item, true).await
}

async fn unarchive(State(app): State<App>, item: Owned, _: IgnoredBody) -> ApiResult<Versioned<Project>> {
    freeze(app, item, false).await
}

/// Doing it twice changes nothing the second time.
async fn freeze(app: App, item: Owned, archived: bool) -> ApiResult<Versioned<Project>> {
    let (mut edit, before) = edit::open(&app, item, Precondition::default()).await?;
    let (now, id) = (edit.now(), before.id);
    if before.archived_at.is_some() != archived {
        let archived_by = archived.then_some(edit.grant.actor.id);
        let archived_at = archived.then_some(now);
        let after = ProjectRow { archived_at, archived_by, updated_at: now, ..before.clone() };
        edit.update(&before, after).await?;
        let event = if archived { SocketEvent::ProjectArchived } else { SocketEvent::ProjectUnarchived };
        edit.announce(event, json!({ "id": id })).await?;
    }
    let row = present::one(&edit, &app.clock, &edit.grant.actor, id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(row.server_version, row))
}

async fn transfer(
    State(app): State<App>,
    scope: ProjectScope<may::OwnProject>,
    OpenBody(request): OpenBody<TransferRequest>,
) -> ApiResult<Versioned<Project>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    members::hand_over(&mut edit, scope.project, request.new_owner_user_id).await?;
    let told = json!({ "id": scope.project, "new_owner_id": request.new_owner_user_id });
    edit.announce(SocketEvent::ProjectTransferred, told).await?;
    let row = present::one(&edit, &app.clock, &edit.grant.actor, scope.project).await?;
    edit.commit().await?;
    Ok(Versioned::computed(row.server_version, row))
}
