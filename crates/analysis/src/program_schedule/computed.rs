//! The computed schedule of a program, and what a process remembers of it between two reads. Losing that costs time and
//! nothing else: the changes of its projects, their settings and calendars are read each time and tell whether it holds.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use chrono::NaiveDate;
use planwright_domain::ids::{ProgramId, ProjectId, TaskId};
use planwright_engine as engine;
use planwright_plan::schedule::network::{Frames, Plan, date};
use planwright_plan::schedule::outline;
use planwright_plan::schedule::queries::{self as plans, LinkInput, ProjectInput};
use planwright_plan::settings::PlanSettings;
use planwright_web::{ApiResult, App, off_thread};

use super::queries;

/// What all remembered schedules together may take, by the estimate of [`Computed::bytes`].
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// What a schedule was computed from, without its rows: their projects raise the change that they stand at.
#[derive(Debug, PartialEq)]
struct Basis {
    changes: Vec<(ProjectId, i64)>,
    projects: Vec<ProjectInput>,
    frames: Frames,
}

/// The schedule of a whole program, whoever looks at it.
#[derive(Debug)]
pub(super) struct Computed {
    /// How many rows take part, summaries included.
    pub(super) rows: usize,
    /// The first day of the program.
    pub(super) start: Option<NaiveDate>,
    /// Its last day.
    pub(super) finish: Option<NaiveDate>,
    /// The rows without others below them.
    pub(super) leaves: Vec<Leaf>,
    /// The links, each with the projects at its ends.
    pub(super) links: Vec<(LinkInput, [ProjectId; 2])>,
    basis: Basis,
}

/// A row without others below it.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) id: TaskId,
    pub(super) project: ProjectId,
    pub(super) name: String,
    pub(super) short_id: String,
    /// Its number in the outline of its project.
    pub(super) number: Option<String>,
    pub(super) is_milestone: bool,
    pub(super) dates: engine::TaskDates,
}

/// The schedules of programs that this process remembers, beside the database.
#[derive(Clone, Debug, Default)]
pub struct ProgramPlans(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    plans: HashMap<ProgramId, (u64, Arc<Computed>)>,
    clock: u64,
}

impl ProgramPlans {
    fn holding(&self, program: ProgramId, basis: &Basis) -> Option<Arc<Computed>> {
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.clock += 1;
        let now = kept.clock;
        let (used, plan) = kept.plans.get_mut(&program)?;
        *used = now;
        (plan.basis == *basis).then(|| plan.clone())
    }

    fn keep(&self, program: ProgramId, plan: Arc<Computed>) {
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.clock += 1;
        let now = kept.clock;
        kept.plans.insert(program, (now, plan));
        while kept.plans.values().map(|(_, plan)| plan.bytes()).sum::<usize>() > MOST_BYTES {
            let oldest = kept.plans.iter().min_by_key(|(_, (used, _))| *used).map(|(program, _)| *program);
            oldest.and_then(|program| kept.plans.remove(&program));
        }
    }
}

/// The schedule of a program as the database holds it now.
pub(super) async fn current(app: &App, program: ProgramId) -> ApiResult<Arc<Computed>> {
    let (db, remembered) = (&app.db, app.db.context::<ProgramPlans>());
    let settings = db.context::<PlanSettings>().copied().unwrap_or_default();
    // The changes are read before the rows: a write in between makes the rows too new for them, and nobody is at those
    // changes any more.
    let changes = queries::changes(db, program).await?;
    let projects = plans::projects_of_program(db, program).await?;
    let frames = Frames::read(db, &projects, &settings, app.clock.today()).await?;
    let basis = Basis { changes, projects, frames };
    if let Some(plan) = remembered.and_then(|remembered| remembered.holding(program, &basis)) {
        return Ok(plan);
    }
    let ids: Vec<ProjectId> = basis.projects.iter().map(|project| project.id).collect();
    let (tasks, links) = (plans::tasks(db, &ids).await?, plans::links(db, &ids).await?);
    let names = queries::task_names(db, program).await?;
    let plan = Plan::of(basis.projects.clone(), tasks, links, basis.frames.clone());
    let work = move || Arc::new(Computed::of(basis, plan, &names));
    let plan = off_thread(work).await?;
    if let Some(remembered) = remembered {
        remembered.keep(program, plan.clone());
    }
    Ok(plan)
}

impl Computed {
    fn of(basis: Basis, plan: Plan, names: &[(TaskId, String, String)]) -> Self {
        let schedule = engine::schedule(&plan.network);
        let summaries: HashSet<usize> = plan.network.tasks.iter().filter_map(|task| task.parent).collect();
        let mut numbers = numbers(&plan);
        let mut leaves = Vec::with_capacity(plan.of_node.len());
        for (node, at) in plan.of_node.iter().enumerate() {
            let Some(dates) = schedule.tasks[node].filter(|_| !summaries.contains(&node)) else { continue };
            let task = &plan.tasks[*at];
            let named = names.binary_search_by_key(&task.id, |(id, ..)| *id).map(|found| &names[found]);
            let (name, short_id) =
                named.map(|(_, name, short)| (name.clone(), short.clone())).unwrap_or_default();
            let (number, is_milestone) = (numbers[*at].take(), task.is_milestone);
            leaves.push(Leaf {
                id: task.id,
                project: task.project_id,
                name,
                short_id,
                number,
                is_milestone,
                dates,
            });
        }
        let project_of = |node: usize| plan.projects[plan.network.tasks[node].project].id;
        let ends = plan.network.links.iter().map(|link| [link.predecessor, link.successor].map(project_of));
        let ends: Vec<[ProjectId; 2]> = ends.collect();
        Self {
            rows: plan.of_node.len(),
            start: schedule.start.and_then(|day| date(day.0)),
            finish: schedule.finish.and_then(|day| date(day.0)),
            leaves,
            links: plan.links.into_iter().zip(ends).collect(),
            basis,
        }
    }

    /// About what it takes in memory: its rows and links, and the texts of rows.
    fn bytes(&self) -> usize {
        let texts =
            |leaf: &Leaf| leaf.name.len() + leaf.short_id.len() + leaf.number.as_ref().map_or(0, String::len);
        size_of_val(self.leaves.as_slice())
            + size_of_val(self.links.as_slice())
            + self.leaves.iter().map(texts).sum::<usize>()
    }
}

/// The outline number of every task.
fn numbers(plan: &Plan) -> Vec<Option<String>> {
    let mut numbers = vec![None; plan.tasks.len()];
    for project in &plan.projects {
        let own: Vec<usize> =
            (0..plan.tasks.len()).filter(|at| plan.tasks[*at].project_id == project.id).collect();
        let rows: Vec<outline::Placed> = own.iter().map(|at| plan.tasks[*at].placed()).collect();
        for (at, place) in own.into_iter().zip(outline::outline(&rows)) {
            numbers[at] = place.number;
        }
    }
    numbers
}
