//! What the rules of Primavera P6, as MPXJ has them, give as late dates of one task, from the late dates
//! of the tasks behind it.

use super::answers::TheirTask;
use super::day::Moment;
use super::plan::{Demand, Kind, Link, Plan};

/// What a link asks for: a finish, and sometimes a start that the finish does not imply.
#[derive(Clone, Copy)]
struct Asked {
    finish: Moment,
    start: Option<Moment>,
}

/// Late start and finish of a task that is not finished.
pub(crate) fn dates(plan: &Plan, index: usize, theirs: &[TheirTask], end: Moment) -> [Moment; 2] {
    let (task, calendar) = (&plan.tasks[index], plan.calendar(index));
    let links = plan.links.iter().filter(|link| link.from == index);
    let asked = links.map(|link| asked(plan, link, theirs)).reduce(|first, next| {
        // The first of equals counts.
        if next.finish < first.finish { next } else { first }
    });
    let open = Asked { finish: end, start: None };
    let asked = match asked {
        Some(asked) if asked.finish > end => Asked { finish: calendar.last_finish(end), ..open },
        Some(asked) => asked,
        None => open,
    };
    let Asked { finish, start } = dated(plan, index, asked);
    let held = plan.links_to(index).next().is_some();
    let finish = if task.is_point() && !held { finish } else { calendar.last_finish(finish) };
    let start = start.unwrap_or_else(|| {
        let start = calendar.step(finish, -task.remaining);
        if task.is_point() { start } else { calendar.next_start(start) }
    });
    [start, finish]
}

/// What is asked as the task's own date changes it.
fn dated(plan: &Plan, index: usize, asked: Asked) -> Asked {
    let (task, calendar) = (&plan.tasks[index], plan.calendar(index));
    let Some((demand, day)) = task.demand else { return asked };
    let started = calendar.step(Moment::morning(day), task.duration);
    let finished = Moment::evening(day);
    match demand {
        Demand::StartOn if asked.finish > started => {
            Asked { finish: started, start: asked.start.map(|_| Moment::morning(day)) }
        }
        Demand::MustStart => Asked { finish: started, ..asked },
        Demand::MustFinish => Asked { finish: finished, ..asked },
        Demand::StartBy if asked.finish > started => Asked { finish: started, ..asked },
        Demand::FinishOn | Demand::FinishBy if asked.finish > finished => {
            Asked { finish: finished, start: None }
        }
        _ => asked,
    }
}

/// What a link asks for.
fn asked(plan: &Plan, link: &Link, theirs: &[TheirTask]) -> Asked {
    let (from, to, own) = (&plan.tasks[link.from], &plan.tasks[link.to], plan.calendar(link.from));
    let [start, finish] = theirs[link.to].late;
    let only = |finish| Asked { finish, start: None };
    match link.kind {
        Kind::FinishFinish => only(without(plan, link, finish, link.lag)),
        Kind::StartFinish => only(without(plan, link, own.step(finish, from.duration), link.lag)),
        Kind::StartStart => start_by(plan, link, start),
        Kind::FinishStart if to.finished().is_some() => only(start),
        Kind::FinishStart if link.lag == 0 && from.begun.is_none() && to.begun.is_none() => {
            only(if own.works(start.day()) { start } else { own.last_finish(start) })
        }
        Kind::FinishStart => {
            // A lead that begun work was to have is over once some of it is done.
            let over = link.lag < 0 && from.begun.is_some() && worked(plan, link.to) > 0;
            only(if over { start } else { without(plan, link, start, link.lag) })
        }
    }
}

/// What a link between starts asks for.
fn start_by(plan: &Plan, link: &Link, start: Moment) -> Asked {
    let (from, to, own) = (&plan.tasks[link.from], &plan.tasks[link.to], plan.calendar(link.from));
    let back = without(plan, link, start, link.lag);
    let (start, given) = match (from.begun, to.begun) {
        (None, None) if link.lag == 0 => {
            let start = if own.works(start.day()) { start } else { nearest(plan, link.from, start) };
            (start, Some(start))
        }
        (None, None) => (own.next_start(back), Some(back).filter(|_| link.lag < 0)),
        (None, Some(_)) => (back, None),
        (Some(_), Some(begun)) if begun.finish.is_some() => (start, Some(start).filter(|_| link.lag >= 0)),
        (Some(_), _) if link.lag <= 0 => (start, None),
        (Some(_), next) => {
            let left = link.lag - worked(plan, link.from);
            if left > 0 { (without(plan, link, start, left), None) } else { (start, next.map(|_| start)) }
        }
    };
    Asked { finish: own.step(start, from.remaining), start: given }
}

/// A moment, some lag earlier.
fn without(plan: &Plan, link: &Link, moment: Moment, lag: i32) -> Moment {
    match plan.lag_calendar(link) {
        Some(calendar) => calendar.step(moment, -lag),
        None => moment.plus(-lag),
    }
}

/// Days worked on a task until the data date.
fn worked(plan: &Plan, index: usize) -> i32 {
    let now = Moment::morning(plan.data_date.unwrap_or(plan.start));
    let begun = plan.tasks[index].begun;
    begun.map_or(0, |begun| plan.calendar(index).between(Moment::morning(begun.start), now))
}

/// The nearer of the last evening and the next morning of work.
fn nearest(plan: &Plan, index: usize, moment: Moment) -> Moment {
    let (last, next) = (plan.calendar(index).last_finish(moment), plan.calendar(index).next_start(moment));
    if moment.hours() - last.hours() < next.hours() - moment.hours() { last } else { next }
}
