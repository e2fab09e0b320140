//! Why other tools answer differently. The numbers are those of docs/schedule-checks.md.

use std::fmt;

/// A rule of another tool that is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// Work is planned before the project starts.
    BeforeProject = 1,
    /// A finish moves without its start, or a start without its finish.
    LooseFinish = 2,
    /// A finish link from a day that the successor does not work.
    FinishOnDayOff = 3,
    /// A date on a day that the task does not work.
    DateOnDayOff = 4,
    /// A dated start wins over a link that ends on the same day.
    DateOverLink = 5,
    /// Lag to a finish is added to the start that the finish implies.
    LagAtStart = 6,
    /// Start links count from the rest of begun work.
    BegunWork = 7,
    /// Finished work passes on what leads into it.
    FinishedWork = 8,
    /// A start link without lag waits for the calendar of lag.
    StartWithoutLag = 9,
    /// A milestone waits for its own calendar.
    Milestone = 10,
    /// As late as possible is not in early dates.
    AsLateAsPossible = 11,
    /// A lead between finishes ends where work begins.
    LeadToFinish = 12,
    /// A late start on a day off is rounded forward.
    RoundedStart = 13,
    /// Lag is counted back from a late date on another calendar.
    CountingBack = 14,
    /// A must date is the late date whatever follows.
    MustDate = 15,
    /// Work that is as late as possible has no float.
    FloatOfLate = 16,
}

impl Reason {
    /// Those that early dates can have.
    pub(crate) const EARLY: [Self; 12] = [
        Self::BeforeProject,
        Self::LooseFinish,
        Self::FinishOnDayOff,
        Self::DateOnDayOff,
        Self::DateOverLink,
        Self::LagAtStart,
        Self::BegunWork,
        Self::FinishedWork,
        Self::StartWithoutLag,
        Self::Milestone,
        Self::AsLateAsPossible,
        Self::LeadToFinish,
    ];

    /// Those that late dates can have.
    pub(crate) const LATE: [Self; 8] = [
        Self::LooseFinish,
        Self::DateOnDayOff,
        Self::BegunWork,
        Self::FinishedWork,
        Self::Milestone,
        Self::RoundedStart,
        Self::CountingBack,
        Self::MustDate,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", *self as u8)
    }
}

/// Reasons, each at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reasons(u32);

impl Reasons {
    /// These.
    pub(crate) fn of(reasons: &[Reason]) -> Self {
        reasons.iter().fold(Self::default(), |set, reason| set.with(*reason))
    }

    /// One more.
    pub(crate) fn with(self, reason: Reason) -> Self {
        Self(self.0 | 1 << reason as u32)
    }

    /// Those of both.
    pub(crate) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether it is among them.
    pub(crate) fn has(self, reason: Reason) -> bool {
        self.0 >> reason as u32 & 1 == 1
    }

    /// Them in the order of their numbers.
    pub(crate) fn iter(self) -> impl Iterator<Item = Reason> {
        let late = Reason::LATE.into_iter().chain([Reason::FloatOfLate]);
        let only_late = late.filter(|reason| !Reason::EARLY.contains(reason));
        Reason::EARLY.into_iter().chain(only_late).filter(move |reason| self.has(*reason))
    }

    /// The smallest choice of some reasons, at most three, for which something holds.
    pub(crate) fn fewest(of: &[Reason], holds: impl Fn(Self) -> bool) -> Option<Self> {
        let mut choices = vec![Self::default()];
        for _ in 0..=3 {
            if let Some(found) = choices.iter().find(|set| holds(**set)) {
                return Some(*found);
            }
            let wider = |set: &Self| of.iter().map(|reason| set.with(*reason)).collect::<Vec<_>>();
            choices = choices.iter().flat_map(wider).collect();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_reasons_are_found() {
        let wanted = Reasons::of(&[Reason::LooseFinish, Reason::LeadToFinish]);
        let holds = |set: Reasons| wanted.iter().all(|reason| set.has(reason));
        assert_eq!(Reasons::fewest(&Reason::EARLY, holds), Some(wanted));
        assert_eq!(Reasons::fewest(&Reason::EARLY, |_| true), Some(Reasons::default()));
        assert_eq!(Reasons::fewest(&Reason::EARLY, |_| false), None);
    }
}
