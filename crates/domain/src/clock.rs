//! Where time, ids and randomness come from: the only file that asks the machine for them.
//! Everything else takes a [`Clock`] or an [`Entropy`] as a parameter, so tests can hand in their own.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, Duration, DurationRound, NaiveDate, Utc};
use uuid::Uuid;

/// The current time, in whole microseconds, since that is what storage and the wire keep.
#[derive(Clone)]
pub struct Clock {
    source: Source,
    last_id: Arc<Mutex<u128>>,
}

#[derive(Clone)]
enum Source {
    Machine,
    Hand(Arc<Mutex<DateTime<Utc>>>),
}

impl Clock {
    /// The machine's clock.
    pub fn machine() -> Self {
        Self { source: Source::Machine, last_id: Arc::default() }
    }

    /// A clock that stands still until [`Clock::advance`] moves it.
    pub fn standing_at(now: DateTime<Utc>) -> Self {
        Self { source: Source::Hand(Arc::new(Mutex::new(now))), last_id: Arc::default() }
    }

    /// Now, in UTC.
    #[allow(clippy::disallowed_methods)]
    pub fn now(&self) -> DateTime<Utc> {
        let now = match &self.source {
            Source::Machine => with_six_digits(Utc::now()),
            Source::Hand(at) => *at.lock().unwrap_or_else(|poisoned| poisoned.into_inner()),
        };
        now.duration_trunc(Duration::microseconds(1)).unwrap_or(now)
    }

    /// Today, in UTC.
    pub fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }

    /// Moves a standing clock forward; the machine's clock is left alone.
    pub fn advance(&self, by: Duration) {
        if let Source::Hand(at) = &self.source {
            *at.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += by;
        }
    }

    /// A new id (UUID version 7). Ids of one clock rise in the order they were minted, within a millisecond too,
    /// so that rows and events keep the order in which they came to be.
    pub fn mint<I: From<Uuid>>(&self) -> I {
        let mut last = self.last_id.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let fresh = mint_at(self.now()).as_u128();
        *last = if fresh > *last { fresh } else { *last + 1 };
        I::from(Uuid::from_u128(*last))
    }
}

/// A time that is written with six digits of a second: those that end in three zeros would be written with three.
fn with_six_digits(now: DateTime<Utc>) -> DateTime<Utc> {
    let is_shorter = now.timestamp_subsec_micros().is_multiple_of(1000);
    if is_shorter { now + Duration::microseconds(1) } else { now }
}

/// A UUIDv7 for the given instant, with the operating system's randomness.
fn mint_at(now: DateTime<Utc>) -> Uuid {
    let mut random = [0; 10];
    Entropy.fill(&mut random);
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

/// Randomness fit for secrets.
#[derive(Clone, Copy, Default)]
pub struct Entropy;

impl Entropy {
    /// Fills the buffer from the operating system's generator.
    ///
    /// # Panics
    /// When the operating system has no randomness to give, since no secret made then would be one.
    pub fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the operating system gives randomness");
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_always_written_with_six_digits() {
        let second = DateTime::UNIX_EPOCH + Duration::days(20_000);
        for micros in [0, 1, 29_000, 29_100, 999_999] {
            let text = with_six_digits(second + Duration::microseconds(micros)).to_rfc3339();
            assert_eq!(text.split(['.', '+']).nth(1).map(str::len), Some(6), "{text}");
        }
    }

    #[test]
    fn ids_rise_in_the_order_they_were_minted_even_when_the_clock_stands_still() {
        let clock = Clock::standing_at(DateTime::UNIX_EPOCH + Duration::days(20_000));
        let ids: Vec<Uuid> = (0..1000).map(|_| clock.mint()).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
    }
}
