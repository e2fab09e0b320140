//! The rules of Microsoft Project, as MPXJ implements them, for the late dates of one task. They use the late dates
//! of its successors.

use super::behind::Behind;
use super::day::Moment;
use super::plan::{Demand, Kind, Link};
use super::reasons::Reason;

/// Late start and finish of a task that is not finished.
pub(crate) fn dates(behind: &Behind<'_>) -> [Moment; 2] {
    let (task, calendar) = (behind.task(), behind.calendar());
    let finish = behind.links().map(|link| finish_by(behind, link)).fold(behind.end(), Moment::min);
    let started = |day| calendar.step(behind.start_day(day), task.duration);
    let must = |day: Moment| if behind.mended.has(Reason::MustDate) { day.min(finish) } else { day };
    let finish = match task.demand {
        Some((Demand::MustStart, day)) => must(started(day)),
        Some((Demand::MustFinish, day)) => must(Moment::evening(day)),
        Some((Demand::StartBy, day)) => finish.min(started(day)),
        Some((Demand::FinishBy, day)) => finish.min(Moment::evening(day)),
        _ => finish,
    };
    let finish = task.deadline.map_or(finish, |day| finish.min(Moment::evening(day)));
    let finish = calendar.last_finish(finish);
    [calendar.step(finish, -task.remaining), finish]
}

/// The finish that a link asks for.
fn finish_by(behind: &Behind<'_>, link: &Link) -> Moment {
    let (plan, own, duration) = (behind.plan, behind.calendar(), behind.task().duration);
    let [start, finish] = (behind.late)(link.to);
    let without_lag = |moment: Moment| match link.elapsed {
        true => moment.plus(-link.lag),
        false => plan.calendar(link.to).step(moment, -link.lag),
    };
    let starts = without_lag(own.next_start(start));
    if let Some([_, finish]) = behind.mended(link, starts) {
        return finish;
    }
    match link.kind {
        Kind::FinishStart => without_lag(start),
        Kind::StartStart => own.step(starts, duration),
        Kind::FinishFinish => without_lag(finish),
        Kind::StartFinish => without_lag(own.step(finish, duration)),
    }
}
