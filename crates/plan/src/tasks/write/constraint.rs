//! The dates that a row promises: its deadline, and a constraint with the date that it needs.
//! Pure; what the engine makes of them is in `docs/scheduling.md`.

use planwright_domain::words::ConstraintType;

use super::validate::Validation;

/// Writes deadline and constraint as they were sent, and judges whether they fit together. A constraint that goes takes its
/// date with it.
pub(super) fn check(validation: &mut Validation<'_>) {
    let (request, after) = (validation.request, &mut validation.after);
    if let Some(deadline) = request.deadline.as_given() {
        after.deadline = *deadline;
    }
    if let Some(kind) = request.constraint_type.as_given() {
        after.constraint_type = *kind;
        if !needs_date(*kind) {
            after.constraint_date = None;
        }
    }
    if let Some(date) = request.constraint_date.as_given() {
        after.constraint_date = *date;
    }
    let message = match (after.constraint_type, after.constraint_date) {
        (kind, None) if needs_date(kind) => "This constraint needs a date.",
        (None, Some(_)) => "Send constraint_type as well: a date alone constrains nothing.",
        (Some(ConstraintType::AsLateAsPossible), Some(_)) => "ALAP takes no date.",
        _ => return,
    };
    validation.say("constraint_date", message);
}

fn needs_date(kind: Option<ConstraintType>) -> bool {
    kind.is_some_and(|kind| kind != ConstraintType::AsLateAsPossible)
}
