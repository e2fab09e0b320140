//! `/api/v1/projects/{project_pk}/teams/` and `/api/v1/teams/`: the teams of a project and the roles people hold in them.
//! Teams are neither created nor deleted here; the default one follows the members of its project by itself.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::{May, may};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{MembershipId, ProjectId, TeamId, UserId};
use planwright_domain::words::{ChangeKind, TeamRole};
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::page::Key;
use planwright_store::{Read, Result, Tx, row, sql};
use planwright_web::input::Patch;
use planwright_web::scope::OuterPath;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Json, Page, Paging, Path, ProjectScope, Routes, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::people::{self, UserSummary};

const MEMBERS: &str = "/api/v1/teams/{team_pk}/members/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/projects/{project_pk}/teams/", list, says("The teams of a project."))
        .get("/api/v1/teams/{id}/", show, says("One team."))
        .get(MEMBERS, members, says("The people of a team."))
        .patch("/api/v1/teams/{team_pk}/members/{id}/", update, says("Change what somebody is in a team."))
}

row! {
    /// A team.
    #[derive(Serialize, JsonSchema)]
    pub struct Team {
        /// Its id.
        pub id: TeamId,
        /// Its project.
        #[serde(rename = "project")]
        pub project_id: ProjectId,
        /// The shown name.
        pub name: String,
        /// Its short name, unique in the project.
        pub short_id: String,
        /// What it is for.
        pub description: String,
        /// Whether it follows the members of its project.
        pub is_default: bool,
        /// How many people are in it.
        pub member_count: i64,
        /// Rises with every change.
        pub server_version: i64,
    }
}

row! {
    struct TeamMemberRow {
        id: MembershipId,
        team_id: TeamId,
        user_id: UserId,
        role: TeamRole,
        is_scrum_master: bool,
        is_product_owner: bool,
        created_at: DateTime<Utc>,
        server_version: i64,
    }
}

/// Somebody's place in a team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TeamMembershipRead {
    /// Its id.
    pub id: MembershipId,
    /// The team.
    pub team: TeamId,
    /// Who it is.
    pub user: UserId,
    /// The same in short.
    pub user_detail: Option<UserSummary>,
    /// The rank in the team.
    pub role: TeamRole,
    /// Its name.
    pub role_label: &'static str,
    /// Whether this is the Scrum Master.
    pub is_scrum_master: bool,
    /// Whether this is the Product Owner.
    pub is_product_owner: bool,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// Rises with every change.
    pub server_version: i64,
}

input! {
    /// What somebody is to be in a team.
    pub struct PatchedTeamMembershipWriteRequest {
        /// The rank in the team.
        pub role: Patch<TeamRole>,
        /// Whether this is the Scrum Master; taken from whoever is.
        pub is_scrum_master: Patch<bool>,
        /// Whether this is the Product Owner; taken from whoever is.
        pub is_product_owner: Patch<bool>,
    }
}

/// A team whose project lets the caller do `A`.
struct TeamScope<A> {
    team: Team,
    project: ProjectScope<A>,
}

impl<A: May> TeamScope<A> {
    async fn of(db: &impl Read, actor: &Actor, team: TeamId) -> ApiResult<Self> {
        let team = find(db, team).await?.ok_or_else(ApiError::not_found)?;
        let project = ProjectScope::of(db, actor, team.project_id).await?;
        Ok(Self { team, project })
    }
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<Team>> {
    let keys = paging.keys(&[("name", "t.name")], &[Key::ascending("t.short_id")], "t.id")?;
    let from = sql!("FROM teams t WHERE t.project_id = :project", project = scope.project);
    paging.fetch::<Team, TeamId, _>(&app.db, TEAM_COLUMNS, from, "t.id", &keys, |team| team).await
}

async fn show(State(app): State<App>, actor: Actor, Path(id): Path<TeamId>) -> ApiResult<Json<Team>> {
    Ok(Json(TeamScope::<may::ReadProject>::of(&app.db, &actor, id).await?.team))
}

async fn members(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<TeamId>,
    paging: Paging,
) -> ApiResult<Page<TeamMembershipRead>> {
    let scope = TeamScope::<may::ReadProject>::of(&app.db, &actor, id).await?;
    let keys = paging.keys(&[("username", "u.username")], &[Key::ascending("u.username")], "m.id")?;
    let from = sql!(
        "FROM team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = :team",
        team = scope.team.id
    );
    let page = paging
        .fetch::<TeamMemberRow, MembershipId, _>(&app.db, MEMBER_COLUMNS, from, "m.id", &keys, |row| row)
        .await?;
    let Page { count, next, previous, results } = page;
    let results = shown(&app.db, &actor, results).await?;
    Ok(Page { count, next, previous, results })
}

async fn update(
    State(app): State<App>,
    actor: Actor,
    OuterPath(team): OuterPath<TeamId>,
    Path(id): Path<MembershipId>,
    Body(request): Body<PatchedTeamMembershipWriteRequest>,
) -> ApiResult<Json<TeamMembershipRead>> {
    let mut tx = app.db.begin().await?;
    let scope = TeamScope::<may::EditTeam>::of(&tx, &actor, team).await?;
    check_administers(&tx, &scope).await?;
    let before = find_member(&tx, team, id).await?.ok_or_else(ApiError::not_found)?;
    let after = planned(&scope.team, before.clone(), request)?;
    take_facets(&mut tx, &scope, &before, &after).await?;
    write(&mut tx, &scope, &before, &after).await?;
    let row = find_member(&tx, team, id).await?.into_iter().collect();
    let member = shown(&tx, &actor, row).await?.pop().ok_or_else(ApiError::not_found)?;
    tx.commit().await?;
    Ok(Json(member))
}

fn planned(
    team: &Team,
    mut row: TeamMemberRow,
    request: PatchedTeamMembershipWriteRequest,
) -> ApiResult<TeamMemberRow> {
    let mut problems = planwright_web::Problems::default();
    for (field, facet) in
        [("is_scrum_master", &request.is_scrum_master), ("is_product_owner", &request.is_product_owner)]
    {
        if facet.as_given() == Some(&true) && !team.is_default {
            problems.say(field, "Only the default team of a project has one.");
        }
    }
    problems.check()?;
    request.role.write_to(&mut row.role);
    request.is_scrum_master.write_to(&mut row.is_scrum_master);
    request.is_product_owner.write_to(&mut row.is_product_owner);
    Ok(row)
}

/// Who manages the project changes its teams, and so does who administers the team.
async fn check_administers(db: &impl Read, scope: &TeamScope<may::EditTeam>) -> ApiResult<()> {
    let administers =
        "SELECT COUNT(*) FROM team_members WHERE team_id = :team AND user_id = :user AND role = 'admin'";
    let statement = sql!(administers, team = scope.team.id, user = scope.project.actor.id);
    match scope.project.role >= Role::ProjectManager || db.count(statement).await? > 0 {
        true => Ok(()),
        false => {
            Err(ApiError::forbidden("Only who manages the project or administers the team may do this."))
        }
    }
}

/// There is one holder of each facet: whoever had one that somebody else gets now, gives it up.
async fn take_facets(
    tx: &mut Tx,
    scope: &TeamScope<may::EditTeam>,
    before: &TeamMemberRow,
    after: &TeamMemberRow,
) -> ApiResult<()> {
    let master = after.is_scrum_master && !before.is_scrum_master;
    let owner = after.is_product_owner && !before.is_product_owner;
    if !master && !owner {
        return Ok(());
    }
    for holder in facet_holders(tx, scope.team.id).await? {
        if holder.id == before.id {
            continue;
        }
        let mut without = holder.clone();
        without.is_scrum_master &= !master;
        without.is_product_owner &= !owner;
        write(tx, scope, &holder, &without).await?;
    }
    Ok(())
}

/// Writes what somebody is in a team, when that changed, with its history and its event.
async fn write(
    tx: &mut Tx,
    scope: &TeamScope<may::EditTeam>,
    before: &TeamMemberRow,
    after: &TeamMemberRow,
) -> ApiResult<()> {
    let told = |row: &TeamMemberRow| json!({ "role": row.role, "is_scrum_master": row.is_scrum_master, "is_product_owner": row.is_product_owner });
    if told(before) == told(after) {
        return Ok(());
    }
    update_member(tx, after).await?;
    let ProjectScope { project, program, actor, .. } = &scope.project;
    let changed = Change {
        project: Some(*project),
        program: *program,
        version: before.server_version + 1,
        ..Change::of("team_member", after.id, ChangeKind::Updated, actor.id)
    };
    tx.record(changed.between(&told(before), &told(after))).await?;
    let mut payload = told(after);
    payload["membership_id"] = json!(after.id);
    payload["user_id"] = json!(after.user_id);
    payload["team_id"] = json!(after.team_id);
    tx.emit(Event::Socket(SocketEvent::TeamMemberChanged), Some(*project), *program, payload).await?;
    Ok(())
}

async fn shown(
    db: &impl Read,
    caller: &Actor,
    rows: Vec<TeamMemberRow>,
) -> ApiResult<Vec<TeamMembershipRead>> {
    let people = people::in_short(db, caller, rows.iter().map(|row| row.user_id).collect::<Vec<_>>()).await?;
    let shown = rows.into_iter().map(|row| TeamMembershipRead {
        id: row.id,
        team: row.team_id,
        user: row.user_id,
        user_detail: people.get(&row.user_id).cloned(),
        role: row.role,
        role_label: match row.role {
            TeamRole::Member => "Member",
            TeamRole::Admin => "Admin",
        },
        is_scrum_master: row.is_scrum_master,
        is_product_owner: row.is_product_owner,
        created_at: row.created_at,
        server_version: row.server_version,
    });
    Ok(shown.collect())
}

const TEAM_COLUMNS: &str =
    "SELECT t.id, t.project_id, t.name, t.short_id, t.description, t.is_default, t.server_version,
        (SELECT COUNT(*) FROM team_members m WHERE m.team_id = t.id) AS member_count";

const MEMBER_COLUMNS: &str =
    "SELECT m.id, m.team_id, m.user_id, m.role, m.is_scrum_master, m.is_product_owner,
        m.created_at, m.server_version";

/// One team.
async fn find(db: &impl Read, id: TeamId) -> Result<Option<Team>> {
    db.maybe(sql!(format!("{TEAM_COLUMNS} FROM teams t WHERE t.id = :id"), id = id)).await
}

/// One person's place in a team.
async fn find_member(db: &impl Read, team: TeamId, id: MembershipId) -> Result<Option<TeamMemberRow>> {
    let select = format!("{MEMBER_COLUMNS} FROM team_members m WHERE m.team_id = :team AND m.id = :id");
    db.maybe(sql!(select, team = team, id = id)).await
}

/// Whoever holds a facet in a team.
async fn facet_holders(db: &impl Read, team: TeamId) -> Result<Vec<TeamMemberRow>> {
    let select = format!(
        "{MEMBER_COLUMNS} FROM team_members m
         WHERE m.team_id = :team AND (m.is_scrum_master = TRUE OR m.is_product_owner = TRUE) ORDER BY m.id"
    );
    db.all(sql!(select, team = team)).await
}

/// Writes what somebody is in a team and raises its version.
async fn update_member(tx: &mut Tx, row: &TeamMemberRow) -> Result<()> {
    let statement = sql!(
        "UPDATE team_members SET role = :role, is_scrum_master = :scrum_master, is_product_owner = :product_owner,
            server_version = server_version + 1 WHERE id = :id",
        role = row.role,
        scrum_master = row.is_scrum_master,
        product_owner = row.is_product_owner,
        id = row.id,
    );
    tx.run(statement).await.map(drop)
}
