//! Ids of one import, minted ahead of the rows that carry them.
//! They rise in the order in which they are handed out, so rows come back in the order they came in.

use planwright_domain::Clock;
use uuid::Uuid;

/// Where the ids of an import come from, apart from its transaction.
pub(super) struct Ids(Clock);

impl Ids {
    /// From the clock by which an import is written.
    pub(super) fn by(clock: &Clock) -> Self {
        Self(clock.clone())
    }

    /// The next id.
    pub(super) fn next<I: From<Uuid>>(&mut self) -> I {
        self.0.mint()
    }

    /// So many ids.
    pub(super) fn several<I: From<Uuid>>(&mut self, count: usize) -> Vec<I> {
        (0..count).map(|_| self.next()).collect()
    }
}
