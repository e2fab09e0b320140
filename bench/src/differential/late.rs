//! Late dates and total floats: checked against the rules of the tool for all plans, and compared with ours if all
//! early dates are equal. Our late dates are the last at which nothing moves. `judge` compares early dates.

use super::answers::TheirTask;
use super::behind::Behind;
use super::day::Moment;
use super::judge::Verdict;
use super::ours::{self, Ours};
use super::plan::{Plan, Tool, task_name};
use super::reasons::{Reason, Reasons};
use super::{microsoft_late, primavera_late};

/// Checks that a tool's late dates are what its rules give from its own late dates further behind.
pub(crate) fn check_rules(plan: &Plan, tool: Tool, ours: &Ours, theirs: &[TheirTask], verdict: &mut Verdict) {
    for index in (0..plan.tasks.len()).filter(|index| plan.tasks[*index].finished().is_none()) {
        if rule(plan, tool, index, ours, theirs, Reasons::default()) != theirs[index].late {
            let (name, tool) = (task_name(index), tool.name());
            verdict.unexplained.push(format!("{name}: {tool} did not follow its rules for late dates"));
        }
    }
}

/// Compares late dates and floats; a difference counts where nothing behind the task differs.
pub(crate) fn compare(plan: &Plan, tool: Tool, ours: &Ours, theirs: &[TheirTask], verdict: &mut Verdict) {
    let equal: Vec<bool> =
        (0..plan.tasks.len()).map(|index| is_ours(plan, index, ours, theirs[index].late)).collect();
    verdict.late_differs = equal.contains(&false);
    for index in 0..plan.tasks.len() {
        let name = task_name(index);
        if equal[index] {
            compare_float(plan, index, ours, theirs[index].float, verdict);
        } else if plan.links.iter().all(|link| link.from != index || equal[link.to]) {
            let mends = |mended| is_ours(plan, index, ours, rule(plan, tool, index, ours, theirs, mended));
            match Reasons::fewest(&Reason::LATE, mends) {
                Some(reasons) => verdict.late_reasons = verdict.late_reasons.and(reasons),
                None => verdict.unexplained.push(format!("{name}: late dates differ for no reason")),
            }
        }
    }
}

/// What a tool's rules give as late dates of a task from its own answers on the tasks behind.
fn rule(
    plan: &Plan,
    tool: Tool,
    index: usize,
    ours: &Ours,
    theirs: &[TheirTask],
    mended: Reasons,
) -> [Moment; 2] {
    let end = theirs.iter().map(|task| task.early[1]).fold(theirs[index].early[1], Moment::max);
    let behind = Behind { plan, index, ours, late: &|task| theirs[task].late, end, mended };
    match tool {
        Tool::Microsoft => microsoft_late::dates(&behind),
        Tool::Primavera => primavera_late::dates(&behind),
    }
}

/// Whether dates are where we put the task at the latest, however they are shown.
fn is_ours(plan: &Plan, index: usize, ours: &Ours, dates: [Moment; 2]) -> bool {
    let task = &plan.tasks[index];
    let [start, finish] = dates.map(|date| plan.calendar(index).place(date.boundary()));
    let late = ours::own(plan, index, ours.late[index]);
    task.finished().is_some() || start == late && finish == late + task.remaining
}

/// Compares the float of a task whose dates are equal.
fn compare_float(plan: &Plan, index: usize, ours: &Ours, theirs: f64, verdict: &mut Verdict) {
    let task = &plan.tasks[index];
    let float = ours::float(plan, index, ours.early[index].place, ours.late[index]);
    if task.finished().is_some() || (theirs - f64::from(float)).abs() < 0.01 {
        return;
    }
    verdict.late_differs = true;
    if task.wants_late() && theirs == 0.0 {
        verdict.late_reasons = verdict.late_reasons.with(Reason::FloatOfLate);
    } else {
        verdict.unexplained.push(format!("{}: the float differs though dates do not", task_name(index)));
    }
}
