//! The days outside the table of a calendar: the weekly pattern and its exceptions, as ranges in which working days
//! are counted by arithmetic. `axis` does the common look-ups.

use crate::calendar::CalendarException;

/// The working weekdays as counts from day 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Week {
    /// Bit `n` tells whether the n-th day after a Thursday, which day 0 was, is worked.
    mask: u8,
}

impl Week {
    /// From a mask whose bit 0 is Monday.
    pub(crate) fn of(mask: u8) -> Week {
        let mask = mask & 0x7f;
        Week { mask: (mask >> 3 | mask << 4) & 0x7f }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.mask == 0
    }

    pub(crate) fn is_worked(self, day: i64) -> bool {
        self.mask >> day.rem_euclid(7) & 1 == 1
    }

    fn per_week(self) -> i64 {
        i64::from(self.mask.count_ones())
    }

    /// Working days from day 0 to a day, negative before it.
    fn count(self, day: i64) -> i64 {
        let part = self.mask & ((1 << day.rem_euclid(7)) - 1);
        day.div_euclid(7) * self.per_week() + i64::from(part.count_ones())
    }

    /// The working day before which there are so many.
    fn day_of(self, count: i64) -> i64 {
        let weeks = count.div_euclid(self.per_week());
        let nth = count.rem_euclid(self.per_week());
        let within = (0..7).filter(|day| self.is_worked(*day)).nth(nth as usize);
        7 * weeks + within.unwrap_or(0)
    }
}

/// How the days of a stretch are worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    Weekly,
    Every,
    Never,
}

/// Days that are worked in one way, from one boundary to the next stretch.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: i64,
    /// The ordinal of `from`.
    ordinal: i64,
    /// What the ordinal of a day is above what its pattern counts.
    base: i64,
    pattern: Pattern,
}

/// The stretches of one side of a table, in the order of days.
#[derive(Debug, Clone)]
pub(crate) struct Stretches {
    week: Week,
    list: Vec<Stretch>,
}

/// Stands for a time before all days.
const NEVER: i64 = i64::MIN / 4;

impl Stretches {
    /// The days before a boundary of known ordinal. Ranges follow one another and do not overlap.
    pub(crate) fn below(ranges: &[CalendarException], week: Week, end: i32, ordinal: i64) -> Stretches {
        let mut cuts = vec![(NEVER, Pattern::Weekly)];
        for range in ranges.iter().filter(|range| range.first.0 < end) {
            push(&mut cuts, range);
        }
        cuts.retain(|(from, _)| *from < i64::from(end));
        let mut side = Stretches { week, list: Vec::with_capacity(cuts.len()) };
        let (mut end, mut ordinal) = (i64::from(end), ordinal);
        for (from, pattern) in cuts.into_iter().rev() {
            let base = ordinal - side.counted(pattern, end);
            ordinal = if from == NEVER { NEVER } else { base + side.counted(pattern, from) };
            side.list.push(Stretch { from, ordinal, base, pattern });
            end = from;
        }
        side.list.reverse();
        side
    }

    /// The days from a boundary of known ordinal on.
    pub(crate) fn above(ranges: &[CalendarException], week: Week, from: i32, ordinal: i64) -> Stretches {
        let first = i64::from(from);
        let mut cuts = vec![(first, Pattern::Weekly)];
        for range in ranges.iter().filter(|range| range.last.0 >= from) {
            push(&mut cuts, range);
        }
        // A range that the table ends in goes on where the table ends.
        let begun = cuts.iter().rposition(|(from, _)| *from <= first).unwrap_or(0);
        cuts.drain(..begun);
        cuts[0].0 = first;
        let mut side = Stretches { week, list: Vec::with_capacity(cuts.len()) };
        let mut ordinal = ordinal;
        for (place, (from, pattern)) in cuts.iter().enumerate() {
            let base = ordinal - side.counted(*pattern, *from);
            side.list.push(Stretch { from: *from, ordinal, base, pattern: *pattern });
            if let Some((next, _)) = cuts.get(place + 1) {
                ordinal = base + side.counted(*pattern, *next);
            }
        }
        side
    }

    fn counted(&self, pattern: Pattern, day: i64) -> i64 {
        match pattern {
            Pattern::Weekly => self.week.count(day),
            Pattern::Every => day,
            Pattern::Never => 0,
        }
    }

    /// Working days before a boundary.
    pub(crate) fn ordinal(&self, boundary: i64) -> i64 {
        let stretch = self.last(|stretch| stretch.from <= boundary);
        stretch.base + self.counted(stretch.pattern, boundary)
    }

    /// Where the working day of an ordinal begins.
    pub(crate) fn start(&self, ordinal: i64) -> i64 {
        // Stretches without a working day begin and end at one ordinal, and so are never the last.
        let stretch = self.last(|stretch| stretch.ordinal <= ordinal);
        match stretch.pattern {
            Pattern::Weekly => self.week.day_of(ordinal - stretch.base),
            Pattern::Every => ordinal - stretch.base,
            Pattern::Never => stretch.from,
        }
    }

    fn last(&self, before: impl Fn(&Stretch) -> bool) -> Stretch {
        self.list[self.list.partition_point(before).max(1) - 1]
    }
}

/// A range, and the weekly pattern again behind it.
fn push(cuts: &mut Vec<(i64, Pattern)>, range: &CalendarException) {
    let from = i64::from(range.first.0);
    if cuts.last().is_some_and(|(last, _)| *last == from) {
        cuts.pop();
    }
    cuts.push((from, if range.working { Pattern::Every } else { Pattern::Never }));
    cuts.push((i64::from(range.last.0) + 1, Pattern::Weekly));
}
