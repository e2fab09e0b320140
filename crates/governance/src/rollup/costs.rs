//! What the projects of a program were to cost, what of it is earned, and what that took, against their active baselines.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::ProjectId;
use planwright_plan::schedule::{calendars, queries as schedule};
use planwright_store::{Read, Result};

use super::queries;
use crate::earned_value::queries::Grouped;
use crate::earned_value::rules::{Totals, dates, own_calendars, totals};
use crate::earned_value::work::Work;
use crate::earned_value::{ValueUnit, works};
use crate::working_days::WorkingDaysOfTasks;

/// The totals in money of each project whose active baseline has costs. The number of statements does not depend on how many
/// projects there are; without costs it is one.
pub async fn of_projects(
    db: &dyn Read,
    projects: &[ProjectId],
    today: NaiveDate,
) -> Result<HashMap<ProjectId, Totals>> {
    let baselines = queries::costly_baselines(db, projects).await?;
    if baselines.is_empty() {
        return Ok(HashMap::new());
    }
    let of: Vec<ProjectId> = baselines.iter().map(|(project, ..)| *project).collect();
    let works = works(db, &baselines, ValueUnit::Money, Grouped::ByActualDates).await?;
    let inputs = schedule::projects(db, &of).await?;
    let of_tasks = calendars::calendars(db, &own_calendars(works.values().flatten())).await?;
    let calendars = calendars::composed(db, &inputs).await?;
    let of_project = |(project, work): (ProjectId, Vec<Work>)| {
        let status_date = inputs.iter().find(|input| input.id == project).and_then(|input| input.status_date);
        let date = status_date.unwrap_or(today);
        let calendar = calendars.get(&project).cloned().unwrap_or_default();
        let days = WorkingDaysOfTasks::spanning(&calendar, &of_tasks, dates(&work).chain([date]));
        (project, totals(&work, date, &days))
    };
    Ok(works.into_iter().map(of_project).collect())
}
