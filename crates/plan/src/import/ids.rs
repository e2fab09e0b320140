//! Ids of one import, rising in the order in which they are handed out.
//! Ids minted one by one within a millisecond have no order, and rows should come back in the order they came in.

use planwright_store::Tx;
use uuid::Uuid;

/// A run of ids that begins at a freshly minted one.
#[derive(Debug)]
pub(super) struct Ids(u128);

/// The highest random bit below the variant; cleared, it leaves room to count up without touching version or variant.
const HEADROOM: u128 = 1 << 61;

impl Ids {
    /// Begins a run.
    pub(super) fn from(tx: &Tx) -> Self {
        Self(tx.mint::<Uuid>().as_u128() & !HEADROOM)
    }

    /// The next id.
    pub(super) fn next<I: From<Uuid>>(&mut self) -> I {
        self.0 += 1;
        I::from(Uuid::from_u128(self.0))
    }

    /// So many ids.
    pub(super) fn several<I: From<Uuid>>(&mut self, count: usize) -> Vec<I> {
        (0..count).map(|_| self.next()).collect()
    }
}
