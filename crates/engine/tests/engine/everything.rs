//! Random plans with everything at once: limits and progress, lags of all types on all calendars, overlays, links on
//! summaries and across projects. `generate` makes simpler plans.

use crate::generate::{Corners, Dice, START, network};
use planwright_engine::{
    Calendar, CalendarException, Constraint, Day, LagCalendar, LagUnit, Link, LinkKind, Network,
};

/// How much of what a plan gets; per cent of rows or links.
#[derive(Clone, Copy)]
pub(crate) struct Mix {
    pub(crate) corners: Corners,
    pub(crate) limits: i32,
    pub(crate) lazy: i32,
    /// Whether dates may win over logic.
    pub(crate) honour: bool,
    /// Links that leave from the start of a summary: the first of several rows holds what follows.
    pub(crate) first_of_many: bool,
}

pub(crate) const ALL: Mix = Mix {
    corners: Corners { projects: 3, tasks: 12, mixed_calendars: true, progress: true, summaries: true },
    limits: 30,
    lazy: 10,
    honour: true,
    first_of_many: false,
};

pub(crate) fn everything(dice: &mut Dice, mix: Mix) -> Network {
    let summaries = mix.corners.summaries && dice.chance(60);
    let progress = mix.corners.progress && dice.chance(75);
    let mut plan = network(dice, Corners { summaries, progress, ..mix.corners });
    if mix.corners.mixed_calendars && dice.chance(50) {
        overlay(dice, &mut plan);
    }
    plan.options.honour_dates = mix.honour && dice.chance(40);
    for index in 0..plan.tasks.len() {
        let (limits, lazy) = (dice.chance(mix.limits), dice.chance(mix.lazy));
        let task = &mut plan.tasks[index];
        if limits {
            (task.constraint, task.deadline) = limited(dice);
        } else if lazy {
            task.constraint = Some(Constraint::AsLateAsPossible);
        }
    }
    let from_start = |link: &Link| matches!(link.kind, LinkKind::StartToStart | LinkKind::StartToFinish);
    let summary: Vec<bool> = (0..plan.tasks.len()).map(|index| is_summary(&plan, index)).collect();
    for link in &mut plan.links {
        if dice.chance(50) {
            vary(dice, link);
        }
        if !mix.first_of_many && from_start(link) && summary[link.predecessor] {
            link.kind = LinkKind::FinishToStart;
        }
    }
    plan
}

pub(crate) fn is_summary(plan: &Network, index: usize) -> bool {
    plan.tasks.iter().any(|task| task.parent == Some(index))
}

/// A constraint, a deadline, or both, mostly where work may reach them.
fn limited(dice: &mut Dice) -> (Option<Constraint>, Option<Day>) {
    let near = dice.chance(60);
    let mut day = || START.plus(if near { dice.between(0, 40) } else { dice.between(-6, 90) });
    let (one, other) = (day(), day());
    let constraint = dice.pick(&[
        Constraint::StartNoEarlierThan(one),
        Constraint::StartNoLaterThan(one),
        Constraint::FinishNoEarlierThan(one),
        Constraint::FinishNoLaterThan(one),
        Constraint::MustStartOn(one),
        Constraint::MustFinishOn(one),
        Constraint::StartOn(one),
        Constraint::FinishOn(one),
    ]);
    (dice.chance(70).then_some(constraint), dice.chance(45).then_some(other))
}

fn vary(dice: &mut Dice, link: &mut Link) {
    link.lag_unit = dice.pick(&[LagUnit::Working, LagUnit::Elapsed, LagUnit::Percent]);
    let most = if link.lag_unit == LagUnit::Percent { 150 } else { 6 };
    link.lag = if dice.chance(20) { 0 } else { dice.between(-most * 2 / 3, most) };
    link.lag_calendar = dice.chance(70).then(|| {
        dice.pick(&[
            LagCalendar::Successor,
            LagCalendar::Predecessor,
            LagCalendar::Project,
            LagCalendar::Elapsed,
        ])
    });
}

/// Gives some calendars a layer of holidays and of worked days on top.
fn overlay(dice: &mut Dice, plan: &mut Network) {
    for calendar in &mut plan.calendars {
        let days = |dice: &mut Dice| {
            let first = START.plus(dice.between(-5, 40));
            CalendarException { first, last: first.plus(dice.between(0, 9)), working: dice.chance(50) }
        };
        let exceptions = (0..dice.between(0, 3)).map(|_| days(dice)).collect();
        let layer = Calendar { working_weekdays: dice.pick(&[0b111_1111, 0b001_1111]), exceptions };
        *calendar = calendar.with_overlays([&layer]);
        if calendar.working_weekdays & 0x7f == 0 {
            calendar.working_weekdays = 0b001_0101;
        }
    }
}
