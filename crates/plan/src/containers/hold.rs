//! Holding a project or program while its people or settings change, so that two such changes come one after the other.
//! A rank that was read before the hold may be another one by now, so the scope is asked again under it.

use std::collections::BTreeSet;

use planwright_domain::access::May;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::{Result, Tx, sql};
use planwright_web::{ApiResult, ProgramScope, ProjectScope};

use crate::schedule::queries;

/// Holds a project until the transaction ends, and gives the scope as it is then.
pub async fn hold_project<A: May>(tx: &mut Tx, scope: &ProjectScope<A>) -> ApiResult<ProjectScope<A>> {
    hold_with_linked(tx, vec![scope.project]).await?;
    ProjectScope::of(tx, &scope.actor, scope.project).await
}

/// Holds a program until the transaction ends, and gives the scope as it is then.
pub async fn hold_program<A: May>(tx: &mut Tx, scope: &ProgramScope<A>) -> ApiResult<ProgramScope<A>> {
    lock_programs(tx, vec![scope.program]).await?;
    ProgramScope::of(tx, &scope.actor, scope.program).await
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
