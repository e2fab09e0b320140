//! Scopes: a project, program or workspace in which the caller may do one named action. A scope in the signature of a
//! handler is the permission check; what it hands over is a grant. What the caller may not see is 404.

use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use futures_util::future::BoxFuture;
use http::request::Parts;
use planwright_domain::access::{Action, May};
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::Read;
use uuid::Uuid;

use crate::describe::Describe;
use crate::grant::Grant;
use crate::{Actor, ApiError, ApiResult, App};

/// A permission that a handler asks for by its type.
pub trait Scope: Send + Sync {
    /// What was checked.
    fn grant(&self) -> Grant;
}

/// A project that the caller may do `A` in.
#[derive(Debug)]
pub struct ProjectScope<A> {
    /// The project.
    pub project: ProjectId,
    grant: Grant,
    _may: PhantomData<A>,
}

/// A program that the caller may do `A` in.
#[derive(Debug)]
pub struct ProgramScope<A> {
    /// The program.
    pub program: ProgramId,
    grant: Grant,
    _may: PhantomData<A>,
}

/// The workspace, when the caller may do `A` in it.
#[derive(Debug)]
pub struct WorkspaceScope<A> {
    grant: Grant,
    _may: PhantomData<A>,
}

/// The container of rows: a project, a program or the workspace, with its id.
pub trait Container: Copy + Send + Sync + PartialEq {
    /// The scope for the action `A` in it.
    type Scope<A: May>: Scope;

    /// The scope of a caller. 404 if they cannot see it, 403 if their role is too low.
    fn scope<A: May>(
        self,
        db: &dyn Read,
        actor: &Actor,
    ) -> impl Future<Output = ApiResult<Self::Scope<A>>> + Send;

    /// Its id in a path; none for the workspace.
    fn id(self) -> Option<Uuid>;
}

/// The only workspace of an installation, as a container of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace;

impl<A: May> ProjectScope<A> {
    /// The scope for a project that was named in a body or found through another row.
    pub async fn of(db: &dyn Read, actor: &Actor, project: ProjectId) -> ApiResult<Self> {
        Ok(Self::with(project, Grant::in_project(db, actor, project, A::ACTION).await?))
    }

    fn with(project: ProjectId, grant: Grant) -> Self {
        Self { project, grant, _may: PhantomData }
    }
}

impl<A: May> ProgramScope<A> {
    /// The scope for a program that was named in a body or found through another row.
    pub async fn of(db: &dyn Read, actor: &Actor, program: ProgramId) -> ApiResult<Self> {
        Ok(Self::with(program, Grant::in_program(db, actor, program, A::ACTION).await?))
    }

    fn with(program: ProgramId, grant: Grant) -> Self {
        Self { program, grant, _may: PhantomData }
    }
}

impl<A: May> WorkspaceScope<A> {
    /// The scope for a person.
    pub fn of(actor: &Actor) -> ApiResult<Self> {
        Ok(Self { grant: Grant::in_workspace(actor, A::ACTION)?, _may: PhantomData })
    }
}

macro_rules! scopes {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl<A> Clone for $name<A> {
            fn clone(&self) -> Self {
                Self { $($field: self.$field,)* grant: self.grant.clone(), _may: PhantomData }
            }
        }

        impl<A> Deref for $name<A> {
            type Target = Grant;

            fn deref(&self) -> &Grant {
                &self.grant
            }
        }

        impl<A: May> Scope for $name<A> {
            fn grant(&self) -> Grant {
                self.grant.clone()
            }
        }

        impl<A> Describe for $name<A> {}
    )*};
}

scopes! {
    ProjectScope { project }
    ProgramScope { program }
    WorkspaceScope {}
}

/// What was checked is a permission, too.
impl Scope for Grant {
    fn grant(&self) -> Grant {
        self.clone()
    }
}

/// A person who writes their own rows.
impl Scope for Actor {
    fn grant(&self) -> Grant {
        Grant::of_person(self.clone())
    }
}

impl Container for ProjectId {
    type Scope<A: May> = ProjectScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<ProjectScope<A>> {
        ProjectScope::of(db, actor, self).await
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0)
    }
}

impl Container for ProgramId {
    type Scope<A: May> = ProgramScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<ProgramScope<A>> {
        ProgramScope::of(db, actor, self).await
    }

    fn id(self) -> Option<Uuid> {
        Some(self.0)
    }
}

impl Container for Workspace {
    type Scope<A: May> = WorkspaceScope<A>;

    async fn scope<A: May>(self, _: &dyn Read, actor: &Actor) -> ApiResult<WorkspaceScope<A>> {
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
    /// What was checked.
    pub grant: Grant,
    _may: PhantomData<A>,
}

impl<C: Named, A: May> FromRequestParts<App> for Within<C, A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let container: C = parameter_after(parts, C::WORD)?;
        let scope = container.scope::<A>(&app.db, &actor).await?;
        Ok(Self { container, grant: scope.grant(), _may: PhantomData })
    }
}

impl<C: Container, A: May> Describe for Within<C, A> {}

/// The parameter that follows a word of the path, as `projects` in `/api/v1/projects/{id}/members/`.
fn parameter_after<T: FromStr>(parts: &Parts, word: &str) -> ApiResult<T> {
    let mut segments = parts.uri.path().split('/').skip_while(|segment| *segment != word);
    segments.next();
    segments.next().and_then(|text| text.parse().ok()).ok_or_else(ApiError::not_found)
}

fn in_project_of_path<'a>(
    parts: &'a mut Parts,
    app: &'a App,
    action: Action,
) -> BoxFuture<'a, ApiResult<(ProjectId, Grant)>> {
    Box::pin(async move {
        let actor = Actor::from_request_parts(parts, app).await?;
        let project = parameter_after(parts, ProjectId::WORD)?;
        Ok((project, Grant::in_project(&app.db, &actor, project, action).await?))
    })
}

fn in_program_of_path<'a>(
    parts: &'a mut Parts,
    app: &'a App,
    action: Action,
) -> BoxFuture<'a, ApiResult<(ProgramId, Grant)>> {
    Box::pin(async move {
        let actor = Actor::from_request_parts(parts, app).await?;
        let program = parameter_after(parts, ProgramId::WORD)?;
        Ok((program, Grant::in_program(&app.db, &actor, program, action).await?))
    })
}

impl<A: May> FromRequestParts<App> for ProjectScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let (project, grant) = in_project_of_path(parts, app, A::ACTION).await?;
        Ok(Self::with(project, grant))
    }
}

impl<A: May> FromRequestParts<App> for ProgramScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let (program, grant) = in_program_of_path(parts, app, A::ACTION).await?;
        Ok(Self::with(program, grant))
    }
}

impl<A: May> FromRequestParts<App> for WorkspaceScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        Self::of(&Actor::from_request_parts(parts, app).await?)
    }
}
