//! What a group may be called and which rank it may give: pure decisions.

use planwright_domain::Role;
use planwright_domain::ids::GroupId;
use planwright_web::input::Patch;
use planwright_web::{ApiError, ApiResult, Problems};

use super::model::{GroupRow, PatchedGroupWriteRequest};

/// How many members a group may have.
pub(super) const MOST_MEMBERS: usize = 500;
/// How many projects a group may give places in.
pub(super) const MOST_PROJECTS: usize = 100;

/// The row with the wanted fields changed; `holder` is the group that has the wanted name, `lead_is_active` says
/// whether the wanted lead may act.
pub(super) fn changed(
    mut row: GroupRow,
    request: PatchedGroupWriteRequest,
    holder: Option<GroupId>,
    lead_is_active: bool,
) -> ApiResult<GroupRow> {
    let mut problems = Problems::default();
    request.name.write_to(&mut row.name);
    request.description.write_to(&mut row.description);
    row.name_key = key(&row.name);
    if holder.is_some_and(|holder| holder != row.id) {
        problems.say("name", "A group of this name exists.");
    }
    if let Some(lead) = request.lead.given() {
        if lead.is_some() && !lead_is_active {
            problems.say("lead", "There is no such person, or they can no longer sign in.");
        }
        row.lead_id = lead;
    }
    problems.check()?;
    Ok(row)
}

/// A name as names are compared.
pub(super) fn key(name: &str) -> String {
    name.to_lowercase()
}

/// The rank that a group is to give.
pub(super) fn conferred(role: Patch<Role>) -> ApiResult<Role> {
    match role.given().unwrap_or(Role::Member) {
        Role::Owner => Err(ApiError::invalid_field("role", "A group cannot make anybody an Owner.")),
        role => Ok(role),
    }
}

/// Refuses one more when there are as many as there may be.
pub(super) fn has_room(count: usize, most: usize, field: &str, what: &str) -> ApiResult<()> {
    match count < most {
        true => Ok(()),
        false => Err(ApiError::invalid_field(field, format!("A group has at most {most} {what}."))),
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::input::Input;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    fn outcome(body: Value, holder: Option<u128>, lead_is_active: bool) -> u16 {
        let row = GroupRow::fresh(GroupId(Uuid::from_u128(1)), Default::default());
        let request = PatchedGroupWriteRequest::read(body.as_object().unwrap()).unwrap();
        let holder = holder.map(|id| GroupId(Uuid::from_u128(id)));
        changed(row, request, holder, lead_is_active).map_or_else(|error| error.status(), |_| 200)
    }

    #[test]
    fn a_name_is_free_or_ones_own_and_a_lead_may_act() {
        assert_eq!(outcome(json!({"name": "Divers"}), None, false), 200);
        assert_eq!(outcome(json!({"name": "Divers"}), Some(1), false), 200);
        assert_eq!(outcome(json!({"name": "Divers"}), Some(2), false), 400);
        let lead = json!({"lead": "00000000-0000-0000-0000-000000000009"});
        assert_eq!(outcome(lead.clone(), None, true), 200);
        assert_eq!(outcome(lead, None, false), 400);
        assert_eq!(outcome(json!({"lead": null}), None, false), 200);
    }

    #[test]
    fn a_group_gives_every_rank_but_that_of_the_owner() {
        assert_eq!(conferred(Patch::Absent).unwrap(), Role::Member);
        assert_eq!(conferred(Patch::Set(Role::ProjectManager)).unwrap(), Role::ProjectManager);
        assert!(conferred(Patch::Set(Role::Owner)).is_err());
    }
}
