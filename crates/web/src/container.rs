//! One scope for resources that belong to a project or to a program (webhooks, tokens, pins …). Each handler is
//! written once and is in the route table twice.

use std::marker::PhantomData;
use std::ops::Deref;

use axum::extract::FromRequestParts;
use http::request::Parts;
use planwright_domain::access::May;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::Read;
use uuid::Uuid;

use crate::describe::Describe;
use crate::grant::Grant;
use crate::scope::{Container, Scope};
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
    grant: Grant,
    _may: PhantomData<A>,
}

impl<A> Clone for ContainerScope<A> {
    fn clone(&self) -> Self {
        Self { container: self.container, grant: self.grant.clone(), _may: PhantomData }
    }
}

impl<A> Deref for ContainerScope<A> {
    type Target = Grant;

    fn deref(&self) -> &Grant {
        &self.grant
    }
}

impl<A: May> Scope for ContainerScope<A> {
    fn grant(&self) -> Grant {
        self.grant.clone()
    }
}

impl<A: May> From<ProjectScope<A>> for ContainerScope<A> {
    fn from(scope: ProjectScope<A>) -> Self {
        let container = ProjectOrProgram::Project(scope.project);
        Self { container, grant: scope.grant(), _may: PhantomData }
    }
}

impl<A: May> From<ProgramScope<A>> for ContainerScope<A> {
    fn from(scope: ProgramScope<A>) -> Self {
        let container = ProjectOrProgram::Program(scope.program);
        Self { container, grant: scope.grant(), _may: PhantomData }
    }
}

impl Container for ProjectOrProgram {
    type Scope<A: May> = ContainerScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<ContainerScope<A>> {
        let grant = match self {
            Self::Project(id) => Grant::in_project(db, actor, id, A::ACTION).await?,
            Self::Program(id) => Grant::in_program(db, actor, id, A::ACTION).await?,
        };
        Ok(ContainerScope { container: self, grant, _may: PhantomData })
    }

    fn id(self) -> Option<Uuid> {
        Some(self.uuid())
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
