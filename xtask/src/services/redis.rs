//! A private Redis or Valkey server for tests. It stores nothing on disk, and only this machine can reach it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::directory::PrivateDirectory;
use super::server::{Recipe, Server};

/// The running server; dropping it stops it.
pub(crate) struct Redis {
    server: Server,
}

impl Redis {
    /// Starts `program`, which is `redis-server` or `valkey-server`.
    pub(crate) fn start(program: &Path, directory: &PrivateDirectory) -> Result<Self> {
        let command = |port: u16| {
            let mut command = directory.command(program);
            command.args(["--bind", "127.0.0.1", "--port", &port.to_string()]);
            command.args(["--save", "", "--appendonly", "no", "--daemonize", "no"]);
            command.arg("--dir").arg(directory.path());
            command
        };
        let server = Server::start(&Recipe {
            name: "Redis",
            log: directory.path().join("redis.log"),
            stop_signal: "TERM",
            command: &command,
            answers: &answers_ping,
        })?;
        Ok(Self { server })
    }

    /// Its address; the database number is left to the reader.
    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.server.port())
    }
}

fn answers_ping(port: u16) -> bool {
    let ask = || -> std::io::Result<[u8; 5]> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(b"PING\r\n")?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| &answer == b"+PONG")
}
