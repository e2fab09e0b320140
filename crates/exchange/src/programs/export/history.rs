//! The events that an import left behind, told of the rows as they are called now.
//! An event whose task or sprint is gone goes with it, since a document may not speak of what it does not hold.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, RiskId, SprintId};
use planwright_plan_files::seed::model::Event;

use super::Names;
use crate::programs::leftovers::{PastEvent, Target};

pub(super) fn events(
    names: &Names<'_>,
    projects: &[ProjectId],
    sprints: &HashMap<SprintId, String>,
    risks: &HashMap<RiskId, String>,
) -> Vec<Event> {
    let target = |past: &PastEvent| match past.target {
        Target::Text => Some(past.event.target.clone()),
        Target::Project(id) => {
            let at = projects.iter().position(|project| *project == id)?;
            Some(Some(names.project_slugs[at].clone()))
        }
        Target::Task(id) => names.tree.reference(id).map(|reference| Some(reference.to_string())),
        Target::Sprint(id) => sprints.get(&id).cloned().map(Some),
        Target::Risk(id) => risks.get(&id).cloned().map(Some),
    };
    let account = |slug: &Option<String>| slug.clone().filter(|slug| names.people.has(slug));
    let told = |past: &PastEvent| {
        Some(Event {
            target: target(past)?,
            actor: account(&past.event.actor),
            assignee: account(&past.event.assignee),
            ..past.event.clone()
        })
    };
    names.left.events.iter().filter_map(told).collect()
}
