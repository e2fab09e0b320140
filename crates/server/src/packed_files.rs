//! Files that the program carries, compressed by `build.rs`. A client that takes gzip gets them as they are; for others they are
//! unpacked.

use std::io::{self, Read};

use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderValue};
use planwright_web::{ApiError, ApiResult};

/// A table of files: the name and the compressed bytes of each.
pub type PackedFiles = &'static [(&'static str, &'static [u8])];

/// The compressed bytes of a file.
///
/// # Errors
/// 404 when there is no such file.
pub fn find_file(files: PackedFiles, name: &str) -> ApiResult<&'static [u8]> {
    let found = files.iter().find(|(known, _)| *known == name);
    found.map(|(_, packed)| *packed).ok_or_else(ApiError::not_found)
}

/// The answer with a file, for a client that sent these headers.
///
/// # Errors
/// 404 when there is no such file.
pub fn answer_file(
    files: PackedFiles,
    name: &str,
    headers: &HeaderMap,
    (media_type, caching): (&'static str, &'static str),
) -> ApiResult<Response> {
    let packed = find_file(files, name)?;
    let mut response = match takes_gzip(headers) {
        true => ([(CONTENT_ENCODING, "gzip")], packed).into_response(),
        false => unpack(packed).map_err(anyhow::Error::from)?.into_response(),
    };
    let fixed = [(CONTENT_TYPE, media_type), (CACHE_CONTROL, caching), (VARY, "accept-encoding")];
    response.headers_mut().extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    Ok(response)
}

/// The bytes of a compressed file.
///
/// # Errors
/// None that a correct build can cause.
pub fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a client accepts gzip (RFC 9110, section 12.5.3). A weight of zero refuses it.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let named = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut codings = named.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|weight| weight.parse::<f32>().is_ok_and(|weight| weight == 0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_by_those_who_name_it_and_do_not_refuse_it() {
        let takes = |value: &'static str| {
            takes_gzip(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        for value in ["gzip", "br, GZIP;q=0.5", "deflate, gzip"] {
            assert!(takes(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "x-gzip"] {
            assert!(!takes(value), "{value}");
        }
    }
}
