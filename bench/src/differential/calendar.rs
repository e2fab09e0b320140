//! A working calendar as a table of all days that plans can reach, with steps of working days.

use serde_json::{Value, json};

use super::day::{MONDAY, Moment, date};

const BEFORE: i32 = 500;
const AFTER: i32 = 2_000;

/// Days in a row that a calendar makes free or worked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exception {
    /// Its first day.
    pub(crate) first: i32,
    /// Its last day.
    pub(crate) last: i32,
    /// Whether these days are worked.
    pub(crate) working: bool,
}

/// A week and its exceptions. The `n`-th place of a calendar is where `n` working days have passed.
#[derive(Debug, Clone)]
pub(crate) struct Calendar {
    week: u8,
    exceptions: Vec<Exception>,
    /// How many days are worked before each day.
    before: Vec<i32>,
    /// The days that are worked.
    worked: Vec<i32>,
}

impl Calendar {
    /// The calendar of a week, Monday being the lowest bit, and exceptions that do not overlap.
    pub(crate) fn new(week: u8, exceptions: Vec<Exception>) -> Self {
        let (mut before, mut worked) = (Vec::new(), Vec::new());
        for day in MONDAY - BEFORE..MONDAY + AFTER {
            before.push(worked.len() as i32);
            let weekday = (day - MONDAY).rem_euclid(7);
            let exception = exceptions.iter().find(|range| (range.first..=range.last).contains(&day));
            if exception.map_or(week >> weekday & 1 == 1, |range| range.working) {
                worked.push(day);
            }
        }
        Self { week, exceptions, before, worked }
    }

    /// The calendar in the simple format.
    pub(crate) fn json(&self) -> Value {
        let range = |range: &Exception| match range.working {
            true => json!({"start": date(range.first), "end": date(range.last), "working": true}),
            false => json!([date(range.first), date(range.last)]),
        };
        json!({"working_days": self.week, "exceptions": self.exceptions.iter().map(range).collect::<Vec<_>>()})
    }

    /// How many days are worked before a boundary.
    pub(crate) fn place(&self, boundary: i32) -> i32 {
        self.before[(boundary - MONDAY + BEFORE) as usize]
    }

    /// Where the day behind a place begins.
    pub(crate) fn start(&self, place: i32) -> i32 {
        self.worked[place as usize]
    }

    /// Where the day before a place ends.
    pub(crate) fn finish(&self, place: i32) -> i32 {
        self.worked[place as usize - 1] + 1
    }

    /// The least place that finishes at or after a boundary.
    pub(crate) fn finishing_at(&self, boundary: i32) -> i32 {
        self.place(boundary - 1) + 1
    }

    /// The first place of a milestone that is no earlier: an evening in which work ends, or a morning in which it
    /// begins.
    pub(crate) fn point_from(&self, moment: Moment) -> Moment {
        if moment.is_evening() && self.works(moment.day()) { moment } else { self.next_start(moment) }
    }

    /// The last place of a milestone that is no later.
    pub(crate) fn point_by(&self, moment: Moment) -> Moment {
        if !moment.is_evening() && self.works(moment.day()) { moment } else { self.last_finish(moment) }
    }

    /// Whether a day is worked.
    pub(crate) fn works(&self, day: i32) -> bool {
        self.place(day + 1) > self.place(day)
    }

    /// How many days are worked between two moments.
    pub(crate) fn between(&self, from: Moment, to: Moment) -> i32 {
        (self.place(to.boundary()) - self.place(from.boundary())).max(0)
    }

    /// The moment itself where work can begin then, or the next morning at which it can.
    pub(crate) fn next_start(&self, moment: Moment) -> Moment {
        Moment::morning(self.start(self.place(moment.boundary())))
    }

    /// The moment itself where work can end then, or the last evening before at which it can.
    pub(crate) fn last_finish(&self, moment: Moment) -> Moment {
        Moment::evening(self.finish(self.place(moment.boundary())) - 1)
    }

    /// Where so many working days end, counted forward, or begin, counted back. None is no step at all.
    pub(crate) fn step(&self, from: Moment, days: i32) -> Moment {
        let place = self.place(from.boundary()) + days;
        match days {
            0 => from,
            1.. => Moment::evening(self.finish(place) - 1),
            _ => Moment::morning(self.start(place)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_pass_over_days_off_and_stop_at_the_end_of_work() {
        let holiday = Exception { first: MONDAY + 2, last: MONDAY + 2, working: false };
        let calendar = Calendar::new(0b001_1111, vec![holiday]);
        let monday = Moment::morning(MONDAY);
        assert_eq!(calendar.step(monday, 4), Moment::evening(MONDAY + 4));
        assert_eq!(calendar.next_start(calendar.step(monday, 4)), Moment::morning(MONDAY + 7));
        assert_eq!(calendar.step(Moment::evening(MONDAY + 6), -1), Moment::morning(MONDAY + 4));
        assert_eq!(calendar.last_finish(Moment::morning(MONDAY + 3)), Moment::evening(MONDAY + 1));
    }
}
