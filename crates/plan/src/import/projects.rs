//! One project of an import: its shell, then everything inside it, in as few statements as there are tables.
//! What ties it to other projects comes afterwards.

use planwright_domain::ids::{CustomFieldId, DeletionId, LabelId, ResourceId, SprintId, TaskId};
use planwright_store::Result;

use super::calendars::Calendars;
use super::ids::Ids;
use super::model::{ImportedProject, ImportedTask};
use super::slices::Slices;
use super::{BuiltProject, Origin, around, queries};
use crate::containers::{NewProject, ProjectRow, create_hidden};

/// Creates a project with its labels, tasks, sprints, roster, risks and baselines. Nobody sees it before it is opened.
pub(super) async fn create(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    (origin, act): (&Origin, DeletionId),
    plan: &ImportedProject,
    calendars: &Calendars,
    resources: &[ResourceId],
) -> Result<(ProjectRow, BuiltProject)> {
    let container =
        NewProject { program_id: origin.program, calendar_id: calendars.of(plan), ..plan.fields.clone() };
    let row = create_hidden(to.tx().await?, origin.creator, container, act).await?;
    let project = row.id;
    let labels: Vec<LabelId> = ids.several(plan.labels.len());
    let tasks: Vec<TaskId> = ids.several(plan.tasks.len());
    let sprints: Vec<SprintId> = ids.several(plan.sprints.len());
    let place = queries::tasks::Place { project, tasks: &tasks, sprints: &sprints, calendars, origin };
    queries::tasks::insert_labels(to, project, &labels, &plan.labels).await?;
    to.phase("tasks", plan.tasks.len()).await?;
    queries::tasks::insert_tasks(to, &place, &plan.tasks).await?;
    to.phase("surroundings", rows_around(plan)).await?;
    queries::tasks::insert_sprints(to, &place, &plan.sprints).await?;
    queries::tasks::count_short_ids(to, project, plan.tasks.len() + plan.sprints.len()).await?;
    let labelled = plan.tasks.iter().zip(&tasks);
    let pairs = labelled.flat_map(|(task, id)| task.labels.iter().map(|label| (*id, labels[*label])));
    queries::tasks::insert_task_labels(to, pairs.collect()).await?;
    let roster: Vec<_> = plan.roster.iter().map(|entry| (resources[entry.resource], entry.clone())).collect();
    queries::records::insert_roster(to, ids, project, &roster).await?;
    let assigned = plan.tasks.iter().zip(&tasks);
    let shares = assigned.flat_map(|(task, id)| {
        task.assignments.iter().map(|(resource, units)| (*id, resources[*resource], *units))
    });
    queries::records::insert_allocations(to, ids, shares.collect()).await?;
    let risks = ids.several(plan.risks.len());
    queries::records::insert_risks(to, project, &risks, &plan.risks).await?;
    queries::records::insert_baselines(
        to,
        ids,
        (origin.creator, project),
        (&tasks, &plan.tasks),
        calendars,
        &plan.baselines,
    )
    .await?;
    let fields: Vec<CustomFieldId> = ids.several(plan.custom_fields.len());
    queries::around::insert_fields(to, project, &fields, &plan.custom_fields, 0).await?;
    around::bring(to, ids, (project, Some(act)), &tasks, &fields, &plan.tasks).await?;
    queries::around::insert_layers(to, project, &calendars.layers_of(plan)).await?;
    Ok((row, BuiltProject { id: project, tasks, sprints, risks }))
}

/// How many rows stand around the tasks of a project.
fn rows_around(plan: &ImportedProject) -> usize {
    let of_task = |task: &ImportedTask| {
        let around = &task.around;
        let many =
            [&task.labels.len(), &task.assignments.len(), &around.criteria.len(), &around.skills.len()];
        many.into_iter().sum::<usize>() + around.values.len() + usize::from(task.parent_epic.is_some())
    };
    let frozen = plan.baselines.iter().map(|baseline| 1 + baseline.tasks.len());
    let lists = [plan.sprints.len(), plan.roster.len(), plan.risks.len(), plan.custom_fields.len()];
    plan.tasks.iter().map(of_task).chain(frozen).chain(lists).sum()
}
