//! Probes for machines: is the process alive, may it get traffic, which edition is it.
//! They are never limited and need no sign-in; the deep health page is in the workspace area.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use planwright_store::migrate::{self, MigrationState};
use planwright_store::sql;
use planwright_web::reply::Raw;
use planwright_web::{App, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// How the process booted, which `readyz` needs to judge a database that is ahead.
#[derive(Clone, Copy, Debug)]
pub struct Boot {
    /// The state of the migrations when the process started.
    pub migrations: MigrationState,
    /// `SVC_READYZ_ALLOW_DB_AHEAD`.
    pub allow_ahead: bool,
    /// `SVC_READYZ_ALLOW_NO_CACHE`.
    pub allow_no_cache: bool,
}

/// The process is alive.
#[derive(Serialize, JsonSchema)]
struct HealthResponse {
    /// Always `ok`.
    status: String,
}

/// Whether the process is ready for requests.
#[derive(Serialize, JsonSchema)]
struct ReadyzResponse {
    /// `ok` or `fail`.
    status: String,
    /// The result of each check.
    checks: BTreeMap<String, String>,
    /// Whether the database and the binary know the same migrations.
    migration_state: MigrationState,
}

/// The edition and the version of the program.
#[derive(Serialize, JsonSchema)]
struct EditionResponse {
    /// The edition.
    edition: String,
    /// The version.
    version: String,
    /// The commit it was built from.
    build_sha: String,
}

/// The routes of this file.
pub fn routes() -> Routes {
    Routes::new()
        .get("/api/v1/health/", health, says("Whether the process is alive.").public().unlimited())
        .get(
            "/api/v1/readyz",
            readyz,
            says("Whether the process is ready for requests.").public().unlimited(),
        )
        .get(
            "/api/v1/edition/",
            edition,
            says("The edition and the version of the program.").public().unlimited(),
        )
}

async fn health() -> Json<HealthResponse> {
    Json(HealthResponse { status: "ok".into() })
}

async fn edition(State(app): State<App>) -> Json<EditionResponse> {
    let settings = &app.settings;
    Json(EditionResponse {
        edition: settings.edition.clone(),
        version: settings.version.clone(),
        build_sha: settings.build_sha.clone(),
    })
}

async fn readyz(State(app): State<App>) -> Raw<ReadyzResponse> {
    let boot = *app.get::<Boot>();
    let database = app.db.count(sql!("SELECT 1")).await;
    let migration_state = migrate::state(&app.db).await;
    let migrated = match migration_state {
        MigrationState::InSync => true,
        MigrationState::Ahead => boot.allow_ahead || boot.migrations != MigrationState::Ahead,
        MigrationState::Behind | MigrationState::Unknown => false,
    };
    let verdict = |good: bool| (if good { "ok" } else { "fail" }).to_owned();
    let cache = app.limiter.is_reachable().await.unwrap_or(true);
    let ready = database.is_ok() && migrated && (cache || boot.allow_no_cache);
    let checks = BTreeMap::from([
        ("cache".to_owned(), verdict(cache)),
        ("database".to_owned(), verdict(database.is_ok())),
        ("migrations".to_owned(), verdict(migrated)),
    ]);
    let answer = ReadyzResponse { status: verdict(ready), checks, migration_state };
    Raw::new(with_status(ready, Json(answer)))
}

/// 200, or 503 when something is not as it should be.
fn with_status(good: bool, body: impl IntoResponse) -> Response {
    let status = if good { http::StatusCode::OK } else { http::StatusCode::SERVICE_UNAVAILABLE };
    (status, body).into_response()
}
