//! The routes of providers. Reading them needs the same rank as changing them.

use axum::extract::State;
use planwright_domain::ids::SsoProviderId;
use planwright_web::limits::Limit;
use planwright_web::origin::ServerOrigin;
use planwright_web::version::Versioned;
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, IgnoredBody, Json, NoContent, Path, Query, Routes, says,
};

use super::super::ProviderMemory;
use super::commands::{self, Administrator, redirect_uri};
use super::model::*;
use super::queries;

const ALL: &str = "/api/v1/workspace/sso/providers/";
const ONE: &str = "/api/v1/workspace/sso/providers/{slug}/";

/// The routes of this file.
pub(super) fn table() -> Routes {
    // A provider is a way to become somebody, so no token keeps one.
    let write = |what| says(what).session_only().dangerous();
    Routes::new()
        .get(ALL, list, says("List the providers that people may sign in with."))
        .post(ALL, create, write("Add a provider."))
        .get(ONE, show, says("Get one provider."))
        .put(ONE, update, write("Change some fields of a provider."))
        .delete(ONE, delete, write("Delete a provider. Its people sign in another way from then on."))
        .post(
            "/api/v1/workspace/sso/providers/{slug}/test-connection/",
            test_connection,
            says("Ask a provider what it is, without signing anybody in.").limit(Limit::SsoTestConnection),
        )
}

async fn list(
    State(app): State<App>,
    _: Administrator,
    origin: ServerOrigin,
) -> ApiResult<Json<Vec<SsoProviderRead>>> {
    let rows = queries::all(&app.db).await?;
    let ids: Vec<SsoProviderId> = rows.iter().map(|row| row.id).collect();
    let counts = queries::linked(&app.db, &ids).await?;
    let back = redirect_uri(&origin);
    let shown = |row: SsoProviderRow| {
        let counts = counts.get(&row.id).copied().unwrap_or_default();
        commands::shown(row, counts, &back)
    };
    Ok(Json(rows.into_iter().map(shown).collect::<ApiResult<_>>()?))
}

async fn create(
    State(app): State<App>,
    administrator: Administrator,
    origin: ServerOrigin,
    Body(request): Body<SsoProviderWriteRequest>,
) -> ApiResult<Created<SsoProviderRead>> {
    let back = redirect_uri(&origin);
    let added = commands::add(&app, &administrator, request, &back).await?;
    app.get::<ProviderMemory>().forget();
    Ok(Created(added))
}

async fn show(
    State(app): State<App>,
    _: Administrator,
    Path(slug): Path<String>,
    origin: ServerOrigin,
) -> ApiResult<Versioned<SsoProviderRead>> {
    let row = queries::by_slug(&app.db, &slug).await?.ok_or_else(ApiError::not_found)?;
    let counts = commands::counts(&app.db, row.id).await?;
    let back = redirect_uri(&origin);
    Ok(Versioned::computed(row.server_version, commands::shown(row, counts, &back)?))
}

async fn update(
    State(app): State<App>,
    administrator: Administrator,
    Path(slug): Path<String>,
    origin: ServerOrigin,
    Body(request): Body<SsoProviderWriteRequest>,
) -> ApiResult<Versioned<SsoProviderRead>> {
    let back = redirect_uri(&origin);
    let changed = commands::change(&app, &administrator, &slug, request, &back).await?;
    app.get::<ProviderMemory>().forget();
    Ok(changed)
}

async fn delete(
    State(app): State<App>,
    administrator: Administrator,
    Path(slug): Path<String>,
    Query(query): Query<RemovalQuery>,
) -> ApiResult<NoContent> {
    let is_confirmed = query.confirm_lockout.given().unwrap_or_default();
    commands::remove(&app, &administrator, &slug, is_confirmed).await?;
    app.get::<ProviderMemory>().forget();
    Ok(NoContent)
}

async fn test_connection(
    State(app): State<App>,
    _: Administrator,
    Path(slug): Path<String>,
    _: IgnoredBody,
) -> ApiResult<Json<SsoTestConnectionResponse>> {
    let row = queries::by_slug(&app.db, &slug).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(commands::try_out(&app, &row).await?))
}
