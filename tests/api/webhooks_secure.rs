//! Receivers behind TLS: whose certificates are believed, and how connections to receivers are used again.
//! The authority and the certificate in `tls/` are for tests alone; the certificate is for `localhost`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use planwright_testkit::{Engine, TestApp};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::subscribed::add_task;

const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tls/ca.pem");

/// A receiver behind TLS that takes everything, over connections that it keeps.
struct Secure {
    port: u16,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
}

impl Secure {
    async fn start() -> Self {
        let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/receiver.pem")).unwrap();
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/receiver.key")).unwrap();
        let provider = rustls::crypto::ring::default_provider();
        let config = ServerConfig::builder_with_provider(provider.into())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (connections, requests): (Arc<AtomicUsize>, Arc<AtomicUsize>) = Default::default();
        let (opened, came) = (connections.clone(), requests.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, opened, came) = (acceptor.clone(), opened.clone(), came.clone());
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    opened.fetch_add(1, Ordering::SeqCst);
                    let mut read = Vec::new();
                    while stream.read_buf(&mut read).await.is_ok_and(|count| count > 0) {
                        // What is sent here ends with the brackets of `_meta` and of the body.
                        if read.ends_with(b"}}") {
                            came.fetch_add(1, Ordering::SeqCst);
                            read.clear();
                            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nThank";
                            stream.write_all(answer).await.unwrap();
                        }
                    }
                });
            }
        });
        Self { port, connections, requests }
    }
}

async fn app(authority: &str) -> TestApp {
    let settings =
        [("SVC_EGRESS_ALLOWLISTED_HOSTS", "localhost,127.0.0.1"), ("SVC_EGRESS_CA_FILE", authority)];
    TestApp::start_with(Engine::Sqlite, &settings).await
}

/// Sends so many events to an address, one after another; returns the last delivery.
async fn sent(app: &TestApp, url: String, events: usize) -> serde_json::Value {
    let mara = app.person("mara").await;
    let project = app.project(&mara, "Bridge").await;
    app.run_jobs().await;
    let all = format!("/api/v1/projects/{project}/webhooks/");
    let hook = mara.post(&all, json!({"url": url, "events": ["task.created"]})).await.expect(201).id();
    for place in 0..events {
        add_task(&mara, project, &format!("Task {place}")).await;
        app.run_jobs().await;
    }
    let last = mara.get(&format!("{all}{hook}/deliveries/")).await.expect(200).results()[0].clone();
    mara.delete(&format!("{all}{hook}/")).await.expect(204);
    last
}

#[tokio::test]
async fn a_receiver_behind_tls_is_believed_by_its_authority_and_its_connection_is_used_again() {
    let receiver = Secure::start().await;
    let app = app(AUTHORITY).await;
    let last = sent(&app, format!("https://localhost:{}/hook", receiver.port), 5).await;
    assert_eq!((&last["status"], &last["response_status"]), (&json!("success"), &json!(200)));
    assert_eq!(receiver.requests.load(Ordering::SeqCst), 5);
    let connections = receiver.connections.load(Ordering::SeqCst);
    assert!(connections < 5, "every delivery opened a connection of its own");
    app.finish().await;
}

#[tokio::test]
async fn a_receiver_that_shows_a_certificate_for_another_name_gets_nothing() {
    let receiver = Secure::start().await;
    let app = app(AUTHORITY).await;
    let last = sent(&app, format!("https://127.0.0.1:{}/hook", receiver.port), 1).await;
    assert_eq!((&last["status"], &last["response_status"]), (&json!("pending"), &json!(null)));
    assert_eq!(receiver.requests.load(Ordering::SeqCst), 0);
    app.finish().await;
}

#[tokio::test]
async fn a_receiver_whose_authority_nobody_named_gets_nothing() {
    let receiver = Secure::start().await;
    let app = app("").await;
    let last = sent(&app, format!("https://localhost:{}/hook", receiver.port), 1).await;
    assert_eq!(last["status"], "pending");
    assert_eq!(receiver.requests.load(Ordering::SeqCst), 0);
    app.finish().await;
}
