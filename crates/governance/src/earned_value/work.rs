//! What baselines promised and what became of it, valued in working days or in money. Pure.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::CalendarId;

use super::ValueUnit;
use super::parts::Shared;
use super::queries::{BegunRow, PromisedRow};
use crate::money;

/// What a baseline promised for certain dates, or what became of some of its rows. The budget of all that was promised and what
/// is done of it are in different ones.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub(super) planned_start: Option<NaiveDate>,
    pub(super) planned_finish: Option<NaiveDate>,
    /// The calendar that it has of its own.
    pub(super) calendar: Option<CalendarId>,
    /// What it was to take. Nothing where this is what became of a row.
    pub(super) budget: f64,
    /// What a working day of it takes.
    pub(super) cost_per_day: f64,
    /// What of it is done.
    pub(super) done: f64,
    pub(super) actual_start: Option<NaiveDate>,
    pub(super) actual_finish: Option<NaiveDate>,
}

impl Work {
    /// What was promised for the same dates, with the rates of then.
    pub fn promised(row: &PromisedRow, unit: ValueUnit) -> Self {
        let budget = match unit {
            ValueUnit::WorkingDays => row.duration as f64,
            ValueUnit::Money => money::amount(row.budget.unwrap_or_default()),
        };
        Self {
            planned_start: row.planned_start,
            planned_finish: row.planned_finish,
            calendar: row.calendar_id,
            budget,
            ..Self::default()
        }
    }

    /// What is done on the same dates, with the rates of today.
    pub fn begun(row: &BegunRow, unit: ValueUnit, hours_per_day: f64) -> Self {
        let (worth, cost_per_day) = match unit {
            ValueUnit::WorkingDays => (1.0, row.cost),
            ValueUnit::Money => (money::amount(1), a_day(row.cost, hours_per_day)),
        };
        Self {
            planned_start: row.planned_start,
            calendar: row.calendar_id,
            cost_per_day,
            done: row.percent_budget * worth / 100.0,
            actual_start: row.actual_start,
            actual_finish: end_of_work(row.actual_finish, row.deleted_at),
            ..Self::default()
        }
    }

    /// What is done of a row or of a part of one, in working days or in money.
    pub fn alone((row, share): Shared, unit: ValueUnit, hours_per_day: f64) -> Self {
        let (budget, cost_per_day) = match unit {
            ValueUnit::WorkingDays => (row.planned_duration as f64, 1.0),
            ValueUnit::Money => {
                let hourly = row.hourly_cost.unwrap_or_default() as f64;
                (money::amount(row.budget.unwrap_or_default()), a_day(hourly, hours_per_day))
            }
        };
        Self {
            planned_start: row.planned_start,
            calendar: row.calendar_id,
            cost_per_day,
            done: budget * share * row.percent_complete / 100.0,
            actual_start: row.actual_start,
            actual_finish: end_of_work(row.actual_finish, row.deleted_at),
            ..Self::default()
        }
    }
}

/// What a day costs where an hour costs so many ten thousandths.
fn a_day(hourly: f64, hours_per_day: f64) -> f64 {
    hourly * hours_per_day * money::amount(1) / 100.0
}

/// The last day on which somebody worked on a row: nobody works on one that was deleted.
fn end_of_work(actual_finish: Option<NaiveDate>, deleted_at: Option<DateTime<Utc>>) -> Option<NaiveDate> {
    let deleted = deleted_at.map(|at| at.date_naive());
    actual_finish.into_iter().chain(deleted).min()
}
