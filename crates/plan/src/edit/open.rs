//! The beginnings of an edit, by what it locks: nothing but rows it adds, one row, the row of a whole project or program,
//! or the plan of a project with those that links tie to it.

use planwright_domain::access::May;
use planwright_domain::ids::ProjectId;
use planwright_web::item::ScopeOf;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Item, ProjectScope, Resource, Scope};

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
) -> ApiResult<(Edit<ScopeOf<R, A>>, R)> {
    let tx = app.db.begin().await?;
    let row = R::lock(&tx, item.row.id()).await?.ok_or_else(ApiError::not_found)?;
    let scope = item.scope.reload(&tx).await?;
    let mut edit = Edit::new(tx, scope);
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

/// The same for a row whose rules look at others beside it: the row of the whole project, program or team is locked.
pub async fn open_within<R: Resource, A: May>(
    app: &App,
    item: Item<R, A>,
    expected: Precondition,
) -> ApiResult<(Edit<ScopeOf<R, A>>, R)> {
    let mut edit = Edit::locked(app, &item.scope).await?;
    let row = R::find(&edit, item.row.id()).await?.ok_or_else(ApiError::not_found)?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

/// The same for a row that dates depend on: the plan of its project is locked with those that links tie to it.
pub async fn open_plan<R, A>(
    app: &App,
    item: Item<R, A>,
    expected: Precondition,
) -> ApiResult<(Edit<ProjectScope<A>>, R)>
where
    R: Resource<Container = ProjectId>,
    A: May,
{
    let mut tx = app.db.begin().await?;
    let plan = PlanLock::take(&mut tx, item.scope.project).await?;
    let found = async { Ok(R::find(&tx, item.row.id()).await?) };
    let (scope, row) = tokio::try_join!(item.scope.reload(&tx), found)?;
    let mut edit = Edit { plan, ..Edit::new(tx, scope) };
    let row = row.filter(|row| row.container() == edit.scope.project).ok_or_else(ApiError::not_found)?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

/// The same for a project as a whole: its row is locked with all those that links tie to it.
pub async fn open_with_linked<R, A>(
    app: &App,
    item: Item<R, A>,
    expected: Precondition,
) -> ApiResult<(Edit<ProjectScope<A>>, R)>
where
    R: Resource<Container = ProjectId>,
    A: May,
{
    let mut edit = Edit::begin(app, &item.scope).await?;
    lock_with_linked(&mut edit, vec![item.scope.project]).await?;
    edit.scope = edit.scope.reload(&edit).await?;
    let row: R = edit.lock(item.row.id()).await?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

impl<S: Scope> Edit<S> {
    /// Begins a change that adds rows, or locks what it changes by itself.
    pub async fn begin(app: &App, scope: &S) -> ApiResult<Self> {
        let tx = app.db.begin().await?;
        let scope = scope.reload(&tx).await?;
        Ok(Self::new(tx, scope))
    }

    /// Begins a change of a whole project, program or person, whose own row is locked: such changes come one after the other.
    pub async fn locked(app: &App, scope: &S) -> ApiResult<Self> {
        let mut tx = app.db.begin().await?;
        if let Some((table, id)) = scope.root() {
            tx.lock_rows(table, [id]).await?;
        }
        let scope = scope.reload(&tx).await?;
        Ok(Self::new(tx, scope))
    }
}

impl<A: May> Edit<ProjectScope<A>> {
    /// Begins a change that dates depend on: the plan of the project is locked with those that links tie to it, and numbered.
    pub async fn of_plan(app: &App, scope: &ProjectScope<A>) -> ApiResult<Self> {
        let mut tx = app.db.begin().await?;
        let plan = PlanLock::take(&mut tx, scope.project).await?;
        let scope = scope.reload(&tx).await?;
        Ok(Self { plan, ..Self::new(tx, scope) })
    }
}
