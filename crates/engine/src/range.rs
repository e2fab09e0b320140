//! The range of the numbers for boundaries and ordinals.

/// Boundaries and ordinals never leave ±`FAR`, so sums of a few of them cannot overflow.
pub(crate) const FAR: i32 = 1 << 28;

/// No bound from below. Sums that start from it stay under `UNSET / 2`.
pub(crate) const UNSET: i32 = -(1 << 29);
/// No bound from above. Differences that start from it stay over `UNBOUND / 2`.
pub(crate) const UNBOUND: i32 = 1 << 29;
