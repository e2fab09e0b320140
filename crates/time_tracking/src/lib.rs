//! Time tracking: the minutes that people log on tasks, one running timer each, and the weeks they submit.
//! Whatever is kept here belongs to one person, and no read shows it to anybody else.

pub mod entries;
mod owner;
pub mod personal_data;
pub mod timer;
pub mod timesheets;
mod zone;

use planwright_web::Routes;

/// The routes of time tracking.
pub fn routes() -> Routes {
    Routes::new().and(entries::routes()).and(timer::routes()).and(timesheets::table())
}

/// How far back time is logged, and how long a timer may run.
#[derive(Clone, Copy, Debug)]
pub struct TimeSettings {
    /// For so many days before today time may be logged.
    pub backdate_days: i64,
    /// After so many minutes a timer counts as forgotten, and it logs no more of them.
    pub timer_minutes: i64,
}
