//! Every statement about calendars and their exceptions.
//! Single rows are read and written through [`crate::edit`].

use std::collections::HashMap;

use planwright_domain::Role;
use planwright_domain::ids::{CalendarId, ProjectId, UserId};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, Tx, row, sql};
use uuid::Uuid;

use super::model::{Calendar, CalendarRow, ExceptionRow};

/// The highest rank that somebody has in a live project; 0 without any.
pub async fn highest_rank(db: &dyn Read, user: UserId) -> Result<i64> {
    let select =
        "SELECT COALESCE(MAX(m.role), 0) FROM project_members m JOIN projects p ON p.id = m.project_id
         WHERE m.user_id = :user AND m.deletion_id IS NULL AND p.deletion_id IS NULL";
    db.count(sql!(select, user = user)).await
}

/// The calendars of the library whose name contains the text.
pub fn live(db: &dyn Read, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", planwright_store::dialect::contains(db.engine(), "c.name", "search"));
    sql!("FROM calendars c WHERE c.deletion_id IS NULL").when(
        &condition,
        "search",
        search.map(planwright_store::dialect::pattern),
    )
}

/// The exceptions of several calendars, in order of their first day.
pub async fn exceptions_of(
    db: &dyn Read,
    calendars: impl IntoIterator<Item = CalendarId>,
) -> Result<HashMap<CalendarId, Vec<ExceptionRow>>> {
    let columns = ExceptionRow::select_list("e");
    let select = format!(
        "SELECT {columns} FROM calendar_exceptions e
         WHERE e.calendar_id IN (:calendars) ORDER BY e.exc_start, e.id"
    );
    let rows: Vec<ExceptionRow> = db.all(sql!(select, calendars = list(calendars))).await?;
    let mut by_calendar: HashMap<CalendarId, Vec<ExceptionRow>> = HashMap::new();
    for row in rows {
        by_calendar.entry(row.calendar_id).or_default().push(row);
    }
    Ok(by_calendar)
}

/// Several live calendars with their exceptions.
pub async fn all_with_exceptions(
    db: &dyn Read,
    calendars: impl IntoIterator<Item = CalendarId>,
) -> Result<HashMap<CalendarId, Calendar>> {
    let columns = CalendarRow::select_list("c");
    let select = format!("SELECT {columns} FROM calendars c WHERE c.id IN (:ids) AND c.deletion_id IS NULL");
    let rows: Vec<CalendarRow> = db.all(sql!(select, ids = list(calendars))).await?;
    let mut exceptions = exceptions_of(db, rows.iter().map(|row| row.id)).await?;
    let whole = |row: CalendarRow| {
        let own = exceptions.remove(&row.id).unwrap_or_default();
        (row.id, Calendar::of(row, own))
    };
    Ok(rows.into_iter().map(whole).collect())
}

/// Has a project work on another calendar, or on the one that it inherits.
pub async fn write_base(
    tx: &mut Tx,
    project: ProjectId,
    base: Option<CalendarId>,
    number: i64,
) -> Result<()> {
    let write = "UPDATE projects SET calendar_id = :base, server_version = server_version + 1,
            change_number = :number WHERE id = :project";
    tx.run(sql!(write, base = base, number = number, project = project)).await.map(drop)
}

row! {
    /// Something that uses a calendar.
    pub struct Use {
        /// `project`, `overlay`, `tasks` of a project, `program`, `workspace` or `resource`.
        pub kind: String,
        /// The id.
        pub id: Option<Uuid>,
        /// Its name.
        pub name: String,
        /// Whether the person who asks may know of it.
        pub is_known: bool,
    }
}

/// How many of these projects somebody manages.
pub async fn count_managed(db: &dyn Read, person: UserId, projects: &[ProjectId]) -> Result<i64> {
    db.count(sql!(
        "SELECT COUNT(*) FROM project_members m WHERE m.project_id IN (:projects) AND m.user_id = :person
           AND m.role >= :manager AND m.deletion_id IS NULL",
        projects = list(projects.iter().copied()),
        person = person,
        manager = Role::ProjectManager
    ))
    .await
}

/// Everything live that uses a calendar, and of each whether the person may know of it.
pub async fn uses(db: &dyn Read, id: CalendarId, person: UserId) -> Result<Vec<Use>> {
    db.all(sql!(
        "SELECT 'project' AS kind, p.id, p.name, m.id IS NOT NULL AS is_known FROM projects p
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = :person AND m.deletion_id IS NULL
         WHERE p.calendar_id = :id AND p.deletion_id IS NULL
         UNION ALL
         SELECT 'overlay' AS kind, p.id, p.name, m.id IS NOT NULL AS is_known FROM project_calendar_layers l
         JOIN projects p ON p.id = l.project_id AND p.deletion_id IS NULL
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = :person AND m.deletion_id IS NULL
         WHERE l.calendar_id = :id
         UNION ALL
         SELECT 'tasks' AS kind, p.id, p.name, m.id IS NOT NULL AS is_known FROM projects p
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = :person AND m.deletion_id IS NULL
         WHERE p.deletion_id IS NULL AND p.id IN
            (SELECT t.project_id FROM tasks t WHERE t.calendar_id = :id AND t.deletion_id IS NULL)
         UNION ALL
         SELECT 'program' AS kind, g.id, g.name, m.id IS NOT NULL AS is_known FROM programs g
         LEFT JOIN program_members m ON m.program_id = g.id AND m.user_id = :person AND m.deletion_id IS NULL
         WHERE g.calendar_id = :id AND g.deletion_id IS NULL
         UNION ALL
         SELECT 'resource' AS kind, id, name, TRUE AS is_known FROM resources
         WHERE calendar_id = :id AND deletion_id IS NULL
         UNION ALL
         SELECT 'workspace' AS kind, CAST(NULL AS UUID) AS id, name, TRUE AS is_known FROM workspace
         WHERE calendar_id = :id",
        person = person,
        id = id
    ))
    .await
}
