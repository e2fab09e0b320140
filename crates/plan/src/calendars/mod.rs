//! Working-time calendars of the workspace library and their exceptions, at `/api/v1/calendars/`.
//! Anybody signed in reads them; who manages any project adds one, and who manages all that use one changes it.

pub mod exceptions;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use std::marker::PhantomData;
use std::ops::Deref;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use planwright_domain::Role;
use planwright_domain::access::{Action, May};
use planwright_domain::ids::CalendarId;
use planwright_store::Read;
use planwright_web::describe::Describe;
use planwright_web::grant::SpecialCheck;
use planwright_web::scope::Container;
use planwright_web::{Actor, ApiError, ApiResult, App, Grant, Routes, Scope};
use uuid::Uuid;

use crate::schedule::queries::projects_on_calendar;

/// The routes of calendars and their exceptions.
pub fn routes() -> Routes {
    routes::table().and(exceptions::table())
}

/// The library of the workspace, as what its calendars, resources and skills belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Library;

/// The library, when the caller may do `A` in it: their rank is the highest that they have in a project or in the workspace.
pub struct LibraryScope<A> {
    grant: Grant,
    _may: PhantomData<A>,
}

impl<A: May> LibraryScope<A> {
    /// Checks the caller.
    pub async fn of(db: &dyn Read, actor: &Actor) -> ApiResult<Self> {
        Ok(Self { grant: check_rank(db, actor, A::ACTION).await?, _may: PhantomData })
    }
}

async fn check_rank(db: &dyn Read, actor: &Actor, action: Action) -> ApiResult<Grant> {
    let rank = queries::highest_rank(db, actor.id).await?.max(actor.workspace_role.rank());
    let role = Role::from_rank(rank).unwrap_or(Role::Viewer);
    match actor.may(action, role) {
        true => Ok(Grant::by(actor.clone(), RankCheck(action)).ranked(role)),
        false => Err(ApiError::forbidden("Your roles in projects do not allow this.")),
    }
}

/// The check of the highest rank of a person for an action.
#[derive(Debug)]
struct RankCheck(Action);

impl SpecialCheck for RankCheck {
    fn recheck<'a>(&'a self, db: &'a dyn Read, actor: &'a Actor) -> BoxFuture<'a, ApiResult<Grant>> {
        Box::pin(async move { check_rank(db, &actor.reload(db).await?, self.0).await })
    }
}

/// Refuses a change of a calendar to who does not manage every project that uses it. A Workspace Admin may change any.
///
/// # Errors
/// 403; which projects they are is not said, since the caller may not know of them.
async fn check_right_to_change(db: &dyn Read, actor: &Actor, calendar: CalendarId) -> ApiResult<()> {
    if actor.may(Action::AdministerWorkspace, actor.workspace_role) {
        return Ok(());
    }
    let projects = projects_on_calendar(db, calendar).await?;
    let managed = queries::count_managed(db, actor.id, &projects).await?;
    match managed == projects.len() as i64 {
        true => Ok(()),
        false => Err(ApiError::forbidden(
            "Projects that you do not manage use this calendar. Only a Workspace Admin may change it.",
        )),
    }
}

impl<A> Deref for LibraryScope<A> {
    type Target = Grant;

    fn deref(&self) -> &Grant {
        &self.grant
    }
}

impl<A: May> Scope for LibraryScope<A> {
    fn grant(&self) -> Grant {
        self.grant.clone()
    }
}

impl Container for Library {
    type Scope<A: May> = LibraryScope<A>;

    async fn scope<A: May>(self, db: &dyn Read, actor: &Actor) -> ApiResult<LibraryScope<A>> {
        LibraryScope::of(db, actor).await
    }

    fn id(self) -> Option<Uuid> {
        None
    }
}

impl<A: May> FromRequestParts<App> for LibraryScope<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        Self::of(&app.db, &actor).await
    }
}

impl<A> Describe for LibraryScope<A> {}
