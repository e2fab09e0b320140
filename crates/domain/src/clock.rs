//! Where time, ids and randomness come from: the only file that asks the machine for them.
//! Everything else takes a [`Clock`] or an [`Entropy`] as a parameter, so tests can hand in their own.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, Duration, DurationRound, NaiveDate, Utc};
use uuid::Uuid;

/// The current time, in whole microseconds, since that is what storage and the wire keep.
#[derive(Clone)]
pub struct Clock(Source);

#[derive(Clone)]
enum Source {
    Machine,
    Hand(Arc<Mutex<DateTime<Utc>>>),
}

impl Clock {
    /// The machine's clock.
    pub fn machine() -> Self {
        Self(Source::Machine)
    }

    /// A clock that stands still until [`Clock::advance`] moves it.
    pub fn standing_at(now: DateTime<Utc>) -> Self {
        Self(Source::Hand(Arc::new(Mutex::new(now))))
    }

    /// Now, in UTC.
    #[allow(clippy::disallowed_methods)]
    pub fn now(&self) -> DateTime<Utc> {
        let now = match &self.0 {
            Source::Machine => Utc::now(),
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
        if let Source::Hand(at) = &self.0 {
            *at.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += by;
        }
    }

    /// A new id whose order follows the time it was minted at (UUID version 7).
    pub fn mint<I: From<Uuid>>(&self) -> I {
        I::from(mint_at(self.now()))
    }
}

/// A UUIDv7 for the given instant, with the operating system's randomness.
pub fn mint_at(now: DateTime<Utc>) -> Uuid {
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
