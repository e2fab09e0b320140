//! Every statement about skills; single rows are read and written through items and edits.

use std::collections::HashMap;

use planwright_domain::ids::{RequirementId, ResourceId, ResourceSkillId, SkillId, TaskId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, sql};
use planwright_web::Actor;

use super::model::{
    NamedRequirementRow, NamedResourceSkillRow, RequirementRow, ResourceSkill, ResourceSkillRow, SkillRow,
    TaskSkillRequirement,
};

/// The live skills whose name contains the text.
pub fn listed(db: &dyn Read, search: Option<&str>) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "k.name", "search"));
    sql!("FROM skills k WHERE k.deletion_id IS NULL").when(&named, "search", search.map(pattern))
}

/// The live skill of a name, without regard to case and blanks.
pub async fn of_name(db: &dyn Read, normalized: &str) -> Result<Option<SkillRow>> {
    let columns = SkillRow::select_list("k");
    let select =
        format!("SELECT {columns} FROM skills k WHERE k.normalized_name = :name AND k.deletion_id IS NULL");
    db.maybe(sql!(select, name = normalized)).await
}

/// How many live resources have a skill and how many live tasks ask for it.
pub async fn count_uses(db: &dyn Read, skill: SkillId) -> Result<i64> {
    db.count(sql!(
        "SELECT (SELECT COUNT(*) FROM resource_skills x
                 JOIN resources r ON r.id = x.resource_id AND r.deletion_id IS NULL
                 WHERE x.skill_id = :skill AND x.deletion_id IS NULL)
              + (SELECT COUNT(*) FROM task_skill_requirements x
                 JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
                 WHERE x.skill_id = :skill AND x.deletion_id IS NULL)",
        skill = skill
    ))
    .await
}

/// The columns of a skill of a resource, with its name.
pub fn resource_skill() -> String {
    format!("SELECT k.name AS skill_name, {}", ResourceSkillRow::select_list("x"))
}

const OF_RESOURCES: &str = "FROM resource_skills x
    JOIN skills k ON k.id = x.skill_id AND k.deletion_id IS NULL
    JOIN resources r ON r.id = x.resource_id AND r.deletion_id IS NULL
    WHERE x.deletion_id IS NULL";

/// The skills of live resources, or those of one.
pub fn resource_skills(resource: Option<ResourceId>) -> Sql {
    sql!(OF_RESOURCES).when("AND x.resource_id = :resource", "resource", resource)
}

/// One skill of a live resource.
pub fn one_resource_skill(id: ResourceSkillId) -> Sql {
    sql!(format!("{} {OF_RESOURCES} AND x.id = :id", resource_skill()), id = id)
}

/// Whether a resource has a skill.
pub async fn has(db: &dyn Read, resource: ResourceId, skill: SkillId) -> Result<bool> {
    let count = "SELECT COUNT(*) FROM resource_skills
         WHERE resource_id = :resource AND skill_id = :skill AND deletion_id IS NULL";
    Ok(db.count(sql!(count, resource = resource, skill = skill)).await? > 0)
}

/// The skills of some resources, by name.
pub async fn skills_of(
    db: &dyn Read,
    resources: &[ResourceId],
) -> Result<HashMap<ResourceId, Vec<ResourceSkill>>> {
    let select = format!(
        "{} FROM resource_skills x JOIN skills k ON k.id = x.skill_id AND k.deletion_id IS NULL
         WHERE x.deletion_id IS NULL AND x.resource_id IN (:resources) ORDER BY k.name, x.id",
        resource_skill()
    );
    let rows: Vec<NamedResourceSkillRow> =
        db.all(sql!(select, resources = list(resources.iter().copied()))).await?;
    let mut by_resource: HashMap<ResourceId, Vec<ResourceSkill>> = HashMap::new();
    for row in rows {
        by_resource.entry(row.row.resource_id).or_default().push(row.into());
    }
    Ok(by_resource)
}

/// The columns of a requirement of a task, with the name of its skill.
pub fn requirement() -> String {
    format!("SELECT k.name AS skill_name, {}", RequirementRow::select_list("x"))
}

const OF_TASKS: &str = "FROM task_skill_requirements x
    JOIN skills k ON k.id = x.skill_id AND k.deletion_id IS NULL
    JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
    WHERE x.deletion_id IS NULL";

/// The requirements of tasks in projects that the caller sees, or those of one task.
pub fn requirements(actor: &Actor, task: Option<TaskId>) -> Sql {
    let all = sql!(OF_TASKS).when("AND x.task_id = :task", "task", task);
    actor.in_visible_projects(all, "t.project_id")
}

/// One requirement of a live task.
pub fn one_requirement(id: RequirementId) -> Sql {
    sql!(format!("{} {OF_TASKS} AND x.id = :id", requirement()), id = id)
}

/// Whether a task asks for a skill.
pub async fn asks(db: &dyn Read, task: TaskId, skill: SkillId) -> Result<bool> {
    let count = "SELECT COUNT(*) FROM task_skill_requirements
         WHERE task_id = :task AND skill_id = :skill AND deletion_id IS NULL";
    Ok(db.count(sql!(count, task = task, skill = skill)).await? > 0)
}

/// What a task asks for, by name.
pub async fn requirements_of(db: &dyn Read, task: TaskId) -> Result<Vec<TaskSkillRequirement>> {
    let which = format!("{} {OF_TASKS} AND x.task_id = :task ORDER BY k.name, x.id", requirement());
    let rows: Vec<NamedRequirementRow> = db.all(sql!(which, task = task)).await?;
    Ok(rows.into_iter().map(TaskSkillRequirement::from).collect())
}
