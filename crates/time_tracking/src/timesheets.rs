//! `/api/v1/me/timesheets/{week}/submit`: a person marks a week as submitted, and takes the mark off again.
//! The mark locks nothing; minutes of a submitted week can still be changed.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{TimesheetId, UserId};
use planwright_plan::edit::Edit;
use planwright_store::record::OnDelete;
use planwright_store::{Read, Record, Result, record, sql, tracked};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Field, IgnoredBody, Json, NoContent, Path, Routes, says,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::zone::monday;

const SUBMIT: &str = "/api/v1/me/timesheets/{week_start}/submit";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            SUBMIT,
            submit,
            says("Mark the week of a day as submitted. If it is already marked, nothing changes."),
        )
        .delete(SUBMIT, withdraw, says("Remove the mark from the week of a day, if there is one."))
}

record! {
    /// A submitted week as it is stored.
    pub struct TimesheetRow in timesheets {
        #[serde(skip)]
        pub id: TimesheetId,
        #[serde(skip)]
        pub user_id: UserId,
        pub week_start: NaiveDate,
        pub submitted_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    TimesheetRow as "timesheet" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

/// A week that the caller has submitted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Timesheet {
    /// Its Monday.
    pub week_start: NaiveDate,
    pub submitted_at: DateTime<Utc>,
}

/// The mark of a person on the week of that Monday.
pub async fn find(db: &dyn Read, me: UserId, week_start: NaiveDate) -> Result<Option<TimesheetRow>> {
    let select = format!(
        "SELECT {} FROM timesheets s WHERE s.user_id = :me AND s.week_start = :week_start",
        TimesheetRow::select_list("s")
    );
    db.maybe(sql!(select, me = me, week_start = week_start)).await
}

/// The Monday of the week of the day that a path names.
///
/// # Errors
/// 400 when it is no day.
fn week_of(day: &str) -> ApiResult<NaiveDate> {
    let day = NaiveDate::from_json(&day.into());
    day.map(monday)
        .map_err(|_| ApiError::invalid_field("week_start", "Name a day of the week as YYYY-MM-DD."))
}

async fn submit(
    State(app): State<App>,
    actor: Actor,
    Path(day): Path<String>,
    _: IgnoredBody,
) -> ApiResult<Json<Timesheet>> {
    let week_start = week_of(&day)?;
    let mut edit = Edit::locked(&app, &actor).await?;
    let row = match find(&edit, actor.id, week_start).await? {
        Some(row) => row,
        None => {
            let (id, submitted_at) = (edit.mint(), edit.now());
            let row = TimesheetRow { id, user_id: actor.id, week_start, submitted_at, server_version: 1 };
            edit.create(&row).await?;
            row
        }
    };
    edit.commit().await?;
    Ok(Json(Timesheet { week_start, submitted_at: row.submitted_at }))
}

async fn withdraw(State(app): State<App>, actor: Actor, Path(day): Path<String>) -> ApiResult<NoContent> {
    let week_start = week_of(&day)?;
    let mut edit = Edit::locked(&app, &actor).await?;
    if let Some(row) = find(&edit, actor.id, week_start).await? {
        edit.delete(&row).await?;
        edit.commit().await?;
    }
    Ok(NoContent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_day_names_its_week_and_nothing_else_does() {
        assert_eq!(week_of("2026-01-07").unwrap().to_string(), "2026-01-05");
        assert_eq!(
            week_of("0001-01-01").unwrap().to_string(),
            "0001-01-01",
            "the first of all days is a Monday"
        );
        for wrong in ["", "today", "2026-02-30", "2026-1-7", "99999-01-01"] {
            assert!(week_of(wrong).is_err(), "{wrong}");
        }
    }
}
