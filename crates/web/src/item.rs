//! Items: the row that the last parameter of a path names, together with the permission check. A caller who cannot
//! see it gets 404, and a caller whose role is too low gets 403. Both happen before the body is read.

use axum::extract::FromRequestParts;
use futures_util::future::BoxFuture;
use http::request::Parts;
use planwright_domain::access::May;
use planwright_store::record::{Tracked, find_live, lock_live};
use planwright_store::{Read, Result, Tx};
use uuid::Uuid;

use crate::describe::Describe;
use crate::path::parameters;
use crate::scope::Container;
use crate::{Actor, ApiError, ApiResult, App};

/// A record that paths name.
pub trait Resource: Tracked + Send + Sync {
    /// What it belongs to, whose members see it.
    type Container: Container;

    /// The one it belongs to.
    fn container(&self) -> Self::Container;

    /// Everything above it that a path may name before it; a path that names something else is 404.
    fn ancestors(&self) -> Vec<Uuid> {
        self.container().id().into_iter().collect()
    }

    /// The live row of an id.
    fn find(db: &dyn Read, id: Uuid) -> impl Future<Output = Result<Option<Self>>> + Send {
        find_live(db, id)
    }

    /// The live row of an id as it stands once it is locked.
    fn lock(tx: &Tx, id: Uuid) -> impl Future<Output = Result<Option<Self>>> + Send {
        lock_live(tx, id)
    }
}

/// The scope of who may do `A` with a row.
pub type ScopeOf<R, A> = <<R as Resource>::Container as Container>::Scope<A>;

/// A row that its caller may do `A` with.
pub struct Item<R: Resource, A: May> {
    /// The row, as it was read before the request's own transaction.
    pub row: R,
    /// The proof.
    pub scope: ScopeOf<R, A>,
}

impl<R: Resource, A: May> Item<R, A> {
    /// The item of an id, for a row that is named otherwise than by the path.
    pub async fn of(db: &dyn Read, actor: &Actor, id: Uuid) -> ApiResult<Self> {
        let row = find_or_404::<R>(db, id).await?;
        let scope = row.container().scope(db, actor).await?;
        Ok(Self { row, scope })
    }

    /// The item that a path names, below what it names before it.
    async fn named(app: &App, path: Named) -> ApiResult<Self> {
        let item = Self::of(&app.db, &path.caller, path.id).await?;
        path.check_above(&item.row.ancestors())?;
        Ok(item)
    }
}

async fn find_or_404<R: Resource>(db: &dyn Read, id: Uuid) -> ApiResult<R> {
    R::find(db, id).await?.ok_or_else(ApiError::not_found)
}

/// The ids that a path names, and who asks.
struct Named {
    caller: Actor,
    id: Uuid,
    above: Vec<Uuid>,
}

impl Named {
    /// What a path names. The last `skipped` parameters are of something below the row.
    fn in_path<'a>(parts: &'a mut Parts, app: &'a App, skipped: usize) -> BoxFuture<'a, ApiResult<Self>> {
        Box::pin(async move {
            let caller = Actor::from_request_parts(parts, app).await?;
            let mut parameters = parameters(parts).await?;
            parameters.truncate(parameters.len().saturating_sub(skipped));
            let ids: Option<Vec<Uuid>> = parameters.iter().map(|text| text.parse().ok()).collect();
            let mut above = ids.ok_or_else(ApiError::not_found)?;
            let id = above.pop().ok_or_else(ApiError::not_found)?;
            Ok(Self { caller, id, above })
        })
    }

    fn check_above(&self, ancestors: &[Uuid]) -> ApiResult<()> {
        match self.above.iter().all(|id| ancestors.contains(id)) {
            true => Ok(()),
            false => Err(ApiError::not_found()),
        }
    }
}

impl<R: Resource, A: May> FromRequestParts<App> for Item<R, A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        Self::named(app, Named::in_path(parts, app, 0).await?).await
    }
}

/// The same for the last but one parameter, for an action on what is nested below the row.
pub struct Parent<R: Resource, A: May>(pub Item<R, A>);

impl<R: Resource, A: May> FromRequestParts<App> for Parent<R, A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        Item::named(app, Named::in_path(parts, app, 1).await?).await.map(Self)
    }
}

impl<R: Resource, A: May> Describe for Parent<R, A> {}

impl<R: Resource, A: May> Describe for Item<R, A> {}
