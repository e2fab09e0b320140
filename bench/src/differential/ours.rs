//! The rules of docs/scheduling.md, written a second time and as simply as possible: the expected answer of the
//! engine. It uses no code of the engine. The rules of other tools are in `microsoft` and `primavera`.

use super::day::Moment;
use super::plan::{Demand, Link, Plan};

/// Where every task of a plan belongs.
pub(crate) struct Ours {
    /// Where work begins at the earliest.
    pub(crate) early: Vec<Span>,
    /// The moment at which the last work ends.
    pub(crate) end: Moment,
    /// Where the work that is left begins at the latest.
    pub(crate) late: Vec<i32>,
}

/// A task's dates as boundaries between days, and as moments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    /// The place of the work that is left: working days of the task's calendar before it; for a point the number
    /// of its moment.
    pub(crate) place: i32,
    /// The moments that links count from: start and finish.
    ends: [Moment; 2],
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
            early.push(span(plan, task, place.min(cap(plan, task))));
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
fn delay(plan: &Plan, early: &mut [Span], end: Moment) {
    for task in (0..plan.tasks.len()).rev() {
        if plan.tasks[task].wants_late() {
            let place = latest(plan, task, end, early[task].place, |next| early[next].place);
            early[task] = span(plan, task, place);
        }
    }
}

/// The moment at which the last work of a plan ends.
fn project_end(plan: &Plan, early: &[Span]) -> Moment {
    early.iter().map(|span| span.ends[1]).max().unwrap_or(Moment::morning(plan.start))
}

/// Where a task with a place begins and ends.
pub(crate) fn span(plan: &Plan, index: usize, place: i32) -> Span {
    let (task, calendar) = (&plan.tasks[index], plan.calendar(index));
    let moments = match task.is_point() {
        true => [Moment::of(place); 2],
        false => {
            let finish = calendar.finish(place + task.remaining);
            [Moment::morning(calendar.start(place)), Moment::evening(finish - 1)]
        }
    };
    let ends = match task.begun {
        Some(begun) => [Moment::morning(begun.start), begun.finish.map_or(moments[1], Moment::evening)],
        None => moments,
    };
    Span { place, ends, moments }
}

/// The place of a task a little earlier.
fn before(plan: &Plan, index: usize, place: i32) -> i32 {
    match plan.tasks[index].is_point() {
        true => plan.calendar(index).point_by(Moment::of(place - 1)).number(),
        false => place - 1,
    }
}

/// Working days from a place of a task to another; a point that ought to lie in the evening before its morning is a
/// day too late.
pub(crate) fn float(plan: &Plan, index: usize, from: i32, to: i32) -> i32 {
    let days = own(plan, index, to) - own(plan, index, from);
    if plan.tasks[index].is_point() && to < from { days.min(-1) } else { days }
}

/// A place as working days on the calendar of the task.
pub(crate) fn own(plan: &Plan, index: usize, place: i32) -> i32 {
    match plan.tasks[index].is_point() {
        true => plan.calendar(index).place(Moment::of(place).boundary()),
        false => place,
    }
}

/// The place of the first working day on or after a day.
fn starting(plan: &Plan, task: usize, day: i32) -> i32 {
    let calendar = plan.calendar(task);
    match plan.tasks[task].is_point() {
        true => calendar.next_start(Moment::morning(day)).number(),
        false => calendar.place(day),
    }
}

/// The last place that is over by the end of a day.
fn over(plan: &Plan, task: usize, day: i32) -> i32 {
    let calendar = plan.calendar(task);
    match plan.tasks[task].is_point() {
        true => calendar.point_by(Moment::evening(day)).number(),
        false => calendar.place(day + 1),
    }
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
        Some((Demand::FinishFrom, day)) if task.is_point() => {
            plan.calendar(index).point_from(Moment::evening(day)).number()
        }
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
        Some((Demand::StartBy, day)) if task.is_point() => calendar.point_by(Moment::morning(day)).number(),
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
    let moment = from.ends[usize::from(!link.kind.leaves_start())];
    let by_moment = bound_at(plan, link, moment);
    if !plan.tasks[link.from].is_point() || moment.is_evening() {
        return by_moment;
    }
    // From a morning a finish holds as well as from the evening before.
    by_moment.max(bound_at(plan, link, plan.calendar(link.from).last_finish(moment)))
}

fn bound_at(plan: &Plan, link: &Link, moment: Moment) -> i32 {
    let successor = &plan.tasks[link.to];
    let calendar = plan.calendar(link.to);
    let starts = !link.kind.holds_finish() || link.kind.leaves_start();
    let reached = match plan.lag_calendar(link) {
        _ if link.lag == 0 => moment,
        None => moment.plus(link.lag),
        // A lead from or to a start ends where work begins, all else where it ends.
        Some(counting) if link.lag < 0 && starts => {
            Moment::morning(counting.start(counting.place(moment.boundary()) + link.lag))
        }
        Some(counting) => Moment::evening(counting.finish(counting.place(moment.boundary()) + link.lag) - 1),
    };
    match (successor.is_point(), link.kind.holds_finish()) {
        (true, _) => calendar.point_from(reached).number(),
        (false, false) => calendar.place(reached.boundary()),
        // A finish is not before an evening; before a morning there may be days off.
        (false, true) if reached.is_evening() => {
            calendar.finishing_at(reached.boundary()) - successor.remaining
        }
        (false, true) => calendar.place(reached.boundary()) - successor.remaining,
    }
}

/// The last place of a task at which no successor, no date of its own and not the end moves.
fn latest(plan: &Plan, index: usize, end: Moment, early: i32, place: impl Fn(usize) -> i32) -> i32 {
    if plan.tasks[index].finished().is_some() {
        return early;
    }
    let most = last_place(plan, index, end).min(ceiling(plan, index));
    let links = plan.links.iter().filter(|link| link.from == index);
    links.fold(most, |most, link| limit(plan, link, most, place(link.to)))
}

/// The last place at which a task does not move the end.
pub(crate) fn last_place(plan: &Plan, index: usize, end: Moment) -> i32 {
    let (task, calendar) = (&plan.tasks[index], plan.calendar(index));
    match task.is_point() {
        true => calendar.point_by(end).number(),
        false => calendar.place(end.boundary()) - task.remaining,
    }
}

/// The last place of a link's predecessor, up to `most`, at which its successor stays at a place.
pub(crate) fn limit(plan: &Plan, link: &Link, most: i32, place: i32) -> i32 {
    let begun = plan.tasks[link.from].begun.is_some() && link.kind.leaves_start();
    if begun || plan.tasks[link.to].finished().is_some() {
        return most;
    }
    let mut at = most;
    while bound(plan, link, &span(plan, link.from, at)) > place {
        at = before(plan, link.from, at);
    }
    at
}
