//! Mail settings that the Owner writes over those of the environment: against mail servers with and without encryption,
//! and against a DNS server that the test starts.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use planwright_domain::Role;
use planwright_testkit::{TestApp, both_engines, each_engine};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio_rustls::TlsAcceptor;

use crate::mail::{Letter, MailServer, go_on, send, talk};
use crate::site::text;

const SETTINGS: &str = "/api/v1/workspace/email-settings/";
const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tls/ca.pem");

fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/receiver.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/receiver.key")).unwrap();
    let config = ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// A mail server under TLS from the start, or from STARTTLS on; returns its port and what it keeps.
async fn secure_server(from_the_start: bool) -> (u16, Arc<Mutex<Vec<Letter>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let letters: Arc<Mutex<Vec<Letter>>> = Arc::default();
    let (kept, acceptor) = (letters.clone(), acceptor());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (kept, acceptor) = (kept.clone(), acceptor.clone());
            tokio::spawn(async move {
                let stream = if from_the_start { Some(stream) } else { greeted(stream).await };
                let Some(stream) = stream else { return };
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let _ = match from_the_start {
                    true => talk(stream, Arc::default(), kept).await,
                    false => go_on(stream, Arc::default(), kept).await,
                };
            });
        }
    });
    (port, letters)
}

/// The plain beginning of a conversation, up to STARTTLS.
async fn greeted(mut stream: TcpStream) -> Option<TcpStream> {
    stream.write_all(b"220 mail.test\r\n").await.ok()?;
    loop {
        let mut line = String::new();
        let mut reader = BufReader::new(&mut stream);
        reader.read_line(&mut line).await.ok()?;
        let reply: &[u8] = match line.trim() {
            "STARTTLS" => {
                stream.write_all(b"220 go\r\n").await.ok()?;
                return Some(stream);
            }
            "" => return None,
            _ => b"250-mail.test\r\n250 STARTTLS\r\n",
        };
        stream.write_all(reply).await.ok()?;
    }
}

/// A DNS server that knows these text records; returns its address.
async fn dns_server(records: &'static [(&'static str, &'static str)]) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move {
        let mut buffer = [0; 1500];
        while let Ok((length, from)) = socket.recv_from(&mut buffer).await {
            let reply = dns_reply(&buffer[..length], records);
            let _ = socket.send_to(&reply, from).await;
        }
    });
    address
}

fn dns_reply(query: &[u8], records: &[(&str, &str)]) -> Vec<u8> {
    let (mut at, mut labels) = (12, Vec::new());
    while query[at] != 0 {
        let length = query[at] as usize;
        labels.push(String::from_utf8_lossy(&query[at + 1..at + 1 + length]).into_owned());
        at += length + 1;
    }
    let question = &query[12..at + 5];
    let name = labels.join(".").to_lowercase();
    let found: Vec<&str> =
        records.iter().filter(|(known, _)| *known == name).map(|(_, text)| *text).collect();
    let code = if found.is_empty() { 3 } else { 0 };
    let mut reply = vec![query[0], query[1], 0x81, 0x80 | code, 0, 1, 0, found.len() as u8, 0, 0, 0, 0];
    reply.extend_from_slice(question);
    for text in found {
        reply.extend_from_slice(&[
            0xc0,
            0x0c,
            0,
            16,
            0,
            1,
            0,
            0,
            0,
            60,
            0,
            text.len() as u8 + 1,
            text.len() as u8,
        ]);
        reply.extend_from_slice(text.as_bytes());
    }
    reply
}

both_engines! {
    async fn settings_are_shown_to_administrators_written_by_the_owner_and_the_password_never_answered(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let (owner, admin) = (app.admin().await, app.person_ranked("boss", Role::ProjectManager).await);
        let shown = admin.get(SETTINGS).await.expect(200);
        assert_eq!((text(&shown["configured_via"]), &shown["can_edit"]), ("environment", &json!(false)));
        app.person("mara").await.get(SETTINGS).await.expect(403);
        admin.patch(SETTINGS, json!({"from_name": "Mine"})).await.expect(403);
        let server = MailServer::start(&[]).await;
        let wanted = json!({"transport_mode": "smtp", "host": "127.0.0.1", "port": server.port, "security": "none",
            "from_name": "Yard", "from_email": "yard@example.test", "reply_to": "desk@example.test"});
        let written = owner.put(SETTINGS, wanted).await.expect(200);
        assert_eq!((text(&written["configured_via"]), &written["password_is_set"]), ("database", &json!(false)));
        send(app, "mara@example.test", "Hello", "Good morning.\n\nhttps://host/a").await;
        app.run_jobs().await;
        let letters = server.letters();
        assert_eq!(letters.len(), 1);
        let letter = letters[0].text.replace("=\n", "");
        for part in ["From: Yard <yard@example.test>", "Reply-To: desk@example.test", "multipart/alternative",
            "text/html", "https://host/a"] {
            assert!(letter.contains(part), "{part}: {letter}");
        }
        assert!(app.sent_mail().is_empty());
        let test = owner.post(&format!("{SETTINGS}send-test/"), json!({"recipient": "me@example.test"})).await;
        assert_eq!((&test.expect(200)["sent"], server.letters().len()), (&json!(true), 2));
        owner.patch(SETTINGS, json!({"transport_mode": "cloud"})).await.expect(200);
        send(app, "mara@example.test", "Hello", "Good morning.").await;
        app.run_jobs().await;
        assert_eq!((server.letters().len(), app.sent_mail().len()), (2, 1));
        let audit = owner.get("/api/v1/workspace/audit-events/?event_type=email_settings_changed").await.expect(200);
        assert_eq!(audit.results().len(), 2);
    }

    async fn a_server_that_does_not_answer_or_is_not_to_be_called_is_refused(app: &TestApp,
        "SVC_EGRESS_ALLOWLISTED_HOSTS" = "127.0.0.1") {
        let owner = app.admin().await;
        let of = |host: &str, port: u16| json!({"transport_mode": "smtp", "host": host, "port": port, "security": "none"});
        let unused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        for wanted in [of("127.0.0.1", unused), of("10.0.0.1", 25)] {
            let refused = owner.patch(SETTINGS, wanted).await.expect(400);
            assert!(refused["non_field_errors"].is_array(), "{}", refused.text);
        }
        // A server that takes the call and says nothing holds nobody up for long.
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let refused = owner.patch(SETTINGS, of("127.0.0.1", silent.local_addr().unwrap().port())).await.expect(400);
        assert!(refused.text.contains("within 10 seconds"), "{}", refused.text);
        assert_eq!(text(&owner.get(SETTINGS).await["configured_via"]), "environment");
        let server = MailServer::start(&["250 fine", "550 no such person"]).await;
        owner.patch(SETTINGS, of("127.0.0.1", server.port)).await.expect(200);
        let test = format!("{SETTINGS}send-test/");
        owner.post(&test, json!({"recipient": "me@example.test"})).await.expect(200);
        owner.post(&test, json!({"recipient": "me@example.test"})).await.expect(502);
        owner.post(&test, json!({"recipient": "nobody"})).await.expect(400);
    }
}

each_engine! {
    async fn a_password_leaves_under_encryption_and_is_kept_sealed(engine: Engine) {
        let settings = [("SVC_EGRESS_ALLOWLISTED_HOSTS", "localhost"), ("SVC_EGRESS_CA_FILE", AUTHORITY)];
        let app = TestApp::start_with(engine, &settings).await;
        let owner = app.admin().await;
        for (security, from_the_start) in [("ssl", true), ("tls", false)] {
            let (port, letters) = secure_server(from_the_start).await;
            let wanted = json!({"transport_mode": "smtp", "host": "localhost", "port": port, "security": security,
                "username": "plan", "password": "word"});
            let written = owner.patch(SETTINGS, wanted).await.expect(200);
            assert_eq!((&written["password_is_set"], &written["password"]), (&json!(true), &Value::Null));
            send(&app, "mara@example.test", "Hello", "Good morning.").await;
            app.run_jobs().await;
            let letters = letters.lock().unwrap().clone();
            assert_eq!(letters.len(), 1, "{security}");
            assert_eq!(letters[0].sign_in, "AUTH PLAIN AHBsYW4Ad29yZA==");
        }
        let sealed: Vec<String> = app.app.db.scalars(planwright_store::sql!("SELECT password_sealed FROM mail_settings"),
        )
        .await
        .unwrap();
        assert!(!sealed[0].contains("word"));
        owner.patch(SETTINGS, json!({"security": "none", "password": "word"})).await.expect(400);
        app.finish().await;
    }

    async fn the_records_of_the_senders_name_are_judged(engine: Engine) {
        let server = dns_server(&[
            ("yard.test", "v=spf1 mx -all"),
            ("s1._domainkey.yard.test", "v=DKIM1; k=rsa; p=MIGf"),
            ("_dmarc.yard.test", "v=DMARC1; p=none"),
        ]);
        let server = server.await.to_string();
        let app = TestApp::start_with(engine, &[("SVC_DNS_SERVERS", server.as_str())]).await;
        let owner = app.admin().await;
        let health = format!("{SETTINGS}health/");
        assert_eq!(owner.get(&health).await.expect(200)["available"], false);
        owner.patch(SETTINGS, json!({"from_email": "a@yard.test", "dkim_selector": "s1"})).await.expect(200);
        let judged = owner.get(&health).await.expect(200);
        let expected =
            json!({"available": true, "domain": "yard.test", "spf": "pass", "dkim": "pass", "dmarc": "warn"});
        assert_eq!(judged.json, expected);
        owner.patch(SETTINGS, json!({"from_email": "a@other.test"})).await.expect(200);
        let judged = owner.get(&health).await.expect(200);
        assert_eq!((text(&judged["spf"]), text(&judged["dmarc"])), ("fail", "fail"));
        app.finish().await;
    }
}
