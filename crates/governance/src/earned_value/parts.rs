//! Rows of a baseline that were split since: each split took a share of what was promised along, which stays as it was then.
//! Pure decisions.

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::TaskId;

use super::queries::{PartRow, TaskRow};

/// A row of a baseline, or a part of one, with its share of what was promised for it.
pub type Shared = (TaskRow, f64);

/// The rows of a baseline with what was split off them.
pub fn shared(rows: Vec<TaskRow>, parts: &[PartRow]) -> Vec<Shared> {
    if parts.is_empty() {
        return rows.into_iter().map(|row| (row, 1.0)).collect();
    }
    let from: HashMap<TaskId, TaskId> = parts.iter().map(|part| (part.task_id, part.split_from)).collect();
    let mut of_row: HashMap<TaskId, Vec<&PartRow>> = HashMap::new();
    for part in parts {
        of_row.entry(origin(part.split_from, &from)).or_default().push(part);
    }
    rows.into_iter().flat_map(|row| divided(of_row.remove(&row.task_id).unwrap_or_default(), row)).collect()
}

/// The rows of baselines that were split since.
pub fn divided_rows(parts: &[PartRow]) -> Vec<TaskId> {
    let from: HashMap<TaskId, TaskId> = parts.iter().map(|part| (part.task_id, part.split_from)).collect();
    let mut rows: Vec<TaskId> = parts.iter().map(|part| origin(part.split_from, &from)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Leaves only what was split off certain rows.
pub fn keep_parts_of(parts: &mut Vec<PartRow>, rows: &HashSet<TaskId>) {
    let from: HashMap<TaskId, TaskId> = parts.iter().map(|part| (part.task_id, part.split_from)).collect();
    parts.retain(|part| rows.contains(&origin(part.split_from, &from)));
}

/// The row that a chain of splits began with.
fn origin(mut task: TaskId, from: &HashMap<TaskId, TaskId>) -> TaskId {
    // The bound keeps rows that name each other from turning for ever.
    for _ in 0..from.len() {
        let Some(before) = from.get(&task) else { break };
        task = *before;
    }
    task
}

fn divided(parts: Vec<&PartRow>, row: TaskRow) -> Vec<Shared> {
    // In the order of their ids, which is that of the splits, each part takes from what the row before it still has.
    let mut shares = HashMap::from([(row.task_id, 1.0)]);
    for part in &parts {
        let whole = shares.get(&part.split_from).copied().unwrap_or_default();
        shares.insert(part.split_from, whole * (1.0 - part.share));
        shares.insert(part.task_id, whole * part.share);
    }
    let share = |task: TaskId| shares.get(&task).copied().unwrap_or_default();
    let of_part = |part: &PartRow| {
        let one = TaskRow {
            task_id: part.task_id,
            calendar_id: part.calendar_id,
            duration: part.duration,
            hourly_cost: part.hourly_cost,
            percent_complete: part.percent_complete,
            actual_start: part.actual_start,
            actual_finish: part.actual_finish,
            deleted_at: part.deleted_at,
            ..row.clone()
        };
        (one, share(part.task_id))
    };
    let mut shared: Vec<Shared> = parts.into_iter().map(of_part).collect();
    let own = share(row.task_id);
    shared.insert(0, (row, own));
    shared
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    fn row(number: u128, duration: i64) -> TaskRow {
        TaskRow {
            task_id: id(number),
            calendar_id: None,
            duration,
            planned_start: None,
            planned_finish: None,
            planned_duration: 10,
            budget: None,
            hourly_cost: None,
            percent_complete: 100.0,
            actual_start: None,
            actual_finish: None,
            deleted_at: None,
        }
    }

    fn part(number: u128, from: u128, share: f64) -> PartRow {
        PartRow {
            task_id: id(number),
            split_from: id(from),
            share,
            calendar_id: None,
            duration: 3,
            hourly_cost: None,
            percent_complete: 0.0,
            actual_start: None,
            actual_finish: None,
            deleted_at: None,
        }
    }

    #[test]
    fn a_row_that_was_split_shares_its_promise_with_all_parts_as_it_was_divided_then() {
        let parts = [part(2, 1, 0.5), part(3, 2, 0.5), part(4, 1, 0.25)];
        let shared = shared(vec![row(1, 4), row(9, 5)], &parts);
        let seen: Vec<(TaskId, f64)> = shared.iter().map(|(row, share)| (row.task_id, *share)).collect();
        assert_eq!(divided_rows(&parts), [id(1)]);
        assert_eq!(seen, [(id(1), 0.375), (id(2), 0.25), (id(3), 0.25), (id(4), 0.125), (id(9), 1.0)]);
    }
}
