//! A connection to the database server that a test can interrupt and restore: a proxy with its own port. It is only
//! between the program and PostgreSQL.

use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// A proxy that can be interrupted.
pub struct Line {
    /// The port on 127.0.0.1 that leads to the server.
    pub port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    cut: bool,
    streams: Vec<AbortHandle>,
}

impl Line {
    /// A proxy to `host:port`.
    pub async fn to(target: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("the listener has an address").port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut state = shared.lock().expect("no test panics while it holds the line");
                if state.cut {
                    continue;
                }
                let target = target.clone();
                let stream = tokio::spawn(async move {
                    if let Ok(mut far) = TcpStream::connect(&target).await {
                        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                    }
                });
                state.streams.push(stream.abort_handle());
            }
        });
        Self { port, state }
    }

    /// Breaks every connection and refuses new ones.
    pub fn cut(&self) {
        let mut state = self.state.lock().expect("no test panics while it holds the line");
        state.cut = true;
        state.streams.drain(..).for_each(|stream| stream.abort());
    }

    /// Lets connections through again.
    pub fn mend(&self) {
        self.state.lock().expect("no test panics while it holds the line").cut = false;
    }
}
