//! Answers that stay open: a request that becomes a WebSocket, and a stream of server-sent events. This file limits
//! how much a client may send, and `origin.rs` decides which pages may open one. The areas define the messages.

use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use http::request::Parts;

use crate::describe::{Answer, Describe};
#[for_document]
use crate::document::Describer;
use crate::schema::for_document;
use crate::{ApiError, ApiResult, App, origin};

/// The largest message that a client may send. A longer one is not read, and ends the connection.
const LARGEST_MESSAGE: usize = 16 * 1024;

/// The size of the read buffer. Each socket has one, and thousands of sockets are idle most of the time.
const READ_BUFFER: usize = 2 * 1024;

/// How often a comment is sent on an idle stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A request that may turn into a WebSocket.
pub struct Handshake(WebSocketUpgrade);

impl FromRequestParts<App> for Handshake {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        if !origin::is_welcome(&parts.headers, &app.settings) {
            return Err(ApiError::forbidden("Pages of this origin may not open a socket."));
        }
        let upgrade = WebSocketUpgrade::from_request_parts(parts, app)
            .await
            .map_err(|_| ApiError::bad_request("This path is only for WebSocket connections."))?;
        Ok(Self(upgrade))
    }
}

impl Handshake {
    /// Accepts the WebSocket and uses it in a task that lasts longer than the request.
    pub fn accept<Talk>(self, talk: impl FnOnce(WebSocket) -> Talk + Send + 'static) -> Switched
    where
        Talk: Future<Output = ()> + Send + 'static,
    {
        let upgrade = self.0.read_buffer_size(READ_BUFFER).write_buffer_size(0);
        let upgrade = upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
        Switched(upgrade.on_upgrade(talk))
    }
}

impl Describe for Handshake {}

/// The answer that ends HTTP on a connection.
pub struct Switched(Response);

impl IntoResponse for Switched {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Answer for Switched {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_empty(101);
    }
}

/// An answer that does not end by itself: a stream of events.
pub struct EventStream(Response);

impl EventStream {
    /// Sends the events, and a comment at regular times so that no proxy closes the connection.
    pub fn of<S>(events: S) -> Self
    where
        S: Stream<Item = Result<Event, std::convert::Infallible>> + Send + 'static,
    {
        Self(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
    }
}

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Answer for EventStream {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_events();
    }
}
