//! Changes of groups, each with the places in projects that follow from it, in one transaction.

use planwright_domain::Role;
use planwright_domain::access::Action;
use planwright_domain::ids::{GroupId, ProjectId, UserId};
use planwright_plan::containers::conferred;
use planwright_plan::edit::Edit;
use planwright_plan::people;
use planwright_store::Read;
use planwright_web::input::Patch;
use planwright_web::{Actor, ApiError, ApiResult};
use serde_json::{Map, Value as Json, json};

use super::model::{Group, GroupRow, PatchedGroupWriteRequest};
use super::{queries, rules};

/// The group as it is wanted, if the request is right.
pub(super) async fn wanted(
    edit: &Edit,
    row: GroupRow,
    request: PatchedGroupWriteRequest,
) -> ApiResult<GroupRow> {
    let holder = match request.name.as_given() {
        Some(name) => queries::named(edit, &rules::key(name)).await?,
        None => None,
    };
    let lead_is_active = match request.lead.as_given() {
        Some(Some(lead)) => people::is_active(edit, *lead).await?,
        _ => true,
    };
    rules::changed(row, request, holder, lead_is_active)
}

/// Puts somebody in. A second time changes nothing.
pub(super) async fn add_member(mut edit: Edit, row: GroupRow, user: UserId) -> ApiResult<Group> {
    if !people::is_active(&edit, user).await? {
        let message = "There is no such person, or they can no longer sign in.";
        return Err(ApiError::invalid_field("user", message));
    }
    let members = queries::member_ids(&edit, row.id).await?;
    if members.contains(&user) {
        return one(&edit, row, &edit.grant.actor).await;
    }
    rules::has_room(members.len(), rules::MOST_MEMBERS, "user", "members")?;
    queries::add_member(&mut edit, row.id, user).await?;
    let row = edit.touch(&row, noted("members", json!([null, user]))).await?;
    follow(edit, row, vec![user]).await
}

/// Takes people out, or everybody; 404 when the one who is named is not in.
pub(super) async fn remove_members(mut edit: Edit, row: GroupRow, only: Option<UserId>) -> ApiResult<()> {
    let members = queries::member_ids(&edit, row.id).await?;
    let leaving: Vec<UserId> =
        members.into_iter().filter(|member| only.is_none_or(|only| only == *member)).collect();
    if leaving.is_empty() {
        return only.map_or(Ok(()), |_| Err(ApiError::not_found()));
    }
    queries::remove_members(&mut edit, row.id, &leaving).await?;
    let row = edit.touch(&row, noted("members", json!([leaving, null]))).await?;
    follow(edit, row, leaving).await.map(drop)
}

/// Has the group give a rank in a project.
pub(super) async fn link(
    mut edit: Edit,
    row: GroupRow,
    project: ProjectId,
    role: Patch<Role>,
) -> ApiResult<Group> {
    let role = rules::conferred(role)?;
    match queries::is_archived(&edit, project).await? {
        Some(false) => {}
        Some(true) => return Err(ApiError::forbidden("An archived project gets no other members.")),
        None => return Err(ApiError::invalid_field("project", "There is no such project.")),
    }
    let links = queries::links(&edit, row.id).await?;
    let before = links.iter().find(|(linked, _)| *linked == project).map(|(_, role)| *role);
    if before.is_none() {
        rules::has_room(links.len(), rules::MOST_PROJECTS, "project", "projects")?;
    }
    if before == Some(role) {
        return one(&edit, row, &edit.grant.actor).await;
    }
    queries::link(&mut edit, row.id, project, role).await?;
    let side = |role: Option<Role>| role.map(|role| json!({"project": project, "role": role}));
    let row = edit.touch(&row, noted("projects", json!([side(before), side(Some(role))]))).await?;
    let members = queries::member_ids(&edit, row.id).await?;
    let mut edit = edit.following();
    conferred::settle(&mut edit, &[project], &members).await?;
    finished(edit, row).await
}

/// Has the group give no rank in a project any more, or in none at all; 404 when the one that is named is not linked.
pub(super) async fn unlink(mut edit: Edit, row: GroupRow, only: Option<ProjectId>) -> ApiResult<()> {
    let links = queries::links(&edit, row.id).await?;
    let gone: Vec<ProjectId> = links
        .into_iter()
        .map(|(project, _)| project)
        .filter(|project| only.is_none_or(|only| only == *project))
        .collect();
    if gone.is_empty() {
        return only.map_or(Ok(()), |_| Err(ApiError::not_found()));
    }
    queries::unlink(&mut edit, row.id, &gone).await?;
    edit.touch(&row, noted("projects", json!([gone, null]))).await?;
    let members = queries::member_ids(&edit, row.id).await?;
    let mut edit = edit.following();
    conferred::settle(&mut edit, &gone, &members).await?;
    Ok(edit.commit().await?)
}

/// Deletes a group with the places that only it gives.
pub(super) async fn delete(mut edit: Edit, row: GroupRow) -> ApiResult<()> {
    let members = queries::member_ids(&edit, row.id).await?;
    let projects: Vec<ProjectId> =
        queries::links(&edit, row.id).await?.into_iter().map(|(project, _)| project).collect();
    queries::unlink(&mut edit, row.id, &projects).await?;
    queries::remove_members(&mut edit, row.id, &members).await?;
    edit.delete(&row).await?;
    let mut edit = edit.following();
    conferred::settle(&mut edit, &projects, &members).await?;
    Ok(edit.commit().await?)
}

/// Brings the places of some people in step, and shows the group.
async fn follow(edit: Edit, row: GroupRow, people: Vec<UserId>) -> ApiResult<Group> {
    let links = queries::links(&edit, row.id).await?;
    let projects: Vec<ProjectId> = links.into_iter().map(|(project, _)| project).collect();
    let mut edit = edit.following();
    conferred::settle(&mut edit, &projects, &people).await?;
    finished(edit, row).await
}

async fn finished(edit: Edit, row: GroupRow) -> ApiResult<Group> {
    let shown = one(&edit, row, &edit.grant.actor).await?;
    edit.commit().await?;
    Ok(shown)
}

fn noted(field: &str, sides: Json) -> Map<String, Json> {
    Map::from_iter([(field.to_owned(), sides)])
}

/// One group for the eyes of somebody.
pub(super) async fn one(db: &dyn Read, row: GroupRow, me: &Actor) -> ApiResult<Group> {
    shown(db, vec![row], me).await?.pop().ok_or_else(ApiError::not_found)
}

/// Groups for the eyes of somebody.
pub(super) async fn shown(db: &dyn Read, rows: Vec<GroupRow>, me: &Actor) -> ApiResult<Vec<Group>> {
    let ids: Vec<GroupId> = rows.iter().map(|row| row.id).collect();
    let sees_all = me.may(Action::AdministerWorkspace, me.workspace_role);
    let members = queries::members(db, &ids).await?;
    let leads = queries::leads(db, &ids).await?;
    let projects = queries::projects(db, &ids, (!sees_all).then_some(me.id)).await?;
    let group = |row: GroupRow| {
        let of_group = members.iter().filter(|member| member.group_id == row.id);
        let members: Vec<_> = of_group.map(|member| member.clone().into()).collect();
        let lead = leads.iter().find(|lead| lead.group_id == row.id);
        let lead = lead.map(|lead| super::model::GroupMember::from(lead.clone()).initials);
        let linked = projects.iter().filter(|project| project.group_id == row.id);
        Group {
            id: row.id,
            name: row.name,
            description: row.description,
            lead,
            lead_user_id: row.lead_id,
            member_count: members.len(),
            members,
            projects: linked.map(|project| project.clone().into()).collect(),
            server_version: row.server_version,
        }
    };
    Ok(rows.into_iter().map(group).collect())
}
