//! The bar of a measurement, how its result is shown, and whether the bar was reached. Bars are for elapsed time and
//! for processor time, because client and server share the cores.

use std::time::Duration;

use super::stage::{Figures, Spent};
use crate::measurements::load::milliseconds;

/// The database of a server.
#[derive(Clone, Copy)]
pub(crate) enum Database {
    /// A file of the server.
    Sqlite,
    /// A server of its own.
    Postgres,
}

impl Database {
    /// Its name in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// The bar.
pub(crate) enum Bar {
    /// Half of the answers within this number of milliseconds.
    Within {
        /// On SQLite.
        sqlite: f64,
        /// On PostgreSQL.
        postgres: f64,
    },
    /// This number of answers in a second.
    AtLeast(f64),
    /// At most this multiple of the compared latency.
    Times(f64),
}

impl Bar {
    /// The bar as text.
    pub(crate) fn wanted(&self, database: Database) -> String {
        match self {
            Self::Within { .. } => format!("≤ {} ms", self.limit(database)),
            Self::AtLeast(rate) => format!("≥ {rate} requests/s"),
            Self::Times(most) => format!("≤ {most} times"),
        }
    }

    /// The elapsed time as text.
    pub(crate) fn by_the_clock(&self, figures: &Figures) -> String {
        let load = &figures.load;
        let (middle, late) = (milliseconds(figures.median()), milliseconds(load.percentile(99)));
        let count = load.latencies.len();
        match (self, &figures.beside) {
            (Self::Within { .. }, _) => format!("p50 {middle}, p99 {late}, of {count}"),
            (Self::AtLeast(_), _) if load.refused > 0 => {
                format!("{:.0} requests/s, and {} refused", load.per_second(), load.refused)
            }
            (Self::AtLeast(_), _) => {
                format!("{:.0} requests/s; p50 {middle}, p99 {late}", load.per_second())
            }
            (Self::Times(_), Some(other)) => {
                let other = milliseconds(other.percentile(50));
                format!("{:.2} times; p50 {middle} against {other}", ratio(figures))
            }
            (Self::Times(_), None) => format!("p50 {middle}"),
        }
    }

    /// The same as the machine of the bars would take, by the kernel: the middle latency or the rate.
    pub(crate) fn at_recorded_pace(&self, figures: &Figures) -> String {
        match self {
            Self::Within { .. } => format!("p50 {}", milliseconds(figures.median().div_f64(figures.pace))),
            Self::AtLeast(_) => format!("{:.0} requests/s", figures.load.per_second() * figures.pace),
            Self::Times(_) => format!("{:.2} times", ratio(figures)),
        }
    }

    /// The processor time of each as text.
    pub(crate) fn by_the_processor(&self, figures: &Figures) -> String {
        let Some(Spent { server, database }) = figures.each() else { return "–".to_owned() };
        if database.is_zero() {
            return milliseconds(server);
        }
        format!("{} and {} in PostgreSQL", milliseconds(server), milliseconds(database))
    }

    /// Whether the bar was reached at the recorded pace, by the clock and by processor time.
    pub(crate) fn reached(&self, database: Database, figures: &Figures, cores: usize) -> &'static str {
        let each = figures.each().map(|spent| spent.all().as_secs_f64() / figures.pace);
        let (clock, processor) = match self {
            Self::Within { .. } => {
                let limit = self.limit(database) / 1000.0;
                (figures.median().as_secs_f64() / figures.pace <= limit, each.map(|each| each <= limit))
            }
            Self::AtLeast(rate) => {
                let answered = figures.load.refused == 0 && figures.load.per_second() * figures.pace >= *rate;
                (answered, each.map(|each| each * rate <= cores as f64))
            }
            Self::Times(most) => (ratio(figures) <= *most, None),
        };
        match (clock, processor.unwrap_or(clock)) {
            (true, true) => "yes",
            (true, false) => "by the clock only",
            (false, true) => "by processor time only",
            (false, false) => "no",
        }
    }

    fn limit(&self, database: Database) -> f64 {
        match (self, database) {
            (Self::Within { sqlite, .. }, Database::Sqlite) => *sqlite,
            (Self::Within { postgres, .. }, Database::Postgres) => *postgres,
            (Self::AtLeast(number) | Self::Times(number), _) => *number,
        }
    }
}

/// Infinite if there is nothing to compare with, which reaches no bar.
fn ratio(figures: &Figures) -> f64 {
    let other = figures.beside.as_ref().map_or(Duration::ZERO, |other| other.percentile(50));
    figures.median().as_secs_f64() / other.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::load::Load;

    fn load(milliseconds: u64) -> Load {
        Load::of(vec![Duration::from_millis(milliseconds); 10], 0, Duration::from_millis(milliseconds * 10))
    }

    /// Ten answers of so many milliseconds, with so much processor time in all.
    fn figures(clock: u64, processor: Option<u64>) -> Figures {
        let spent = |all| Spent { server: Duration::from_millis(all), database: Duration::ZERO };
        Figures::made_up(load(clock), processor.map(spent))
    }

    #[test]
    fn a_time_is_reached_by_the_clock_and_by_the_processor() {
        let bar = Bar::Within { sqlite: 10.0, postgres: 20.0 };
        let on = |database, clock, processor| bar.reached(database, &figures(clock, processor), 2);
        assert_eq!(on(Database::Sqlite, 10, Some(100)), "yes");
        assert_eq!(on(Database::Sqlite, 11, Some(100)), "by processor time only");
        assert_eq!(on(Database::Sqlite, 10, Some(101)), "by the clock only");
        assert_eq!(on(Database::Sqlite, 11, Some(120)), "no");
        assert_eq!(on(Database::Postgres, 11, Some(120)), "yes");
        assert_eq!(on(Database::Sqlite, 11, None), "no");
        assert_eq!(bar.wanted(Database::Postgres), "≤ 20 ms");
    }

    #[test]
    fn a_rate_needs_no_more_than_all_cores() {
        let bar = Bar::AtLeast(100.0);
        // A hundred a second at 20 ms each keep two cores busy.
        assert_eq!(bar.reached(Database::Sqlite, &figures(10, Some(200)), 2), "yes");
        assert_eq!(bar.reached(Database::Sqlite, &figures(10, Some(210)), 2), "by the clock only");
        assert_eq!(bar.reached(Database::Sqlite, &figures(11, Some(200)), 2), "by processor time only");
    }

    #[test]
    fn on_a_machine_of_half_the_pace_twice_the_time_is_enough() {
        let slow = |clock, processor| {
            let mut figures = figures(clock, processor);
            figures.pace = 2.0;
            figures
        };
        let bar = Bar::Within { sqlite: 10.0, postgres: 20.0 };
        assert_eq!(bar.reached(Database::Sqlite, &slow(20, Some(200)), 2), "yes");
        assert_eq!(bar.reached(Database::Sqlite, &slow(22, Some(220)), 2), "no");
        assert_eq!(bar.at_recorded_pace(&slow(20, None)), "p50 10.00 ms");
        assert_eq!(Bar::AtLeast(100.0).reached(Database::Sqlite, &slow(20, Some(400)), 2), "yes");
    }

    #[test]
    fn a_comparison_without_the_other_side_reaches_nothing() {
        let bar = Bar::Times(1.2);
        assert_eq!(bar.reached(Database::Sqlite, &figures(11, None).compared_with(load(10)), 2), "yes");
        assert_eq!(bar.reached(Database::Sqlite, &figures(13, None).compared_with(load(10)), 2), "no");
        assert_eq!(bar.reached(Database::Sqlite, &figures(13, None), 2), "no");
    }

    #[test]
    fn what_postgresql_took_is_shown_beside_and_counted() {
        let spent = Spent { server: Duration::from_millis(50), database: Duration::from_millis(70) };
        let figures = Figures::made_up(load(10), Some(spent));
        let bar = Bar::Within { sqlite: 10.0, postgres: 11.0 };
        assert_eq!(bar.by_the_processor(&figures), "5.00 ms and 7.00 ms in PostgreSQL");
        assert_eq!(bar.reached(Database::Postgres, &figures, 2), "by the clock only");
    }
}
