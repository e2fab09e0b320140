//! Pins and visits: which projects and programs somebody keeps at hand, and which they looked at last. Both concern one person
//! only. They have no history and no events, and nobody else sees them.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_store::{Read, Result, Tx, row, sql};
use planwright_web::{
    Actor, ApiError, ApiResult, App, IgnoredBody, Json, ProgramScope, ProjectScope, Routes, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

const OF_PROJECT: &str = "/api/v1/projects/{id}/pin/";
const OF_PROGRAM: &str = "/api/v1/programs/{id}/pin/";

/// How many pins a person may have.
const MOST_PINS: i64 = 100;
/// How many projects the list of the last visits has.
const RECENT: i64 = 10;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/auth/me/pinned/", pinned, says("What you pinned, the newest pin first."))
        .post(OF_PROJECT, pin_project, says("Pin a project."))
        .delete(OF_PROJECT, unpin_project, says("Take the pin off a project."))
        .post(OF_PROGRAM, pin_program, says("Pin a program."))
        .delete(OF_PROGRAM, unpin_program, says("Take the pin off a program."))
        .post("/api/v1/projects/{id}/visit/", visit, says("Note that you looked at a project."))
        .get("/api/v1/me/recent-projects/", recent, says("The projects that you looked at last."))
}

/// Whether a project is pinned now.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ProjectPinResponse {
    pub is_pinned: bool,
}

/// Whether a program is pinned now.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ProgramPinResponse {
    pub is_pinned: bool,
}

/// Whether a visit was noted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ProjectVisitResponse {
    pub recorded: bool,
}

row! {
    /// Something that a person pinned.
    #[derive(Serialize, JsonSchema)]
    pub struct PinnedItem {
        /// `project` or `program`.
        pub kind: String,
        pub id: Uuid,
        pub name: String,
        pub code: Option<String>,
        /// The program of a project.
        pub program_id: Option<ProgramId>,
        pub program_name: Option<String>,
        pub pinned_at: DateTime<Utc>,
    }
}

row! {
    /// A project that somebody looked at.
    #[derive(Serialize, JsonSchema)]
    pub struct RecentProject {
        pub id: ProjectId,
        pub name: String,
        pub program_id: Option<ProgramId>,
        pub program_name: Option<String>,
        pub visited_at: DateTime<Utc>,
    }
}

async fn pin_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    _: IgnoredBody,
) -> ApiResult<Json<ProjectPinResponse>> {
    pin(&app, scope.actor.id, "project", scope.project.0).await?;
    Ok(Json(ProjectPinResponse { is_pinned: true }))
}

async fn unpin_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<ProjectPinResponse>> {
    unpin(&app, scope.actor.id, "project", scope.project.0).await?;
    Ok(Json(ProjectPinResponse { is_pinned: false }))
}

async fn pin_program(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    _: IgnoredBody,
) -> ApiResult<Json<ProgramPinResponse>> {
    pin(&app, scope.actor.id, "program", scope.program.0).await?;
    Ok(Json(ProgramPinResponse { is_pinned: true }))
}

async fn unpin_program(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Json<ProgramPinResponse>> {
    unpin(&app, scope.actor.id, "program", scope.program.0).await?;
    Ok(Json(ProgramPinResponse { is_pinned: false }))
}

/// Pins something; doing it twice changes nothing the second time.
async fn pin(app: &App, person: UserId, kind: &'static str, id: Uuid) -> ApiResult<()> {
    let mut tx = app.db.begin().await?;
    tx.lock_rows("users", [person.0]).await?;
    let others = pins_besides(&tx, person, id).await?;
    if others >= MOST_PINS {
        let refused =
            ApiError::bad_request(format!("You can pin at most {MOST_PINS} projects and programs."));
        return Err(refused.with_code("pin_limit_reached"));
    }
    insert_pin(&mut tx, person, kind, id).await?;
    Ok(tx.commit().await?)
}

async fn unpin(app: &App, person: UserId, kind: &'static str, id: Uuid) -> ApiResult<()> {
    let mut tx = app.db.begin().await?;
    delete_pin(&mut tx, person, kind, id).await?;
    Ok(tx.commit().await?)
}

async fn pinned(State(app): State<App>, actor: Actor) -> ApiResult<Json<Vec<PinnedItem>>> {
    Ok(Json(pins_of(&app.db, &actor).await?))
}

async fn visit(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    _: IgnoredBody,
) -> ApiResult<Json<ProjectVisitResponse>> {
    let mut tx = app.db.begin().await?;
    note_visit(&mut tx, scope.actor.id, scope.project).await?;
    tx.commit().await?;
    Ok(Json(ProjectVisitResponse { recorded: true }))
}

async fn recent(State(app): State<App>, actor: Actor) -> ApiResult<Json<Vec<RecentProject>>> {
    Ok(Json(visited_by(&app.db, &actor).await?))
}

/// How many pins a person has besides one.
async fn pins_besides(db: &dyn Read, person: UserId, id: Uuid) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM pins WHERE user_id = :person AND object_id <> :id";
    db.count(sql!(select, person = person, id = id)).await
}

async fn insert_pin(tx: &mut Tx, person: UserId, kind: &'static str, id: Uuid) -> Result<()> {
    let insert = "INSERT INTO pins (user_id, kind, object_id, pinned_at) VALUES (:person, :kind, :id, :now)
         ON CONFLICT (user_id, kind, object_id) DO NOTHING";
    let now = tx.now();
    tx.run(sql!(insert, person = person, kind = kind, id = id, now = now)).await.map(drop)
}

async fn delete_pin(tx: &mut Tx, person: UserId, kind: &'static str, id: Uuid) -> Result<()> {
    let delete = "DELETE FROM pins WHERE user_id = :person AND kind = :kind AND object_id = :id";
    tx.run(sql!(delete, person = person, kind = kind, id = id)).await.map(drop)
}

/// What a person pinned and still sees, the newest pin first.
async fn pins_of(db: &dyn Read, actor: &Actor) -> Result<Vec<PinnedItem>> {
    let projects = sql!(
        "SELECT x.kind, p.id, p.name, p.code, p.program_id, g.name AS program_name, x.pinned_at
         FROM pins x JOIN projects p ON p.id = x.object_id AND p.deletion_id IS NULL
         LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
         WHERE x.user_id = :person AND x.kind = 'project'",
        person = actor.id
    );
    let programs = sql!(
        "SELECT x.kind, g.id, g.name, g.code, CAST(NULL AS UUID) AS program_id, CAST(NULL AS TEXT) AS program_name,
            x.pinned_at
         FROM pins x JOIN programs g ON g.id = x.object_id AND g.deletion_id IS NULL
         WHERE x.user_id = :person AND x.kind = 'program'",
        person = actor.id
    );
    let mut items: Vec<PinnedItem> = db.all(actor.in_visible_projects(projects, "p.id")).await?;
    items.extend(db.all::<PinnedItem>(actor.in_visible_programs(programs, "g.id")).await?);
    items.sort_by_key(|item| std::cmp::Reverse((item.pinned_at, item.id)));
    Ok(items)
}

async fn note_visit(tx: &mut Tx, person: UserId, project: ProjectId) -> Result<()> {
    let insert =
        "INSERT INTO project_visits (user_id, project_id, visited_at) VALUES (:person, :project, :now)
         ON CONFLICT (user_id, project_id) DO UPDATE SET visited_at = excluded.visited_at";
    let now = tx.now();
    tx.run(sql!(insert, person = person, project = project, now = now)).await.map(drop)
}

/// The live projects that a person looked at and still sees, the last one first.
async fn visited_by(db: &dyn Read, actor: &Actor) -> Result<Vec<RecentProject>> {
    let visits = sql!(
        "SELECT p.id, p.name, p.program_id, g.name AS program_name, v.visited_at
         FROM project_visits v JOIN projects p ON p.id = v.project_id AND p.deletion_id IS NULL
         LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
         WHERE v.user_id = :person",
        person = actor.id
    );
    let visible = actor.in_visible_projects(visits, "p.id");
    db.all(visible.push(&format!(" ORDER BY v.visited_at DESC, p.id LIMIT {RECENT}"))).await
}
