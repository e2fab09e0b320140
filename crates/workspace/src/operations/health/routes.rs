//! `/api/v1/health/system/`, which also answers at `/health/system/`, and `/api/v1/health/beat/`.
//! A reading that cannot be taken is missing from the page instead of failing it.

use axum::extract::State;
use chrono::Duration;
use planwright_jobs::heartbeat;
use planwright_store::{Read, Result, migrate};
use planwright_web::reply::HealthReport;
use planwright_web::{ApiResult, App, Routes, says};

use super::model::{BeatHealthResponse, Readings, SystemHealthResponse};
use super::{queries, rules};
use crate::Administrator;
use crate::mail::Mailer;
use crate::operations::OperatorSettings;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/health/system/", system, says("The state of the parts of the program."))
        .get("/health/system/", system, says("The state of the parts of the program."))
        .get("/api/v1/health/beat/", beat, says("Whether a worker is alive."))
}

async fn system(State(app): State<App>, _: Administrator) -> HealthReport<SystemHealthResponse> {
    let page = rules::validate(&take_readings(&app).await, stale_after(&app));
    HealthReport { well: rules::is_well(&page), body: page }
}

async fn beat(State(app): State<App>, _: Administrator) -> ApiResult<HealthReport<BeatHealthResponse>> {
    let last = heartbeat::newest(&app.db).await?;
    let beat = rules::beat(last, app.clock.now(), stale_after(&app));
    Ok(HealthReport { well: !beat.stale, body: beat })
}

fn stale_after(app: &App) -> Duration {
    Duration::seconds(app.get::<OperatorSettings>().beat_stale_seconds)
}

async fn take_readings(app: &App) -> Readings {
    let (db, now) = (&app.db, app.clock.now());
    let alive_since = now - stale_after(app);
    Readings {
        now,
        engine: db.engine().name(),
        database_bytes: reading("database", queries::database_bytes(db).await),
        migrations: migrate::state(db).await,
        last_heartbeat: reading("heartbeat", heartbeat::newest(db).await).flatten(),
        workers: reading("workers", heartbeat::alive_since(db, alive_since).await),
        queue: reading("queue", queries::queue(db, now).await),
        outbox: reading("outbox", queries::outbox(db).await),
        schedules: reading("schedules", queries::schedules(db).await).unwrap_or_default(),
        dead: reading("dead letters", queries::dead(db).await),
        mail: app.get::<Mailer>().kind(),
        version: app.settings.version.clone(),
        edition: app.settings.edition.clone(),
        rate_limiting_enabled: !app.rates.off,
    }
}

/// The caller sees that a reading is missing; why goes to the log.
fn reading<T>(what: &str, taken: Result<T>) -> Option<T> {
    match taken {
        Ok(value) => Some(value),
        Err(error) => {
            tracing::error!(what, %error, "a health value could not be read");
            None
        }
    }
}
