//! Chance that can be repeated: whoever sets `PLANWRIGHT_CHAOS_SEED` to a printed seed gets the same choices.
//! What the machine does in between is not part of it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// A source of choices.
#[derive(Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    /// From the seed in the environment, or another one each time.
    pub(crate) fn begin() -> Self {
        let given = std::env::var("PLANWRIGHT_CHAOS_SEED").ok();
        let seed = given.map(|text| text.parse().expect("PLANWRIGHT_CHAOS_SEED is a number"));
        // Under ten million, which is easier to copy.
        let seed = seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() % 10_000_000);
        println!("PLANWRIGHT_CHAOS_SEED={seed}");
        Self(seed)
    }

    /// Another source that goes its own way.
    pub(crate) fn fork(&mut self) -> Self {
        Self(self.next())
    }

    fn next(&mut self) -> u64 {
        // splitmix64: every seed is good, also small ones.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A time between two.
    pub(crate) fn between(&mut self, least: Duration, most: Duration) -> Duration {
        let span = (most - least).as_millis() as usize;
        least + Duration::from_millis(self.below(span + 1) as u64)
    }
}
