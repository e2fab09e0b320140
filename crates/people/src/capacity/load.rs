//! How much of each resource is used on each day: one pure function in the day arithmetic of the engine.
//! A task uses its units of a resource on every day of its span that both work.

use planwright_domain::words::LoadBand;
use planwright_engine::{Calendar, Day};

/// From which load on, in percent, a day is at risk; above 100 it is critical.
const AT_RISK: i64 = 85;

/// Days from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub first: Day,
    pub last: Day,
}

/// A resource: its whole capacity in hundredths of a person, and the calendar it works on, by its place.
#[derive(Clone, Copy, Debug)]
pub struct Supply {
    pub units: i64,
    /// None for a resource that works whenever its tasks do.
    pub calendar: Option<usize>,
}

/// What a task asks of a resource: both by their places, and the calendar of the task.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    pub supply: usize,
    pub units: i64,
    pub span: Window,
    pub calendar: usize,
}

/// What is used of each resource on each day of a window, in hundredths.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    pub window: Window,
    used: Vec<Vec<i64>>,
    capacity: Vec<Vec<i64>>,
}

impl Window {
    /// How many days there are.
    pub fn len(self) -> usize {
        usize::try_from(i64::from(self.last.0) - i64::from(self.first.0) + 1).unwrap_or_default()
    }

    /// The days, in order.
    pub fn days(self) -> impl Iterator<Item = Day> {
        (self.first.0..=self.last.0).map(Day)
    }

    /// The part of it that lies in another.
    pub fn within(self, other: Window) -> Window {
        Window { first: self.first.max(other.first), last: self.last.min(other.last) }
    }

    fn place(self, day: Day) -> usize {
        usize::try_from(day.0 - self.first.0).unwrap_or_default()
    }
}

/// For each day of a window whether a calendar works.
pub fn working_days(calendar: &Calendar, window: Window) -> Vec<bool> {
    window.days().map(|day| calendar.is_working(day)).collect()
}

/// The days of a demand in a window that count: those that the task and the resource work.
pub fn counted_days(
    window: Window,
    working: &[Vec<bool>],
    supply: Supply,
    demand: Demand,
) -> impl Iterator<Item = Day> {
    demand.span.within(window).days().filter(move |day| {
        let place = window.place(*day);
        working[demand.calendar][place] && supply.calendar.is_none_or(|own| working[own][place])
    })
}

/// What is used of each resource on each day. `working` says of each calendar on which days of the window it works; `home`
/// is that of resources without one.
pub fn usage(
    window: Window,
    working: &[Vec<bool>],
    home: usize,
    supplies: &[Supply],
    demands: &[Demand],
) -> Usage {
    let mut used = vec![vec![0; window.len()]; supplies.len()];
    for demand in demands {
        for day in counted_days(window, working, supplies[demand.supply], *demand) {
            used[demand.supply][window.place(day)] += demand.units;
        }
    }
    let capacity = supplies.iter().zip(&used).map(|(supply, used)| {
        let works = &working[supply.calendar.unwrap_or(home)];
        let on = |(works, used): (&bool, &i64)| if *works || *used > 0 { supply.units } else { 0 };
        works.iter().zip(used).map(on).collect()
    });
    Usage { window, capacity: capacity.collect(), used }
}

impl Usage {
    /// The load of a resource on a day.
    pub fn used(&self, supply: usize, day: Day) -> i64 {
        self.used[supply][self.window.place(day)]
    }

    /// The days on which more of a resource is used than there is.
    pub fn overloaded(&self, supply: usize) -> impl Iterator<Item = Day> {
        let days = self.window.days().zip(self.used[supply].iter().zip(&self.capacity[supply]));
        days.filter(|(_, (used, capacity))| used > capacity).map(|(day, _)| day)
    }

    /// How much of a resource is used in each week of seven days, in percent; 0 where it does not work.
    pub fn weekly(&self, supply: usize) -> Vec<i64> {
        let weeks = self.used[supply].chunks(7).zip(self.capacity[supply].chunks(7));
        weeks.map(|(used, capacity)| percent(used.iter().sum(), capacity.iter().sum())).collect()
    }
}

/// A share in whole percent, rounded half up; 0 of nothing.
pub fn percent(used: i64, capacity: i64) -> i64 {
    if capacity <= 0 { 0 } else { (used * 200 + capacity) / (capacity * 2) }
}

/// The band of a load.
pub fn band(percent: i64) -> LoadBand {
    match percent {
        ..AT_RISK => LoadBand::OnTrack,
        AT_RISK..=100 => LoadBand::AtRisk,
        101.. => LoadBand::Critical,
    }
}

#[cfg(test)]
mod tests {
    use planwright_engine::CalendarException;
    use proptest::prelude::*;

    use super::*;

    fn window(first: i32, last: i32) -> Window {
        Window { first: Day(first), last: Day(last) }
    }

    fn monday() -> i32 {
        Day::from_ymd(2026, 1, 5).unwrap().0
    }

    #[test]
    fn a_task_uses_the_days_that_it_and_its_resource_work() {
        let start = monday();
        let off = CalendarException { first: Day(start + 1), last: Day(start + 1), working: false };
        let calendars =
            [Calendar::default(), Calendar { exceptions: vec![off], ..Calendar::weekly(0b011_1111) }];
        let days = window(start, start + 6);
        let working: Vec<_> = calendars.iter().map(|calendar| working_days(calendar, days)).collect();
        let supplies = [Supply { units: 100, calendar: Some(1) }];
        let demand = Demand { supply: 0, units: 50, span: window(start - 3, start + 9), calendar: 0 };
        let usage = usage(days, &working, 0, &supplies, &[demand, demand, demand]);
        assert_eq!(
            usage.used[0],
            [150, 0, 150, 150, 150, 0, 0],
            "Tuesday is off, the weekend is not in the plan"
        );
        assert_eq!(usage.capacity[0], [100, 0, 100, 100, 100, 100, 0], "the resource works on Saturdays");
        assert_eq!(usage.overloaded(0).count(), 4);
        assert_eq!(usage.weekly(0), [120]);
    }

    #[test]
    fn bands_begin_at_85_and_above_100() {
        let bands = [0, 84, 85, 100, 101].map(band);
        use LoadBand::*;
        assert_eq!(bands, [OnTrack, OnTrack, AtRisk, AtRisk, Critical]);
        assert_eq!([percent(1, 3), percent(2, 3), percent(1, 200), percent(5, 0)], [33, 67, 1, 0]);
    }

    fn calendar() -> impl Strategy<Value = Calendar> {
        let exception = (0..40_i32, 0..6_i32, any::<bool>()).prop_map(|(first, length, working)| {
            CalendarException { first: Day(first), last: Day(first + length), working }
        });
        (0..128_u8, prop::collection::vec(exception, 0..4))
            .prop_map(|(working_weekdays, exceptions)| Calendar { working_weekdays, exceptions })
    }

    proptest! {
        /// Written down again as it is said: day by day, task by task.
        #[test]
        fn what_is_used_of_a_day_is_the_sum_over_the_tasks_that_work_then(
            calendars in prop::collection::vec(calendar(), 3),
            supplies in prop::collection::vec((1..300_i64, prop::option::of(0..3_usize)), 1..4),
            demands in prop::collection::vec((0..3_usize, 1..200_i64, -5..45_i32, -2..20_i32, 0..3_usize), 0..12),
            (first, length) in (0..20_i32, 0..25_i32),
        ) {
            let days = window(first, first + length);
            let working: Vec<_> = calendars.iter().map(|calendar| working_days(calendar, days)).collect();
            let supplies: Vec<_> =
                supplies.into_iter().map(|(units, calendar)| Supply { units, calendar }).collect();
            let demands: Vec<_> = demands.into_iter().map(|(supply, units, start, length, calendar)| Demand {
                supply: supply % supplies.len(), units, span: window(start, start + length), calendar,
            }).collect();
            let computed = usage(days, &working, 0, &supplies, &demands);
            for (place, supply) in supplies.iter().enumerate() {
                for day in days.days() {
                    let sum: i64 = demands.iter()
                        .filter(|one| one.supply == place && one.span.first <= day && day <= one.span.last)
                        .filter(|one| calendars[one.calendar].is_working(day))
                        .filter(|_| supply.calendar.is_none_or(|own| calendars[own].is_working(day)))
                        .map(|one| one.units).sum();
                    prop_assert_eq!(computed.used(place, day), sum);
                    let over = computed.overloaded(place).any(|over| over == day);
                    prop_assert_eq!(over, sum > supply.units);
                }
            }
        }
    }
}
