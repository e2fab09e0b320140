//! Rows that come into a project that is there already, with everything that single writes would tell of them.
//! A file or a template brings them; taking them back leaves what somebody changed since.

use std::collections::HashMap;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{
    BaselineId, CustomFieldId, LabelId, ProgramId, ProjectId, ResourceId, TaskId, UserId,
};
use planwright_domain::words::{SourceKind, Word};
use planwright_store::outbox::{Event, Message};
use planwright_store::{Result, Tx};
use planwright_web::{ApiError, ApiResult};
use serde_json::json;
use uuid::Uuid;

use super::calendars::Calendars;
use super::ids::Ids;
use super::model::{
    ImportedBaseline, ImportedField, ImportedLabel, ImportedLink, ImportedProject, ImportedRosterEntry,
    Subtree,
};
use super::slices::Slices;
use super::{Origin, announce_tasks, around, calendars, queries, resources};
use crate::baseline_events::StoredBaseline;
use crate::dependencies::commands;
use crate::dependencies::model::NewLink;
use crate::edit::Edit;
use crate::span;
use crate::tasks::facets::labels::name_key;
use crate::tasks::write::deletion::{self, Drawer};
use crate::tasks::write::deletion_queries::records_in_parts;
use crate::tasks::write::queries::{last_position, reserve_short_ids};
use crate::tasks::write::validate::Owner;
use crate::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext, short_id};

/// What brings the rows.
#[derive(Clone, Debug)]
pub struct Source {
    /// What kind of source it is.
    pub kind: SourceKind,
    /// Which file or template it is.
    pub id: Uuid,
    /// The version of the template; empty for a file.
    pub version: String,
}

/// What came into a project.
#[derive(Clone, Debug, Default)]
pub struct Appended {
    /// The tasks, in the order of the plan.
    pub tasks: Vec<TaskId>,
    /// For each link of the plan, why it was not made.
    pub links: Vec<Option<&'static str>>,
    /// How many resources were assigned.
    pub resources: usize,
    /// The names of baselines that the project has already, so that those of the plan were left out.
    pub baselines_left_out: Vec<String>,
}

impl Appended {
    /// How many links were made.
    pub fn links_made(&self) -> usize {
        self.links.iter().filter(|refusal| refusal.is_none()).count()
    }
}

/// What became of rows that were to be taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// How many were deleted.
    pub deleted: usize,
    /// How many stay because somebody changed them since.
    pub kept: usize,
}

/// Brings the rows of the first project of a plan into the project of an edit, below what is there.
///
/// # Errors
/// 400 on `file` when the durations and lags of the project would add up to more than a plan may have.
pub async fn append(edit: &mut Edit, source: &Source, plan: &Subtree) -> ApiResult<Appended> {
    let Some(incoming) = plan.projects.first() else { return Ok(Appended::default()) };
    let (project, program, actor) = (edit.project()?, edit.grant.place.program, edit.grant.actor.id);
    let source_of_caller = edit.grant.actor.source.clone();
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let (tx, lock) = edit.plan();
    keep_within_span(tx, project, plan).await?;
    let mut ids = Ids::by(tx.clock());
    let labels = labels_of(tx, &mut ids, project, &incoming.labels).await?;
    let calendars = calendars_of(tx, &mut ids, plan).await?;
    let resources = on_the_roster(tx, &mut ids, project, plan, &calendars).await?;
    let tasks: Vec<TaskId> = ids.several(incoming.tasks.len());
    let origin = Origin { program, creator: actor, kind: source.kind, id: source.id };
    let place = queries::tasks::Place {
        project,
        tasks: &tasks,
        sprints: &[],
        calendars: &calendars,
        origin: &origin,
    };
    let rows = rows(tx, &place, incoming, &resources).await?;
    let rows = rows.into_iter().map(|mut row| {
        row.after.source_version.clone_from(&source.version);
        let start = row.after.planned_start.filter(|start| *start < context.project.start_date);
        PlannedWrite { project_start: start, ..row }
    });
    write::save(tx, lock, &context, rows.collect(), Board::OneForAll).await?;
    let labelled = incoming.tasks.iter().zip(&tasks);
    let pairs = labelled.flat_map(|(task, id)| task.labels.iter().map(|label| (*id, labels[*label])));
    queries::tasks::insert_task_labels(&mut Slices::whole(tx), pairs.collect()).await?;
    let fields = fields_of(tx, &mut ids, project, &incoming.custom_fields).await?;
    let into = (project, None);
    around::bring(&mut Slices::whole(tx), &mut ids, into, &tasks, &fields, &incoming.tasks).await?;
    let wanted: Vec<NewLink> = plan.links.iter().map(|link| wanted(link, &tasks)).collect();
    let outcomes = commands::create_many(tx, lock, actor, &wanted, Board::OneForAll).await?;
    let links = outcomes.into_iter().map(|outcome| outcome.err().map(|refusal| refusal.message())).collect();
    let (baselines, baselines_left_out) = new_baselines(tx, project, &incoming.baselines).await?;
    let none = Calendars::default();
    let (to, rows) = (&mut Slices::whole(tx), (tasks.as_slice(), incoming.tasks.as_slice()));
    let kept = queries::records::insert_baselines(to, &mut ids, (actor, project), rows, &none, &baselines);
    let told = announced(&kept.await?, &baselines, (project, program), (actor, &source_of_caller));
    tx.emit_each(told).await?;
    announce_tasks(tx, project, program, &tasks).await?;
    Ok(Appended { tasks, links, resources: resources.len(), baselines_left_out })
}

/// Deletes rows that came in at once. A row stays when its version is another one by now.
pub async fn take_back(edit: &mut Edit, versions: &HashMap<TaskId, i64>) -> ApiResult<TakenBack> {
    let mut ids: Vec<TaskId> = versions.keys().copied().collect();
    ids.sort_unstable();
    let rows = records_in_parts(edit, &ids).await?;
    let there = rows.len();
    let is_untouched = |row: &TaskRecord| versions.get(&row.id) == Some(&row.server_version);
    let untouched: Vec<TaskRecord> = rows.into_iter().filter(is_untouched).collect();
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let announcer = context.announcer(Board::OneForAll);
    let (tx, lock) = edit.plan();
    let deleted = deletion::delete_all(tx, lock, &announcer, Drawer::TakesThePlace, &untouched).await?;
    let changed: Vec<TaskId> = deleted.taken.iter().chain(&deleted.moved).copied().collect();
    announce_tasks(tx, context.project.id, context.project.program_id, &changed).await?;
    Ok(TakenBack { deleted: deleted.taken.len(), kept: there - untouched.len() })
}

async fn keep_within_span(tx: &Tx, project: ProjectId, plan: &Subtree) -> ApiResult<()> {
    let tasks = plan.projects.iter().flat_map(|project| &project.tasks);
    let durations: i64 = tasks.map(|task| task.duration).sum();
    let lags: i64 = plan.links.iter().map(|link| link.lag.abs()).sum();
    match span::total(tx, project).await? + durations + lags > span::MOST_DAYS {
        true => Err(ApiError::invalid_field("file", span::TOO_LONG)),
        false => Ok(()),
    }
}

/// The labels of a plan in a project: those of the same name, and fresh ones.
async fn labels_of(
    tx: &mut Tx,
    ids: &mut Ids,
    project: ProjectId,
    wanted: &[ImportedLabel],
) -> Result<Vec<LabelId>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let (mut known, mut last) = queries::tasks::labels(tx, project).await?;
    let (mut fresh, mut new) = (Vec::new(), Vec::new());
    let found = wanted.iter().map(|label| {
        *known.entry(name_key(&label.name)).or_insert_with(|| {
            last += 1;
            let id = ids.next();
            fresh.push(id);
            new.push(ImportedLabel { position: last, ..label.clone() });
            id
        })
    });
    let found = found.collect();
    queries::tasks::insert_labels(&mut Slices::whole(tx), project, &fresh, &new).await?;
    Ok(found)
}

/// The fields of a plan in a project: those of the same name and kind, and fresh ones. A field whose name belongs to a
/// field of another kind gets the kind as an addition to its name.
async fn fields_of(
    tx: &mut Tx,
    ids: &mut Ids,
    project: ProjectId,
    wanted: &[ImportedField],
) -> Result<Vec<CustomFieldId>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let known = queries::around::fields(tx, project).await?;
    let (mut found, mut fresh, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for field in wanted {
        let of_name = |name: &str| known.iter().find(|row| row.name_key == name.to_lowercase());
        let name = match of_name(&field.name) {
            Some(row) if row.field_type == field.kind => {
                found.push(row.id);
                continue;
            }
            Some(_) => format!("{} ({})", field.name, field.kind.as_str().to_lowercase().replace('_', " ")),
            None => field.name.clone(),
        };
        match of_name(&name) {
            Some(row) => found.push(row.id),
            None => {
                let id = ids.next();
                found.push(id);
                fresh.push(id);
                new.push(ImportedField { name, ..field.clone() });
            }
        }
    }
    let last = known.iter().map(|row| row.place).max().unwrap_or_default();
    queries::around::insert_fields(&mut Slices::whole(tx), project, &fresh, &new, last).await?;
    Ok(found)
}

/// The baselines of a plan whose names are free, and the names of the others. None of them becomes the active one where there
/// is one already.
async fn new_baselines(
    tx: &Tx,
    project: ProjectId,
    wanted: &[ImportedBaseline],
) -> Result<(Vec<ImportedBaseline>, Vec<String>)> {
    if wanted.is_empty() {
        return Ok(Default::default());
    }
    let known = queries::records::baselines(tx, project).await?;
    let has_active = known.iter().any(|(_, is_active)| *is_active);
    let is_free = |one: &&ImportedBaseline| known.iter().all(|(name, _)| *name != one.name);
    let (free, taken): (Vec<_>, Vec<_>) = wanted.iter().partition(is_free);
    // The calendars of the plan do not come in.
    let kept = |one: &ImportedBaseline| ImportedBaseline {
        is_active: one.is_active && !has_active,
        calendar: None,
        ..one.clone()
    };
    Ok((free.into_iter().map(kept).collect(), taken.into_iter().map(|one| one.name.clone()).collect()))
}

/// What is told of baselines that came in: the same as of those that are captured.
fn announced(
    ids: &[BaselineId],
    baselines: &[ImportedBaseline],
    (project, program): (ProjectId, Option<ProgramId>),
    (creator, source): (UserId, &str),
) -> Vec<Message> {
    let told = |(id, baseline): (&BaselineId, &ImportedBaseline)| {
        let stored = StoredBaseline {
            id: *id,
            name: &baseline.name,
            task_count: baseline.tasks.len() as i64,
            is_dated: baseline.tasks.iter().all(|row| row.start.is_some() && row.finish.is_some()),
            created_by: Some(creator),
            source,
        };
        let event = Event::Socket(SocketEvent::BaselineCreated);
        let payload = json!({ "id": id }).into();
        [stored.captured(project, program), Message { event, project: Some(project), program, payload }]
    };
    ids.iter().zip(baselines).flat_map(told).collect()
}

/// The calendars of a plan, if a resource or a row may have one. The project keeps its own.
async fn calendars_of(tx: &mut Tx, ids: &mut Ids, plan: &Subtree) -> Result<Calendars> {
    let is_named = |incoming: &ImportedProject| incoming.tasks.iter().any(|task| task.calendar.is_some());
    if plan.resources.is_empty() && !plan.projects.first().is_some_and(is_named) {
        return Ok(Calendars::default());
    }
    let shared = Subtree { calendars: plan.calendars.clone(), ..Subtree::default() };
    calendars::find_or_create(tx, ids, None, &shared).await
}

/// The resources of a plan, each on the roster of the project.
async fn on_the_roster(
    tx: &mut Tx,
    ids: &mut Ids,
    project: ProjectId,
    plan: &Subtree,
    calendars: &Calendars,
) -> Result<Vec<ResourceId>> {
    if plan.resources.is_empty() {
        return Ok(Vec::new());
    }
    let found =
        resources::find_or_create(&mut Slices::whole(tx), ids, None, &plan.resources, calendars).await?;
    let there = queries::records::roster(tx, project).await?;
    let missing = found.iter().enumerate().filter(|(_, id)| !there.contains(id));
    let missing: Vec<_> = missing.map(|(place, id)| (*id, ImportedRosterEntry::of(place))).collect();
    queries::records::insert_roster(&mut Slices::whole(tx), ids, project, &missing).await?;
    Ok(found)
}

/// The rows as they are written: behind those at the top, numbered after all others.
async fn rows(
    tx: &mut Tx,
    place: &queries::tasks::Place<'_>,
    incoming: &ImportedProject,
    resources: &[ResourceId],
) -> Result<Vec<PlannedWrite>> {
    let last = last_position(tx, place.project, None).await?;
    let first_number = reserve_short_ids(tx, place.project, place.tasks.len()).await? + 1;
    let row = |(at, task): (usize, &super::model::ImportedTask)| {
        let mut row = queries::tasks::record(tx.now(), place, at, task);
        row.short_id = short_id(first_number + at as i64);
        if row.parent_id.is_none() {
            row.position += last;
        }
        let owners = task.assignments.iter();
        let owners = owners.map(|(resource, units)| Owner { resource: resources[*resource], units: *units });
        PlannedWrite { owners: owners.collect(), ..PlannedWrite::fresh(row) }
    };
    // A row may only stand below one that is there.
    let mut in_order: Vec<_> = incoming.tasks.iter().enumerate().collect();
    in_order.sort_by_key(|(_, task)| task.depth);
    Ok(in_order.into_iter().map(row).collect())
}

fn wanted(link: &ImportedLink, tasks: &[TaskId]) -> NewLink {
    NewLink {
        predecessor: tasks[link.predecessor.task],
        successor: tasks[link.successor.task],
        dep_type: link.kind,
        lag: link.lag,
    }
}
