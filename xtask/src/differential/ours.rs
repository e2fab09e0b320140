//! The rules of docs/scheduling.md written down a second time, as plainly as possible: what the engine
//! should answer. Nothing of the engine is used; how other tools go about it is `microsoft` and `primavera`.

use super::calendar::Calendar;
use super::day::Moment;
use super::plan::{Demand, Kind, Link, Plan, Task};

/// Where every task of a plan belongs.
pub(crate) struct Ours {
    /// Where work begins at the earliest.
    pub(crate) early: Vec<Span>,
    /// The boundary at which the last work ends.
    pub(crate) end: i32,
    /// Where the work that is left begins at the latest.
    pub(crate) late: Vec<i32>,
}

/// A task's dates as boundaries between days, and as moments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    /// The place of the work that is left: working days of the task's calendar before it; for a point
    /// calendar days.
    pub(crate) place: i32,
    /// The boundaries that links count from: start and finish.
    ends: [i32; 2],
    /// The moments at which the work that is left begins and ends.
    pub(crate) moments: [Moment; 2],
}

/// The latest that counts as no limit.
const NEVER: i32 = i32::MAX;

impl Ours {
    /// Places all tasks.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut early: Vec<Span> = Vec::with_capacity(plan.tasks.len());
        for task in 0..plan.tasks.len() {
            let bounds = plan.links_to(task).map(|link| bound(plan, link, &early[link.from]));
            let place = bounds.fold(floor(plan, task), i32::max);
            early.push(span(plan, task, place.min(cap(plan, task)), bounds_count(plan, task)));
        }
        let end = project_end(plan, &early);
        let mut late = vec![0; plan.tasks.len()];
        for task in (0..plan.tasks.len()).rev() {
            late[task] = latest(plan, task, end, early[task].place, |next| late[next]);
        }
        delay(plan, &mut early, end);
        Self { early, end, late }
    }
}

/// Moves tasks that want to be late to where their successors let them.
fn delay(plan: &Plan, early: &mut [Span], end: i32) {
    for task in (0..plan.tasks.len()).rev() {
        if plan.tasks[task].wants_late() {
            let place = latest(plan, task, end, early[task].place, |next| early[next].place);
            early[task] = span(plan, task, place, true);
        }
    }
}

/// Whether a point at a place begins a day: nothing but its own floor holds it there.
pub(crate) fn begins_day(plan: &Plan, index: usize, place: i32) -> bool {
    plan.tasks[index].is_point() && place <= floor(plan, index)
}

fn bounds_count(plan: &Plan, task: usize) -> bool {
    plan.links_to(task).next().is_some()
}

/// The boundary at which the last work of a plan ends.
fn project_end(plan: &Plan, early: &[Span]) -> i32 {
    let finish = |(task, span): (usize, &Span)| match plan.tasks[task].is_point() {
        true if begins_day(plan, task, span.place) => span.place,
        // Any other point is over with the last day worked before it.
        true => plan.calendar(task).finish(plan.calendar(task).place(span.ends[1])),
        false => span.ends[1],
    };
    early.iter().enumerate().map(finish).max().unwrap_or(plan.start)
}

/// Where a task with a place begins and ends.
pub(crate) fn span(plan: &Plan, index: usize, place: i32, held: bool) -> Span {
    let (task, calendar) = (&plan.tasks[index], plan.calendar(index));
    let [start, finish] = ends(task, calendar, place);
    let moments = match task.is_point() {
        true if held => [Moment::evening(start - 1); 2],
        true => [Moment::morning(start); 2],
        false => [Moment::morning(start), Moment::evening(finish - 1)],
    };
    let ends = match task.begun {
        Some(begun) => [begun.start, begun.finish.map_or(finish, |last| last + 1)],
        None => [start, finish],
    };
    Span { place, ends, moments }
}

fn ends(task: &Task, calendar: &Calendar, place: i32) -> [i32; 2] {
    match task.is_point() {
        true => [place; 2],
        false => [calendar.start(place), calendar.finish(place + task.remaining)],
    }
}

/// The place of the first working day on or after a day.
fn starting(plan: &Plan, task: usize, day: i32) -> i32 {
    let place = plan.calendar(task).place(day);
    if plan.tasks[task].is_point() { plan.calendar(task).start(place) } else { place }
}

/// The place at the end of a day.
fn over(plan: &Plan, task: usize, day: i32) -> i32 {
    if plan.tasks[task].is_point() { day + 1 } else { plan.calendar(task).place(day + 1) }
}

/// The least place that a task may have by itself.
fn floor(plan: &Plan, index: usize) -> i32 {
    let task = &plan.tasks[index];
    let now = starting(plan, index, plan.data_date.unwrap_or(plan.start));
    if let Some(begun) = task.begun {
        return now.max(starting(plan, index, begun.start));
    }
    let own = match task.demand {
        Some((Demand::StartFrom | Demand::MustStart | Demand::StartOn, day)) => starting(plan, index, day),
        Some((Demand::FinishFrom, day)) => plan.calendar(index).place(day) + 1 - task.duration,
        Some((Demand::MustFinish | Demand::FinishOn, day)) => over(plan, index, day) - task.duration,
        _ => i32::MIN,
    };
    now.max(starting(plan, index, plan.start)).max(own)
}

/// The greatest place that a task's own dates let it have without being missed.
fn ceiling(plan: &Plan, index: usize) -> i32 {
    let (task, calendar) = (&plan.tasks[index], plan.calendar(index));
    let asked = match task.demand {
        _ if task.begun.is_some() => NEVER,
        Some((Demand::MustStart | Demand::StartOn, day)) => starting(plan, index, day),
        Some((Demand::StartBy, day)) => calendar.place(day + 1) - 1,
        Some((Demand::MustFinish | Demand::FinishOn | Demand::FinishBy, day)) => {
            over(plan, index, day) - task.duration
        }
        _ => NEVER,
    };
    task.deadline.map_or(asked, |day| asked.min(over(plan, index, day) - task.remaining))
}

/// The greatest place that a task is given whatever logic says.
fn cap(plan: &Plan, task: usize) -> i32 {
    let gentle = matches!(plan.tasks[task].demand, Some((Demand::StartOn | Demand::FinishOn, _)));
    if plan.honour && !gentle { ceiling(plan, task) } else { NEVER }
}

/// The least place of the successor that a link allows.
pub(crate) fn bound(plan: &Plan, link: &Link, from: &Span) -> i32 {
    let boundary = from.ends[usize::from(!link.kind.leaves_start())];
    if !plan.tasks[link.from].is_point() {
        return bound_at(plan, link, boundary, false);
    }
    // A point ends with the last day that its own calendar works before it.
    let own = plan.calendar(link.from);
    let ended = bound_at(plan, link, own.finish(own.place(boundary)), false);
    bound_at(plan, link, boundary, true).max(ended)
}

fn bound_at(plan: &Plan, link: &Link, boundary: i32, begins_day: bool) -> i32 {
    let successor = &plan.tasks[link.to];
    let calendar = plan.calendar(link.to);
    let starts = !link.kind.holds_finish() || link.kind.leaves_start() || begins_day;
    let reached = match plan.lag_calendar(link) {
        _ if link.lag == 0 => boundary,
        None => boundary + link.lag,
        // A lead from or to a start ends where work begins, all else where it ends.
        Some(counting) if link.lag < 0 && starts => counting.start(counting.place(boundary) + link.lag),
        Some(counting) => counting.finish(counting.place(boundary) + link.lag),
    };
    let counted = link.lag > 0 && plan.lag_calendar(link).is_some();
    // A finish held by a finish does not end before it; one held by a start may end with the day before.
    let whole = link.kind.holds_finish() && (counted || link.kind == Kind::FinishFinish && !begins_day);
    match (successor.is_point(), whole) {
        (true, _) => reached,
        (false, true) => calendar.finishing_at(reached) - successor.remaining,
        (false, false) if link.kind.holds_finish() => calendar.place(reached) - successor.remaining,
        (false, false) => calendar.place(reached),
    }
}

/// The last place of a task at which no successor, no date of its own and not the end moves.
fn latest(plan: &Plan, index: usize, end: i32, early: i32, place: impl Fn(usize) -> i32) -> i32 {
    if plan.tasks[index].finished().is_some() {
        return early;
    }
    let most = last_place(plan, index, end).min(ceiling(plan, index));
    let links = plan.links.iter().filter(|link| link.from == index);
    links.fold(most, |most, link| limit(plan, link, most, place(link.to)))
}

/// The last place at which a task does not move the end.
pub(crate) fn last_place(plan: &Plan, index: usize, end: i32) -> i32 {
    let task = &plan.tasks[index];
    if task.is_point() { end } else { plan.calendar(index).place(end) - task.remaining }
}

/// The last place of a link's predecessor, up to `most`, at which its successor stays at a place.
pub(crate) fn limit(plan: &Plan, link: &Link, most: i32, place: i32) -> i32 {
    let begun = plan.tasks[link.from].begun.is_some() && link.kind.leaves_start();
    if begun || plan.tasks[link.to].finished().is_some() {
        return most;
    }
    let mut at = most;
    while bound(plan, link, &span(plan, link.from, at, true)) > place {
        at -= 1;
    }
    at
}
