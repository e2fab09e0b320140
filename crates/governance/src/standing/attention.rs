//! `/api/v1/projects/{id}/attention/`: the few tasks of a project that somebody should look at now, by kind of trouble.

use axum::extract::State;
use chrono::{Days, NaiveDate};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::person::display_name;
use planwright_plan::schedule::network::{date, day};
use planwright_plan::standing::LEAVES;
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiResult, App, Gathered, Gathering, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// How many tasks of one kind are shown.
const EACH: i64 = 3;
/// Work without anybody who does it is named when it begins within so many days.
const NEAR_DAYS: u64 = 7;
/// A task has drifted when it is so many days later than its baseline.
const DRIFT_DAYS: i64 = 5;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/attention/",
        show,
        says("What somebody should look at now: late, unassigned, drifted and overallocated tasks."),
    )
}

/// How urgent something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "AttentionSeverity")]
pub enum Severity {
    Critical,
    Warning,
    Info,
}

/// What the trouble is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "AttentionType")]
pub enum Trouble {
    /// A critical task is late.
    CriticalTaskLate,
    /// A task begins soon and nobody does it.
    UnassignedApproaching,
    /// A task ends later than the active baseline said.
    BaselineDrift,
    /// The people of a task have more to do on it than they can.
    Overallocation,
}

/// Something to look at.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AttentionItem {
    pub severity: Severity,
    pub r#type: Trouble,
    pub task_id: TaskId,
    pub task_name: String,
    /// Who does it; null for nobody.
    pub assignee_name: Option<String>,
    /// The day that matters: the last day of late work, the first day of work that comes.
    pub date: Option<NaiveDate>,
    /// What is wrong, in words.
    pub detail: String,
    /// Where the task is.
    pub link_target: String,
}

/// What somebody should look at now, the most urgent first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Attention {
    /// At most three of each type.
    pub items: Vec<AttentionItem>,
}

row! {
    struct TroubledRow {
        id: TaskId,
        name: String,
        username: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
        day: Option<i32>,
        planned: Option<NaiveDate>,
        amount: i64,
    }
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Gathered<Attention>> {
    let (db, project, today) = (&app.db, scope.project, app.clock.today());
    let mut gathering = Gathering::default();
    let late = gathering.section("critical_task_late", late(db, project, today).await);
    let unassigned = gathering.section("unassigned_approaching", unassigned(db, project, today).await);
    let drifted = gathering.section("baseline_drift", drifted(db, project).await);
    let overallocated = gathering.section("overallocation", overallocated(db, project).await);
    let link = |task: TaskId| format!("/projects/{project}/tasks/{task}");
    let items = late
        .into_iter()
        .map(|row| item(Trouble::CriticalTaskLate, row, today, &link))
        .chain(most_drifted(drifted).into_iter().map(|row| item(Trouble::BaselineDrift, row, today, &link)))
        .chain(overallocated.into_iter().map(|row| item(Trouble::Overallocation, row, today, &link)))
        .chain(unassigned.into_iter().map(|row| item(Trouble::UnassignedApproaching, row, today, &link)));
    Ok(gathering.answer(Attention { items: items.collect() }))
}

/// The tasks that end later than they were promised by the most days.
fn most_drifted(rows: Vec<TroubledRow>) -> Vec<TroubledRow> {
    let measured = |row: TroubledRow| {
        let amount = (row.day.and_then(date)? - row.planned?).num_days();
        (amount >= DRIFT_DAYS).then_some(TroubledRow { amount, ..row })
    };
    let mut drifted: Vec<TroubledRow> = rows.into_iter().filter_map(measured).collect();
    drifted.sort_by_key(|row| -row.amount);
    drifted.truncate(EACH as usize);
    drifted
}

fn item(
    trouble: Trouble,
    row: TroubledRow,
    today: NaiveDate,
    link: &impl Fn(TaskId) -> String,
) -> AttentionItem {
    let text = |text: Option<String>| text.unwrap_or_default();
    let (first, last) = (text(row.first_name), text(row.last_name));
    let date = row.day.and_then(date);
    let days = |count: i64| if count == 1 { "1 day".to_owned() } else { format!("{count} days") };
    let away = |date: Option<NaiveDate>| days(date.map_or(0, |date| (date - today).num_days().abs()));
    let (severity, detail) = match trouble {
        Trouble::CriticalTaskLate => (Severity::Critical, format!("It is critical and {} late.", away(date))),
        Trouble::BaselineDrift => {
            (Severity::Warning, format!("It ends {} later than the baseline says.", days(row.amount)))
        }
        Trouble::Overallocation => {
            (Severity::Warning, format!("Its people are allocated with {} % of what they have.", row.amount))
        }
        Trouble::UnassignedApproaching => {
            (Severity::Info, format!("It begins in {} and nobody does it.", away(date)))
        }
    };
    AttentionItem {
        severity,
        r#type: trouble,
        link_target: link(row.id),
        task_id: row.id,
        task_name: row.name,
        assignee_name: row.username.map(|username| display_name(&first, &last, &username)),
        date,
        detail,
    }
}

const OPEN: &str = "t.project_id = :project AND t.status <> 'COMPLETE' AND t.status <> 'BACKLOG'";

/// Open critical tasks whose last day is over, the latest first.
async fn late(db: &impl Read, project: ProjectId, today: NaiveDate) -> Result<Vec<TroubledRow>> {
    let select = format!(
        "SELECT t.id, t.name, u.username, u.first_name, u.last_name, s.early_finish AS day,
            CAST(NULL AS DATE) AS planned, CAST(0 AS BIGINT) AS amount
         FROM tasks t JOIN task_schedule s ON s.task_id = t.id LEFT JOIN users u ON u.id = t.assignee_id
         WHERE {OPEN} AND {LEAVES} AND s.is_critical AND s.early_finish < :today
         ORDER BY s.early_finish, t.id LIMIT {EACH}"
    );
    db.all(sql!(select, project = project, today = day(today).0)).await
}

/// Tasks that begin soon, with neither an assignee nor an allocation, the first to begin first.
async fn unassigned(db: &impl Read, project: ProjectId, today: NaiveDate) -> Result<Vec<TroubledRow>> {
    let select = format!(
        "SELECT t.id, t.name, CAST(NULL AS TEXT) AS username, CAST(NULL AS TEXT) AS first_name,
            CAST(NULL AS TEXT) AS last_name, COALESCE(s.scheduled_start, s.early_start) AS day,
            CAST(NULL AS DATE) AS planned, CAST(0 AS BIGINT) AS amount
         FROM tasks t JOIN task_schedule s ON s.task_id = t.id
         WHERE {OPEN} AND {LEAVES} AND t.assignee_id IS NULL AND NOT t.is_milestone AND t.actual_start IS NULL
           AND COALESCE(s.scheduled_start, s.early_start) >= :today
           AND COALESCE(s.scheduled_start, s.early_start) <= :soon
           AND NOT EXISTS (SELECT 1 FROM task_resources a WHERE a.task_id = t.id AND a.deletion_id IS NULL)
         ORDER BY COALESCE(s.scheduled_start, s.early_start), t.id LIMIT {EACH}"
    );
    let soon = today.checked_add_days(Days::new(NEAR_DAYS)).unwrap_or(today);
    db.all(sql!(select, project = project, today = day(today).0, soon = day(soon).0)).await
}

/// Open tasks of the active baseline with the day that it promised.
async fn drifted(db: &impl Read, project: ProjectId) -> Result<Vec<TroubledRow>> {
    let select = format!(
        "SELECT t.id, t.name, u.username, u.first_name, u.last_name, s.early_finish AS day, k.finish_date AS planned,
            CAST(0 AS BIGINT) AS amount
         FROM baselines b JOIN baseline_tasks k ON k.baseline_id = b.id JOIN tasks t ON t.id = k.task_id
         JOIN task_schedule s ON s.task_id = t.id LEFT JOIN users u ON u.id = t.assignee_id
         WHERE b.project_id = :project AND b.is_active AND b.deletion_id IS NULL AND {OPEN} AND {LEAVES}
           AND k.finish_date IS NOT NULL AND s.early_finish IS NOT NULL
         ORDER BY t.id"
    );
    db.all(sql!(select, project = project)).await
}

/// Open tasks that take more of a resource than it has, the most first. Other tasks of the same days are in the heat map.
async fn overallocated(db: &impl Read, project: ProjectId) -> Result<Vec<TroubledRow>> {
    let select = format!(
        "SELECT t.id, t.name, u.username, u.first_name, u.last_name, COALESCE(s.scheduled_start, s.early_start) AS day,
            CAST(NULL AS DATE) AS planned, CAST(MAX(a.units * 100 / r.max_units) AS BIGINT) AS amount
         FROM tasks t JOIN task_schedule s ON s.task_id = t.id
         JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
         JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
         LEFT JOIN users u ON u.id = t.assignee_id
         WHERE {OPEN} AND {LEAVES} AND a.units > r.max_units AND r.max_units > 0
         GROUP BY t.id, t.name, u.username, u.first_name, u.last_name, s.scheduled_start, s.early_start
         ORDER BY amount DESC, t.id LIMIT {EACH}"
    );
    db.all(sql!(select, project = project)).await
}
