//! Compares the answers about one plan and finds the reasons for differences. A reason counts only if the rule of the
//! other tool gives its own answer, and the rule without this reason gives our answer.

use super::answers::{OurTask, TheirTask};
use super::day::Moment;
use super::local::Local;
use super::ours::{self, Ours};
use super::plan::{Plan, Tool, task_name};
use super::reasons::{Reason, Reasons};
use super::{late, microsoft, primavera};

/// The result for one plan and one tool.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict {
    /// Whether some early dates differ.
    pub(crate) differs: bool,
    /// Whether some late dates or floats differ, though all early dates are equal.
    pub(crate) late_differs: bool,
    /// Why early dates differ.
    pub(crate) reasons: Reasons,
    /// Why late dates or floats differ.
    pub(crate) late_reasons: Reasons,
    /// What no reason explains.
    pub(crate) unexplained: Vec<String>,
}

/// What is wrong in the engine's answer by the rules as they are written down in `ours`.
pub(crate) fn check_engine(plan: &Plan, ours: &Ours, answer: &[OurTask]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (index, (task, said)) in plan.tasks.iter().zip(answer).enumerate() {
        let name = task_name(index);
        let calendar = plan.calendar(index);
        if let Some(finished) = task.finished() {
            if said.early != [finished.0, finished.1] {
                wrong.push(format!("{name}: finished work has other dates than it had"));
            }
            continue;
        }
        let (early, late) = (ours.early[index].place, ours.late[index]);
        let float = ours::float(plan, index, early, late);
        let right = if task.is_point() {
            let (early, late) = (Moment::of(early), Moment::of(late));
            // What is early in an evening is shown as late in one.
            let late = if early.is_evening() { calendar.last_finish(late) } else { late };
            [
                said.early == [early.day(); 2] && said.end == early.is_evening(),
                said.late == [late.day(); 2] && said.float == float,
            ]
        } else {
            let days = |place: i32| [calendar.start(place), calendar.finish(place + task.remaining) - 1];
            [said.early == days(early), said.late == days(late) && said.float == float]
        };
        if !right[0] {
            wrong.push(format!("{name}: the engine's early dates are not those of our rules"));
        }
        if !right[1] {
            wrong.push(format!("{name}: the engine's late dates or float are not those of our rules"));
        }
    }
    wrong
}

/// Compares one tool with us.
pub(crate) fn judge(plan: &Plan, tool: Tool, ours: &Ours, theirs: &[TheirTask]) -> Verdict {
    let mut verdict = Verdict::default();
    let differs: Vec<bool> = (0..plan.tasks.len()).map(|task| !same(plan, task, ours, theirs)).collect();
    verdict.differs = differs.contains(&true);
    for index in (0..plan.tasks.len()).filter(|index| plan.tasks[*index].finished().is_none()) {
        let name = task_name(index);
        if rule(plan, tool, index, ours, Some(theirs), Reasons::default()) != theirs[index].early {
            verdict.unexplained.push(format!("{name}: {} did not follow its rules", tool.name()));
        }
        if !is_ours(plan, index, ours, rule(plan, tool, index, ours, None, Reasons::of(&Reason::EARLY))) {
            verdict.unexplained.push(format!("{name}: the rules of {}, mended, are not ours", tool.name()));
        }
        let begins = differs[index] && plan.links_to(index).all(|link| !differs[link.from]);
        if !begins {
            continue;
        }
        let gives_ours =
            |mended| is_ours(plan, index, ours, rule(plan, tool, index, ours, Some(theirs), mended));
        match Reasons::fewest(&Reason::EARLY, gives_ours) {
            Some(reasons) => verdict.reasons = verdict.reasons.and(reasons),
            None => verdict.unexplained.push(format!("{name}: early dates differ for no reason")),
        }
    }
    late::check_rules(plan, tool, ours, theirs, &mut verdict);
    if !verdict.differs {
        late::compare(plan, tool, ours, theirs, &mut verdict);
    }
    verdict
}

/// The result of a tool's rules for a task, from its own answers for the predecessors, or from ours.
fn rule(
    plan: &Plan,
    tool: Tool,
    index: usize,
    ours: &Ours,
    theirs: Option<&[TheirTask]>,
    mended: Reasons,
) -> [Moment; 2] {
    let lazy = |task: usize| plan.tasks[task].wants_late();
    let before = |task: usize| match theirs {
        // For Microsoft what wants to be late has early dates that hold nothing.
        Some(answers) if tool == Tool::Microsoft && lazy(task) && !lazy(index) => answers[task].late,
        Some(answers) => answers[task].early,
        None => ours.early[task].moments,
    };
    let local = Local { plan, index, ours, before: &before, mended };
    match tool {
        Tool::Microsoft => microsoft::dates(&local),
        Tool::Primavera => primavera::dates(&local),
    }
}

/// Whether a task has the same early dates in both.
fn same(plan: &Plan, index: usize, ours: &Ours, theirs: &[TheirTask]) -> bool {
    plan.tasks[index].finished().is_some() || is_ours(plan, index, ours, theirs[index].early)
}

/// Whether dates are where we put the task. A point may be shown anywhere between the same working days.
fn is_ours(plan: &Plan, index: usize, ours: &Ours, dates: [Moment; 2]) -> bool {
    let calendar = plan.calendar(index);
    let place = |moment: Moment| calendar.place(moment.boundary());
    match plan.tasks[index].is_point() {
        true => dates.iter().all(|date| place(*date) == ours::own(plan, index, ours.early[index].place)),
        false => dates == ours.early[index].moments,
    }
}

#[cfg(test)]
mod tests {
    use super::super::calendar::Calendar;
    use super::super::day::MONDAY;
    use super::super::plan::{Kind, LagCalendar, Link, Task};
    use super::*;

    /// Two days of work, and three that may begin five days before these are over.
    fn plan() -> Plan {
        let task = |duration| Task {
            duration,
            calendar: 0,
            demand: None,
            deadline: None,
            begun: None,
            remaining: duration,
        };
        Plan {
            group: "",
            against: &Tool::ALL,
            start: MONDAY,
            data_date: None,
            honour: false,
            lag_calendar: LagCalendar::Successor,
            calendars: vec![Calendar::new(0b001_1111, Vec::new())],
            tasks: vec![task(2), task(3)],
            links: vec![Link { from: 0, to: 1, kind: Kind::FinishStart, lag: -5, elapsed: false }],
        }
    }

    fn their(early: [i32; 2], late: [i32; 2], float: f64) -> TheirTask {
        let span =
            |[first, last]: [i32; 2]| [Moment::morning(MONDAY + first), Moment::evening(MONDAY + last)];
        TheirTask { early: span(early), late: span(late), float }
    }

    fn our(early: [i32; 2], late: [i32; 2], float: i32) -> OurTask {
        let days = |[first, last]: [i32; 2]| [MONDAY + first, MONDAY + last];
        OurTask { early: days(early), late: days(late), end: false, float }
    }

    #[test]
    fn a_lead_before_the_project_is_a_reason_for_one_tool_and_a_fault_of_the_other() {
        let plan = plan();
        let ours = Ours::of(&plan);
        let answer = [their([0, 1], [0, 1], 0.0), their([-5, -3], [-3, 1], 2.0)];
        let verdict = judge(&plan, Tool::Microsoft, &ours, &answer);
        assert!(verdict.differs && verdict.unexplained.is_empty(), "{:?}", verdict.unexplained);
        assert_eq!(verdict.reasons, Reasons::of(&[Reason::BeforeProject]));
        assert!(!judge(&plan, Tool::Primavera, &ours, &answer).unexplained.is_empty());
    }

    #[test]
    fn a_date_that_no_rule_gives_is_not_explained() {
        let plan = plan();
        let answer = [their([0, 1], [0, 1], 0.0), their([1, 3], [-3, 1], 2.0)];
        let verdict = judge(&plan, Tool::Microsoft, &Ours::of(&plan), &answer);
        assert!(verdict.unexplained.contains(&"T1: microsoft did not follow its rules".to_owned()));
    }

    #[test]
    fn an_engine_that_is_a_day_off_is_noticed() {
        let plan = plan();
        let ours = Ours::of(&plan);
        let right = [our([0, 1], [1, 2], 1), our([0, 2], [0, 2], 0)];
        assert_eq!(check_engine(&plan, &ours, &right), Vec::<String>::new());
        for wrong in [our([0, 1], [0, 1], 0), our([1, 2], [1, 2], 1), our([0, 2], [1, 2], 1)] {
            assert_eq!(check_engine(&plan, &ours, &[wrong, right[1]]).len(), 1);
        }
    }
}
