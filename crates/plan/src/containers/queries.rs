//! Every statement that brings programs, projects, memberships and the default team into being or changes who is in them.
//! Reading and changing what they say of themselves belongs to the area of projects.

use planwright_domain::Role;
use planwright_domain::ids::{DeletionId, MembershipId, ProgramId, ProjectId, TeamId, UserId};
use planwright_domain::words::TeamRole;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, sql};
use uuid::Uuid;

use super::fields::{self, fields};
use super::inheritance::{Layer, Settings};
use super::members::{ProgramMember, ProjectMember};
use super::program::ProgramFields;
use super::project::ProjectFields;

/// The short name of the team that every project begins with.
const DEFAULT_TEAM: &str = "T01";

/// Adds a project.
pub(super) async fn insert_project(
    tx: &mut Tx,
    id: ProjectId,
    creator: UserId,
    new: &ProjectFields,
) -> Result<()> {
    let columns = new.columns();
    let statement = sql!(
        format!(
            "INSERT INTO projects (id, created_by, created_at, updated_at, short_id_counter, change_counter,
                server_version, {})
             VALUES (:id, :creator, :now, :now, 0, 1, 1, {})",
            fields::names(&columns),
            fields::binds(&columns)
        ),
        id = id,
        creator = creator,
        now = tx.now(),
    );
    tx.run(fields::bind_all(statement, columns)).await.map(drop)
}

/// Adds a program.
pub(super) async fn insert_program(
    tx: &mut Tx,
    id: ProgramId,
    creator: UserId,
    new: &ProgramFields,
) -> Result<()> {
    let columns = new.columns();
    let statement = sql!(
        format!(
            "INSERT INTO programs (id, created_by, created_at, updated_at, server_version, {})
             VALUES (:id, :creator, :now, :now, 1, {})",
            fields::names(&columns),
            fields::binds(&columns)
        ),
        id = id,
        creator = creator,
        now = tx.now(),
    );
    tx.run(fields::bind_all(statement, columns)).await.map(drop)
}

/// The program of a project, which must be there.
pub(super) async fn program_of(db: &impl Read, project: ProjectId) -> Result<Option<ProgramId>> {
    let found: Option<Option<ProgramId>> =
        db.scalar(sql!("SELECT program_id FROM projects WHERE id = :id", id = project)).await?;
    found.ok_or(planwright_store::StoreError::Missing)
}

/// Somebody's live membership of a project.
pub(super) async fn find_project_member(
    db: &impl Read,
    project: ProjectId,
    user: UserId,
) -> Result<Option<ProjectMember>> {
    db.maybe(sql!(
        "SELECT m.id, m.project_id, p.program_id, m.user_id, m.role, m.server_version
         FROM project_members m JOIN projects p ON p.id = m.project_id
         WHERE m.project_id = :project AND m.user_id = :user AND m.deletion_id IS NULL",
        project = project,
        user = user,
    ))
    .await
}

/// Somebody's live membership of a program.
pub(super) async fn find_program_member(
    db: &impl Read,
    program: ProgramId,
    user: UserId,
) -> Result<Option<ProgramMember>> {
    db.maybe(sql!(
        "SELECT id, program_id, user_id, role, role_title, server_version FROM program_members
         WHERE program_id = :program AND user_id = :user AND deletion_id IS NULL",
        program = program,
        user = user,
    ))
    .await
}

/// Adds a membership of a project.
pub(super) async fn insert_project_member(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    role: Role,
) -> Result<MembershipId> {
    let id: MembershipId = tx.mint();
    let statement = sql!(
        "INSERT INTO project_members (id, project_id, user_id, role, joined_at, server_version)
         VALUES (:id, :project, :user, :role, :now, 1)",
        id = id,
        project = project,
        user = user,
        role = role,
        now = tx.now(),
    );
    tx.run(statement).await?;
    Ok(id)
}

/// Writes the rank of a project's member.
pub(super) async fn update_project_role(tx: &mut Tx, id: MembershipId, role: Role) -> Result<()> {
    let statement = sql!(
        "UPDATE project_members SET role = :role, role_changed_at = :now, server_version = server_version + 1
         WHERE id = :id",
        role = role,
        now = tx.now(),
        id = id,
    );
    tx.run(statement).await.map(drop)
}

/// Ends a membership of a project.
pub(super) async fn delete_project_member(tx: &mut Tx, id: MembershipId, deletion: DeletionId) -> Result<()> {
    let mark = "UPDATE project_members SET deletion_id = :deletion, server_version = server_version + 1
         WHERE id = :id";
    tx.run(sql!(mark, deletion = deletion, id = id)).await.map(drop)
}

/// Adds a membership of a program.
pub(super) async fn insert_program_member(
    tx: &mut Tx,
    program: ProgramId,
    user: UserId,
    role: Role,
    role_title: &str,
) -> Result<MembershipId> {
    let id: MembershipId = tx.mint();
    let statement = sql!(
        "INSERT INTO program_members (id, program_id, user_id, role, role_title, joined_at, server_version)
         VALUES (:id, :program, :user, :role, :role_title, :now, 1)",
        id = id,
        program = program,
        user = user,
        role = role,
        role_title = role_title,
        now = tx.now(),
    );
    tx.run(statement).await?;
    Ok(id)
}

/// Writes the rank and title of a program's member; only another rank moves the time of the last change of rank.
pub(super) async fn update_program_role(
    tx: &mut Tx,
    id: MembershipId,
    before: Role,
    role: Role,
    role_title: &str,
) -> Result<()> {
    let stamp = if before == role { "" } else { "role_changed_at = :now," };
    let statement = sql!(
        format!(
            "UPDATE program_members SET {stamp} role = :role, role_title = :role_title,
                server_version = server_version + 1 WHERE id = :id"
        ),
        now = tx.now(),
        role = role,
        role_title = role_title,
        id = id,
    );
    tx.run(statement).await.map(drop)
}

/// Ends a membership of a program.
pub(super) async fn delete_program_member(tx: &mut Tx, id: MembershipId, deletion: DeletionId) -> Result<()> {
    let mark = "UPDATE program_members SET deletion_id = :deletion, server_version = server_version + 1
         WHERE id = :id";
    tx.run(sql!(mark, deletion = deletion, id = id)).await.map(drop)
}

/// Adds the team that mirrors a project's members.
pub(super) async fn insert_default_team(tx: &mut Tx, project: ProjectId) -> Result<()> {
    let statement = sql!(
        "INSERT INTO teams (id, project_id, short_id, name, description, is_default, created_at, server_version)
         VALUES (:id, :project, :short_id, 'Project team', '', TRUE, :now, 1)",
        id = tx.mint::<TeamId>(),
        project = project,
        short_id = DEFAULT_TEAM,
        now = tx.now(),
    );
    tx.run(statement).await.map(drop)
}

/// Puts a person into the default team of a project, unless they are in it.
pub(super) async fn enter_default_team(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    role: TeamRole,
) -> Result<()> {
    let of_project = "SELECT id FROM teams WHERE project_id = :project AND is_default = TRUE";
    let Some(team) = tx.scalar::<TeamId>(sql!(of_project, project = project)).await? else { return Ok(()) };
    let statement = sql!(
        "INSERT INTO team_members (id, team_id, user_id, role, is_scrum_master, is_product_owner, created_at,
            server_version)
         VALUES (:id, :team, :user, :role, FALSE, FALSE, :now, 1)
         ON CONFLICT (team_id, user_id) DO NOTHING",
        id = tx.mint::<MembershipId>(),
        team = team,
        user = user,
        role = role,
        now = tx.now(),
    );
    tx.run(statement).await.map(drop)
}

/// Writes somebody's rank in the default team of a project.
pub(super) async fn set_default_team_role(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    role: TeamRole,
) -> Result<()> {
    tx.run(sql!(
        "UPDATE team_members SET role = :role, server_version = server_version + 1
         WHERE user_id = :user
           AND team_id IN (SELECT t.id FROM teams t WHERE t.project_id = :project AND t.is_default = TRUE)",
        role = role,
        user = user,
        project = project,
    ))
    .await
    .map(drop)
}

/// Takes a person out of every team of a project.
pub(super) async fn leave_teams(tx: &mut Tx, project: ProjectId, user: UserId) -> Result<()> {
    tx.run(sql!(
        "DELETE FROM team_members
         WHERE user_id = :user AND team_id IN (SELECT t.id FROM teams t WHERE t.project_id = :project)",
        user = user,
        project = project,
    ))
    .await
    .map(drop)
}

/// The settings of the workspace.
pub(super) async fn workspace_settings(db: &impl Read) -> Result<Settings> {
    db.one(sql!(
        "SELECT w.*, CASE WHEN w.calendar_id IS NULL THEN 'system' ELSE 'workspace' END AS calendar_source
         FROM workspace w"
    ))
    .await
}

fields! {
    /// A program or project, with what it says for itself.
    pub(super) struct LayerRow {
        pub(super) id: Uuid,
        pub(super) program_id: Option<ProgramId>,
    }
    and pub(super) layer: Layer
}

/// What several programs say for themselves.
pub(super) async fn program_layers(
    db: &impl Read,
    programs: impl IntoIterator<Item = ProgramId>,
) -> Result<Vec<LayerRow>> {
    let select = format!(
        "SELECT id, id AS program_id, {} FROM programs p WHERE id IN (:programs)",
        fields::select_list::<Layer>("p")
    );
    db.all(sql!(select, programs = list(programs))).await
}

/// What a project says for itself.
pub(super) async fn project_layer(db: &impl Read, project: ProjectId) -> Result<Option<LayerRow>> {
    let select = format!("SELECT {} FROM projects p WHERE id = :id", fields::select_list::<LayerRow>("p"));
    db.maybe(sql!(select, id = project)).await
}
