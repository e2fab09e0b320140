//! Grants: what a caller may do somewhere, as values that were checked and can be checked again. The one place that decides between
//! 404, 403 and allowed. The types by which handlers ask for a grant are in `scope.rs`.

use std::fmt::Debug;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use planwright_domain::Role;
use planwright_domain::access::{self, Action, Facets};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_store::{Read, StoreError, row, sql};
use uuid::Uuid;

use crate::actor::{Credential, refused};
use crate::visible::{program_has_guests, project_has_guests};
use crate::{Actor, ApiError, ApiResult, machine};

/// Where a row belongs, for its history, its events and its change number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its project.
    pub project: Option<ProjectId>,
    /// Its program, or that of its project.
    pub program: Option<ProgramId>,
}

/// What a caller may do somewhere: the proof that a write carries from its check to its commit.
#[derive(Clone, Debug)]
pub struct Grant {
    /// The caller.
    pub actor: Actor,
    /// Their rank there.
    pub role: Role,
    /// Where the rows belong that are written with it.
    pub place: Place,
    check: Check,
}

/// What a grant was checked against.
#[derive(Clone, Debug)]
enum Check {
    Project(ProjectId, Action),
    Program(ProgramId, Action),
    Workspace(Action),
    /// A person who writes their own rows.
    Person,
    Special(Arc<dyn SpecialCheck>),
}

/// A check that other crates define, such as that of a link, which belongs to two projects.
pub trait SpecialCheck: Debug + Send + Sync {
    /// The same check again inside a transaction.
    ///
    /// # Errors
    /// 404 for what the caller does not see any more, 403 for what they may not do any more.
    fn recheck<'a>(&'a self, db: &'a dyn Read, actor: &'a Actor) -> BoxFuture<'a, ApiResult<Grant>>;

    /// The row that stands for the whole when it is locked: its table and its id.
    fn root(&self) -> Option<(&'static str, Uuid)> {
        None
    }
}

impl Grant {
    /// The grant of an action in a project.
    ///
    /// # Errors
    /// 404 if the caller does not see the project, 403 if their role is too low.
    pub fn in_project<'a>(
        db: &'a dyn Read,
        actor: &'a Actor,
        project: ProjectId,
        action: Action,
    ) -> BoxFuture<'a, ApiResult<Self>> {
        Box::pin(async move {
            let membership = match actor.credential {
                Credential::ContainerToken { id, .. } => {
                    let statement = sql!(OF_MACHINE, id = project, token = id, role = Role::ProjectManager);
                    Some(db.maybe(statement).await?.ok_or_else(machine::wrong)?)
                }
                _ => {
                    let facets = if action.needs().asks_facets() { FACETS } else { NO_FACETS };
                    let select = format!("SELECT {facets}, {}", in_project());
                    db.maybe(sql!(select, id = project, user = actor.id)).await?
                }
            };
            let frozen = "The project is archived and cannot be changed.";
            let Membership { program_id, role, .. } = decide(action, actor, membership, frozen)?;
            let place = Place { project: Some(project), program: program_id };
            Ok(Self { actor: actor.clone(), role, place, check: Check::Project(project, action) })
        })
    }

    /// The grant of an action in a program.
    ///
    /// # Errors
    /// 404 if the caller does not see the program, 403 if their role is too low.
    pub fn in_program<'a>(
        db: &'a dyn Read,
        actor: &'a Actor,
        program: ProgramId,
        action: Action,
    ) -> BoxFuture<'a, ApiResult<Self>> {
        Box::pin(async move {
            let select = format!("SELECT {NO_FACETS}, {}", in_program());
            let membership = db.maybe(sql!(select, id = program, user = actor.id)).await?;
            let frozen = "The program is closed and cannot be changed.";
            let Membership { role, .. } = decide(action, actor, membership, frozen)?;
            let place = Place { project: None, program: Some(program) };
            Ok(Self { actor: actor.clone(), role, place, check: Check::Program(program, action) })
        })
    }

    /// The grant of an action in the workspace.
    ///
    /// # Errors
    /// 403 if the rank of the caller is too low.
    pub fn in_workspace(actor: &Actor, action: Action) -> ApiResult<Self> {
        match actor.may(action, actor.workspace_role) {
            true => Ok(Self::with(actor.clone(), Check::Workspace(action))),
            false => Err(ApiError::forbidden("You do not have permission to perform this action.")),
        }
    }

    /// The grant of a person for their own rows.
    pub fn of_person(actor: Actor) -> Self {
        Self::with(actor, Check::Person)
    }

    /// A grant that another crate has checked. Its role is the rank in the workspace.
    pub fn by(actor: Actor, check: impl SpecialCheck + 'static) -> Self {
        Self::with(actor, Check::Special(Arc::new(check)))
    }

    fn with(actor: Actor, check: Check) -> Self {
        Self { role: actor.workspace_role, actor, place: Place::default(), check }
    }

    /// The same with another rank.
    pub fn ranked(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The same for rows that belong elsewhere.
    pub fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The project that it is about.
    ///
    /// # Errors
    /// If it is about no project, which is a mistake of the program.
    pub fn project(&self) -> Result<ProjectId, StoreError> {
        let missing = || StoreError::Unexpected(anyhow::anyhow!("this grant is about no project"));
        self.place.project.ok_or_else(missing)
    }

    /// The same check again inside a transaction, because the rank may have changed.
    ///
    /// # Errors
    /// 404 for what the caller does not see any more, 403 for what they may not do any more.
    pub fn recheck<'a>(&'a self, db: &'a dyn Read) -> BoxFuture<'a, ApiResult<Self>> {
        match &self.check {
            Check::Project(project, action) => Self::in_project(db, &self.actor, *project, *action),
            Check::Program(program, action) => Self::in_program(db, &self.actor, *program, *action),
            Check::Workspace(action) => Box::pin(async move {
                let actor = self.actor.reload(db).await?;
                Self::in_workspace(&actor, *action)
            }),
            Check::Person => Box::pin(async move { Ok(Self::of_person(self.actor.reload(db).await?)) }),
            Check::Special(check) => check.recheck(db, &self.actor),
        }
    }

    /// The row that stands for the whole when it is locked: its table and its id.
    pub fn root(&self) -> Option<(&'static str, Uuid)> {
        match &self.check {
            Check::Project(project, _) => Some(("projects", project.0)),
            Check::Program(program, _) => Some(("programs", program.0)),
            Check::Workspace(_) => None,
            Check::Person => Some(("users", self.actor.id.0)),
            Check::Special(check) => check.root(),
        }
    }
}

row! {
    struct Membership {
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
    membership: Option<Membership>,
    frozen_detail: &str,
) -> ApiResult<Membership> {
    let membership = membership.filter(|membership| !actor.is_guest || membership.has_guests);
    let membership = membership.ok_or_else(ApiError::not_found)?;
    if actor.is_agent() && !membership.consent {
        return Err(refused("The program or project does not allow agents.", "policy", "capability_scope"));
    }
    let Membership { is_scrum_master, is_product_owner, .. } = membership;
    let is_let_through =
        access::allows_with(action, membership.role, Facets { is_scrum_master, is_product_owner });
    if !is_let_through || (actor.is_guest && !access::is_for_guests(action)) {
        let refusal = ApiError::forbidden("You do not have permission to perform this action.");
        return Err(match access::refusal_code(action) {
            Some(code) => refusal.with_code(code),
            None => refusal,
        });
    }
    if membership.frozen && !access::survives_archiving(action) {
        return Err(ApiError::forbidden(frozen_detail));
    }
    Ok(membership)
}

/// What somebody is in the default team of a project besides their role.
pub async fn facets_of(
    db: &dyn Read,
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
