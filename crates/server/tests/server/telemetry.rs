//! Traces and metrics of a server that runs, at a collector that the test starts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

type Sent = Arc<Mutex<Vec<(String, Vec<u8>)>>>;

/// A collector that takes everything: its port, and the paths and bodies that it was sent.
fn collector() -> (u16, Sent) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    let sent = Sent::default();
    let kept = sent.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let kept = kept.clone();
            std::thread::spawn(move || while take(&stream, &kept).is_some() {});
        }
    });
    (port, sent)
}

fn take(stream: &TcpStream, kept: &Sent) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).ok().filter(|bytes| *bytes > 0)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    kept.lock().ok()?.push((path, body));
    let mut writer = stream;
    writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").ok()
}

#[test]
fn a_server_sends_its_spans_and_its_metrics_to_the_collector() {
    let (port, sent) = collector();
    let home = tempfile::tempdir().expect("a directory can be made");
    let mut server = Command::new(env!("CARGO_BIN_EXE_planwright"))
        .arg("--data-dir")
        .arg(home.path())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://127.0.0.1:{port}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut lines = BufReader::new(server.stdout.take().expect("it has an output")).lines();
    let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once("listening on http://")?;
        Some(rest.trim_end_matches('/').to_owned())
    });
    let mut stream = TcpStream::connect(address.expect("it listens")).expect("it answers");
    stream
        .write_all(b"GET /api/v1/health/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(Command::new("kill").arg(server.id().to_string()).status().expect("kill runs").success());
    assert!(server.wait().expect("it ends").success());
    let sent = sent.lock().expect("no thread panicked").clone();
    for (path, name) in [("/v1/traces", "request"), ("/v1/metrics", "planwright_http_requests_total")] {
        let is_there = |body: &[u8]| body.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(sent.iter().any(|(to, body)| to == path && is_there(body)), "{name} did not come to {path}");
    }
}
