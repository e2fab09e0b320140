//! Sends a large file as a form, block by block, so that the sender is not what takes the memory or the time.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use xtask::running_server::RunningServer;

use super::place::Place;
use crate::measurements::memory;

const TIMES: usize = 5;
const BLOCK: usize = 1 << 20;
const HEAD: &str = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"large.pdf\"\r\n\
    Content-Type: application/pdf\r\n\r\n%PDF-1.7\n";
const TAIL: &str = "\r\n--edge--\r\n";

/// The best speed of several uploads in megabytes a second, and the megabytes of memory that they added at most.
pub(crate) fn measure(server: &RunningServer, place: &mut Place<'_>, size_mb: usize) -> Result<(f64, f64)> {
    let unknown = "the memory of a process is not known here";
    std::thread::sleep(Duration::from_secs(2));
    let mut fastest = Duration::MAX;
    let before = memory::resident_kibibytes(server).context(unknown)?;
    memory::forget_peak(server)?;
    for _ in 0..TIMES {
        fastest = fastest.min(send(server, place, size_mb)?);
    }
    let added = memory::peak_kibibytes(server).context(unknown)? - before;
    Ok((size_mb as f64 / fastest.as_secs_f64(), added * 1.024 / 1000.0))
}

/// Sends one file, from the first byte sent to the answer.
fn send(server: &RunningServer, place: &mut Place<'_>, size_mb: usize) -> Result<Duration> {
    let mut stream = TcpStream::connect(server.address)?;
    let block = vec![b'x'; BLOCK];
    let content = size_mb * 1_000_000;
    let length = HEAD.len() + content + TAIL.len();
    let lines = place.session.lines("POST", &place.files);
    let sent = Instant::now();
    write!(
        stream,
        "{lines}Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: {length}\r\n\r\n{HEAD}"
    )?;
    let mut left = content;
    while left > 0 {
        let part = left.min(BLOCK);
        stream.write_all(&block[..part])?;
        left -= part;
    }
    stream.write_all(TAIL.as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    if !line.contains(" 201 ") {
        bail!("the file was answered with {line}");
    }
    Ok(sent.elapsed())
}
