//! The layer that closes a connection in the open: a request that is answered before its body has come leaves a connection
//! that cannot be used again, so the answer says `Connection: close` (RFC 9112, section 9.6).

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, Version, header};
use http_body::Body as _;

/// So many bytes that have come already are thrown away to keep a connection.
const MOST_DROPPED: usize = 64 * 1024;

/// The body of a request, for the time after whoever read it has let it go.
type Left = Arc<Mutex<Option<Body>>>;

/// Answers, and says when the connection ends with the answer.
pub(crate) async fn watch(request: Request, next: Next) -> Response {
    let has_body = [header::CONTENT_LENGTH, header::TRANSFER_ENCODING];
    let is_first = request.version() <= Version::HTTP_11;
    if !is_first || !has_body.iter().any(|name| request.headers().contains_key(name)) {
        return next.run(request).await;
    }
    let left = Left::default();
    let (parts, body) = request.into_parts();
    let body = Body::new(Watched { body: Some(body), left: left.clone() });
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let rest = left.lock().unwrap_or_else(PoisonError::into_inner).take();
    if rest.is_some_and(is_late) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Whether a body has not come whole yet. What has come is dropped.
fn is_late(mut body: Body) -> bool {
    let mut context = Context::from_waker(Waker::noop());
    let mut dropped = 0;
    while dropped <= MOST_DROPPED {
        match Pin::new(&mut body).poll_frame(&mut context) {
            Poll::Pending | Poll::Ready(Some(Err(_))) => return true,
            Poll::Ready(None) => return false,
            Poll::Ready(Some(Ok(frame))) => dropped += frame.data_ref().map_or(0, Bytes::len),
        }
    }
    true
}

/// A body that is kept when its reader lets it go before the end.
struct Watched {
    body: Option<Body>,
    left: Left,
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        if let Poll::Ready(None | Some(Err(_))) = &polled {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.as_ref().map(http_body::Body::size_hint).unwrap_or_default()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let body = self.body.take().filter(|body| !body.is_end_stream());
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = body;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};
    use http_body_util::BodyExt;

    use super::*;

    fn pieces(count: usize) -> impl futures_util::Stream<Item = std::io::Result<Bytes>> + Send + 'static {
        stream::iter((0..count).map(|_| Ok(Bytes::from_static(&[0; 1024]))))
    }

    #[test]
    fn a_body_that_has_come_is_dropped_and_one_that_has_not_is_late() {
        assert!(!is_late(Body::from("short")));
        assert!(!is_late(Body::from_stream(pieces(8))));
        assert!(is_late(Body::from_stream(pieces(2).chain(stream::pending()))));
        assert!(is_late(Body::from_stream(pieces(100))), "nobody reads megabytes for nothing");
    }

    #[tokio::test]
    async fn a_body_that_was_read_to_its_end_is_not_left() {
        let left = Left::default();
        let body = Body::new(Watched { body: Some(Body::from_stream(pieces(2))), left: left.clone() });
        assert_eq!(body.collect().await.unwrap().to_bytes().len(), 2048);
        assert!(left.lock().unwrap().is_none());
        drop(Body::new(Watched { body: Some(Body::from_stream(pieces(2))), left: left.clone() }));
        assert!(left.lock().unwrap().is_some());
    }
}
