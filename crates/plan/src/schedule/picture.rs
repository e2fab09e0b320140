//! Bringing what is remembered of a plan up to date, and taking in what the engine computed of it.
//! A change that leaves the shape of the plan costs the rows it touched; any other rebuilds the network from rows in memory.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use planwright_domain::ids::{DependencyId, ProjectId, TaskId};
use planwright_engine as engine;
use planwright_store::{Result, Tx};

use super::memory::{Picture, PlanMemory};
#[cfg(debug_assertions)]
use super::network;
use super::network::{Frames, Plan};
use super::outline::{Place, outline};
use super::queries::{self, Computed, Figures, LinkInput, ProjectInput, TaskInput};
use super::rollup::{self, Rollup};
use crate::settings::PlanSettings;

/// What differs from what is stored.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// The rows that differ, by their place in the plan.
    pub(super) rows: Vec<usize>,
    /// Those of them whose place in the outline differs, or that were not stored yet.
    pub(super) placed: HashSet<usize>,
}

/// The plan of some projects as the database holds it, from memory as far as that is possible.
pub(super) async fn current(
    tx: &Tx,
    memory: &PlanMemory,
    settings: &PlanSettings,
    projects: Vec<ProjectInput>,
) -> Result<Picture> {
    let today = tx.now().date_naive();
    if let [project] = projects.as_slice()
        && let Some(mark) = queries::mark(tx, project.id).await?
        && let Some(picture) = memory.take(project.id, mark)
    {
        return refreshed(tx, settings, picture, projects, today).await;
    }
    let ids: Vec<ProjectId> = projects.iter().map(|project| project.id).collect();
    let frames = Frames::read(tx, &projects, settings, today).await?;
    let (tasks, links) = (queries::tasks(tx, &ids).await?, queries::links(tx, &ids).await?);
    Ok(Picture::of(
        Plan::of(projects, tasks, links.clone(), frames),
        links,
        queries::computed(tx, &ids).await?,
    ))
}

async fn refreshed(
    tx: &Tx,
    settings: &PlanSettings,
    mut picture: Picture,
    projects: Vec<ProjectInput>,
    today: NaiveDate,
) -> Result<Picture> {
    let project = projects[0].id;
    let frames = Frames::read(tx, &projects, settings, today).await?;
    let (tasks, gone) = queries::tasks_since(tx, project, picture.counter).await?;
    let (links, written) = queries::links_since(tx, project, picture.counter).await?;
    let is_same_shape =
        gone.is_empty() && written.is_empty() && tasks.iter().all(|task| picture.holds_shape(task));
    if is_same_shape {
        picture.plan.reframe(projects, frames);
        picture.overwrite(tasks);
    } else {
        picture.rebuild(projects, frames, (tasks, gone), (links, written));
    }
    #[cfg(debug_assertions)]
    {
        let fresh = network::load(tx, picture.plan.projects.clone(), settings, today).await?;
        assert!(picture.agrees_with(&fresh), "what is remembered of {project} is not what is stored");
    }
    Ok(picture)
}

impl Picture {
    fn place_of(&self, task: TaskId) -> Option<usize> {
        self.plan.tasks.binary_search_by_key(&task, |row| row.id).ok()
    }

    fn holds_shape(&self, task: &TaskInput) -> bool {
        self.place_of(task.id).is_some_and(|at| self.plan.tasks[at].shape() == task.shape())
    }

    fn overwrite(&mut self, tasks: Vec<TaskInput>) {
        for task in tasks {
            let Some(at) = self.place_of(task.id) else { continue };
            // Nodes stand in the order of rows.
            let node = self.plan.of_node.binary_search(&at).ok();
            self.plan.overwrite(at, node, task);
        }
    }

    fn rebuild(
        &mut self,
        projects: Vec<ProjectInput>,
        frames: Frames,
        (tasks, gone): (Vec<TaskInput>, Vec<TaskId>),
        (links, written): (Vec<LinkInput>, Vec<DependencyId>),
    ) {
        let gone: HashSet<TaskId> = gone.into_iter().collect();
        let mut rows: HashMap<TaskId, TaskInput> =
            std::mem::take(&mut self.plan.tasks).into_iter().map(|row| (row.id, row)).collect();
        rows.extend(tasks.into_iter().map(|row| (row.id, row)));
        let mut rows: Vec<TaskInput> = rows.into_values().filter(|row| !gone.contains(&row.id)).collect();
        rows.sort_unstable_by_key(|row| row.id);
        let written: HashSet<DependencyId> = written.into_iter().collect();
        let mut kept = std::mem::take(&mut self.links);
        kept.retain(|link| !written.contains(&link.id));
        kept.extend(links);
        kept.sort_unstable_by_key(|link| link.id);
        let stored = std::mem::take(&mut self.computed);
        *self = Self::of(Plan::of(projects, rows, kept.clone(), frames), kept, stored);
    }

    /// A plan beside what is stored of its rows, whose places in the outline have yet to be looked at.
    fn of(plan: Plan, links: Vec<LinkInput>, stored: Vec<Computed>) -> Self {
        let mut stored: HashMap<TaskId, Computed> =
            stored.into_iter().map(|row| (row.task_id, row)).collect();
        let mut unstored = HashSet::new();
        let mut computed = Vec::with_capacity(plan.tasks.len());
        for (at, task) in plan.tasks.iter().enumerate() {
            computed.push(stored.remove(&task.id).unwrap_or_else(|| {
                unstored.insert(at);
                Computed::blank(task.id)
            }));
        }
        Self { plan, links, computed, unstored, is_new_shape: true, counter: 0 }
    }

    /// Takes in what was computed; says what differs from what is stored.
    pub(super) fn take_in(
        &mut self,
        schedule: &engine::Schedule,
        mut issues: HashMap<TaskId, String>,
    ) -> Changed {
        let mut changed = Changed { placed: std::mem::take(&mut self.unstored), ..Changed::default() };
        if std::mem::take(&mut self.is_new_shape) {
            self.take_in_places(&mut changed);
        }
        let mut rollups = rollup::roll_up(&self.plan.tasks);
        let mut nodes = self.plan.of_node.iter().zip(&schedule.tasks).peekable();
        for (at, row) in self.computed.iter_mut().enumerate() {
            let dates = nodes.next_if(|(of, _)| **of == at).and_then(|(_, dates)| dates.as_ref());
            let roll = rollups.remove(&at).filter(|_| row.is_phase);
            let figures = figures(dates, row.is_phase, roll.unwrap_or_default(), issues.remove(&row.task_id));
            let differs = row.figures != figures;
            if differs {
                row.figures = figures;
            }
            if differs || changed.placed.contains(&at) {
                changed.rows.push(at);
            }
        }
        changed
    }

    fn take_in_places(&mut self, changed: &mut Changed) {
        // Numbers run through one project at a time.
        for project in &self.plan.projects {
            let own: Vec<usize> = (0..self.plan.tasks.len())
                .filter(|at| self.plan.tasks[*at].project_id == project.id)
                .collect();
            let rows: Vec<_> = own.iter().map(|at| self.plan.tasks[*at].placed()).collect();
            for (at, place) in own.into_iter().zip(outline(&rows)) {
                if self.computed[at].take_place(place) {
                    changed.placed.insert(at);
                }
            }
        }
    }

    /// Takes in which links drive; says which of them did not before, or do no more.
    pub(super) fn take_in_driving(&mut self, schedule: &engine::Schedule) -> Vec<(DependencyId, bool)> {
        let mut marks = Vec::new();
        for (link, result) in self.plan.links.iter_mut().zip(&schedule.links) {
            if link.is_driving != result.driving {
                link.is_driving = result.driving;
                marks.push((link.id, result.driving));
            }
        }
        let held: HashSet<DependencyId> = self.plan.links.iter().map(|link| link.id).collect();
        // What holds nothing drives nothing, such as a link of a row that went back to the backlog.
        let idle = self.links.iter().filter(|link| link.is_driving && !held.contains(&link.id));
        marks.extend(idle.map(|link| (link.id, false)).collect::<Vec<_>>());
        for (id, driving) in &marks {
            if let Ok(at) = self.links.binary_search_by_key(id, |link| link.id) {
                self.links[at].is_driving = *driving;
            }
        }
        marks
    }

    /// Whether this is what the database holds, for the check that tests make.
    #[cfg(debug_assertions)]
    fn agrees_with(&self, other: &Plan) -> bool {
        self.plan.tasks == other.tasks && self.plan.links == other.links
    }
}

impl Computed {
    fn blank(task: TaskId) -> Self {
        let (outline, outline_order) = (None, None);
        let figures = Figures::default();
        Self { task_id: task, outline, outline_order, is_summary: false, is_phase: false, figures }
    }

    /// Takes a place in the outline; says whether it is another one than before.
    fn take_place(&mut self, place: Place) -> bool {
        let known = (&self.outline, &self.outline_order, self.is_summary, self.is_phase);
        let is_other = known != (&place.number, &place.order, place.is_summary, place.is_phase);
        if is_other {
            self.outline = place.number;
            self.outline_order = place.order;
            self.is_summary = place.is_summary;
            self.is_phase = place.is_phase;
        }
        is_other
    }
}

fn figures(
    dates: Option<&engine::TaskDates>,
    is_phase: bool,
    roll: Rollup,
    issue: Option<String>,
) -> Figures {
    Figures {
        early_start: dates.map(|dates| dates.early_start.0),
        early_finish: dates.map(|dates| dates.early_finish.0),
        late_start: dates.map(|dates| dates.late_start.0),
        late_finish: dates.map(|dates| dates.late_finish.0),
        scheduled_start: dates.map(|dates| dates.scheduled_start.0),
        total_float: dates.map(|dates| dates.total_float),
        free_float: dates.map(|dates| dates.free_float),
        is_critical: dates.map(|dates| dates.critical),
        remaining_duration: dates.map(|dates| dates.remaining_duration.into()),
        rolled_duration: dates.filter(|_| is_phase).map(|dates| dates.remaining_duration.into()),
        rolled_percent: roll.percent,
        rolled_status: roll.status,
        rolled_assignee_id: roll.assignee,
        rolled_optimistic: roll.estimate.map(|(optimistic, _, _)| optimistic),
        rolled_most_likely: roll.estimate.map(|(_, most_likely, _)| most_likely),
        rolled_pessimistic: roll.estimate.map(|(_, _, pessimistic)| pessimistic),
        issue,
    }
}
