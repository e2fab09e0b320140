//! Statements about the skills of an import: the catalogue, who has them and what asks for them.

use std::collections::HashMap;

use planwright_domain::ids::{DeletionId, RequirementId, ResourceId, ResourceSkillId, SkillId, TaskId};
use planwright_domain::skills::normalized;
use planwright_store::{Read, Result, Tx, sql};

use crate::import::ids::Ids;
use crate::import::model::ImportedSkill;
use crate::import::slices::Slices;

/// The skills of the catalogue by their normalized names, and those that an import has hidden.
pub(in crate::import) async fn skills(
    db: &dyn Read,
    hidden: Option<DeletionId>,
) -> Result<HashMap<String, SkillId>> {
    let select = "SELECT normalized_name, id FROM skills WHERE deletion_id IS NULL OR deletion_id = :hidden";
    Ok(db.all::<(String, SkillId)>(sql!(select, hidden = hidden)).await?.into_iter().collect())
}

/// Adds skills to the catalogue.
pub(in crate::import) async fn insert_skills(
    tx: &mut Tx,
    hidden: Option<DeletionId>,
    skills: &[(SkillId, &ImportedSkill)],
) -> Result<()> {
    let (now, number) = (tx.now(), tx.next_change_number(None).await?);
    let rows = skills.iter().map(|(id, skill)| {
        sql!(
            "INSERT INTO skills (id, name, normalized_name, category, created_at, server_version, change_number,
                deletion_id)
             VALUES (:id, :name, :key, :category, :now, 1, :number, :hidden)",
            id = *id,
            name = &skill.name,
            key = normalized(&skill.name),
            category = &skill.category,
            now = now,
            number = number,
            hidden = hidden,
        )
    });
    tx.run_each(rows.collect()).await.map(drop)
}

/// Shows the skills that an import has hidden. A skill that somebody has added in the meantime takes the place of a hidden one
/// of the same name.
pub(in crate::import) async fn unhide(tx: &mut Tx, act: DeletionId, number: i64) -> Result<()> {
    for table in ["resource_skills", "task_skill_requirements"] {
        let update = format!(
            "UPDATE {table} SET skill_id = (
                SELECT live.id FROM skills own JOIN skills live ON live.normalized_name = own.normalized_name
                WHERE own.id = {table}.skill_id AND live.deletion_id IS NULL)
             WHERE skill_id IN (
                SELECT own.id FROM skills own JOIN skills live ON live.normalized_name = own.normalized_name
                WHERE own.deletion_id = :act AND live.deletion_id IS NULL)"
        );
        tx.run(sql!(update, act = act)).await?;
    }
    let update = "UPDATE skills SET deletion_id = NULL, change_number = :number
         WHERE deletion_id = :act AND normalized_name NOT IN (
            SELECT live.normalized_name FROM skills live WHERE live.deletion_id IS NULL)";
    tx.run(sql!(update, act = act, number = number)).await.map(drop)
}

/// Notes what resources are good at.
pub(in crate::import) async fn insert_owned(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    owned: Vec<(ResourceId, SkillId, i64)>,
) -> Result<()> {
    let now = to.now();
    let rows = owned.into_iter().map(|(resource, skill, level)| {
        sql!(
            "INSERT INTO resource_skills (id, resource_id, skill_id, proficiency, created_at, server_version)
             VALUES (:id, :resource, :skill, :level, :now, 1)",
            id = ids.next::<ResourceSkillId>(),
            resource = resource,
            skill = skill,
            level = level,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}

/// Notes what tasks ask of whoever does them.
pub(in crate::import) async fn insert_required(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    required: Vec<(TaskId, SkillId, i64)>,
) -> Result<()> {
    let now = to.now();
    let rows = required.into_iter().map(|(task, skill, level)| {
        sql!(
            "INSERT INTO task_skill_requirements (id, task_id, skill_id, min_proficiency, created_at, server_version)
             VALUES (:id, :task, :skill, :level, :now, 1)",
            id = ids.next::<RequirementId>(),
            task = task,
            skill = skill,
            level = level,
            now = now,
        )
    });
    to.run_each(Box::new(rows)).await
}
