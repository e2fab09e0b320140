//! Making way for an import: which programs of a person have a code already, and how one of them leaves.
//! Its projects go to the trash one by one, so that each can come back by itself; the program does not come back.

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProgramId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Read, Result, Tx, row};
use serde_json::json;

use super::queries::replacement::{self as queries, Leaving};

row! {
    /// A live program that an import may replace.
    pub struct Candidate {
        /// The program.
        pub program_id: ProgramId,
        /// Its name.
        pub name: String,
        /// Its code.
        pub code: String,
        /// How many live projects it has.
        pub project_count: i64,
        /// How many live tasks they have.
        pub task_count: i64,
    }
}

/// Keeps a second import of the same person waiting until this transaction ends, so that both cannot find a code free.
pub async fn take_turns(tx: &mut Tx, user: UserId) -> Result<()> {
    queries::lock_user(tx, user).await
}

/// The live programs of that code which the person owns, the oldest first.
pub async fn candidates(db: &impl Read, owner: UserId, code: &str) -> Result<Vec<Candidate>> {
    queries::candidates(db, owner, code).await
}

/// Whether a program is still there.
pub async fn is_live(db: &impl Read, program: ProgramId) -> Result<bool> {
    queries::is_live(db, program).await
}

/// Moves the projects of a program to the trash and deletes the program.
pub async fn replace(tx: &mut Tx, actor: UserId, program: ProgramId) -> Result<()> {
    for project in queries::leaving(tx, program).await? {
        trash_project(tx, actor, program, &project).await?;
    }
    let deletion = tx.begin_deletion("program", program, Some(actor), None).await?;
    let version = queries::delete_program(tx, program, deletion).await?;
    let gone = Change::of("program", program, ChangeKind::Deleted, actor);
    tx.record(Change { program: Some(program), version, ..gone }).await?;
    tx.emit(Event::Socket(SocketEvent::ProgramDeleted), None, Some(program), json!({ "id": program })).await
}

async fn trash_project(tx: &mut Tx, actor: UserId, program: ProgramId, project: &Leaving) -> Result<()> {
    let deletion = tx.begin_deletion("project", project.id, Some(actor), Some(project.id)).await?;
    queries::trash_project(tx, project.id, deletion).await?;
    let gone = Change::of("project", project.id, ChangeKind::Deleted, actor);
    let version = project.server_version + 1;
    tx.record(Change { project: Some(project.id), program: Some(program), version, ..gone }).await?;
    let told = json!({ "id": project.id });
    tx.emit(Event::Socket(SocketEvent::ProjectDeleted), Some(project.id), Some(program), told).await
}
