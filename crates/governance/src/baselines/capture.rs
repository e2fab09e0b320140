//! Captures a baseline: its name, the calendar in force, and every task with its dates. Everything is one transaction.

use planwright_domain::ids::BaselineId;
use planwright_plan::baseline_budgets;
use planwright_plan::baseline_events::StoredBaseline;
use planwright_plan::edit::Edit;
use planwright_plan::schedule::network::date;
use planwright_plan::schedule::queries::project;
use planwright_plan::schedule::queued;
use planwright_web::{ApiError, ApiResult};

use super::model::{BaselineRow, CountedRow, KeptRow};
use super::queries::{self, CurrentRow};
use crate::money;

/// How many baselines a project may have.
const MOST: usize = 200;
/// The working days and hours of a project without a calendar.
const MONDAY_TO_FRIDAY: (i64, f64) = (0b001_1111, 8.0);

/// Captures the plan of the project as it is now, under this name or under the next that is free.
///
/// # Errors
/// 400 when another baseline has the name, or there are too many. 409 while the dates of a large plan are recalculated.
pub async fn capture(edit: &mut Edit, name: &str, is_active: bool) -> ApiResult<CountedRow> {
    let of = edit.project()?;
    let (names, ever) = queries::names(edit, of).await?;
    if names.len() >= MOST {
        return Err(ApiError::bad_request(format!("A project has at most {MOST} baselines.")));
    }
    if queued::is_behind(edit, of).await? {
        let detail = "The dates are being recalculated. Capture the baseline when that is done.";
        return Err(ApiError::conflict(detail).with_code("recalculation_pending"));
    }
    let calendar_id = project(edit, of).await?.calendar_id;
    let calendar = match calendar_id {
        Some(id) => queries::calendar(edit, id).await?,
        None => Some(MONDAY_TO_FRIDAY),
    };
    let (id, hours) = (edit.mint(), calendar.map_or(MONDAY_TO_FRIDAY.1, |(_, hours)| hours));
    let current = queries::current(edit, of, None).await?;
    let rows: Vec<KeptRow> = current.into_iter().map(|task| kept(id, task, hours)).collect();
    let row = BaselineRow {
        id,
        project_id: of,
        name: named(name, &names, ever)?,
        is_active,
        created_by: Some(edit.grant.actor.id),
        created_at: edit.now(),
        calendar_id,
        working_days: calendar.map(|(days, _)| days),
        hours_per_day: calendar.map(|(_, hours)| hours),
        budget: rows.iter().filter_map(|row| row.budget).reduce(|sum, one| sum + one),
        server_version: 1,
    };
    edit.create(&row).await?;
    queries::keep(edit, &rows).await?;
    edit.run(baseline_budgets::add_up(id)).await?;
    let counted = queries::counted(edit, row.id).await?;
    tell(edit, &counted).await?;
    Ok(counted)
}

/// What a baseline keeps of a task.
fn kept(baseline: BaselineId, task: CurrentRow, hours_per_day: f64) -> KeptRow {
    let budget = |hourly| money::of_hours(hourly, task.duration as f64 * hours_per_day);
    KeptRow {
        baseline_id: baseline,
        task_id: task.id,
        task_name: Some(task.name),
        start_date: task.start_day.and_then(date),
        finish_date: task.finish_day.and_then(date),
        duration: Some(task.duration),
        story_points: task.story_points,
        actual_start: task.actual_start,
        actual_finish: task.actual_finish,
        budget: task.hourly_cost.map(budget),
        is_leaf: Some(task.is_leaf),
    }
}

/// The name of a new baseline: the wanted one, or the next number.
fn named(wanted: &str, names: &[String], ever: i64) -> ApiResult<String> {
    let is_taken = |name: &str| names.iter().any(|known| known == name);
    match wanted {
        "" => {
            let mut numbers = (ever + 1..).map(|number| format!("Baseline {number}"));
            numbers.find(|name| !is_taken(name)).ok_or_else(|| ApiError::bad_request("No name is free."))
        }
        name if is_taken(name) => {
            Err(ApiError::invalid_field("name", "A baseline of this name exists in the project."))
        }
        name => Ok(name.to_owned()),
    }
}

async fn tell(edit: &mut Edit, counted: &CountedRow) -> ApiResult<()> {
    let row = &counted.baseline;
    let stored = StoredBaseline {
        id: row.id,
        name: &row.name,
        task_count: counted.task_count,
        is_dated: counted.undated_count == 0,
        created_by: row.created_by,
        source: &edit.grant.actor.source,
    };
    let told = stored.captured(edit.project()?, edit.grant.place.program);
    Ok(edit.emit_each(vec![told]).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_without_a_name_gets_the_next_free_number() {
        let names = ["Baseline 3".to_owned(), "Promise".to_owned()];
        assert_eq!(named("", &names, 2).unwrap(), "Baseline 4");
        assert_eq!(named("", &[], 0).unwrap(), "Baseline 1");
        assert_eq!(named("Board", &names, 2).unwrap(), "Board");
        assert!(named("Promise", &names, 2).is_err());
    }
}
