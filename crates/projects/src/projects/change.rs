//! What somebody asked for, planned as a whole, then written with its history and events.
//! The pure part of the validation is in `rules.rs`; this file asks what else has to be there.

use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_plan::containers::members::project_member;
use planwright_plan::containers::{NewProject, ProjectFields, recalculate_neighbours};
use planwright_plan::schedule;
use planwright_plan::span::Reach;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Result, Tx};
use planwright_web::version::Precondition;
use planwright_web::{Actor, ApiError, ApiResult, Problems, ProjectScope};
use serde_json::{Map, Value as Json, json};

use super::model::ProjectRow;
use super::requests::{PatchedProjectRequest, ProjectRequest};
use super::{queries, rules};
use crate::settings::is_live_calendar;

/// What a new project will be, if everything about the request is right.
pub async fn validated_new(tx: &Tx, actor: &Actor, request: ProjectRequest) -> ApiResult<NewProject> {
    let mut problems = Problems::default();
    let fresh = NewProject::named(request.name.as_str(), request.start_date);
    let model = request.copy_settings_from.as_given().copied().flatten();
    let leave_to_program = request.inherit_program_defaults.as_given() == Some(&true);
    let begun = match model {
        Some(_) if leave_to_program => {
            problems.say("inherit_program_defaults", "Cannot be combined with copy_settings_from.");
            fresh
        }
        Some(model) => match settings_of(tx, actor, model).await? {
            Some(model) => rules::like(&model, fresh),
            None => {
                problems.say("copy_settings_from", "There is no such project.");
                fresh
            }
        },
        None => fresh,
    };
    let fields = rules::with_draft_stamp(rules::changed(begun, request.into(), &mut problems), tx.now());
    if leave_to_program && fields.program_id.is_none() {
        problems.say("inherit_program_defaults", "Only a project of a program can inherit from it.");
    }
    check_references(tx, actor, None, &fields, &mut problems).await?;
    problems.check()?;
    Ok(fields)
}

async fn settings_of(tx: &Tx, actor: &Actor, project: ProjectId) -> ApiResult<Option<ProjectFields>> {
    let role = project_member(tx, project, actor.id).await?;
    let row = queries::find(tx, project).await?;
    Ok(row.filter(|_| role.is_some()).map(|row| row.written))
}

/// Changes a project; returns the fields that others changed since the caller's base and that were kept.
pub async fn change(
    tx: &mut Tx,
    scope: &ProjectScope<may::EditProject>,
    expected: Precondition,
    request: PatchedProjectRequest,
) -> ApiResult<Vec<String>> {
    let before = queries::find_to_change(tx, scope.project).await?.ok_or_else(ApiError::not_found)?;
    let sent = request.sent();
    let expected = expected.or_base(request.base_version.as_given().copied());
    let mut problems = Problems::default();
    for field in ["copy_settings_from", "inherit_program_defaults"] {
        if sent.contains(&field) {
            problems.say(field, "Only possible when a project is created.");
        }
    }
    let fields = rules::changed(before.written.clone(), request, &mut problems);
    let after = ProjectRow { written: rules::with_draft_stamp(fields, tx.now()), ..before.clone() };
    let changed = rules::differing(&before, &after);
    rules::check_rank(scope.role, &changed, &mut problems);
    check_references(tx, &scope.actor, Some(&before), &after.written, &mut problems).await?;
    problems.check()?;
    let current = rules::as_told(&before);
    let told = rules::as_told(&after);
    let wanted: Map<String, Json> =
        told.into_iter().filter(|(field, _)| sent.contains(&field.as_str())).collect();
    let (id, version) = (before.id.0, before.server_version);
    let merged = expected.merge(tx, "project", id, version, &wanted, &current).await?;
    if !changed.is_empty() {
        queries::update(tx, scope, &after).await?;
        tell(tx, scope.actor.id, &before, &after).await?;
    }
    if rules::moves_dates(&changed) {
        let reach = Reach::of(tx, scope.project).await?;
        schedule::request(tx, scope.project).await?;
        reach
            .keep(
                tx,
                if changed.iter().any(|field| field == "start_date") { "start_date" } else { "status_date" },
            )
            .await?;
    }
    if before.written.program_id != after.written.program_id {
        recalculate_neighbours(tx, scope.project).await?;
    }
    Ok(merged)
}

/// Notes a change of a project in the history and tells the people who look at it.
pub async fn tell(tx: &mut Tx, actor: UserId, before: &ProjectRow, after: &ProjectRow) -> Result<()> {
    let (project, program) = (Some(after.id), after.written.program_id);
    let version = before.server_version + 1;
    let updated = Change::of("project", after.id, ChangeKind::Updated, actor);
    tx.record(Change { project, program, version, ..updated }.between(before, after)).await?;
    let told = json!({ "id": after.id });
    tx.emit(Event::Socket(SocketEvent::ProjectUpdated), project, program, told).await
}

/// Notes what a project refers to that is not there or not for the caller to refer to; what did not change is not asked again.
async fn check_references(
    tx: &Tx,
    actor: &Actor,
    before: Option<&ProjectRow>,
    after: &ProjectFields,
    problems: &mut Problems,
) -> ApiResult<()> {
    let known = before.map(|row| &row.written);
    let calendar = after.calendar_id.filter(|id| known.is_none_or(|known| known.calendar_id != Some(*id)));
    if let Some(calendar) = calendar
        && !is_live_calendar(tx, calendar).await?
    {
        problems.say("calendar", "There is no such calendar.");
    }
    let left = known.and_then(|known| known.program_id);
    if left != after.program_id && !manages_all(tx, actor, [left, after.program_id]).await? {
        problems.say("program", "It must be an open program that you manage, and so must the one it leaves.");
    }
    let lead = after.lead_id.filter(|id| known.is_none_or(|known| known.lead_id != Some(*id)));
    if let Some(lead) = lead {
        let (fits, message) = match before {
            None => (lead == actor.id, "A new project can only be led by whoever creates it."),
            Some(row) => {
                (project_member(tx, row.id, lead).await?.is_some(), "Must be a member of the project.")
            }
        };
        if !fits {
            problems.say("lead", message);
        }
    }
    Ok(())
}

async fn manages_all(tx: &Tx, actor: &Actor, programs: [Option<ProgramId>; 2]) -> ApiResult<bool> {
    for program in programs.into_iter().flatten() {
        let role = queries::open_program_role(tx, program, actor.id).await?;
        if role.is_none_or(|role| role < Role::ProjectManager) {
            return Ok(false);
        }
    }
    Ok(true)
}
