//! `…/api-tokens/` of projects and programs: list, mint, show, revoke. Projects and programs share every handler.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::TokenId;
use planwright_store::page::Key;
use planwright_web::actor::ClientAddress;
use planwright_web::limits::Limit;
use planwright_web::paging::Orderings;
use planwright_web::{
    ApiError, ApiResult, App, Body, ContainerScope, Created, Json, NoContent, Page, Paging, Path, Routes,
    says,
};

use super::commands::{self, Manager, Revoker};
use super::model::{ContainerTokenRow, MintedProjectApiToken, ProjectApiToken, ProjectApiTokenRequest};
use super::queries;

const OF_PROJECT: [&str; 2] =
    ["/api/v1/projects/{project_pk}/api-tokens/", "/api/v1/projects/{project_pk}/api-tokens/{id}/"];
const OF_PROGRAM: [&str; 2] =
    ["/api/v1/programs/{program_pk}/api-tokens/", "/api/v1/programs/{program_pk}/api-tokens/{id}/"];

const ORDERINGS: Orderings = &[("name", "t.name"), ("created_at", "t.created_at")];

type Reader = ContainerScope<may::ReadContainer>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    let of = |routes: Routes, [all, one]: [&'static str; 2], list_says: &'static str| {
        routes
            .get(all, list, says(list_says).session_only().orderings(ORDERINGS))
            .post(
                all,
                mint,
                says("Create a token for machines. It is shown only once.")
                    .session_only()
                    .dangerous()
                    .returns_secret()
                    .limit(Limit::TokenIssuance),
            )
            .get(one, show, says("Get one token.").session_only())
            .delete(
                one,
                revoke,
                says("Revoke a token. A second request changes nothing.")
                    .session_only()
                    .limit(Limit::TokenRevocation),
            )
    };
    let routes = of(Routes::new(), OF_PROJECT, "List the tokens of a project, newest first.");
    of(routes, OF_PROGRAM, "List the tokens of a program, newest first.")
}

async fn list(State(app): State<App>, scope: Reader, paging: Paging) -> ApiResult<Page<ProjectApiToken>> {
    let keys = paging.keys(ORDERINGS, &[Key::descending("t.created_at")], "t.id")?;
    let from = queries::of_place(&app.db, scope.container, paging.search.as_deref());
    let now = app.clock.now();
    let show = |row: ContainerTokenRow| ProjectApiToken::of(row, now);
    paging.fetch::<ContainerTokenRow, _>(&app.db, queries::COLUMNS, from, "t.id", &keys, show).await
}

async fn mint(
    State(app): State<App>,
    scope: Manager,
    from: ClientAddress,
    Body(request): Body<ProjectApiTokenRequest>,
) -> ApiResult<Created<MintedProjectApiToken>> {
    commands::mint(&app, scope, from, request).await.map(Created)
}

async fn show(
    State(app): State<App>,
    scope: Reader,
    Path(id): Path<TokenId>,
) -> ApiResult<Json<ProjectApiToken>> {
    let row = queries::find(&app.db, scope.container, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(ProjectApiToken::of(row, app.clock.now())))
}

async fn revoke(
    State(app): State<App>,
    scope: Revoker,
    from: ClientAddress,
    Path(id): Path<TokenId>,
) -> ApiResult<NoContent> {
    commands::revoke(&app, scope, from, id).await?;
    Ok(NoContent)
}
