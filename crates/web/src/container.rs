//! One scope for resources that belong to a project or to a program (webhooks, tokens, pins …). Each handler is
//! written once and is in the route table twice.

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use http::request::Parts;
use planwright_domain::Role;
use planwright_domain::access::May;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::Read;
use uuid::Uuid;

use crate::describe::Describe;
use crate::scope::{Container, Place, Scope};
use crate::{Actor, ApiError, ApiResult, App, ProgramScope, ProjectScope};

/// A project or a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProjectOrProgram {
    /// A project.
    Project(ProjectId),
    /// A program.
    Program(ProgramId),
}

impl ProjectOrProgram {
    /// The column that has a value: a row belongs to a project or to a program.
    pub fn of_columns(project: Option<ProjectId>, program: Option<ProgramId>) -> Self {
        match (project, program) {
            (Some(project), _) => Self::Project(project),
            (None, program) => Self::Program(program.unwrap_or(ProgramId(Uuid::nil()))),
        }
    }

    /// The project, if it is one.
    pub fn project(self) -> Option<ProjectId> {
        match self {
            Self::Project(id) => Some(id),
            Self::Program(_) => None,
        }
    }

    /// The program, if it is one.
    pub fn program(self) -> Option<ProgramId> {
        match self {
            Self::Project(_) => None,
            Self::Program(id) => Some(id),
        }
    }

    /// The name of the column that refers to it.
    pub fn column(self) -> &'static str {
        match self {
            Self::Project(_) => "project_id",
            Self::Program(_) => "program_id",
        }
    }

    /// Its id, whichever it is.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Project(id) => id.0,
            Self::Program(id) => id.0,
        }
    }
}

/// A project or program that the caller may do `A` in.
#[derive(Debug)]
pub struct ContainerScope<A> {
    /// The project or the program.
    pub container: ProjectOrProgram,
    /// The rank of the caller.
    pub role: Role,
    /// The caller.
    pub actor: Actor,
    place: Place,
    _may: PhantomData<A>,
}

impl<A> Clone for ContainerScope<A> {
    fn clone(&self) -> Self {
        let Self { container, role, actor, place, .. } = self;
        Self { container: *container, role: *role, actor: actor.clone(), place: *place, _may: PhantomData }
    }
}

impl<A: May> From<ProjectScope<A>> for ContainerScope<A> {
    fn from(scope: ProjectScope<A>) -> Self {
        let (place, container) = (scope.place(), ProjectOrProgram::Project(scope.project));
        Self { container, role: scope.role, actor: scope.actor, place, _may: PhantomData }
    }
}

impl<A: May> From<ProgramScope<A>> for ContainerScope<A> {
    fn from(scope: ProgramScope<A>) -> Self {
        let (place, container) = (scope.place(), ProjectOrProgram::Program(scope.program));
        Self { container, role: scope.role, actor: scope.actor, place, _may: PhantomData }
    }
}

impl Container for ProjectOrProgram {
    type Scope<A: May> = ContainerScope<A>;

    async fn scope<A: May>(self, db: &impl Read, actor: &Actor) -> ApiResult<ContainerScope<A>> {
        Ok(match self {
            Self::Project(id) => ProjectScope::of(db, actor, id).await?.into(),
            Self::Program(id) => ProgramScope::of(db, actor, id).await?.into(),
        })
    }

    fn id(self) -> Option<Uuid> {
        Some(self.uuid())
    }
}

impl<A: May> Scope for ContainerScope<A> {
    async fn reload(&self, db: &impl Read) -> ApiResult<Self> {
        self.container.scope(db, &self.actor).await
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn place(&self) -> Place {
        self.place
    }

    fn root(&self) -> Option<(&'static str, Uuid)> {
        let table = match self.container {
            ProjectOrProgram::Project(_) => "projects",
            ProjectOrProgram::Program(_) => "programs",
        };
        Some((table, self.container.uuid()))
    }
}

impl<A: May> FromRequestParts<App> for ContainerScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let is_program = parts.uri.path().split('/').any(|word| word == "programs");
        Ok(match is_program {
            true => ProgramScope::from_request_parts(parts, app).await?.into(),
            false => ProjectScope::from_request_parts(parts, app).await?.into(),
        })
    }
}

impl<A> Describe for ContainerScope<A> {}
