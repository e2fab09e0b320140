//! Holding a project or program while its people or settings change, so that two such changes come one after the other.
//! A rank that was read before the hold may be another one by now, so the scope is asked again under it.

use std::collections::BTreeSet;

use planwright_domain::access::May;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::{Result, Tx, sql};
use planwright_web::version::Precondition;
use planwright_web::{ApiResult, App, Item, ProjectScope};

use super::ProjectRow;
use crate::edit::Edit;
use crate::schedule::queries;

/// Holds a project until the transaction ends, and gives the scope as it is then.
pub async fn hold_project<A: May>(tx: &mut Tx, scope: &ProjectScope<A>) -> ApiResult<ProjectScope<A>> {
    hold_with_linked(tx, vec![scope.project]).await?;
    ProjectScope::of(tx, &scope.actor, scope.project).await
}

/// Begins the change of a whole project: its row is locked with all those that links tie to it, and read as it is then.
///
/// # Errors
/// 404 when it is gone or out of sight by now, 403 when the rank does not suffice any more, 412 when `If-Match` names another
/// version.
pub async fn open_project<A: May>(
    app: &App,
    item: Item<ProjectRow, A>,
    expected: Precondition,
) -> ApiResult<(Edit<ProjectScope<A>>, ProjectRow)> {
    let mut edit = Edit::begin(app, &item.scope).await?;
    edit.scope = hold_project(&mut edit, &item.scope).await?;
    let row = edit.lock(item.row.id).await?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

/// Holds projects and all those that links tie to them, so that what follows from a change of theirs can be computed
/// without waiting for anybody: a hold that grows later may wait in a circle.
pub async fn hold_with_linked(tx: &mut Tx, projects: Vec<ProjectId>) -> Result<()> {
    let mut all: BTreeSet<ProjectId> = projects.iter().copied().collect();
    for project in projects {
        all.extend(queries::linked(tx, project).await?);
    }
    lock_projects(tx, all.into_iter().collect()).await
}

/// Holds projects until the transaction ends, in the order of their ids, so that nobody waits in a circle.
pub async fn lock_projects(tx: &mut Tx, mut projects: Vec<ProjectId>) -> Result<()> {
    projects.sort_unstable();
    for project in projects {
        let same = "UPDATE projects SET server_version = server_version WHERE id = :id";
        tx.run(sql!(same, id = project)).await?;
    }
    Ok(())
}

/// Holds programs until the transaction ends, in the order of their ids.
pub async fn lock_programs(tx: &mut Tx, mut programs: Vec<ProgramId>) -> Result<()> {
    programs.sort_unstable();
    for program in programs {
        let same = "UPDATE programs SET server_version = server_version WHERE id = :id";
        tx.run(sql!(same, id = program)).await?;
    }
    Ok(())
}
