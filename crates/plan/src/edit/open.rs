//! The beginnings of an edit, by what it locks: nothing but rows it adds, one row, the row of a whole project or program,
//! or the plan of a project with those that links tie to it.

use futures_util::future::BoxFuture;
use planwright_domain::access::May;
use planwright_domain::ids::ProjectId;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Grant, Item, Resource, Scope};
use uuid::Uuid;

use super::Edit;
use crate::schedule::{PlanLock, lock_with_linked};

/// Begins the change of the row that a path names: locked, and read again as it stands under the lock.
///
/// # Errors
/// 404 when it is gone or out of sight by now, 403 when the rank does not suffice any more, 412 when `If-Match` names another
/// version.
pub async fn open<R: Resource, A: May>(
    app: &App,
    item: Item<R, A>,
    expected: Precondition,
) -> ApiResult<(Edit, R)> {
    open_row(app, item.row.id(), item.scope.grant(), expected).await
}

async fn open_row<R: Resource>(
    app: &App,
    id: Uuid,
    grant: Grant,
    expected: Precondition,
) -> ApiResult<(Edit, R)> {
    let tx = app.db.begin().await?;
    let row = R::lock(&tx, id).await?.ok_or_else(ApiError::not_found)?;
    let grant = grant.recheck(&tx).await?;
    let mut edit = Edit::new(tx, grant);
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

/// The same for a row whose rules look at others beside it: the row of the whole project, program or team is locked.
pub async fn open_within<R: Resource, A: May>(
    app: &App,
    item: Item<R, A>,
    expected: Precondition,
) -> ApiResult<(Edit, R)> {
    let mut edit = Edit::locked(app, &item.scope).await?;
    let row = R::find(&edit, item.row.id()).await?.ok_or_else(ApiError::not_found)?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

/// The same for a row that dates depend on: the plan of its project is locked with those that links tie to it.
pub async fn open_plan<R, A>(app: &App, item: Item<R, A>, expected: Precondition) -> ApiResult<(Edit, R)>
where
    R: Resource<Container = ProjectId>,
    A: May,
{
    open_row_of_plan(app, item.row.id(), item.scope.grant(), expected).await
}

async fn open_row_of_plan<R: Resource<Container = ProjectId>>(
    app: &App,
    id: Uuid,
    grant: Grant,
    expected: Precondition,
) -> ApiResult<(Edit, R)> {
    let mut tx = app.db.begin().await?;
    let project = grant.project()?;
    let plan = PlanLock::take(&mut tx, project).await?;
    let found = async { Ok(R::find(&tx, id).await?) };
    let (grant, row) = tokio::try_join!(grant.recheck(&tx), found)?;
    let mut edit = Edit { plan, ..Edit::new(tx, grant) };
    let row = row.filter(|row| row.container() == project).ok_or_else(ApiError::not_found)?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

/// The same for a project as a whole: its row is locked with all those that links tie to it.
pub async fn open_with_linked<R, A>(
    app: &App,
    item: Item<R, A>,
    expected: Precondition,
) -> ApiResult<(Edit, R)>
where
    R: Resource<Container = ProjectId>,
    A: May,
{
    let mut edit = Edit::begin(app, &item.scope).await?;
    lock_with_linked(&mut edit, vec![item.scope.project]).await?;
    edit.recheck().await?;
    let row: R = edit.lock(item.row.id()).await?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

impl Edit {
    /// Begins a change that adds rows, or locks what it changes by itself.
    pub fn begin<'a>(app: &'a App, scope: &impl Scope) -> BoxFuture<'a, ApiResult<Self>> {
        Self::lock_nothing(app, scope.grant())
    }

    fn lock_nothing(app: &App, grant: Grant) -> BoxFuture<'_, ApiResult<Self>> {
        Box::pin(async move {
            let tx = app.db.begin().await?;
            let grant = grant.recheck(&tx).await?;
            Ok(Self::new(tx, grant))
        })
    }

    /// Begins a change of a whole project, program or person, whose own row is locked: such changes come one after the other.
    pub fn locked<'a>(app: &'a App, scope: &impl Scope) -> BoxFuture<'a, ApiResult<Self>> {
        Self::lock_whole(app, scope.grant())
    }

    fn lock_whole(app: &App, grant: Grant) -> BoxFuture<'_, ApiResult<Self>> {
        Box::pin(async move {
            let mut tx = app.db.begin().await?;
            if let Some((table, id)) = grant.root() {
                tx.lock_rows(table, [id]).await?;
            }
            let grant = grant.recheck(&tx).await?;
            Ok(Self::new(tx, grant))
        })
    }

    /// Begins a change that dates depend on: the plan of the project is locked with those that links tie to it, and numbered.
    pub fn of_plan<'a>(app: &'a App, scope: &impl Scope) -> BoxFuture<'a, ApiResult<Self>> {
        Self::lock_plan(app, scope.grant())
    }

    fn lock_plan(app: &App, grant: Grant) -> BoxFuture<'_, ApiResult<Self>> {
        Box::pin(async move {
            let mut tx = app.db.begin().await?;
            let plan = PlanLock::take(&mut tx, grant.project()?).await?;
            let grant = grant.recheck(&tx).await?;
            Ok(Self { plan, ..Self::new(tx, grant) })
        })
    }
}
