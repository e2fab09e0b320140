//! The routes of public links.

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use planwright_domain::Entropy;
use planwright_domain::access::may;
use planwright_plan::containers::inheritance::in_force;
use planwright_plan::edit::{self, Edit};
use planwright_web::limits::Limit;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Body, Created, Item, Json, ProjectScope, Routes, says};

use super::model::{ShareLink, ShareLinkCreateRequest, ShareLinkCreateResponse, ShareLinkRow};
use super::queries;
use super::rules::{self, Maker};
use crate::settings::SharingSettings;

const ALL: &str = "/api/v1/projects/{project_pk}/share-links/";
const REVOKE: &str = "/api/v1/projects/{project_pk}/share-links/{link_id}/revoke/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The public links of a project that nobody has revoked, the newest first."))
        .post(
            ALL,
            create,
            says("Make a public link. Its token is shown only once.")
                .returns_secret()
                .limit(Limit::ShareMint),
        )
        .post(REVOKE, revoke, says("Revoke a public link. A second request changes nothing."))
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ManageShareLinks>,
) -> ApiResult<Json<Vec<ShareLink>>> {
    let rows = queries::of_project(&app.db, scope.project).await?;
    let now = app.clock.now();
    Ok(Json(rows.into_iter().map(|row| ShareLink::of(row, now)).collect()))
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::ShareProject>,
    Body(request): Body<ShareLinkCreateRequest>,
) -> ApiResult<Created<ShareLinkCreateResponse>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let is_shared = in_force(&edit, scope.project).await?.public_sharing;
    if !(is_shared && app.get::<SharingSettings>().is_enabled) {
        return Err(ApiError::forbidden("Public links are not allowed in this project."));
    }
    if queries::count_unrevoked(&edit, scope.project).await? >= rules::MOST_LINKS {
        return Err(ApiError::bad_request("A project may have at most 200 links that are not revoked."));
    }
    let token = URL_SAFE_NO_PAD.encode(Entropy.bytes::<32>());
    let maker = Maker { id: edit.mint(), project: scope.project, person: scope.actor.id, now: edit.now() };
    let row = rules::wanted(request, &token, maker)?;
    edit.create(&row).await?;
    let link = ShareLink::of(queries::seen(&edit, row.id).await?, edit.now());
    edit.commit().await?;
    Ok(Created(ShareLinkCreateResponse { link, share_path: rules::page(row.content_kind, &token), token }))
}

async fn revoke(
    State(app): State<App>,
    item: Item<ShareLinkRow, may::ManageShareLinks>,
) -> ApiResult<Json<ShareLink>> {
    let (mut edit, before) = edit::open(&app, item, Precondition::default()).await?;
    let revoked_at = before.revoked_at.or(Some(edit.now()));
    edit.update(&before, ShareLinkRow { revoked_at, ..before.clone() }).await?;
    let link = ShareLink::of(queries::seen(&edit, before.id).await?, edit.now());
    edit.commit().await?;
    Ok(Json(link))
}
