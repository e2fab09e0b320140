//! `/api/v1/projects/{id}/standup/`: the cards of the running sprint, person by person: what is done, what goes on, what is blocked.

use std::collections::BTreeMap;

use axum::extract::State;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId};
use planwright_domain::person;
use planwright_domain::words::{BlockerType, TaskStatus};
use planwright_engine::Calendar;
use planwright_plan::schedule::calendars::working_days;
use planwright_plan::schedule::network::day;
use planwright_plan::sprints::load::IS_WORK;
use planwright_plan::sprints::{SprintRow, VelocityGate};
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::queries::active_sprint;

/// A card that has had its status for so many days is ageing.
const AGING_DAYS: i64 = 5;

/// How far back the last working day is looked for.
const FARTHEST_DAYS: u64 = 14;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{project_pk}/standup/",
        show,
        says("The cards of the running sprint, person by person."),
    )
}

row! {
    struct CardRow {
        id: TaskId,
        name: String,
        status: TaskStatus,
        story_points: Option<i64>,
        status_changed_at: Option<DateTime<Utc>>,
        blocker_type: Option<BlockerType>,
        blocked_since: Option<DateTime<Utc>>,
        assignee_id: Option<UserId>,
        username: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
    }
}

/// The sprint that runs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StandupSprint {
    pub id: SprintId,
    pub name: String,
    pub goal: String,
    pub start_date: NaiveDate,
    pub finish_date: NaiveDate,
}

/// A person with cards.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StandupAssignee {
    pub id: UserId,
    pub name: String,
}

/// A card.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StandupCard {
    pub id: TaskId,
    pub name: String,
    pub status: TaskStatus,
    /// Null for those who may not see the velocity of the team.
    pub story_points: Option<i64>,
    /// Whole days since it got its status.
    pub dwell_days: Option<i64>,
    /// Whether that is long: five days or more.
    pub aging: bool,
    pub blocker_type: Option<BlockerType>,
    pub blocked_since: Option<DateTime<Utc>>,
}

/// The cards of one person; of nobody when `assignee` is null.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct StandupBucket {
    pub assignee: Option<StandupAssignee>,
    /// Completed since the working day before.
    pub done: Vec<StandupCard>,
    pub in_progress: Vec<StandupCard>,
    pub blockers: Vec<StandupCard>,
}

/// What a team goes through each morning.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StandupResponse {
    /// Whether a sprint runs.
    pub active: bool,
    /// Why there is nothing to go through: `no_active_sprint`.
    pub reason: Option<&'static str>,
    pub sprint: Option<StandupSprint>,
    pub generated_at: DateTime<Utc>,
    /// Since when completed cards are shown: the beginning of the working day before.
    pub window_since: Option<DateTime<Utc>>,
    /// Person by person, by name; cards of nobody are last.
    pub walk: Vec<StandupBucket>,
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<StandupResponse>> {
    let generated_at = app.clock.now();
    let Some(sprint) = active_sprint(&app.db, scope.project).await? else {
        let (reason, walk) = (Some("no_active_sprint"), Vec::new());
        let none =
            StandupResponse { active: false, reason, sprint: None, generated_at, window_since: None, walk };
        return Ok(Json(none));
    };
    let calendar = working_days(&app.db, scope.project).await?;
    let since = window_since(&calendar, app.clock.today()).max(sprint.activated_at.unwrap_or_default());
    let gate = VelocityGate::of(&app.db, scope.project, scope.actor.id).await?;
    let rows = cards(&app.db, scope.project, sprint.id).await?;
    Ok(Json(StandupResponse {
        active: true,
        reason: None,
        sprint: Some(named(sprint)),
        generated_at,
        window_since: Some(since),
        walk: walk(rows, gate, since, generated_at),
    }))
}

fn named(sprint: SprintRow) -> StandupSprint {
    let SprintRow { id, name, goal, start_date, finish_date, .. } = sprint;
    StandupSprint { id, name, goal, start_date, finish_date }
}

/// The beginning of the working day before today.
fn window_since(calendar: &Calendar, today: NaiveDate) -> DateTime<Utc> {
    let before = |days| today.checked_sub_days(Days::new(days));
    let working = (1..=FARTHEST_DAYS).filter_map(before).find(|date| calendar.is_working(day(*date)));
    working.or_else(|| before(1)).unwrap_or(today).and_time(NaiveTime::MIN).and_utc()
}

fn walk(
    rows: Vec<CardRow>,
    gate: VelocityGate,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Vec<StandupBucket> {
    let mut buckets: BTreeMap<(bool, String, Option<UserId>), StandupBucket> = BTreeMap::new();
    for row in rows {
        let Some(list) = list_of(&row, since) else { continue };
        let assignee = assignee(&row);
        let name = assignee.as_ref().map_or_else(String::new, |person| person.name.to_lowercase());
        let bucket = buckets.entry((assignee.is_none(), name, row.assignee_id)).or_default();
        bucket.assignee = assignee;
        list(bucket).push(card(row, gate, now));
    }
    buckets.into_values().collect()
}

fn assignee(row: &CardRow) -> Option<StandupAssignee> {
    let name =
        person::display_name(row.first_name.as_deref()?, row.last_name.as_deref()?, row.username.as_deref()?);
    Some(StandupAssignee { id: row.assignee_id?, name })
}

/// The list that a card belongs to; none for work that was done earlier or has not begun.
fn list_of(row: &CardRow, since: DateTime<Utc>) -> Option<fn(&mut StandupBucket) -> &mut Vec<StandupCard>> {
    match row.status {
        TaskStatus::Complete => {
            let is_recent = row.status_changed_at.is_some_and(|at| at >= since);
            is_recent.then_some(|bucket| &mut bucket.done)
        }
        TaskStatus::OnHold => Some(|bucket| &mut bucket.blockers),
        _ if row.blocked_since.is_some() => Some(|bucket| &mut bucket.blockers),
        TaskStatus::InProgress | TaskStatus::Review => Some(|bucket| &mut bucket.in_progress),
        TaskStatus::Backlog | TaskStatus::NotStarted => None,
    }
}

fn card(row: CardRow, gate: VelocityGate, now: DateTime<Utc>) -> StandupCard {
    let dwell_days = row.status_changed_at.map(|at| (now - at).num_days().max(0));
    StandupCard {
        id: row.id,
        name: row.name,
        status: row.status,
        story_points: gate.lets(row.story_points),
        dwell_days,
        aging: row.status != TaskStatus::Complete && dwell_days.is_some_and(|days| days >= AGING_DAYS),
        blocker_type: row.blocker_type,
        blocked_since: row.blocked_since,
    }
}

/// The cards of a sprint in the order of its board.
async fn cards(db: &dyn Read, project: ProjectId, sprint: SprintId) -> Result<Vec<CardRow>> {
    let select = format!(
        "SELECT t.id, t.name, t.status, t.story_points, t.status_changed_at, t.blocker_type, t.blocked_since,
            u.id AS assignee_id, u.username, u.first_name, u.last_name
         FROM tasks t LEFT JOIN users u ON u.id = t.assignee_id
         WHERE t.sprint_id = :sprint AND t.project_id = :project AND NOT t.sprint_pending AND {IS_WORK}
         ORDER BY t.sprint_rank ASC NULLS LAST, t.id"
    );
    db.all(sql!(select, sprint = sprint, project = project)).await
}
