//! What the projects of a program were to cost, what of it is earned, and what that took, against their active baselines.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, ProjectId};
use planwright_plan::schedule::{calendars, queries as schedule};
use planwright_store::{Read, Result};

use super::queries;
use crate::earned_value::HOURS_PER_DAY;
use crate::earned_value::queries::{TaskRow, costly_tasks};
use crate::earned_value::rules::{Totals, Work, dates, totals};
use crate::working_days::WorkingDays;

/// The totals in money of each project whose active baseline has costs. The number of statements does not depend on how many
/// projects there are; without costs it is one.
pub async fn of_projects(
    db: &impl Read,
    projects: &[ProjectId],
    today: NaiveDate,
) -> Result<HashMap<ProjectId, Totals>> {
    let baselines = queries::costly_baselines(db, projects).await?;
    if baselines.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<BaselineId> = baselines.iter().map(|(_, id, _)| *id).collect();
    let of: Vec<ProjectId> = baselines.iter().map(|(project, ..)| *project).collect();
    let mut tasks: HashMap<ProjectId, Vec<TaskRow>> = HashMap::new();
    for row in costly_tasks(db, &ids).await? {
        tasks.entry(row.project_id).or_default().push(row.task);
    }
    let inputs = schedule::projects(db, &of).await?;
    let calendars = calendars::composed(db, &inputs).await?;
    let mut found = HashMap::new();
    for (project, _, hours) in baselines {
        let hours = hours.unwrap_or(HOURS_PER_DAY);
        let own = tasks.remove(&project).unwrap_or_default();
        let work: Vec<Work> = own.into_iter().map(|row| Work::in_money(row, hours)).collect();
        let status_date = inputs.iter().find(|input| input.id == project).and_then(|input| input.status_date);
        let date = status_date.unwrap_or(today);
        let calendar = calendars.get(&project).cloned().unwrap_or_default();
        let days = WorkingDays::spanning(&calendar, dates(&work).chain([date]));
        found.insert(project, totals(&work, date, &days));
    }
    Ok(found)
}
