//! The rules of Primavera P6, as MPXJ implements them, for the early dates of one task that is not complete. They use
//! the dates of its predecessors. Each rule can be replaced by ours.

use super::day::Moment;
use super::local::Local;
use super::plan::{Begun, Demand, Kind, Link};
use super::reasons::Reason;

/// What a link asks for: a start, and sometimes a finish that the start does not imply.
#[derive(Clone, Copy)]
struct Asked {
    start: Moment,
    finish: Option<Moment>,
}

/// Early start and finish of the work that is left.
pub(crate) fn dates(local: &Local<'_>) -> [Moment; 2] {
    let (task, calendar) = (local.task(), local.calendar());
    if task.wants_late() {
        return local.ours.early[local.index].moments;
    }
    if task.begun.is_some() {
        let start = calendar.next_start(driving(local).map_or(local.now(), |link| link.start));
        let start = start.max(calendar.next_start(local.now()));
        return [start, calendar.step(start, task.remaining)];
    }
    let asked = dated(local, reached(local));
    let mut start = asked.start;
    let held = local.plan.links_to(local.index).next().is_some();
    // A finish milestone may stand where work ends.
    if !(task.is_point() && held && calendar.last_finish(start) == start) {
        start = calendar.next_start(start);
    }
    if task.is_point() && !held {
        return [start; 2];
    }
    let finish = asked.finish.filter(|_| !local.mends(Reason::LooseFinish));
    let must = local.demanded(Demand::MustFinish);
    [start, must.or(finish).unwrap_or_else(|| calendar.step(start, task.duration))]
}

/// The first of the links that ask for the latest start.
fn driving(local: &Local<'_>) -> Option<Asked> {
    let links = local.plan.links_to(local.index).map(|link| asked(local, link));
    links.reduce(|first, next| {
        let later = local.calendar().next_start(next.start) > local.calendar().next_start(first.start);
        if later { next } else { first }
    })
}

/// Where links, or without any the project, let the task start.
fn reached(local: &Local<'_>) -> Asked {
    let (task, calendar, now) = (local.task(), local.calendar(), local.now());
    let project = Asked { start: now, finish: None };
    if let Some(link) = driving(local) {
        return if link.start < now { project } else { link };
    }
    let Some(day) = local.demanded(Demand::FinishFrom) else { return project };
    let finish = if calendar.works(day.day()) { day } else { calendar.next_start(day) };
    let start = calendar.step(finish, -task.duration);
    match local.mends(Reason::BeforeProject) && start < now {
        true => project,
        false => Asked { start, finish: Some(finish) },
    }
}

/// What is asked as the task's own date changes it.
fn dated(local: &Local<'_>, asked: Asked) -> Asked {
    let (task, calendar) = (local.task(), local.calendar());
    let begin = |day| calendar.step(day, -task.duration);
    match task.demand.map(|demand| (demand.0, local.demanded(demand.0))) {
        Some((Demand::StartFrom, Some(day))) => {
            let same_day = asked.start.day() == day.day() && !local.mends(Reason::DateOverLink);
            if asked.start < day || same_day { Asked { start: day, ..asked } } else { asked }
        }
        Some((Demand::FinishFrom, Some(day))) if asked.start < begin(day) => {
            Asked { start: begin(day), finish: None }
        }
        Some((Demand::MustStart, Some(day))) => Asked { start: day, ..asked },
        Some((Demand::StartOn, Some(day))) if asked.start < day => {
            Asked { start: calendar.next_start(day), ..asked }
        }
        Some((Demand::MustFinish, Some(day))) => Asked { start: begin(day), finish: Some(day) },
        Some((Demand::FinishOn, Some(day))) if asked.start < begin(day) => {
            Asked { start: begin(day), finish: Some(calendar.last_finish(day)) }
        }
        _ => asked,
    }
}

/// What a link asks for.
fn asked(local: &Local<'_>, link: &Link) -> Asked {
    let from = &local.plan.tasks[link.from];
    if way(local, link).is_some_and(|reason| local.mends(reason)) {
        return Asked { start: local.our_start(link), finish: None };
    }
    match (from.begun, link.kind) {
        (Some(begun), Kind::StartStart) => after_begun_start(local, link, begun),
        (Some(Begun { finish: Some(last), .. }), Kind::FinishStart) => {
            after_finished(local, link, Moment::evening(last))
        }
        _ => after_open(local, link),
    }
}

/// The way of theirs that a link may meet.
fn way(local: &Local<'_>, link: &Link) -> Option<Reason> {
    let from = &local.plan.tasks[link.from];
    let own = local.plan.lag_calendar(link).is_some_and(|calendar| std::ptr::eq(calendar, local.calendar()));
    let day_off = !local.calendar().works(lagged(local, link, local.source(link)[1], link.lag).day());
    match link.kind {
        Kind::FinishStart if from.finished().is_some() => Some(Reason::FinishedWork),
        Kind::StartStart if from.finished().is_some() => Some(Reason::FinishedWork),
        Kind::StartStart if from.begun.is_some() => Some(Reason::BegunWork),
        Kind::StartStart if link.lag == 0 && local.task().begun.is_none() => Some(Reason::StartWithoutLag),
        Kind::FinishFinish if link.lag >= 0 && (day_off || from.is_point()) => Some(Reason::FinishOnDayOff),
        Kind::FinishFinish if link.lag < 0 && !own => Some(Reason::LeadToFinish),
        Kind::StartFinish if link.lag == 0 && from.is_point() => Some(Reason::FinishOnDayOff),
        Kind::StartFinish if link.lag != 0 && !own => Some(Reason::LagAtStart),
        _ => None,
    }
}

/// A moment and some lag, a lead not going before the data date.
fn lagged(local: &Local<'_>, link: &Link, moment: Moment, lag: i32) -> Moment {
    let reached = match local.plan.lag_calendar(link) {
        Some(calendar) => calendar.step(moment, lag),
        None => moment.plus(lag),
    };
    if lag < 0 { reached.max(local.now()) } else { reached }
}

/// The successor of work that has not begun, or of the finish of work in progress.
fn after_open(local: &Local<'_>, link: &Link) -> Asked {
    let (task, calendar) = (local.task(), local.calendar());
    let [start, finish] = local.source(link);
    let ends = lagged(local, link, finish, link.lag);
    let only = |start| Asked { start, finish: None };
    match link.kind {
        Kind::FinishStart => only(ends),
        Kind::StartStart if link.lag == 0 && task.begun.is_none() => {
            only(match local.plan.lag_calendar(link) {
                Some(counting) => counting.next_start(start),
                None => start,
            })
        }
        Kind::StartStart => only(lagged(local, link, start, link.lag)),
        Kind::FinishFinish => {
            let held =
                if link.lag < 0 || calendar.works(ends.day()) { ends } else { calendar.next_start(ends) };
            let start = calendar.step(ends, -task.remaining);
            Asked { start, finish: Some(held).filter(|_| link.lag <= 0) }
        }
        Kind::StartFinish => {
            let begins = lagged(local, link, calendar.step(start, -task.duration), link.lag);
            let moves = link.lag != 0 && begins > local.now();
            Asked { start: begins, finish: moves.then(|| lagged(local, link, start, link.lag)) }
        }
    }
}

/// What starts after the start of work that has begun: it counts from the rest of it.
fn after_begun_start(local: &Local<'_>, link: &Link, begun: Begun) -> Asked {
    let [rest, _] = local.source(link);
    let first = Moment::morning(begun.start);
    let start = if begun.finish.is_some() {
        let reached = lagged(local, link, first, link.lag);
        let counts = match local.task().begun {
            None if link.lag < 0 => reached > local.now(),
            None => reached >= local.now(),
            Some(_) => link.lag > 0 && reached >= local.now(),
        };
        if counts { reached } else { rest }
    } else {
        let worked = local.plan.calendar(link.from).between(first, local.now());
        let passed = link.lag <= worked || worked == 0 && local.task().begun.is_none();
        if link.lag <= 0 || passed { rest } else { lagged(local, link, rest, link.lag - worked) }
    };
    Asked { start, finish: None }
}

/// What starts after finished work: where that would stand if it were not, with what is left of the lag.
fn after_finished(local: &Local<'_>, link: &Link, last: Moment) -> Asked {
    let [_, finish] = local.source(link);
    let passed = match local.plan.lag_calendar(link) {
        Some(calendar) => calendar.between(last, local.now()),
        None => local.now().boundary() - last.boundary(),
    };
    let left = link.lag - passed;
    let start = if link.lag > 0 && left > 0 { lagged(local, link, finish, left) } else { finish };
    Asked { start, finish: None }
}
