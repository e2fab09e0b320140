//! A window of a person's minutes with what it adds up to; what days are theirs follows from their time zone.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::UserId;
use planwright_store::{Read, Result};

use super::model::{TimeWeek, WeekSubmission};
use super::queries;
use super::rules::{self, Loggable};
use crate::{TimeSettings, timesheets, zone};

/// The days for which a person may log time at an instant.
pub async fn loggable(
    db: &dyn Read,
    me: UserId,
    now: DateTime<Utc>,
    settings: &TimeSettings,
) -> Result<Loggable> {
    let today = zone::day(now, zone::of_person(db, me).await?);
    Ok(Loggable { today, backdate_days: settings.backdate_days })
}

/// A person's minutes from one day to another.
pub async fn of(
    db: &dyn Read,
    me: UserId,
    (from, to): (NaiveDate, NaiveDate),
    today: NaiveDate,
) -> Result<TimeWeek> {
    let results = queries::within(db, me, from, to).await?;
    let week_start = zone::monday(from);
    let submitted_at = timesheets::find(db, me, week_start).await?.map(|row| row.submitted_at);
    let submission = WeekSubmission { week_start, submitted: submitted_at.is_some(), submitted_at };
    Ok(TimeWeek { totals: rules::totals(&results, today), results, submission })
}
