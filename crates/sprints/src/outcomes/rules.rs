//! What the tasks of a sprint add up to, and who reads the points: pure.

use planwright_domain::words::{MilestoneSlipBasis, SprintTaskDisposition, TaskStatus};
use planwright_plan::schedule::network::date;
use planwright_plan::sprints::{SprintRow, VelocityGate};

use super::model::*;
use super::queries::{CriterionRow, ItemRow, SlipRow};

/// Whether a task counts as finished.
fn is_shipped(row: &ItemRow) -> bool {
    row.final_status == TaskStatus::Complete
}

/// The tasks that were not finished.
pub fn didnt_ship(rows: &[ItemRow], gate: VelocityGate) -> Vec<DidntShipItem> {
    let item = |row: &ItemRow| DidntShipItem {
        task_id: row.task_id,
        task_short_id: row.task_short_id.clone(),
        task_title: row.task_title.clone(),
        story_points: gate.lets(row.story_points),
        final_status: row.final_status,
        disposition: row.disposition,
        next_sprint_id: row.next_sprint_id,
        next_sprint_name: row.next_sprint_name.clone(),
        was_pending: row.was_pending,
    };
    rows.iter().filter(|row| !is_shipped(row)).map(item).collect()
}

/// What the unfinished tasks add up to.
pub fn summary(rows: &[ItemRow], gate: VelocityGate) -> DidntShipSummary {
    let of = |wanted: SprintTaskDisposition| {
        let which = rows.iter().filter(|row| row.disposition == Some(wanted));
        which.fold((0, 0), |sum, row| (sum.0 + 1, sum.1 + row.story_points.unwrap_or_default()))
    };
    let (carried, dropped) = (of(SprintTaskDisposition::Carried), of(SprintTaskDisposition::Dropped));
    DidntShipSummary {
        carried_count: carried.0,
        carried_points: gate.lets(Some(carried.1)),
        dropped_count: dropped.0,
        dropped_points: gate.lets(Some(dropped.1)),
    }
}

/// What a team shows at the end of a sprint. A finished task is accepted when all of its criteria are met.
pub fn review(
    row: &SprintRow,
    rows: &[ItemRow],
    criteria: &[CriterionRow],
    gate: VelocityGate,
) -> SprintReview {
    let shipped: Vec<ShippedItem> =
        rows.iter().filter(|row| is_shipped(row)).map(|row| shipped(row, criteria, gate)).collect();
    let points = rows.iter().filter(|row| is_shipped(row)).filter_map(|row| row.story_points).sum();
    let mut demo_list: Vec<ShippedItem> =
        rows.iter().filter(|row| row.demo_ready).map(|row| self::shipped(row, criteria, gate)).collect();
    let sum = |test: fn(Acceptance) -> bool| {
        let which = rows.iter().filter(|row| is_shipped(row) && test(acceptance(row, criteria)));
        which.fold((0, 0), |sum, row| (sum.0 + 1, sum.1 + row.story_points.unwrap_or_default()))
    };
    let accepted = sum(|acceptance| acceptance.total > 0 && acceptance.met == acceptance.total);
    let refused = sum(|acceptance| acceptance.met < acceptance.total);
    demo_list.sort_by_key(|item| (item.demo_order.is_none(), item.demo_order));
    let carried = rows.iter().filter(|row| row.disposition == Some(SprintTaskDisposition::Carried)).count();
    SprintReview {
        accepted_count: accepted.0,
        accepted_points: gate.lets(Some(accepted.1)),
        not_accepted_count: refused.0,
        not_accepted_points: gate.lets(Some(refused.1)),
        no_criteria_count: sum(|acceptance| acceptance.total == 0).0,
        commitment: ReviewCommitment {
            committed_points: row.committed_points,
            committed_count: row.committed_task_count,
            shipped_points: gate.lets(Some(points)),
            shipped_count: shipped.len() as i64,
            carried_count: carried as i64,
        },
        shipped,
        demo_list,
    }
}

/// How many criteria of a task are met.
fn acceptance(row: &ItemRow, criteria: &[CriterionRow]) -> Acceptance {
    let own = criteria.iter().filter(|criterion| Some(criterion.task_id) == row.task_id);
    own.fold(Acceptance::default(), |sum, criterion| Acceptance {
        met: sum.met + i64::from(criterion.met),
        total: sum.total + 1,
    })
}

fn shipped(row: &ItemRow, criteria: &[CriterionRow], gate: VelocityGate) -> ShippedItem {
    let unmet = criteria.iter().filter(|criterion| Some(criterion.task_id) == row.task_id && !criterion.met);
    ShippedItem {
        outcome_id: row.outcome_id,
        task_id: row.task_id,
        task_short_id: row.task_short_id.clone(),
        task_title: row.task_title.clone(),
        story_points: gate.lets(row.story_points),
        acceptance: acceptance(row, criteria),
        unmet_criteria: unmet
            .map(|criterion| UnmetCriterion { id: criterion.id, text: criterion.text.clone() })
            .collect(),
        review_note: row.review_note.clone(),
        flagged_to_backlog: row.flagged,
        demo_ready: row.demo_ready,
        demo_order: row.demo_order,
        presenter: row.presenter.clone(),
    }
}

/// By how much a milestone is later than its baseline.
pub fn slip(row: SlipRow) -> Option<MilestoneSlip> {
    let actual = row.actual_finish.filter(|_| row.status == TaskStatus::Complete);
    let basis = if actual.is_some() { MilestoneSlipBasis::Actual } else { MilestoneSlipBasis::Forecast };
    let finish = actual.or_else(|| row.early_finish.and_then(date))?;
    let baseline_finish = row.baseline_finish?;
    Some(MilestoneSlip {
        milestone_id: row.id,
        milestone_name: row.name,
        milestone_short_id: row.short_id,
        slip_days: (finish - baseline_finish).num_days(),
        baseline_finish,
        forecast_finish: finish,
        basis,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(status: TaskStatus, disposition: SprintTaskDisposition, points: i64) -> ItemRow {
        ItemRow {
            outcome_id: None,
            task_id: None,
            task_short_id: String::new(),
            task_title: String::new(),
            story_points: Some(points),
            final_status: status,
            disposition: Some(disposition),
            next_sprint_id: None,
            next_sprint_name: None,
            was_pending: false,
            review_note: String::new(),
            flagged: false,
            demo_ready: false,
            demo_order: None,
            presenter: String::new(),
        }
    }

    #[test]
    fn counts_are_for_everybody_and_points_for_the_team() {
        let rows = [
            item(TaskStatus::Complete, SprintTaskDisposition::Completed, 5),
            item(TaskStatus::Review, SprintTaskDisposition::Carried, 3),
            item(TaskStatus::Review, SprintTaskDisposition::Dropped, 2),
        ];
        let seen = summary(&rows, VelocityGate { is_open: true });
        assert_eq!((seen.carried_count, seen.carried_points, seen.dropped_points), (1, Some(3), Some(2)));
        let hidden = VelocityGate { is_open: false };
        assert_eq!(summary(&rows, hidden).carried_points, None);
        assert_eq!(summary(&rows, hidden).carried_count, 1);
        assert!(didnt_ship(&rows, hidden).iter().all(|item| item.story_points.is_none()));
    }
}
