//! `planwright health`: whether a running server may get traffic, for the healthcheck of an image that has no other tools.
//! Exit code 1 means that it may not, or does not answer.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use http::Request;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::Settings;

/// Flags of `health`.
#[derive(Args, Debug)]
pub struct Health {
    /// Address and port of the server; the default is SVC_LISTEN on this machine
    #[arg(long)]
    address: Option<SocketAddr>,
    /// The maximum time for the answer, in seconds
    #[arg(long, default_value_t = 3)]
    timeout_seconds: u64,
}

impl Health {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let address = match self.address {
            Some(address) => address,
            None => here(&settings.text("SVC_LISTEN"))?,
        };
        let patience = Duration::from_secs(self.timeout_seconds);
        let answered = tokio::time::timeout(patience, ask(address)).await;
        match answered.context("the answer took too long").and_then(|answer| answer) {
            Ok(()) => println!("ready"),
            Err(error) => {
                eprintln!("planwright: {address}: {error:#}");
                return Ok(1);
            }
        }
        Ok(0)
    }
}

/// Where a server that listens there is reached from its own machine.
fn here(listen: &str) -> anyhow::Result<SocketAddr> {
    let mut address: SocketAddr = listen.replace("localhost", "127.0.0.1").parse().with_context(|| {
        format!("SVC_LISTEN: {listen:?} is not an address and a port; name one with --address")
    })?;
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    Ok(address)
}

async fn ask(address: SocketAddr) -> anyhow::Result<()> {
    let stream = TcpStream::connect(address).await.context("no server listens there")?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = Request::get("/api/v1/readyz").header("Host", address.to_string());
    let answer = sender.send_request(request.body(axum::body::Body::empty())?).await?;
    ensure!(answer.status().is_success(), "not ready ({})", answer.status());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_asked_on_this_machine() {
        assert_eq!(here("0.0.0.0:8400").unwrap().to_string(), "127.0.0.1:8400");
        assert_eq!(here("[::]:8400").unwrap().to_string(), "[::1]:8400");
        assert_eq!(here("localhost:1").unwrap().to_string(), "127.0.0.1:1");
        assert_eq!(here("10.1.2.3:80").unwrap().to_string(), "10.1.2.3:80");
        assert!(here("plan.example").unwrap_err().to_string().contains("SVC_LISTEN"));
    }
}
