//! What stood in a sprint at a moment of the past: each task is now what it is, and its transitions say what it was.
//! Nothing here reads a database or knows how a burndown looks.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{SprintId, TaskId};
use planwright_domain::words::TaskStatus;
use planwright_plan::tasks::transitions::Transition;
use planwright_store::row;

row! {
    /// A task as it is now.
    pub struct TaskNow {
        pub id: TaskId,
        pub status: TaskStatus,
        pub sprint_id: Option<SprintId>,
        pub story_points: Option<i64>,
        /// The story points that are left.
        pub remaining: Option<i64>,
        pub created_at: DateTime<Utc>,
        /// Whether a document brought it together with its past, so that it is older than its row.
        pub is_imported: bool,
        /// The day on which it was done, for one whose moves nobody wrote down.
        pub actual_finish: Option<NaiveDate>,
    }
}

row! {
    /// A time in which a task waited in a sprint for a decision about the scope.
    pub struct Waiting {
        pub task_id: TaskId,
        pub added_at: DateTime<Utc>,
        /// None while nobody decided.
        pub decided_at: Option<DateTime<Utc>>,
    }
}

impl TaskNow {
    /// Whether an imported task was done on a day that had not ended before a moment.
    fn is_done_after(&self, moment: DateTime<Utc>) -> bool {
        self.is_imported && self.actual_finish.is_some_and(|day| day >= moment.date_naive())
    }
}

/// What a task was at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub status: TaskStatus,
    pub sprint: Option<SprintId>,
    pub points: i64,
    pub remaining: i64,
}

/// How much of a sprint was done and how much was left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub remaining_points: i64,
    pub completed_points: i64,
    pub remaining_tasks: i64,
    pub completed_tasks: i64,
}

/// Tasks with their past.
#[derive(Debug, Default)]
pub struct Past {
    tasks: Vec<TaskNow>,
    moves: HashMap<TaskId, Vec<Transition>>,
    waiting: HashMap<TaskId, Vec<Waiting>>,
}

impl Past {
    /// Tasks with their transitions in order of time, and the times in which they waited.
    pub fn new(tasks: Vec<TaskNow>, transitions: Vec<Transition>, waits: Vec<Waiting>) -> Self {
        let mut moves: HashMap<_, Vec<_>> = HashMap::new();
        for transition in transitions {
            moves.entry(transition.task_id).or_default().push(transition);
        }
        let mut waiting: HashMap<_, Vec<_>> = HashMap::new();
        for wait in waits {
            waiting.entry(wait.task_id).or_default().push(wait);
        }
        Self { tasks, moves, waiting }
    }

    /// What was done and what was left in a sprint just before a moment. Work that waited for a decision is not counted.
    pub fn totals(&self, sprint: SprintId, before: DateTime<Utc>) -> Totals {
        let mut totals = Totals::default();
        let counted = self.tasks.iter().filter(|task| !self.waited(task.id, before));
        for state in
            counted.filter_map(|task| self.state(task, before)).filter(|at| at.sprint == Some(sprint))
        {
            if state.status == TaskStatus::Complete {
                totals.completed_points += state.points;
                totals.completed_tasks += 1;
            } else {
                totals.remaining_points += state.remaining;
                totals.remaining_tasks += 1;
            }
        }
        totals
    }

    /// What a task was just before a moment; none before it existed.
    fn state(&self, task: &TaskNow, before: DateTime<Utc>) -> Option<State> {
        if task.created_at >= before && !task.is_imported {
            return None;
        }
        let moves = self.moves.get(&task.id).map(Vec::as_slice).unwrap_or_default();
        let made = moves.partition_point(|step| step.at < before);
        let (status, sprint, points, remaining) = match (made.checked_sub(1), moves.first()) {
            (Some(last), _) => {
                let step = &moves[last];
                (step.new_status, step.new_sprint_id, step.new_points, step.new_remaining)
            }
            (None, Some(first)) => {
                (first.old_status, first.old_sprint_id, first.old_points, first.old_remaining)
            }
            (None, None) if task.is_done_after(before) => {
                (TaskStatus::NotStarted, task.sprint_id, task.story_points, task.story_points)
            }
            (None, None) => (task.status, task.sprint_id, task.story_points, task.remaining),
        };
        let [points, remaining] = [points, remaining].map(Option::unwrap_or_default);
        Some(State { status, sprint, points, remaining })
    }

    fn waited(&self, task: TaskId, before: DateTime<Utc>) -> bool {
        self.waiting.get(&task).is_some_and(|waits| {
            let is_open = |wait: &Waiting| wait.decided_at.is_none_or(|decided| decided >= before);
            waits.iter().any(|wait| wait.added_at < before && is_open(wait))
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        format!("2026-01-{text}:00Z").parse().unwrap()
    }

    fn sprint() -> SprintId {
        SprintId::from(Uuid::from_u128(9))
    }

    fn task(id: u128, status: TaskStatus, points: i64) -> TaskNow {
        let remaining = Some(if status == TaskStatus::Complete { 0 } else { points });
        TaskNow {
            id: TaskId::from(Uuid::from_u128(id)),
            status,
            sprint_id: Some(sprint()),
            story_points: Some(points),
            remaining,
            created_at: at("01T08:00"),
            is_imported: false,
            actual_finish: None,
        }
    }

    fn completed(id: u128, when: &str, points: i64) -> Transition {
        Transition {
            task_id: TaskId::from(Uuid::from_u128(id)),
            at: at(when),
            actor_id: None,
            is_bulk: false,
            old_status: TaskStatus::InProgress,
            new_status: TaskStatus::Complete,
            old_sprint_id: Some(sprint()),
            new_sprint_id: Some(sprint()),
            old_points: Some(points),
            new_points: Some(points),
            old_remaining: Some(points),
            new_remaining: Some(0),
        }
    }

    fn totals(past: &Past, when: &str) -> [i64; 4] {
        let totals = past.totals(sprint(), at(when));
        [totals.remaining_points, totals.completed_points, totals.remaining_tasks, totals.completed_tasks]
    }

    #[test]
    fn a_task_was_open_until_it_was_completed() {
        let tasks = vec![task(1, TaskStatus::Complete, 5), task(2, TaskStatus::NotStarted, 3)];
        let past = Past::new(tasks, vec![completed(1, "03T12:00", 5)], Vec::new());
        assert_eq!(totals(&past, "03T12:00"), [8, 0, 2, 0], "just before it happened");
        assert_eq!(totals(&past, "03T12:01"), [3, 5, 1, 1]);
    }

    #[test]
    fn a_task_counts_neither_before_it_existed_nor_after_it_left() {
        let mut gone = completed(1, "04T09:00", 5);
        (gone.new_status, gone.new_sprint_id, gone.new_remaining) = (TaskStatus::InProgress, None, Some(5));
        let left = TaskNow { sprint_id: None, ..task(1, TaskStatus::InProgress, 5) };
        let past = Past::new(vec![left], vec![gone], Vec::new());
        assert_eq!(totals(&past, "01T08:00"), [0, 0, 0, 0]);
        assert_eq!(totals(&past, "02T00:00"), [5, 0, 1, 0]);
        assert_eq!(totals(&past, "05T00:00"), [0, 0, 0, 0]);
    }

    #[test]
    fn an_imported_task_is_as_old_as_its_sprint_and_was_open_until_its_actual_finish() {
        let done = TaskNow {
            created_at: at("20T08:00"),
            is_imported: true,
            actual_finish: NaiveDate::from_ymd_opt(2026, 1, 3),
            ..task(1, TaskStatus::Complete, 5)
        };
        let past = Past::new(vec![done], Vec::new(), Vec::new());
        assert_eq!(totals(&past, "02T00:00"), [5, 0, 1, 0]);
        assert_eq!(totals(&past, "03T00:00"), [5, 0, 1, 0]);
        assert_eq!(totals(&past, "04T00:00"), [0, 5, 0, 1]);
    }

    #[test]
    fn work_that_waits_for_a_decision_is_not_counted() {
        let wait = Waiting {
            task_id: TaskId::from(Uuid::from_u128(1)),
            added_at: at("02T10:00"),
            decided_at: Some(at("03T10:00")),
        };
        let past = Past::new(vec![task(1, TaskStatus::NotStarted, 2)], Vec::new(), vec![wait]);
        assert_eq!(totals(&past, "02T12:00"), [0, 0, 0, 0]);
        assert_eq!(totals(&past, "04T00:00"), [2, 0, 1, 0], "it was accepted");
    }
}
