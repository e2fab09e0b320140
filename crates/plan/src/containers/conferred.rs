//! Places in projects that groups of the workspace give: they come, change and go with the groups.
//! Which groups there are, and who may change them, is decided by the caller.

use std::collections::HashMap;

use planwright_domain::Role;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_web::{ApiResult, Place};

use super::members::{self, HasMembers, ProjectMember};
use super::queries;
use crate::edit::Edit;

/// Brings the places of some people in some projects in step with the groups as they are now. The projects are locked
/// first, so that of two changes at once the second one sees both. A deleted project is left for [`settle_whole`].
pub async fn settle(edit: &mut Edit, projects: &[ProjectId], people: &[UserId]) -> ApiResult<()> {
    if people.is_empty() || projects.is_empty() {
        return Ok(());
    }
    edit.lock_rows("projects", projects.iter().map(|project| project.0)).await?;
    for (project, program) in queries::live_projects(edit, projects.iter().copied()).await? {
        edit.grant.place = Place { project: Some(project), program };
        let conferred: HashMap<UserId, Role> =
            queries::conferred(edit, project, people.iter().copied()).await?.into_iter().collect();
        let places = queries::places(edit, project, people.iter().copied()).await?;
        let mut places: HashMap<UserId, ProjectMember> =
            places.into_iter().map(|place| (place.user_id, place)).collect();
        for person in people {
            let place = places.remove(person);
            settle_one(edit, project, *person, place, conferred.get(person).copied()).await?;
        }
    }
    Ok(())
}

/// The same for everybody in a project that came back from the trash, since groups may have changed meanwhile.
pub async fn settle_whole(edit: &mut Edit, project: ProjectId) -> ApiResult<()> {
    let people = queries::everybody_in(edit, project).await?;
    settle(edit, &[project], &people).await
}

async fn settle_one(
    edit: &mut Edit,
    project: ProjectId,
    person: UserId,
    place: Option<ProjectMember>,
    conferred: Option<Role>,
) -> ApiResult<()> {
    match (place, conferred) {
        (None, Some(role)) => {
            let mut place = members::fresh(edit, project, person, role);
            ProjectId::set_direct(&mut place, None);
            members::add::<ProjectId>(edit, &place).await
        }
        (Some(place), None) if place.direct_role.is_none() => {
            members::remove::<ProjectId>(edit, &place).await
        }
        (Some(place), role) if place.direct_role.max(role) != Some(place.role) => {
            members::change::<ProjectId>(edit, &place, place.clone()).await.map(drop)
        }
        _ => Ok(()),
    }
}
