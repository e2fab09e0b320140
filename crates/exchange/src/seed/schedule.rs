//! Turns a document into a network of the engine: which rows take part, who is whose summary, what starts when.
//! It computes no date itself.

use std::collections::HashMap;

use chrono::{Datelike, NaiveDate};
use planwright_engine as engine;

use super::model::{Dependency, Document, Project, SchemaVersion, Sprint, Task};
use super::outline::Outline;
use super::vocabulary::{DeliveryMode, DependencyKind, LagCalendar, Methodology, SprintState};

/// Velocity is drawn from the latest sprints only.
const SPRINTS_THAT_COUNT: usize = 8;

/// A network and where its tasks and links stand in the document.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What the engine computes on; its projects and calendars are those of the document, in order.
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

impl Document {
    /// How the lags of a project count when nobody says otherwise: as the project says; without a word from it in
    /// calendar days, which is what versions up to 2.0 meant, later in working days of the successor.
    pub fn lag_calendar_of(&self, project: &Project) -> LagCalendar {
        let SchemaVersion { major, minor } = self.schema_version;
        let unsaid = if major == 2 && minor > 0 { LagCalendar::Successor } else { LagCalendar::Elapsed };
        project.lag_calendar.unwrap_or(unsaid)
    }
}

/// The network of all projects of a document. `lag_calendar` overrules what the projects say.
///
/// A row without rows below it is a task, any other a summary. Epics and backlog items take no part, nor does a
/// summary with nothing but such rows below it; rows below an epic hang on the nearest summary that does. A task of a
/// sprint that has no planned start of its own starts no earlier than the sprint.
pub fn network(document: &Document, lag_calendar: Option<LagCalendar>) -> Plan {
    let mut plan = Plan { network: engine::Network::default(), rows: Vec::new(), links: Vec::new() };
    plan.network.calendars = document.calendars.iter().map(calendar).collect();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, project) in document.projects.iter().enumerate() {
        let lags = lag_calendar.unwrap_or_else(|| document.lag_calendar_of(project));
        let frame = frame(document, project, lags);
        plan.network.projects.push(frame);
        let first = plan.rows.len();
        add_rows(&mut plan, project, index);
        for (place, row) in plan.rows.iter().enumerate().skip(first) {
            places.insert((&project.slug, &project.tasks[row.task].wbs_path), place);
        }
    }
    for (index, project) in document.projects.iter().enumerate() {
        let lags = plan.network.projects[index].lag_calendar;
        for (place, dependency) in project.dependencies.iter().enumerate() {
            let find = |end: &super::TaskReference| {
                places.get(&(end.project.as_str(), end.wbs_path.as_str())).copied()
            };
            let (Some(from), Some(to)) = (find(&dependency.predecessor), find(&dependency.successor)) else {
                continue;
            };
            plan.network.links.push(link(dependency, from, to, lags));
            plan.links.push((index, place));
        }
    }
    plan
}

/// The engine's number of a day.
pub fn engine_day(date: NaiveDate) -> engine::Day {
    engine::Day(date.num_days_from_ce() - 719_163)
}

fn calendar(calendar: &super::model::Calendar) -> engine::Calendar {
    let exceptions = calendar.exceptions.iter().map(|exception| engine::CalendarException {
        first: engine_day(exception.start),
        last: engine_day(exception.end),
        working: exception.working,
    });
    engine::Calendar { working_weekdays: calendar.working_days, exceptions: exceptions.collect() }
}

fn frame(document: &Document, project: &Project, lags: LagCalendar) -> engine::ProjectFrame {
    let named = |slug: &String| document.calendars.iter().position(|calendar| calendar.slug == *slug);
    let calendar = project.calendar.as_ref().and_then(named);
    let week = calendar.map_or(5, |index| document.calendars[index].working_days.count_ones());
    engine::ProjectFrame {
        start: engine_day(project.start_date),
        data_date: project.status_date.map(engine_day),
        calendar,
        lag_calendar: match lags {
            LagCalendar::Successor => engine::LagCalendar::Successor,
            LagCalendar::Predecessor => engine::LagCalendar::Predecessor,
            LagCalendar::Project => engine::LagCalendar::Project,
            LagCalendar::Elapsed => engine::LagCalendar::Elapsed,
        },
        velocity: velocity(&project.sprints, week),
    }
}

fn velocity(sprints: &[Sprint], week_days: u32) -> Option<engine::Velocity> {
    let mut done: Vec<&Sprint> = sprints
        .iter()
        .filter(|sprint| sprint.state == SprintState::Completed && sprint.completed_points.is_some())
        .collect();
    done.sort_by_key(|sprint| std::cmp::Reverse(sprint.finish_date));
    done.truncate(SPRINTS_THAT_COUNT);
    let mut lengths: Vec<i64> = done.iter().map(|s| (s.finish_date - s.start_date).num_days() + 1).collect();
    lengths.sort_unstable();
    let typical = *lengths.get(lengths.len() / 2)?;
    let working = (typical * i64::from(week_days) + 3) / 7;
    Some(engine::Velocity {
        samples: done.iter().filter_map(|sprint| sprint.completed_points).map(f64::from).collect(),
        sprint_days: i32::try_from(working).unwrap_or(i32::MAX).max(1),
    })
}

fn add_rows(plan: &mut Plan, project: &Project, project_index: usize) {
    let tasks = &project.tasks;
    let outline = Outline::of(tasks.iter().map(|task| task.wbs_path.as_str()));
    let phases = Phases::of(tasks, &outline);
    let takes_part = rows_that_take_part(tasks, &phases);
    let first = plan.rows.len();
    let mut places = vec![None; tasks.len()];
    for (index, place) in places.iter_mut().enumerate().filter(|(index, _)| takes_part[*index]) {
        *place = Some(plan.rows.len());
        plan.rows.push(Row { project: project_index, task: index, is_summary: phases.sums_up[index] });
    }
    let sprint_starts =
        project.sprints.iter().map(|sprint| (sprint.slug.as_str(), sprint.start_date)).collect();
    for row in &plan.rows[first..] {
        let parent = phases.above(row.task).filter_map(|ancestor| places[ancestor]).next();
        let task = engine_task(project, &tasks[row.task], row.is_summary, &sprint_starts);
        plan.network.tasks.push(engine::Task { project: project_index, parent, ..task });
    }
}

/// Which rows sum up which: all that have others below them, except that no row sums up a drawer subtask.
struct Phases {
    parents: Vec<Option<usize>>,
    sums_up: Vec<bool>,
}

impl Phases {
    fn of(tasks: &[Task], outline: &Outline) -> Self {
        let parent = |(index, task): (usize, &Task)| outline.parent(index).filter(|_| !task.is_subtask);
        let parents: Vec<Option<usize>> = tasks.iter().enumerate().map(parent).collect();
        let mut sums_up = vec![false; tasks.len()];
        parents.iter().flatten().for_each(|parent| sums_up[*parent] = true);
        Self { parents, sums_up }
    }

    fn above(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parents[index], |parent| self.parents[*parent])
    }
}

fn rows_that_take_part(tasks: &[Task], phases: &Phases) -> Vec<bool> {
    let mut takes_part = vec![false; tasks.len()];
    for (leaf, task) in tasks.iter().enumerate() {
        if phases.sums_up[leaf] || !task.is_scheduled() {
            continue;
        }
        takes_part[leaf] = true;
        for summary in phases.above(leaf) {
            takes_part[summary] |= tasks[summary].is_scheduled();
        }
    }
    takes_part
}

fn engine_task(
    project: &Project,
    task: &Task,
    is_summary: bool,
    sprint_starts: &HashMap<&str, NaiveDate>,
) -> engine::Task {
    let id = stable_id(&project.slug, &task.wbs_path);
    if is_summary {
        return engine::Task::new(id, 0);
    }
    let sprint_start = || {
        let sprint = task.sprint.as_deref().filter(|_| !task.is_milestone)?;
        sprint_starts.get(sprint).copied()
    };
    let is_scrum = match task.delivery_mode {
        Some(mode) => mode == DeliveryMode::Scrum,
        None => project.methodology == Methodology::Agile,
    };
    let points = task.remaining_points.or(task.story_points).filter(|_| is_scrum && !task.is_milestone);
    let estimate = task.estimate.filter(|_| !task.is_milestone).map(|estimate| engine::ThreePoint {
        optimistic: f64::from(estimate.optimistic),
        most_likely: f64::from(estimate.most_likely),
        pessimistic: f64::from(estimate.pessimistic),
    });
    engine::Task {
        planned_start: task.planned_start.or_else(sprint_start).map(engine_day),
        actual_start: task.actual_start.map(engine_day),
        actual_finish: task.actual_finish.map(engine_day),
        percent_complete: task.percent_done(),
        estimate,
        story_points: points.map(f64::from),
        ..engine::Task::new(id, i32::try_from(task.duration).unwrap_or(i32::MAX))
    }
}

/// A number that depends on the row's name alone (FNV-1a, 128 bits), so that adding a row changes nothing that is
/// drawn or ordered by the ids of the others.
fn stable_id(project: &str, path: &str) -> u128 {
    const BASIS: u128 = 0x6c62272e07bb014262b821756295c58d;
    const PRIME: u128 = 0x0000000001000000000000000000013b;
    let bytes = project.bytes().chain([b':']).chain(path.bytes());
    bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

fn link(
    dependency: &Dependency,
    predecessor: usize,
    successor: usize,
    lags: engine::LagCalendar,
) -> engine::Link {
    engine::Link {
        kind: match dependency.kind {
            DependencyKind::FinishStart => engine::LinkKind::FinishToStart,
            DependencyKind::StartStart => engine::LinkKind::StartToStart,
            DependencyKind::FinishFinish => engine::LinkKind::FinishToFinish,
            DependencyKind::StartFinish => engine::LinkKind::StartToFinish,
        },
        lag: dependency.lag,
        lag_calendar: Some(lags),
        ..engine::Link::new(predecessor, successor)
    }
}
