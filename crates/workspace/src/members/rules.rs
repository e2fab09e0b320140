//! Who may change what about whom: pure decisions over the caller, a member and a request.
//! How many Owners there are is a question for `queries.rs`.

use planwright_domain::Role;
use planwright_domain::words::MemberStatus;
use planwright_web::{Actor, ApiError, ApiResult, Problems};

use super::model::{MemberRow, PatchedWorkspaceMemberUpdateRequest};

const WORKSPACE_ROLES: [Role; 3] = [Role::Member, Role::ProjectManager, Role::Owner];

/// The member with the wanted fields changed; `other_owners` is how many Owners may act besides this person.
pub fn changed(
    actor: &Actor,
    member: &MemberRow,
    other_owners: i64,
    request: PatchedWorkspaceMemberUpdateRequest,
) -> ApiResult<MemberRow> {
    if !request.concerns_standing() && !request.concerns_availability() {
        let message = "Send a role, a status or an availability.";
        return Err(ApiError::invalid_field("non_field_errors", message));
    }
    let standing_changes = request.concerns_standing();
    let granted = request.role.as_given().copied();
    let wanted = written(member.clone(), request)?;
    if actor.workspace_role == Role::Owner
        && other_owners == 0
        && member.is_acting_owner()
        && !wanted.is_acting_owner()
    {
        return Err(ApiError::bad_request("The workspace needs an Owner, and this is the last one."));
    }
    // Nobody changes their own standing, but their own calendar is theirs to keep.
    let own_availability = member.id == actor.id && !standing_changes;
    if member.workspace_role >= actor.workspace_role && !own_availability {
        return Err(ApiError::forbidden("You may only change members whose role is below yours."));
    }
    if granted.is_some_and(|role| role >= actor.workspace_role) {
        return Err(ApiError::forbidden("You may only give roles below your own."));
    }
    Ok(wanted)
}

fn written(mut row: MemberRow, request: PatchedWorkspaceMemberUpdateRequest) -> ApiResult<MemberRow> {
    let mut problems = Problems::default();
    if request.role.as_given().is_some_and(|role| !WORKSPACE_ROLES.contains(role)) {
        problems.say("role", "Must be 100 (Member), 300 (Admin) or 400 (Owner).");
    }
    request.role.write_to(&mut row.workspace_role);
    if let Some(status) = request.status.given() {
        row.status = status;
        row.is_active = status != MemberStatus::Deactivated;
    }
    request.availability_percent.write_to(&mut row.availability_percent);
    request.availability_effective_from.write_to(&mut row.availability_effective_from);
    request.availability_effective_to.write_to(&mut row.availability_effective_to);
    request.availability_notes.write_to(&mut row.availability_notes);
    let ends_early = row
        .availability_effective_from
        .zip(row.availability_effective_to)
        .is_some_and(|(from, to)| to < from);
    if ends_early {
        problems.say("availability_effective_to", "Must not be before availability_effective_from.");
    }
    problems.check()?;
    Ok(row)
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{SessionId, UserId};
    use planwright_web::actor::Credential;
    use planwright_web::input::Input;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn member(number: u128, role: Role) -> MemberRow {
        MemberRow {
            id: UserId(Uuid::from_u128(number)),
            username: format!("person-{number}"),
            first_name: String::new(),
            last_name: String::new(),
            email: String::new(),
            is_active: true,
            workspace_role: role,
            status: MemberStatus::Active,
            last_login_at: None,
            project_count: 0,
            uses_sso: false,
            has_second_factor: false,
            availability_percent: 100,
            availability_effective_from: None,
            availability_effective_to: None,
            availability_notes: String::new(),
            server_version: 1,
        }
    }

    fn acting(row: &MemberRow) -> Actor {
        Actor {
            id: row.id,
            username: row.username.clone(),
            workspace_role: row.workspace_role,
            is_guest: false,
            credential: Credential::Session(SessionId(row.id.0)),
            ends_at: None,
            assurance: Default::default(),
            source: "unknown".into(),
        }
    }

    fn request(body: serde_json::Value) -> PatchedWorkspaceMemberUpdateRequest {
        let serde_json::Value::Object(object) = body else { panic!("tests send objects") };
        PatchedWorkspaceMemberUpdateRequest::read(&object).unwrap()
    }

    fn outcome(actor: &MemberRow, target: &MemberRow, others: i64, body: serde_json::Value) -> u16 {
        changed(&acting(actor), target, others, request(body)).map_or_else(|error| error.status(), |_| 200)
    }

    #[test]
    fn nobody_changes_an_equal_or_grants_their_own_rank() {
        let (owner, admin, other_admin, member_row) = (
            member(1, Role::Owner),
            member(2, Role::ProjectManager),
            member(3, Role::ProjectManager),
            member(4, Role::Member),
        );
        assert_eq!(outcome(&admin, &owner, 0, json!({"status": "guest"})), 403);
        assert_eq!(outcome(&admin, &other_admin, 0, json!({"role": 100})), 403);
        assert_eq!(outcome(&admin, &member_row, 0, json!({"role": 300})), 403);
        assert_eq!(outcome(&owner, &member_row, 0, json!({"role": 400})), 403);
        assert_eq!(outcome(&owner, &admin, 0, json!({"role": 100})), 200);
        assert_eq!(outcome(&owner, &member_row, 0, json!({"role": 300})), 200);
    }

    #[test]
    fn the_last_owner_stays_an_acting_owner() {
        let owner = member(1, Role::Owner);
        for body in [json!({"role": 100}), json!({"status": "guest"}), json!({"status": "deactivated"})] {
            assert_eq!(outcome(&owner, &owner, 0, body.clone()), 400, "{body}");
            assert_eq!(outcome(&owner, &owner, 1, body.clone()), 403, "{body}");
        }
        assert_eq!(outcome(&owner, &owner, 0, json!({"availability_percent": 50})), 200);
    }

    #[test]
    fn a_rank_of_projects_is_no_rank_of_the_workspace() {
        let (owner, other) = (member(1, Role::Owner), member(2, Role::Member));
        assert_eq!(outcome(&owner, &other, 0, json!({"role": 200})), 400);
        assert_eq!(outcome(&owner, &other, 0, json!({})), 400);
    }

    #[test]
    fn deactivating_takes_the_sign_in_and_activating_gives_it_back() {
        let (owner, other) = (member(1, Role::Owner), member(2, Role::Member));
        let gone = changed(&acting(&owner), &other, 0, PatchedWorkspaceMemberUpdateRequest::deactivating());
        let gone = gone.unwrap();
        assert_eq!((gone.is_active, gone.standing()), (false, MemberStatus::Deactivated));
        let back = changed(&acting(&owner), &gone, 0, request(json!({"status": "active"}))).unwrap();
        assert!(back.is_active);
    }

    #[test]
    fn availability_ends_no_earlier_than_it_begins() {
        let (owner, other) = (member(1, Role::Owner), member(2, Role::Member));
        let range = |from: &str, to: &str| json!({"availability_effective_from": from, "availability_effective_to": to});
        assert_eq!(outcome(&owner, &other, 0, range("2026-02-01", "2026-01-31")), 400);
        assert_eq!(outcome(&owner, &other, 0, range("2026-02-01", "2026-02-01")), 200);
    }
}
