//! Everything that there is to tell about one computation, row by row in outline order. How it is told is up to
//! `table` and `json`.

use std::collections::HashMap;

use planwright_engine::{
    ConflictKind, Day, Fault, FinishForecast, Schedule, Simulation, TaskDates, TaskForecast,
};

use super::{Options, forecast};
use crate::seed::model::{Project, Task};
use crate::seed::outline::{Outline, compare_paths};
use crate::seed::schedule::{Plan, network};
use crate::seed::vocabulary::LagCalendar;
use crate::seed::{Document, TaskReference};

pub(super) struct Outcome<'d> {
    pub(super) document: &'d Document,
    pub(super) projects: Vec<ProjectOutcome<'d>>,
    pub(super) start: Option<Day>,
    pub(super) finish: Option<Day>,
    /// Critical leaves in the order in which they depend on one another.
    pub(super) critical_path: Vec<Name<'d>>,
    /// Runs and seed of the simulation, if there was one.
    pub(super) simulated: Option<(u32, u64)>,
    /// Likely dates of everything.
    pub(super) forecast: Option<FinishForecast>,
    /// What the engine left out, and dates that are not kept.
    pub(super) remarks: Vec<String>,
    /// Whether the engine could use everything.
    pub(super) is_complete: bool,
}

pub(super) struct ProjectOutcome<'d> {
    pub(super) project: &'d Project,
    pub(super) lag_calendar: LagCalendar,
    pub(super) start: Option<Day>,
    pub(super) finish: Option<Day>,
    /// Likely dates of the project.
    pub(super) forecast: Option<FinishForecast>,
    pub(super) rows: Vec<RowOutcome<'d>>,
    /// Rows that take no part.
    pub(super) left_out: usize,
}

pub(super) struct RowOutcome<'d> {
    pub(super) task: &'d Task,
    pub(super) depth: usize,
    pub(super) is_summary: bool,
    /// `None` when the engine could not use the row.
    pub(super) dates: Option<TaskDates>,
    pub(super) forecast: Option<TaskForecast>,
}

/// A row by project, path and name.
#[derive(Clone, Copy)]
pub(super) struct Name<'d> {
    pub(super) project: &'d Project,
    pub(super) task: &'d Task,
}

impl Name<'_> {
    pub(super) fn reference(&self) -> TaskReference {
        TaskReference::new(&self.project.slug, &self.task.wbs_path)
    }
}

impl<'d> Outcome<'d> {
    pub(super) fn of(document: &'d Document, options: &Options) -> Self {
        let plan = network(document, options.lag_calendar);
        let schedule = planwright_engine::schedule(&plan.network);
        let simulation = forecast::of(&plan, options);
        let names = Names { document, plan: &plan, schedule: &schedule, simulation: simulation.as_ref() };
        Self {
            document,
            projects: (0..document.projects.len()).map(|index| names.project(index, options)).collect(),
            simulated: simulation.as_ref().map(|simulation| (simulation.runs, simulation.seed)),
            forecast: simulation.as_ref().and_then(|simulation| simulation.finish.clone()),
            start: schedule.start,
            finish: schedule.finish,
            critical_path: schedule.critical_path.iter().map(|task| names.row(*task)).collect(),
            remarks: names.remarks(),
            is_complete: schedule.faults.is_empty(),
        }
    }
}

/// Leads from the engine's positions back to the document.
struct Names<'d, 'p> {
    document: &'d Document,
    plan: &'p Plan,
    schedule: &'p Schedule,
    simulation: Option<&'p Simulation>,
}

impl<'d> Names<'d, '_> {
    fn row(&self, task: usize) -> Name<'d> {
        let row = self.plan.rows[task];
        let project = &self.document.projects[row.project];
        Name { project, task: &project.tasks[row.task] }
    }

    fn project(&self, index: usize, options: &Options) -> ProjectOutcome<'d> {
        let project = &self.document.projects[index];
        let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
        let mut rows: Vec<RowOutcome<'d>> = Vec::new();
        for (place, row) in self.plan.rows.iter().enumerate() {
            if row.project == index {
                rows.push(RowOutcome {
                    task: &project.tasks[row.task],
                    depth: outline.depth(row.task),
                    is_summary: row.is_summary,
                    dates: self.schedule.tasks[place],
                    forecast: self.simulation.and_then(|simulation| simulation.tasks[place]),
                });
            }
        }
        rows.sort_by(|left, right| compare_paths(&left.task.wbs_path, &right.task.wbs_path));
        let dates = self.schedule.projects.get(index).copied().unwrap_or_default();
        ProjectOutcome {
            project,
            lag_calendar: options.lag_calendar.unwrap_or_else(|| self.document.lag_calendar_of(project)),
            start: dates.start,
            finish: dates.finish,
            forecast: self.simulation.and_then(|simulation| simulation.projects[index].clone()),
            left_out: project.tasks.len() - rows.len(),
            rows,
        }
    }

    fn remarks(&self) -> Vec<String> {
        let faults = self.schedule.faults.iter().map(|fault| self.fault(fault));
        let conflicts = self.schedule.conflicts.iter().map(|conflict| {
            let what = match conflict.kind {
                ConflictKind::Start => "should start",
                ConflictKind::Finish => "should finish",
                ConflictKind::Deadline => "is due",
            };
            let row = self.row(conflict.task).reference();
            format!("{row} {what} on {} and comes to {}", conflict.wanted, conflict.expected)
        });
        faults.chain(conflicts).collect()
    }

    fn fault(&self, fault: &Fault) -> String {
        match fault {
            Fault::Cycle { path, .. } => {
                let tasks = self.plan.network.tasks.iter().enumerate();
                let places: HashMap<u128, usize> = tasks.map(|(place, task)| (task.id, place)).collect();
                let rows = path.iter().filter_map(|id| places.get(id));
                let named: Vec<String> = rows.map(|place| self.row(*place).reference().to_string()).collect();
                format!("{fault}: {}", named.join(" → "))
            }
            Fault::InvalidTask { task, .. } | Fault::InvalidParent { task, .. } => {
                format!("{}: {fault}", self.row(*task).reference())
            }
            Fault::InvalidLink { link, .. } => {
                let (project, place) = self.plan.links[*link];
                let link = &self.document.projects[project].dependencies[place];
                format!("{} → {}: {fault}", link.predecessor, link.successor)
            }
            Fault::InvalidCalendar { .. } => fault.to_string(),
        }
    }
}
