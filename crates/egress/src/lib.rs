//! The only code that calls other servers: over http or https, to public addresses, without redirects. A host name is
//! looked up when it is saved and again for every call. The call goes only to an address that was checked.

pub mod addresses;
mod failure;
mod pool;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use http::header::HOST;
use http::{HeaderMap, HeaderValue, Method, Request};
use http_body_util::{BodyExt, Full, Limited};
use hyper::Response;
use hyper::body::{Body, Incoming};
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::{Host, Url};

pub use failure::{Cause, Failure};
use pool::{Line, Place, Pool};

/// The maximum time for looking up a name while a caller waits for the answer to a write.
const LOOKUP_WAIT: Duration = Duration::from_secs(2);

/// The longest body of an answer that is read so that its connection can be used again. Its content is ignored.
const LONGEST_ANSWER: usize = 64 * 1024;

/// The stored part of a refusing answer, for finding the cause.
const EXCERPT_BYTES: usize = 1024;

/// So much of a page is read.
const LONGEST_PAGE: usize = 256 * 1024;

/// The maximum time for reading it.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// The answer of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The status.
    pub status: u16,
    /// The beginning of a refusing answer. Empty for an answer from 200 to 299.
    pub excerpt: Option<String>,
}

/// The beginning of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    /// The status.
    pub status: u16,
    /// What the server says it is, such as `text/html; charset=utf-8`; blank if it says nothing.
    pub media_type: String,
    /// The beginning of its content.
    pub content: Bytes,
}

/// Bytes as text of UTF-8. What is none is replaced, and so is NUL, which no database keeps.
fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")
}

/// An answer that has begun, and the connection that it comes by.
struct Call {
    place: Place,
    address: SocketAddr,
    line: Line,
    answer: Response<Incoming>,
}

/// An address that may be called, as far as it is known without looking up its name.
#[derive(Clone, Debug)]
pub struct Target {
    url: Url,
    host: String,
    port: u16,
}

impl Target {
    /// Host and port, in one spelling.
    pub fn endpoint(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    fn place(&self) -> Place {
        Place { is_tls: self.url.scheme() == "https", host: self.host.clone(), port: self.port }
    }

    /// The host as a name or address for sockets, without the brackets of a version 6 address.
    fn bare_host(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }
}

/// Chooses the cryptography of TLS for clients of other libraries, which take that of the process. It can be chosen once; a
/// second time it is chosen already.
pub fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// The client for calls to other servers.
pub struct Egress {
    exceptions: Vec<String>,
    tls: Arc<rustls::ClientConfig>,
    pool: Arc<Pool>,
    /// How long one call may take.
    pub patience: Duration,
}

impl Egress {
    /// Reads `SVC_EGRESS_ALLOWLISTED_HOSTS`, `SVC_EGRESS_CA_FILE` and `SVC_WEBHOOK_TIMEOUT_SECONDS`; an error names the
    /// setting.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let hosts = setting("SVC_EGRESS_ALLOWLISTED_HOSTS");
        let exceptions: Vec<String> = hosts
            .split(',')
            .map(|host| host.trim().to_ascii_lowercase())
            .filter(|host| !host.is_empty())
            .collect();
        if let Some(wrong) = exceptions.iter().find(|host| host.contains(['/', '*', ' '])) {
            anyhow::bail!("SVC_EGRESS_ALLOWLISTED_HOSTS: {wrong:?} is neither a host nor host:port");
        }
        let seconds = setting("SVC_WEBHOOK_TIMEOUT_SECONDS");
        let patience = seconds.trim().parse().ok().filter(|seconds| (1..=60).contains(seconds));
        let patience = patience.with_context(|| {
            format!("SVC_WEBHOOK_TIMEOUT_SECONDS: {seconds:?} is not a number of seconds from 1 to 60")
        })?;
        let roots = roots(setting("SVC_EGRESS_CA_FILE").trim()).context("SVC_EGRESS_CA_FILE")?;
        let provider = rustls::crypto::ring::default_provider();
        let tls = rustls::ClientConfig::builder_with_provider(provider.into())
            .with_safe_default_protocol_versions()
            .context("setting up TLS")?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let patience = Duration::from_secs(patience);
        Ok(Self { exceptions, tls: tls.into(), pool: Arc::default(), patience })
    }

    /// Reads an address that somebody wants to save. An unknown name is accepted, because it may be known later. A
    /// name that leads to a forbidden address is refused.
    pub async fn admit(&self, text: &str) -> Result<Target, Failure> {
        let target = read(text)?;
        match tokio::time::timeout(LOOKUP_WAIT, self.look_up(&target)).await {
            Ok(Ok(found)) => self.check(&target, &found).map(|()| target),
            Ok(Err(_)) | Err(_) => Ok(target),
        }
    }

    /// Sends a body and returns the answer. The whole call ends within the time limit.
    pub async fn post(&self, text: &str, headers: HeaderMap, body: Bytes) -> Result<Answered, Failure> {
        let call = async {
            let Call { place, address, line, answer } = self.call(Method::POST, text, headers, body).await?;
            Ok(self.read(place, address, line, answer).await)
        };
        self.in_time(self.patience, call).await
    }

    /// Reads the beginning of a page within `limit`. Its connection is closed.
    pub async fn get(&self, text: &str, headers: HeaderMap, limit: Duration) -> Result<Fetched, Failure> {
        self.ask(Method::GET, text, headers, Bytes::new(), limit).await
    }

    /// Sends a request and reads the beginning of its answer within `limit`. Its connection is closed.
    pub async fn ask(
        &self,
        method: Method,
        text: &str,
        headers: HeaderMap,
        body: Bytes,
        limit: Duration,
    ) -> Result<Fetched, Failure> {
        let call = async {
            let Call { answer, .. } = self.call(method, text, headers, body).await?;
            let status = answer.status().as_u16();
            let kind = answer.headers().get(http::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            let media_type = kind.unwrap_or_default().to_owned();
            let content = beginning(answer.into_body(), LONGEST_PAGE).await;
            Ok(Fetched { status, media_type, content })
        };
        self.in_time(limit, call).await
    }

    async fn in_time<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let late =
            |_| Failure::says(format!("No answer within {} seconds.", limit.as_secs())).because(Cause::Late);
        tokio::time::timeout(limit, call).await.map_err(late)?
    }

    async fn call(
        &self,
        method: Method,
        text: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Call, Failure> {
        let target = read(text)?;
        let unknown = |_| Failure::says("The name of the host cannot be looked up.");
        let found = self.look_up(&target).await.map_err(unknown)?;
        self.check(&target, &found)?;
        let request = request(&target, method, headers, body)?;
        let place = target.place();
        if let Some((mut line, address)) = self.pool.take(&place, &found).await
            && let Ok(answer) = line.send_request(request.clone()).await
        {
            return Ok(Call { place, address, line, answer });
        }
        // A kept connection may end just when it is used, which says nothing about the receiver.
        let (stream, address) = connect(&found).await?;
        let mut line = match place.is_tls {
            true => open(self.secure(&target, stream).await?).await?,
            false => open(stream).await?,
        };
        let answer = line.send_request(request).await.map_err(broken)?;
        Ok(Call { place, address, line, answer })
    }

    async fn secure(&self, target: &Target, stream: TcpStream) -> Result<TlsStream<TcpStream>, Failure> {
        let name = ServerName::try_from(target.bare_host().to_owned())
            .map_err(|_| Failure::says("A certificate cannot be for this host."))?;
        let stream = TlsConnector::from(self.tls.clone()).connect(name, stream).await;
        stream.map_err(|error| Failure::says(format!("TLS failed: {error}.")))
    }

    /// The answer. Only the beginning of a refusing answer is read, and its connection is closed.
    async fn read(
        &self,
        place: Place,
        address: SocketAddr,
        line: Line,
        answer: Response<Incoming>,
    ) -> Answered {
        let status = answer.status().as_u16();
        if (200..300).contains(&status) {
            return Answered { status: self.keep(place, address, line, answer), excerpt: None };
        }
        let excerpt =
            tokio::time::timeout(ANSWER_WAIT, beginning(answer.into_body(), EXCERPT_BYTES)).await.ok();
        let excerpt = excerpt.filter(|begun| !begun.is_empty()).map(|begun| readable(&begun));
        Answered { status, excerpt }
    }

    /// The status of an answer. Its connection is kept for the next call after its body was read.
    fn keep(&self, place: Place, address: SocketAddr, line: Line, answer: Response<Incoming>) -> u16 {
        let status = answer.status().as_u16();
        let body = answer.into_body();
        if body.is_end_stream() {
            self.pool.keep(place, address, line);
            return status;
        }
        let pool = self.pool.clone();
        tokio::spawn(async move {
            let rest = Limited::new(body, LONGEST_ANSWER).collect();
            if let Ok(Ok(_)) = tokio::time::timeout(ANSWER_WAIT, rest).await {
                pool.keep(place, address, line);
            }
        });
        status
    }

    async fn look_up(&self, target: &Target) -> std::io::Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((target.bare_host(), target.port)).await?.collect())
    }

    /// Whether secrets may go to an address: over https, or to a host that the operator has excepted.
    pub fn keeps_secrets(&self, target: &Target) -> bool {
        target.url.scheme() == "https" || self.is_excepted(target)
    }

    fn is_excepted(&self, target: &Target) -> bool {
        self.exceptions.iter().any(|known| *known == target.host || *known == target.endpoint())
    }

    /// Every address of a name must be public, because it is not known which one would be used.
    fn check(&self, target: &Target, found: &[SocketAddr]) -> Result<(), Failure> {
        if self.is_excepted(target) {
            return Ok(());
        }
        match found.iter().all(|address| addresses::is_public(address.ip())) {
            true => Ok(()),
            false => Err(not_public()),
        }
    }
}

fn not_public() -> Failure {
    Failure::says("The host does not resolve to a public address.").because(Cause::Forbidden)
}

/// Reads an address without a look-up.
fn read(text: &str) -> Result<Target, Failure> {
    let url = Url::parse(text).map_err(|_| Failure::says("Enter a valid URL."))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Failure::says("Only http and https are allowed."));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Failure::says("The URL must not contain a user name or a password."));
    }
    let host = match url.host() {
        Some(Host::Domain(name)) => name.trim_end_matches('.').to_owned(),
        Some(host) => host.to_string(),
        None => return Err(Failure::says("Enter a valid URL.")),
    };
    let port = url.port_or_known_default().ok_or_else(|| Failure::says("Enter a valid URL."))?;
    Ok(Target { url, host, port })
}

/// The trusted certificate authorities: the public ones, and those of a file if there is one.
fn roots(file: &str) -> anyhow::Result<rustls::RootCertStore> {
    let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if file.is_empty() {
        return Ok(roots);
    }
    let mut added = 0;
    for certificate in CertificateDer::pem_file_iter(file).with_context(|| format!("reading {file}"))? {
        roots.add(certificate.with_context(|| format!("reading {file}"))?)?;
        added += 1;
    }
    anyhow::ensure!(added > 0, "{file} contains no certificate in PEM format");
    Ok(roots)
}

async fn connect(addresses: &[SocketAddr]) -> Result<(TcpStream, SocketAddr), Failure> {
    let mut failure = Failure::says("The host name does not resolve to an address.");
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                // What is sent is one small message, which nothing later would fill up.
                stream.set_nodelay(true).map_err(|error| Failure::says(format!("{error}.")))?;
                return Ok((stream, *address));
            }
            Err(error) => failure = Failure::says(format!("No connection: {error}.")),
        }
    }
    Err(failure)
}

fn request(
    target: &Target,
    method: Method,
    mut headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Full<Bytes>>, Failure> {
    let wrong = || Failure::says("Enter a valid URL.");
    let host = match target.url.port() {
        Some(port) => format!("{}:{port}", target.host),
        None => target.host.clone(),
    };
    headers.insert(HOST, HeaderValue::from_str(&host).map_err(|_| wrong())?);
    let query = target.url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut request = Request::builder()
        .method(method)
        .uri(format!("{}{query}", target.url.path()))
        .body(Full::new(body))
        .map_err(|_| wrong())?;
    *request.headers_mut() = headers;
    Ok(request)
}

/// Starts HTTP on a new connection.
async fn open<S>(stream: S) -> Result<Line, Failure>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (line, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    // Its errors reach the request as well; the task ends when the line is dropped.
    tokio::spawn(async move { connection.await.ok() });
    Ok(line)
}

fn broken(error: hyper::Error) -> Failure {
    Failure::says(format!("The connection broke: {error}."))
}

/// The first bytes of a body as text. Bytes that are not text are replaced, because a person reads it.
async fn beginning(mut body: Incoming, most: usize) -> Bytes {
    let mut bytes = Vec::new();
    while bytes.len() < most
        && let Some(Ok(frame)) = body.frame().await
    {
        bytes.extend_from_slice(frame.data_ref().map(Bytes::as_ref).unwrap_or_default());
    }
    bytes.truncate(most);
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn egress(hosts: &str) -> Egress {
        let value = |name: &str| match name {
            "SVC_EGRESS_ALLOWLISTED_HOSTS" => hosts.to_owned(),
            "SVC_EGRESS_CA_FILE" => String::new(),
            _ => "1".to_owned(),
        };
        Egress::from_settings(value).unwrap()
    }

    #[tokio::test]
    async fn what_is_no_address_of_a_public_server_is_not_admitted() {
        let egress = egress("");
        let refused = [
            "",
            "hook",
            "ftp://8.8.8.8/",
            "file:///etc/passwd",
            "http://",
            "http://user:secret@8.8.8.8/",
            "http://127.0.0.1/",
            "http://127.1/",
            "http://0x7f000001/",
            "http://2130706433/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://localhost/",
            "http://localhost./",
            "https://10.0.0.8:8443/x",
        ];
        for text in refused {
            assert!(egress.admit(text).await.is_err(), "{text}");
        }
        for text in ["http://8.8.8.8/", "https://[2606:4700::1111]/hook?x=1"] {
            assert!(egress.admit(text).await.is_ok(), "{text}");
        }
    }

    #[tokio::test]
    async fn an_exception_is_for_a_host_or_for_one_of_its_ports() {
        let host = egress("127.0.0.1");
        assert_eq!(host.admit("http://127.0.0.1:9000/").await.unwrap().endpoint(), "127.0.0.1:9000");
        assert!(host.admit("http://127.0.0.2:9000/").await.is_err());
        let port = egress("Localhost:9000, 10.0.0.8");
        assert!(port.admit("http://localhost:9000/").await.is_ok());
        assert!(port.admit("http://localhost:9001/").await.is_err());
    }

    #[tokio::test]
    async fn a_call_checks_again_what_was_saved_long_ago() {
        let failure = egress("").post("http://127.0.0.1:9/", HeaderMap::new(), Bytes::new()).await;
        assert_eq!(failure, Err(not_public()));
    }

    #[tokio::test]
    async fn secrets_go_out_encrypted_unless_the_operator_excepts_a_host() {
        let egress = egress("127.0.0.1");
        let keeps = async |text: &str| egress.keeps_secrets(&egress.admit(text).await.unwrap());
        assert!(keeps("https://8.8.8.8/").await);
        assert!(!keeps("http://8.8.8.8/").await);
        assert!(keeps("http://127.0.0.1:9/").await);
    }

    #[test]
    fn a_setting_that_cannot_be_meant_stops_the_start() {
        let wrong = [
            ("SVC_EGRESS_ALLOWLISTED_HOSTS", "http://a/"),
            ("SVC_EGRESS_CA_FILE", "/nowhere/ca.pem"),
            ("SVC_EGRESS_CA_FILE", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
            ("SVC_WEBHOOK_TIMEOUT_SECONDS", "0"),
        ];
        for (setting, text) in wrong {
            let value = |name: &str| match name {
                _ if name == setting => text.to_owned(),
                "SVC_WEBHOOK_TIMEOUT_SECONDS" => "10".to_owned(),
                _ => String::new(),
            };
            let error = Egress::from_settings(value).err().unwrap().to_string();
            assert!(error.contains(setting), "{error}");
        }
    }
}
