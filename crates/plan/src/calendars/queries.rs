//! Every statement about calendars and their exceptions.
//! Deciding what may be written is in `rules.rs` and with the holder of a [`LibraryEditor`].

use std::collections::HashMap;

use planwright_domain::ids::{CalendarId, ExceptionId, UserId};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use uuid::Uuid;

use super::LibraryEditor;
use super::model::{CalendarRow, ExceptionRow};
use crate::schedule::network::day;

/// The columns of a calendar.
pub const COLUMNS: &str =
    "SELECT c.id, c.name, c.working_days, c.hours_per_day, c.timezone, c.server_version";

/// The calendars of the library whose name contains the text.
pub fn live(db: &impl Read, search: Option<&str>) -> Sql {
    let condition = format!("AND {}", planwright_store::dialect::contains(db.engine(), "c.name", "search"));
    sql!("FROM calendars c WHERE c.deletion_id IS NULL").when(
        &condition,
        "search",
        search.map(planwright_store::dialect::pattern),
    )
}

/// One calendar.
pub async fn find(db: &impl Read, id: CalendarId) -> Result<Option<CalendarRow>> {
    let from = "FROM calendars c WHERE c.deletion_id IS NULL AND c.id = :id";
    db.maybe(sql!(format!("{COLUMNS} {from}"), id = id)).await
}

/// One calendar, held until the transaction ends: it cannot be deleted while somebody begins to use it, nor the reverse.
pub async fn find_held(tx: &Tx, id: CalendarId) -> Result<Option<CalendarRow>> {
    let from = "FROM calendars c WHERE c.deletion_id IS NULL AND c.id = :id";
    tx.maybe(sql!(format!("{COLUMNS} {from} {}", tx.engine().in_turn()), id = id)).await
}

/// The exceptions of several calendars, in order of their first day.
pub async fn exceptions_of(
    db: &impl Read,
    calendars: impl IntoIterator<Item = CalendarId>,
) -> Result<HashMap<CalendarId, Vec<ExceptionRow>>> {
    let select = "SELECT id, calendar_id, exc_start, exc_end, description, working FROM calendar_exceptions
                  WHERE calendar_id IN (:calendars) ORDER BY exc_start, id";
    let rows: Vec<ExceptionRow> = db.all(sql!(select, calendars = list(calendars))).await?;
    let mut by_calendar: HashMap<CalendarId, Vec<ExceptionRow>> = HashMap::new();
    for row in rows {
        by_calendar.entry(row.calendar_id).or_default().push(row);
    }
    Ok(by_calendar)
}

/// One exception of a calendar.
pub async fn find_exception(
    db: &impl Read,
    calendar: CalendarId,
    id: ExceptionId,
) -> Result<Option<ExceptionRow>> {
    let select = "SELECT id, calendar_id, exc_start, exc_end, description, working FROM calendar_exceptions
                  WHERE calendar_id = :calendar AND id = :id";
    db.maybe(sql!(select, calendar = calendar, id = id)).await
}

/// The calendars as the engine wants them.
pub async fn for_engine(
    db: &impl Read,
    calendars: &[CalendarId],
) -> Result<Vec<(CalendarId, planwright_engine::Calendar)>> {
    let select = format!("{COLUMNS} FROM calendars c WHERE c.id IN (:ids) ORDER BY c.id");
    let rows: Vec<CalendarRow> = db.all(sql!(select, ids = list(calendars.iter().copied()))).await?;
    let mut exceptions = exceptions_of(db, rows.iter().map(|row| row.id)).await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let own = exceptions.remove(&row.id).unwrap_or_default();
            let exceptions = own.into_iter().map(|exception| planwright_engine::CalendarException {
                first: day(exception.exc_start),
                last: day(exception.exc_end),
                working: exception.working,
            });
            let working_weekdays = u8::try_from(row.working_days).unwrap_or_default();
            (row.id, planwright_engine::Calendar { working_weekdays, exceptions: exceptions.collect() })
        })
        .collect())
}

/// Adds a calendar to the library.
pub async fn insert(tx: &mut Tx, _: &LibraryEditor, row: &CalendarRow) -> Result<()> {
    let statement = sql!(
        "INSERT INTO calendars (id, name, working_days, hours_per_day, timezone, created_at, server_version)
         VALUES (:id, :name, :working_days, :hours, :timezone, :now, 1)",
        id = row.id,
        name = &row.name,
        working_days = row.working_days,
        hours = row.hours_per_day,
        timezone = &row.timezone,
        now = tx.now(),
    );
    tx.run(statement).await.map(drop)
}

/// Writes the fields of a calendar and raises its version.
pub async fn update(tx: &mut Tx, _: &LibraryEditor, row: &CalendarRow) -> Result<()> {
    tx.run(sql!(
        "UPDATE calendars SET name = :name, working_days = :working_days, hours_per_day = :hours,
            timezone = :timezone, server_version = server_version + 1 WHERE id = :id",
        name = &row.name,
        working_days = row.working_days,
        hours = row.hours_per_day,
        timezone = &row.timezone,
        id = row.id,
    ))
    .await
    .map(drop)
}

/// Takes a calendar out of the library.
pub async fn delete(tx: &mut Tx, editor: &LibraryEditor, id: CalendarId) -> Result<()> {
    let deletion = tx.begin_deletion("calendar", id, Some(editor.actor.id), None).await?;
    let mark =
        "UPDATE calendars SET deletion_id = :deletion, server_version = server_version + 1 WHERE id = :id";
    tx.run(sql!(mark, deletion = deletion, id = id)).await.map(drop)
}

row! {
    /// Something that uses a calendar.
    pub struct Use {
        /// `project`, `program`, `workspace` or `resource`.
        pub kind: String,
        /// Which one.
        pub id: Option<Uuid>,
        /// Its name.
        pub name: String,
        /// Whether the person who asks may know of it.
        pub is_known: bool,
    }
}

/// Everything live that uses a calendar, and of each whether the person may know of it.
pub async fn uses(db: &impl Read, id: CalendarId, person: UserId) -> Result<Vec<Use>> {
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

/// Adds an exception and raises the version of its calendar.
pub async fn insert_exception(tx: &mut Tx, _: &LibraryEditor, row: &ExceptionRow) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO calendar_exceptions (id, calendar_id, exc_start, exc_end, description, working)
         VALUES (:id, :calendar, :start, :end, :description, :working)",
        id = row.id,
        calendar = row.calendar_id,
        start = row.exc_start,
        end = row.exc_end,
        description = &row.description,
        working = row.working,
    ))
    .await?;
    touch(tx, row.calendar_id).await
}

/// Writes the fields of an exception and raises the version of its calendar.
pub async fn update_exception(tx: &mut Tx, _: &LibraryEditor, row: &ExceptionRow) -> Result<()> {
    tx.run(sql!(
        "UPDATE calendar_exceptions SET exc_start = :start, exc_end = :end, description = :description,
            working = :working WHERE id = :id",
        start = row.exc_start,
        end = row.exc_end,
        description = &row.description,
        working = row.working,
        id = row.id,
    ))
    .await?;
    touch(tx, row.calendar_id).await
}

/// Removes an exception and raises the version of its calendar.
pub async fn delete_exception(tx: &mut Tx, _: &LibraryEditor, row: &ExceptionRow) -> Result<()> {
    tx.run(sql!("DELETE FROM calendar_exceptions WHERE id = :id", id = row.id)).await?;
    touch(tx, row.calendar_id).await
}

async fn touch(tx: &mut Tx, calendar: CalendarId) -> Result<()> {
    let raise = "UPDATE calendars SET server_version = server_version + 1 WHERE id = :id";
    tx.run(sql!(raise, id = calendar)).await.map(drop)
}
