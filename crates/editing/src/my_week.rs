//! `/api/v1/projects/{id}/my-tasks/`: what the caller has to finish in a project this week, Monday to Sunday.
//! Everything that somebody has to do anywhere belongs to My Work.

use axum::extract::State;
use chrono::{Datelike, Duration, NaiveDate};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::person::{display_name, initials};
use planwright_domain::words::TaskStatus;
use planwright_plan::schedule::network::{date, day};
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// The routes of this file.
pub fn routes() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/my-tasks/",
        show,
        says("List the tasks in a project that you have to finish this week."),
    )
}

row! {
    struct DueRow {
        id: TaskId,
        name: String,
        early_finish: i32,
        status: TaskStatus,
        percent_complete: f64,
        is_critical: Option<bool>,
        username: String,
        first_name: String,
        last_name: String,
    }
}

/// A task that is due this week.
#[derive(Serialize, JsonSchema)]
struct MyTask {
    id: TaskId,
    name: String,
    due: Option<NaiveDate>,
    status: TaskStatus,
    percent_complete: f64,
    is_critical: bool,
    owner_name: String,
    owner_initials: String,
}

/// The tasks that are due this week, in the order of the day.
#[derive(Serialize, JsonSchema)]
struct MyTasks {
    tasks: Vec<MyTask>,
}

/// The tasks of a person that end within some days, phases left out.
async fn due(
    db: &dyn Read,
    project: ProjectId,
    me: UserId,
    first: NaiveDate,
    last: NaiveDate,
) -> Result<Vec<DueRow>> {
    db.all(sql!(
        "SELECT t.id, t.name, s.early_finish, t.status, t.percent_complete, s.is_critical, u.username,
            u.first_name, u.last_name
         FROM tasks t JOIN task_schedule s ON s.task_id = t.id JOIN users u ON u.id = t.assignee_id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND NOT s.is_phase AND t.assignee_id = :me
           AND s.early_finish >= :first AND s.early_finish <= :last
         ORDER BY s.early_finish, t.name, t.id",
        project = project,
        me = me,
        first = day(first).0,
        last = day(last).0
    ))
    .await
}

async fn show(State(app): State<App>, scope: ProjectScope<may::ReadProject>) -> ApiResult<Json<MyTasks>> {
    let today = app.clock.today();
    let monday = today - Duration::days(today.weekday().num_days_from_monday().into());
    let rows = due(&app.db, scope.project, scope.actor.id, monday, monday + Duration::days(6)).await?;
    let tasks = rows.into_iter().map(|row| {
        let owner_name = display_name(&row.first_name, &row.last_name, &row.username);
        MyTask {
            id: row.id,
            name: row.name,
            due: date(row.early_finish),
            status: row.status,
            percent_complete: row.percent_complete,
            is_critical: row.is_critical.unwrap_or_default(),
            owner_initials: initials(&owner_name),
            owner_name,
        }
    });
    Ok(Json(MyTasks { tasks: tasks.collect() }))
}
