//! What routes do with retrospectives: begin one, write it, replace its action items, add one.
//! Whoever calls them has locked the sprint, so that a sprint gets one retrospective.

use std::collections::HashSet;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{RetroActionId, UserId};
use planwright_domain::words::RetroVisibility;
use planwright_plan::Edit;
use planwright_plan::people::members_among;
use planwright_plan::sprints::SprintRow;
use planwright_store::record::Tracked;
use planwright_web::{ApiError, ApiResult};
use serde_json::{Map, json};

use super::model::{ActionRow, MOST_ACTIONS, RetroActionItemRequest, RetroRequest, RetroRow};
use super::{queries, rules};

/// The retrospective of a sprint; one without an author is begun when there is none.
pub async fn begun(edit: &mut Edit, sprint: &SprintRow) -> ApiResult<RetroRow> {
    if let Some(row) = queries::of_sprint(edit, sprint.id).await? {
        return Ok(row);
    }
    let now = edit.now();
    let row = RetroRow {
        id: edit.mint(),
        project_id: sprint.project_id,
        sprint_id: sprint.id,
        notes: String::new(),
        team_visibility: RetroVisibility::TeamOnly,
        created_by: None,
        created_at: now,
        updated_at: now,
        server_version: 1,
    };
    edit.create(&row).await?;
    Ok(row)
}

/// Writes the retrospective of a sprint; the first who does so is its author.
///
/// # Errors
/// 400 for action items that do not fit, 403 for a visibility that is not for the caller to choose.
pub async fn write(edit: &mut Edit, sprint: &SprintRow, request: RetroRequest) -> ApiResult<RetroRow> {
    let before = begun(edit, sprint).await?;
    let (me, role) = (edit.grant.actor.id, edit.grant.role);
    let mut after = before.clone();
    let mut noted = Map::new();
    if before.created_by.is_none() {
        after.created_by = Some(me);
        noted.insert("created_by".to_owned(), json!([null, me]));
    }
    request.notes.write_to(&mut after.notes);
    request.team_visibility.write_to(&mut after.team_visibility);
    if after.team_visibility != before.team_visibility {
        rules::may_open(&after, me, role)?;
    }
    if let Some(wanted) = request.action_items.as_given() {
        let counts = replace(edit, &before, &wanted.0).await?;
        noted.insert("action_items".to_owned(), json!(counts));
    }
    after.updated_at = edit.now();
    Ok(edit.update_noting(&before, after, noted).await?.row)
}

/// Tells that a retrospective has changed.
pub async fn tell(edit: &mut Edit, retro: &RetroRow) -> ApiResult<()> {
    Ok(edit.announce(SocketEvent::SprintRetroUpdated, retro.payload()).await?)
}

/// Replaces the action items of a retrospective, of which those that are named again keep their tasks. Gives how many there
/// were and how many there are.
async fn replace(
    edit: &mut Edit,
    retro: &RetroRow,
    wanted: &[RetroActionItemRequest],
) -> ApiResult<[usize; 2]> {
    let known = locked_actions(edit, retro).await?;
    let people: Vec<UserId> =
        wanted.iter().filter_map(|item| item.assignee.as_given().copied().flatten()).collect();
    if !people.is_empty() {
        let members = members_among(edit, retro.project_id, people).await?;
        // Whoever left the project may keep what they had.
        let kept = known.iter().filter_map(|row| row.assignee_id);
        let allowed: HashSet<UserId> = members.into_iter().chain(kept).collect();
        rules::are_members(wanted, &allowed)?;
    }
    let counts = [known.len(), wanted.len()];
    let replacement = rules::replacement(known, wanted)?;
    for row in &replacement.gone {
        edit.delete(row).await?;
    }
    for (before, after) in replacement.kept {
        edit.update(&before, after).await?;
    }
    for place in replacement.new {
        let row = rules::written(fresh(edit, retro), &wanted[place], place);
        edit.create(&row).await?;
    }
    Ok(counts)
}

/// The action items of a retrospective as they stand once they are locked, since a promotion locks only the item itself.
async fn locked_actions(edit: &mut Edit, retro: &RetroRow) -> ApiResult<Vec<ActionRow>> {
    let seen = queries::actions(edit, retro.id).await?;
    edit.lock_rows("retro_actions", seen.iter().map(|row| row.action.id.0)).await?;
    Ok(queries::actions(edit, retro.id).await?.into_iter().map(|row| row.action).collect())
}

/// Adds an action item behind the others.
///
/// # Errors
/// 400 when there are too many.
pub async fn add(edit: &mut Edit, retro: &RetroRow, text: &str) -> ApiResult<RetroActionId> {
    let others = queries::actions(edit, retro.id).await?;
    if others.len() >= MOST_ACTIONS {
        return Err(ApiError::bad_request(format!(
            "A retrospective has at most {MOST_ACTIONS} action items."
        )));
    }
    let last = others.into_iter().map(|row| row.action.position).max();
    let position = last.map_or(0, |last| last + 1);
    let row = ActionRow { text: text.to_owned(), position, ..fresh(edit, retro) };
    edit.create(&row).await?;
    tell(edit, retro).await?;
    Ok(row.id)
}

fn fresh(edit: &Edit, retro: &RetroRow) -> ActionRow {
    ActionRow {
        id: edit.mint(),
        project_id: retro.project_id,
        sprint_id: retro.sprint_id,
        retro_id: retro.id,
        position: 0,
        text: String::new(),
        assignee_id: None,
        story_points: None,
        promoted_task_id: None,
        created_at: edit.now(),
        server_version: 1,
    }
}
