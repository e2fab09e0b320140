//! `…/integrations-summary/` of projects and programs: what is connected with them, in numbers. Each part has its own page; this
//! is the overview of all.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_store::{Read, Result, row, sql};
use planwright_web::{
    Actor, ApiResult, App, Gathered, Gathering, ProgramScope, ProjectOrProgram, ProjectScope, Routes, says,
};
use schemars::JsonSchema;
use serde::Serialize;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{id}/integrations-summary/",
            of_project,
            says("What is connected with a project, in numbers."),
        )
        .get(
            "/api/v1/programs/{id}/integrations-summary/",
            of_program,
            says("What is connected with a program and its projects, in numbers."),
        )
}

row! {
    /// The webhooks of a place, in numbers.
    #[derive(Default, Serialize, JsonSchema)]
    pub struct WebhooksInShort {
        pub total: i64,
        /// Those that send.
        pub active: i64,
        /// Those of which the last delivery failed.
        pub failing: i64,
    }
}

row! {
    /// The tokens of a place, in numbers.
    #[derive(Default, Serialize, JsonSchema)]
    pub struct ApiTokensInShort {
        /// Those that work.
        pub active: i64,
        /// When one was used last.
        pub last_used_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// Tasks that another system pushes, in numbers.
    #[derive(Serialize, JsonSchema)]
    pub struct TaskSyncSource {
        /// The other system.
        pub source: String,
        /// The number of tasks.
        pub tasks: i64,
        /// Those that wait for somebody who is no member yet.
        pub pending_assignees: i64,
        /// When one was pushed last.
        pub last_synced_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// What merge requests do in a project.
    #[derive(Default, Serialize, JsonSchema)]
    pub struct GitAutomationInShort {
        /// Whether they move tasks.
        pub enabled: bool,
        /// When a forge told something last.
        pub last_delivery_at: Option<DateTime<Utc>>,
        /// When a forge was not listened to last.
        pub last_refusal_at: Option<DateTime<Utc>>,
    }
}

/// What is connected with a project.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProjectIntegrationsSummary {
    pub webhooks: WebhooksInShort,
    pub api_tokens: ApiTokensInShort,
    pub git_automation: GitAutomationInShort,
    pub task_sync: Vec<TaskSyncSource>,
}

row! {
    /// A project of a program, and what is connected with it.
    #[derive(Serialize, JsonSchema)]
    pub struct ProjectInShort {
        pub id: ProjectId,
        pub name: String,
        /// Its webhooks.
        pub webhooks: i64,
        /// Its tokens that work.
        pub api_tokens: i64,
        /// Whether merge requests move its tasks.
        pub git_automation: bool,
        /// The number of tasks that other systems push.
        pub synced_tasks: i64,
    }
}

/// What is connected with a program.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProgramIntegrationsSummary {
    pub webhooks: WebhooksInShort,
    pub api_tokens: ApiTokensInShort,
    /// Its projects that the caller sees, by name.
    pub projects: Vec<ProjectInShort>,
}

async fn of_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadContainer>,
) -> ApiResult<Gathered<ProjectIntegrationsSummary>> {
    let (db, place, mut gathering) =
        (&app.db, ProjectOrProgram::Project(scope.project), Gathering::default());
    let summary = ProjectIntegrationsSummary {
        webhooks: gathering.section("webhooks", webhooks(db, place).await),
        api_tokens: gathering.section("api_tokens", tokens(db, place, app.clock.now()).await),
        git_automation: gathering.section("git_automation", git(db, scope.project).await),
        task_sync: gathering.section("task_sync", sources(db, scope.project).await),
    };
    Ok(gathering.answer(summary))
}

async fn of_program(
    State(app): State<App>,
    scope: ProgramScope<may::ReadContainer>,
) -> ApiResult<Gathered<ProgramIntegrationsSummary>> {
    let (db, place, mut gathering) =
        (&app.db, ProjectOrProgram::Program(scope.program), Gathering::default());
    let now = app.clock.now();
    let summary = ProgramIntegrationsSummary {
        webhooks: gathering.section("webhooks", webhooks(db, place).await),
        api_tokens: gathering.section("api_tokens", tokens(db, place, now).await),
        projects: gathering.section("projects", projects(db, &scope, now).await),
    };
    Ok(gathering.answer(summary))
}

async fn webhooks(db: &dyn Read, place: ProjectOrProgram) -> Result<WebhooksInShort> {
    let select = format!(
        "SELECT COUNT(*) AS total,
            CAST(COALESCE(SUM(CASE WHEN w.is_active THEN 1 ELSE 0 END), 0) AS BIGINT) AS active,
            CAST(COALESCE(SUM(CASE WHEN w.consecutive_failures > 0 THEN 1 ELSE 0 END), 0) AS BIGINT) AS failing
         FROM webhooks w WHERE w.{} = :place",
        place.column()
    );
    db.one(sql!(select, place = place.uuid())).await
}

async fn tokens(db: &dyn Read, place: ProjectOrProgram, now: DateTime<Utc>) -> Result<ApiTokensInShort> {
    let select = format!(
        "SELECT CAST(COALESCE(SUM(CASE WHEN {GOOD} THEN 1 ELSE 0 END), 0) AS BIGINT) AS active,
            MAX(t.last_used_at) AS last_used_at
         FROM api_tokens t WHERE t.{} = :place AND t.owner_id IS NULL",
        place.column()
    );
    db.one(sql!(select, place = place.uuid(), now = now)).await
}

/// Whether a token works.
const GOOD: &str = "t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)";

async fn git(db: &dyn Read, project: ProjectId) -> Result<GitAutomationInShort> {
    let select =
        "SELECT enabled, last_delivery_at, last_refusal_at FROM git_automations WHERE project_id = :project";
    Ok(db.maybe(sql!(select, project = project)).await?.unwrap_or_default())
}

async fn sources(db: &dyn Read, project: ProjectId) -> Result<Vec<TaskSyncSource>> {
    let select = "SELECT s.source, COUNT(*) AS tasks,
            CAST(SUM(CASE WHEN s.pending_assignee <> '' THEN 1 ELSE 0 END) AS BIGINT) AS pending_assignees,
            MAX(s.synced_at) AS last_synced_at
         FROM synced_tasks s JOIN tasks t ON t.id = s.task_id AND t.deletion_id IS NULL
         WHERE s.project_id = :project GROUP BY s.source ORDER BY s.source";
    db.all(sql!(select, project = project)).await
}

async fn projects(
    db: &dyn Read,
    scope: &ProgramScope<may::ReadContainer>,
    now: DateTime<Utc>,
) -> Result<Vec<ProjectInShort>> {
    let actor: &Actor = &scope.actor;
    let select = format!(
        "SELECT o.id, o.name,
            (SELECT COUNT(*) FROM webhooks w WHERE w.project_id = o.id) AS webhooks,
            (SELECT COUNT(*) FROM api_tokens t WHERE t.project_id = o.id AND t.owner_id IS NULL AND {GOOD}) AS api_tokens,
            EXISTS (SELECT 1 FROM git_automations g WHERE g.project_id = o.id AND g.enabled) AS git_automation,
            (SELECT COUNT(*) FROM synced_tasks s JOIN tasks t ON t.id = s.task_id AND t.deletion_id IS NULL
             WHERE s.project_id = o.id) AS synced_tasks
         FROM projects o WHERE o.program_id = :program AND o.deletion_id IS NULL"
    );
    let all = sql!(select, now = now, program = scope.program);
    db.all(actor.in_visible_projects(all, "o.id").push(" ORDER BY o.name, o.id")).await
}
