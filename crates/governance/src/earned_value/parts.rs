//! Rows of a baseline that were split since: each part takes the share of what was promised that its working days have in all
//! parts. Pure decisions.

use std::collections::HashMap;

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
    let days = |duration: i64| duration.max(0) as f64;
    let all = days(row.duration) + parts.iter().map(|part| days(part.duration)).sum::<f64>();
    let share = |duration: i64| if all > 0.0 { days(duration) / all } else { 0.0 };
    let mut shared: Vec<Shared> = parts
        .into_iter()
        .map(|part| {
            let one = TaskRow {
                task_id: part.task_id,
                duration: part.duration,
                hourly_cost: part.hourly_cost,
                percent_complete: part.percent_complete,
                actual_start: part.actual_start,
                actual_finish: part.actual_finish,
                ..row.clone()
            };
            (one, share(part.duration))
        })
        .collect();
    let own = if shared.is_empty() { 1.0 } else { share(row.duration) };
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
            duration,
            planned_start: None,
            planned_finish: None,
            planned_duration: 10,
            budget: None,
            hourly_cost: None,
            percent_complete: 100.0,
            actual_start: None,
            actual_finish: None,
        }
    }

    fn part(number: u128, from: u128, duration: i64) -> PartRow {
        PartRow {
            task_id: id(number),
            split_from: id(from),
            duration,
            hourly_cost: None,
            percent_complete: 0.0,
            actual_start: None,
            actual_finish: None,
        }
    }

    #[test]
    fn a_row_that_was_split_twice_shares_its_promise_with_both_parts() {
        let parts = [part(2, 1, 3), part(3, 2, 3)];
        let shared = shared(vec![row(1, 4), row(9, 5)], &parts);
        let seen: Vec<(TaskId, f64)> = shared.iter().map(|(row, share)| (row.task_id, *share)).collect();
        assert_eq!(divided_rows(&parts), [id(1)]);
        assert_eq!(seen, [(id(1), 0.4), (id(2), 0.3), (id(3), 0.3), (id(9), 1.0)]);
    }
}
