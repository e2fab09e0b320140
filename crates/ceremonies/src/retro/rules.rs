//! Decisions about retrospectives, without a database: who sees what, and which action items stay.

use std::collections::HashSet;

use planwright_domain::Role;
use planwright_domain::ids::UserId;
use planwright_domain::words::{RetroKind, RetroVisibility};
use planwright_web::{ApiError, ApiResult, Problem, Problems};

use super::model::{ActionRow, Retro, RetroActionItem, RetroActionItemRequest, RetroRow};

/// Whether somebody reads what a team wrote: who takes part does, and others if the team lets them.
pub fn reads_all(role: Role, visibility: RetroVisibility) -> bool {
    role >= Role::Member || visibility != RetroVisibility::TeamOnly
}

/// A retrospective for the eyes of somebody with this role.
pub fn shown(row: RetroRow, actions: Vec<RetroActionItem>, role: Role) -> Retro {
    let is_full = reads_all(role, row.team_visibility);
    let promoted = actions.iter().filter(|action| action.promoted_task_id.is_some()).count();
    let count = actions.len();
    Retro {
        id: row.id,
        sprint: row.sprint_id,
        kind: if is_full { RetroKind::Full } else { RetroKind::Summary },
        notes: is_full.then_some(row.notes),
        team_visibility: row.team_visibility,
        created_by: row.created_by,
        created_at: row.created_at,
        updated_at: row.updated_at,
        action_items: is_full.then_some(actions),
        action_items_count: (!is_full).then_some(count),
        promoted_count: (!is_full).then_some(promoted),
    }
}

/// Refuses to change who reads a retrospective.
///
/// # Errors
/// 403 for whoever neither wrote it nor manages the project.
pub fn may_open(row: &RetroRow, me: UserId, role: Role) -> ApiResult<()> {
    match row.created_by == Some(me) || role >= Role::ProjectManager {
        true => Ok(()),
        false => Err(ApiError::forbidden("Its author and those who manage the project say who reads it.")),
    }
}

/// What becomes of the action items of a retrospective when a list of wanted ones replaces them.
#[derive(Debug, Default, PartialEq)]
pub struct Replacement {
    /// Those that stay, before and after, by the place in the wanted list.
    pub kept: Vec<(ActionRow, ActionRow)>,
    /// The places of those that are new.
    pub new: Vec<usize>,
    /// Those that go.
    pub gone: Vec<ActionRow>,
}

/// Matches wanted action items with those there are: by their id, else by their text. One that is matched keeps its task.
///
/// # Errors
/// 400 on an id that is not an action item of the retrospective, or is named twice.
pub fn replacement(known: Vec<ActionRow>, wanted: &[RetroActionItemRequest]) -> ApiResult<Replacement> {
    let mut left: Vec<Option<ActionRow>> = known.into_iter().map(Some).collect();
    let mut matched: Vec<Option<ActionRow>> = Vec::with_capacity(wanted.len());
    let mut problems: Vec<Option<Problems>> = Vec::with_capacity(wanted.len());
    for item in wanted {
        let id = item.id.as_given().copied().flatten();
        let found =
            id.and_then(|id| left.iter_mut().find(|row| row.as_ref().is_some_and(|row| row.id == id)));
        let unknown = id.is_some() && found.is_none();
        problems.push(unknown.then(|| problem("id", "There is no such action item left.")));
        matched.push(found.and_then(Option::take));
    }
    if problems.iter().any(Option::is_some) {
        return Err(invalid(problems));
    }
    for (item, place) in wanted.iter().zip(&mut matched).filter(|(_, place)| place.is_none()) {
        let same = left.iter_mut().find(|row| row.as_ref().is_some_and(|row| row.text == item.text.as_str()));
        *place = same.and_then(Option::take);
    }
    let mut replacement =
        Replacement { gone: left.into_iter().flatten().collect(), ..Replacement::default() };
    for (place, (item, row)) in wanted.iter().zip(matched).enumerate() {
        match row {
            Some(before) => replacement.kept.push((before.clone(), written(before, item, place))),
            None => replacement.new.push(place),
        }
    }
    Ok(replacement)
}

/// An action item as it is wanted at a place.
pub fn written(mut row: ActionRow, item: &RetroActionItemRequest, place: usize) -> ActionRow {
    row.position = place as i64;
    row.text = item.text.to_string();
    row.assignee_id = item.assignee.as_given().copied().flatten();
    row.story_points = item.story_points.as_given().copied().flatten().map(i64::from);
    row
}

/// Refuses people who are not in the project.
///
/// # Errors
/// 400 on each of them.
pub fn are_members(wanted: &[RetroActionItemRequest], members: &HashSet<UserId>) -> ApiResult<()> {
    let stranger = |item: &RetroActionItemRequest| {
        let assignee = item.assignee.as_given().copied().flatten();
        assignee
            .filter(|person| !members.contains(person))
            .map(|_| problem("assignee", "They are no member of the project."))
    };
    let problems: Vec<Option<Problems>> = wanted.iter().map(stranger).collect();
    match problems.iter().any(Option::is_some) {
        true => Err(invalid(problems)),
        false => Ok(()),
    }
}

fn problem(field: &str, message: &str) -> Problems {
    let mut problems = Problems::default();
    problems.say(field, message);
    problems
}

fn invalid(items: Vec<Option<Problems>>) -> ApiError {
    let mut problems = Problems::default();
    problems.add("action_items", Problem::Items(items));
    ApiError::invalid(problems)
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::RetroActionId;
    use planwright_web::Field;
    use serde_json::{Value as Json, json};
    use uuid::Uuid;

    use super::*;

    fn action(number: u128, text: &str) -> ActionRow {
        ActionRow {
            id: RetroActionId(Uuid::from_u128(number)),
            project_id: Uuid::nil().into(),
            sprint_id: Uuid::nil().into(),
            retro_id: Uuid::nil().into(),
            position: number as i64,
            text: text.to_owned(),
            assignee_id: None,
            story_points: None,
            promoted_task_id: Some(Uuid::from_u128(100 + number).into()),
            created_at: Default::default(),
            server_version: 1,
        }
    }

    fn wanted(items: Json) -> Vec<RetroActionItemRequest> {
        items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| RetroActionItemRequest::from_json(item).unwrap())
            .collect()
    }

    #[test]
    fn an_action_item_that_is_named_again_keeps_its_task() {
        let known = vec![action(1, "Write tests"), action(2, "Buy cake"), action(3, "Say thanks")];
        let renamed = json!({"id": Uuid::from_u128(2), "text": "Buy more cake"});
        let list = wanted(json!([renamed, {"text": "Rest"}, {"text": "Write tests", "story_points": 3}]));
        let after = replacement(known, &list).unwrap();
        assert_eq!(after.new, [1]);
        assert_eq!(after.gone.iter().map(|row| row.text.as_str()).collect::<Vec<_>>(), ["Say thanks"]);
        let kept: Vec<_> = after.kept.iter().map(|(_, row)| (row.text.as_str(), row.position)).collect();
        assert_eq!(kept, [("Buy more cake", 0), ("Write tests", 2)]);
        assert!(after.kept.iter().all(|(before, row)| row.promoted_task_id == before.promoted_task_id));
        assert_eq!(after.kept[1].1.story_points, Some(3));
    }

    #[test]
    fn an_id_is_of_this_retrospective_and_named_once() {
        let twice =
            wanted(json!([{"id": Uuid::from_u128(1), "text": "A"}, {"id": Uuid::from_u128(1), "text": "B"}]));
        let refused = replacement(vec![action(1, "A")], &twice).unwrap_err();
        assert!(refused.body()["action_items"][1]["id"].is_array(), "{:?}", refused.body());
    }

    #[test]
    fn a_team_decides_whether_viewers_read_more_than_counts() {
        assert!(reads_all(Role::Member, RetroVisibility::TeamOnly));
        assert!(!reads_all(Role::Viewer, RetroVisibility::TeamOnly));
        assert!(reads_all(Role::Viewer, RetroVisibility::Project));
    }
}
