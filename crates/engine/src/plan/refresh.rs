//! Updates an existing schedule after edits, row by row. The result is the same as that of
//! [`CompiledPlan::schedule`].

use crate::engine::critical_path;
use crate::report::{conflicts_of_summary, gather, project_dates};
use crate::schedule::Schedule;

use super::{Changes, CompiledPlan};

impl CompiledPlan {
    /// Brings a schedule that this plan gave before some edits up to date, at the price of the rows that
    /// they reached and of one look at links and critical rows; then it equals [`CompiledPlan::schedule`].
    pub fn refresh(&self, schedule: &mut Schedule, changes: &Changes) {
        let (network, compiled) = (&self.network, &self.compiled);
        let is_same_size =
            schedule.tasks.len() == network.tasks.len() && schedule.links.len() == network.links.len();
        if changes.rebuilt || !is_same_size {
            *schedule = self.schedule();
            return;
        }
        let results = self.state.results(network, compiled);
        // What a date holds against logic may be pushed harder without moving.
        let held =
            self.state.inputs.caps.iter().map(|(node, _)| compiled.nodes[*node as usize].task as usize);
        let held: Vec<usize> = held.filter(|task| changes.tasks.binary_search(task).is_err()).collect();
        schedule.conflicts.retain(|conflict| {
            changes.tasks.binary_search(&conflict.task).is_err() && !held.contains(&conflict.task)
        });
        for task in held {
            if let Some(dates) = schedule.tasks[task] {
                schedule.conflicts.extend(results.conflicts(compiled.node_of[task] as usize, &dates));
            }
        }
        for task in &changes.tasks {
            schedule.tasks[*task] = match compiled.node_of[*task] {
                u32::MAX => gather(&results, *task).inspect(|dates| {
                    schedule.conflicts.extend(conflicts_of_summary(network, compiled, *task, dates));
                }),
                node => {
                    let dates = results.leaf(node as usize);
                    schedule.conflicts.extend(results.conflicts(node as usize, &dates));
                    Some(dates)
                }
            };
        }
        schedule.conflicts.sort_by_key(|conflict| conflict.task);
        schedule.faults = results.faults();
        schedule.links = results.links();
        schedule.projects = project_dates(network, compiled, &schedule.tasks);
        schedule.start = schedule.projects.iter().filter_map(|project| project.start).min();
        schedule.finish = schedule.projects.iter().filter_map(|project| project.finish).max();
        schedule.critical_path = critical_path(network, compiled, &schedule.tasks);
    }
}
