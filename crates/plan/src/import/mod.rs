//! Whole plans coming in at once: calendars, resources, projects with everything inside, and the links between them.
//! Reading and checking what came in happens before; whoever calls this holds a program that the plan may go into.

pub mod append;
mod around;
pub mod calendars;
mod ids;
pub mod model;
mod opening;
mod projects;
mod queries;
pub mod replacement;
mod resources;
mod skills;
pub mod slices;
mod sweep;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProgramId, ProjectId, ResourceId, RiskId, SprintId, TaskId, UserId};
use planwright_domain::words::SourceKind;
use planwright_store::outbox::Event;
use planwright_store::{Result, Tx};
use serde_json::json;
use uuid::Uuid;

use crate::schedule::First;
use ids::Ids;
use model::{Subtree, TaskAt};
use slices::Slices;

pub use opening::Hidden;
pub use sweep::{sweep, sweep_abandoned};

/// More new tasks than this are announced without naming them.
const MOST_NAMED: usize = 500;

/// Where a plan comes from and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The program that its projects become part of, if any.
    pub program: Option<ProgramId>,
    /// Who brings it in, and owns its projects.
    pub creator: UserId,
    /// What kind of source it is.
    pub kind: SourceKind,
    /// Which import or sample it was.
    pub id: Uuid,
}

/// A project that was built: the ids of its parts, in the order in which they came in.
#[derive(Clone, Debug)]
pub struct BuiltProject {
    /// The project.
    pub id: ProjectId,
    /// Its tasks.
    pub tasks: Vec<TaskId>,
    /// Its sprints.
    pub sprints: Vec<SprintId>,
    /// Its risks.
    pub risks: Vec<RiskId>,
}

/// Everything that was built, in the order in which it came in.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The projects.
    pub projects: Vec<BuiltProject>,
    /// The resources, fresh ones and those that were there.
    pub resources: Vec<ResourceId>,
}

impl Built {
    /// The id of a task.
    pub fn task(&self, at: TaskAt) -> TaskId {
        self.projects[at.project].tasks[at.task]
    }
}

/// What an act is called that hides an import until it is complete.
const IMPORT: &str = "import";

/// Brings a plan into a program and computes its dates. Nobody sees any of it before it is opened.
pub async fn build(to: &mut Slices<'_>, origin: &Origin, plan: &Subtree) -> Result<Hidden> {
    let mut ids = Ids::by(to.clock());
    to.phase("library", plan.calendars.len() + plan.resources.len()).await?;
    let act = to.tx().await?.begin_deletion(IMPORT, origin.id, Some(origin.creator), None).await?;
    let calendars = calendars::find_or_create(to.tx().await?, &mut ids, Some(act), plan).await?;
    let resources = resources::find_or_create(to, &mut ids, Some(act), &plan.resources, &calendars).await?;
    let mut built = Built { projects: Vec::with_capacity(plan.projects.len()), resources };
    let mut projects = Vec::with_capacity(plan.projects.len());
    for project in &plan.projects {
        let of = (origin, act);
        let (row, made) = projects::create(to, &mut ids, of, project, &calendars, &built.resources).await?;
        projects.push(row);
        built.projects.push(made);
    }
    tie_together(to, &mut ids, origin, plan, &built).await?;
    let mut dates = Vec::new();
    for together in computed_together(plan, &built) {
        dates.push(First::compute(to, together).await?);
    }
    to.pause().await?;
    Ok(Hidden { act, projects, dates, built })
}

/// The projects that are computed together: all of them when links cross projects, else each alone.
fn computed_together(plan: &Subtree, built: &Built) -> Vec<Vec<ProjectId>> {
    let projects = built.projects.iter().map(|project| project.id);
    match plan.links.iter().any(|link| link.predecessor.project != link.successor.project) {
        true => vec![projects.collect()],
        false => projects.map(|project| vec![project]).collect(),
    }
}

/// What may lead from one project into another, once all of them are there.
async fn tie_together(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    origin: &Origin,
    plan: &Subtree,
    built: &Built,
) -> Result<()> {
    to.phase("links", plan.links.len() + plan.relations.len()).await?;
    queries::links::insert_dependencies(to, ids, origin.creator, &plan.links, built).await?;
    queries::links::insert_relations(to, ids, origin.creator, &plan.relations, built).await?;
    let risks = plan.projects.iter().map(|project| &project.risks).zip(&built.projects);
    let threatened = risks.flat_map(|(risks, made)| {
        let tasks = |(at, risk)| (made.risks[at], risk);
        risks.iter().enumerate().map(tasks)
    });
    let pairs = threatened
        .flat_map(|(risk, imported)| imported.tasks.iter().map(move |task| (risk, built.task(*task))))
        .collect();
    queries::records::insert_risk_tasks(to, pairs).await
}

async fn announce(tx: &mut Tx, origin: &Origin, built: &Built) -> Result<()> {
    for project in built.projects.iter().filter(|project| !project.tasks.is_empty()) {
        announce_tasks(tx, project.id, origin.program, &project.tasks).await?;
    }
    Ok(())
}

/// Tells the board of a project that many tasks came or went.
async fn announce_tasks(
    tx: &mut Tx,
    project: ProjectId,
    program: Option<ProgramId>,
    tasks: &[TaskId],
) -> Result<()> {
    let told = match tasks.len() {
        0 => return Ok(()),
        few if few <= MOST_NAMED => json!({ "task_ids": tasks }),
        many => json!({ "task_ids": [], "count": many, "truncated": true }),
    };
    tx.emit(Event::Socket(SocketEvent::TasksBulkMutated), Some(project), program, told).await
}
