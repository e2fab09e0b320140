//! Every statement about groups; single groups are read and written through items and edits.

use std::collections::HashMap;

use planwright_domain::Role;
use planwright_domain::ids::{GroupId, ProjectId, UserId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, sql};

use super::model::{GroupMemberRow, GroupProjectRow};

/// The groups whose name contains the text.
pub(super) fn all(db: &dyn Read, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", contains(db.engine(), "g.name", "search"));
    sql!("FROM workspace_groups g WHERE TRUE").when(&condition, "search", search.map(pattern))
}

/// The group that has a name.
pub(super) async fn named(db: &dyn Read, key: &str) -> Result<Option<GroupId>> {
    Ok(db.scalars(sql!("SELECT id FROM workspace_groups WHERE name_key = :key", key = key)).await?.pop())
}

/// Those who are in some groups, by name.
pub(super) async fn members(db: &dyn Read, groups: &[GroupId]) -> Result<Vec<GroupMemberRow>> {
    let select = "SELECT x.group_id, u.id, u.username, u.first_name, u.last_name
         FROM workspace_group_members x JOIN users u ON u.id = x.user_id
         WHERE x.group_id IN (:groups) ORDER BY u.username, u.id";
    db.all(sql!(select, groups = list(groups.iter().copied()))).await
}

/// The leads of some groups, each as if they were a member.
pub(super) async fn leads(db: &dyn Read, groups: &[GroupId]) -> Result<Vec<GroupMemberRow>> {
    let select = "SELECT g.id AS group_id, u.id, u.username, u.first_name, u.last_name
         FROM workspace_groups g JOIN users u ON u.id = g.lead_id WHERE g.id IN (:groups)";
    db.all(sql!(select, groups = list(groups.iter().copied()))).await
}

/// The live projects of some groups, by name; only those in which a person is a member if one is given.
pub(super) async fn projects(
    db: &dyn Read,
    groups: &[GroupId],
    seen_by: Option<UserId>,
) -> Result<Vec<GroupProjectRow>> {
    let select = "SELECT x.group_id, p.id, p.name, x.role
         FROM workspace_group_projects x JOIN projects p ON p.id = x.project_id AND p.deletion_id IS NULL
         WHERE x.group_id IN (:groups)";
    let seen = "AND EXISTS (SELECT 1 FROM project_members m
         WHERE m.project_id = p.id AND m.user_id = :seer AND m.deletion_id IS NULL)";
    let select = sql!(select, groups = list(groups.iter().copied())).when(seen, "seer", seen_by);
    db.all(select.push(" ORDER BY p.name, p.id")).await
}

/// The names of the groups that each of some people is in, by name.
pub async fn names_of(
    db: &dyn Read,
    people: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, Vec<String>>> {
    let select = "SELECT x.user_id, g.name
         FROM workspace_group_members x JOIN workspace_groups g ON g.id = x.group_id
         WHERE x.user_id IN (:people) ORDER BY g.name_key, g.id";
    let rows: Vec<(UserId, String)> = db.all(sql!(select, people = list(people))).await?;
    let mut names: HashMap<UserId, Vec<String>> = HashMap::new();
    for (person, name) in rows {
        names.entry(person).or_default().push(name);
    }
    Ok(names)
}

/// The members of a group.
pub(super) async fn member_ids(db: &dyn Read, group: GroupId) -> Result<Vec<UserId>> {
    let select = "SELECT user_id FROM workspace_group_members WHERE group_id = :grp ORDER BY user_id";
    db.scalars(sql!(select, grp = group)).await
}

/// The projects of a group with the ranks that it gives there, those in the trash too.
pub(super) async fn links(db: &dyn Read, group: GroupId) -> Result<Vec<(ProjectId, Role)>> {
    let select =
        "SELECT project_id, role FROM workspace_group_projects WHERE group_id = :grp ORDER BY project_id";
    db.all(sql!(select, grp = group)).await
}

/// Whether a project is archived; nothing if there is none, or it is in the trash.
pub(super) async fn is_archived(db: &dyn Read, project: ProjectId) -> Result<Option<bool>> {
    let select = "SELECT archived_at IS NOT NULL FROM projects WHERE id = :id AND deletion_id IS NULL";
    db.scalar(sql!(select, id = project)).await
}

/// Puts somebody into a group.
pub(super) async fn add_member(tx: &mut Tx, group: GroupId, user: UserId) -> Result<()> {
    let insert = "INSERT INTO workspace_group_members (group_id, user_id) VALUES (:grp, :user)";
    tx.run(sql!(insert, grp = group, user = user)).await.map(drop)
}

/// Takes people out of a group.
pub(super) async fn remove_members(tx: &mut Tx, group: GroupId, people: &[UserId]) -> Result<()> {
    let delete = "DELETE FROM workspace_group_members WHERE group_id = :grp AND user_id IN (:people)";
    tx.run(sql!(delete, grp = group, people = list(people.iter().copied()))).await.map(drop)
}

/// Has a group give a rank in a project.
pub(super) async fn link(tx: &mut Tx, group: GroupId, project: ProjectId, role: Role) -> Result<()> {
    let insert =
        "INSERT INTO workspace_group_projects (group_id, project_id, role) VALUES (:grp, :project, :role)
         ON CONFLICT (group_id, project_id) DO UPDATE SET role = excluded.role";
    tx.run(sql!(insert, grp = group, project = project, role = role)).await.map(drop)
}

/// Has a group give no rank in some projects any more.
pub(super) async fn unlink(tx: &mut Tx, group: GroupId, projects: &[ProjectId]) -> Result<()> {
    let delete = "DELETE FROM workspace_group_projects WHERE group_id = :grp AND project_id IN (:projects)";
    tx.run(sql!(delete, grp = group, projects = list(projects.iter().copied()))).await.map(drop)
}
