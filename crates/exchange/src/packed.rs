//! Documents that wait in the database for their job: compressed, so that a large one keeps the writer for a moment only.
//! The column holds text, so the bytes are written as base64; a document of an earlier version stands there as it is.

use std::io::{Read, Write};

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

/// A document as it is kept. It takes time: not for the thread of a request.
///
/// # Errors
/// None that writing into memory could have.
pub(crate) fn pack(document: &str) -> anyhow::Result<String> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(document.as_bytes())?;
    Ok(BASE64.encode(packed.finish()?))
}

/// The document again.
///
/// # Errors
/// When the kept text was not written by [`pack`].
pub(crate) fn unpack(kept: String) -> anyhow::Result<String> {
    if kept.starts_with('{') {
        return Ok(kept);
    }
    let packed = BASE64.decode(kept).context("a kept document is not base64")?;
    let mut document = String::new();
    ZlibDecoder::new(packed.as_slice()).read_to_string(&mut document).context("a kept document is broken")?;
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_comes_back_as_it_was_and_takes_less_room() {
        let document = format!("{{\"tasks\":[{}]}}", "{\"name\":\"Grüße\"},".repeat(2000));
        let kept = pack(&document).unwrap();
        assert!(kept.len() * 10 < document.len(), "{} of {}", kept.len(), document.len());
        assert_eq!(unpack(kept).unwrap(), document);
    }

    #[test]
    fn a_document_of_an_earlier_version_is_read_as_it_stands() {
        assert_eq!(unpack("{\"a\":1}".to_owned()).unwrap(), "{\"a\":1}");
    }

    #[test]
    fn a_broken_document_is_an_error() {
        assert!(unpack("not a document".to_owned()).is_err());
        let kept = pack("{}").unwrap();
        assert!(unpack(kept[..kept.len() - 4].to_owned()).is_err());
    }
}
