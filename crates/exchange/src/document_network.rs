//! Turns a document into plain rows, of which the builder of stored plans makes a network of the engine.
//! It computes no date, and decides nothing about who takes part.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use planwright_domain::ids::{CalendarId, DependencyId, ProjectId, TaskId};
use planwright_domain::words as domain;
use planwright_domain::words::{LagCalendar, Methodology, SprintState};
use planwright_engine as engine;
use planwright_plan::schedule::network::{self as builder, CompletedSprint, Frames};
use planwright_plan::schedule::queries::{LinkInput, ProjectInput, TaskInput};
use planwright_plan_files::seed::model::{Estimate, Project, Task};
use planwright_plan_files::seed::outline::Outline;
use planwright_plan_files::seed::{Document, TaskReference, engine_calendar, engine_day};
use uuid::Uuid;

/// A network and where its tasks and links stand in the document.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What the engine computes on. Its projects and calendars are those of the document, in order; calendars with
    /// overlays follow.
    pub network: engine::Network,
    /// One entry per task of the network.
    pub rows: Vec<Row>,
    /// One entry per link of the network: position of the project, and in its dependencies.
    pub links: Vec<(usize, usize)>,
}

/// Where a task of the network stands in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Position among the projects.
    pub project: usize,
    /// Position among that project's tasks.
    pub task: usize,
    /// Whether it sums up rows below it.
    pub is_summary: bool,
}

/// The network of all projects of a document, made of the same plain rows as that of a stored plan. `lag_calendar` overrules
/// what the projects say.
pub fn network(document: &Document, lag_calendar: Option<LagCalendar>) -> Plan {
    let mut rows =
        Rows { calendars: document.calendars.iter().map(engine_calendar).collect(), ..Rows::default() };
    for (index, project) in document.projects.iter().enumerate() {
        rows.add_project(document, index, project, lag_calendar);
    }
    for (index, project) in document.projects.iter().enumerate() {
        rows.add_links(index, project);
    }
    let Rows { projects, tasks, places, sums_up, links, link_places, frames, calendars } = rows;
    let own = (0..document.calendars.len()).map(|place| (calendar_id(place), place)).collect();
    let built = builder::Plan::of(projects, tasks, links, Frames::new(calendars, frames, own));
    let row = |at: &usize| {
        let (project, task) = places[*at];
        Row { project, task, is_summary: sums_up.contains(&built.tasks[*at].id) }
    };
    let kept = built.links.iter().map(|link| link_places[link.id.0.as_u128() as usize]);
    Plan { rows: built.of_node.iter().map(row).collect(), links: kept.collect(), network: built.network }
}

/// The plain rows of a document, with their places in it.
#[derive(Default)]
struct Rows {
    projects: Vec<ProjectInput>,
    tasks: Vec<TaskInput>,
    /// For each task its project and its place there.
    places: Vec<(usize, usize)>,
    /// The tasks that sum up others.
    sums_up: HashSet<TaskId>,
    links: Vec<LinkInput>,
    /// For each link its project and its place there; a link's id is its place in this list.
    link_places: Vec<(usize, usize)>,
    frames: Vec<engine::ProjectFrame>,
    calendars: Vec<engine::Calendar>,
}

impl Rows {
    fn add_project(
        &mut self,
        document: &Document,
        index: usize,
        project: &Project,
        lag_calendar: Option<LagCalendar>,
    ) {
        let id = ProjectId(Uuid::from_u128(index as u128));
        let lags = lag_calendar.unwrap_or_else(|| document.lag_calendar_of(project));
        let calendar = self.calendar_of(document, project);
        self.frames.push(engine::ProjectFrame { calendar, ..frame(document, project, lags) });
        self.projects.push(ProjectInput {
            id,
            program_id: None,
            start_date: project.start_date,
            status_date: project.status_date,
            lag_calendar: lags,
            calendar_id: None,
        });
        let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
        let sprints: HashMap<&str, NaiveDate> =
            project.sprints.iter().map(|sprint| (sprint.slug.as_str(), sprint.start_date)).collect();
        for (at, task) in project.tasks.iter().enumerate() {
            let parent = outline.parent(at).map(|parent| task_id(project, &project.tasks[parent]));
            self.sums_up.extend(parent.filter(|_| !task.is_subtask));
            self.places.push((index, at));
            self.tasks.push(TaskInput {
                project_id: id,
                parent_id: parent,
                calendar_id: task
                    .calendar
                    .as_ref()
                    .and_then(|slug| place_of(document, slug))
                    .map(calendar_id),
                sprint_start: task.sprint.as_deref().and_then(|sprint| sprints.get(sprint).copied()),
                ..task_input(project, task)
            });
        }
    }

    /// The place of the calendar that a project works on: one of the document, or one with overlays that is added.
    fn calendar_of(&mut self, document: &Document, project: &Project) -> Option<usize> {
        let base = project.calendar.as_ref().and_then(|slug| place_of(document, slug));
        let overlays: Vec<usize> =
            project.overlays.iter().filter_map(|overlay| place_of(document, &overlay.calendar)).collect();
        if overlays.is_empty() {
            return base;
        }
        let whole = base.map(|place| self.calendars[place].clone()).unwrap_or_default();
        let composed = whole.with_overlays(overlays.iter().map(|place| &self.calendars[*place]));
        self.calendars.push(composed);
        Some(self.calendars.len() - 1)
    }

    fn add_links(&mut self, index: usize, project: &Project) {
        for (at, dependency) in project.dependencies.iter().enumerate() {
            let end = |end: &TaskReference| TaskId(Uuid::from_u128(stable_id(&end.project, &end.wbs_path)));
            self.links.push(LinkInput {
                id: DependencyId(Uuid::from_u128(self.link_places.len() as u128)),
                predecessor_id: end(&dependency.predecessor),
                successor_id: end(&dependency.successor),
                dep_type: dependency.kind,
                lag: i64::from(dependency.lag),
                is_driving: false,
            });
            self.link_places.push((index, at));
        }
    }
}

/// The place of a calendar in a document.
fn place_of(document: &Document, slug: &str) -> Option<usize> {
    document.calendars.iter().position(|calendar| calendar.slug == *slug)
}

/// What the calendar at a place is called in plain rows.
fn calendar_id(place: usize) -> CalendarId {
    CalendarId(Uuid::from_u128(place as u128))
}

fn frame(document: &Document, project: &Project, lags: domain::LagCalendar) -> engine::ProjectFrame {
    let calendar = project.calendar.as_ref().and_then(|slug| place_of(document, slug));
    let weekdays = calendar.map_or(5, |index| document.calendars[index].working_days.count_ones());
    let completed = project.sprints.iter().filter(|sprint| sprint.state == SprintState::Completed);
    let sprints = completed.filter_map(|sprint| {
        let points = i64::from(sprint.completed_points.filter(|_| !sprint.record.exclude_from_velocity)?);
        Some(CompletedSprint { start: sprint.start_date, finish: sprint.finish_date, points })
    });
    engine::ProjectFrame {
        start: engine_day(project.start_date),
        data_date: project.status_date.map(engine_day),
        calendar,
        lag_calendar: builder::lag_calendar(lags),
        velocity: builder::velocity(sprints.collect(), weekdays),
    }
}

/// A row of a document as a plain row, apart from where it stands.
fn task_input(project: &Project, task: &Task) -> TaskInput {
    let leg = |leg: fn(&Estimate) -> u32| task.estimate.as_ref().map(|all| i64::from(leg(all)));
    let usual = match project.methodology {
        Methodology::Agile => domain::DeliveryMode::Scrum,
        _ => domain::DeliveryMode::Waterfall,
    };
    TaskInput {
        id: task_id(project, task),
        project_id: ProjectId(Uuid::nil()),
        parent_id: None,
        position: 0,
        has_place: true,
        is_subtask: task.is_subtask,
        is_recurring: task.around.recurrence.is_some() || task.around.occurrence.is_some(),
        r#type: task.kind,
        status: task.status,
        delivery_mode: task.delivery_mode.unwrap_or(usual),
        is_milestone: task.is_milestone,
        duration: i64::from(task.duration),
        percent_complete: task.percent_done(),
        planned_start: task.planned_start,
        deadline: task.deadline,
        constraint_type: task.constraint.map(|(kind, _)| kind),
        constraint_date: task.constraint.and_then(|(_, date)| date),
        calendar_id: None,
        actual_start: task.actual_start,
        actual_finish: task.actual_finish,
        optimistic_duration: leg(|all| all.optimistic),
        most_likely_duration: leg(|all| all.most_likely),
        pessimistic_duration: leg(|all| all.pessimistic),
        story_points: task.story_points.map(i64::from),
        remaining_points: task.remaining_points.map(i64::from),
        assignee_id: None,
        sprint_start: None,
    }
}

fn task_id(project: &Project, task: &Task) -> TaskId {
    TaskId(Uuid::from_u128(stable_id(&project.slug, &task.wbs_path)))
}

/// A number that depends on the row's name alone (FNV-1a, 128 bits), so that adding a row changes nothing that is
/// drawn or ordered by the ids of the others.
fn stable_id(project: &str, path: &str) -> u128 {
    const BASIS: u128 = 0x6c62272e07bb014262b821756295c58d;
    const PRIME: u128 = 0x0000000001000000000000000000013b;
    let bytes = project.bytes().chain([b':']).chain(path.bytes());
    bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}
