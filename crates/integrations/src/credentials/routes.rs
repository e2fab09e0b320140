//! The routes of credentials. No token manages credentials.

use axum::extract::State;
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiResult, App, Body, Json, NoContent, Path, Routes, says};

use super::model::{CredentialSummary, CredentialUpsertRequest};
use super::providers::{self, Known};
use super::{commands, queries, rules};

const ALL: &str = "/api/v1/me/credentials/";
const ONE: &str = "/api/v1/me/credentials/{provider}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The providers, and whether you have a credential at each.").session_only())
        .get(ONE, show, says("What is known of your credential at a provider.").session_only())
        .post(
            ONE,
            keep,
            says("Keep a credential of yours in place of the one before. It is tried out first, and never shown again.")
                .session_only()
                .returns_secret()
                .limit(Limit::CredentialRotate),
        )
        .delete(ONE, remove, says("Remove your credential at a provider.").session_only())
}

fn named(provider: &str) -> ApiResult<&'static Known> {
    Ok(providers::known(rules::provider(provider)?))
}

async fn list(State(app): State<App>, actor: Actor) -> ApiResult<Json<Vec<CredentialSummary>>> {
    summaries(&app, &actor).await
}

async fn summaries(app: &App, actor: &Actor) -> ApiResult<Json<Vec<CredentialSummary>>> {
    let rows = queries::of_person(&app.db, actor.id).await?;
    let of = |known: &Known| rows.iter().find(|row| row.provider == known.provider);
    Ok(Json(providers::ALL.iter().map(|known| CredentialSummary::of(known, of(known))).collect()))
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(provider): Path<String>,
) -> ApiResult<Json<CredentialSummary>> {
    let known = named(&provider)?;
    let row = queries::at_provider(&app.db, actor.id, known.provider).await?;
    Ok(Json(CredentialSummary::of(known, row.as_ref())))
}

async fn keep(
    State(app): State<App>,
    actor: Actor,
    Path(provider): Path<String>,
    Body(request): Body<CredentialUpsertRequest>,
) -> ApiResult<Json<Vec<CredentialSummary>>> {
    commands::keep(&app, &actor, named(&provider)?, request).await?;
    summaries(&app, &actor).await
}

async fn remove(State(app): State<App>, actor: Actor, Path(provider): Path<String>) -> ApiResult<NoContent> {
    commands::remove(&app, &actor, named(&provider)?).await?;
    Ok(NoContent)
}
