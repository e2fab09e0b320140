//! When a conflict opens, worsens, comes back and is resolved: pure decisions.
//! Which tasks slip is found in `mod.rs`.

use chrono::{DateTime, Utc};
use planwright_domain::words::SlipResolution;
use uuid::Uuid;

use super::model::{Conflict, Slip};

/// A conflict that opens now.
pub fn opened(id: Uuid, slip: &Slip, now: DateTime<Utc>) -> Conflict {
    Conflict {
        id,
        sprint_id: slip.sprint,
        task_id: slip.task,
        project_id: slip.project,
        dependency_id: Some(slip.dependency),
        upstream_task_id: Some(slip.upstream),
        pushed_to: slip.pushed_to,
        detected_at: now,
        re_slip_count: 0,
        resolution: SlipResolution::Unresolved,
        resolved_at: None,
        acknowledged_by: None,
        acknowledged_at: None,
    }
}

/// A known conflict whose task slips still, further, or again.
pub fn slipped(known: &Conflict, slip: &Slip, now: DateTime<Utc>) -> Conflict {
    let comes_back = known.resolution == SlipResolution::AutoResolved;
    let worsens = slip.pushed_to > known.pushed_to && known.acknowledged_at.is_some();
    let fresh = Conflict {
        detected_at: if comes_back { now } else { known.detected_at },
        re_slip_count: known.re_slip_count + i64::from(comes_back || worsens),
        ..opened(known.id, slip, now)
    };
    match comes_back || worsens {
        true => fresh,
        false => Conflict {
            acknowledged_by: known.acknowledged_by,
            acknowledged_at: known.acknowledged_at,
            ..fresh
        },
    }
}

/// A known conflict whose task no longer slips.
pub fn resolved(known: &Conflict, now: DateTime<Utc>) -> Conflict {
    Conflict { resolution: SlipResolution::AutoResolved, resolved_at: Some(now), ..known.clone() }
}

#[cfg(test)]
mod tests {
    use chrono::{Duration, NaiveDate};
    use planwright_domain::ids::{DependencyId, ProjectId, SprintId, TaskId, UserId};

    use super::*;

    fn slip(pushed_to: &str) -> Slip {
        Slip {
            sprint: SprintId(Uuid::nil()),
            task: TaskId(Uuid::nil()),
            project: ProjectId(Uuid::nil()),
            dependency: DependencyId(Uuid::nil()),
            upstream: TaskId(Uuid::nil()),
            pushed_to: pushed_to.parse::<NaiveDate>().unwrap(),
        }
    }

    #[test]
    fn only_a_slip_beyond_what_was_acknowledged_asks_again() {
        let now = DateTime::<Utc>::default();
        let open = opened(Uuid::nil(), &slip("2026-01-20"), now);
        let later = slipped(&open, &slip("2026-01-22"), now);
        assert_eq!((later.re_slip_count, later.pushed_to), (0, slip("2026-01-22").pushed_to));
        let known =
            Conflict { acknowledged_by: Some(UserId(Uuid::nil())), acknowledged_at: Some(now), ..later };
        let better = slipped(&known, &slip("2026-01-21"), now);
        assert_eq!((better.re_slip_count, better.acknowledged_at), (0, Some(now)));
        let worse = slipped(&known, &slip("2026-01-23"), now);
        assert_eq!((worse.re_slip_count, worse.acknowledged_at, worse.acknowledged_by), (1, None, None));
    }

    #[test]
    fn a_resolved_conflict_comes_back_as_a_new_slip_of_the_same_task() {
        let now = DateTime::<Utc>::default();
        let done = resolved(&opened(Uuid::nil(), &slip("2026-01-20"), now), now);
        assert_eq!((done.resolution, done.resolved_at), (SlipResolution::AutoResolved, Some(now)));
        let back = slipped(&done, &slip("2026-01-19"), now + Duration::hours(1));
        assert_eq!((back.resolution, back.resolved_at), (SlipResolution::Unresolved, None));
        assert_eq!((back.re_slip_count, back.detected_at), (1, now + Duration::hours(1)));
    }
}
