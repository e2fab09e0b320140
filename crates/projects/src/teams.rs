//! `/api/v1/projects/{project_pk}/teams/` and `/api/v1/teams/`: the teams of a project and the roles people hold in them.
//! Teams are neither created nor deleted here; the default one follows the members of its project by itself.

use axum::extract::State;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use planwright_domain::Role;
use planwright_domain::access::{Action, May, may};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{MembershipId, ProjectId, TeamId, UserId};
use planwright_domain::words::{ChangeKind, TeamRole};
use planwright_plan::edit::{self, Edit};
use planwright_plan::people::{self, UserSummary};
use planwright_store::page::Key;
use planwright_store::record::OnDelete;
use planwright_store::{Read, Record, Result, record, row, sql, tracked};
use planwright_web::grant::SpecialCheck;
use planwright_web::input::Patch;
use planwright_web::scope::Container;
use planwright_web::version::Precondition;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Grant, Item, Json as Answer, Page, Paging, Path, ProjectScope,
    Resource, Routes, Scope, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::marker::PhantomData;
use uuid::Uuid;

const MEMBERS: &str = "/api/v1/teams/{team_pk}/members/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/projects/{project_pk}/teams/", list, says("The teams of a project."))
        .get("/api/v1/teams/{id}/", show, says("One team."))
        .get(MEMBERS, members, says("The people of a team."))
        .patch(
            "/api/v1/teams/{team_pk}/members/{id}/",
            update,
            says("Change the role of a person in a team."),
        )
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
        /// The name.
        pub name: String,
        /// Its short name, unique in the project.
        pub short_id: String,
        /// The description.
        pub description: String,
        /// Whether its members are always the members of the project.
        pub is_default: bool,
        /// How many people are in it.
        pub member_count: i64,
        /// The version. It rises by 1 with every change.
        pub server_version: i64,
    }
}

record! {
    /// The membership of a person in a team.
    struct TeamMemberRow in team_members {
        #[serde(skip)]
        id: MembershipId,
        #[serde(skip)]
        team_id: TeamId,
        #[serde(skip)]
        user_id: UserId,
        role: TeamRole,
        is_scrum_master: bool,
        is_product_owner: bool,
        #[serde(skip)]
        created_at: DateTime<Utc>,
        #[serde(skip)]
        server_version: i64,
    }
}

tracked! {
    TeamMemberRow as "team_member" {
        const ON_DELETE: OnDelete = OnDelete::Remove;

        fn event(_: ChangeKind) -> Option<SocketEvent> {
            Some(SocketEvent::TeamMemberChanged)
        }

        fn payload(&self) -> Json {
            json!({
                "role": self.role,
                "is_scrum_master": self.is_scrum_master,
                "is_product_owner": self.is_product_owner,
                "membership_id": self.id,
                "user_id": self.user_id,
                "team_id": self.team_id,
            })
        }
    }
}

impl Resource for TeamMemberRow {
    type Container = InTeam;

    fn container(&self) -> InTeam {
        InTeam(self.team_id)
    }
}

/// The membership of a person in a team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TeamMembershipRead {
    /// Its id.
    pub id: MembershipId,
    /// The team.
    pub team: TeamId,
    /// Who it is.
    pub user: UserId,
    /// The same person in short form.
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
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
}

input! {
    /// The role of a person in a team.
    pub struct PatchedTeamMembershipWriteRequest {
        /// The rank in the team.
        pub role: Patch<TeamRole>,
        /// Whether this person is the Scrum Master. The team has only one, so another person loses this role.
        pub is_scrum_master: Patch<bool>,
        /// Whether this person is the Product Owner. The team has only one, so another person loses this role.
        pub is_product_owner: Patch<bool>,
    }
}

/// A team, as what its members belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InTeam(TeamId);

/// A team whose project lets the caller do `A`.
struct TeamScope<A> {
    team: Team,
    grant: Grant,
    _may: PhantomData<A>,
}

impl<A: May> TeamScope<A> {
    async fn of(db: &dyn Read, actor: &Actor, team: TeamId) -> ApiResult<Self> {
        let (team, grant) = check_team(db, actor, team, A::ACTION).await?;
        Ok(Self { team, grant, _may: PhantomData })
    }
}

async fn check_team(db: &dyn Read, actor: &Actor, id: TeamId, action: Action) -> ApiResult<(Team, Grant)> {
    let team = find(db, id).await?.ok_or_else(ApiError::not_found)?;
    let project = Grant::in_project(db, actor, team.project_id, action).await?;
    let grant = Grant::by(project.actor, TeamCheck { team: id, action });
    Ok((team, grant.ranked(project.role).at(project.place)))
}

/// The check of an action in the project of a team.
#[derive(Debug)]
struct TeamCheck {
    team: TeamId,
    action: Action,
}

impl SpecialCheck for TeamCheck {
    fn recheck<'a>(&'a self, db: &'a dyn Read, actor: &'a Actor) -> BoxFuture<'a, ApiResult<Grant>> {
        Box::pin(async move { Ok(check_team(db, actor, self.team, self.action).await?.1) })
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        Some(("teams", self.team.0))
    }
}

impl<A: May> Scope for TeamScope<A> {
    fn grant(&self) -> Grant {
        self.grant.clone()
    }
}

impl Container for InTeam {
    type Scope<A: May> = TeamScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<TeamScope<A>> {
        TeamScope::of(db, actor, self.0).await
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0.0)
    }
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<Team>> {
    let keys = paging.keys(&[("name", "t.name")], &[Key::ascending("t.short_id")], "t.id")?;
    let from = sql!("FROM teams t WHERE t.project_id = :project", project = scope.project);
    paging.fetch::<Team, _>(&app.db, TEAM_COLUMNS, from, "t.id", &keys, |team| team).await
}

async fn show(State(app): State<App>, actor: Actor, Path(id): Path<TeamId>) -> ApiResult<Answer<Team>> {
    Ok(Answer(TeamScope::<may::ReadProject>::of(&app.db, &actor, id).await?.team))
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
    let columns = format!("SELECT {}", TeamMemberRow::select_list("m"));
    let page = paging.fetch::<TeamMemberRow, _>(&app.db, &columns, from, "m.id", &keys, |row| row).await?;
    let Page { count, next, previous, results } = page;
    let results = shown(&app.db, &actor, results).await?;
    Ok(Page { count, next, previous, results })
}

async fn update(
    State(app): State<App>,
    item: Item<TeamMemberRow, may::EditTeam>,
    Body(request): Body<PatchedTeamMembershipWriteRequest>,
) -> ApiResult<Answer<TeamMembershipRead>> {
    let team = item.scope.team.clone();
    let (mut edit, before) = edit::open_within(&app, item, Precondition::default()).await?;
    check_administers(&edit, team.id).await?;
    let after = changed(&team, before.clone(), request)?;
    take_facets(&mut edit, team.id, &before, &after).await?;
    let row = edit.update(&before, after).await?.row;
    let member = shown(&edit, &edit.grant.actor, vec![row]).await?.pop();
    edit.commit().await?;
    Ok(Answer(member.ok_or_else(ApiError::not_found)?))
}

fn changed(
    team: &Team,
    mut row: TeamMemberRow,
    request: PatchedTeamMembershipWriteRequest,
) -> ApiResult<TeamMemberRow> {
    let mut problems = planwright_web::Problems::default();
    for (field, facet) in
        [("is_scrum_master", &request.is_scrum_master), ("is_product_owner", &request.is_product_owner)]
    {
        if facet.as_given() == Some(&true) && !team.is_default {
            problems.say(field, "Only the default team of a project has this role.");
        }
    }
    problems.check()?;
    request.role.write_to(&mut row.role);
    request.is_scrum_master.write_to(&mut row.is_scrum_master);
    request.is_product_owner.write_to(&mut row.is_product_owner);
    Ok(row)
}

/// Who manages the project changes its teams, and so does who administers the team.
async fn check_administers(edit: &Edit, team: TeamId) -> ApiResult<()> {
    let administers =
        "SELECT COUNT(*) FROM team_members WHERE team_id = :team AND user_id = :user AND role = 'admin'";
    let statement = sql!(administers, team = team, user = edit.grant.actor.id);
    match edit.grant.role >= Role::ProjectManager || edit.count(statement).await? > 0 {
        true => Ok(()),
        false => {
            Err(ApiError::forbidden("Only people who manage the project or administer the team may do this."))
        }
    }
}

/// There is one holder of each facet: whoever had one that somebody else gets now, gives it up.
async fn take_facets(
    edit: &mut Edit,
    team: TeamId,
    before: &TeamMemberRow,
    after: &TeamMemberRow,
) -> ApiResult<()> {
    let master = after.is_scrum_master && !before.is_scrum_master;
    let owner = after.is_product_owner && !before.is_product_owner;
    if !master && !owner {
        return Ok(());
    }
    for holder in facet_holders(edit, team).await? {
        if holder.id == before.id {
            continue;
        }
        let mut without = holder.clone();
        without.is_scrum_master &= !master;
        without.is_product_owner &= !owner;
        edit.update(&holder, without).await?;
    }
    Ok(())
}

async fn shown(
    db: &dyn Read,
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

/// One team.
async fn find(db: &dyn Read, id: TeamId) -> Result<Option<Team>> {
    db.maybe(sql!(format!("{TEAM_COLUMNS} FROM teams t WHERE t.id = :id"), id = id)).await
}

/// Whoever holds a facet in a team.
async fn facet_holders(db: &dyn Read, team: TeamId) -> Result<Vec<TeamMemberRow>> {
    let select = format!(
        "SELECT {} FROM team_members m
         WHERE m.team_id = :team AND (m.is_scrum_master = TRUE OR m.is_product_owner = TRUE) ORDER BY m.id",
        TeamMemberRow::select_list("m")
    );
    db.all(sql!(select, team = team)).await
}
