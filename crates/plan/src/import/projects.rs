//! One project of an import: its shell, then everything inside it, in as few statements as there are tables.
//! What ties it to other projects comes afterwards.

use planwright_domain::ids::{CustomFieldId, LabelId, ResourceId, SprintId, TaskId};
use planwright_store::{Result, Tx};

use super::calendars::Calendars;
use super::ids::Ids;
use super::model::ImportedProject;
use super::{BuiltProject, Origin, around, queries};
use crate::containers::{NewProject, create_project};

/// Creates a project with its labels, tasks, sprints, roster, risks and baselines.
pub(super) async fn create(
    tx: &mut Tx,
    ids: &mut Ids,
    origin: &Origin,
    plan: &ImportedProject,
    calendars: &Calendars,
    resources: &[ResourceId],
) -> Result<BuiltProject> {
    let container =
        NewProject { program_id: origin.program, calendar_id: calendars.of(plan), ..plan.fields.clone() };
    let project = create_project(tx, origin.creator, container).await?;
    let labels: Vec<LabelId> = ids.several(plan.labels.len());
    let tasks: Vec<TaskId> = ids.several(plan.tasks.len());
    let sprints: Vec<SprintId> = ids.several(plan.sprints.len());
    let place = queries::tasks::Place { project, tasks: &tasks, sprints: &sprints, origin };
    queries::tasks::insert_labels(tx, project, &labels, &plan.labels).await?;
    queries::tasks::insert_tasks(tx, &place, &plan.tasks).await?;
    queries::tasks::insert_sprints(tx, &place, &plan.sprints).await?;
    queries::tasks::count_short_ids(tx, project, plan.tasks.len() + plan.sprints.len()).await?;
    let labelled = plan.tasks.iter().zip(&tasks);
    let pairs = labelled.flat_map(|(task, id)| task.labels.iter().map(|label| (*id, labels[*label])));
    queries::tasks::insert_task_labels(tx, pairs.collect()).await?;
    let roster: Vec<_> = plan.roster.iter().map(|entry| (resources[entry.resource], entry.clone())).collect();
    queries::records::insert_roster(tx, ids, project, &roster).await?;
    let assigned = plan.tasks.iter().zip(&tasks);
    let shares = assigned.flat_map(|(task, id)| {
        task.assignments.iter().map(|(resource, units)| (*id, resources[*resource], *units))
    });
    queries::records::insert_allocations(tx, ids, shares.collect()).await?;
    let risks = ids.several(plan.risks.len());
    queries::records::insert_risks(tx, project, &risks, &plan.risks).await?;
    queries::records::insert_baselines(tx, ids, origin.creator, project, &tasks, calendars, &plan.baselines)
        .await?;
    let fields: Vec<CustomFieldId> = ids.several(plan.custom_fields.len());
    queries::around::insert_fields(tx, project, &fields, &plan.custom_fields, 0).await?;
    around::bring(tx, ids, project, &tasks, &fields, &plan.tasks).await?;
    Ok(BuiltProject { id: project, tasks, sprints, risks })
}
