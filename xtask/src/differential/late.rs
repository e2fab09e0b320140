//! Late dates and total floats, where all early dates are equal. Ours are the last at which nothing moves,
//! so what is later moves something and what is earlier gives float away; both are checked at every task.

use super::answers::TheirTask;
use super::day::Moment;
use super::judge::Verdict;
use super::ours::Ours;
use super::plan::{Plan, Tool, task_name};
use super::reasons::Reason;

/// Compares late dates and floats; a difference counts where nothing behind the task differs.
pub(crate) fn compare(plan: &Plan, tool: Tool, ours: &Ours, theirs: &[TheirTask], verdict: &mut Verdict) {
    let apart: Vec<i32> = (0..plan.tasks.len()).map(|index| later(plan, index, ours, theirs)).collect();
    verdict.late_differs = apart.iter().any(|places| *places != 0);
    for (index, places) in apart.iter().enumerate() {
        let begins = plan.links.iter().all(|link| link.from != index || apart[link.to] == 0);
        if *places == 0 {
            let early = own(plan, index, ours.early[index].place);
            let float = own(plan, index, ours.late[index]) - early;
            if plan.tasks[index].finished().is_none() && (theirs[index].float - f64::from(float)).abs() > 0.01
            {
                verdict.unexplained.push(format!(
                    "{}: the float of {} differs with equal dates",
                    task_name(index),
                    tool.name()
                ));
            }
        } else if begins {
            let reason = if *places > 0 { Reason::TooLate } else { Reason::TooEarly };
            verdict.reasons = verdict.reasons.with(reason);
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
