//! The rules of Microsoft Project, as MPXJ implements them, for the early dates of one task that has not begun. They
//! use the dates of its predecessors. Each rule can be replaced by ours.

use super::day::Moment;
use super::local::Local;
use super::plan::{Demand, Kind, Link};
use super::reasons::Reason;

/// Early start and finish of the task.
pub(crate) fn dates(local: &Local<'_>) -> [Moment; 2] {
    let (task, calendar) = (local.task(), local.calendar());
    if local.mends(Reason::AsLateAsPossible) && task.wants_late() {
        return local.ours.early[local.index].moments;
    }
    let (start, finish) = reached(local);
    let start = dated(local, next_start(local, start));
    if let Some(day) = local.demanded(Demand::MustFinish) {
        return [calendar.step(day, -task.duration), day];
    }
    [start, finish.unwrap_or_else(|| calendar.step(start, task.duration))]
}

/// Where links, or without any the project, let the task start; a dated finish keeps its own date.
fn reached(local: &Local<'_>) -> (Moment, Option<Moment>) {
    let (task, calendar) = (local.task(), local.calendar());
    let project = Moment::morning(local.plan.start);
    let links = local.plan.links_to(local.index).map(|link| link_start(local, link));
    let (start, finish) = match links.max() {
        Some(start) => (start, None),
        None => match (local.demanded(Demand::StartFrom), local.demanded(Demand::FinishFrom)) {
            (Some(day), _) => (day, None),
            (_, Some(day)) => (calendar.step(day, -task.duration), Some(day)),
            _ => (calendar.next_start(project), None),
        },
    };
    match local.mends(Reason::BeforeProject) && start < project {
        true => (project, None),
        false => (start, finish),
    }
}

/// The start that a link asks for.
fn link_start(local: &Local<'_>, link: &Link) -> Moment {
    let (task, calendar) = (local.task(), local.calendar());
    let [start, finish] = local.source(link);
    let lagged = |moment: Moment| match link.elapsed {
        true => moment.plus(link.lag),
        false => calendar.step(moment, link.lag),
    };
    // A point lies between two days.
    let point = local.plan.tasks[link.from].is_point();
    let finishes = link.kind == Kind::FinishFinish || link.kind == Kind::StartFinish && point;
    let day_off = finishes && link.lag == 0 && (point || !calendar.works(finish.day()));
    if day_off && local.mends(Reason::FinishOnDayOff) {
        return local.our_start(link);
    }
    if link.kind.holds_finish() && link.elapsed && link.lag != 0 && local.mends(Reason::LagAtStart) {
        return local.our_start(link);
    }
    match link.kind {
        Kind::FinishStart => lagged(finish),
        Kind::StartStart => lagged(start),
        Kind::FinishFinish => {
            lagged(calendar.step(finish, -task.remaining)).max(Moment::morning(local.plan.start))
        }
        Kind::StartFinish => lagged(calendar.step(start, -task.duration)),
    }
}

/// A milestone stays where work ends, all else begins where work does.
fn next_start(local: &Local<'_>, moment: Moment) -> Moment {
    let calendar = local.calendar();
    match local.task().is_point() && calendar.last_finish(moment) == moment {
        true => moment,
        false => calendar.next_start(moment),
    }
}

/// The start as the task's own date moves it.
fn dated(local: &Local<'_>, start: Moment) -> Moment {
    let duration = local.task().duration;
    let begin = |demand| Some(local.calendar().step(local.demanded(demand)?, -duration));
    let after = [local.demanded(Demand::StartFrom), begin(Demand::FinishFrom)];
    let by = [local.demanded(Demand::StartBy), begin(Demand::FinishBy)];
    let start = after.into_iter().flatten().fold(start, Moment::max);
    let start = by.into_iter().flatten().fold(start, Moment::min);
    local.demanded(Demand::MustStart).unwrap_or(start)
}
