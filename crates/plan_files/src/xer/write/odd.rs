//! What this format says in another way than the plan, named before it is written.
//! What no part of the format can say is with the other formats.

use planwright_domain::words::ConstraintType;

use crate::seed::model::{Document, Project, Task};
use crate::unwritten;
use crate::{Computed, Losses};

/// Notes what comes back differently.
pub(super) fn note(document: &Document, computed: &Computed, losses: &mut Losses) {
    let Some(project) = document.projects.first() else { return };
    for (task, is_phase) in project.tasks.iter().zip(unwritten::phases(project)) {
        let is_done = task.percent_done() >= 100.0;
        let is_begun = task.percent_done() > 0.0 || task.actual_start.is_some();
        let facts: [(bool, &str, &str); 6] = [
            (
                is_phase && !task.assignments.is_empty(),
                "assignments",
                "A branch has no assignments in the file.",
            ),
            (
                !is_phase && task.deadline.is_some() && task.constraint.is_none(),
                "deadline",
                "A deadline is written as the constraint FNLT, and comes back as one.",
            ),
            (
                !is_phase && gives_way(task, computed),
                "constraint_date",
                "The date of this constraint gives way to a link here. In Primavera it wins over the link.",
            ),
            (
                !is_phase && is_begun && task.actual_start.is_none(),
                "actual_start",
                "Begun work has an actual start in the file. It is the computed one.",
            ),
            (
                !is_phase && is_done && task.actual_finish.is_none(),
                "actual_finish",
                "Complete work has an actual finish in the file. It is the computed one.",
            ),
            (!is_phase && is_begun && project.status_date.is_none(), "status_date", data_date(task, is_done)),
        ];
        for (_, field, reason) in facts.iter().filter(|(is_used, ..)| *is_used) {
            losses.note(field, reason, unwritten::mark(task));
        }
    }
    note_calendars(document, project, losses);
}

/// Whether a date that must hold does not hold in this plan.
fn gives_way(task: &Task, computed: &Computed) -> bool {
    let Some((start, finish)) = computed.get(&task.wbs_path) else { return false };
    match task.constraint {
        Some((ConstraintType::MustStartOn, Some(day))) => *start > day,
        Some((ConstraintType::MustFinishOn, Some(day))) => *finish > day,
        _ => false,
    }
}

/// The file always has a data date, from which what is left is planned.
fn data_date(task: &Task, is_done: bool) -> &'static str {
    match is_done || task.actual_finish.is_some() {
        true => {
            "The plan has no status date and the file needs one. It is the start of the project, before what is done."
        }
        false => {
            "The plan has no status date and the file needs one. What is left of begun work is planned from the start of the project."
        }
    }
}

/// Every resource of a file has a calendar.
fn note_calendars(document: &Document, project: &Project, losses: &mut Losses) {
    let of_project = project.calendar.as_ref();
    for resource in document.resources.iter().filter(|one| one.calendar.is_some()) {
        if resource.calendar.as_ref() == of_project {
            let reason = "A resource whose calendar is that of the project comes back with none of its own.";
            losses.note("calendar", reason, &*resource.name);
        }
    }
}
