//! What somebody asked for: validated as a whole, then written with its history.
//! The pure part of the validation is in `rules.rs`; this file asks what else has to be there.

use planwright_plan::containers::members::member_of;
use planwright_plan::containers::{NewProgram, ProgramFields, ProgramRow};
use planwright_plan::edit::{Edit, Written};
use planwright_plan::schedule;
use planwright_store::Tx;
use planwright_web::{Actor, ApiResult, Problems};

use super::requests::{PatchedProgramRequest, ProgramRequest};
use super::rules;
use crate::settings::is_live_calendar;

/// What a new program will be, if everything about the request is right.
pub async fn validated_new(tx: &Tx, actor: &Actor, request: ProgramRequest) -> ApiResult<NewProgram> {
    let mut problems = Problems::default();
    let fresh = NewProgram::named(request.name.as_str());
    let fields = rules::changed(fresh, request.into(), &mut problems);
    check_references(tx, actor, None, &fields, &mut problems).await?;
    problems.check()?;
    Ok(fields)
}

/// Changes a program as somebody asked for.
pub async fn change(
    edit: &mut Edit,
    before: &ProgramRow,
    request: PatchedProgramRequest,
) -> ApiResult<Written<ProgramRow>> {
    let mut problems = Problems::default();
    let fields = rules::changed(before.written.clone(), request, &mut problems);
    check_references(edit, &edit.grant.actor, Some(before), &fields, &mut problems).await?;
    problems.check()?;
    write(edit, before, fields).await
}

/// Writes a program when it changed; what takes its calendar from it is computed again.
pub async fn write(
    edit: &mut Edit,
    before: &ProgramRow,
    written: ProgramFields,
) -> ApiResult<Written<ProgramRow>> {
    let calendar = written.calendar_id;
    let after = ProgramRow { written, updated_at: edit.now(), ..before.clone() };
    let written = edit.update(before, after).await?;
    if before.written.calendar_id != calendar {
        schedule::request_inheriting(edit, Some(before.id)).await?;
    }
    Ok(written)
}

/// Notes what a program refers to that is not there; what did not change is not asked again.
async fn check_references(
    tx: &Tx,
    actor: &Actor,
    before: Option<&ProgramRow>,
    after: &ProgramFields,
    problems: &mut Problems,
) -> ApiResult<()> {
    let known = before.map(|row| &row.written);
    let calendar = after.calendar_id.filter(|id| known.is_none_or(|known| known.calendar_id != Some(*id)));
    if let Some(calendar) = calendar
        && !is_live_calendar(tx, calendar).await?
    {
        problems.say("calendar", "There is no such calendar.");
    }
    let lead = after.lead_id.filter(|id| known.is_none_or(|known| known.lead_id != Some(*id)));
    if let Some(lead) = lead {
        let (fits, message) = match before {
            None => (lead == actor.id, "The lead of a new program can only be the person who creates it."),
            Some(row) => (member_of(tx, row.id, lead).await?.is_some(), "Must be a member of the program."),
        };
        if !fits {
            problems.say("lead", message);
        }
    }
    Ok(())
}
