//! Mail: into files without a server, and to a server that takes, puts off or refuses it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use planwright_jobs::mail::{self, Mail};
use planwright_testkit::{Engine, TestApp, both_engines};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::notifications::{preference, say, unsubscribe_link};
use crate::site::Site;

const FAILED: &str = "/api/v1/admin/failed-tasks/";

pub(crate) async fn send(app: &TestApp, to: &str, subject: &str, body: &str) {
    let mut tx = app.app.db.begin().await.unwrap();
    let letter = Mail {
        to: to.into(),
        subject: subject.into(),
        body: body.into(),
        sealed_link: None,
        unsubscribe_url: None,
    };
    mail::send(&mut tx, &letter).await.unwrap();
    tx.commit().await.unwrap();
}

/// What a mail server was told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Letter {
    pub(crate) sign_in: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) text: String,
}

/// A mail server that keeps what it gets.
pub(crate) struct MailServer {
    pub(crate) port: u16,
    letters: Arc<Mutex<Vec<Letter>>>,
}

impl MailServer {
    /// Listens on a free port; recipients are answered in turn, and welcome when the answers have run out.
    pub(crate) async fn start(answers: &[&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let letters: Arc<Mutex<Vec<Letter>>> = Arc::default();
        let answers = Arc::new(Mutex::new(VecDeque::from(answers.to_vec())));
        let kept = letters.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, answers.clone(), kept.clone()));
            }
        });
        Self { port, letters }
    }

    pub(crate) fn letters(&self) -> Vec<Letter> {
        self.letters.lock().unwrap().clone()
    }
}

fn next(answers: &Mutex<VecDeque<&'static str>>) -> &'static str {
    answers.lock().unwrap().pop_front().unwrap_or("250 welcome")
}

/// A whole conversation.
pub(crate) async fn talk(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
    letters: Arc<Mutex<Vec<Letter>>>,
) -> std::io::Result<()> {
    stream.write_all(b"220 mail.test\r\n").await?;
    go_on(stream, answers, letters).await
}

/// A conversation after its greeting.
pub(crate) async fn go_on(
    stream: impl AsyncRead + AsyncWrite,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
    letters: Arc<Mutex<Vec<Letter>>>,
) -> std::io::Result<()> {
    let (reading, mut writing) = tokio::io::split(stream);
    let mut lines = BufReader::new(reading).lines();
    let mut letter = Letter::default();
    while let Some(line) = lines.next_line().await? {
        let verb = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        let reply = match verb.as_str() {
            "EHLO" => "250-mail.test\r\n250 AUTH PLAIN",
            "AUTH" => {
                letter.sign_in = line;
                "235 known"
            }
            "NOOP" => "250 here",
            "MAIL" => {
                letter.from = line;
                "250 go on"
            }
            "RCPT" => {
                letter.to = line;
                next(&answers)
            }
            "DATA" => {
                writing.write_all(b"354 listening\r\n").await?;
                while let Some(line) = lines.next_line().await? {
                    if line == "." {
                        break;
                    }
                    letter.text += &format!("{line}\n");
                }
                letters.lock().unwrap().push(letter.clone());
                "250 kept"
            }
            "QUIT" => return writing.write_all(b"221 bye\r\n").await,
            _ => "502 unknown",
        };
        writing.write_all(format!("{reply}\r\n").as_bytes()).await?;
    }
    Ok(())
}

/// Declares tests on both engines whose program sends mail to a server of their own.
macro_rules! with_mail_server {
    ($(async fn $name:ident($app:ident: &TestApp, $server:ident: &MailServer $(, $answer:literal)*) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn body($app: &TestApp, $server: &MailServer) $body

            async fn on(engine: Engine) {
                let server = MailServer::start(&[$($answer),*]).await;
                let url = format!("smtp://plan:word@127.0.0.1:{}", server.port);
                let app = TestApp::start_with(engine, &[("SVC_MAIL_URL", url.as_str())]).await;
                body(&app, &server).await;
                app.finish().await;
            }

            #[tokio::test]
            async fn on_sqlite() {
                on(Engine::Sqlite).await;
            }

            #[tokio::test]
            #[cfg_attr(test, ignore = "needs PostgreSQL")]
            async fn on_postgres() {
                on(Engine::Postgres).await;
            }
        }
    )*};
}

pub(crate) use with_mail_server;

both_engines! {
    async fn without_a_server_each_mail_is_a_file_in_the_order_it_was_sent(app: &TestApp) {
        send(app, "mara@example.test", "First", "Good morning,\nMara.").await;
        assert!(app.sent_mail().is_empty());
        app.run_jobs().await;
        send(app, "mara@example.test", "Zweite über", "Grüße").await;
        app.run_jobs().await;
        send(app, "zoe@example.test", "Third\r\nBcc: eve@example.test", "Good night.").await;
        app.run_jobs().await;
        let sent = app.sent_mail();
        assert_eq!(sent.len(), 3);
        for header in ["From: planwright@localhost", "To: mara@example.test", "Subject: First", "MIME-Version: 1.0"] {
            assert!(sent[0].contains(&format!("{header}\r\n")), "{header}: {}", sent[0]);
        }
        assert!(sent[0].contains("Date: Mon, 05 Jan 2026 08:00:00 +0000\r\n"), "{}", sent[0]);
        assert!(sent[0].contains("Good morning,\r\nMara."));
        assert!(sent[1].is_ascii() && sent[1].contains("Content-Transfer-Encoding:"), "{}", sent[1]);
        assert!(!sent[2].contains("\nBcc:"), "{}", sent[2]);
    }

    async fn a_wrong_address_fails_the_job_and_says_so(app: &TestApp) {
        let admin = app.admin().await;
        send(app, "nobody", "Hello", "https://host/reset-password/confirm/secret/").await;
        app.run_jobs().await;
        assert!(app.sent_mail().is_empty());
        let list = admin.get(FAILED).await.expect(200);
        let row = &list.results()[0];
        assert!(row["exception_message"].as_str().unwrap().contains("no valid recipient: \"nobody\""));
        assert_eq!(row["kwargs"], json!({"to": "nobody", "subject": "Hello", "body": "(withheld)"}));
        admin.post(&format!("{FAILED}drop-all/"), json!({})).await.expect(200);
    }
}

with_mail_server! {
    async fn a_server_gets_the_mail_after_a_sign_in(app: &TestApp, server: &MailServer) {
        send(app, "mara@example.test", "Hello", "Good morning.\n.\nStill here.").await;
        app.run_jobs().await;
        let letters = server.letters();
        assert_eq!(letters.len(), 1);
        assert_eq!(letters[0].sign_in, "AUTH PLAIN AHBsYW4Ad29yZA==");
        assert!(letters[0].from.contains("<planwright@localhost>"), "{letters:?}");
        assert!(letters[0].to.contains("<mara@example.test>"), "{letters:?}");
        assert!(letters[0].text.contains("Subject: Hello\n"), "{letters:?}");
        assert!(letters[0].text.contains("Still here."), "{letters:?}");
        assert!(app.sent_mail().is_empty());
    }

    async fn a_mail_that_is_put_off_is_tried_again(
        app: &TestApp, server: &MailServer, "451 later", "450 later still"
    ) {
        send(app, "mara@example.test", "Hello", "Good morning.").await;
        app.run_jobs().await;
        assert!(server.letters().is_empty());
        app.later(chrono::Duration::seconds(31));
        app.run_jobs().await;
        assert!(server.letters().is_empty());
        app.later(chrono::Duration::seconds(61));
        app.run_jobs().await;
        assert_eq!(server.letters().len(), 1);
    }

    async fn a_mail_that_is_refused_for_good_is_not_tried_again(
        app: &TestApp, server: &MailServer, "550 no such person"
    ) {
        let admin = app.admin().await;
        send(app, "gone@example.test", "Hello", "Good morning.").await;
        app.run_jobs().await;
        assert!(server.letters().is_empty());
        let list = admin.get(FAILED).await.expect(200);
        let message = list.results()[0]["exception_message"].as_str().unwrap();
        assert!(message.contains("550") && message.contains("no such person"), "{message}");
        let path = format!("{FAILED}{}/requeue/", list.results()[0]["id"].as_str().unwrap());
        admin.post(&path, json!({})).await.expect(200);
        app.run_jobs().await;
        assert_eq!(server.letters().len(), 1);
    }

    async fn an_invitation_whose_letter_is_dead_says_so_until_it_is_sent_again(
        app: &TestApp, server: &MailServer, "550 no such person"
    ) {
        let admin = app.admin().await;
        let invites = "/api/v1/workspace/invites/";
        let made = admin.post(invites, json!({"email": "gone@example.test"})).await.expect(201);
        assert_eq!(made["status"], "pending");
        app.run_jobs().await;
        let status = async || admin.get(invites).await.expect(200).results()[0]["status"].clone();
        assert_eq!(status().await, "failed");
        let resend = format!("{invites}{}/resend/", made["id"].as_str().unwrap());
        admin.post(&resend, json!({})).await.expect(202);
        assert_eq!(status().await, "pending");
        app.run_jobs().await;
        assert_eq!((status().await, server.letters().len()), (json!("pending"), 1));
        let list = admin.get(FAILED).await.expect(200);
        let path = format!("{FAILED}{}/drop/", list.results()[0]["id"].as_str().unwrap());
        admin.post(&path, json!({})).await.expect(200);
    }

    async fn a_letter_about_a_notification_says_in_its_headers_how_to_end_it(app: &TestApp, server: &MailServer) {
        app.later(chrono::Duration::hours(2));
        let site = Site::new(app).await;
        let mara = site.person("mara", 100).await;
        let chosen = preference(&mara, "mention_individual", "email").await;
        mara.patch(&chosen, json!({"enabled": true})).await.expect(200);
        let task = site.task("Dig", 1).await;
        say(&site, &site.owner, &task, "@mara one").await;
        site.hush().await;
        let letters = server.letters();
        assert_eq!(letters.len(), 1);
        let link = unsubscribe_link(&letters[0].text);
        app.anonymous().post(&link, json!({})).await.expect(200);
        say(&site, &site.owner, &task, "@mara two").await;
        site.hush().await;
        site.hush().await;
        assert_eq!(server.letters().len(), 1, "the server gets no further letter");
    }
}
