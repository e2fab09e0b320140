//! The HTTP client of the OpenID Connect library: every call goes the guarded way out.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use planwright_egress::{Egress, Failure};
use planwright_web::App;

/// How long a provider may take for one answer.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// The client.
#[derive(Clone)]
pub struct HttpClient(pub App);

/// Why a call failed.
#[derive(Clone, Debug)]
pub struct CallFailed(pub String);

impl fmt::Display for CallFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CallFailed {}

impl From<Failure> for CallFailed {
    fn from(failure: Failure) -> Self {
        Self(failure.to_string())
    }
}

impl<'c> AsyncHttpClient<'c> for HttpClient {
    type Error = CallFailed;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, CallFailed>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let url = parts.uri.to_string();
            let fetched = self
                .0
                .get::<Egress>()
                .ask(parts.method, &url, parts.headers, Bytes::from(body), PATIENCE)
                .await?;
            let response = http::Response::builder().status(fetched.status);
            let response = match fetched.media_type.is_empty() {
                true => response,
                false => response.header(CONTENT_TYPE, fetched.media_type),
            };
            response.body(fetched.content.to_vec()).map_err(|error| CallFailed(error.to_string()))
        })
    }
}
