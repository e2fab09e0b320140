//! Making way for an import: which programs of a person have a code already, and how one of them leaves.
//! Its projects go to the trash one by one, so that each can come back by itself; the program does not come back.

use planwright_domain::ids::{ProgramId, UserId};
use planwright_store::{Read, Result, Tx, row};

use super::queries::replacement as queries;
use crate::deletion::{delete_program, delete_project_for_good, delete_projects};

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
pub async fn lock_person(tx: &mut Tx, user: UserId) -> Result<()> {
    queries::lock_user(tx, user).await
}

/// The live programs of that code which the person owns, the oldest first.
pub async fn candidates(db: &dyn Read, owner: UserId, code: &str) -> Result<Vec<Candidate>> {
    queries::candidates(db, owner, code).await
}

/// Those of the candidates that hold nothing but what came with a bundled sample.
pub async fn sample_copies(db: &dyn Read, owner: UserId, code: &str) -> Result<Vec<Candidate>> {
    let untouched = queries::sample_programs(db, code).await?;
    let mut copies = candidates(db, owner, code).await?;
    copies.retain(|copy| untouched.contains(&copy.program_id));
    Ok(copies)
}

/// Whether a program came as a sample and holds no other project.
pub async fn is_untouched_sample(db: &dyn Read, program: ProgramId) -> Result<bool> {
    queries::is_untouched_sample(db, program).await
}

/// Whether a program is still there.
pub async fn is_live(db: &dyn Read, program: ProgramId) -> Result<bool> {
    queries::is_live(db, program).await
}

/// Moves the projects of a program to the trash and deletes the program.
pub async fn replace(tx: &mut Tx, actor: UserId, program: ProgramId) -> Result<()> {
    let leaving = queries::leaving(tx, program).await?;
    delete_projects(tx, actor, &leaving).await?;
    delete_program(tx, actor, program).await.map(drop)
}

/// Deletes a program with its projects so that nobody can bring them back.
pub async fn remove_outright(tx: &mut Tx, actor: UserId, program: ProgramId) -> Result<()> {
    for project in queries::leaving(tx, program).await? {
        delete_project_for_good(tx, actor, project).await?;
    }
    delete_program(tx, actor, program).await.map(drop)
}
