//! Every statement that takes projects and programs away or brings a project back.
//! A table that belongs to a project and knows soft deletion has a line in the lists of this file.

use planwright_domain::ids::{DeletionId, ProgramId, ProjectId};
use planwright_store::{Read, Result, Tx, row, sql};
use uuid::Uuid;

use crate::dependencies;
use crate::dependencies::queries::{LINK_ROW, LinkRow};

const BY_PROJECT: &str = "project_id = :project";

const BY_TASK: &str = "task_id IN (SELECT t.id FROM tasks t WHERE t.project_id = :project)";

/// What a project holds: a table, and how its rows are told to be of the project.
const CONTENTS: [(&str, &str); 29] = [
    ("project_members", BY_PROJECT),
    ("tasks", BY_PROJECT),
    ("labels", BY_PROJECT),
    ("sprints", BY_PROJECT),
    ("sprint_scope_changes", BY_PROJECT),
    ("sprint_task_outcomes", BY_PROJECT),
    ("velocity_suggestions", BY_PROJECT),
    ("project_resources", BY_PROJECT),
    ("board_views", BY_PROJECT),
    ("custom_fields", BY_PROJECT),
    ("task_comments", BY_PROJECT),
    ("task_notes", BY_PROJECT),
    ("task_links", BY_PROJECT),
    ("task_attachments", BY_PROJECT),
    ("mention_groups", BY_PROJECT),
    ("risks", BY_PROJECT),
    ("risk_comments", BY_PROJECT),
    ("baselines", BY_PROJECT),
    ("recurrence_rules", BY_PROJECT),
    ("task_resources", BY_TASK),
    ("task_skill_requirements", BY_TASK),
    ("acceptance_criteria", BY_TASK),
    ("poker_sessions", BY_PROJECT),
    ("retros", BY_PROJECT),
    ("retro_actions", BY_PROJECT),
    ("retro_items", BY_PROJECT),
    ("task_suggestions", BY_TASK),
    // Links to other projects are taken and given one by one, because those projects have to notice.
    ("dependencies", "(predecessor_project_id = :project AND successor_project_id = :project)"),
    (
        "task_relations",
        "(source_id IN (SELECT t.id FROM tasks t WHERE t.project_id = :project)
          OR target_id IN (SELECT t.id FROM tasks t WHERE t.project_id = :project))",
    ),
];

/// Those of them whose rows are numbered as the plan is; the others are numbered as rows of the project.
const NUMBERED_WITH_PLAN: [&str; 2] = ["tasks", "dependencies"];

/// The numbers of the change that takes or gives what a project holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// For rows of its plan.
    pub(super) of_plan: i64,
    /// For all others.
    pub(super) of_rows: i64,
}

impl Numbers {
    fn of(self, table: &str) -> i64 {
        match NUMBERED_WITH_PLAN.contains(&table) {
            true => self.of_plan,
            false => self.of_rows,
        }
    }
}

/// The tables whose rows go and come back with their project.
pub(crate) fn contents() -> impl Iterator<Item = &'static str> {
    CONTENTS.iter().map(|(table, _)| *table)
}

row! {
    /// What has to be known of a project that goes or comes back.
    pub(super) struct ContainerRow {
        pub(super) program_id: Option<ProgramId>,
        pub(super) server_version: i64,
    }
}

/// A live project.
pub(super) async fn project(db: &dyn Read, project: ProjectId) -> Result<Option<ContainerRow>> {
    let select = "SELECT program_id, server_version FROM projects WHERE id = :id AND deletion_id IS NULL";
    db.maybe(sql!(select, id = project)).await
}

/// The other live projects that live links tie a project to.
pub(super) async fn neighbours(db: &dyn Read, project: ProjectId) -> Result<Vec<ProjectId>> {
    db.scalars(sql!(
        "SELECT p.id FROM projects p
         WHERE p.deletion_id IS NULL AND p.id <> :project AND p.id IN (
             SELECT d.successor_project_id FROM dependencies d
             WHERE d.predecessor_project_id = :project AND d.deletion_id IS NULL
             UNION
             SELECT d.predecessor_project_id FROM dependencies d
             WHERE d.successor_project_id = :project AND d.deletion_id IS NULL)
         ORDER BY p.id",
        project = project
    ))
    .await
}

/// The live links between a project and others.
pub(super) async fn crossing(db: &dyn Read, project: ProjectId) -> Result<Vec<LinkRow>> {
    let which = "WHERE d.deletion_id IS NULL AND d.predecessor_project_id <> d.successor_project_id
           AND (d.predecessor_project_id = :project OR d.successor_project_id = :project)
         ORDER BY d.id";
    db.all(sql!(format!("{LINK_ROW} {which}"), project = project)).await
}

/// The links between projects that are with an act of deletion.
pub(super) async fn crossing_gone(db: &dyn Read, deletion: DeletionId) -> Result<Vec<LinkRow>> {
    let which = "WHERE d.deletion_id = :deletion AND d.predecessor_project_id <> d.successor_project_id
         ORDER BY d.id";
    db.all(sql!(format!("{LINK_ROW} {which}"), deletion = deletion)).await
}

/// Marks everything live in a project as taken by an act of deletion, except for its links with other projects.
pub(super) async fn take_contents(
    tx: &mut Tx,
    project: ProjectId,
    deletion: DeletionId,
    numbers: Numbers,
) -> Result<()> {
    for (table, condition) in CONTENTS {
        let mark = format!(
            "UPDATE {table} SET deletion_id = :deletion, change_number = :number
             WHERE {condition} AND deletion_id IS NULL"
        );
        tx.run(sql!(mark, deletion = deletion, number = numbers.of(table), project = project)).await?;
    }
    Ok(())
}

/// Marks some live rows of one table of a project as taken by an act of deletion, links to other projects among them; how
/// many there were.
pub(crate) async fn take_some(
    tx: &mut Tx,
    table: &'static str,
    (project, deletion): (ProjectId, DeletionId),
    most: usize,
) -> Result<u64> {
    let known = CONTENTS.iter().find(|(name, _)| *name == table);
    let condition = match table {
        "dependencies" => "(predecessor_project_id = :project OR successor_project_id = :project)",
        _ => known.map_or("1 = 0", |(_, condition)| *condition),
    };
    let mark = format!(
        "UPDATE {table} SET deletion_id = :deletion WHERE id IN (
            SELECT id FROM {table} WHERE {condition} AND deletion_id IS NULL LIMIT :most)"
    );
    tx.run(sql!(mark, deletion = deletion, project = project, most = most as i64)).await
}

/// Brings back what that act of deletion took, except for links with other projects; those whose other task is still
/// gone are left to what took it.
pub(super) async fn give_contents(
    tx: &mut Tx,
    project: ProjectId,
    deletion: DeletionId,
    numbers: Numbers,
) -> Result<()> {
    dependencies::queries::leave_to_other_deletions(tx, deletion).await?;
    for (table, condition) in CONTENTS {
        let unmark = format!(
            "UPDATE {table} SET deletion_id = NULL, change_number = :number
             WHERE {condition} AND deletion_id = :deletion"
        );
        tx.run(sql!(unmark, deletion = deletion, number = numbers.of(table), project = project)).await?;
    }
    Ok(())
}

/// Marks a project or program itself.
pub(super) async fn take_row(
    tx: &mut Tx,
    (table, id): (&str, Uuid),
    deletion: DeletionId,
    number: i64,
) -> Result<()> {
    let mark = format!(
        "UPDATE {table} SET deletion_id = :deletion, updated_at = :now, server_version = server_version + 1,
            change_number = :number
         WHERE id = :id AND deletion_id IS NULL"
    );
    tx.run(sql!(mark, deletion = deletion, number = number, now = tx.now(), id = id)).await.map(drop)
}

/// Brings a project itself back.
pub(super) async fn give_project(
    tx: &mut Tx,
    project: ProjectId,
    deletion: DeletionId,
    number: i64,
) -> Result<()> {
    let statement = sql!(
        "UPDATE projects SET deletion_id = NULL, updated_at = :now, server_version = server_version + 1,
            change_number = :number
         WHERE id = :id AND deletion_id = :deletion",
        deletion = deletion,
        number = number,
        now = tx.now(),
        id = project,
    );
    tx.run(statement).await.map(drop)
}

/// Notes that an act of deletion was taken back.
pub(crate) async fn close_deletion(tx: &mut Tx, deletion: DeletionId) -> Result<()> {
    let statement =
        sql!("UPDATE deletions SET restored_at = :now WHERE id = :id", now = tx.now(), id = deletion);
    tx.run(statement).await.map(drop)
}

/// The version of a live program.
pub(super) async fn program_version(db: &dyn Read, program: ProgramId) -> Result<Option<i64>> {
    let select = "SELECT server_version FROM programs WHERE id = :id AND deletion_id IS NULL";
    db.scalar(sql!(select, id = program)).await
}

/// The live projects of a program, with their versions.
pub(super) async fn projects_of(db: &dyn Read, program: ProgramId) -> Result<Vec<(ProjectId, i64)>> {
    let select = "SELECT id, server_version FROM projects
         WHERE program_id = :program AND deletion_id IS NULL ORDER BY id";
    db.all(sql!(select, program = program)).await
}

/// Marks the memberships of a program.
pub(super) async fn take_program_members(
    tx: &mut Tx,
    program: ProgramId,
    deletion: DeletionId,
    number: i64,
) -> Result<()> {
    let memberships = "UPDATE program_members SET deletion_id = :deletion, change_number = :number
         WHERE program_id = :program AND deletion_id IS NULL";
    tx.run(sql!(memberships, deletion = deletion, number = number, program = program)).await.map(drop)
}

/// Lets the projects of a program stand alone; those in the trash too, so that they come back without it.
pub(super) async fn detach_projects(tx: &mut Tx, program: ProgramId) -> Result<()> {
    let statement = sql!(
        "UPDATE projects SET program_id = NULL, updated_at = :now, change_counter = change_counter + 1,
            server_version = server_version + 1
         WHERE program_id = :program",
        now = tx.now(),
        program = program,
    );
    tx.run(statement).await.map(drop)
}

/// Numbers the change of one project.
pub(super) async fn number_project(tx: &mut Tx, project: ProjectId) -> Result<()> {
    let number = tx.next_change_number(Some(project.0)).await?;
    let update = "UPDATE projects SET change_number = :number WHERE id = :id";
    tx.run(sql!(update, number = number, id = project)).await.map(drop)
}
