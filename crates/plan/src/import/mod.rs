//! Whole plans coming in at once: calendars, resources, projects with everything inside, and the links between them.
//! Reading and checking what came in happens before; whoever calls this holds a program that the plan may go into.

pub mod append;
mod around;
pub mod calendars;
mod ids;
pub mod model;
mod projects;
mod queries;
pub mod replacement;
mod resources;
mod skills;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProgramId, ProjectId, ResourceId, RiskId, SprintId, TaskId, UserId};
use planwright_domain::words::SourceKind;
use planwright_store::outbox::Event;
use planwright_store::{Result, Tx};
use serde_json::json;
use uuid::Uuid;

use crate::schedule;
use ids::Ids;
use model::{Subtree, TaskAt};

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

/// Brings a plan into a program, computes its dates and announces its projects.
pub async fn build(tx: &mut Tx, origin: &Origin, plan: &Subtree) -> Result<Built> {
    let mut ids = Ids::from(tx);
    let calendars = calendars::find_or_create(tx, &mut ids, plan).await?;
    let resources = resources::find_or_create(tx, &mut ids, &plan.resources, &calendars).await?;
    let mut built = Built { projects: Vec::with_capacity(plan.projects.len()), resources };
    for project in &plan.projects {
        let made = projects::create(tx, &mut ids, origin, project, &calendars, &built.resources).await?;
        queries::around::insert_layers(tx, made.id, &calendars.layers_of(project)).await?;
        built.projects.push(made);
    }
    tie_together(tx, &mut ids, origin, plan, &built).await?;
    let projects = built.projects.iter().map(|project| project.id).collect();
    schedule::request_all(tx, projects).await?;
    announce(tx, origin, &built).await?;
    Ok(built)
}

/// What may lead from one project into another, once all of them are there.
async fn tie_together(
    tx: &mut Tx,
    ids: &mut Ids,
    origin: &Origin,
    plan: &Subtree,
    built: &Built,
) -> Result<()> {
    queries::links::insert_dependencies(tx, ids, origin.creator, &plan.links, built).await?;
    queries::links::insert_relations(tx, ids, origin.creator, &plan.relations, built).await?;
    let risks = plan.projects.iter().map(|project| &project.risks).zip(&built.projects);
    let threatened = risks.flat_map(|(risks, made)| {
        let tasks = |(at, risk)| (made.risks[at], risk);
        risks.iter().enumerate().map(tasks)
    });
    let pairs = threatened
        .flat_map(|(risk, imported)| imported.tasks.iter().map(move |task| (risk, built.task(*task))))
        .collect();
    queries::records::insert_risk_tasks(tx, pairs).await
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
