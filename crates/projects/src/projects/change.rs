//! What somebody asked for: validated as a whole, then written with its history and events.
//! The pure part of the validation is in `rules.rs`; this file asks what else has to be there.

use planwright_domain::Role;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_plan::containers::members::member_of;
use planwright_plan::containers::{NewProject, ProjectFields, ProjectRow};
use planwright_plan::deletion::recalculate_neighbours;
use planwright_plan::edit::{Edit, Written};
use planwright_plan::schedule;
use planwright_plan::span::Reach;
use planwright_store::Tx;
use planwright_web::{Actor, ApiResult, Problems, Resource};
use serde_json::json;

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
    let member = member_of(tx, project, actor.id).await?;
    let row = ProjectRow::find(tx, project.0).await?;
    Ok(row.filter(|_| member.is_some()).map(|row| row.written))
}

/// Changes a project as somebody asked for, and brings up to date what follows from it.
pub async fn change(
    edit: &mut Edit,
    before: &ProjectRow,
    request: PatchedProjectRequest,
) -> ApiResult<Written<ProjectRow>> {
    let mut problems = Problems::default();
    for field in ["copy_settings_from", "inherit_program_defaults"] {
        if request.sent().contains(&field) {
            problems.say(field, "Only possible when a project is created.");
        }
    }
    let fields = rules::changed(before.written.clone(), request, &mut problems);
    rules::keep_lifecycle(&before.written, &fields, &mut problems);
    let fields = rules::with_draft_stamp(fields, edit.now());
    let after = ProjectRow { written: fields, ..before.clone() };
    let changed = rules::differing(before, &after);
    rules::check_rank(edit.grant.role, &changed, &mut problems);
    check_references(edit, &edit.grant.actor, Some(before), &after.written, &mut problems).await?;
    problems.check()?;
    let written = write(edit, before, after).await?;
    if rules::moves_dates(&changed) {
        reschedule(edit, before.id, changed.iter().any(|field| field == "start_date")).await?;
    }
    if before.written.program_id != written.row.written.program_id {
        recalculate_neighbours(edit, before.id).await?;
    }
    Ok(written)
}

/// Writes a project when it changed, and tells the people who look at it.
pub async fn write(
    edit: &mut Edit,
    before: &ProjectRow,
    after: ProjectRow,
) -> ApiResult<Written<ProjectRow>> {
    let after = ProjectRow { updated_at: edit.now(), ..after };
    let written = edit.update(before, after).await?;
    if written.is_changed {
        edit.announce(SocketEvent::ProjectUpdated, json!({ "id": before.id })).await?;
    }
    Ok(written)
}

/// Brings the dates up to date, which have to stay within the years there are.
async fn reschedule(edit: &mut Edit, project: ProjectId, by_start: bool) -> ApiResult<()> {
    let reach = Reach::of(edit, project).await?;
    schedule::request(edit, project).await?;
    reach.keep(edit, if by_start { "start_date" } else { "status_date" }).await
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
        problems.say("program", "You must manage both the new and the old program, and both must be open.");
    }
    let lead = after.lead_id.filter(|id| known.is_none_or(|known| known.lead_id != Some(*id)));
    if let Some(lead) = lead {
        let (fits, message) = match before {
            None => (lead == actor.id, "The lead of a new project can only be the person who creates it."),
            Some(row) => (member_of(tx, row.id, lead).await?.is_some(), "Must be a member of the project."),
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
