//! The smallest HTTP client that can put load on a server over one kept connection.
//! It understands what our own server answers and is no client for anything else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

const PATIENCE: Duration = Duration::from_secs(10);

/// One kept connection.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    request: Vec<u8>,
}

impl Connection {
    /// Connects; every request will be a GET of `path`.
    pub(crate) fn open(address: SocketAddr, path: &str) -> Result<Self> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: application/json\r\n\r\n");
        Ok(Self { stream: BufReader::new(stream), request: request.into_bytes() })
    }

    /// Sends the request, reads the whole answer and returns its status.
    pub(crate) fn get(&mut self) -> Result<u16> {
        self.stream.get_mut().write_all(&self.request)?;
        let start = self.line()?;
        let status = start.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.with_context(|| format!("this is no status line: {start}"))?;
        let mut length = None;
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse::<u64>().ok();
            }
        }
        let length = length.context("the answer has no Content-Length")?;
        let read = std::io::copy(&mut self.stream.by_ref().take(length), &mut std::io::sink())?;
        if read < length {
            bail!("the answer ended early");
        }
        Ok(status)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }
}

/// What a load showed.
pub(crate) struct Load {
    /// How long each answer of 200 took, ascending.
    pub(crate) latencies: Vec<Duration>,
    /// Answers with another status.
    pub(crate) refused: usize,
    /// From the first request to the last answer.
    pub(crate) elapsed: Duration,
}

impl Load {
    /// Repeats the request from several threads, each over its own connection.
    pub(crate) fn put(address: SocketAddr, path: &str, threads: usize, time: Duration) -> Result<Self> {
        let started = Instant::now();
        let results: Vec<Result<(Vec<Duration>, usize)>> = std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads).map(|_| scope.spawn(|| repeat(address, path, started, time))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| bail!("panicked"))).collect()
        });
        let mut load = Self { latencies: Vec::new(), refused: 0, elapsed: started.elapsed() };
        for result in results {
            let (latencies, refused) = result?;
            load.latencies.extend(latencies);
            load.refused += refused;
        }
        load.latencies.sort_unstable();
        Ok(load)
    }

    /// Answers of 200 in a second.
    pub(crate) fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.elapsed.as_secs_f64()
    }

    /// The latency that `percent` of the answers stay within.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let index = (self.latencies.len() * percent / 100).min(self.latencies.len().saturating_sub(1));
        self.latencies.get(index).copied().unwrap_or_default()
    }
}

fn repeat(
    address: SocketAddr,
    path: &str,
    started: Instant,
    time: Duration,
) -> Result<(Vec<Duration>, usize)> {
    let mut connection = Connection::open(address, path)?;
    let mut latencies = Vec::new();
    let mut refused = 0;
    while started.elapsed() < time {
        let sent = Instant::now();
        if connection.get()? == 200 {
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
        let milliseconds = |count: u64| (1..=count).map(Duration::from_millis).collect();
        let load = Load { latencies: milliseconds(100), refused: 0, elapsed: Duration::from_secs(2) };
        assert_eq!(load.percentile(50), Duration::from_millis(51));
        assert_eq!(load.percentile(100), Duration::from_millis(100));
        assert_eq!(load.per_second(), 50.0);
        let none = Load { latencies: Vec::new(), refused: 0, elapsed: Duration::from_secs(1) };
        assert_eq!(none.percentile(99), Duration::ZERO);
    }
}
