//! Bringing what is remembered of a plan up to date, and taking in what the engine computed of it.
//! A change that leaves the shape of the plan costs the rows it touched; any other rebuilds the network from rows in memory.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;
use planwright_domain::ids::{DependencyId, ProjectId, TaskId};
use planwright_engine::{self as engine, Changes, CompiledPlan, Edit};
use planwright_store::{Read, Result, Tx};
use uuid::Uuid;

use super::critical_path::PathChange;
#[cfg(debug_assertions)]
use super::network;
use super::network::{Frames, Plan, engine_task};
use super::outline::{Place, outline};
use super::plan_cache::{CachedPlan, Due, PlanCache};
use super::queries::{self, Computed, Dates, Figures, LinkInput, ProjectInput, TaskInput};
use super::rollup::{Family, Rollup};
use crate::settings::PlanSettings;
use crate::standing::counts::{Counts, Share};
use crate::standing::queries::{self as standing, Promises};

/// What differs from what is stored.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// The rows that differ, by their place in the plan, each with what of it does.
    pub(super) rows: Vec<(usize, Extent)>,
    /// Whether the critical path may be another one.
    pub(super) path: bool,
}

/// What of a row differs from what is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Its place in the outline, or nothing is stored of it yet.
    Place,
    /// Figures besides its dates.
    Figures,
    /// Its dates alone.
    Dates,
}

/// The plan of some projects as the database holds it, from memory as far as that is possible.
pub(super) async fn current(
    tx: &Tx,
    cache: &PlanCache,
    settings: &PlanSettings,
    projects: Vec<ProjectInput>,
) -> Result<CachedPlan> {
    let today = tx.now().date_naive();
    if let [project] = projects.as_slice()
        && let Some(marks) = standing::marks(tx, project.id).await?
        && let Some(mark) = marks.mark
        && let Some(mut cached) = cache.take(project.id, mark)
    {
        if cached.promises.iter().any(|promises| promises.baseline != marks.baseline_id) {
            cached.promises = promises(tx, &[project.id]).await?;
            cached.shares.clear();
        }
        return refreshed(tx, settings, cached, projects, today).await;
    }
    read(tx, settings, projects, today).await
}

/// The same from the database alone.
pub(super) async fn read(
    db: &dyn Read,
    settings: &PlanSettings,
    projects: Vec<ProjectInput>,
    today: NaiveDate,
) -> Result<CachedPlan> {
    let ids: Vec<ProjectId> = projects.iter().map(|project| project.id).collect();
    let frames = Frames::read(db, &projects, settings, today).await?;
    let (tasks, links) = (queries::tasks(db, &ids).await?, queries::links(db, &ids).await?);
    let mut paths = queries::critical_paths(db, &ids).await?;
    let paths = ids.iter().map(|id| paths.remove(id).unwrap_or_default()).collect();
    let plan = Plan::of(projects, tasks, links.clone(), frames);
    let stored = queries::computed(db, &ids).await?;
    Ok(CachedPlan::of(plan, links, stored, (paths, promises(db, &ids).await?)))
}

/// What the active baseline of each of several projects promised, in their order.
async fn promises(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<Promises>> {
    let mut promises = standing::promises(db, projects).await?;
    Ok(projects.iter().map(|project| promises.remove(project).unwrap_or_default()).collect())
}

async fn refreshed(
    tx: &Tx,
    settings: &PlanSettings,
    mut cached: CachedPlan,
    projects: Vec<ProjectInput>,
    today: NaiveDate,
) -> Result<CachedPlan> {
    let project = projects[0].id;
    let frames = Frames::read(tx, &projects, settings, today).await?;
    let (tasks, gone) = queries::tasks_since(tx, project, cached.counter).await?;
    let (links, written) = queries::links_since(tx, project, cached.counter).await?;
    let is_same_shape =
        gone.is_empty() && written.is_empty() && tasks.iter().all(|task| cached.holds_shape(task));
    if is_same_shape {
        cached.reframe(projects, frames);
        cached.overwrite(tasks);
    } else {
        cached.rebuild(projects, frames, (tasks, gone), (links, written));
    }
    #[cfg(debug_assertions)]
    {
        let fresh = network::load(tx, cached.projects.clone(), settings, today).await?;
        assert!(cached.agrees_with(&fresh), "the cached plan of {project} differs from the stored plan");
    }
    Ok(cached)
}

impl CachedPlan {
    fn place_of(&self, task: TaskId) -> Option<usize> {
        self.tasks.binary_search_by_key(&task, |row| row.id).ok()
    }

    fn holds_shape(&self, task: &TaskInput) -> bool {
        self.place_of(task.id).is_some_and(|at| self.tasks[at].shape() == task.shape())
    }

    /// Takes in calendars, starts and data dates; a network within others has to be computed anew.
    fn reframe(&mut self, projects: Vec<ProjectInput>, frames: Frames) {
        self.projects = projects;
        if !frames.surround(self.compiled.network(), &self.own_calendars) {
            let rows = self.of_node.iter().map(|at| &self.tasks[*at]);
            let (network, own_calendars) = frames.around(self.compiled.network().clone(), rows);
            self.own_calendars = own_calendars;
            self.compiled = CompiledPlan::new(network);
            self.schedule = self.compiled.schedule();
            self.due = Due::Dates;
        }
    }

    /// Writes over rows that keep their place in the outline and their part in the schedule.
    fn overwrite(&mut self, tasks: Vec<TaskInput>) {
        let mut changes = Changes::default();
        let mut touched = BTreeSet::new();
        for task in tasks {
            let Some(at) = self.place_of(task.id) else { continue };
            touched.insert(at);
            touched.extend(self.family.above(at));
            // Nodes stand in the order of rows.
            if let Ok(node) = self.of_node.binary_search(&at) {
                let known = &self.compiled.network().tasks[node];
                let row = engine_task(&task, known.project, known.parent, &self.own_calendars);
                if row != *known {
                    // The node was just read, so the edit names a row that is there.
                    let reached = self.compiled.edit(Edit::Row { task: node, row: Box::new(row) });
                    changes = changes.and(reached.unwrap_or_default());
                }
            }
            self.tasks[at] = task;
        }
        self.refresh(&changes, touched);
    }

    fn refresh(&mut self, changes: &Changes, touched: BTreeSet<usize>) {
        let path = std::mem::take(&mut self.schedule.critical_path);
        if changes.rebuilt || !changes.tasks.is_empty() {
            self.compiled.refresh(&mut self.schedule, changes);
        } else {
            self.schedule.critical_path.clone_from(&path);
        }
        if changes.rebuilt {
            self.due = Due::Dates;
        }
        if let Due::Rows { rows, path: is_other } = &mut self.due {
            rows.extend(touched);
            rows.extend(changes.tasks.iter().map(|node| self.of_node[*node]));
            *is_other |= path != self.schedule.critical_path;
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
            std::mem::take(&mut self.tasks).into_iter().map(|row| (row.id, row)).collect();
        rows.extend(tasks.into_iter().map(|row| (row.id, row)));
        let mut rows: Vec<TaskInput> = rows.into_values().filter(|row| !gone.contains(&row.id)).collect();
        rows.sort_unstable_by_key(|row| row.id);
        let written: HashSet<DependencyId> = written.into_iter().collect();
        let mut kept = std::mem::take(&mut self.links);
        kept.retain(|link| !written.contains(&link.id));
        kept.extend(links);
        kept.sort_unstable_by_key(|link| link.id);
        let stored = std::mem::take(&mut self.computed);
        let around = (std::mem::take(&mut self.paths), std::mem::take(&mut self.promises));
        *self = Self::of(Plan::of(projects, rows, kept.clone(), frames), kept, stored, around);
    }

    /// A plan beside what is stored of its rows, nothing of which has been compared yet.
    fn of(
        plan: Plan,
        links: Vec<LinkInput>,
        stored: Vec<Computed>,
        (paths, promises): (Vec<Vec<TaskId>>, Vec<Promises>),
    ) -> Self {
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
        let Plan { projects, tasks, links: held, of_node, network, own_calendars } = plan;
        let compiled = CompiledPlan::new(network);
        Self {
            projects,
            family: Family::of(&tasks),
            tasks,
            links,
            held,
            of_node,
            own_calendars,
            schedule: compiled.schedule(),
            compiled,
            paths,
            promises,
            computed,
            shares: Vec::new(),
            due: Due::Everything { unstored },
            counter: 0,
        }
    }

    /// Takes in what was computed; says what differs from what is stored.
    pub(super) fn take_in(&mut self) -> Changed {
        let nothing = Due::Rows { rows: BTreeSet::new(), path: false };
        let mut changed = Changed { path: true, ..Changed::default() };
        match std::mem::replace(&mut self.due, nothing) {
            Due::Rows { rows, path } => {
                changed.path = path;
                for at in rows {
                    // Without a rebuilt network nothing else is wrong with it than before.
                    let issue = self.computed[at].figures.issue.clone();
                    changed.rows.extend(self.take_in_row(at, issue, false));
                    if at < self.shares.len() {
                        self.shares[at] = self.share(at);
                    }
                }
            }
            due => {
                self.shares.clear();
                let mut placed = HashSet::new();
                if let Due::Everything { unstored } = due {
                    placed = unstored;
                    self.take_in_places(&mut placed);
                }
                let mut issues = self.issues();
                for at in 0..self.tasks.len() {
                    let issue = issues.remove(&self.tasks[at].id);
                    changed.rows.extend(self.take_in_row(at, issue, placed.contains(&at)));
                }
            }
        }
        changed
    }

    /// Takes in what was computed of a row; says what of it differs, if anything does.
    fn take_in_row(&mut self, at: usize, issue: Option<String>, is_placed: bool) -> Option<(usize, Extent)> {
        let node = self.of_node.binary_search(&at).ok();
        let dates = node.and_then(|node| self.schedule.tasks[node].as_ref());
        let is_phase = self.computed[at].is_phase;
        let roll = if is_phase { self.family.roll_up(&self.tasks, at) } else { None };
        let span = dates.zip(node).filter(|_| is_phase);
        let span = span.map(|(dates, node)| working_span(self.compiled.network(), node, dates));
        let figures = figures(dates, span, roll.unwrap_or_default(), issue);
        let known = &mut self.computed[at].figures;
        let other_dates = known.dates != figures.dates;
        known.dates.clone_from(&figures.dates);
        let other_figures = *known != figures;
        *known = figures;
        let extent = match () {
            () if is_placed => Extent::Place,
            () if other_figures => Extent::Figures,
            () if other_dates => Extent::Dates,
            () => return None,
        };
        Some((at, extent))
    }

    /// What is wrong with single rows, in words.
    fn issues(&self) -> HashMap<TaskId, String> {
        let mut issues = HashMap::new();
        for fault in &self.schedule.faults {
            match fault {
                engine::Fault::Cycle { path, .. } => {
                    for id in path {
                        let text = "Its links form a cycle. The links of the cycle are left out.";
                        issues.insert(TaskId(Uuid::from_u128(*id)), text.to_owned());
                    }
                }
                engine::Fault::InvalidTask { id, .. } | engine::Fault::InvalidParent { id, .. } => {
                    issues.insert(TaskId(Uuid::from_u128(*id)), fault.problem());
                }
                engine::Fault::InvalidLink { link, .. } => {
                    issues.insert(self.held[*link].successor_id, fault.to_string());
                }
                engine::Fault::BeyondCalendar { id, .. } => {
                    issues.insert(TaskId(Uuid::from_u128(*id)), fault.problem());
                }
                _ => {}
            }
        }
        issues
    }

    fn take_in_places(&mut self, placed: &mut HashSet<usize>) {
        // Numbers run through one project at a time.
        for project in &self.projects {
            let own: Vec<usize> =
                (0..self.tasks.len()).filter(|at| self.tasks[*at].project_id == project.id).collect();
            let rows: Vec<_> = own.iter().map(|at| self.tasks[*at].placed()).collect();
            for (at, place) in own.into_iter().zip(outline(&rows)) {
                if self.computed[at].take_place(place) {
                    placed.insert(at);
                }
            }
        }
    }

    /// Takes in the critical paths, if they may be others; says for each project what changed of its own.
    pub(super) fn take_in_paths(&mut self, may_differ: bool) -> Vec<PathChange> {
        if !may_differ {
            return vec![PathChange::default(); self.paths.len()];
        }
        let mut paths = vec![Vec::new(); self.paths.len()];
        for node in &self.schedule.critical_path {
            let task = &self.tasks[self.of_node[*node]];
            paths[self.compiled.network().tasks[*node].project].push(task.id);
        }
        let before = std::mem::replace(&mut self.paths, paths);
        before.iter().zip(&self.paths).map(|(before, after)| PathChange::between(before, after)).collect()
    }

    /// Where each project stands, once everything is taken in that was computed.
    pub(super) fn counts(&mut self) -> Vec<Counts> {
        if self.shares.is_empty() {
            self.shares = (0..self.tasks.len()).map(|at| self.share(at)).collect();
        }
        if let [promises] = self.promises.as_slice() {
            return vec![Counts::of(self.shares.iter().copied(), promises.finish())];
        }
        let frames: HashMap<ProjectId, usize> =
            self.projects.iter().enumerate().map(|(frame, project)| (project.id, frame)).collect();
        let mut shares: Vec<Vec<Share>> = self.projects.iter().map(|_| Vec::new()).collect();
        for (task, share) in self.tasks.iter().zip(&self.shares) {
            if let Some(frame) = frames.get(&task.project_id) {
                shares[*frame].push(*share);
            }
        }
        let of =
            |(shares, promises): (Vec<Share>, &Promises)| Counts::of(shares.into_iter(), promises.finish());
        shares.into_iter().zip(&self.promises).map(of).collect()
    }

    /// What a row adds to where its project stands.
    fn share(&self, at: usize) -> Share {
        let (task, computed) = (&self.tasks[at], &self.computed[at]);
        let frame = self.projects.iter().position(|project| project.id == task.project_id);
        let promised = frame.and_then(|frame| self.promises[frame].finish_of(task.id));
        Share::of(task, Some(computed), promised)
    }

    /// Takes in which links drive; says which of them did not before, or do no more.
    pub(super) fn take_in_driving(&mut self) -> Vec<(DependencyId, bool)> {
        let mut marks = Vec::new();
        for (link, result) in self.held.iter_mut().zip(&self.schedule.links) {
            if link.is_driving != result.driving {
                link.is_driving = result.driving;
                marks.push((link.id, result.driving));
            }
        }
        if self.held.len() < self.links.len() {
            // What holds nothing drives nothing, such as a link of a row that went back to the backlog.
            let held: HashSet<DependencyId> = self.held.iter().map(|link| link.id).collect();
            let idle = self.links.iter().filter(|link| link.is_driving && !held.contains(&link.id));
            marks.extend(idle.map(|link| (link.id, false)));
        }
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
        let is_same = self.tasks == other.tasks && self.held == other.links;
        is_same && self.schedule == engine::schedule(&other.network)
    }
}

impl Computed {
    fn blank(task: TaskId) -> Self {
        let (outline, outline_order) = (None, None);
        let figures = Figures::default();
        Self { task_id: task, outline, outline_order, is_summary: false, is_phase: false, figures }
    }

    /// How much its texts take beside it.
    pub(super) fn text_bytes(&self) -> usize {
        let texts = [&self.outline, &self.outline_order, &self.figures.issue];
        texts.into_iter().flatten().map(String::len).sum()
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

/// The working days from the start of a phase to its finish. What is done of it counts as well as what is left.
fn working_span(network: &engine::Network, node: usize, dates: &engine::TaskDates) -> i64 {
    if dates.progress == engine::Progress::NotStarted {
        return dates.remaining_duration.into();
    }
    let default = engine::Calendar::default();
    let row = &network.tasks[node];
    let of_project = || network.projects.get(row.project).and_then(|frame| frame.calendar);
    let calendar = row.calendar.or_else(of_project).and_then(|at| network.calendars.get(at));
    let calendar = calendar.unwrap_or(&default);
    let start = dates.scheduled_start.min(dates.early_start).0;
    let worked = (start..=dates.early_finish.0).filter(|day| calendar.is_working(engine::Day(*day))).count();
    i64::try_from(worked).unwrap_or(i64::MAX)
}

fn figures(
    dates: Option<&engine::TaskDates>,
    span: Option<i64>,
    roll: Rollup,
    issue: Option<String>,
) -> Figures {
    Figures {
        rolled_duration: span,
        rolled_percent: roll.percent,
        rolled_status: roll.status,
        rolled_assignee_id: roll.assignee,
        rolled_optimistic: roll.estimate.map(|(optimistic, _, _)| optimistic),
        rolled_most_likely: roll.estimate.map(|(_, most_likely, _)| most_likely),
        rolled_pessimistic: roll.estimate.map(|(_, _, pessimistic)| pessimistic),
        issue,
        dates: Dates {
            early_start: dates.map(|dates| dates.early_start.0),
            early_finish: dates.map(|dates| dates.early_finish.0),
            late_start: dates.map(|dates| dates.late_start.0),
            late_finish: dates.map(|dates| dates.late_finish.0),
            scheduled_start: dates.map(|dates| dates.scheduled_start.0),
            total_float: dates.map(|dates| dates.total_float),
            free_float: dates.map(|dates| dates.free_float),
            is_critical: dates.map(|dates| dates.critical),
            remaining_duration: dates.map(|dates| dates.remaining_duration.into()),
        },
    }
}
