//! The rows that a caller sees in lists: those of their projects and programs, and for agents only of those with
//! consent. There is one condition for all lists, and one for what a program shows of its projects. `scope.rs` decides
//! about single rows.

use planwright_store::Sql;

use crate::Actor;

/// Whether a project has guests: its own setting, else that of its program, else that of the workspace. `project` is an alias of
/// `projects`.
pub fn project_has_guests(project: &str) -> String {
    format!(
        "COALESCE({project}.allow_guests,
            (SELECT z.allow_guests FROM programs z WHERE z.id = {project}.program_id),
            (SELECT z.allow_guests FROM workspace z WHERE z.id = 1))"
    )
}

/// Whether a program has guests.
pub fn program_has_guests(program: &str) -> String {
    format!("COALESCE({program}.allow_guests, (SELECT z.allow_guests FROM workspace z WHERE z.id = 1))")
}

/// The condition that a person may be in a project as far as guests go; `person` and `project` are aliases of `users` and
/// `projects`. It belongs to every statement that reads memberships of other people.
pub fn project_is_open_to(person: &str, project: &str) -> String {
    format!("({person}.status <> 'guest' OR {})", project_has_guests(project))
}

/// The same for a program.
pub fn program_is_open_to(person: &str, program: &str) -> String {
    format!("({person}.status <> 'guest' OR {})", program_has_guests(program))
}

/// The condition that a person may know of a project in their program: it is open to the workspace, or they are in it. `person` is
/// an id in SQL, and `project` an alias of `projects`.
pub fn project_is_known_to(person: &str, project: &str) -> String {
    format!(
        "({project}.visibility <> 'PRIVATE' OR EXISTS (SELECT 1 FROM project_members k
             WHERE k.project_id = {project}.id AND k.user_id = {person} AND k.deletion_id IS NULL))"
    )
}

impl Actor {
    /// Appends the condition that the column names a project this caller sees. The statement must not use `:viewer` otherwise.
    pub fn in_visible_projects(&self, sql: Sql, column: &str) -> Sql {
        let consent = self.sees_projects();
        sql.push(&format!(
            " AND {column} IN (SELECT p.id FROM projects p
                 JOIN project_members m ON m.project_id = p.id AND m.deletion_id IS NULL
                 WHERE m.user_id = :viewer AND p.deletion_id IS NULL{consent})"
        ))
        .bind("viewer", self.id)
    }

    /// Appends the condition that `projects p` are such that this caller may know of in a program: their own and those open
    /// to the workspace, and for agents only those with consent. The statement must not use `:viewer` otherwise.
    pub fn knowing_projects(&self, sql: Sql) -> Sql {
        sql.push(&format!(" AND {}", self.knows_project())).bind("viewer", self.id)
    }

    /// The condition of [`Self::knowing_projects`] alone. The statement must bind `:viewer`.
    pub fn knows_project(&self) -> String {
        format!("{}{}", project_is_known_to(":viewer", "p"), self.sees_projects())
    }

    /// Appends the condition that the column names a program this caller sees.
    pub fn in_visible_programs(&self, sql: Sql, column: &str) -> Sql {
        let consent = self.sees_programs();
        sql.push(&format!(
            " AND {column} IN (SELECT p.id FROM programs p
                 JOIN program_members m ON m.program_id = p.id AND m.deletion_id IS NULL
                 WHERE m.user_id = :viewer AND p.deletion_id IS NULL{consent})"
        ))
        .bind("viewer", self.id)
    }
}
