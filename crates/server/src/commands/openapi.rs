//! `planwright openapi`: the document on standard output, as it is kept in `openapi.json`.
//! It needs no database.

use super::say;
use crate::assemble;

/// Prints the document.
pub fn run() -> anyhow::Result<u8> {
    let document = assemble::document(env!("CARGO_PKG_VERSION"));
    say!("{}", serde_json::to_string_pretty(&document)?);
    Ok(0)
}
