//! One task of a plan with its predecessors: the input of a tool's rule for early dates.

use super::calendar::Calendar;
use super::day::Moment;
use super::ours::{self, Ours};
use super::plan::{Demand, Link, Plan, Task};
use super::reasons::{Reason, Reasons};

/// A task, the dates of the tasks before it, and which of the other tool's ways are replaced by ours.
pub(crate) struct Local<'a> {
    /// The plan.
    pub(crate) plan: &'a Plan,
    /// The task's place in it.
    pub(crate) index: usize,
    /// Where our rules put all tasks.
    pub(crate) ours: &'a Ours,
    /// Early start and finish of tasks before this one, in the eyes of the tool.
    pub(crate) before: &'a dyn Fn(usize) -> [Moment; 2],
    /// Ways that are replaced by ours.
    pub(crate) mended: Reasons,
}

impl Local<'_> {
    /// The task itself.
    pub(crate) fn task(&self) -> &Task {
        &self.plan.tasks[self.index]
    }

    /// The calendar of the task.
    pub(crate) fn calendar(&self) -> &Calendar {
        self.plan.calendar(self.index)
    }

    /// Whether a way of the tool is replaced by ours.
    pub(crate) fn mends(&self, reason: Reason) -> bool {
        self.mended.has(reason)
    }

    /// When the task before a link starts and finishes.
    pub(crate) fn source(&self, link: &Link) -> [Moment; 2] {
        let from = &self.plan.tasks[link.from];
        let ours = self.mends(Reason::Milestone) && from.is_point()
            || self.mends(Reason::AsLateAsPossible) && from.wants_late();
        if ours {
            return self.ours.early[link.from].moments;
        }
        (self.before)(link.from)
    }

    /// Where our rules let the task start because of a link.
    pub(crate) fn our_start(&self, link: &Link) -> Moment {
        let place = ours::bound(self.plan, link, &self.ours.early[link.from]);
        match self.task().is_point() {
            true => Moment::of(place),
            false => Moment::morning(self.calendar().start(place)),
        }
    }

    /// The start of the project or the data date.
    pub(crate) fn now(&self) -> Moment {
        Moment::morning(self.plan.data_date.unwrap_or(self.plan.start))
    }

    /// The moment of a demand; a day that the task does not work becomes one that it does if that is to
    /// be mended.
    pub(crate) fn demanded(&self, demand: Demand) -> Option<Moment> {
        let day = self.task().demanded(demand)?;
        let calendar = self.calendar();
        let worked = !self.mends(Reason::DateOnDayOff) || calendar.works(day);
        Some(match demand {
            Demand::StartFrom | Demand::MustStart | Demand::StartOn if worked => Moment::morning(day),
            Demand::StartFrom | Demand::MustStart | Demand::StartOn => {
                calendar.next_start(Moment::morning(day))
            }
            Demand::StartBy if worked => Moment::morning(day),
            Demand::StartBy => Moment::morning(calendar.last_finish(Moment::morning(day)).day()),
            Demand::FinishFrom if !worked => Moment::evening(calendar.next_start(Moment::morning(day)).day()),
            Demand::MustFinish | Demand::FinishOn | Demand::FinishBy if !worked => {
                calendar.last_finish(Moment::evening(day))
            }
            _ => Moment::evening(day),
        })
    }
}
