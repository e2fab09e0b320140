//! Everything that time tracking keeps of one person: to hand it over, and to remove it for good.
//! It is for whoever operates the server; no route leads here.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{TaskId, TimeEntryId, UserId};
use planwright_domain::words::TimeEntrySource;
use planwright_store::{Db, Read, Record, Result, Tx, row, sql};
use serde::Serialize;

use crate::timer::TimerRow;
use crate::timesheets::TimesheetRow;

/// What the history calls the rows of time tracking.
const ENTITIES: [&str; 3] = ["time_entry", "timer", "timesheet"];

row! {
    /// Minutes of a person, deleted ones too.
    #[derive(Serialize)]
    pub struct KeptEntry {
        pub id: TimeEntryId,
        pub task: TaskId,
        pub task_name: String,
        pub project_name: String,
        pub minutes: i64,
        pub entry_date: NaiveDate,
        pub note: String,
        pub source: TimeEntrySource,
        pub created_at: DateTime<Utc>,
        pub is_deleted: bool,
    }
}

/// Everything that is kept of a person.
#[derive(Debug, Serialize)]
pub struct KeptTime {
    /// Their minutes, oldest day first.
    pub entries: Vec<KeptEntry>,
    /// Their timer, if it runs.
    pub timer: Option<TimerRow>,
    /// The weeks they have submitted.
    pub timesheets: Vec<TimesheetRow>,
}

/// Reads everything that is kept of a person.
pub async fn of(db: &dyn Read, person: UserId) -> Result<KeptTime> {
    let entries = "SELECT e.id, e.task_id AS task, t.name AS task_name, p.name AS project_name, e.minutes, e.entry_date,
            e.note, e.source, e.created_at, e.deletion_id IS NOT NULL AS is_deleted
         FROM time_entries e JOIN tasks t ON t.id = e.task_id JOIN projects p ON p.id = t.project_id
         WHERE e.user_id = :person ORDER BY e.entry_date, e.id";
    let timer = format!("SELECT {} FROM timers r WHERE r.user_id = :person", TimerRow::select_list("r"));
    let timesheets = format!(
        "SELECT {} FROM timesheets s WHERE s.user_id = :person ORDER BY s.week_start",
        TimesheetRow::select_list("s")
    );
    Ok(KeptTime {
        entries: db.all(sql!(entries, person = person)).await?,
        timer: db.maybe(sql!(timer, person = person)).await?,
        timesheets: db.all(sql!(timesheets, person = person)).await?,
    })
}

/// Removes everything that is kept of a person, with its history; returns how many rows there were.
pub async fn erase(db: &Db, person: UserId) -> Result<u64> {
    let mut tx = db.begin().await?;
    // A timer that is stopped meanwhile would log minutes again.
    tx.lock_rows("users", [person.0]).await?;
    let mut rows = 0;
    rows += tx.run(sql!("DELETE FROM time_entries WHERE user_id = :person", person = person)).await?;
    rows += tx.run(sql!("DELETE FROM timers WHERE user_id = :person", person = person)).await?;
    rows += tx.run(sql!("DELETE FROM timesheets WHERE user_id = :person", person = person)).await?;
    forget(&mut tx, person).await?;
    tx.commit().await?;
    Ok(rows)
}

async fn forget(tx: &mut Tx, person: UserId) -> Result<()> {
    for entity in ENTITIES {
        tx.forget(entity, person).await?;
    }
    Ok(())
}
