//! The latency of answers: one caller that repeats a request, or several at once for some time. The caller of this
//! code chooses the request.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::client::{Connection, Request};

/// What a load showed.
pub(crate) struct Load {
    /// How long each good answer took, ascending.
    pub(crate) latencies: Vec<Duration>,
    /// Answers with another status.
    pub(crate) refused: usize,
    /// From the first request to the last answer.
    pub(crate) elapsed: Duration,
}

impl Load {
    /// What these latencies say together.
    pub(crate) fn of(mut latencies: Vec<Duration>, refused: usize, elapsed: Duration) -> Self {
        latencies.sort_unstable();
        Self { latencies, refused, elapsed }
    }

    /// Several threads, each over a connection of its own, send the requests in turn, again and again.
    pub(crate) fn put(
        address: SocketAddr,
        requests: &[Request],
        threads: usize,
        time: Duration,
    ) -> Result<Self> {
        let started = Instant::now();
        let results: Vec<Result<(Vec<Duration>, usize)>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|first| scope.spawn(move || keep_asking(address, requests, first, started, time)))
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| bail!("panicked"))).collect()
        });
        let elapsed = started.elapsed();
        let mut latencies = Vec::new();
        let mut refused = 0;
        for result in results {
            let (own, others) = result?;
            latencies.extend(own);
            refused += others;
        }
        Ok(Self::of(latencies, refused, elapsed))
    }

    /// Repeats something that times itself, so many times unless that takes too long.
    pub(crate) fn repeat(
        times: usize,
        limit: Duration,
        mut work: impl FnMut(usize) -> Result<Duration>,
    ) -> Result<Self> {
        let started = Instant::now();
        let mut latencies = Vec::with_capacity(times);
        while latencies.len() < times && started.elapsed() < limit {
            latencies.push(work(latencies.len())?);
        }
        Ok(Self::of(latencies, 0, started.elapsed()))
    }

    /// Good answers in a second.
    pub(crate) fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.elapsed.as_secs_f64()
    }

    /// The latency that `percent` of the answers stay within.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let index = (self.latencies.len() * percent / 100).min(self.latencies.len().saturating_sub(1));
        self.latencies.get(index).copied().unwrap_or_default()
    }
}

/// A time as tables show it.
pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn keep_asking(
    address: SocketAddr,
    requests: &[Request],
    first: usize,
    started: Instant,
    time: Duration,
) -> Result<(Vec<Duration>, usize)> {
    let mut connection = Connection::open(address)?;
    let mut latencies = Vec::new();
    let mut refused = 0;
    for request in requests.iter().cycle().skip(first) {
        if started.elapsed() >= time {
            break;
        }
        let sent = Instant::now();
        if connection.send(request)?.status == 200 {
            latencies.push(sent.elapsed());
        } else {
            refused += 1;
        }
    }
    Ok((latencies, refused))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_few_and_none() {
        let latencies = (1..=100).rev().map(Duration::from_millis).collect();
        let load = Load::of(latencies, 0, Duration::from_secs(2));
        assert_eq!(load.percentile(50), Duration::from_millis(51));
        assert_eq!(load.percentile(100), Duration::from_millis(100));
        assert_eq!(load.per_second(), 50.0);
        let none = Load::of(Vec::new(), 0, Duration::from_secs(1));
        assert_eq!(none.percentile(99), Duration::ZERO);
    }

    #[test]
    fn repeating_ends_with_the_count_or_with_the_time() {
        let counted = Load::repeat(3, Duration::from_secs(60), |round| Ok(Duration::from_secs(round as u64)));
        assert_eq!(counted.unwrap().latencies, [0, 1, 2].map(Duration::from_secs));
        let timed = Load::repeat(3, Duration::ZERO, |_| bail!("it must not begin"));
        assert!(timed.unwrap().latencies.is_empty());
    }
}
