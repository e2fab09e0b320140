//! `planwright openapi`: the document on standard output, as it is kept in `openapi.json`.
//! It needs no database.

use serde_json::Value as Json;

use super::say;
use crate::document;

/// Prints the document.
pub fn run() -> anyhow::Result<u8> {
    let document: Json = serde_json::from_str(&document::as_json()?)?;
    say!("{document:#}");
    Ok(0)
}
