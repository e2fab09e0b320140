//! The program as processes of its own: started, killed so that nobody can catch it, and started again.
//! All nodes share a data directory and a database.

use std::fs::File;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::client;

/// The password of the first user.
pub(crate) const PASSWORD: &str = "known-to-this-test-only";

const START_LIMIT: Duration = Duration::from_secs(60);

/// Some nodes of one installation.
pub(crate) struct Fleet {
    directory: tempfile::TempDir,
    settings: Vec<(&'static str, String)>,
    nodes: Vec<Node>,
}

struct Node {
    address: SocketAddr,
    process: Arc<Mutex<Option<Child>>>,
}

impl Fleet {
    /// Starts so many nodes on a database; they are ready when this returns.
    pub(crate) async fn start(nodes: usize, shared: &[(&'static str, String)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let own = [
            ("SVC_ADMIN_PASSWORD", PASSWORD),
            ("SVC_RATE_LIMIT_ENABLED", "false"),
            ("SVC_RATE_LIMIT_DISABLE_ACK", "tests"),
            ("SVC_EGRESS_ALLOWLISTED_HOSTS", "127.0.0.1,127.0.0.2"),
            ("SVC_WEBHOOK_TIMEOUT_SECONDS", "1"),
        ];
        let own = own.map(|(name, value)| (name, value.to_owned()));
        let settings = own.into_iter().chain(shared.iter().cloned()).collect();
        let free = || TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let node = || Node { address: free().expect("a port is free"), process: Arc::default() };
        let nodes = (0..nodes).map(|_| node()).collect();
        let fleet = Self { directory, settings, nodes };
        for at in 0..fleet.nodes.len() {
            fleet.begin(at).await;
        }
        fleet
    }

    /// Where the nodes listen, whether they run or not.
    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Kills a node as a power cut does, and starts it again after a while.
    pub(crate) async fn kill_and_restart(&self, at: usize, pause: Duration) {
        let mut process = self.process(at).take().expect("the node runs");
        assert!(process.try_wait().expect("it can be looked at").is_none(), "{}", self.log_of(at));
        process.kill().expect("a process can be killed");
        process.wait().expect("a process that was killed ends");
        tokio::time::sleep(pause).await;
        self.begin(at).await;
    }

    async fn begin(&self, at: usize) {
        let begun = Instant::now();
        loop {
            self.spawn(at);
            while !client::is_healthy(self.nodes[at].address).await {
                assert!(begun.elapsed() < START_LIMIT, "the node does not start: {}", self.log_of(at));
                let ended = self
                    .process(at)
                    .as_mut()
                    .is_none_or(|child| child.try_wait().is_ok_and(|end| end.is_some()));
                if ended {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let runs = self
                .process(at)
                .as_mut()
                .is_some_and(|child| child.try_wait().is_ok_and(|end| end.is_none()));
            if runs {
                return;
            }
            // Somebody's outgoing connection may hold the port for a moment.
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn spawn(&self, at: usize) {
        let log =
            File::options().create(true).append(true).open(self.log_path(at)).expect("a log can be written");
        let address = self.nodes[at].address.to_string();
        let process = Command::new(env!("CARGO_BIN_EXE_planwright"))
            .args(["serve", "--listen", &address, "--data-dir"])
            .arg(self.directory.path().join("data"))
            .env_clear()
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log has two ends"))
            .stderr(log)
            .spawn()
            .expect("the program can be started");
        *self.process(at) = Some(process);
    }

    fn process(&self, at: usize) -> std::sync::MutexGuard<'_, Option<Child>> {
        self.nodes[at].process.lock().expect("nobody panics while holding a node")
    }

    fn log_path(&self, at: usize) -> PathBuf {
        self.directory.path().join(format!("node-{at}.log"))
    }

    fn log_of(&self, at: usize) -> String {
        std::fs::read_to_string(self.log_path(at)).unwrap_or_default()
    }

    /// Lines of the logs that tell of a defect: a panic, or an error.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let is_complaint = |line: &str| line.contains("ERROR") || line.contains("panicked");
        let logs = (0..self.nodes.len()).map(|at| self.log_of(at));
        logs.flat_map(|log| {
            log.lines().filter(|line| is_complaint(line)).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        for node in &self.nodes {
            let Ok(mut process) = node.process.lock() else { continue };
            if let Some(mut process) = process.take() {
                let _ = process.kill();
                let _ = process.wait();
            }
        }
    }
}
