//! Tasks that were pushed for somebody who was no member: when that person joins the project, they get those that nobody does.

use planwright_domain::Role;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::Word;
use planwright_jobs::{JobError, NewJob, Registry, queue};
use planwright_plan::edit::Edit;
use planwright_plan::tasks::write;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{ApiError, ApiResult, App, Place, machine};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::model::AwaitingRow;
use super::queries;

/// The kind of job that hands the tasks over.
const ASSIGN_PUSHED: &str = "assign_pushed_tasks";

/// Who joined what.
#[derive(Debug, Serialize, Deserialize)]
struct Joined {
    project: ProjectId,
    person: UserId,
}

/// The jobs of pushed tasks.
pub fn jobs() -> Registry<App> {
    Registry::default().on(ASSIGN_PUSHED, async |app: App, joined: Joined| assign(&app, &joined).await)
}

/// Looks for tasks that wait for people who join a project.
pub async fn take_on(tx: &mut Tx, events: &[Waiting]) -> Result<()> {
    for event in events.iter().filter(|event| event.name == SocketEvent::MemberAdded.as_str()) {
        let person = event.payload["user_id"].as_str().and_then(|text| text.parse().ok());
        let (Some(project), Some(person)) = (event.project_id, person) else { continue };
        if queries::is_awaited(tx, project, person).await? {
            let job = NewJob::new(ASSIGN_PUSHED, &Joined { project, person })?.of_project(project);
            queue::enqueue(tx, job.once(format!("{ASSIGN_PUSHED}:{project}:{person}"))).await?;
        }
    }
    Ok(())
}

async fn assign(app: &App, joined: &Joined) -> std::result::Result<(), JobError> {
    for row in queries::awaiting(&app.db, joined.project, joined.person).await? {
        if let Err(error) = hand_over(app, joined, &row).await {
            match error.status() {
                // The task cannot be given to anybody, such as a phase; that is no fault of the job.
                400..500 => tracing::info!(task = %row.task_id, ?error, "a pushed task was not handed over"),
                _ => return Err(JobError::Retry(anyhow::anyhow!("{error:?}"))),
            }
        }
    }
    Ok(())
}

/// Gives a task to who joined, if nobody does it by now.
async fn hand_over(app: &App, joined: &Joined, row: &AwaitingRow) -> ApiResult<()> {
    let mut actor = machine::in_background(&app.db, row.pushed_by).await?;
    actor.source = row.source.clone();
    let place = Place { project: Some(joined.project), program: None };
    let mut edit: Edit = Edit::of_plan_following(app, actor.clone(), place).await?;
    let task = write::queries::record(&edit, row.task_id).await?.ok_or_else(ApiError::not_found)?;
    if task.assignee_id.is_none() {
        let (tx, lock) = edit.plan();
        let by = (&actor, Role::ProjectManager);
        write::change_as(tx, lock, by, task, json!({ "assignee": joined.person })).await?;
    }
    queries::settle(&mut edit, row.id).await?;
    Ok(edit.commit().await?)
}
