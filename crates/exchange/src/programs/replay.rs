//! The events of a document as back-dated history: what happened before the import, on the rows that came of it.
//! An event about nothing that is there, or that no field of a row shows, stays what it is: a part of the export.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::{ChangeKind, EventAction, TaskStatus, Word};
use planwright_plan::import::Built;
use planwright_plan::import::slices::Slices;
use planwright_plan::tasks::transitions::{PastTransition, note_past};
use planwright_plan_files::seed::model::{Account, Document, Task};
use planwright_store::Result;
use planwright_store::history::Change;
use serde_json::{Map, Value as Json, json};

use super::intake::Importer;
use super::leftovers::{PastEvent, Target};

/// Writes the events of an import into the history, the oldest first.
pub(super) async fn replay(
    rows: &mut Slices<'_>,
    document: &Document,
    built: &Built,
    importer: &Importer,
    events: &[PastEvent],
) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let past = Past::of(document, built, importer, events, rows.now());
    for part in in_parts(past.transitions, rows.part()) {
        let count = part.len();
        note_past(rows.tx().await?, part).await?;
        rows.wrote(count).await?;
    }
    for part in in_parts(past.changes, rows.part()) {
        let count = part.len();
        rows.tx().await?.record_each(part).await?;
        rows.wrote(count).await?;
    }
    rows.pause().await
}

/// A list in the parts in which it is written.
fn in_parts<T>(list: Vec<T>, most: usize) -> impl Iterator<Item = Vec<T>> {
    let mut rest = list.into_iter();
    std::iter::from_fn(move || {
        Some(rest.by_ref().take(most).collect::<Vec<T>>()).filter(|part| !part.is_empty())
    })
}

/// What there is to write.
#[derive(Debug, Default)]
struct Past {
    changes: Vec<Change>,
    transitions: Vec<PastTransition>,
}

/// A task that events speak of.
struct Place<'d> {
    project: ProjectId,
    task: &'d Task,
    sprint: Option<SprintId>,
}

impl Past {
    /// Nothing of the past happened later than now.
    fn of(
        document: &Document,
        built: &Built,
        importer: &Importer,
        events: &[PastEvent],
        now: DateTime<Utc>,
    ) -> Self {
        let (tasks, homes) = places(document, built);
        let is_importer = |account: &Account| account.username == importer.username;
        let importers: Vec<&str> =
            document.accounts.iter().filter(|one| is_importer(one)).map(|one| one.slug.as_str()).collect();
        let mut in_order: Vec<&PastEvent> = events.iter().filter(|past| past.event.at <= now).collect();
        in_order.sort_by_key(|past| past.event.at);
        let mut past = Self::default();
        let mut status: HashMap<TaskId, TaskStatus> = HashMap::new();
        for PastEvent { event, target } in in_order {
            let actor = event.actor.as_deref().filter(|slug| importers.contains(slug)).map(|_| importer.id);
            let before = match target {
                Target::Task(task) => status.get(task).copied(),
                _ => None,
            };
            let fields = fields(event, before);
            if let (Target::Task(id), EventAction::TaskStatus) = (target, event.action)
                && let (Some(place), Some(new)) = (tasks.get(id), word(&event.to))
            {
                let old = word(&event.from).or(before).unwrap_or(TaskStatus::NotStarted);
                if old != new {
                    past.transitions.push(transition(*id, place, event.at, actor, (old, new)));
                }
                status.insert(*id, new);
            }
            let home = home(target, &tasks, &homes);
            if let (Some((entity, id, project)), false) = (home, fields.is_empty()) {
                let change = Change::of(entity, id, ChangeKind::Updated, actor);
                past.changes.push(Change { project: Some(project), at: Some(event.at), fields, ..change });
            }
        }
        past
    }
}

fn transition(
    task: TaskId,
    place: &Place<'_>,
    at: DateTime<Utc>,
    actor: Option<UserId>,
    (old, new): (TaskStatus, TaskStatus),
) -> PastTransition {
    let points = place.task.story_points.map(i64::from);
    PastTransition { project: place.project, task, at, actor, old, new, sprint: place.sprint, points }
}

type Homes = HashMap<uuid::Uuid, ProjectId>;

/// The tasks of an import, and the projects of its sprints and risks.
fn places<'d>(document: &'d Document, built: &Built) -> (HashMap<TaskId, Place<'d>>, Homes) {
    let (mut tasks, mut homes) = (HashMap::new(), Homes::new());
    for (project, made) in document.projects.iter().zip(&built.projects) {
        let sprints: HashMap<&str, SprintId> = project
            .sprints
            .iter()
            .map(|sprint| sprint.slug.as_str())
            .zip(made.sprints.iter().copied())
            .collect();
        for (task, id) in project.tasks.iter().zip(&made.tasks) {
            let sprint = task.sprint.as_deref().and_then(|slug| sprints.get(slug).copied());
            tasks.insert(*id, Place { project: made.id, task, sprint });
        }
        homes.extend(made.sprints.iter().map(|sprint| (sprint.0, made.id)));
        homes.extend(made.risks.iter().map(|risk| (risk.0, made.id)));
    }
    (tasks, homes)
}

fn home(
    target: &Target,
    tasks: &HashMap<TaskId, Place<'_>>,
    homes: &Homes,
) -> Option<(&'static str, uuid::Uuid, ProjectId)> {
    match target {
        Target::Text => None,
        Target::Project(id) => Some(("project", id.0, *id)),
        Target::Task(id) => Some(("task", id.0, tasks.get(id)?.project)),
        Target::Sprint(id) => Some(("sprint", id.0, *homes.get(&id.0)?)),
        Target::Risk(id) => Some(("risk", id.0, *homes.get(&id.0)?)),
    }
}

fn word(text: &Option<String>) -> Option<TaskStatus> {
    TaskStatus::parse(text.as_deref()?)
}

/// The fields that an event changed, each with its value before and after.
fn fields(
    event: &planwright_plan_files::seed::model::Event,
    before: Option<TaskStatus>,
) -> Map<String, Json> {
    let mut fields = Map::new();
    let mut put = |field: &str, old: Json, new: Json| {
        fields.insert(field.to_owned(), json!([old, new]));
    };
    match event.action {
        EventAction::TaskStatus if word(&event.to).is_some() => {
            let old = word(&event.from).or(before).unwrap_or(TaskStatus::NotStarted);
            put("status", json!(old), json!(word(&event.to)));
        }
        EventAction::RiskStatus if event.to.is_some() => put("status", json!(event.from), json!(event.to)),
        EventAction::TaskAssign => put("assignee", Json::Null, json!(event.assignee)),
        EventAction::TaskEstimate => {
            if let Some(estimate) = &event.estimate {
                put("optimistic_duration", Json::Null, json!(estimate.optimistic));
                put("most_likely_duration", Json::Null, json!(estimate.most_likely));
                put("pessimistic_duration", Json::Null, json!(estimate.pessimistic));
            }
        }
        EventAction::TaskPoints => {
            if let Some(points) = event.points {
                put("story_points", Json::Null, json!(points));
            }
            if let Some(points) = event.remaining_points {
                put("remaining_points", Json::Null, json!(points));
            }
        }
        EventAction::SprintActivate => put("state", json!("PLANNED"), json!("ACTIVE")),
        EventAction::SprintClose => {
            put("state", json!("ACTIVE"), json!("COMPLETED"));
            if let Some(outcome) = event.goal_outcome {
                put("goal_outcome", Json::Null, json!(outcome.as_str()));
            }
        }
        _ => {}
    }
    fields
}
