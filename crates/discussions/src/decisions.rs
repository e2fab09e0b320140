//! `/api/v1/projects/{id}/decisions/`: the notes of a project that are decisions, and whether its Viewers read them.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::{Action, allows, may};
use planwright_domain::ids::{DecisionPolicyId, NoteId, ProjectId, SprintId, TaskId};
use planwright_domain::words::SprintState;
use planwright_plan::edit::Edit;
use planwright_store::dialect::{contains, pattern};
use planwright_store::page::Key;
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, record, row, sql, tracked};
use planwright_web::input::Patch;
use planwright_web::paging::Orderings;
use planwright_web::{
    ApiError, ApiResult, App, Body, Json, Page, Paging, ProjectScope, Query, Routes, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::author::{Author, AuthorRow};

const ALL: &str = "/api/v1/projects/{id}/decisions/";
const POLICY: &str = "/api/v1/projects/{project_pk}/decisions-policy/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The decisions of a project, the newest first.").orderings(ORDERINGS))
        .get(POLICY, show, says("Whether Viewers read the decisions of a project."))
        .patch(POLICY, update, says("Say whether Viewers read the decisions of a project."))
}

const ORDERINGS: Orderings = &[("created_at", "n.created_at")];

record! {
    /// Whether the Viewers of a project read its decisions.
    pub struct PolicyRow in decision_policies {
        #[serde(skip)]
        pub id: DecisionPolicyId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub oversight_visible: bool,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { PolicyRow as "decision_policy" }

/// Whether the Viewers of a project read its decisions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecisionsPolicyRead {
    pub oversight_visible: bool,
    /// Whether the caller may change that.
    pub can_edit: bool,
}

input! {
    /// Whether the Viewers of a project read its decisions.
    pub struct PatchedDecisionsPolicyWriteRequest {
        pub oversight_visible: Patch<bool>,
    }
}

input! {
    /// Which decisions to show.
    pub struct DecisionFilter {
        /// Only those on tasks of this sprint.
        pub sprint: Patch<SprintId>,
    }
}

row! {
    struct DecisionRow {
        id: NoteId,
        body: String,
        decision: bool,
        pinned: bool,
        edited_at: Option<DateTime<Utc>>,
        created_at: DateTime<Utc>,
        task_id: TaskId,
        task_name: String,
        sprint_id: Option<SprintId>,
        sprint_name: Option<String>,
        sprint_state: Option<SprintState>,
    }
    and author: AuthorRow
}

/// The task of a decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecisionTask {
    pub id: TaskId,
    pub name: String,
}

/// The sprint of the task of a decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecisionSprint {
    pub id: SprintId,
    pub name: String,
    pub state: SprintState,
}

/// A note that is a decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecisionNote {
    pub id: NoteId,
    /// What it says, as Markdown.
    pub body: String,
    pub decision: bool,
    pub pinned: bool,
    pub author: Author,
    pub edited_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub task: DecisionTask,
    /// Null for a task without one.
    pub sprint: Option<DecisionSprint>,
}

impl From<DecisionRow> for DecisionNote {
    fn from(row: DecisionRow) -> Self {
        let sprint = row.sprint_id.zip(row.sprint_name).zip(row.sprint_state);
        Self {
            id: row.id,
            body: row.body,
            decision: row.decision,
            pinned: row.pinned,
            author: row.author.into(),
            edited_at: row.edited_at,
            created_at: row.created_at,
            task: DecisionTask { id: row.task_id, name: row.task_name },
            sprint: sprint.map(|((id, name), state)| DecisionSprint { id, name, state }),
        }
    }
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
    Query(filter): Query<DecisionFilter>,
) -> ApiResult<Page<DecisionNote>> {
    if scope.role == Role::Viewer && !is_visible(&app.db, scope.project).await? {
        return Err(ApiError::forbidden("The decisions of this project are not shown to Viewers."));
    }
    let keys = paging.keys(ORDERINGS, &[Key::descending("n.created_at")], "n.id")?;
    let from = decisions(&app.db, scope.project, filter.sprint.given(), paging.search.as_deref());
    paging.fetch::<DecisionRow, _>(&app.db, COLUMNS, from, "n.id", &keys, DecisionNote::from).await
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<DecisionsPolicyRead>> {
    let oversight_visible = is_visible(&app.db, scope.project).await?;
    Ok(Json(DecisionsPolicyRead {
        oversight_visible,
        can_edit: allows(Action::EditDecisionPolicy, scope.role),
    }))
}

async fn update(
    State(app): State<App>,
    scope: ProjectScope<may::EditDecisionPolicy>,
    Body(request): Body<PatchedDecisionsPolicyWriteRequest>,
) -> ApiResult<Json<DecisionsPolicyRead>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let before = policy(&edit, scope.project).await?;
    let (id, created_at, project_id) = (edit.mint(), edit.now(), scope.project);
    let mut after = before.clone().unwrap_or(PolicyRow {
        id,
        project_id,
        oversight_visible: false,
        created_at,
        server_version: 1,
    });
    request.oversight_visible.write_to(&mut after.oversight_visible);
    let written = edit.save(before, after).await?;
    let oversight_visible = written.row.oversight_visible;
    edit.commit().await?;
    Ok(Json(DecisionsPolicyRead { oversight_visible, can_edit: true }))
}

async fn is_visible(db: &dyn Read, project: ProjectId) -> Result<bool> {
    Ok(policy(db, project).await?.is_some_and(|row| row.oversight_visible))
}

async fn policy(db: &dyn Read, project: ProjectId) -> Result<Option<PolicyRow>> {
    let columns = select_list::<PolicyRow>("p");
    let select = format!("SELECT {columns} FROM decision_policies p WHERE p.project_id = :project");
    db.maybe(sql!(select, project = project)).await
}

const COLUMNS: &str = "SELECT n.id, n.body, n.decision, n.pinned, n.edited_at, n.created_at, t.id AS task_id,
    t.name AS task_name, s.id AS sprint_id, s.name AS sprint_name, s.state AS sprint_state,
    n.author_id, u.username, u.first_name, u.last_name";

/// The decisions on live tasks of a project, or of one of its sprints.
fn decisions(db: &dyn Read, project: ProjectId, sprint: Option<SprintId>, search: Option<&str>) -> Sql {
    let found = format!("AND {}", contains(db.engine(), "n.body", "search"));
    let from = "FROM task_notes n JOIN users u ON u.id = n.author_id
         JOIN tasks t ON t.id = n.task_id AND t.deletion_id IS NULL
         LEFT JOIN sprints s ON s.id = t.sprint_id AND s.deletion_id IS NULL
         WHERE n.project_id = :project AND n.decision AND n.deletion_id IS NULL";
    sql!(from, project = project).when("AND t.sprint_id = :sprint", "sprint", sprint).when(
        &found,
        "search",
        search.map(pattern),
    )
}
