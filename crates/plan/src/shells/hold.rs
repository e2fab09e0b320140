//! Holding a project or program while its people or settings change, so that two such changes come one after the other.
//! A rank that was read before the hold may be another one by now, so the scope is asked again under it.

use planwright_domain::access::May;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::{Result, Tx, sql};
use planwright_web::{ApiResult, ProgramScope, ProjectScope};

/// Holds a project until the transaction ends, and gives the scope as it is then.
pub async fn hold_project<A: May>(tx: &mut Tx, scope: &ProjectScope<A>) -> ApiResult<ProjectScope<A>> {
    lock_project(tx, scope.project).await?;
    ProjectScope::of(tx, &scope.actor, scope.project).await
}

/// Holds a program until the transaction ends, and gives the scope as it is then.
pub async fn hold_program<A: May>(tx: &mut Tx, scope: &ProgramScope<A>) -> ApiResult<ProgramScope<A>> {
    lock_program(tx, scope.program).await?;
    ProgramScope::of(tx, &scope.actor, scope.program).await
}

async fn lock_project(tx: &mut Tx, project: ProjectId) -> Result<()> {
    let same = "UPDATE projects SET server_version = server_version WHERE id = :id";
    tx.run(sql!(same, id = project)).await.map(drop)
}

async fn lock_program(tx: &mut Tx, program: ProgramId) -> Result<()> {
    let same = "UPDATE programs SET server_version = server_version WHERE id = :id";
    tx.run(sql!(same, id = program)).await.map(drop)
}
