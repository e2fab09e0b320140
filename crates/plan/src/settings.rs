//! Settings of the plan, put beside the database so that every command finds them.
//! Their names and defaults are listed with all others in the composition root.

use chrono::NaiveDate;
use planwright_store::Tx;

/// How plans are recalculated and simulated.
#[derive(Clone, Copy, Debug)]
pub struct PlanSettings {
    /// Plans up to so many tasks are recalculated within the write; larger ones by a job.
    pub inline_tasks: i64,
    /// Whether an unset status date counts as today.
    pub status_date_is_today: bool,
    /// Runs of a simulation at most, and by default.
    pub most_runs: i64,
    /// Tasks in a simulated project at most.
    pub most_simulated_tasks: i64,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            inline_tasks: 20_000,
            status_date_is_today: false,
            most_runs: 10_000,
            most_simulated_tasks: 100_000,
        }
    }
}

impl PlanSettings {
    /// The settings beside the database of a transaction.
    pub fn of(tx: &Tx) -> Self {
        tx.context::<Self>().copied().unwrap_or_default()
    }

    /// The data date in force.
    pub fn data_date(&self, own: Option<NaiveDate>, today: NaiveDate) -> Option<NaiveDate> {
        own.or_else(|| self.status_date_is_today.then_some(today))
    }
}
