//! What somebody asked for, planned as a whole, then written with its history.
//! The pure part of the validation is in `rules.rs`; this file asks what else has to be there.

use planwright_domain::access::{May, may};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProgramId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_plan::containers::members::program_member;
use planwright_plan::containers::{NewProgram, ProgramFields};
use planwright_plan::schedule;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Result, Tx};
use planwright_web::version::Precondition;
use planwright_web::{Actor, ApiError, ApiResult, Problems, ProgramScope};
use serde_json::{Map, Value as Json};

use super::model::ProgramRow;
use super::requests::{PatchedProgramRequest, ProgramRequest};
use super::{queries, rules};
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

/// Changes a program; returns the fields that others changed since the caller's base and that were kept.
pub async fn change(
    tx: &mut Tx,
    scope: &ProgramScope<may::EditProgram>,
    expected: Precondition,
    request: PatchedProgramRequest,
) -> ApiResult<Vec<String>> {
    let before = found(tx, scope).await?;
    let sent = request.sent();
    let expected = expected.or_base(request.base_version.as_given().copied());
    let mut problems = Problems::default();
    let fields = rules::changed(before.written.clone(), request, &mut problems);
    let after = ProgramRow { written: fields, ..before.clone() };
    check_references(tx, &scope.actor, Some(&before), &after.written, &mut problems).await?;
    problems.check()?;
    let current = rules::as_told(&before);
    let told = rules::as_told(&after).into_iter();
    let wanted: Map<String, Json> = told.filter(|(field, _)| sent.contains(&field.as_str())).collect();
    let (id, version) = (before.id.0, before.server_version);
    let merged = expected.merge(tx, "program", id, version, &wanted, &current).await?;
    write(tx, scope.actor.id, &before, &after).await?;
    Ok(merged)
}

/// Writes a program when it changed, with its history; what takes its calendar from it is computed again.
pub async fn write(tx: &mut Tx, actor: UserId, before: &ProgramRow, after: &ProgramRow) -> Result<bool> {
    if before.written == after.written {
        return Ok(false);
    }
    queries::update(tx, after).await?;
    record(tx, actor, before, after).await?;
    if before.written.calendar_id != after.written.calendar_id {
        schedule::request_inheriting(tx, Some(after.id)).await?;
    }
    Ok(true)
}

/// Notes a change of a program in the history.
pub async fn record(tx: &mut Tx, actor: UserId, before: &ProgramRow, after: &ProgramRow) -> Result<()> {
    let updated = Change {
        program: Some(after.id),
        version: before.server_version + 1,
        ..Change::of("program", after.id, ChangeKind::Updated, actor)
    };
    tx.record(updated.between(before, after)).await
}

/// Tells the people who look at any project of a program; a program has no channel of its own.
pub async fn tell(tx: &mut Tx, program: ProgramId, event: SocketEvent, payload: Json) -> Result<()> {
    for project in queries::projects_of(tx, program).await? {
        tx.emit(Event::Socket(event), Some(project), Some(program), payload.clone()).await?;
    }
    Ok(())
}

/// The live program of a scope, held until the end of the transaction.
pub async fn found<A: May>(tx: &mut Tx, scope: &ProgramScope<A>) -> ApiResult<ProgramRow> {
    queries::some_to_change(tx, vec![scope.program]).await?.pop().ok_or_else(ApiError::not_found)
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
            None => (lead == actor.id, "A new program can only be led by whoever creates it."),
            Some(row) => {
                (program_member(tx, row.id, lead).await?.is_some(), "Must be a member of the program.")
            }
        };
        if !fits {
            problems.say("lead", message);
        }
    }
    Ok(())
}
