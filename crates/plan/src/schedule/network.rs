//! From rows to the engine's network: which tasks take part, on which calendar, under which summary.
//! Epics, backlog items and recurring templates take no part (engine, Excluded); a drawer subtask does, but its task is no
//! summary of it: only what is a phase is computed from what is below.

use super::calendars::{self, InForce};
use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use planwright_domain::days::{from_day_number, to_day_number};
use planwright_domain::ids::{CalendarId, ProjectId, TaskId};
use planwright_domain::words::{
    ConstraintType, DeliveryMode, DependencyType, LagCalendar, TaskStatus, TaskType,
};
use planwright_engine as engine;
use planwright_store::{Read, Result};

use super::queries::{self, LinkInput, ProjectInput, TaskInput};
use crate::settings::PlanSettings;

/// The rows of one computation and the network they became.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The projects, in the order of the network's frames.
    pub projects: Vec<ProjectInput>,
    /// Every live task, those that take no part included.
    pub tasks: Vec<TaskInput>,
    /// Every link, in the order of the network's links.
    pub links: Vec<LinkInput>,
    /// For each task of the network its place in `tasks`.
    pub of_node: Vec<usize>,
    /// What the engine computes on.
    pub network: engine::Network,
    /// Where in it the calendars stand that tasks have of their own.
    pub own_calendars: OwnCalendars,
}

/// The calendars that tasks have of their own, by their places among those of a network.
pub type OwnCalendars = HashMap<CalendarId, usize>;

/// Days from 1970-01-01, as the engine counts.
pub fn day(date: NaiveDate) -> engine::Day {
    engine::Day(to_day_number(date))
}

/// The calendar of lags, as the engine calls it.
pub fn lag_calendar(calendar: LagCalendar) -> engine::LagCalendar {
    match calendar {
        LagCalendar::Successor => engine::LagCalendar::Successor,
        LagCalendar::Predecessor => engine::LagCalendar::Predecessor,
        LagCalendar::Project => engine::LagCalendar::Project,
        LagCalendar::Elapsed => engine::LagCalendar::Elapsed,
    }
}

/// The date of a stored day number; none outside the years 1 to 9999, which have no place in an answer.
pub fn date(day: i32) -> Option<NaiveDate> {
    from_day_number(day)
}

/// Reads the projects and what belongs to them.
pub async fn load(
    db: &dyn Read,
    projects: Vec<ProjectInput>,
    settings: &PlanSettings,
    today: NaiveDate,
) -> Result<Plan> {
    let ids: Vec<ProjectId> = projects.iter().map(|project| project.id).collect();
    let tasks = queries::tasks(db, &ids).await?;
    let links = queries::links(db, &ids).await?;
    let frames = Frames::read(db, &projects, settings, today).await?;
    Ok(Plan::of(projects, tasks, links, frames))
}

/// What the projects of a computation give it besides their rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    calendars: Vec<engine::Calendar>,
    projects: Vec<engine::ProjectFrame>,
    own_calendars: OwnCalendars,
}

/// A sprint that was completed, for the velocity of its project.
#[derive(Clone, Copy, Debug)]
pub struct CompletedSprint {
    /// Its first day.
    pub start: NaiveDate,
    /// Its last day.
    pub finish: NaiveDate,
    /// The points that were done in it.
    pub points: i64,
}

/// Velocity is drawn from the latest sprints only.
const SPRINTS_THAT_COUNT: usize = 8;

/// What the completed sprints of a project say of its velocity; nothing without any. A typical sprint counts as many working
/// days as the week of the project's calendar has.
pub fn velocity(mut sprints: Vec<CompletedSprint>, weekdays: u32) -> Option<engine::Velocity> {
    sprints.sort_by_key(|sprint| std::cmp::Reverse(sprint.finish));
    sprints.truncate(SPRINTS_THAT_COUNT);
    let mut lengths: Vec<i64> = sprints.iter().map(|s| (s.finish - s.start).num_days() + 1).collect();
    lengths.sort_unstable();
    let typical = *lengths.get(lengths.len() / 2)?;
    let working = (typical * i64::from(weekdays) + 3) / 7;
    Some(engine::Velocity {
        samples: sprints.iter().map(|sprint| sprint.points as f64).collect(),
        sprint_days: i32::try_from(working).unwrap_or(i32::MAX).max(1),
    })
}

impl Frames {
    /// Calendars, and the projects and tasks that stand on them.
    pub fn new(
        calendars: Vec<engine::Calendar>,
        projects: Vec<engine::ProjectFrame>,
        own_calendars: OwnCalendars,
    ) -> Self {
        Self { calendars, projects, own_calendars }
    }

    /// How many weekdays are worked in the project of a frame; five where no calendar says otherwise.
    pub fn weekdays(network: &engine::Network, frame: usize) -> u32 {
        let calendar = network.projects[frame].calendar.map(|at| &network.calendars[at]);
        calendar.map_or(5, |calendar| calendar.working_weekdays.count_ones())
    }

    /// Whether a network stands within these already.
    pub(super) fn surround(&self, network: &engine::Network, own_calendars: &OwnCalendars) -> bool {
        let is_same = self.calendars == network.calendars && self.projects == network.projects;
        is_same && self.own_calendars == *own_calendars
    }

    /// A network within these instead of its own, with the rows of its tasks, and where their calendars stand now.
    pub(super) fn around<'t>(
        self,
        network: engine::Network,
        rows: impl Iterator<Item = &'t TaskInput>,
    ) -> (engine::Network, OwnCalendars) {
        let Self { calendars, projects, own_calendars } = self;
        let mut network = engine::Network { calendars, projects, ..network };
        for (task, row) in network.tasks.iter_mut().zip(rows) {
            task.calendar = own_calendar(row, &own_calendars);
        }
        (network, own_calendars)
    }
}

impl Frames {
    /// Reads the calendars of the projects, and makes their frames.
    pub async fn read(
        db: &dyn Read,
        projects: &[ProjectInput],
        settings: &PlanSettings,
        today: NaiveDate,
    ) -> Result<Self> {
        let mut frames = Self::default();
        let InForce { of_projects, of_tasks } = calendars::in_force(db, projects).await?;
        for project in projects {
            let data_date = settings.data_date(project.status_date, today);
            let calendar = of_projects.get(&project.id).map(|calendar| {
                frames.calendars.push(calendar.clone());
                frames.calendars.len() - 1
            });
            frames.projects.push(engine::ProjectFrame {
                data_date: data_date.map(day),
                calendar,
                lag_calendar: lag_calendar(project.lag_calendar),
                ..engine::ProjectFrame::starting(day(project.start_date))
            });
        }
        for (id, calendar) in of_tasks {
            frames.own_calendars.insert(id, frames.calendars.len());
            frames.calendars.push(calendar);
        }
        Ok(frames)
    }
}

impl Plan {
    /// The network of rows that were read.
    pub fn of(
        projects: Vec<ProjectInput>,
        tasks: Vec<TaskInput>,
        links: Vec<LinkInput>,
        frames: Frames,
    ) -> Self {
        let Frames { calendars, projects: of_projects, own_calendars } = frames;
        let mut network = engine::Network { calendars, projects: of_projects, ..engine::Network::default() };
        let of_node = add_tasks(&mut network, &projects, &tasks, &own_calendars);
        let links = add_links(&mut network, &tasks, &of_node, links);
        Self { projects, tasks, links, of_node, network, own_calendars }
    }
}

impl TaskInput {
    /// What the shape of the network depends on.
    pub fn shape(&self) -> impl PartialEq + use<> {
        let placed = (self.parent_id, self.position, self.has_place, self.is_subtask);
        (self.id, self.project_id, placed, takes_part(self))
    }
}

/// Whether a row is part of the schedule.
fn takes_part(task: &TaskInput) -> bool {
    !task.is_recurring && task.r#type != TaskType::Epic && task.status != TaskStatus::Backlog
}

/// The row that sums up a row; none sums up a drawer subtask.
fn structural_parent(task: &TaskInput) -> Option<TaskId> {
    task.parent_id.filter(|_| !task.is_subtask)
}

/// Rows of the schedule, without summaries of nothing but rows that are not: those have no dates to sum up, and as tasks
/// of their own they would be work that nobody does.
fn rows_that_take_part(tasks: &[TaskInput], by_id: &HashMap<TaskId, usize>) -> Vec<usize> {
    let structural = || tasks.iter().filter(|task| !task.is_subtask);
    let parents: HashSet<TaskId> = tasks.iter().filter_map(structural_parent).collect();
    let (mut sums_up_rows, mut sums_up_work) = (vec![false; tasks.len()], vec![false; tasks.len()]);
    for leaf in structural().filter(|task| !parents.contains(&task.id)) {
        let marks = if takes_part(leaf) { &mut sums_up_work } else { &mut sums_up_rows };
        let mut above = leaf.parent_id.and_then(|parent| by_id.get(&parent).copied());
        // Above a marked row everything is marked, which also ends the walk where rows contain each other.
        while let Some(at) = above.filter(|at| !marks[*at]) {
            marks[at] = true;
            above = structural_parent(&tasks[at]).and_then(|parent| by_id.get(&parent).copied());
        }
    }
    let is_hollow = |at: usize| sums_up_rows[at] && !sums_up_work[at];
    (0..tasks.len()).filter(|at| takes_part(&tasks[*at]) && !is_hollow(*at)).collect()
}

fn add_tasks(
    network: &mut engine::Network,
    projects: &[ProjectInput],
    tasks: &[TaskInput],
    own_calendars: &OwnCalendars,
) -> Vec<usize> {
    let frame_of: HashMap<ProjectId, usize> =
        projects.iter().enumerate().map(|(at, project)| (project.id, at)).collect();
    let by_id: HashMap<TaskId, usize> = tasks.iter().enumerate().map(|(at, task)| (task.id, at)).collect();
    let of_node = rows_that_take_part(tasks, &by_id);
    let node_of: HashMap<usize, usize> = of_node.iter().enumerate().map(|(node, at)| (*at, node)).collect();
    for at in &of_node {
        let task = &tasks[*at];
        let above = |of: usize| structural_parent(&tasks[of]).and_then(|parent| by_id.get(&parent).copied());
        // A row below one that takes no part hangs on the nearest one that does; the bound guards against circles.
        let parent = std::iter::successors(above(*at), |parent| above(*parent))
            .take(tasks.len())
            .find_map(|ancestor| node_of.get(&ancestor).copied());
        network.tasks.push(engine_task(task, frame_of[&task.project_id], parent, own_calendars));
    }
    of_node
}

/// A row as the engine takes it.
pub(super) fn engine_task(
    task: &TaskInput,
    project: usize,
    parent: Option<usize>,
    own_calendars: &OwnCalendars,
) -> engine::Task {
    let estimate = task.optimistic_duration.zip(task.most_likely_duration).zip(task.pessimistic_duration);
    let sprint_start = task.sprint_start.filter(|_| !task.is_milestone);
    let points = task.remaining_points.or(task.story_points);
    engine::Task {
        project,
        parent,
        calendar: own_calendar(task, own_calendars),
        planned_start: task.planned_start.or(sprint_start).map(day),
        deadline: task.deadline.map(day),
        constraint: constraint(task),
        actual_start: task.actual_start.map(day),
        actual_finish: task.actual_finish.map(day),
        percent_complete: task.percent_complete,
        estimate: estimate.filter(|_| !task.is_milestone).map(|((o, m), p)| engine::ThreePoint {
            optimistic: o as f64,
            most_likely: m as f64,
            pessimistic: p as f64,
        }),
        story_points: points
            .filter(|_| task.delivery_mode == DeliveryMode::Scrum && !task.is_milestone)
            .map(|points| points as f64),
        ..engine::Task::new(task.id.0.as_u128(), i32::try_from(task.duration).unwrap_or(i32::MAX))
    }
}

/// Where the calendar stands that a row has of its own.
fn own_calendar(task: &TaskInput, own_calendars: &OwnCalendars) -> Option<usize> {
    task.calendar_id.and_then(|id| own_calendars.get(&id).copied())
}

/// The constraint of a row; one that lacks its date constrains nothing.
fn constraint(task: &TaskInput) -> Option<engine::Constraint> {
    use engine::Constraint as Engine;
    let dated: fn(engine::Day) -> Engine = match task.constraint_type? {
        ConstraintType::AsLateAsPossible => return Some(Engine::AsLateAsPossible),
        ConstraintType::StartNoEarlierThan => Engine::StartNoEarlierThan,
        ConstraintType::StartNoLaterThan => Engine::StartNoLaterThan,
        ConstraintType::FinishNoEarlierThan => Engine::FinishNoEarlierThan,
        ConstraintType::FinishNoLaterThan => Engine::FinishNoLaterThan,
        ConstraintType::MustStartOn => Engine::MustStartOn,
        ConstraintType::MustFinishOn => Engine::MustFinishOn,
        ConstraintType::StartOn => Engine::StartOn,
        ConstraintType::FinishOn => Engine::FinishOn,
    };
    task.constraint_date.map(|date| dated(day(date)))
}

/// Links whose ends take part; the others hold nothing.
fn add_links(
    network: &mut engine::Network,
    tasks: &[TaskInput],
    of_node: &[usize],
    links: Vec<LinkInput>,
) -> Vec<LinkInput> {
    let node_of: HashMap<TaskId, usize> =
        of_node.iter().enumerate().map(|(node, at)| (tasks[*at].id, node)).collect();
    let mut kept = Vec::with_capacity(links.len());
    for link in links {
        let ends = node_of.get(&link.predecessor_id).zip(node_of.get(&link.successor_id));
        if let Some((predecessor, successor)) = ends {
            network.links.push(engine::Link {
                kind: match link.dep_type {
                    DependencyType::FinishToStart => engine::LinkKind::FinishToStart,
                    DependencyType::StartToStart => engine::LinkKind::StartToStart,
                    DependencyType::FinishToFinish => engine::LinkKind::FinishToFinish,
                    DependencyType::StartToFinish => engine::LinkKind::StartToFinish,
                },
                lag: i32::try_from(link.lag).unwrap_or(i32::MAX),
                ..engine::Link::new(*predecessor, *successor)
            });
            kept.push(link);
        }
    }
    kept
}
