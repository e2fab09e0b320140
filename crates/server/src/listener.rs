//! Takes connections and has requests answered, with bounds on what a connection may cost before anybody is asked who it is:
//! how many there are at once, in all and from one network, and how long the head of a request may take.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use planwright_web::actor::ClientAddress;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tower::ServiceExt;

use crate::Settings;

/// How long nothing is taken after the system refused a connection, such as for want of a file.
const PAUSE: Duration = Duration::from_millis(100);

/// Bounds on connections.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many there are at once.
    pub connections: usize,
    /// How many of them come from one network; none behind proxies, from which all come.
    pub per_network: Option<usize>,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub header: Duration,
}

impl Bounds {
    /// Reads the settings. A quarter of the files that the process may open is left to what is not a connection, and half of
    /// the connections to other networks than one.
    pub fn from_settings(settings: &Settings) -> anyhow::Result<Self> {
        let most = settings.whole("SVC_MAX_CONNECTIONS", 2..=1_000_000)?;
        let connections = open_files().map_or(most, |files| most.min(files * 3 / 4)).max(2) as usize;
        let per_network = settings.whole("SVC_MAX_CONNECTIONS_PER_ADDRESS", 1..=1_000_000)? as usize;
        let proxies: usize = settings.number("SVC_NUM_PROXIES")?;
        let header = settings.whole("SVC_REQUEST_HEADER_SECONDS", 1..=3600)?;
        Ok(Self {
            connections,
            per_network: (proxies == 0).then_some(per_network.min(connections / 2)),
            header: Duration::from_secs(header),
        })
    }
}

/// How many files the process may open, where the system says so.
fn open_files() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Answers what comes to a listener until told to stop, and then finishes what was begun.
pub async fn serve(listener: TcpListener, router: Router, bounds: Bounds, mut stop: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(bounds.connections));
    let networks = Networks::default();
    // Nothing is sent: it ends when the last connection has dropped its end.
    let (open, mut all_closed) = mpsc::channel::<Infallible>(1);
    loop {
        let taken = tokio::select! {
            taken = take(&listener, &room) => taken,
            () = told(&mut stop) => break,
        };
        let (stream, peer, permit) = match taken {
            Ok(taken) => taken,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Some(place) = networks.enter(peer, bounds.per_network) else {
            metrics::counter!("planwright_connections_refused_total").increment(1);
            continue;
        };
        // Small answers are not held back to be sent together.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection was lost immediately after it was accepted");
        }
        let line = Line { stream, _permit: permit, _place: place };
        let talk = talk(line, peer, router.clone(), bounds.header, stop.clone());
        let open = open.clone();
        tokio::spawn(async move {
            talk.await;
            drop(open);
        });
    }
    drop((listener, open));
    all_closed.recv().await;
}

/// Waits for the word to stop; a sender that is gone has nobody left to serve.
async fn told(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stopping| *stopping).await;
}

/// Waits for room, and then for a connection.
async fn take(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = room.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, permit))
}

/// Answers the requests of one connection.
async fn talk(
    line: Line,
    peer: SocketAddr,
    router: Router,
    header: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let router = router.clone();
        async move { Ok::<Response<Body>, Infallible>(answer(router, request).await) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(header);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(line), service).with_upgrades());
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = told(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}

async fn answer(router: Router, request: Request<Body>) -> Response<Body> {
    router.oneshot(request).await.unwrap_or_else(|never| match never {})
}

/// A connection, with its places among all and among those of its network. A socket that it turns into keeps them.
struct Line {
    stream: TcpStream,
    _permit: OwnedSemaphorePermit,
    _place: Place,
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// How many connections each network has open.
#[derive(Clone, Default)]
struct Networks(Arc<Mutex<HashMap<String, usize>>>);

/// A place among the connections of a network; it is given up when this is dropped.
struct Place {
    networks: Networks,
    network: String,
}

impl Networks {
    fn enter(&self, peer: SocketAddr, most: Option<usize>) -> Option<Place> {
        let network = ClientAddress(Some(peer.ip())).network();
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(network.clone()).or_default();
        if most.is_some_and(|most| *count >= most) {
            return None;
        }
        *count += 1;
        Some(Place { networks: self.clone(), network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.networks.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_so_many_places_and_gets_them_back() {
        let networks = Networks::default();
        let peer = |text: &str| text.parse::<SocketAddr>().unwrap();
        let first = networks.enter(peer("[2001:db8::1]:1"), Some(2));
        let second = networks.enter(peer("[2001:db8::2]:1"), Some(2));
        assert!(first.is_some() && second.is_some());
        assert!(networks.enter(peer("[2001:db8::3]:1"), Some(2)).is_none(), "a /64 is one network");
        assert!(networks.enter(peer("[2001:db8:0:1::3]:1"), Some(2)).is_some());
        drop(first);
        assert!(networks.enter(peer("[2001:db8::3]:1"), Some(2)).is_some());
    }
}
