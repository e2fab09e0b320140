//! A node that listens on its own port and runs by itself, like the running program. Most tests need no such node.
//! Tests of sockets do.

use std::net::SocketAddr;

use planwright_jobs::Worker;
use planwright_outbound::live::Hub;
use planwright_server::{assemble, listener};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::{TestApp, payloads};

/// A node on a port.
pub struct Served {
    /// Where it listens.
    pub address: SocketAddr,
    hub: Hub,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl TestApp {
    /// Starts this node on a port, with a worker that sends events as soon as they are committed.
    pub async fn serve(&self) -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let (stop, stopped) = watch::channel(false);
        let serving =
            tokio::spawn(listener::serve(listener, self.router.clone(), self.bounds, stopped.clone()));
        let (db, app) = (self.app.db.clone(), self.app.clone());
        let worker = Worker::new(db, app, assemble::jobs(), payloads::react);
        let working = tokio::spawn(worker.run(stopped));
        Served { address, hub: self.app.get::<Hub>().clone(), stop, tasks: vec![serving, working] }
    }
}

impl Served {
    /// Shuts the node down like a signal: clients are told, and running work is finished.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.hub.close().await;
        for task in self.tasks {
            task.await.expect("the node shuts down in order");
        }
    }
}
