//! The rules of Primavera P6, as MPXJ implements them, for the late dates of one task. They use the late dates of its
//! successors.

use super::behind::Behind;
use super::day::Moment;
use super::plan::{Demand, Kind, Link};
use super::reasons::Reason;

/// What a link asks for: a finish, and sometimes a start that the finish does not imply.
#[derive(Clone, Copy)]
struct Asked {
    finish: Moment,
    start: Option<Moment>,
}

/// Late start and finish of a task that is not finished.
pub(crate) fn dates(behind: &Behind<'_>) -> [Moment; 2] {
    let (task, calendar, end) = (behind.task(), behind.calendar(), behind.end());
    let asked = behind.links().map(|link| asked(behind, link)).reduce(|first, next| {
        // The first of equals counts.
        if next.finish < first.finish { next } else { first }
    });
    let open = Asked { finish: end, start: None };
    let asked = match asked {
        Some(asked) if asked.finish > end => Asked { finish: calendar.last_finish(end), ..open },
        Some(asked) => asked,
        None => open,
    };
    let Asked { finish, start } = dated(behind, asked);
    let held = behind.plan.links_to(behind.index).next().is_some();
    let finish = if task.is_point() && !held { finish } else { calendar.last_finish(finish) };
    let start = start.unwrap_or_else(|| {
        let start = calendar.step(finish, -task.remaining);
        if task.is_point() { start } else { calendar.next_start(start) }
    });
    [start, finish]
}

/// What is asked as the task's own date changes it.
fn dated(behind: &Behind<'_>, asked: Asked) -> Asked {
    let (task, calendar) = (behind.task(), behind.calendar());
    let Some((demand, day)) = task.demand else { return asked };
    let started = calendar.step(behind.start_day(day), task.duration);
    let finished = Moment::evening(day);
    let loose = asked.start.filter(|_| !behind.mended.has(Reason::LooseFinish));
    let must = |finish: Moment| match behind.mended.has(Reason::MustDate) && finish > asked.finish {
        true => asked,
        false => Asked { finish, start: loose },
    };
    match demand {
        Demand::StartOn if asked.finish > started => {
            Asked { finish: started, start: asked.start.map(|_| Moment::morning(day)) }
        }
        Demand::MustStart => must(started),
        Demand::MustFinish => must(finished),
        Demand::StartBy if asked.finish > started => Asked { finish: started, start: loose },
        Demand::FinishOn | Demand::FinishBy if asked.finish > finished => {
            Asked { finish: finished, start: None }
        }
        _ => asked,
    }
}

/// What a link asks for.
fn asked(behind: &Behind<'_>, link: &Link) -> Asked {
    let plan = behind.plan;
    let (from, to, own) = (&plan.tasks[link.from], &plan.tasks[link.to], plan.calendar(link.from));
    let [start, finish] = (behind.late)(link.to);
    if let Some([start, finish]) = behind.mended(link, without(behind, link, start, link.lag)) {
        return Asked { finish, start: Some(start) };
    }
    let only = |finish| Asked { finish, start: None };
    match link.kind {
        Kind::FinishFinish => only(without(behind, link, finish, link.lag)),
        Kind::StartFinish => only(without(behind, link, own.step(finish, from.duration), link.lag)),
        Kind::StartStart => start_by(behind, link, start),
        Kind::FinishStart if to.finished().is_some() => only(start),
        Kind::FinishStart if link.lag == 0 && from.begun.is_none() && to.begun.is_none() => {
            only(if own.works(start.day()) { start } else { own.last_finish(start) })
        }
        Kind::FinishStart => {
            // A lead that begun work was to have is over once some of it is done.
            let over = link.lag < 0 && from.begun.is_some() && worked(behind, link.to) > 0;
            only(if over { start } else { without(behind, link, start, link.lag) })
        }
    }
}

/// What a link between starts asks for.
fn start_by(behind: &Behind<'_>, link: &Link, start: Moment) -> Asked {
    let plan = behind.plan;
    let (from, to, own) = (&plan.tasks[link.from], &plan.tasks[link.to], plan.calendar(link.from));
    let back = without(behind, link, start, link.lag);
    let (start, given) = match (from.begun, to.begun) {
        (None, None) if link.lag == 0 => {
            let start = if own.works(start.day()) { start } else { nearest(behind, start) };
            (start, Some(start))
        }
        (None, None) => (own.next_start(back), Some(back).filter(|_| link.lag < 0)),
        (None, Some(_)) => (back, None),
        (Some(_), Some(begun)) if begun.finish.is_some() => (start, Some(start).filter(|_| link.lag >= 0)),
        (Some(_), _) if link.lag <= 0 => (start, None),
        (Some(_), next) => {
            let left = link.lag - worked(behind, link.from);
            if left > 0 { (without(behind, link, start, left), None) } else { (start, next.map(|_| start)) }
        }
    };
    Asked { finish: own.step(start, from.remaining), start: given }
}

/// A moment, some lag earlier.
fn without(behind: &Behind<'_>, link: &Link, moment: Moment, lag: i32) -> Moment {
    match behind.plan.lag_calendar(link) {
        Some(calendar) => calendar.step(moment, -lag),
        None => moment.plus(-lag),
    }
}

/// Days worked on a task until the data date.
fn worked(behind: &Behind<'_>, index: usize) -> i32 {
    let plan = behind.plan;
    let now = Moment::morning(plan.data_date.unwrap_or(plan.start));
    let begun = plan.tasks[index].begun;
    begun.map_or(0, |begun| plan.calendar(index).between(Moment::morning(begun.start), now))
}

/// The nearer of the last evening and the next morning of work.
fn nearest(behind: &Behind<'_>, moment: Moment) -> Moment {
    let (last, next) = (behind.calendar().last_finish(moment), behind.calendar().next_start(moment));
    if moment.hours() - last.hours() < next.hours() - moment.hours() { last } else { next }
}
