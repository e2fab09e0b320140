//! Statements about what imports share with everybody: calendars and resources.
//! Rows that are there already are read and never changed.

use planwright_domain::ids::{CalendarId, DeletionId, ResourceId, UserId};
use planwright_domain::words::ResourceKind;
use planwright_store::record::{Record, column};
use planwright_store::{Read, Result, Tx, row, sql};

use crate::calendars::model::{CalendarRow, ExceptionRow};
use crate::import::ids::Ids;
use crate::import::model::ImportedException;
use crate::import::queries::skills;

row! {
    /// A resource as an import compares and writes it.
    pub(in crate::import) struct ResourceRow {
        pub(in crate::import) id: ResourceId,
        pub(in crate::import) name: String,
        pub(in crate::import) email: String,
        pub(in crate::import) job_role: String,
        pub(in crate::import) max_units: i64,
        pub(in crate::import) calendar_id: Option<CalendarId>,
        pub(in crate::import) kind: ResourceKind,
        pub(in crate::import) hourly_rate: Option<i64>,
    }
}

/// Every live calendar with its exceptions, the oldest first.
pub(in crate::import) async fn calendars(db: &dyn Read) -> Result<Vec<(CalendarRow, Vec<ExceptionRow>)>> {
    let columns = CalendarRow::select_list("c");
    let select =
        format!("SELECT {columns} FROM calendars c WHERE c.deletion_id IS NULL ORDER BY c.created_at, c.id");
    let rows: Vec<CalendarRow> = db.all(sql!(select)).await?;
    let columns = ExceptionRow::select_list("e");
    let select = format!(
        "SELECT {columns} FROM calendar_exceptions e JOIN calendars c ON c.id = e.calendar_id
         WHERE c.deletion_id IS NULL ORDER BY e.exc_start, e.id"
    );
    let mut by_calendar: std::collections::HashMap<CalendarId, Vec<ExceptionRow>> = Default::default();
    for exception in db.all::<ExceptionRow>(sql!(select)).await? {
        by_calendar.entry(exception.calendar_id).or_default().push(exception);
    }
    let with_exceptions = |row: CalendarRow| {
        let exceptions = by_calendar.remove(&row.id).unwrap_or_default();
        (row, exceptions)
    };
    Ok(rows.into_iter().map(with_exceptions).collect())
}

/// The calendar that whoever has none inherits from the workspace.
pub(in crate::import) async fn workspace_calendar(db: &dyn Read) -> Result<Option<CalendarId>> {
    let found: Option<Option<CalendarId>> =
        db.scalar(sql!("SELECT calendar_id FROM workspace WHERE id = 1")).await?;
    Ok(found.flatten())
}

/// Locks the workspace until the transaction ends, so that no two imports add to its library at one time.
pub(in crate::import) async fn lock(tx: &Tx) -> Result<()> {
    let select = format!("SELECT id FROM workspace WHERE id = 1 {}", tx.engine().row_lock());
    tx.rows(sql!(select)).await.map(drop)
}

/// Adds calendars to the library.
pub(in crate::import) async fn insert_calendars(
    tx: &mut Tx,
    ids: &mut Ids,
    hidden: Option<DeletionId>,
    calendars: &[(CalendarRow, Vec<ImportedException>)],
) -> Result<()> {
    let number = column("change_number", tx.next_change_number(None).await?);
    let mut more = number.clone();
    more.extend(column("deletion_id", hidden));
    let rows: Vec<CalendarRow> = calendars.iter().map(|(row, _)| row.clone()).collect();
    tx.insert_each(rows.iter().map(|row| (row, more.clone())).collect()).await?;
    let exceptions =
        calendars.iter().flat_map(|(row, exceptions)| exceptions.iter().map(|one| (row.id, one)));
    let rows: Vec<ExceptionRow> = exceptions
        .map(|(calendar_id, exception)| ExceptionRow {
            id: ids.next(),
            calendar_id,
            exc_start: exception.start,
            exc_end: exception.end,
            description: exception.description.clone(),
            working: exception.working,
            server_version: 1,
        })
        .collect();
    tx.insert_each(rows.iter().map(|row| (row, number.clone())).collect()).await
}

/// Every live resource, the oldest first.
pub(in crate::import) async fn resources(db: &dyn Read) -> Result<Vec<ResourceRow>> {
    db.all(sql!(
        "SELECT id, name, email, job_role, max_units, calendar_id, kind, hourly_rate FROM resources
         WHERE deletion_id IS NULL ORDER BY created_at, id"
    ))
    .await
}

/// Adds resources to the catalogue.
pub(in crate::import) async fn insert_resources(
    tx: &mut Tx,
    hidden: Option<DeletionId>,
    resources: &[(ResourceRow, Option<UserId>)],
) -> Result<()> {
    let now = tx.now();
    let rows = resources.iter().map(|(row, user)| {
        sql!(
            "INSERT INTO resources (id, name, email, job_role, max_units, calendar_id, kind, hourly_rate, user_id,
                created_at, server_version, deletion_id)
             VALUES (:id, :name, :email, :job_role, :max_units, :calendar, :kind, :rate, :user, :now, 1, :hidden)",
            id = row.id,
            name = &row.name,
            email = &row.email,
            job_role = &row.job_role,
            max_units = row.max_units,
            calendar = row.calendar_id,
            kind = row.kind,
            rate = row.hourly_rate,
            user = *user,
            hidden = hidden,
            now = now,
        )
    });
    tx.run_each(rows.collect()).await.map(drop)
}

/// Shows the calendars, resources and skills that an act of deletion hid.
pub(in crate::import) async fn unhide(tx: &mut Tx, act: DeletionId) -> Result<()> {
    let number = tx.next_change_number(None).await?;
    for table in ["calendars", "resources"] {
        let update = format!(
            "UPDATE {table} SET deletion_id = NULL, change_number = :number WHERE deletion_id = :act"
        );
        tx.run(sql!(update, act = act, number = number)).await?;
    }
    skills::unhide(tx, act, number).await
}
