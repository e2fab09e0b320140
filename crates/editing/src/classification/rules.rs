//! What a classification does to the rows of a subtree: pure decisions, row by row.
//! Who may write the rows is asked by `routes.rs`.

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::TaskId;
use planwright_domain::words::{DeliveryMode, GovernanceClass, Word};
use planwright_plan::tasks::write::{PlannedWrite, TaskRecord};
use planwright_web::{ApiError, ApiResult, Problems};

use super::model::{PatchedTaskClassificationRequest, TaskClassificationAxis, TaskClassificationSkip};

/// The most rows of one classification.
pub const MOST: usize = 2000;

/// A classification that makes sense.
#[derive(Clone, Copy, Debug)]
pub struct ClassificationChange {
    /// The row at the top.
    pub root: TaskId,
    /// Whether the rows below it are written as well.
    pub cascade: bool,
    /// How they are to be governed.
    pub governance: Option<GovernanceClass>,
    /// How they are to be delivered.
    pub delivery: Option<DeliveryMode>,
    /// Whether rows with a governance of their own keep it.
    pub preserve: bool,
    /// Whether milestones keep their governance.
    pub skip_milestones: bool,
}

impl ClassificationChange {
    /// Reads a request.
    ///
    /// # Errors
    /// 400 when nothing is asked for, or a cascade is to make milestones.
    pub fn of(request: &PatchedTaskClassificationRequest) -> ApiResult<Self> {
        let change = Self {
            root: request.subtree,
            cascade: request.cascade.as_given() != Some(&false),
            governance: request.governance_class.as_given().copied().flatten(),
            delivery: request.delivery_mode.as_given().copied().flatten(),
            preserve: request.preserve_governance_overrides.as_given() != Some(&false),
            skip_milestones: request.skip_milestones.as_given() != Some(&false),
        };
        let mut problems = Problems::default();
        if change.governance.is_none() && change.delivery.is_none() {
            problems.say("non_field_errors", "Send governance_class, delivery_mode or both.");
        }
        if change.cascade && change.delivery == Some(DeliveryMode::Milestone) {
            problems.say("delivery_mode", "A cascade cannot create milestones.");
        }
        problems.check()?;
        Ok(change)
    }
}

/// The row at the top and everything below it, from top to bottom; none when the rows lead round in a circle.
pub fn subtree(outline: &[(TaskId, Option<TaskId>)], root: TaskId) -> Option<Vec<TaskId>> {
    let mut below: HashMap<TaskId, Vec<TaskId>> = HashMap::new();
    for (id, parent) in outline {
        if let Some(parent) = parent {
            below.entry(*parent).or_default().push(*id);
        }
    }
    let mut seen = HashSet::from([root]);
    let mut rows = vec![root];
    let mut next = 0;
    while let Some(row) = rows.get(next).copied() {
        next += 1;
        for child in below.get(&row).into_iter().flatten() {
            if !seen.insert(*child) {
                return None;
            }
            rows.push(*child);
        }
    }
    Some(rows)
}

/// A subtree that has more rows than are classified at once.
pub fn fits(matched: usize) -> ApiResult<()> {
    match matched <= MOST {
        true => Ok(()),
        false => Err(ApiError::bad_request(format!("At most {MOST} tasks can be classified at once."))
            .with_code("subtree_too_large")
            .with("matched", matched)
            .with("max", MOST)),
    }
}

/// The result on one axis.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Tally {
    applied: usize,
    unchanged: usize,
    kept: usize,
}

impl Tally {
    fn count(&mut self, differs: bool) {
        match differs {
            true => self.applied += 1,
            false => self.unchanged += 1,
        }
    }
}

/// What a classification comes to.
#[derive(Debug)]
pub struct Classified {
    /// Every row, whether it differs or not.
    pub rows: Vec<PlannedWrite>,
    /// The axis of governance, when it was asked for.
    pub governance: Option<TaskClassificationAxis>,
    /// The axis of delivery, when it was asked for.
    pub delivery: Option<TaskClassificationAxis>,
    /// Milestones that keep what they have.
    pub skipped: Vec<TaskClassificationSkip>,
}

/// Classifies rows.
pub fn classify(change: &ClassificationChange, rows: Vec<TaskRecord>) -> Classified {
    let (mut governance, mut delivery) = (Tally::default(), Tally::default());
    let (mut planned, mut skipped) = (Vec::with_capacity(rows.len()), Vec::new());
    for before in rows {
        let mut after = before.clone();
        let mut axes = Vec::new();
        if let Some(class) = change.governance {
            match govern(change, class, &mut after) {
                Governed::Written(differs) => governance.count(differs),
                Governed::Kept => governance.kept += 1,
                Governed::Skipped => axes.push("governance"),
            }
        }
        if let Some(mode) = change.delivery {
            match before.is_milestone && mode != DeliveryMode::Milestone {
                true => axes.push("delivery_mode"),
                false => {
                    after.delivery_mode = mode;
                    delivery.count(before.delivery_mode != mode);
                }
            }
        }
        if !axes.is_empty() {
            let message = "A milestone keeps its values.";
            skipped.push(TaskClassificationSkip { id: before.id, code: "milestone_gate", axes, message });
        }
        planned.push(PlannedWrite::direct(before, after));
    }
    let axis = |requested, tally: Tally, has_inherit_bit| TaskClassificationAxis {
        requested,
        applied: tally.applied,
        unchanged: tally.unchanged,
        overrides_kept: if has_inherit_bit { Some(tally.kept) } else { None },
        has_inherit_bit,
    };
    Classified {
        rows: planned,
        governance: change.governance.map(|class| axis(class.as_str(), governance, true)),
        delivery: change.delivery.map(|mode| axis(mode.as_str(), delivery, false)),
        skipped,
    }
}

/// What became of the governance of a row.
enum Governed {
    /// It is as asked for; whether it was not before.
    Written(bool),
    /// It has one of its own.
    Kept,
    /// It is a milestone.
    Skipped,
}

fn govern(change: &ClassificationChange, class: GovernanceClass, row: &mut TaskRecord) -> Governed {
    let inherits = row.id != change.root;
    if row.is_milestone && change.skip_milestones {
        return Governed::Skipped;
    }
    if inherits && change.preserve && !row.parent_governance_inherited {
        return Governed::Kept;
    }
    let differs = (row.governance_class, row.parent_governance_inherited) != (class, inherits);
    row.governance_class = class;
    row.parent_governance_inherited = inherits;
    Governed::Written(differs)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use planwright_domain::ids::ProjectId;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    fn row(number: u128, class: GovernanceClass, inherited: bool) -> TaskRecord {
        let mut row = TaskRecord::fresh(id(number), ProjectId(Uuid::nil()), DateTime::UNIX_EPOCH);
        row.governance_class = class;
        row.parent_governance_inherited = inherited;
        row
    }

    fn milestone(number: u128) -> TaskRecord {
        let mut row = row(number, GovernanceClass::Flow, true);
        row.is_milestone = true;
        row.delivery_mode = DeliveryMode::Milestone;
        row
    }

    fn change() -> ClassificationChange {
        ClassificationChange {
            root: id(1),
            cascade: true,
            governance: Some(GovernanceClass::Gated),
            delivery: Some(DeliveryMode::Scrum),
            preserve: true,
            skip_milestones: true,
        }
    }

    #[test]
    fn the_root_has_its_own_governance_and_what_is_below_inherits_it() {
        let rows = vec![
            row(1, GovernanceClass::Flow, true),
            row(2, GovernanceClass::Flow, true),
            row(3, GovernanceClass::Hybrid, false),
            milestone(4),
        ];
        let done = classify(&change(), rows);
        let told: Vec<_> = done
            .rows
            .iter()
            .map(|row| (row.after.governance_class.as_str(), row.after.parent_governance_inherited))
            .collect();
        assert_eq!(told, [("gated", false), ("gated", true), ("hybrid", false), ("flow", true)]);
        let governance = done.governance.unwrap();
        assert_eq!((governance.applied, governance.unchanged, governance.overrides_kept), (2, 0, Some(1)));
        let delivery = done.delivery.unwrap();
        assert_eq!((delivery.applied, delivery.overrides_kept), (3, None));
        assert_eq!(done.skipped[0].axes, ["governance", "delivery_mode"]);
    }

    #[test]
    fn what_is_sent_again_changes_nothing() {
        let rows =
            vec![row(1, GovernanceClass::Flow, true), row(2, GovernanceClass::Flow, true), milestone(4)];
        let once: Vec<_> = classify(&change(), rows).rows.into_iter().map(|row| row.after).collect();
        let again = classify(&change(), once);
        assert!(again.rows.iter().all(|row| row.before == row.after));
        assert_eq!(again.governance.unwrap().unchanged, 2);
        assert_eq!(again.delivery.unwrap().unchanged, 2);
    }

    #[test]
    fn milestones_take_governance_when_they_are_not_skipped_and_never_delivery() {
        let change = ClassificationChange { skip_milestones: false, ..change() };
        let done = classify(&change, vec![milestone(4)]);
        assert_eq!(done.rows[0].after.governance_class, GovernanceClass::Gated);
        assert_eq!(done.rows[0].after.delivery_mode, DeliveryMode::Milestone);
        assert_eq!(done.skipped[0].axes, ["delivery_mode"]);
    }

    #[test]
    fn a_subtree_is_its_row_and_all_below_and_a_circle_is_none() {
        let outline = [(id(1), None), (id(2), Some(id(1))), (id(3), Some(id(2))), (id(4), None)];
        assert_eq!(subtree(&outline, id(1)), Some(vec![id(1), id(2), id(3)]));
        assert_eq!(subtree(&outline, id(4)), Some(vec![id(4)]));
        let circle = [(id(1), Some(id(2))), (id(2), Some(id(1)))];
        assert_eq!(subtree(&circle, id(1)), None);
    }
}
