//! A minimal client of the board channel: it opens a socket and reads the messages of the server. It sends nothing
//! and understands only the frames that our server sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Result, bail};

const PATIENCE: Duration = Duration::from_secs(20);
const TEXT: u8 = 1;
const CLOSE: u8 = 8;

/// An open socket.
pub(crate) struct Socket(BufReader<TcpStream>);

impl Socket {
    /// Opens a socket.
    pub(crate) fn open(address: SocketAddr, path: &str) -> Result<Self> {
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        let mut socket = Self(BufReader::with_capacity(1024, stream));
        let mut line = String::new();
        socket.0.read_line(&mut line)?;
        if !line.starts_with("HTTP/1.1 101") {
            bail!("the socket does not open: {line}");
        }
        while line.trim_end() != "" {
            line.clear();
            socket.0.read_line(&mut line)?;
        }
        Ok(socket)
    }

    /// Reads on until a message that holds this text.
    pub(crate) fn until(&mut self, text: &str) -> Result<()> {
        loop {
            let (kind, message) = self.frame()?;
            match kind {
                TEXT if String::from_utf8_lossy(&message).contains(text) => return Ok(()),
                CLOSE => bail!("the server hung up"),
                _ => {}
            }
        }
    }

    fn frame(&mut self) -> Result<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head)?;
        let length = match head[1] {
            126 => {
                let mut long = [0; 2];
                self.0.read_exact(&mut long)?;
                u64::from(u16::from_be_bytes(long))
            }
            127 => {
                let mut long = [0; 8];
                self.0.read_exact(&mut long)?;
                u64::from_be_bytes(long)
            }
            short => u64::from(short),
        };
        let mut message = Vec::new();
        self.0.by_ref().take(length).read_to_end(&mut message)?;
        Ok((head[0] & 0x0f, message))
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn frames_of_any_length_are_read_and_others_are_left_out() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            assert!(stream.read(&mut [0; 1024]).unwrap() > 0);
            write!(stream, "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n").unwrap();
            let long = [b"first".as_slice(), &[b' '; 200]].concat();
            stream.write_all(&[0x81, 126, 0, 205]).unwrap();
            stream.write_all(&long).unwrap();
            stream.write_all(&[0x89, 0, 0x81, 6]).unwrap();
            stream.write_all(b"second").unwrap();
            stream.write_all(&[0x88, 0]).unwrap();
        });
        let mut socket = Socket::open(address, "/").unwrap();
        socket.until("first").unwrap();
        socket.until("second").unwrap();
        assert!(socket.until("third").is_err());
        server.join().unwrap();
    }
}
