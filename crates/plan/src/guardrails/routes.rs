//! `/api/v1/projects/{project_pk}/guardrail-policy/`: read it, change some of it.
//! Only the owner of a project lets a guardrail block.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, Body, ProjectScope, Routes, says};
use serde_json::json;

use super::model::{PatchedProjectGuardrailPolicyRequest, Policy, ProjectGuardrailPolicy};
use super::{queries, rules};
use crate::edit::Edit;

const ONE: &str = "/api/v1/projects/{project_pk}/guardrail-policy/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(ONE, show, says("The guardrail levels of a project.")).patch(
        ONE,
        update,
        says("Change how strictly the sprints of a project are guarded."),
    )
}

fn shown(policy: Policy) -> Versioned<ProjectGuardrailPolicy> {
    Versioned::new(policy.server_version, policy.into())
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Versioned<ProjectGuardrailPolicy>> {
    Ok(shown(queries::policy(&app.db, scope.project).await?))
}

async fn update(
    State(app): State<App>,
    scope: ProjectScope<may::EditGuardrails>,
    expected: Precondition,
    Body(request): Body<PatchedProjectGuardrailPolicyRequest>,
) -> ApiResult<Versioned<ProjectGuardrailPolicy>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let (grant, id) = (edit.grant.clone(), scope.project);
    let before = queries::policy(&edit, id).await?;
    expected.check(before.server_version)?;
    let mut after = rules::changed(before.clone(), request)?;
    if rules::blocks_more(&before, &after) && grant.role < Role::Owner {
        return Err(ApiError::forbidden("Only the Owner of the project may set a guardrail to block."));
    }
    let told =
        |policy: &Policy| json!({ "levels": policy.levels, "acknowledged": policy.acknowledged_by_team });
    let (project, program) = (Some(id), grant.place.program);
    let change = Change::of("guardrail_policy", id, ChangeKind::Updated, grant.actor.id);
    let change = Change { project, program, ..change }.between(&told(&before), &told(&after));
    if !change.fields.is_empty() {
        after.server_version += 1;
        let number = edit.change_number().await?;
        queries::write(&mut edit, id, &after, number).await?;
        edit.record(Change { version: after.server_version, ..change }).await?;
        edit.commit().await?;
    }
    Ok(shown(after))
}
