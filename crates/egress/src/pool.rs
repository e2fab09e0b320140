//! Connections that are kept open between calls. A connection is used again only for the same scheme, host and port,
//! and only if its address is among the addresses that were checked for the new call.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1::SendRequest;
use tokio::time::Instant;

/// The maximum number of kept connections for one place.
const MOST_OF_ONE: usize = 32;

/// The maximum number of kept connections.
const MOST: usize = 256;

/// How long an unused connection is kept.
const KEPT: Duration = Duration::from_secs(15);

/// One open connection, as requests are sent over it.
pub(super) type Line = SendRequest<Full<Bytes>>;

/// The name of the target of a connection.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    /// Whether it uses TLS.
    pub(super) is_tls: bool,
    /// The host as it was written.
    pub(super) host: String,
    /// The port.
    pub(super) port: u16,
}

/// The connections that are kept.
#[derive(Default)]
pub(super) struct Pool(Mutex<HashMap<Place, Vec<Kept>>>);

struct Kept {
    line: Line,
    address: SocketAddr,
    since: Instant,
}

impl Pool {
    /// A kept connection to this place with one of the checked addresses, and this address.
    pub(super) async fn take(&self, place: &Place, checked: &[SocketAddr]) -> Option<(Line, SocketAddr)> {
        while let Some(mut kept) = self.pick(place, checked, Instant::now()) {
            if kept.line.ready().await.is_ok() {
                return Some((kept.line, kept.address));
            }
        }
        None
    }

    fn pick(&self, place: &Place, checked: &[SocketAddr], now: Instant) -> Option<Kept> {
        let mut places = self.places();
        let kept = places.get_mut(place)?;
        kept.retain(|kept| kept.is_good(now));
        let at = kept.iter().rposition(|kept| checked.contains(&kept.address))?;
        Some(kept.swap_remove(at))
    }

    /// Keeps a connection whose last answer was read completely.
    pub(super) fn keep(&self, place: Place, address: SocketAddr, line: Line) {
        let now = Instant::now();
        let mut places = self.places();
        places.retain(|_, kept| {
            kept.retain(|kept| kept.is_good(now));
            !kept.is_empty()
        });
        if places.values().map(Vec::len).sum::<usize>() >= MOST {
            return;
        }
        let kept = places.entry(place).or_default();
        if kept.len() < MOST_OF_ONE && !line.is_closed() {
            kept.push(Kept { line, address, since: now });
        }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<Place, Vec<Kept>>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Kept {
    fn is_good(&self, now: Instant) -> bool {
        !self.line.is_closed() && now.duration_since(self.since) < KEPT
    }
}

#[cfg(test)]
mod tests {
    use hyper_util::rt::TokioIo;
    use tokio::io::DuplexStream;

    use super::*;

    async fn line() -> (Line, DuplexStream) {
        let (near, far) = tokio::io::duplex(64);
        let (line, connection) = hyper::client::conn::http1::handshake(TokioIo::new(near)).await.unwrap();
        tokio::spawn(connection);
        (line, far)
    }

    fn place(host: &str) -> Place {
        Place { is_tls: false, host: host.to_owned(), port: 80 }
    }

    #[tokio::test]
    async fn a_connection_serves_its_place_and_its_checked_address_and_no_other() {
        let (here, there): (SocketAddr, SocketAddr) =
            ("1.1.1.1:80".parse().unwrap(), "2.2.2.2:80".parse().unwrap());
        let pool = Pool::default();
        let (open, _far) = line().await;
        pool.keep(place("a.test"), here, open);
        assert!(pool.take(&place("b.test"), &[here]).await.is_none());
        assert!(pool.take(&Place { is_tls: true, ..place("a.test") }, &[here]).await.is_none());
        assert!(pool.take(&place("a.test"), &[there]).await.is_none(), "the name leads elsewhere now");
        assert!(pool.take(&place("a.test"), &[there, here]).await.is_some());
        assert!(pool.take(&place("a.test"), &[here]).await.is_none(), "it is taken");
    }

    #[tokio::test]
    async fn a_connection_that_ended_or_lay_idle_is_not_used() {
        let here: SocketAddr = "1.1.1.1:80".parse().unwrap();
        let pool = Pool::default();
        let (open, far) = line().await;
        pool.keep(place("a.test"), here, open);
        drop(far);
        assert!(pool.take(&place("a.test"), &[here]).await.is_none());
        let (open, _far) = line().await;
        pool.keep(place("a.test"), here, open);
        assert!(pool.pick(&place("a.test"), &[here], Instant::now() + KEPT).is_none());
    }
}
