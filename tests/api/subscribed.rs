//! A project with a subscription, for tests of what is sent to it.
//! The receivers it is sent to are in `receiver.rs`.

use planwright_domain::ids::ProjectId;
use planwright_testkit::{Person, TestApp};
use ring::hmac;
use serde_json::{Value as Json, json};

use crate::receiver::Receiver;
use crate::request::Request;

/// What its deliveries are signed with.
pub(crate) const SECRET: &str = "a secret of more than thirty-two characters";

/// A project with a subscription to one of its receivers.
pub(crate) struct Subscribed {
    /// The project.
    pub(crate) project: ProjectId,
    /// The path of the subscription.
    pub(crate) path: String,
}

impl Subscribed {
    /// To the receiver, for new tasks unless the wish says otherwise.
    pub(crate) async fn to(app: &TestApp, owner: &Person<'_>, receiver: &Receiver, request: Json) -> Self {
        let project = app.project(owner, "Bridge").await;
        app.run_jobs().await;
        let path = subscribe(owner, project, receiver, request).await;
        Self { project, path }
    }

    /// What the interface tells of its deliveries, newest first.
    pub(crate) async fn deliveries(&self, reader: &Person<'_>) -> Vec<Json> {
        let page = reader.get(&format!("{}deliveries/?page_size=200", self.path)).await.expect(200);
        page.results().clone()
    }
}

/// A subscription of a project; returns its path.
pub(crate) async fn subscribe(
    owner: &Person<'_>,
    project: ProjectId,
    receiver: &Receiver,
    request: Json,
) -> String {
    let mut body = json!({"url": receiver.url(), "secret": SECRET, "events": ["task.created"]});
    for (field, value) in request.as_object().into_iter().flatten() {
        body[field] = value.clone();
    }
    let all = format!("/api/v1/projects/{project}/webhooks/");
    format!("{all}{}/", owner.post(&all, body).await.expect(201).id())
}

/// A new task; returns its id.
pub(crate) async fn add_task(person: &Person<'_>, project: ProjectId, name: &str) -> String {
    let body = json!({"project": project, "name": name, "duration": 1});
    person.post("/api/v1/tasks/", body).await.expect(201).id()
}

/// The HMAC-SHA256 of a text.
pub(crate) fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text).as_ref().to_vec()
}

/// Whether the signature is that of the body under the secret.
pub(crate) fn is_signed(received: &Request, secret: &str) -> bool {
    let digits: String =
        mac(secret.as_bytes(), &received.body).iter().map(|byte| format!("{byte:02x}")).collect();
    received.header("x-svc-signature") == format!("sha256={digits}")
}

/// The numbers that came, in order.
pub(crate) fn sequences(received: &[Request]) -> Vec<i64> {
    let mut sequences: Vec<i64> = received.iter().map(Request::sequence).collect();
    sequences.sort_unstable();
    sequences
}
