//! The statements of a program's schedule beside its plans: which projects the caller may know of, at what change they stand,
//! and the names of tasks. The plans themselves are read by `schedule/network.rs`.

use planwright_domain::ids::{ProgramId, ProjectId, TaskId};
use planwright_store::{Read, Result, row, sql};
use planwright_web::Actor;

row! {
    /// A project that the caller may know of.
    pub(super) struct Named {
        pub(super) id: ProjectId,
        pub(super) name: String,
        /// Whether they may open it.
        pub(super) accessible: bool,
    }
}

/// The projects of a program that the caller may know of: their own and those open to the workspace, and for agents only
/// those that have consented.
pub(super) async fn known_projects(db: &dyn Read, program: ProgramId, actor: &Actor) -> Result<Vec<Named>> {
    let select = "SELECT p.id, p.name, o.id IS NOT NULL AS accessible FROM projects p
         LEFT JOIN project_members o ON o.project_id = p.id AND o.user_id = :viewer AND o.deletion_id IS NULL
         WHERE p.program_id = :program AND p.deletion_id IS NULL";
    db.all(actor.knowing_projects(sql!(select, program = program)).push(" ORDER BY p.id")).await
}

/// The change that each project of a program stands at.
pub(super) async fn changes(db: &dyn Read, program: ProgramId) -> Result<Vec<(ProjectId, i64)>> {
    let select = "SELECT id, change_counter FROM projects
         WHERE program_id = :program AND deletion_id IS NULL ORDER BY id";
    db.all(sql!(select, program = program)).await
}

/// Name and short id of every task of a program, in the order of ids.
pub(super) async fn task_names(db: &dyn Read, program: ProgramId) -> Result<Vec<(TaskId, String, String)>> {
    let select = "SELECT t.id, t.name, t.short_id FROM tasks t JOIN projects p ON p.id = t.project_id
         WHERE p.program_id = :program AND p.deletion_id IS NULL AND t.deletion_id IS NULL ORDER BY t.id";
    db.all(sql!(select, program = program)).await
}
