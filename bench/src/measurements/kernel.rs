//! A fixed computation that measures the current speed of a machine, because machines differ and a shared one
//! changes. It uses none of our crates.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// What the kernel took on the machine of `docs/benchmarks.md`: the quickest of 1 700 times on 2026-11-22, while others used
/// its cores as well.
const RECORDED: Duration = Duration::from_micros(1_300);

const TIMES: usize = 40;
/// More than the caches nearest to a core hold.
const PLACES: usize = 1 << 20;
const STEPS: usize = 40_000;
const ROUNDS: u64 = 600_000;

/// How much longer than recorded the machine takes now. Each time is shorter than the turn that a process has on a core, and
/// a quarter of them is quicker than the one that counts, so that this tells the machine and not who else waits for it.
pub(crate) fn pace() -> f64 {
    let next = circle();
    let mut times: Vec<Duration> = (0..TIMES).map(|_| once(&next)).collect();
    times.sort_unstable();
    times[TIMES / 4].as_secs_f64() / RECORDED.as_secs_f64()
}

fn once(next: &[u32]) -> Duration {
    let started = Instant::now();
    black_box(mixed(black_box(ROUNDS)));
    black_box(walked(black_box(next)));
    started.elapsed()
}

/// Arithmetic that waits for itself.
fn mixed(rounds: u64) -> u64 {
    (0..rounds).fold(1, |state: u64, round| {
        let state = (state ^ round).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        state ^ (state >> 29)
    })
}

/// Steps through memory, each known only after the one before it.
fn walked(next: &[u32]) -> u32 {
    (0..STEPS).fold(0, |at, _| next[at as usize])
}

/// One circle through all places, in an order that no cache foresees.
fn circle() -> Vec<u32> {
    // An odd factor below a power of two reaches every place once; the added number keeps it from being short.
    let mask = PLACES as u32 - 1;
    (0..PLACES as u32).map(|at| at.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) & mask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_comes_by_every_place() {
        let next = circle();
        let (mut at, mut steps) = (next[0], 1);
        while at != 0 {
            at = next[at as usize];
            steps += 1;
        }
        assert_eq!(steps, PLACES);
    }
}
