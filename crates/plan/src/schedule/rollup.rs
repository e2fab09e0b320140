//! What a phase shows of the rows below it (decisions, Structure of a plan; facts-scheduling §1.5).
//! Dates and floats come from the engine; this is everything else.

use std::collections::HashMap;

use planwright_domain::ids::{TaskId, UserId};
use planwright_domain::words::{DeliveryMode, TaskStatus};

use super::queries::TaskInput;

/// What is computed for a phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rollup {
    /// The weighted mean of the leaves; none when nothing has weight.
    pub percent: Option<f64>,
    /// What the leaves' statuses amount to.
    pub status: Option<TaskStatus>,
    /// The one assignee that all leaves share.
    pub assignee: Option<UserId>,
    /// The sums over leaves that have all three estimates.
    pub estimate: Option<(i64, i64, i64)>,
}

/// Who stands below whom, by places among the rows of a plan. Drawer subtasks belong to their task and to no phase.
#[derive(Clone, Debug, Default)]
pub struct Family {
    above: Vec<Option<usize>>,
    leaves: HashMap<usize, Vec<usize>>,
}

impl Family {
    /// The family of rows.
    pub fn of(tasks: &[TaskInput]) -> Self {
        let index: HashMap<TaskId, usize> =
            tasks.iter().enumerate().map(|(at, task)| (task.id, at)).collect();
        let structural = |task: &TaskInput| task.parent_id.filter(|_| !task.is_subtask);
        let above: Vec<Option<usize>> = tasks
            .iter()
            .map(|task| structural(task).and_then(|parent| index.get(&parent).copied()))
            .collect();
        let mut is_leaf: Vec<bool> = tasks.iter().map(|task| !task.is_subtask).collect();
        above.iter().flatten().for_each(|parent| is_leaf[*parent] = false);
        let mut family = Self { above, leaves: HashMap::new() };
        for at in (0..tasks.len()).filter(|at| is_leaf[*at]) {
            let above: Vec<usize> = family.above(at).collect();
            above.into_iter().for_each(|parent| family.leaves.entry(parent).or_default().push(at));
        }
        family
    }

    /// The rows above one, nearest first.
    pub fn above(&self, at: usize) -> impl Iterator<Item = usize> {
        // The bound keeps rows that contain each other from turning for ever.
        std::iter::successors(self.above[at], |parent| self.above[*parent]).take(self.above.len())
    }

    /// What a row shows of the leaves below it; none when there are none.
    pub fn roll_up(&self, tasks: &[TaskInput], at: usize) -> Option<Rollup> {
        let leaves: Vec<&TaskInput> = self.leaves.get(&at)?.iter().map(|leaf| &tasks[*leaf]).collect();
        Some(of_leaves(&leaves))
    }
}

fn of_leaves(leaves: &[&TaskInput]) -> Rollup {
    let mut estimates = leaves.iter().filter_map(|leaf| {
        Some((leaf.optimistic_duration?, leaf.most_likely_duration?, leaf.pessimistic_duration?))
    });
    let first = leaves.first().and_then(|leaf| leaf.assignee_id);
    Rollup {
        percent: percent(leaves),
        status: status(leaves),
        assignee: first.filter(|one| leaves.iter().all(|leaf| leaf.assignee_id == Some(*one))),
        estimate: estimates
            .next()
            .map(|first| estimates.fold(first, |sum, next| (sum.0 + next.0, sum.1 + next.1, sum.2 + next.2))),
    }
}

/// Weight and value of a leaf, by the way its work is delivered.
fn weighed(leaf: &TaskInput) -> (f64, f64) {
    let complete = leaf.status == TaskStatus::Complete;
    let duration = leaf.duration as f64;
    match leaf.delivery_mode {
        DeliveryMode::Milestone => (0.0, 0.0),
        DeliveryMode::Kanban => (1.0, if complete { 100.0 } else { 0.0 }),
        DeliveryMode::Waterfall => (duration, leaf.percent_complete),
        DeliveryMode::Scrum => {
            let points = leaf.story_points.filter(|points| *points > 0).map(|points| points as f64);
            let burnt =
                points.zip(leaf.remaining_points).map(|(all, left)| (1.0 - left as f64 / all) * 100.0);
            let value = if complete { 100.0 } else { burnt.unwrap_or(leaf.percent_complete) };
            (points.unwrap_or(duration), value)
        }
    }
}

fn percent(leaves: &[&TaskInput]) -> Option<f64> {
    let (weights, values) = leaves
        .iter()
        .map(|leaf| weighed(leaf))
        .fold((0.0, 0.0), |sum, (weight, value)| (sum.0 + weight, sum.1 + weight * value));
    (weights > 0.0).then(|| (values / weights * 100.0).round() / 100.0)
}

fn status(leaves: &[&TaskInput]) -> Option<TaskStatus> {
    let all = |wanted: &[TaskStatus]| leaves.iter().all(|leaf| wanted.contains(&leaf.status));
    let counted: Vec<_> = leaves.iter().filter(|leaf| leaf.status != TaskStatus::Backlog).collect();
    if leaves.is_empty() {
        return None;
    }
    let open: Vec<_> = counted.iter().filter(|leaf| leaf.status != TaskStatus::Complete).collect();
    Some(match () {
        () if counted.is_empty() => TaskStatus::Backlog,
        () if open.is_empty() => TaskStatus::Complete,
        () if open.iter().all(|leaf| leaf.status == TaskStatus::OnHold) => TaskStatus::OnHold,
        () if all(&[TaskStatus::Backlog, TaskStatus::NotStarted]) => TaskStatus::NotStarted,
        () => TaskStatus::InProgress,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(status: TaskStatus, duration: i64, percent: f64) -> TaskInput {
        TaskInput { status, duration, percent_complete: percent, ..TaskInput::blank() }
    }

    #[test]
    fn percent_is_weighted_by_duration_and_milestones_weigh_nothing() {
        let (a, b) = (leaf(TaskStatus::InProgress, 3, 50.0), leaf(TaskStatus::NotStarted, 1, 0.0));
        let milestone =
            TaskInput { delivery_mode: DeliveryMode::Milestone, ..leaf(TaskStatus::Complete, 0, 100.0) };
        assert_eq!(percent(&[&a, &b, &milestone]), Some(37.5));
        assert_eq!(percent(&[&milestone]), None);
    }

    #[test]
    fn a_drawer_subtask_is_no_leaf_of_the_phase_above_its_task() {
        let id = |number| TaskId(uuid::Uuid::from_u128(number));
        let row = |number, parent: Option<u128>| TaskInput {
            id: id(number),
            parent_id: parent.map(id),
            ..leaf(TaskStatus::InProgress, 4, 50.0)
        };
        let subtask = TaskInput { is_subtask: true, percent_complete: 0.0, ..row(3, Some(2)) };
        let rows = [row(1, None), row(2, Some(1)), subtask];
        let family = Family::of(&rows);
        assert_eq!(family.roll_up(&rows, 0).unwrap().percent, Some(50.0));
        assert_eq!(family.roll_up(&rows, 1), None);
        assert_eq!(family.above(2).count(), 0);
    }

    #[test]
    fn a_phase_is_complete_when_all_that_counts_is_and_begun_as_soon_as_anything_is() {
        let of = |statuses: &[TaskStatus]| {
            let leaves: Vec<_> = statuses.iter().map(|status| leaf(*status, 1, 0.0)).collect();
            status(&leaves.iter().collect::<Vec<_>>()).unwrap()
        };
        use TaskStatus::*;
        assert_eq!(of(&[Complete, Backlog]), Complete);
        assert_eq!(of(&[Backlog, Backlog]), Backlog);
        assert_eq!(of(&[NotStarted, Backlog]), NotStarted);
        assert_eq!(of(&[NotStarted, Complete]), InProgress);
        assert_eq!(of(&[OnHold, Complete]), OnHold);
    }
}
