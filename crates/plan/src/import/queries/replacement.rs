//! Statements about making way for an import: who has a code already, and which projects leave.

use planwright_domain::Role;
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_store::{Read, Result, Tx, sql};

use crate::import::replacement::Candidate;

/// Writes a user as they are, for the lock that comes with it.
pub(in crate::import) async fn lock_user(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.run(sql!("UPDATE users SET username = username WHERE id = :user", user = user)).await.map(drop)
}

/// The live programs of that code which the person owns, the oldest first.
pub(in crate::import) async fn candidates(
    db: &dyn Read,
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
pub(in crate::import) async fn is_live(db: &dyn Read, program: ProgramId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM programs WHERE id = :program AND deletion_id IS NULL";
    Ok(db.count(sql!(select, program = program)).await? > 0)
}

/// The live programs of that code that came as samples and hold no other project.
pub(in crate::import) async fn sample_programs(db: &dyn Read, code: &str) -> Result<Vec<ProgramId>> {
    db.scalars(sql!(
        "SELECT g.id FROM programs g
         WHERE g.code = :code AND g.deletion_id IS NULL AND g.is_sample = TRUE AND NOT EXISTS (
            SELECT 1 FROM projects p
            WHERE p.program_id = g.id AND p.deletion_id IS NULL AND p.is_sample = FALSE)",
        code = code,
    ))
    .await
}

/// Whether a live program came as a sample and holds no other project.
pub(in crate::import) async fn is_untouched_sample(db: &dyn Read, program: ProgramId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM programs g
         WHERE g.id = :program AND g.deletion_id IS NULL AND g.is_sample = TRUE AND NOT EXISTS (
            SELECT 1 FROM projects p
            WHERE p.program_id = g.id AND p.deletion_id IS NULL AND p.is_sample = FALSE)";
    Ok(db.count(sql!(select, program = program)).await? > 0)
}

/// The live projects of a program.
pub(in crate::import) async fn leaving(db: &dyn Read, program: ProgramId) -> Result<Vec<ProjectId>> {
    let select = "SELECT id FROM projects WHERE program_id = :program AND deletion_id IS NULL ORDER BY id";
    db.scalars(sql!(select, program = program)).await
}
