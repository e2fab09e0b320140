//! Taking projects and programs away, and bringing a project back with exactly what its deletion took.
//! Who may do it, and until when, is decided by the caller; rows stay in the database either way.

pub(crate) mod queries;
mod tokens;

use std::collections::BTreeSet;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{DeletionId, ProgramId, ProjectId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Result, StoreError, Tx};
use planwright_web::ProjectOrProgram;
use serde_json::{Map, json};

use crate::dependencies;
use crate::dependencies::commands;
use crate::dependencies::queries::LinkRow;
use crate::schedule::{self, PlanLock};
use crate::standing::queries as standing;
use crate::tasks::write::announce;
use queries::Numbers;

/// What an act of deletion that can be taken back is called.
pub const INTO_TRASH: &str = "project";

/// What an act of deletion that cannot be taken back is called.
pub const FOR_GOOD: &str = "project_for_good";

/// The tables whose rows go and come back with their project; a test holds them against the schema.
pub fn tables_of_a_project() -> Vec<&'static str> {
    queries::contents().collect()
}

/// Puts live projects into the trash, each by an act of its own, with everything in it.
pub async fn delete_projects(tx: &mut Tx, actor: UserId, projects: &[ProjectId]) -> Result<()> {
    take_projects(tx, actor, projects, INTO_TRASH, SocketEvent::ProjectDeleted).await
}

/// Deletes a live project so that nobody can bring it back.
pub async fn delete_project_for_good(tx: &mut Tx, actor: UserId, project: ProjectId) -> Result<()> {
    take_projects(tx, actor, &[project], FOR_GOOD, SocketEvent::ProjectHardDeleted).await
}

async fn take_projects(
    tx: &mut Tx,
    actor: UserId,
    projects: &[ProjectId],
    act: &'static str,
    event: SocketEvent,
) -> Result<()> {
    let mut held: BTreeSet<ProjectId> = projects.iter().copied().collect();
    for project in projects {
        held.extend(queries::neighbours(tx, *project).await?);
    }
    let mut lock = PlanLock::default();
    commands::hold(tx, &mut lock, held).await?;
    for project in projects {
        let links = take_project(tx, &lock, actor, *project, (act, event)).await?;
        let holding = links.iter().filter(|link| !link.pending_acceptance);
        let others = holding.flat_map(LinkRow::projects).filter(|other| !projects.contains(other));
        others.for_each(|other| lock.moves_dates(other));
    }
    lock.end(tx).await
}

/// Takes a project; the links that tied it to others, which are told of it.
async fn take_project(
    tx: &mut Tx,
    lock: &PlanLock,
    actor: UserId,
    project: ProjectId,
    (act, event): (&'static str, SocketEvent),
) -> Result<Vec<LinkRow>> {
    let container = queries::project(tx, project).await?.ok_or(StoreError::Missing)?;
    let deletion = tx.begin_deletion(act, project, Some(actor), Some(project)).await?;
    let links = queries::crossing(tx, project).await?;
    let stamped: Vec<_> =
        links.iter().map(|link| (link.id, lock.counter(link.successor_project_id))).collect();
    dependencies::queries::delete(tx, deletion, &stamped).await?;
    announce::links(tx, actor, ChangeKind::Deleted, &links, None).await?;
    tokens::revoke(tx, actor, ProjectOrProgram::Project(project)).await?;
    let of_rows = tx.next_change_number(Some(project.0)).await?;
    let numbers = Numbers { of_plan: lock.counter(project), of_rows };
    queries::take_contents(tx, project, deletion, numbers).await?;
    standing::outdate(tx, vec![project]).await?;
    queries::take_row(tx, ("projects", project.0), deletion, of_rows).await?;
    let deleted = Change::of("project", project, ChangeKind::Deleted, actor);
    let (place, program, version) = (Some(project), container.program_id, container.server_version + 1);
    tx.record(Change { project: place, program, version, ..deleted }).await?;
    tx.emit(Event::Socket(event), place, program, json!({ "id": project })).await?;
    Ok(links)
}

/// Brings a project back out of the trash, with what that deletion took and nothing that was deleted before it; links to
/// other projects that would close a circle by now stay with the deletion.
pub async fn restore_project(
    tx: &mut Tx,
    actor: UserId,
    project: ProjectId,
    deletion: DeletionId,
) -> Result<()> {
    let waiting = queries::crossing_gone(tx, deletion).await?;
    let held: BTreeSet<ProjectId> = waiting.iter().flat_map(LinkRow::projects).chain([project]).collect();
    schedule::lock_with_linked(tx, held.iter().copied().collect()).await?;
    let of_rows = tx.next_change_number(Some(project.0)).await?;
    queries::give_project(tx, project, deletion, of_rows).await?;
    let mut lock = PlanLock::default();
    let together = commands::hold(tx, &mut lock, held).await?;
    let numbers = Numbers { of_plan: lock.counter(project), of_rows };
    queries::give_contents(tx, project, deletion, numbers).await?;
    let waiting = queries::crossing_gone(tx, deletion).await?;
    let links = commands::give_back(tx, &mut lock, &together, waiting).await?;
    queries::close_deletion(tx, deletion).await?;
    let container = queries::project(tx, project).await?.ok_or(StoreError::Missing)?;
    let restored = Change::of("project", project, ChangeKind::Restored, actor);
    let (place, program, version) = (Some(project), container.program_id, container.server_version);
    tx.record(Change { project: place, program, version, ..restored }).await?;
    let told = json!({ "id": project });
    tx.emit(Event::Socket(SocketEvent::ProjectRestored), place, program, told).await?;
    announce::links(tx, actor, ChangeKind::Restored, &links, None).await?;
    schedule::forget(tx, project).await?;
    lock.moves_dates(project);
    lock.end(tx).await
}

/// Deletes a live program: its projects stay and stand alone, its memberships go with it.
pub async fn delete_program(tx: &mut Tx, actor: UserId, program: ProgramId) -> Result<DeletionId> {
    let version = queries::program_version(tx, program).await?.ok_or(StoreError::Missing)? + 1;
    let deletion = tx.begin_deletion("program", program, Some(actor), None).await?;
    let projects = queries::projects_of(tx, program).await?;
    tokens::revoke(tx, actor, ProjectOrProgram::Program(program)).await?;
    let number = tx.next_change_number(Some(program.0)).await?;
    queries::take_row(tx, ("programs", program.0), deletion, number).await?;
    queries::take_program_members(tx, program, deletion, number).await?;
    queries::detach_projects(tx, program).await?;
    let deleted = Change::of("program", program, ChangeKind::Deleted, actor);
    tx.record(Change { program: Some(program), version, ..deleted }).await?;
    for (project, version) in &projects {
        queries::number_project(tx, *project).await?;
        let fields = Map::from_iter([("program".to_owned(), json!([program, null]))]);
        let updated = Change::of("project", *project, ChangeKind::Updated, actor);
        let place = Some(*project);
        tx.record(Change { project: place, version: version + 1, fields, ..updated }).await?;
        let told = json!({ "id": program });
        tx.emit(Event::Socket(SocketEvent::ProgramDeleted), place, Some(program), told).await?;
        let told = json!({ "id": project });
        tx.emit(Event::Socket(SocketEvent::ProjectUpdated), place, None, told).await?;
    }
    let alone: Vec<ProjectId> = projects.into_iter().map(|(project, _)| project).collect();
    recalculate(tx, alone).await?;
    Ok(deletion)
}

/// Brings up to date the projects that links tie a project to, as when it came to another program.
pub async fn recalculate_neighbours(tx: &mut Tx, project: ProjectId) -> Result<()> {
    let neighbours = queries::neighbours(tx, project).await?;
    recalculate(tx, neighbours).await
}

async fn recalculate(tx: &mut Tx, projects: impl IntoIterator<Item = ProjectId>) -> Result<()> {
    for project in projects {
        schedule::request(tx, project).await?;
    }
    Ok(())
}
