//! One task of a plan with its successors: the input of a tool's rule for late dates.

use super::calendar::Calendar;
use super::day::Moment;
use super::ours::{self, Ours};
use super::plan::{Demand, Kind, Link, Plan, Task};
use super::reasons::{Reason, Reasons};

/// A task, the late dates of the tasks behind it, and which of the other tool's ways are replaced by ours.
pub(crate) struct Behind<'a> {
    /// The plan.
    pub(crate) plan: &'a Plan,
    /// The task's place in it.
    pub(crate) index: usize,
    /// Where our rules put all tasks.
    pub(crate) ours: &'a Ours,
    /// Late start and finish of each task, in the eyes of the tool.
    pub(crate) late: &'a dyn Fn(usize) -> [Moment; 2],
    /// When the project ends, in the eyes of the tool.
    pub(crate) end: Moment,
    /// Ways that are replaced by ours.
    pub(crate) mended: Reasons,
}

impl Behind<'_> {
    /// The task itself.
    pub(crate) fn task(&self) -> &Task {
        &self.plan.tasks[self.index]
    }

    /// The calendar of the task.
    pub(crate) fn calendar(&self) -> &Calendar {
        self.plan.calendar(self.index)
    }

    /// The links that leave the task.
    pub(crate) fn links(&self) -> impl Iterator<Item = &Link> {
        self.plan.links.iter().filter(|link| link.from == self.index)
    }

    /// When the project ends.
    pub(crate) fn end(&self) -> Moment {
        let finished = self.plan.tasks.iter().any(|task| task.finished().is_some());
        // Finished work and milestones of theirs may stand behind all that ours has.
        let reason = if finished { Reason::FinishedWork } else { Reason::Milestone };
        if self.mended.has(reason) { self.ours.end } else { self.end }
    }

    /// The day by which a demand wants the task to start; on a day off the last day worked before, if
    /// that is to be mended.
    pub(crate) fn start_day(&self, day: i32) -> Moment {
        let calendar = self.calendar();
        let morning = Moment::morning(day);
        match (self.mended.has(Reason::DateOnDayOff), self.task().demanded(Demand::StartBy)) {
            (true, Some(_)) if !calendar.works(day) => Moment::morning(calendar.last_finish(morning).day()),
            _ => morning,
        }
    }

    /// Start and finish that our rules want because of a link, if its way is to be mended.
    pub(crate) fn mended(&self, link: &Link, start: Moment) -> Option<[Moment; 2]> {
        self.way(link, start).filter(|reason| self.mended.has(*reason))?;
        let most = ours::last_place(self.plan, self.index, self.ours.end);
        let place = ours::limit(self.plan, link, most, self.ours.late[link.to]);
        Some(ours::span(self.plan, self.index, place).moments)
    }

    /// The way of theirs that a link may meet, `start` being the start that it asks for.
    fn way(&self, link: &Link, start: Moment) -> Option<Reason> {
        let (from, to) = (&self.plan.tasks[link.from], &self.plan.tasks[link.to]);
        let [next, _] = (self.late)(link.to);
        let across = from.calendar != to.calendar;
        // A milestone stands between days, and where exactly matters as soon as calendars differ.
        let mixed = self.plan.calendars.len() > 1;
        let counting = self.plan.lag_calendar(link);
        let own = counting.is_some_and(|calendar| std::ptr::eq(calendar, self.calendar()));
        let elsewhere = link.lag != 0 && (across || !own);
        let works = |moment: Moment| self.calendar().works(moment.day());
        let day_off = !works(start) || !works(next);
        // What cannot begin then was itself put to the end of the work before.
        let rounded = self.plan.calendar(link.to).next_start(next) != next;
        match link.kind {
            _ if to.finished().is_some() => Some(Reason::FinishedWork),
            _ if from.begun.is_some() || to.begun.is_some() => Some(Reason::BegunWork),
            _ if mixed && (from.is_point() || to.is_point()) => Some(Reason::Milestone),
            Kind::StartStart if day_off || rounded => Some(Reason::RoundedStart),
            Kind::FinishStart if rounded => Some(Reason::RoundedStart),
            Kind::StartFinish if across || elsewhere => Some(Reason::CountingBack),
            _ if elsewhere => Some(Reason::CountingBack),
            _ => None,
        }
    }
}
