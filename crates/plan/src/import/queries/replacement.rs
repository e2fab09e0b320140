//! Statements about making way for an import: who has a code already, and taking a program and its projects away.

use planwright_domain::Role;
use planwright_domain::ids::{DeletionId, ProgramId, ProjectId, UserId};
use planwright_store::{Read, Result, Tx, row, sql};

use crate::import::replacement::Candidate;

row! {
    /// A project that goes to the trash.
    pub(in crate::import) struct Leaving {
        pub(in crate::import) id: ProjectId,
        pub(in crate::import) server_version: i64,
    }
}

/// Writes a user as they are, for the lock that comes with it.
pub(in crate::import) async fn lock_user(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.run(sql!("UPDATE users SET username = username WHERE id = :user", user = user)).await.map(drop)
}

/// The live programs of that code which the person owns, the oldest first.
pub(in crate::import) async fn candidates(
    db: &impl Read,
    owner: UserId,
    code: &str,
) -> Result<Vec<Candidate>> {
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
pub(in crate::import) async fn is_live(db: &impl Read, program: ProgramId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM programs WHERE id = :program AND deletion_id IS NULL";
    Ok(db.count(sql!(select, program = program)).await? > 0)
}

/// The live projects of a program.
pub(in crate::import) async fn leaving(db: &impl Read, program: ProgramId) -> Result<Vec<Leaving>> {
    let select = "SELECT id, server_version FROM projects WHERE program_id = :program AND deletion_id IS NULL
         ORDER BY id";
    db.all(sql!(select, program = program)).await
}

/// Marks a project as deleted and takes it out of its program, so that it comes back as one of its own.
pub(in crate::import) async fn trash_project(
    tx: &mut Tx,
    project: ProjectId,
    deletion: DeletionId,
) -> Result<()> {
    tx.run(sql!(
        "UPDATE projects SET deletion_id = :deletion, program_id = NULL, updated_at = :now,
            server_version = server_version + 1, change_counter = change_counter + 1 WHERE id = :id",
        deletion = deletion,
        now = tx.now(),
        id = project,
    ))
    .await
    .map(drop)
}

/// Marks a program and its memberships as deleted; the number is the program's version afterwards.
pub(in crate::import) async fn delete_program(
    tx: &mut Tx,
    program: ProgramId,
    deletion: DeletionId,
) -> Result<i64> {
    tx.run(sql!(
        "UPDATE program_members SET deletion_id = :deletion, server_version = server_version + 1
         WHERE program_id = :program AND deletion_id IS NULL",
        deletion = deletion,
        program = program,
    ))
    .await?;
    tx.count(sql!(
        "UPDATE programs SET deletion_id = :deletion, updated_at = :now, server_version = server_version + 1
         WHERE id = :program RETURNING server_version",
        deletion = deletion,
        now = tx.now(),
        program = program,
    ))
    .await
}
