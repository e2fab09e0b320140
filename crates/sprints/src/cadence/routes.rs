//! `/api/v1/projects/{id}/sprints/generate/`: shows sprints in a row, or plans those that are not there yet.

use axum::extract::State;
use chrono::Days;
use planwright_domain::access::{Action, allows, may};
use planwright_domain::words::CadenceRowStatus;
use planwright_plan::Edit;
use planwright_plan::schedule::calendars::working_days;
use planwright_plan::sprints::velocity::{self, Velocity};
use planwright_plan::sprints::{SprintRow, VelocityGate};
use planwright_plan::tasks::write::queries::reserve_short_ids;
use planwright_plan::tasks::write::short_id;
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Either, Grant, Json, ProjectScope, Routes, says,
};

use super::model::*;
use super::rules;
use crate::sprints::queries;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/projects/{project_pk}/sprints/generate/",
        generate,
        says("Plan several sprints that follow one another on working days, or only show them."),
    )
}

async fn generate(
    State(app): State<App>,
    scope: ProjectScope<may::RunSprints>,
    Body(request): Body<SprintGenerateRequest>,
) -> ApiResult<Either<Created<SprintGenerateResponse>, Json<SprintGenerateResponse>>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let dry_run = request.dry_run.as_given() == Some(&true);
    let first_capacity = first_capacity(&request, &edit.grant)?;
    let mut response = planned(&edit, request, dry_run).await?;
    if dry_run {
        return Ok(Either::That(Json(response)));
    }
    create(&mut edit, &mut response.sprints, first_capacity).await?;
    edit.commit().await?;
    Ok(Either::This(Created(response)))
}

/// The points of the first sprint, which not everybody may set.
fn first_capacity(request: &SprintGenerateRequest, grant: &Grant) -> ApiResult<Option<i64>> {
    let points = request.first_sprint_capacity_points.as_given().copied().flatten().map(i64::from);
    match points.is_some() && !allows(Action::RateSprints, grant.role) {
        true => Err(ApiError::forbidden("The capacity of a sprint is for Resource Managers and above.")),
        false => Ok(points),
    }
}

/// What is asked for, beside what is there.
async fn planned(
    edit: &Edit,
    request: SprintGenerateRequest,
    dry_run: bool,
) -> ApiResult<SprintGenerateResponse> {
    let project = edit.project()?;
    let existing = queries::live(edit, project).await?;
    let last = existing.iter().map(|sprint| sprint.finish_date).max();
    let next = last.and_then(|last| last.checked_add_days(Days::new(1)));
    let wanted = rules::wanted(request, next.unwrap_or_else(|| edit.now().date_naive()))?;
    let sprints = rules::rows(&wanted, &working_days(edit, project).await?, &existing)?;
    let gate = VelocityGate::of(edit, project, edit.grant.actor.id).await?;
    let past = velocity::completed(edit, project, None, velocity::WINDOW).await?;
    let new = sprints.iter().filter(|row| row.status == CadenceRowStatus::New).count();
    Ok(SprintGenerateResponse {
        dry_run,
        created_count: if dry_run { 0 } else { new as i64 },
        skipped_count: (sprints.len() - new) as i64,
        sprints,
        capacity_hint: rules::hint(Velocity::of(&past), gate),
    })
}

/// Plans the sprints that are not there yet.
async fn create(
    edit: &mut Edit,
    rows: &mut [SprintCadenceRow],
    first_capacity: Option<i64>,
) -> ApiResult<()> {
    let (project, by, now) = (edit.project()?, edit.grant.actor.id, edit.now());
    let mut number = reserve_short_ids(edit, project, rows.len()).await?;
    for (at, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.status == CadenceRowStatus::New) {
        number += 1;
        let dates = (row.start_date, row.finish_date);
        let fresh = SprintRow::fresh(edit.mint(), project, short_id(number), dates, by, now);
        let capacity_points = first_capacity.filter(|_| at == 0);
        let sprint = SprintRow { name: row.name.clone(), capacity_points, ..fresh };
        edit.create(&sprint).await?;
        (row.status, row.id) = (CadenceRowStatus::Created, Some(sprint.id));
    }
    Ok(())
}
