//! Late dates and total floats, where all early dates are equal. Ours are the last at which nothing moves,
//! so what is later moves something and what is earlier gives float away; both are checked at every task.

use super::answers::TheirTask;
use super::day::Moment;
use super::judge::Verdict;
use super::ours::Ours;
use super::plan::{Plan, Tool, task_name};
use super::reasons::Reason;
use super::{microsoft_late, primavera_late};

/// Checks that a tool's late dates are what its rules give from its own late dates further behind.
pub(crate) fn check_rules(plan: &Plan, tool: Tool, theirs: &[TheirTask], verdict: &mut Verdict) {
    let Some(end) = theirs.iter().map(|task| task.early[1]).max() else { return };
    for index in (0..plan.tasks.len()).filter(|index| plan.tasks[*index].finished().is_none()) {
        let expected = match tool {
            Tool::Microsoft => microsoft_late::dates(plan, index, theirs, end),
            Tool::Primavera => primavera_late::dates(plan, index, theirs, end),
        };
        if expected != theirs[index].late {
            let (name, tool) = (task_name(index), tool.name());
            verdict.unexplained.push(format!("{name}: {tool} did not follow its rules for late dates"));
        }
    }
}

/// Compares late dates and floats; a difference counts where nothing behind the task differs.
pub(crate) fn compare(plan: &Plan, tool: Tool, ours: &Ours, theirs: &[TheirTask], verdict: &mut Verdict) {
    let apart: Vec<i32> = (0..plan.tasks.len()).map(|index| later(plan, index, ours, theirs)).collect();
    verdict.late_differs = apart.iter().any(|places| *places != 0);
    for (index, places) in apart.iter().enumerate() {
        let begins = plan.links.iter().all(|link| link.from != index || apart[link.to] == 0);
        if *places != 0 {
            if begins {
                let reason = if *places > 0 { Reason::TooLate } else { Reason::TooEarly };
                verdict.reasons = verdict.reasons.with(reason);
            }
            continue;
        }
        let task = &plan.tasks[index];
        let float = own(plan, index, ours.late[index]) - own(plan, index, ours.early[index].place);
        if task.finished().is_some() || (theirs[index].float - f64::from(float)).abs() < 0.01 {
            continue;
        }
        verdict.late_differs = true;
        match task.wants_late() && theirs[index].float == 0.0 {
            true => verdict.reasons = verdict.reasons.with(Reason::FloatOfLate),
            false => {
                let (name, tool) = (task_name(index), tool.name());
                verdict
                    .unexplained
                    .push(format!("{name}: the float of {tool} differs though its dates do not"));
            }
        }
    }
}

/// By how many working days their late dates are later than ours.
fn later(plan: &Plan, index: usize, ours: &Ours, theirs: &[TheirTask]) -> i32 {
    let task = &plan.tasks[index];
    if task.finished().is_some() {
        return 0;
    }
    let place = |moment: Moment| plan.calendar(index).place(moment.boundary());
    let late = own(plan, index, ours.late[index]);
    let [start, finish] = theirs[index].late.map(place);
    let apart = [start - late, finish - late - task.remaining];
    if apart[0] != 0 { apart[0] } else { apart[1] }
}

/// A place on the calendar of the task.
fn own(plan: &Plan, index: usize, place: i32) -> i32 {
    if plan.tasks[index].is_point() { plan.calendar(index).place(place) } else { place }
}
