//! How likely each milestone is met: its deadline, or the date that the schedule without chance gives it.
//! The runs are the engine's; it counts those that keep a deadline.

use chrono::NaiveDate;
use planwright_domain::ids::TaskId;
use planwright_engine::{Progress, Schedule, Simulation};
use planwright_plan::schedule::network::{Plan, date};
use planwright_store::Read;
use planwright_web::ApiResult;

use super::answer::rounded;
use super::model::MilestoneChance;
use super::queries;

/// More milestones than this are not answered.
const MOST: usize = 1_000;

/// The date that a milestone is held against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    node: usize,
    date: NaiveDate,
    is_deadline: bool,
}

/// The milestones of the first project that are still to come, the earliest first. Those without a deadline get the date
/// without chance as one, so that the engine counts the runs that keep it.
pub(super) fn compared(plan: &mut Plan, schedule: &Schedule) -> Vec<Compared> {
    let mut found = Vec::new();
    for node in 0..plan.of_node.len() {
        let row = &mut plan.network.tasks[node];
        let Some(dates) = schedule.tasks[node].filter(|dates| dates.progress != Progress::Complete) else {
            continue;
        };
        if row.project != 0 || !plan.tasks[plan.of_node[node]].is_milestone {
            continue;
        }
        let is_deadline = row.deadline.is_some();
        let day = *row.deadline.get_or_insert(dates.early_finish);
        found.extend(date(day.0).map(|date| Compared { node, date, is_deadline }));
    }
    found.sort_by_key(|milestone| (milestone.date, milestone.node));
    found.truncate(MOST);
    found
}

/// How likely each is met; summaries and rows that were left out have no chance to tell.
pub(super) fn chances(plan: &Plan, dates: Vec<Compared>, simulation: &Simulation) -> Vec<MilestoneChance> {
    let chance = |Compared { node, date, is_deadline }: Compared| {
        let share = simulation.tasks[node].as_ref()?.deadline_met?;
        let (task_id, name) = (plan.tasks[plan.of_node[node]].id, String::new());
        Some(MilestoneChance { task_id, name, date, is_deadline, confidence: rounded(share * 100.0) })
    };
    dates.into_iter().filter_map(chance).collect()
}

/// The same with their names.
pub(super) async fn named(db: &dyn Read, chances: Vec<MilestoneChance>) -> ApiResult<Vec<MilestoneChance>> {
    let ids: Vec<TaskId> = chances.iter().map(|milestone| milestone.task_id).collect();
    let mut names = queries::names(db, &ids).await?;
    let name = |milestone: MilestoneChance| MilestoneChance {
        name: names.remove(&milestone.task_id).unwrap_or_default(),
        ..milestone
    };
    Ok(chances.into_iter().map(name).collect())
}
