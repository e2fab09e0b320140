//! Every statement about groups; single groups are read and written through items and edits.

use planwright_domain::ids::{MentionGroupId, UserId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::ProjectOrProgram;
use planwright_web::visible::{program_is_open_to, project_is_open_to};

use super::model::{GroupMemberRow, GroupRow};

/// The groups of a project or a program whose name contains the text, by name.
pub async fn of_home(db: &dyn Read, home: ProjectOrProgram, search: Option<&str>) -> Result<Vec<GroupRow>> {
    let (columns, column) = (select_list::<GroupRow>("g"), home.column());
    let found = format!("AND {}", contains(db.engine(), "g.name", "search"));
    let select =
        format!("SELECT {columns} FROM mention_groups g WHERE g.{column} = :home AND g.deletion_id IS NULL");
    let select = sql!(select, home = home.uuid()).when(&found, "search", search.map(pattern));
    db.all(select.push(" ORDER BY g.name_key, g.id")).await
}

/// Those who are in some groups and are members of their place, by name.
pub async fn members(db: &dyn Read, groups: &[MentionGroupId]) -> Result<Vec<GroupMemberRow>> {
    let (project, program) = (project_is_open_to("u", "p"), program_is_open_to("u", "p"));
    let select = format!(
        "SELECT x.group_id, x.user_id
         FROM mention_group_members x JOIN mention_groups g ON g.id = x.group_id JOIN users u ON u.id = x.user_id
         WHERE x.group_id IN (:groups) AND (
            EXISTS (SELECT 1 FROM project_members m JOIN projects p ON p.id = m.project_id AND {project}
                    WHERE m.project_id = g.project_id AND m.user_id = u.id AND m.deletion_id IS NULL)
            OR EXISTS (SELECT 1 FROM program_members m JOIN programs p ON p.id = m.program_id AND {program}
                    WHERE m.program_id = g.program_id AND m.user_id = u.id AND m.deletion_id IS NULL))
         ORDER BY u.username, u.id"
    );
    db.all(sql!(select, groups = list(groups.iter().copied()))).await
}

/// Those of some groups of which somebody does not want to be told.
pub async fn muted(db: &dyn Read, groups: &[MentionGroupId], by: UserId) -> Result<Vec<MentionGroupId>> {
    let select = "SELECT group_id FROM mention_group_mutes WHERE group_id IN (:groups) AND user_id = :by";
    db.scalars(sql!(select, groups = list(groups.iter().copied()), by = by)).await
}

/// Whether somebody is a member of a project or a program.
pub async fn is_member(db: &dyn Read, home: ProjectOrProgram, user: UserId) -> Result<bool> {
    let table = if home.project().is_some() { "project_members" } else { "program_members" };
    let column = home.column();
    let select = format!(
        "SELECT COUNT(*) FROM {table} WHERE {column} = :home AND user_id = :user AND deletion_id IS NULL"
    );
    Ok(db.count(sql!(select, home = home.uuid(), user = user)).await? > 0)
}

/// Puts somebody into a group, once; whether that is new.
pub async fn add(tx: &mut Tx, group: MentionGroupId, user: UserId) -> Result<bool> {
    let insert = "INSERT INTO mention_group_members (group_id, user_id) VALUES (:grp, :user)
         ON CONFLICT (group_id, user_id) DO NOTHING";
    Ok(tx.run(sql!(insert, grp = group, user = user)).await? > 0)
}

/// Takes somebody out of a group; whether they were in it.
pub async fn remove(tx: &mut Tx, group: MentionGroupId, user: UserId) -> Result<bool> {
    let delete = "DELETE FROM mention_group_members WHERE group_id = :grp AND user_id = :user";
    Ok(tx.run(sql!(delete, grp = group, user = user)).await? > 0)
}

/// Notes that somebody does not want to be told of a group.
pub async fn mute(tx: &mut Tx, group: MentionGroupId, user: UserId) -> Result<()> {
    let insert = "INSERT INTO mention_group_mutes (group_id, user_id) VALUES (:grp, :user)
         ON CONFLICT (group_id, user_id) DO NOTHING";
    tx.run(sql!(insert, grp = group, user = user)).await.map(drop)
}

/// Notes that somebody wants to be told of a group again.
pub async fn unmute(tx: &mut Tx, group: MentionGroupId, user: UserId) -> Result<()> {
    let delete = "DELETE FROM mention_group_mutes WHERE group_id = :grp AND user_id = :user";
    tx.run(sql!(delete, grp = group, user = user)).await.map(drop)
}
