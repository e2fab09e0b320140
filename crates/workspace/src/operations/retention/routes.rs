//! `/api/v1/health/retention/`: policies with their schedule and runs, what a policy would delete, and a run by hand.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::words::{AuditKind, PurgeTrigger, RetentionKey, Word};
use planwright_plan::edit::Edit;
use planwright_store::Read;
use planwright_store::audit::Audited;
use planwright_web::{Accepted, ApiError, ApiResult, App, Body, Json, OpenBody, Query, Routes, says};
use serde_json::{Value, json};

use super::model::*;
use super::rules::{self, RetentionDefaults};
use super::{jobs, queries};
use crate::Administrator;

const PATH: &str = "/api/v1/health/retention/";

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get(PATH, show, says("How long rows are kept, when they are deleted, and the last runs."))
        .patch(PATH, update, says("Change how long rows are kept and when they are deleted."))
        .get("/api/v1/health/retention/impact/", impact, says("How many rows a policy would delete now."))
        .post("/api/v1/health/retention/runs/", start, says("Delete old rows now, or only count them."))
}

async fn show(State(app): State<App>, _: Administrator) -> ApiResult<Json<RetentionState>> {
    Ok(Json(state(&app, &app.db).await?))
}

async fn update(
    State(app): State<App>,
    administrator: Administrator,
    Body(request): Body<PatchedRetentionUpdateRequest>,
) -> ApiResult<Json<RetentionState>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    let before = state(&app, &edit).await?;
    let schedule = queries::lock_schedule(&edit).await?;
    for policy in request.policies.given().unwrap_or_default() {
        if policy.key == RetentionKey::Audit && edit.grant.actor.workspace_role != Role::Owner {
            return Err(ApiError::forbidden("Only an Owner may say how long the audit is kept."));
        }
        let (key, value, enabled) = (policy.key, policy.value.into(), policy.enabled);
        queries::keep_policy(&mut edit, &WrittenPolicy { key, value, enabled }).await?;
    }
    if let Some(wanted) = request.schedule.given() {
        queries::keep_schedule(&mut edit, &rules::changed(schedule, wanted)?).await?;
    }
    let after = state(&app, &edit).await?;
    note(&mut edit, AuditKind::RetentionChanged, json!({ "before": told(&before), "after": told(&after) }))
        .await?;
    edit.commit().await?;
    Ok(Json(after))
}

async fn impact(
    State(app): State<App>,
    _: Administrator,
    Query(asked): Query<RetentionImpactQuery>,
) -> ApiResult<Json<RetentionImpact>> {
    let before = rules::cutoff(asked.key, asked.value.into(), app.clock.now());
    let eligible_rows = queries::count_before(&app.db, asked.key, before).await?;
    Ok(Json(RetentionImpact { eligible_rows, eligible_bytes: None }))
}

async fn start(
    State(app): State<App>,
    administrator: Administrator,
    OpenBody(request): OpenBody<PurgeRunRequestRequest>,
) -> ApiResult<Accepted<PurgeRunQueued>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    queries::lock_schedule(&edit).await?;
    if queries::is_running(&edit).await? {
        return Err(ApiError::conflict("A run goes on. Wait until it has ended."));
    }
    let is_dry = request.dry_run.given().unwrap_or(false);
    let trigger = if is_dry { PurgeTrigger::DryRun } else { PurgeTrigger::Manual };
    let run_id = jobs::begin(&mut edit, trigger).await?;
    note(&mut edit, AuditKind::PurgeStarted, json!({ "run": run_id, "trigger": trigger })).await?;
    edit.commit().await?;
    Ok(Accepted(PurgeRunQueued { queued: true, run_id }))
}

/// What the audit tells of a state.
fn told(state: &RetentionState) -> Value {
    let policies = state.policies.iter().map(|policy| {
        (policy.key.as_str().to_owned(), json!({ "value": policy.value, "enabled": policy.enabled }))
    });
    json!({ "policies": policies.collect::<serde_json::Map<_, _>>(), "schedule": state.schedule })
}

async fn note(edit: &mut Edit, kind: AuditKind, metadata: Value) -> ApiResult<()> {
    let actor = Some(edit.grant.actor.id);
    let label = String::new();
    Ok(edit.audit(Audited { kind, actor, target_type: "workspace", target: None, label, metadata }).await?)
}

async fn state(app: &App, db: &dyn Read) -> ApiResult<RetentionState> {
    let written = queries::policies(db).await?;
    let mut policies = Vec::new();
    for key in RetentionKey::ALL {
        let (kind, policy) = (rules::kind(*key), app.get::<RetentionDefaults>().in_force(*key, &written));
        policies.push(RetentionPolicyRead {
            key: *key,
            label: kind.label,
            note: kind.note,
            unit: kind.unit,
            value: policy.value,
            enabled: policy.enabled,
            row_count: queries::count(db, *key).await?,
            bytes: None,
        });
    }
    let schedule = queries::schedule(db).await?;
    Ok(RetentionState {
        policies,
        schedule: RetentionSchedule {
            frequency: schedule.frequency,
            time_of_day_utc: rules::time_of_day(&schedule.time_of_day_utc),
            day_of_week: schedule.day_of_week,
            on_failure: schedule.on_failure,
        },
        runs: queries::runs(db).await?.into_iter().map(PurgeRun::from).collect(),
    })
}
