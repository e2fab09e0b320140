//! Skills of an import: those of the catalogue with the same name, and fresh ones.
//! A skill that is there already is never changed. Fresh ones are hidden until the import is opened.

use std::collections::HashMap;

use planwright_domain::ids::{DeletionId, ResourceId, SkillId, TaskId};
use planwright_domain::skills::normalized;
use planwright_store::{Result, Tx};

use super::ids::Ids;
use super::model::{ImportedSkill, ImportedTask};
use super::queries::skills as queries;
use super::slices::Slices;

/// Notes what fresh resources are good at.
pub(super) async fn of_resources(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    hidden: Option<DeletionId>,
    wanted: &[(ResourceId, &Vec<ImportedSkill>)],
) -> Result<()> {
    let all: Vec<&ImportedSkill> = wanted.iter().flat_map(|(_, skills)| skills.iter()).collect();
    let known = find_or_create(to.tx().await?, ids, hidden, &all).await?;
    let owned = wanted.iter().map(|(resource, skills)| (*resource, skills.as_slice()));
    let pairs = levels(owned, &known);
    queries::insert_owned(to, ids, pairs).await
}

/// Notes what tasks ask of whoever does them.
pub(super) async fn of_tasks(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    hidden: Option<DeletionId>,
    ids_of_tasks: &[TaskId],
    tasks: &[ImportedTask],
) -> Result<()> {
    let all: Vec<&ImportedSkill> = tasks.iter().flat_map(|task| &task.around.skills).collect();
    let known = find_or_create(to.tx().await?, ids, hidden, &all).await?;
    let required = ids_of_tasks.iter().zip(tasks).map(|(id, task)| (*id, task.around.skills.as_slice()));
    let pairs = levels(required, &known);
    queries::insert_required(to, ids, pairs).await
}

/// The first of several skills of one name.
fn once_each(skills: &[ImportedSkill]) -> impl Iterator<Item = &ImportedSkill> {
    skills.iter().enumerate().filter_map(|(at, skill)| {
        let name = normalized(&skill.name);
        let is_first = skills[..at].iter().all(|earlier| normalized(&earlier.name) != name);
        is_first.then_some(skill)
    })
}

/// Whoever has or asks for skills, with each of them and its level.
fn levels<'a, I: Copy>(
    lists: impl Iterator<Item = (I, &'a [ImportedSkill])>,
    known: &HashMap<String, SkillId>,
) -> Vec<(I, SkillId, i64)> {
    lists
        .flat_map(|(of, skills)| {
            once_each(skills).map(move |skill| (of, known[&normalized(&skill.name)], skill.proficiency))
        })
        .collect()
}

async fn find_or_create(
    tx: &mut Tx,
    ids: &mut Ids,
    hidden: Option<DeletionId>,
    wanted: &[&ImportedSkill],
) -> Result<HashMap<String, SkillId>> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let mut known = queries::skills(tx, hidden).await?;
    let mut fresh = Vec::new();
    for skill in wanted {
        known.entry(normalized(&skill.name)).or_insert_with(|| {
            let id = ids.next();
            fresh.push((id, *skill));
            id
        });
    }
    queries::insert_skills(tx, hidden, &fresh).await?;
    Ok(known)
}
