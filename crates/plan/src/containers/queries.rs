//! Every statement about the teams of a project and the settings that programs and projects inherit.
//! Reading and changing what they say of themselves belongs to the area of projects.

use planwright_domain::Role;
use planwright_domain::ids::{MembershipId, ProgramId, ProjectId, TeamId, UserId};
use planwright_domain::words::TeamRole;
use planwright_store::record::select_list;
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Tx, record, sql};
use uuid::Uuid;

use super::inheritance::{Layer, Settings};
use super::members::ProjectMember;

/// The short name of the team that every project begins with.
const DEFAULT_TEAM: &str = "T01";

/// Adds the team that mirrors a project's members.
pub(super) async fn insert_default_team(tx: &mut Tx, project: ProjectId, number: i64) -> Result<()> {
    let statement = sql!(
        "INSERT INTO teams (id, project_id, short_id, name, description, is_default, created_at, server_version,
            change_number)
         VALUES (:id, :project, :short_id, 'Project team', '', TRUE, :now, 1, :number)",
        id = tx.mint::<TeamId>(),
        project = project,
        short_id = DEFAULT_TEAM,
        now = tx.now(),
        number = number,
    );
    tx.run(statement).await.map(drop)
}

/// Takes back what hid a project from everybody.
pub(super) async fn unhide(tx: &mut Tx, project: ProjectId, number: i64) -> Result<()> {
    let update = "UPDATE projects SET deletion_id = NULL, change_number = :number WHERE id = :project";
    tx.run(sql!(update, project = project, number = number)).await.map(drop)
}

/// Locks the teams of a project, whose people are about to change with its members.
pub(super) async fn lock_teams(tx: &mut Tx, project: ProjectId) -> Result<()> {
    let lock = tx.engine().row_lock();
    let select = format!("SELECT id FROM teams WHERE project_id = :project ORDER BY id {lock}");
    tx.scalars::<TeamId>(sql!(select, project = project)).await.map(drop)
}

/// Keeps the default team in step: members of rank Member and above are in it, and those who manage the project
/// administer it; whoever is no such member any more leaves every team.
pub(super) async fn mirror(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    (before, after): (Option<Role>, Option<Role>),
    number: i64,
) -> Result<()> {
    let manages = |role: Role| role >= Role::ProjectManager;
    let Some(after) = after.filter(|after| *after >= Role::Member) else {
        return leave_teams(tx, project, user).await;
    };
    let rank = if manages(after) { TeamRole::Admin } else { TeamRole::Member };
    enter_default_team(tx, project, user, rank, number).await?;
    let crossed = before.is_some_and(|before| manages(before) != manages(after));
    match crossed {
        true => set_default_team_role(tx, project, user, rank, number).await,
        false => Ok(()),
    }
}

async fn enter_default_team(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    role: TeamRole,
    number: i64,
) -> Result<()> {
    let statement = sql!(
        "INSERT INTO team_members (id, team_id, user_id, role, is_scrum_master, is_product_owner, created_at,
            server_version, change_number)
         SELECT :id, t.id, :user, :role, FALSE, FALSE, :now, 1, :number FROM teams t
         WHERE t.project_id = :project AND t.is_default = TRUE
         ON CONFLICT (team_id, user_id) DO NOTHING",
        id = tx.mint::<MembershipId>(),
        project = project,
        user = user,
        role = role,
        now = tx.now(),
        number = number,
    );
    tx.run(statement).await.map(drop)
}

async fn set_default_team_role(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    role: TeamRole,
    number: i64,
) -> Result<()> {
    tx.run(sql!(
        "UPDATE team_members SET role = :role, server_version = server_version + 1, change_number = :number
         WHERE user_id = :user
           AND team_id IN (SELECT t.id FROM teams t WHERE t.project_id = :project AND t.is_default = TRUE)",
        role = role,
        number = number,
        user = user,
        project = project,
    ))
    .await
    .map(drop)
}

async fn leave_teams(tx: &mut Tx, project: ProjectId, user: UserId) -> Result<()> {
    tx.run(sql!(
        "DELETE FROM team_members
         WHERE user_id = :user AND team_id IN (SELECT t.id FROM teams t WHERE t.project_id = :project)",
        user = user,
        project = project,
    ))
    .await
    .map(drop)
}

/// The highest rank that groups give each of some people in a project.
pub(super) async fn conferred(
    db: &dyn Read,
    project: ProjectId,
    people: impl IntoIterator<Item = UserId>,
) -> Result<Vec<(UserId, Role)>> {
    let select = "SELECT x.user_id, MAX(g.role) AS role
         FROM workspace_group_projects g JOIN workspace_group_members x ON x.group_id = g.group_id
         WHERE g.project_id = :project AND x.user_id IN (:people)
         GROUP BY x.user_id ORDER BY x.user_id";
    db.all(sql!(select, project = project, people = list(people))).await
}

/// Everybody who has a place in a project, or to whom a group gives one.
pub(super) async fn everybody_in(db: &dyn Read, project: ProjectId) -> Result<Vec<UserId>> {
    let select = "SELECT x.user_id FROM workspace_group_projects g
            JOIN workspace_group_members x ON x.group_id = g.group_id WHERE g.project_id = :project
         UNION
         SELECT m.user_id FROM project_members m WHERE m.project_id = :project AND m.deletion_id IS NULL";
    db.scalars(sql!(select, project = project)).await
}

/// The live ones of some projects, each with its program, in the order in which they are locked.
pub(super) async fn live_projects(
    db: &dyn Read,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<Vec<(ProjectId, Option<ProgramId>)>> {
    let select = "SELECT id, program_id FROM projects WHERE id IN (:ids) AND deletion_id IS NULL ORDER BY id";
    db.all(sql!(select, ids = list(projects))).await
}

/// The places of some people in a project.
pub(super) async fn places(
    db: &dyn Read,
    project: ProjectId,
    people: impl IntoIterator<Item = UserId>,
) -> Result<Vec<ProjectMember>> {
    let select = format!(
        "SELECT {} FROM project_members m
         WHERE m.project_id = :project AND m.user_id IN (:people) AND m.deletion_id IS NULL",
        ProjectMember::select_list("m")
    );
    db.all(sql!(select, project = project, people = list(people))).await
}

/// The settings of the workspace.
pub(super) async fn workspace_settings(db: &dyn Read) -> Result<Settings> {
    db.one(sql!(
        "SELECT w.*, CASE WHEN w.calendar_id IS NULL THEN 'system' ELSE 'workspace' END AS calendar_source
         FROM workspace w"
    ))
    .await
}

record! {
    /// A program or project, with what it says for itself.
    pub(super) struct LayerRow {
        pub(super) id: Uuid,
        pub(super) program_id: Option<ProgramId>,
    }
    and pub(super) layer: Layer
}

/// What several programs say for themselves.
pub(super) async fn program_layers(
    db: &dyn Read,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<Vec<LayerRow>> {
    let select = format!(
        "SELECT id, id AS program_id, {} FROM programs p WHERE id IN (:programs)",
        select_list::<Layer>("p")
    );
    db.all(sql!(select, programs = list(programs))).await
}

/// What a project says for itself.
pub(super) async fn project_layer(db: &dyn Read, project: ProjectId) -> Result<Option<LayerRow>> {
    let select = format!("SELECT {} FROM projects p WHERE id = :id", select_list::<LayerRow>("p"));
    db.maybe(sql!(select, id = project)).await
}
