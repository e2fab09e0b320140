//! A node that listens on a port of its own and works by itself, as the running program does.
//! Most tests need neither; those of sockets do.

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
    /// Puts this node on a port, with a worker that hands events out as soon as they are committed.
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
    /// Shuts the node down as a signal does: everybody is told, and what is running is finished.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.hub.close().await;
        for task in self.tasks {
            task.await.expect("the node shuts down in order");
        }
    }
}
