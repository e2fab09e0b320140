//! The kinds of plans and the share of each. `generate` chooses the random values.

use super::plan::{Demand, Kind, LagCalendar, Tool};

/// How progress is spread over a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Only what has all its predecessors finished has begun.
    InOrder,
    /// Anything may have begun.
    AnyOrder,
}

/// A kind of plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    /// Its name in tables.
    pub(crate) name: &'static str,
    /// How many of a hundred plans are of this kind.
    pub(crate) share: u64,
    /// The scheduler that it is compared with.
    pub(crate) against: &'static [Tool],
    /// The most tasks.
    pub(crate) tasks: u64,
    /// The kinds of link, as often as they are to come.
    pub(crate) links: &'static [Kind],
    /// Whether tasks have calendars of their own.
    pub(crate) mixed: bool,
    /// How many of a hundred tasks take no time.
    pub(crate) points: u64,
    /// Least and greatest lag.
    pub(crate) lag: (i64, i64),
    /// How many of a hundred links count calendar days.
    pub(crate) elapsed: u64,
    /// Whose calendar counts the others.
    pub(crate) lag_calendar: LagCalendar,
    /// The demands that tasks may make.
    pub(crate) demands: &'static [Demand],
    /// Whether dates win over logic.
    pub(crate) honour: bool,
    /// Whether some tasks have a deadline.
    pub(crate) deadlines: bool,
    /// How progress is spread.
    pub(crate) progress: Option<Progress>,
}

const BOTH: &[Tool] = &Tool::ALL;
const MICROSOFT: &[Tool] = &[Tool::Microsoft];
const PRIMAVERA: &[Tool] = &[Tool::Primavera];

const ALL: &[Kind] =
    &[Kind::FinishStart, Kind::FinishStart, Kind::StartStart, Kind::FinishFinish, Kind::StartFinish];
const STARTS: &[Kind] = &[Kind::FinishStart, Kind::FinishStart, Kind::StartStart];
const CHAINS: &[Kind] = &[Kind::FinishStart];

/// Tasks on one calendar, tied by finish-to-start links without lag.
const PLAIN: Group = Group {
    name: "",
    share: 4,
    against: BOTH,
    tasks: 12,
    links: CHAINS,
    mixed: false,
    points: 0,
    lag: (0, 7),
    elapsed: 0,
    lag_calendar: LagCalendar::Successor,
    demands: &[],
    honour: false,
    deadlines: false,
    progress: None,
};
const MIXED: Group = Group { mixed: true, ..PLAIN };
const STARTS_MIXED: Group = Group { links: STARTS, ..MIXED };
const LEADS: Group = Group { links: ALL, lag: (-5, 7), ..PLAIN };
const LEADS_MIXED: Group = Group { mixed: true, ..LEADS };

/// All kinds; the shares add up to a hundred.
pub(crate) const GROUPS: [Group; 26] = [
    Group { name: "FS and SS, lag, mixed calendars", share: 10, ..STARTS_MIXED },
    Group { name: "the same with up to 40 tasks", share: 2, tasks: 40, ..STARTS_MIXED },
    Group { name: "FS and SS, leads, milestones", share: 3, links: STARTS, points: 30, ..LEADS },
    Group { name: "all link types, no lag", share: 3, links: ALL, lag: (0, 0), ..PLAIN },
    Group { name: "all link types, lag", links: ALL, ..PLAIN },
    Group { name: "all link types, lag, many milestones", share: 3, links: ALL, points: 50, ..PLAIN },
    Group { name: "all link types, leads", share: 6, ..LEADS },
    Group { name: "all link types, leads, mixed calendars", share: 10, ..LEADS_MIXED },
    Group { name: "planned starts, milestones, leads", points: 15, demands: &[Demand::StartFrom], ..LEADS },
    Group {
        name: "planned starts, milestones, leads, mixed calendars",
        share: 6,
        points: 15,
        demands: &[Demand::StartFrom],
        ..LEADS_MIXED
    },
    Group {
        name: "start and finish no earlier than, mixed calendars",
        share: 3,
        demands: &[Demand::StartFrom, Demand::FinishFrom],
        ..STARTS_MIXED
    },
    Group { name: "elapsed lag, mixed calendars", against: MICROSOFT, elapsed: 100, ..STARTS_MIXED },
    Group {
        name: "elapsed and working lag, mixed calendars",
        share: 2,
        against: MICROSOFT,
        elapsed: 50,
        ..STARTS_MIXED
    },
    Group {
        name: "lag that counts every hour, mixed calendars",
        against: PRIMAVERA,
        lag_calendar: LagCalendar::EveryHour,
        ..STARTS_MIXED
    },
    Group {
        name: "all link types, elapsed lag, mixed calendars",
        share: 3,
        against: MICROSOFT,
        elapsed: 100,
        lag: (0, 7),
        ..LEADS_MIXED
    },
    Group {
        name: "lag on the predecessor's calendar, leads",
        share: 3,
        against: PRIMAVERA,
        lag_calendar: LagCalendar::Predecessor,
        links: STARTS,
        ..LEADS_MIXED
    },
    Group {
        name: "the same with all link types",
        share: 3,
        against: PRIMAVERA,
        lag_calendar: LagCalendar::Predecessor,
        ..LEADS_MIXED
    },
    Group {
        name: "lag on the project's calendar, leads",
        share: 3,
        against: PRIMAVERA,
        lag_calendar: LagCalendar::Project,
        links: STARTS,
        ..LEADS_MIXED
    },
    Group {
        name: "deadlines, mixed calendars",
        share: 3,
        against: MICROSOFT,
        deadlines: true,
        ..STARTS_MIXED
    },
    Group {
        name: "no-later-than dates, mixed calendars",
        share: 2,
        against: PRIMAVERA,
        demands: &[Demand::StartBy, Demand::FinishBy],
        ..STARTS_MIXED
    },
    Group {
        name: "start on and finish on, mixed calendars",
        share: 2,
        against: PRIMAVERA,
        demands: &[Demand::StartOn, Demand::FinishOn],
        ..MIXED
    },
    Group {
        name: "must and no-later-than dates, honoured",
        share: 3,
        against: MICROSOFT,
        demands: &[Demand::MustStart, Demand::MustFinish, Demand::StartBy, Demand::FinishBy],
        honour: true,
        ..PLAIN
    },
    Group {
        name: "must dates, honoured",
        share: 3,
        against: PRIMAVERA,
        demands: &[Demand::MustStart, Demand::MustFinish],
        honour: true,
        ..PLAIN
    },
    Group { name: "as late as possible", share: 3, demands: &[Demand::Late], ..PLAIN },
    Group {
        name: "work in progress in order, mixed calendars",
        share: 3,
        against: PRIMAVERA,
        progress: Some(Progress::InOrder),
        ..MIXED
    },
    Group {
        name: "work in progress out of order, mixed calendars",
        share: 5,
        against: PRIMAVERA,
        progress: Some(Progress::AnyOrder),
        ..STARTS_MIXED
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_add_up_to_a_hundred() {
        assert_eq!(GROUPS.iter().map(|group| group.share).sum::<u64>(), 100);
    }
}
