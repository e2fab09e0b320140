//! A person as a client: their requests have their credential. The sign-in with a password is tested through its own
//! route. Here an access token is created directly.

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use planwright_domain::Role;
use planwright_domain::ids::{SessionId, UserId};
use serde_json::{Value as Json, json};

use crate::{Answer, TestApp};

/// Somebody who sends requests.
pub struct Person<'a> {
    app: &'a TestApp,
    /// The id. Meaningless for an anonymous client.
    pub id: UserId,
    /// The user name.
    pub name: String,
    token: Option<String>,
    extra: HeaderMap,
}

impl<'a> Person<'a> {
    pub(crate) fn new(app: &'a TestApp, id: UserId, name: &str) -> Self {
        // Everybody has a sign-in of their own id from the start.
        let token = Some(app.access_token(id, SessionId(id.0)));
        Self { app, id, name: name.to_owned(), token, extra: HeaderMap::new() }
    }

    pub(crate) fn anonymous(app: &'a TestApp) -> Self {
        let id = UserId(uuid::Uuid::nil());
        Self { app, id, name: String::new(), token: None, extra: HeaderMap::new() }
    }

    /// Signs in again, for example after the clock was moved or all sessions were ended.
    pub async fn sign_in_again(&mut self) {
        let session = self.app.clock.mint();
        self.app.begin_session(self.id, session).await;
        self.token = Some(self.app.access_token(self.id, session));
    }

    /// The same person with another credential.
    pub fn with_token(&self, token: &str) -> Person<'a> {
        Person {
            app: self.app,
            id: self.id,
            name: self.name.clone(),
            token: Some(token.to_owned()),
            extra: self.extra.clone(),
        }
    }

    /// The same person with one more header.
    pub fn with_header(&self, name: &'static str, value: &str) -> Person<'a> {
        let mut extra = self.extra.clone();
        let value = HeaderValue::from_str(value).expect("tests send well-formed headers");
        extra.append(HeaderName::from_static(name), value);
        Person { app: self.app, id: self.id, name: self.name.clone(), token: self.token.clone(), extra }
    }

    /// The same person with a client that sends unknown fields.
    pub fn lenient(&self) -> Person<'a> {
        self.with_header("prefer", "handling=lenient")
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: Json) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// PUT with a JSON body.
    pub async fn put(&self, path: &str, body: Json) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    /// PATCH with a JSON body.
    pub async fn patch(&self, path: &str, body: Json) -> Answer {
        self.send(Method::PATCH, path, Some(body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Any method, with a JSON body or none.
    pub async fn send(&self, method: Method, path: &str, body: Option<Json>) -> Answer {
        let mut headers = self.headers();
        if body.is_some() {
            headers.insert("content-type", HeaderValue::from_static("application/json"));
        }
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        self.app.send(method, path, headers, body).await
    }

    /// POST with a body that is sent as it is.
    pub async fn post_raw(&self, path: &str, media_type: &str, body: impl Into<Vec<u8>>) -> Answer {
        let mut headers = self.headers();
        let media_type = HeaderValue::from_str(media_type).expect("tests send well-formed headers");
        headers.insert("content-type", media_type);
        self.app.send(Method::POST, path, headers, body.into()).await
    }

    /// Makes somebody a member of the project or program with that path; returns the id of the membership.
    pub async fn let_in(&self, path: &str, person: &Person<'_>, role: Role) -> String {
        let member = json!({"user": person.id, "role": role.rank()});
        self.post(&format!("{path}members/"), member).await.expect(201).id()
    }

    /// The value of the `Authorization` header, for clients that a test writes itself.
    pub fn authorization(&self) -> String {
        self.token.as_ref().map(|token| format!("Bearer {token}")).unwrap_or_default()
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = self.extra.clone();
        // A test that sends what nothing reads tests something else than it says.
        headers.entry("prefer").or_insert(HeaderValue::from_static("handling=strict"));
        if let Some(token) = &self.token {
            let value = HeaderValue::from_str(&format!("Bearer {token}")).expect("tokens are plain text");
            headers.insert("authorization", value);
        }
        headers
    }
}
