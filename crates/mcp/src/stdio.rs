//! The same tools over standard input and output, for clients that start a program. The reads go to a server over HTTP.

use anyhow::Context;
use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderValue};
use rmcp::ServiceExt;

use crate::handler::Handler;
use crate::reader::Reader;

/// Serves one client until it ends its input.
///
/// # Errors
/// When the token cannot be a header, or the client breaks the protocol.
pub async fn serve_stdio(base: &str, token: &str) -> anyhow::Result<()> {
    let mut headers = HeaderMap::new();
    let mut bearer = HeaderValue::from_str(&format!("Bearer {token}")).context("the token has odd signs")?;
    bearer.set_sensitive(true);
    headers.insert(AUTHORIZATION, bearer);
    planwright_egress::choose_cryptography();
    let client = reqwest::Client::builder().default_headers(headers).build().context("the HTTP client")?;
    let base = base.trim_end_matches('/').to_owned();
    let service = Handler::with(Reader::Remote { client, base }).serve(rmcp::transport::stdio()).await?;
    service.waiting().await?;
    Ok(())
}
