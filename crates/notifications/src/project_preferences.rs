//! `/api/v1/projects/{id}/notification-preferences/`: what the caller wants to hear of one project, and when.
//! It only takes away from the preferences of the person: what is off there is off in every project.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use chrono::{DateTime, NaiveTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::NotificationChannel;
use planwright_plan::edit::Edit;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};
use planwright_web::schema::JsonValue;
use planwright_web::{
    ApiResult, App, Body, Field, Json, Patch, Problem, Problems, ProjectScope, Routes, input, says,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kinds::Kind;
use crate::preferences::joined_at;
use crate::times;

const PREFERENCES: &str = "/api/v1/projects/{id}/notification-preferences/";

/// The version of the matrix.
const SCHEMA_VERSION: i64 = 1;

/// The rows of the matrix.
const EVENTS: [&str; 9] = [
    "task_assigned",
    "task_overdue",
    "comment_mention",
    "status_change",
    "budget_alert",
    "risk_created",
    "milestone_reached",
    "sprint_start",
    "sprint_end",
];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(PREFERENCES, show, says("What you want to hear of a project, and when.")).patch(
        PREFERENCES,
        update,
        says("Change some of what you want to hear of a project."),
    )
}

/// In which ways the caller wants to hear of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NotificationMatrixRow")]
pub struct Ways {
    /// In the list of notifications.
    pub in_app: bool,
    /// By mail.
    pub email: bool,
    /// It is kept and has no effect.
    pub slack: bool,
    /// It is kept and has no effect.
    pub mobile_push: bool,
}

impl Ways {
    const USUAL: Self = Self { in_app: true, email: true, slack: false, mobile_push: false };

    fn cell(&mut self, channel: &str) -> Option<&mut bool> {
        match channel {
            "in_app" => Some(&mut self.in_app),
            "email" => Some(&mut self.email),
            "slack" => Some(&mut self.slack),
            "mobile_push" => Some(&mut self.mobile_push),
            _ => None,
        }
    }
}

type Matrix = BTreeMap<String, Ways>;

row! {
    struct StoredRow {
        user_id: UserId,
        project_id: ProjectId,
        matrix: JsonValue,
        paused: bool,
        quiet_hours_enabled: bool,
        quiet_hours_from: String,
        quiet_hours_until: String,
        updated_at: DateTime<Utc>,
    }
}

/// What the caller wants to hear of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectNotificationPreferences {
    /// The ways for each event.
    pub matrix: Matrix,
    /// The version of the matrix.
    pub schema_version: i64,
    /// Whether the caller hears nothing of the project.
    pub paused: bool,
    /// Whether mails wait until the quiet hours are over.
    pub quiet_hours_enabled: bool,
    /// The beginning of the quiet hours in the time zone of the caller, such as `20:00`.
    pub quiet_hours_from: String,
    /// The end of the quiet hours.
    pub quiet_hours_until: String,
    /// When the caller changed it. Before that, the time at which they joined.
    pub updated_at: DateTime<Utc>,
}

input! {
    /// Some of what the caller wants to hear of a project.
    pub struct PatchedProjectNotificationPreferencesRequest {
        /// Some cells of the matrix. The others stay as they are.
        pub matrix: Patch<Cells>,
        pub paused: Patch<bool>,
        pub quiet_hours_enabled: Patch<bool>,
        /// A time of day such as `20:00`.
        pub quiet_hours_from: Patch<TimeOfDay>,
        /// A time of day such as `07:00`.
        pub quiet_hours_until: Patch<TimeOfDay>,
    }
}

/// Some cells of the matrix: event, channel and value.
#[derive(Clone, Debug)]
pub struct Cells(Vec<(String, String, bool)>);

impl Field for Cells {
    fn from_json(value: &JsonValue) -> std::result::Result<Self, Problem> {
        let JsonValue::Object(rows) = value else {
            return Err(Problem::says("An object was expected here."));
        };
        let (mut cells, mut problems) = (Vec::new(), Problems::default());
        for (event, channels) in rows {
            match cells_of(event, channels) {
                Ok(found) => cells.extend(found),
                Err(problem) => problems.add(event, problem),
            }
        }
        if problems.is_empty() { Ok(Self(cells)) } else { Err(Problem::Fields(problems)) }
    }
}

fn cells_of(event: &str, channels: &JsonValue) -> std::result::Result<Vec<(String, String, bool)>, Problem> {
    if !EVENTS.contains(&event) {
        return Err(Problem::says(format!("There is no such event. Choose from: {}.", EVENTS.join(", "))));
    }
    let JsonValue::Object(channels) = channels else {
        return Err(Problem::says("An object was expected here."));
    };
    let (mut cells, mut problems) = (Vec::new(), Problems::default());
    for (channel, value) in channels {
        match (Ways::USUAL.clone().cell(channel), bool::from_json(value)) {
            (None, _) => problems.say(channel, "There is no such channel."),
            (_, Err(problem)) => problems.add(channel, problem),
            (Some(_), Ok(value)) => cells.push((event.to_owned(), channel.clone(), value)),
        }
    }
    if problems.is_empty() { Ok(cells) } else { Err(Problem::Fields(problems)) }
}

#[schemars::for_document]
impl JsonSchema for Cells {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NotificationMatrixCells".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "additionalProperties": { "type": "object", "additionalProperties": { "type": "boolean" } }
        })
    }
}

/// A time of day with hours and minutes.
#[derive(Clone, Copy, Debug)]
pub struct TimeOfDay(NaiveTime);

impl Field for TimeOfDay {
    fn from_json(value: &JsonValue) -> std::result::Result<Self, Problem> {
        let read = value.as_str().and_then(times::time_of_day);
        read.map(Self).ok_or_else(|| Problem::says("Time has wrong format. Use hh:mm."))
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> Self {
        time.0.format("%H:%M").to_string()
    }
}

#[schemars::for_document]
impl JsonSchema for TimeOfDay {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TimeOfDay".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9](:00)?$" })
    }
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<ProjectNotificationPreferences>> {
    Ok(Json(of_person(&app.db, scope.actor.id, scope.project).await?))
}

async fn update(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Body(request): Body<PatchedProjectNotificationPreferencesRequest>,
) -> ApiResult<Json<ProjectNotificationPreferences>> {
    let me = scope.actor.id;
    let mut edit = Edit::begin(&app, &scope).await?;
    edit.lock_rows("users", [me.0]).await?;
    let before = of_person(&edit, me, scope.project).await?;
    let after = changed(before, request, edit.now());
    keep(&mut edit, me, scope.project, &after).await?;
    edit.commit().await?;
    Ok(Json(after))
}

fn changed(
    mut row: ProjectNotificationPreferences,
    request: PatchedProjectNotificationPreferencesRequest,
    now: DateTime<Utc>,
) -> ProjectNotificationPreferences {
    for (event, channel, value) in request.matrix.given().map(|cells| cells.0).unwrap_or_default() {
        let ways = row.matrix.entry(event).or_insert(Ways::USUAL);
        if let Some(cell) = ways.cell(&channel) {
            *cell = value;
        }
    }
    request.paused.write_to(&mut row.paused);
    request.quiet_hours_enabled.write_to(&mut row.quiet_hours_enabled);
    request.quiet_hours_from.write_to(&mut row.quiet_hours_from);
    request.quiet_hours_until.write_to(&mut row.quiet_hours_until);
    ProjectNotificationPreferences { updated_at: now, ..row }
}

/// The whole matrix, with the usual ways where nothing is stored.
fn whole(stored: JsonValue) -> Matrix {
    let stored: Matrix = serde_json::from_value(stored).unwrap_or_default();
    let ways = |event: &str| stored.get(event).copied().unwrap_or(Ways::USUAL);
    EVENTS.iter().map(|event| ((*event).to_owned(), ways(event))).collect()
}

async fn stored(db: &dyn Read, people: &[UserId], projects: &[ProjectId]) -> Result<Vec<StoredRow>> {
    let select = "SELECT user_id, project_id, matrix, paused, quiet_hours_enabled, quiet_hours_from,
            quiet_hours_until, updated_at
         FROM project_notification_preferences WHERE user_id IN (:people) AND project_id IN (:projects)";
    let (people, projects) = (list(people.iter().copied()), list(projects.iter().copied()));
    db.all(sql!(select, people = people, projects = projects)).await
}

async fn of_person(db: &dyn Read, me: UserId, project: ProjectId) -> Result<ProjectNotificationPreferences> {
    Ok(match stored(db, &[me], &[project]).await?.pop() {
        Some(row) => ProjectNotificationPreferences {
            matrix: whole(row.matrix),
            schema_version: SCHEMA_VERSION,
            paused: row.paused,
            quiet_hours_enabled: row.quiet_hours_enabled,
            quiet_hours_from: row.quiet_hours_from,
            quiet_hours_until: row.quiet_hours_until,
            updated_at: row.updated_at,
        },
        None => ProjectNotificationPreferences {
            matrix: whole(JsonValue::Null),
            schema_version: SCHEMA_VERSION,
            paused: false,
            quiet_hours_enabled: true,
            quiet_hours_from: "20:00".to_owned(),
            quiet_hours_until: "07:00".to_owned(),
            updated_at: joined_at(db, me).await?,
        },
    })
}

async fn keep(
    tx: &mut Tx,
    me: UserId,
    project: ProjectId,
    row: &ProjectNotificationPreferences,
) -> Result<()> {
    let insert = "INSERT INTO project_notification_preferences (user_id, project_id, matrix, paused, quiet_hours_enabled,
            quiet_hours_from, quiet_hours_until, updated_at)
         VALUES (:me, :project, :matrix, :paused, :quiet, :from, :until, :now)
         ON CONFLICT (user_id, project_id) DO UPDATE SET matrix = excluded.matrix, paused = excluded.paused,
            quiet_hours_enabled = excluded.quiet_hours_enabled, quiet_hours_from = excluded.quiet_hours_from,
            quiet_hours_until = excluded.quiet_hours_until, updated_at = excluded.updated_at";
    let values = sql!(
        insert,
        me = me,
        project = project,
        matrix = serde_json::json!(row.matrix),
        paused = row.paused,
        quiet = row.quiet_hours_enabled,
        from = &*row.quiet_hours_from,
        until = &*row.quiet_hours_until,
        now = row.updated_at
    );
    tx.run(values).await.map(drop)
}

/// What people want to hear of projects, by person and project.
#[derive(Debug, Default)]
pub struct ProjectChoices(HashMap<(UserId, ProjectId), (bool, Matrix)>);

impl ProjectChoices {
    /// Those of some people in some projects.
    pub async fn of(db: &dyn Read, people: &[UserId], projects: &[ProjectId]) -> Result<Self> {
        let rows = stored(db, people, projects).await?.into_iter();
        Ok(Self(rows.map(|row| ((row.user_id, row.project_id), (row.paused, whole(row.matrix)))).collect()))
    }

    /// Whether a person wants to hear of something in a project in this way.
    pub fn allow(
        &self,
        person: UserId,
        project: ProjectId,
        kind: &Kind,
        channel: NotificationChannel,
    ) -> bool {
        let Some((is_paused, matrix)) = self.0.get(&(person, project)) else { return true };
        let ways = kind.project_event.and_then(|event| matrix.get(event)).copied().unwrap_or(Ways::USUAL);
        let is_on = match channel {
            NotificationChannel::InApp => ways.in_app,
            NotificationChannel::Email => ways.email,
        };
        is_on && !is_paused
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cells_are_read_strictly_and_every_wrong_one_is_named() {
        let cells = Cells::from_json(&json!({"task_assigned": {"email": false}})).unwrap().0;
        assert_eq!(cells, [("task_assigned".to_owned(), "email".to_owned(), false)]);
        let wrong = json!({"tea": {}, "task_assigned": {"smoke": true, "email": 7}, "sprint_end": 1});
        let Err(Problem::Fields(problems)) = Cells::from_json(&wrong) else { panic!("it is wrong") };
        let problems = serde_json::Value::Object(problems.into_json());
        assert!(problems["tea"].is_array() && problems["sprint_end"].is_array(), "{problems}");
        assert!(
            problems["task_assigned"]["smoke"].is_array() && problems["task_assigned"]["email"].is_array()
        );
    }

    #[test]
    fn cells_that_nobody_wrote_are_the_usual_ones() {
        let matrix = whole(
            json!({"sprint_end": {"in_app": false, "email": false, "slack": true, "mobile_push": false}}),
        );
        assert_eq!(matrix.len(), EVENTS.len());
        assert_eq!(matrix["task_assigned"], Ways::USUAL);
        assert!(matrix["sprint_end"].slack && !matrix["sprint_end"].in_app);
    }
}
