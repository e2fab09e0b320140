//! What the rules of Microsoft Project, as MPXJ has them, give as late dates of one task, from the late
//! dates of the tasks behind it.

use super::answers::TheirTask;
use super::day::Moment;
use super::plan::{Demand, Kind, Link, Plan};

/// Late start and finish of a task that is not finished.
pub(crate) fn dates(plan: &Plan, index: usize, theirs: &[TheirTask], end: Moment) -> [Moment; 2] {
    let (task, calendar) = (&plan.tasks[index], plan.calendar(index));
    let links = plan.links.iter().filter(|link| link.from == index);
    let finish = links.map(|link| finish_by(plan, link, theirs)).fold(end, Moment::min);
    let started = |day| calendar.step(Moment::morning(day), task.duration);
    let finish = match task.demand {
        Some((Demand::MustStart, day)) => started(day),
        Some((Demand::MustFinish, day)) => Moment::evening(day),
        Some((Demand::StartBy, day)) => finish.min(started(day)),
        Some((Demand::FinishBy, day)) => finish.min(Moment::evening(day)),
        _ => finish,
    };
    let finish = task.deadline.map_or(finish, |day| finish.min(Moment::evening(day)));
    let finish = calendar.last_finish(finish);
    [calendar.step(finish, -task.remaining), finish]
}

/// The finish that a link asks for.
fn finish_by(plan: &Plan, link: &Link, theirs: &[TheirTask]) -> Moment {
    let (own, duration) = (plan.calendar(link.from), plan.tasks[link.from].duration);
    let [start, finish] = theirs[link.to].late;
    let without_lag = |moment: Moment| match link.elapsed {
        true => moment.plus(-link.lag),
        false => plan.calendar(link.to).step(moment, -link.lag),
    };
    match link.kind {
        Kind::FinishStart => without_lag(start),
        Kind::StartStart => own.step(without_lag(own.next_start(start)), duration),
        Kind::FinishFinish => without_lag(finish),
        Kind::StartFinish => without_lag(own.step(finish, duration)),
    }
}
