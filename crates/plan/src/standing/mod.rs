//! Where projects stand: how much is open, late, at risk and done over the leaves of their plans. Every write of a plan keeps
//! the counts by day, so a read takes one row of each project, however large the plan and whatever day it is.

pub mod bands;
pub mod counts;
mod keeping;
pub mod queries;

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use planwright_domain::ids::ProjectId;
use planwright_store::{Read, Result};

pub use self::counts::Counts;
pub use self::keeping::jobs;
use crate::schedule::network::{date, day};

/// Open work with that much float or less is at risk, in working days.
pub const LITTLE_FLOAT: i32 = 5;
/// A milestone within so many days is near.
const NEAR_DAYS: u64 = 7;

/// What is counted over the leaves of a plan, as of a day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    pub task_count: i64,
    pub open_task_count: i64,
    pub complete_count: i64,
    /// Open tasks whose last day is over.
    pub overdue_count: i64,
    /// Open tasks with little float.
    pub at_risk_count: i64,
    /// Open tasks on the critical path.
    pub critical_count: i64,
    /// Tasks that were to be finished by today.
    pub planned_count: i64,
    pub milestone_count: i64,
    /// Open milestones whose day is over.
    pub overdue_milestone_count: i64,
    /// Open milestones within a week.
    pub near_milestone_count: i64,
    /// The working days of all tasks.
    pub weight: f64,
    /// 0 to 100, weighted by duration; none without work.
    pub percent_complete: Option<f64>,
    /// The last day of the plan.
    pub finish: Option<NaiveDate>,
    /// The last day of the active baseline, tasks included that are gone.
    pub baseline_finish: Option<NaiveDate>,
    /// By how many days the rows that are finished missed what was promised, on average.
    pub mean_days_late: Option<f64>,
}

impl Standing {
    /// What counts say on a day.
    pub fn on(today: NaiveDate, counts: &Counts) -> Self {
        let (now, soon) =
            (day(today).0, day(today.checked_add_days(Days::new(NEAR_DAYS)).unwrap_or(today)).0);
        let weight = counts.duration as f64;
        let overdue_milestones = counts.open_milestones.before(now);
        Self {
            task_count: counts.tasks,
            open_task_count: counts.open,
            complete_count: counts.tasks - counts.open,
            overdue_count: counts.open_tasks.before(now),
            at_risk_count: counts.at_risk,
            critical_count: counts.critical,
            planned_count: counts.promised.before(now + 1),
            milestone_count: counts.milestones,
            overdue_milestone_count: overdue_milestones,
            near_milestone_count: counts.open_milestones.before(soon + 1) - overdue_milestones,
            weight,
            percent_complete: (weight > 0.0).then(|| counts.percent_days / weight),
            finish: counts.finish.and_then(date),
            baseline_finish: counts.baseline_finish.and_then(date),
            mean_days_late: (counts.finished > 0).then(|| counts.days_late as f64 / counts.finished as f64),
        }
    }
}

/// Where several projects stand on a day: by what is kept, or by their rows where nothing is kept that holds.
pub async fn standings(
    db: &dyn Read,
    projects: &[ProjectId],
    today: NaiveDate,
) -> Result<HashMap<ProjectId, Standing>> {
    let mut counts = queries::kept(db, projects).await?;
    let others: Vec<ProjectId> =
        projects.iter().filter(|project| !counts.contains_key(project)).copied().collect();
    if !others.is_empty() {
        counts.extend(queries::counted(db, &others).await?);
    }
    Ok(counts.into_iter().map(|(project, counts)| (project, Standing::on(today, &counts))).collect())
}
