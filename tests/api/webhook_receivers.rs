//! The page about events and the receivers beside it: the page lists what the registry holds, and the receivers
//! take what the program sends and nothing else.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use planwright_domain::events::WebhookEvent;
use planwright_domain::words::Word;
use planwright_testkit::{Engine, TestApp};
use serde_json::json;

const PAGE: &str = include_str!("../../docs/events.md");

const SECRET: &str = "a secret of more than thirty-two characters";

#[test]
fn the_page_lists_the_events_of_the_registry_in_their_order() {
    let listed: Vec<&str> = PAGE
        .lines()
        .skip_while(|line| !line.starts_with("| Webhook |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let known: Vec<&str> = WebhookEvent::ALL.iter().map(|event| event.as_str()).collect();
    assert_eq!(listed, known);
}

#[tokio::test]
async fn the_receiver_in_python_takes_what_is_signed_and_nothing_else() {
    takes_what_is_signed("python3", "receiver.py").await;
}

#[tokio::test]
async fn the_receiver_in_javascript_takes_what_is_signed_and_nothing_else() {
    takes_what_is_signed("node", "receiver.js").await;
}

/// Passes without doing anything where the language is not installed.
async fn takes_what_is_signed(language: &str, script: &str) {
    let Some(receiver) = Running::start(language, script) else { return };
    let app = TestApp::start_with(Engine::Sqlite, &[("SVC_EGRESS_ALLOWLISTED_HOSTS", "127.0.0.1")]).await;
    let mara = app.person("mara").await;
    let project = app.project(&mara, "Bridge").await;
    let all = format!("/api/v1/projects/{project}/webhooks/");
    let url = format!("http://127.0.0.1:{}/", receiver.port);
    let mut statuses = Vec::new();
    for secret in [SECRET, "some other secret of more than thirty-two characters"] {
        let made = mara.post(&all, json!({"url": url, "secret": secret})).await.expect(201);
        let path = format!("{all}{}/", made.id());
        mara.post(&format!("{path}test/"), json!({})).await.expect(202);
        app.run_jobs().await;
        let deliveries = mara.get(&format!("{path}deliveries/")).await.expect(200);
        let test = deliveries.results().iter().find(|row| row["event_type"] == "ping").unwrap().clone();
        statuses.push((test["status"].clone(), test["response_status"].clone()));
        mara.delete(&path).await.expect(204);
    }
    assert_eq!(statuses, [(json!("success"), json!(204)), (json!("pending"), json!(401))]);
    app.finish().await;
}

/// A receiver in another language, until the test ends.
struct Running {
    child: Child,
    port: u16,
}

impl Running {
    fn start(language: &str, script: &str) -> Option<Self> {
        let is_there = Command::new(language)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !is_there {
            return None;
        }
        let path = format!("{}/../../docs/receivers/{script}", env!("CARGO_MANIFEST_DIR"));
        let mut child = Command::new(language)
            .args([path.as_str(), "0"])
            .env("WEBHOOK_SECRET", SECRET)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the language is there");
        let mut line = String::new();
        let output = child.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(output);
        lines.read_line(&mut line).expect("it says where it listens");
        let port = line.trim().strip_prefix("listening on ").and_then(|port| port.parse().ok());
        let port = port.unwrap_or_else(|| panic!("{script} said {line:?}"));
        // It goes on talking, and nobody listening would end it.
        std::thread::spawn(move || lines.lines().for_each(drop));
        Some(Self { child, port })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
