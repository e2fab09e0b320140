//! Scopes: a project, program or workspace that the caller may do one named thing in.
//! A scope in a handler's signature is the check itself, and the proof that queries ask for; what is not for the caller's eyes is 404.

use std::marker::PhantomData;
use std::str::FromStr;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use planwright_domain::Role;
use planwright_domain::access::{self, Action, May};
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::{Read, row, sql};

use crate::actor::refused;
use crate::document::{Describe, Describer};
use crate::{Actor, ApiError, ApiResult, App};

/// A project that the caller may do `A` in.
#[derive(Clone, Debug)]
pub struct ProjectScope<A> {
    /// The project.
    pub project: ProjectId,
    /// Its program.
    pub program: Option<ProgramId>,
    /// The caller's rank in it.
    pub role: Role,
    /// Who asks.
    pub actor: Actor,
    _may: PhantomData<A>,
}

/// A program that the caller may do `A` in.
#[derive(Clone, Debug)]
pub struct ProgramScope<A> {
    /// The program.
    pub program: ProgramId,
    /// The caller's rank in it.
    pub role: Role,
    /// Who asks.
    pub actor: Actor,
    _may: PhantomData<A>,
}

/// The workspace, when the caller may do `A` in it.
#[derive(Clone, Debug)]
pub struct WorkspaceScope<A> {
    /// Who asks.
    pub actor: Actor,
    _may: PhantomData<A>,
}

row! {
    struct Standing { program_id: Option<ProgramId>, role: Role, frozen: bool, consent: bool }
}

const IN_PROJECT: &str = "SELECT p.program_id, m.role, p.archived_at IS NOT NULL AS frozen,
        COALESCE(p.mcp_enabled, TRUE)
            AND COALESCE((SELECT g.mcp_enabled FROM programs g WHERE g.id = p.program_id), TRUE) AS consent
     FROM projects p JOIN project_members m ON m.project_id = p.id AND m.deletion_id IS NULL
     WHERE p.id = :id AND p.deletion_id IS NULL AND m.user_id = :user";

const IN_PROGRAM: &str = "SELECT p.id AS program_id, m.role, p.closed_at IS NOT NULL AS frozen,
        COALESCE(p.mcp_enabled, TRUE) AS consent
     FROM programs p JOIN program_members m ON m.program_id = p.id AND m.deletion_id IS NULL
     WHERE p.id = :id AND p.deletion_id IS NULL AND m.user_id = :user";

/// The one place that tells 404, 403 and yes apart.
fn decide(
    action: Action,
    actor: &Actor,
    standing: Option<Standing>,
    frozen_detail: &str,
) -> ApiResult<Standing> {
    let standing = standing.ok_or_else(ApiError::not_found)?;
    if actor.is_agent() && !standing.consent {
        return Err(refused("This has not consented to agents.", "policy", "capability_scope"));
    }
    if !access::allows(action, standing.role) {
        return Err(ApiError::forbidden("You do not have permission to perform this action."));
    }
    if standing.frozen && !access::survives_archiving(action) {
        return Err(ApiError::forbidden(frozen_detail));
    }
    Ok(standing)
}

impl<A: May> ProjectScope<A> {
    /// The scope for a project that was named in a body or found through another row.
    pub async fn of(db: &impl Read, actor: &Actor, project: ProjectId) -> ApiResult<Self> {
        let standing = db.maybe(sql!(IN_PROJECT, id = project, user = actor.id)).await?;
        let standing = decide(A::ACTION, actor, standing, "The project is archived and cannot be changed.")?;
        let Standing { program_id, role, .. } = standing;
        Ok(Self { project, program: program_id, role, actor: actor.clone(), _may: PhantomData })
    }
}

impl<A: May> ProgramScope<A> {
    /// The scope for a program that was named in a body or found through another row.
    pub async fn of(db: &impl Read, actor: &Actor, program: ProgramId) -> ApiResult<Self> {
        let standing = db.maybe(sql!(IN_PROGRAM, id = program, user = actor.id)).await?;
        let standing = decide(A::ACTION, actor, standing, "The program is closed and cannot be changed.")?;
        Ok(Self { program, role: standing.role, actor: actor.clone(), _may: PhantomData })
    }
}

impl<A: May> WorkspaceScope<A> {
    /// The scope for a person.
    pub fn of(actor: &Actor) -> ApiResult<Self> {
        match access::allows(A::ACTION, actor.workspace_role) {
            true => Ok(Self { actor: actor.clone(), _may: PhantomData }),
            false => Err(ApiError::forbidden("You do not have permission to perform this action.")),
        }
    }
}

/// The parameter that follows a word of the path, as `projects` in `/api/v1/projects/{id}/members/`.
async fn parameter_after<T: FromStr>(parts: &mut Parts, words: &[&str]) -> ApiResult<T> {
    let path = parts.uri.path().to_owned();
    let mut segments = path.split('/').skip_while(|segment| !words.contains(segment));
    segments.next();
    segments.next().and_then(|text| text.parse().ok()).ok_or_else(ApiError::not_found)
}

impl<A: May> FromRequestParts<App> for ProjectScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let project = parameter_after(parts, &["projects"]).await?;
        Self::of(&app.db, &actor, project).await
    }
}

impl<A: May> FromRequestParts<App> for ProgramScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let program = parameter_after(parts, &["programs"]).await?;
        Self::of(&app.db, &actor, program).await
    }
}

impl<A: May> FromRequestParts<App> for WorkspaceScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        Self::of(&Actor::from_request_parts(parts, app).await?)
    }
}

impl<A> Describe for ProjectScope<A> {
    fn describe(_: &mut Describer) {}
}

impl<A> Describe for ProgramScope<A> {
    fn describe(_: &mut Describer) {}
}

impl<A> Describe for WorkspaceScope<A> {
    fn describe(_: &mut Describer) {}
}

/// The last parameter of the path; one that is no id of the wanted kind is 404.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: FromStr + Send> FromRequestParts<App> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
        let last = parameters.iter().last().map(|(_, value)| value.to_owned());
        last.and_then(|text| text.parse().ok()).map(Path).ok_or_else(ApiError::not_found)
    }
}

impl<T> Describe for Path<T> {
    fn describe(_: &mut Describer) {}
}

/// The last but one parameter of the path, for an action on a row nested below another; one that is no id is 404.
#[derive(Clone, Copy, Debug)]
pub struct ParentPath<T>(pub T);

impl<T: FromStr + Send> FromRequestParts<App> for ParentPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
        let values: Vec<&str> = parameters.iter().map(|(_, value)| value).collect();
        let parent = values.iter().rev().nth(1);
        parent.and_then(|text| text.parse().ok()).map(ParentPath).ok_or_else(ApiError::not_found)
    }
}

impl<T> Describe for ParentPath<T> {
    fn describe(_: &mut Describer) {}
}

/// The first parameter of the path, for a resource nested below a top-level one; one that is no id is 404.
#[derive(Clone, Copy, Debug)]
pub struct OuterPath<T>(pub T);

impl<T: FromStr + Send> FromRequestParts<App> for OuterPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let parameters = parts.extract::<RawPathParams>().await.map_err(|_| ApiError::not_found())?;
        let first = parameters.iter().next().map(|(_, value)| value.to_owned());
        first.and_then(|text| text.parse().ok()).map(OuterPath).ok_or_else(ApiError::not_found)
    }
}

impl<T> Describe for OuterPath<T> {
    fn describe(_: &mut Describer) {}
}
