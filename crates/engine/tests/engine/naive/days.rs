//! A calendar as a list of days that are worked or off, read one day at a time. It has no tables and no arithmetic.

use planwright_engine::{Calendar, Day};

/// Days before and after `ORIGIN` that a walk may reach; further ones are a mistake in a test.
const REACH: i32 = 3_000;
const ORIGIN: Day = crate::generate::START;

/// The instant in which the day behind a boundary begins: twice the day.
pub(crate) fn morning(boundary: i32) -> i32 {
    2 * boundary
}

/// The instant in which the day before a boundary ends: twice that day and one.
pub(crate) fn evening(boundary: i32) -> i32 {
    2 * (boundary - 1) + 1
}

pub(crate) fn is_evening(instant: i32) -> bool {
    instant.rem_euclid(2) == 1
}

pub(crate) fn boundary(instant: i32) -> i32 {
    if is_evening(instant) { (instant + 1) / 2 } else { instant / 2 }
}

/// The days around the start of the random plans.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Days(Vec<bool>);

impl Days {
    pub(crate) fn of(calendar: &Calendar) -> Days {
        Days((-REACH..REACH).map(|offset| calendar.is_working(ORIGIN.plus(offset))).collect())
    }

    pub(crate) fn worked(&self, day: i32) -> bool {
        self.0[(day - ORIGIN.0 + REACH) as usize]
    }

    /// Where the first working day at or after a boundary begins.
    pub(crate) fn next(&self, mut boundary: i32) -> i32 {
        while !self.worked(boundary) {
            boundary += 1;
        }
        boundary
    }

    /// Where the last working day before a boundary ends.
    pub(crate) fn last(&self, mut boundary: i32) -> i32 {
        while !self.worked(boundary - 1) {
            boundary -= 1;
        }
        boundary
    }

    /// Where the n-th working day from a boundary ends; the boundary itself for none.
    pub(crate) fn ahead(&self, mut boundary: i32, days: i32) -> i32 {
        for _ in 0..days {
            boundary = self.next(boundary) + 1;
        }
        boundary
    }

    /// Where the n-th working day before a boundary begins; the boundary itself for none.
    pub(crate) fn back(&self, mut boundary: i32, days: i32) -> i32 {
        for _ in 0..days {
            boundary = self.last(boundary) - 1;
        }
        boundary
    }

    /// The first place of a milestone that is no earlier than an instant: an evening in which a day ends that is
    /// worked, or a morning in which one begins.
    pub(crate) fn place_from(&self, instant: i32) -> i32 {
        let boundary = boundary(instant);
        if instant == evening(boundary) && self.worked(boundary - 1) {
            instant
        } else {
            morning(self.next(boundary))
        }
    }

    /// The last place of a milestone that is no later than an instant.
    pub(crate) fn place_by(&self, instant: i32) -> i32 {
        (0..).map(|back| instant - back).find(|at| self.place_from(*at) == *at).expect("some day is worked")
    }

    /// Working days from a boundary to another, negative if the other comes before.
    pub(crate) fn between(&self, from: i32, to: i32) -> i32 {
        let count = |from, to| (from..to).filter(|day| self.worked(*day)).count() as i32;
        if from <= to { count(from, to) } else { -count(to, from) }
    }
}
