//! Making way for an import: which programs of a person have a code already, and how one of them leaves.
//! Its projects go to the trash one by one, so that each can come back by itself; the program does not come back.

use planwright_domain::Role;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{DeletionId, ProgramId, ProjectId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::json;

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

row! {
    struct Leaving { id: ProjectId, server_version: i64 }
}

/// Keeps a second import of the same person waiting until this transaction ends, so that both cannot find a code free.
pub async fn take_turns(tx: &mut Tx, user: UserId) -> Result<()> {
    // The row is written as it is: what matters is the lock that comes with it.
    tx.run(sql!("UPDATE users SET username = username WHERE id = :user", user = user)).await.map(drop)
}

/// The live programs of that code which the person owns, the oldest first.
pub async fn candidates(db: &impl Read, owner: UserId, code: &str) -> Result<Vec<Candidate>> {
    db.all(sql!(
        "SELECT g.id AS program_id, g.name, g.code,
            (SELECT COUNT(*) FROM projects p WHERE p.program_id = g.id AND p.deletion_id IS NULL) AS project_count,
            (SELECT COUNT(*) FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
             WHERE p.program_id = g.id AND t.deletion_id IS NULL) AS task_count
         FROM programs g JOIN program_members m ON m.program_id = g.id AND m.deletion_id IS NULL
         WHERE g.code = :code AND g.deletion_id IS NULL AND m.user_id = :owner AND m.role = :role
         ORDER BY g.created_at, g.id",
        code = code,
        owner = owner,
        role = Role::Owner,
    ))
    .await
}

/// Whether a program is still there.
pub async fn is_live(db: &impl Read, program: ProgramId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM programs WHERE id = :program AND deletion_id IS NULL";
    Ok(db.count(sql!(select, program = program)).await? > 0)
}

/// Moves the projects of a program to the trash and deletes the program.
pub async fn replace(tx: &mut Tx, actor: UserId, program: ProgramId) -> Result<()> {
    let select = "SELECT id, server_version FROM projects WHERE program_id = :program AND deletion_id IS NULL
         ORDER BY id";
    let leaving: Vec<Leaving> = tx.all(sql!(select, program = program)).await?;
    for project in leaving {
        trash_project(tx, actor, program, &project).await?;
    }
    let deletion = tx.begin_deletion("program", program, Some(actor), None).await?;
    delete_program(tx, program, deletion).await?;
    let gone = Change::of("program", program, ChangeKind::Deleted, actor);
    let version = program_version(tx, program).await?;
    tx.record(Change { program: Some(program), version, ..gone }).await?;
    tx.emit(Event::Socket(SocketEvent::ProgramDeleted), None, Some(program), json!({ "id": program })).await
}

async fn trash_project(tx: &mut Tx, actor: UserId, program: ProgramId, project: &Leaving) -> Result<()> {
    let deletion = tx.begin_deletion("project", project.id, Some(actor), Some(project.id)).await?;
    tx.run(sql!(
        "UPDATE projects SET deletion_id = :deletion, program_id = NULL, updated_at = :now,
            server_version = server_version + 1, change_counter = change_counter + 1 WHERE id = :id",
        deletion = deletion,
        now = tx.now(),
        id = project.id,
    ))
    .await?;
    let gone = Change::of("project", project.id, ChangeKind::Deleted, actor);
    let version = project.server_version + 1;
    tx.record(Change { project: Some(project.id), program: Some(program), version, ..gone }).await?;
    let told = json!({ "id": project.id });
    tx.emit(Event::Socket(SocketEvent::ProjectDeleted), Some(project.id), Some(program), told).await
}

async fn delete_program(tx: &mut Tx, program: ProgramId, deletion: DeletionId) -> Result<()> {
    for table in [
        "UPDATE program_members SET deletion_id = :deletion, server_version = server_version + 1
         WHERE program_id = :program AND deletion_id IS NULL",
        "UPDATE programs SET deletion_id = :deletion, server_version = server_version + 1 WHERE id = :program",
    ] {
        tx.run(sql!(table, deletion = deletion, program = program)).await?;
    }
    Ok(())
}

async fn program_version(db: &impl Read, program: ProgramId) -> Result<i64> {
    db.count(sql!("SELECT server_version FROM programs WHERE id = :program", program = program)).await
}
