//! Scopes: a project, program or workspace in which the caller may do one named action. A scope in the signature of a
//! handler is the permission check, and queries require it as proof. What the caller may not see is 404.

use std::marker::PhantomData;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use http::request::Parts;
use planwright_domain::Role;
use planwright_domain::access::{self, Action, Facets, May};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_store::{Read, row, sql};
use uuid::Uuid;

use crate::actor::{Credential, refused};
use crate::describe::Describe;
use crate::visible::{program_has_guests, project_has_guests};
use crate::{Actor, ApiError, ApiResult, App, machine};

/// A project that the caller may do `A` in.
#[derive(Debug)]
pub struct ProjectScope<A> {
    /// The project.
    pub project: ProjectId,
    /// Its program.
    pub program: Option<ProgramId>,
    /// The rank of the caller.
    pub role: Role,
    /// The caller.
    pub actor: Actor,
    _may: PhantomData<A>,
}

/// A program that the caller may do `A` in.
#[derive(Debug)]
pub struct ProgramScope<A> {
    /// The program.
    pub program: ProgramId,
    /// The rank of the caller.
    pub role: Role,
    /// The caller.
    pub actor: Actor,
    _may: PhantomData<A>,
}

/// The workspace, when the caller may do `A` in it.
#[derive(Debug)]
pub struct WorkspaceScope<A> {
    /// The caller.
    pub actor: Actor,
    _may: PhantomData<A>,
}

/// Where a row belongs, for its history, its events and its change number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its project.
    pub project: Option<ProjectId>,
    /// Its program, or that of its project.
    pub program: Option<ProgramId>,
}

/// The permission of a caller in a scope: the proof that a write carries from its check to its commit.
pub trait Scope: Clone + Send + Sync {
    /// The same check again inside a transaction, because the rank may have changed.
    fn reload(&self, db: &impl Read) -> impl Future<Output = ApiResult<Self>> + Send;

    /// The caller.
    fn actor(&self) -> &Actor;

    /// Where the rows of this scope belong.
    fn place(&self) -> Place;

    /// The row that stands for the whole scope when it is locked: its table and its id.
    fn root(&self) -> Option<(&'static str, Uuid)>;
}

/// The container of rows: a project, a program or the workspace, with its id.
pub trait Container: Copy + Send + Sync + PartialEq {
    /// The scope for the action `A` in it.
    type Scope<A: May>: Scope;

    /// The scope of a caller. 404 if they cannot see it, 403 if their role is too low.
    fn scope<A: May>(
        self,
        db: &impl Read,
        actor: &Actor,
    ) -> impl Future<Output = ApiResult<Self::Scope<A>>> + Send;

    /// Its id in a path; none for the workspace.
    fn id(self) -> Option<Uuid>;
}

/// The only workspace of an installation, as a container of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace;

row! {
    struct Standing {
        program_id: Option<ProgramId>,
        role: Role,
        frozen: bool,
        consent: bool,
        has_guests: bool,
        is_scrum_master: bool,
        is_product_owner: bool,
    }
}

const NO_FACETS: &str = "FALSE AS is_scrum_master, FALSE AS is_product_owner";

const FACETS: &str = "EXISTS (
            SELECT 1 FROM team_members x JOIN teams t ON t.id = x.team_id AND t.is_default
            WHERE t.project_id = p.id AND x.user_id = m.user_id AND x.is_scrum_master) AS is_scrum_master,
        EXISTS (
            SELECT 1 FROM team_members x JOIN teams t ON t.id = x.team_id AND t.is_default
            WHERE t.project_id = p.id AND x.user_id = m.user_id AND x.is_product_owner) AS is_product_owner";

fn in_project() -> String {
    format!(
        "p.program_id, m.role, p.archived_at IS NOT NULL AS frozen, {} AS has_guests,
            COALESCE(p.mcp_enabled, TRUE)
                AND COALESCE((SELECT g.mcp_enabled FROM programs g WHERE g.id = p.program_id), TRUE) AS consent
         FROM projects p JOIN project_members m ON m.project_id = p.id AND m.deletion_id IS NULL
         WHERE p.id = :id AND p.deletion_id IS NULL AND m.user_id = :user",
        project_has_guests("p")
    )
}

fn in_program() -> String {
    format!(
        "p.id AS program_id, m.role, p.closed_at IS NOT NULL AS frozen, {} AS has_guests,
            COALESCE(p.mcp_enabled, TRUE) AS consent
         FROM programs p JOIN program_members m ON m.program_id = p.id AND m.deletion_id IS NULL
         WHERE p.id = :id AND p.deletion_id IS NULL AND m.user_id = :user",
        program_has_guests("p")
    )
}

/// How a machine stands in a project: its token is one of the project or of its program, and manages the work there.
const OF_MACHINE: &str = "SELECT FALSE AS is_scrum_master, FALSE AS is_product_owner, p.program_id,
        CAST(:role AS BIGINT) AS role, p.archived_at IS NOT NULL AS frozen, TRUE AS has_guests, TRUE AS consent
     FROM projects p JOIN api_tokens t ON t.project_id = p.id OR t.program_id = p.program_id
     WHERE p.id = :id AND p.deletion_id IS NULL AND t.id = :token AND t.revoked_at IS NULL";

/// The only place that decides between 404, 403 and allowed.
fn decide(
    action: Action,
    actor: &Actor,
    standing: Option<Standing>,
    frozen_detail: &str,
) -> ApiResult<Standing> {
    let standing = standing.filter(|standing| !actor.is_guest || standing.has_guests);
    let standing = standing.ok_or_else(ApiError::not_found)?;
    if actor.is_agent() && !standing.consent {
        return Err(refused("The program or project does not allow agents.", "policy", "capability_scope"));
    }
    let Standing { is_scrum_master, is_product_owner, .. } = standing;
    let is_let_through =
        access::allows_with(action, standing.role, Facets { is_scrum_master, is_product_owner });
    if !is_let_through || (actor.is_guest && !access::is_for_guests(action)) {
        let refusal = ApiError::forbidden("You do not have permission to perform this action.");
        return Err(match access::refusal_code(action) {
            Some(code) => refusal.with_code(code),
            None => refusal,
        });
    }
    if standing.frozen && !access::survives_archiving(action) {
        return Err(ApiError::forbidden(frozen_detail));
    }
    Ok(standing)
}

/// What somebody is in the default team of a project besides their role.
pub async fn facets_of(
    db: &impl Read,
    project: ProjectId,
    person: UserId,
) -> planwright_store::Result<Facets> {
    let select = format!(
        "SELECT {FACETS} FROM projects p JOIN project_members m ON m.project_id = p.id AND m.deletion_id IS NULL
         WHERE p.id = :project AND m.user_id = :person"
    );
    let found: Option<(bool, bool)> = db.maybe(sql!(select, project = project, person = person)).await?;
    let (is_scrum_master, is_product_owner) = found.unwrap_or_default();
    Ok(Facets { is_scrum_master, is_product_owner })
}

impl<A: May> ProjectScope<A> {
    /// The scope for a project that was named in a body or found through another row.
    pub async fn of(db: &impl Read, actor: &Actor, project: ProjectId) -> ApiResult<Self> {
        if let Credential::ContainerToken { id, .. } = actor.credential {
            let standing =
                db.maybe(sql!(OF_MACHINE, id = project, token = id, role = Role::ProjectManager)).await?;
            return Self::with(actor, project, Some(standing.ok_or_else(machine::wrong)?));
        }
        let facets = if A::ACTION.needs().asks_facets() { FACETS } else { NO_FACETS };
        let select = format!("SELECT {facets}, {}", in_project());
        Self::with(actor, project, db.maybe(sql!(select, id = project, user = actor.id)).await?)
    }

    fn with(actor: &Actor, project: ProjectId, standing: Option<Standing>) -> ApiResult<Self> {
        let standing = decide(A::ACTION, actor, standing, "The project is archived and cannot be changed.")?;
        let Standing { program_id, role, .. } = standing;
        Ok(Self { project, program: program_id, role, actor: actor.clone(), _may: PhantomData })
    }
}

impl<A: May> ProgramScope<A> {
    /// The scope for a program that was named in a body or found through another row.
    pub async fn of(db: &impl Read, actor: &Actor, program: ProgramId) -> ApiResult<Self> {
        let select = format!("SELECT {NO_FACETS}, {}", in_program());
        let standing = db.maybe(sql!(select, id = program, user = actor.id)).await?;
        let standing = decide(A::ACTION, actor, standing, "The program is closed and cannot be changed.")?;
        Ok(Self { program, role: standing.role, actor: actor.clone(), _may: PhantomData })
    }
}

impl<A: May> WorkspaceScope<A> {
    /// The scope for a person.
    pub fn of(actor: &Actor) -> ApiResult<Self> {
        match actor.may(A::ACTION, actor.workspace_role) {
            true => Ok(Self { actor: actor.clone(), _may: PhantomData }),
            false => Err(ApiError::forbidden("You do not have permission to perform this action.")),
        }
    }
}

impl<A: May> Clone for ProjectScope<A> {
    fn clone(&self) -> Self {
        let Self { project, program, role, actor, .. } = self;
        Self { project: *project, program: *program, role: *role, actor: actor.clone(), _may: PhantomData }
    }
}

impl<A: May> Clone for ProgramScope<A> {
    fn clone(&self) -> Self {
        Self { program: self.program, role: self.role, actor: self.actor.clone(), _may: PhantomData }
    }
}

impl<A: May> Clone for WorkspaceScope<A> {
    fn clone(&self) -> Self {
        Self { actor: self.actor.clone(), _may: PhantomData }
    }
}

impl<A: May> Scope for ProjectScope<A> {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        Self::of(db, &self.actor, self.project).await
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn place(&self) -> Place {
        Place { project: Some(self.project), program: self.program }
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        Some(("projects", self.project.0))
    }
}

impl<A: May> Scope for ProgramScope<A> {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        Self::of(db, &self.actor, self.program).await
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn place(&self) -> Place {
        Place { project: None, program: Some(self.program) }
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        Some(("programs", self.program.0))
    }
}

impl<A: May> Scope for WorkspaceScope<A> {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        Self::of(&self.actor.reload(db).await?)
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn place(&self) -> Place {
        Place::default()
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        None
    }
}

/// A person who writes their own rows.
impl Scope for Actor {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        Actor::reload(self, db).await
    }

    fn actor(&self) -> &Actor {
        self
    }

    fn place(&self) -> Place {
        Place::default()
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        Some(("users", self.id.0))
    }
}

impl Container for ProjectId {
    type Scope<A: May> = ProjectScope<A>;

    async fn scope<A: May>(self, db: &impl Read, actor: &Actor) -> ApiResult<ProjectScope<A>> {
        ProjectScope::of(db, actor, self).await
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0)
    }
}

impl Container for ProgramId {
    type Scope<A: May> = ProgramScope<A>;

    async fn scope<A: May>(self, db: &impl Read, actor: &Actor) -> ApiResult<ProgramScope<A>> {
        ProgramScope::of(db, actor, self).await
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0)
    }
}

impl Container for Workspace {
    type Scope<A: May> = WorkspaceScope<A>;

    async fn scope<A: May>(self, _: &impl Read, actor: &Actor) -> ApiResult<WorkspaceScope<A>> {
        WorkspaceScope::of(actor)
    }

    fn id(self) -> Option<Uuid> {
        None
    }
}

/// A container that a path names after its word, such as `projects`. Projects and programs have the same nested
/// resources.
pub trait Named: Container + FromStr {
    /// The word.
    const WORD: &'static str;
}

impl Named for ProjectId {
    const WORD: &'static str = "projects";
}

impl Named for ProgramId {
    const WORD: &'static str = "programs";
}

/// The container that the path names, when the caller may do `A` in it: for handlers that serve projects and programs alike.
pub struct Within<C: Container, A: May> {
    /// The container.
    pub container: C,
    /// The proof.
    pub scope: C::Scope<A>,
}

impl<C: Named, A: May> FromRequestParts<App> for Within<C, A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let container: C = parameter_after(parts, C::WORD).await?;
        Ok(Self { container, scope: container.scope(&app.db, &actor).await? })
    }
}

impl<C: Container, A: May> Describe for Within<C, A> {}

/// The parameter that follows a word of the path, as `projects` in `/api/v1/projects/{id}/members/`.
async fn parameter_after<T: FromStr>(parts: &mut Parts, word: &str) -> ApiResult<T> {
    let path = parts.uri.path().to_owned();
    let mut segments = path.split('/').skip_while(|segment| *segment != word);
    segments.next();
    segments.next().and_then(|text| text.parse().ok()).ok_or_else(ApiError::not_found)
}

impl<A: May> FromRequestParts<App> for ProjectScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let project = parameter_after(parts, ProjectId::WORD).await?;
        Self::of(&app.db, &actor, project).await
    }
}

impl<A: May> FromRequestParts<App> for ProgramScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let program = parameter_after(parts, ProgramId::WORD).await?;
        Self::of(&app.db, &actor, program).await
    }
}

impl<A: May> FromRequestParts<App> for WorkspaceScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        Self::of(&Actor::from_request_parts(parts, app).await?)
    }
}

impl<A> Describe for ProjectScope<A> {}

impl<A> Describe for ProgramScope<A> {}

impl<A> Describe for WorkspaceScope<A> {}
