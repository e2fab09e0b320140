//! Every statement that reads or writes links.
//! What a caller reads is tied to their membership, so a link between foreign projects is never found.

use std::collections::{BTreeSet, HashMap, HashSet};

use planwright_domain::ids::{DeletionId, DependencyId, ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::DependencyType;
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, Tx, row, sql};
use planwright_web::Actor;

use super::model::{DependencyFilter, DependencyRow, LinkEnd, NewLink};

/// The select list of a [`DependencyRow`].
pub fn columns() -> String {
    format!("SELECT {}", DependencyRow::select_list("d"))
}

const LIVE: &str = "FROM dependencies d WHERE d.deletion_id IS NULL";

/// The live projects that the caller sees.
pub async fn own_projects(db: &dyn Read, actor: &Actor) -> Result<Vec<ProjectId>> {
    db.scalars(actor.in_visible_projects(sql!("SELECT x.id FROM projects x WHERE TRUE"), "x.id")).await
}

/// The links that a member of these projects sees, narrowed by a filter.
///
/// What is asked for first decides on the index, and the caller's projects come in as values: an index holds all that
/// counting and ordering need, so that no row of another project is looked at.
pub fn visible(own: &[ProjectId], filter: &DependencyFilter) -> Sql {
    let (project, pending) =
        (filter.project.as_given().copied(), filter.pending_for_project.as_given().copied());
    let is_own = |project: Option<ProjectId>| project.is_some_and(|project| own.contains(&project));
    let mut from = sql!(LIVE);
    if !is_own(project) && !is_own(pending) {
        let seen = " AND (d.predecessor_project_id IN (:own)
            OR (d.successor_project_id IN (:own) AND d.predecessor_project_id <> d.successor_project_id))";
        from = from.push(seen).bind("own", list(own.iter().copied()));
    }
    from.when("AND d.predecessor_project_id = :project", "project", project)
        .when(
            "AND d.successor_project_id = :pending AND d.predecessor_project_id <> d.successor_project_id
             AND d.pending_acceptance",
            "pending",
            pending,
        )
        .when("AND d.dep_type = :type", "type", filter.dep_type.as_given().copied())
        .when(
            "AND d.id IN (SELECT x.id FROM dependencies x WHERE x.predecessor_id = :task AND x.deletion_id IS NULL
                UNION ALL SELECT x.id FROM dependencies x WHERE x.successor_id = :task AND x.deletion_id IS NULL)",
            "task",
            filter.task.as_given().copied(),
        )
}

/// A link that was just written.
pub async fn written(tx: &Tx, id: DependencyId) -> Result<DependencyRow> {
    tx.one(sql!(format!("{} FROM dependencies d WHERE d.id = :id", columns()), id = id)).await
}

/// Live tasks as ends of links, with what the caller is where they belong.
pub async fn ends(
    db: &dyn Read,
    me: UserId,
    tasks: impl IntoIterator<Item = TaskId>,
) -> Result<HashMap<TaskId, LinkEnd>> {
    let tasks: HashSet<TaskId> = tasks.into_iter().collect();
    let select = "SELECT t.id, t.name, t.short_id, t.project_id, p.program_id, p.archived_at IS NOT NULL AS archived,
            m.role, g.id IS NOT NULL AS in_program
         FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL
         LEFT JOIN program_members g ON g.program_id = p.program_id AND g.user_id = :me AND g.deletion_id IS NULL
         WHERE t.id IN (:tasks) AND t.deletion_id IS NULL";
    let rows: Vec<LinkEnd> = db.all(sql!(select, me = me, tasks = list(tasks))).await?;
    Ok(rows.into_iter().map(|end| (end.id, end)).collect())
}

row! {
    /// What tells a link from every other live one.
    #[derive(PartialEq, Eq, Hash)]
    pub struct LinkKey {
        pub predecessor_id: TaskId,
        pub successor_id: TaskId,
        pub dep_type: DependencyType,
    }
}

impl From<&NewLink> for LinkKey {
    fn from(link: &NewLink) -> Self {
        Self { predecessor_id: link.predecessor, successor_id: link.successor, dep_type: link.dep_type }
    }
}

/// The live links into these tasks.
pub async fn keys_into(db: &dyn Read, successors: Vec<TaskId>) -> Result<HashSet<LinkKey>> {
    let select = "SELECT predecessor_id, successor_id, dep_type FROM dependencies
         WHERE successor_id IN (:successors) AND deletion_id IS NULL";
    let rows: Vec<LinkKey> = db.all(sql!(select, successors = list(successors))).await?;
    Ok(rows.into_iter().collect())
}

/// The links that hold between rows of projects, as predecessor and successor, without the one that is about to change.
pub async fn holding(
    db: &dyn Read,
    projects: &[ProjectId],
    without: Option<DependencyId>,
) -> Result<Vec<(TaskId, TaskId)>> {
    let select = "SELECT predecessor_id, successor_id FROM dependencies
         WHERE successor_project_id IN (:projects) AND deletion_id IS NULL AND NOT pending_acceptance";
    let select = sql!(select, projects = list(projects.iter().copied()));
    db.all(select.when("AND id <> :without", "without", without)).await
}

row! {
    /// A row on a cycle, and whether the caller may read its project.
    pub struct Named {
        pub id: TaskId,
        pub name: String,
        pub short_id: String,
        pub is_readable: bool,
    }
}

/// The names of rows.
pub async fn names(db: &dyn Read, me: UserId, rows: HashSet<TaskId>) -> Result<HashMap<TaskId, Named>> {
    let select = "SELECT t.id, t.name, t.short_id, (m.id IS NOT NULL OR g.id IS NOT NULL) AS is_readable
         FROM tasks t JOIN projects p ON p.id = t.project_id
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL
         LEFT JOIN program_members g ON g.program_id = p.program_id AND g.user_id = :me AND g.deletion_id IS NULL
         WHERE t.id IN (:rows)";
    let named: Vec<Named> = db.all(sql!(select, me = me, rows = list(rows))).await?;
    Ok(named.into_iter().map(|row| (row.id, row)).collect())
}

/// Marks links as taken by an act of deletion, each stamped with the number of the change in its successor's project.
pub async fn delete(tx: &mut Tx, deletion: DeletionId, links: &[(DependencyId, i64)]) -> Result<()> {
    let statements = links.iter().map(|(id, counter)| {
        sql!(
            "UPDATE dependencies SET deletion_id = :deletion, change_number = :counter,
                server_version = server_version + 1
             WHERE id = :id",
            deletion = deletion,
            counter = *counter,
            id = *id,
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

row! {
    /// A link that goes or comes back with what it ties.
    pub struct LinkRow {
        pub id: DependencyId,
        pub predecessor_id: TaskId,
        pub successor_id: TaskId,
        pub predecessor_project_id: ProjectId,
        pub successor_project_id: ProjectId,
        pub dep_type: DependencyType,
        pub lag: i64,
        pub pending_acceptance: bool,
        pub server_version: i64,
    }
}

/// The select list of a [`LinkRow`].
pub const LINK_ROW: &str =
    "SELECT d.id, d.predecessor_id, d.successor_id, d.predecessor_project_id, d.successor_project_id,
    d.dep_type, d.lag, d.pending_acceptance, d.server_version FROM dependencies d";

impl LinkRow {
    /// The projects of its ends.
    pub fn projects(&self) -> [ProjectId; 2] {
        [self.predecessor_project_id, self.successor_project_id]
    }
}

/// The programs of projects, of deleted ones too.
pub async fn programs_of(
    db: &dyn Read,
    projects: BTreeSet<ProjectId>,
) -> Result<HashMap<ProjectId, Option<ProgramId>>> {
    if projects.is_empty() {
        return Ok(HashMap::new());
    }
    let select = "SELECT id, program_id FROM projects WHERE id IN (:projects)";
    let rows: Vec<(ProjectId, Option<ProgramId>)> = db.all(sql!(select, projects = list(projects))).await?;
    Ok(rows.into_iter().collect())
}

/// Brings links back, each stamped with the number of the change in its successor's project.
pub async fn give(tx: &mut Tx, links: &[(DependencyId, i64)]) -> Result<()> {
    let statements = links.iter().map(|(id, counter)| {
        sql!(
            "UPDATE dependencies SET deletion_id = NULL, change_number = :counter,
                server_version = server_version + 1
             WHERE id = :id",
            counter = *counter,
            id = *id,
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// Before an act of deletion is taken back: leaves those of its links whose other task is still gone to the act that
/// took that task, so that a link is there only while both its tasks are.
pub async fn leave_to_other_deletions(tx: &mut Tx, deletion: DeletionId) -> Result<()> {
    let gone = "FROM tasks t WHERE t.id IN (dependencies.predecessor_id, dependencies.successor_id)
         AND t.deletion_id IS NOT NULL AND t.deletion_id <> :deletion";
    let statement = format!(
        "UPDATE dependencies SET deletion_id = (SELECT t.deletion_id {gone} ORDER BY t.id LIMIT 1)
         WHERE deletion_id = :deletion AND EXISTS (SELECT 1 {gone})"
    );
    tx.run(sql!(statement, deletion = deletion)).await.map(drop)
}
