//! The OpenAPI document that the program carries: the committed one, packed by `build.rs`. Nothing here makes it.

use std::io;

use crate::packed_files;

/// As compact JSON.
///
/// # Errors
/// None that a correct build can cause.
pub fn as_json() -> io::Result<String> {
    unpack(include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz")))
}

/// As YAML.
///
/// # Errors
/// None that a correct build can cause.
pub fn as_yaml() -> io::Result<String> {
    unpack(include_bytes!(concat!(env!("OUT_DIR"), "/openapi.yaml.gz")))
}

/// The text is not stored: it is much larger than the program's other constants, and few ask for it.
fn unpack(packed: &[u8]) -> io::Result<String> {
    String::from_utf8(packed_files::unpack(packed)?).map_err(io::Error::other)
}
