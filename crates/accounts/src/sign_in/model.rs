//! Sign-in on the wire and in storage.
//! The answers carry the refresh token in a cookie and nowhere else.

use axum::extract::FromRequestParts;
use axum::http::header::{CACHE_CONTROL, SET_COOKIE, USER_AGENT};
use axum::http::request::Parts;
use axum::response::{AppendHeaders, IntoResponse, Response};
use chrono::{DateTime, Utc};
use planwright_domain::ids::{SessionId, UserId};
use planwright_domain::words::MemberStatus;
use planwright_store::row;
use planwright_web::actor::ClientAddress;
use planwright_web::describe::{Answer, Describe};
use planwright_web::input::{Name, Secret};
use planwright_web::reply::ResetContent;
use planwright_web::{ApiError, ApiResult, App, Field, Json, Problem, input};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::Session;

row! {
    /// A refresh token that was presented, with its session and the person behind it.
    pub struct PresentedToken {
        pub id: Uuid,
        pub session_id: SessionId,
        pub expires_at: DateTime<Utc>,
        pub used_at: Option<DateTime<Utc>>,
        pub ends_at: DateTime<Utc>,
        pub revoked_at: Option<DateTime<Utc>>,
        pub user_id: UserId,
        pub is_active: bool,
        pub status: MemberStatus,
    }
}

impl PresentedToken {
    /// The session it belongs to.
    pub fn session(&self) -> Session {
        Session { id: self.session_id, user: self.user_id, ends_at: self.ends_at }
    }
}

/// What a sign-in comes from, as lists of sessions show it.
#[derive(Clone, Debug, Default)]
pub struct Device {
    /// The network address.
    pub address: Option<String>,
    /// What the program calls itself.
    pub user_agent: String,
}

/// The longest name of a program that is kept, in characters.
const LONGEST_USER_AGENT: usize = 200;

impl FromRequestParts<App> for Device {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let from = ClientAddress::from_request_parts(parts, app).await?;
        let named = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let user_agent = named.chars().take(LONGEST_USER_AGENT).collect();
        Ok(Self { address: from.0.map(|address| address.to_string()), user_agent })
    }
}

impl Describe for Device {}

input! {
    /// A sign-in with user name and password.
    pub struct LoginRequest {
        /// The user name.
        pub username: Name<1, 150>,
        /// The password.
        pub password: Secret<1, 1024>,
        /// Whether the sign-in continues after the browser is closed.
        pub remember_me: RememberMe,
    }
}

/// Whether to stay signed in: only a literal JSON `true` says so, and nothing else is an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RememberMe(pub bool);

impl Field for RememberMe {
    const REQUIRED: bool = false;

    fn absent() -> Result<Self, Problem> {
        Ok(Self(false))
    }

    fn from_json(value: &serde_json::Value) -> Result<Self, Problem> {
        Ok(Self(*value == serde_json::Value::Bool(true)))
    }
}

#[schemars::for_document]
impl JsonSchema for RememberMe {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RememberMe".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "boolean", "default": false })
    }
}

/// What a sign-in and a refresh answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LoginResponse {
    /// The access token. It is valid for fifteen minutes.
    pub access: String,
}

/// An access token in the body and a refresh token in a cookie; neither may be kept by a cache.
#[derive(Debug)]
pub struct SignedIn {
    /// The access token.
    pub access: String,
    /// The whole `Set-Cookie` line of the refresh token; none for a tab that came second.
    pub cookie: Option<String>,
}

impl IntoResponse for SignedIn {
    fn into_response(self) -> Response {
        let cookie = self.cookie.map(|line| [(SET_COOKIE, line)]);
        let body = Json(LoginResponse { access: self.access });
        ([(CACHE_CONTROL, "no-store")], AppendHeaders(cookie.into_iter().flatten()), body).into_response()
    }
}

impl Answer for SignedIn {
    #[schemars::for_document]
    fn describe(to: &mut planwright_web::document::Describer) {
        <Json<LoginResponse> as Answer>::describe(to);
    }
}

/// Nothing but an order to forget the refresh cookie.
#[derive(Debug)]
pub struct SignedOut {
    /// The whole `Set-Cookie` line that clears it.
    pub cookie: String,
}

impl IntoResponse for SignedOut {
    fn into_response(self) -> Response {
        ([(SET_COOKIE, self.cookie)], ResetContent).into_response()
    }
}

impl Answer for SignedOut {
    #[schemars::for_document]
    fn describe(to: &mut planwright_web::document::Describer) {
        <ResetContent as Answer>::describe(to);
    }
}
