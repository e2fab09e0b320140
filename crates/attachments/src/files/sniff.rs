//! Whether the content of a file is what its media type says. The first bytes tell most formats; what is in archives is told by
//! `office.rs`.

use std::io::{Read, Seek};

use super::office::Archive;

/// How many bytes at the beginning are looked at.
pub(super) const HEAD: usize = 4_096;

/// The beginnings of formats that a browser or a system would run or unpack. A type that has no beginning of its own may
/// not have one of these.
const FOREIGN: [&[u8]; 12] = [
    b"%PDF-",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"PK\x03\x04",
    b"MZ",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf",
    b"\xd0\xcf\x11\xe0",
];

/// What the media type asks of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The file begins with these bytes.
    Begins(&'static [u8]),
    /// `RIFF`, a size, and `WEBP`.
    Webp,
    /// An archive of Office with an entry that begins with this.
    Office(&'static str),
    /// An archive of OpenDocument, whose first entry names the type.
    OpenDocument,
    /// Any archive.
    Archive,
    /// Text in UTF-8 that is no markup.
    Text,
    /// A type of which nothing is known.
    Other,
}

fn kind(media_type: &str) -> Kind {
    match media_type {
        "application/pdf" => Kind::Begins(b"%PDF-"),
        "image/png" => Kind::Begins(b"\x89PNG\r\n\x1a\n"),
        "image/jpeg" => Kind::Begins(b"\xff\xd8\xff"),
        "image/gif" => Kind::Begins(b"GIF8"),
        "image/webp" => Kind::Webp,
        "application/zip" => Kind::Archive,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => Kind::Office("word/"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => Kind::Office("xl/"),
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => Kind::Office("ppt/"),
        other if other.starts_with("application/vnd.oasis.opendocument.") => Kind::OpenDocument,
        other if other.starts_with("text/") => Kind::Text,
        _ => Kind::Other,
    }
}

/// Whether the first bytes can be the beginning of a file of a type.
pub(super) fn head_fits(media_type: &str, head: &[u8]) -> bool {
    if head.is_empty() {
        return false;
    }
    match kind(media_type) {
        Kind::Begins(mark) => head.starts_with(mark),
        Kind::Webp => head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP"),
        Kind::Office(_) | Kind::OpenDocument | Kind::Archive => head.starts_with(b"PK\x03\x04"),
        Kind::Text => !is_markup(head) && !head.contains(&0) && !is_foreign(head) && is_utf8(head),
        Kind::Other => !is_markup(head) && !is_foreign(head),
    }
}

fn is_foreign(head: &[u8]) -> bool {
    FOREIGN.iter().any(|mark| head.starts_with(mark))
}

/// Whether the first letter is the beginning of a tag: what a browser might take for a page. A head that is nothing but blanks
/// hides what comes.
fn is_markup(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(first) => *first == b'<',
        None => head.len() >= HEAD,
    }
}

fn is_utf8(head: &[u8]) -> bool {
    match std::str::from_utf8(head) {
        Ok(_) => true,
        // The last letter may be cut.
        Err(error) => error.error_len().is_none(),
    }
}

/// Whether the type is that of an archive whose entries have to be looked at, once the file is complete.
pub(super) fn has_inside(media_type: &str) -> bool {
    matches!(kind(media_type), Kind::Office(_) | Kind::OpenDocument)
}

/// Whether the entries of an archive are those of a file of the type.
pub(super) fn inside_fits(media_type: &str, file: impl Read + Seek) -> bool {
    let Some(mut archive) = Archive::of(file) else { return false };
    match kind(media_type) {
        Kind::Office(folder) => archive.is_office(folder, media_type),
        Kind::OpenDocument => archive.is_open_document(media_type),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_under_another_name_is_found_out() {
        for page in ["<html>", "  \n<svg onload=x>", "\u{feff}<!doctype html>"] {
            for declared in
                ["text/csv", "text/plain", "image/png", "application/pdf", "application/x-unknown"]
            {
                assert!(!head_fits(declared, page.as_bytes()), "{page} as {declared}");
            }
        }
    }

    #[test]
    fn a_page_does_not_hide_behind_blanks() {
        assert!(head_fits("text/csv", b" \n"));
        assert!(!head_fits("text/csv", " ".repeat(HEAD).as_bytes()));
    }

    #[test]
    fn formats_are_known_by_their_beginning() {
        assert!(head_fits("image/png", b"\x89PNG\r\n\x1a\nrest"));
        assert!(head_fits("image/webp", b"RIFF\x01\x02\x03\x04WEBPVP8 "));
        assert!(head_fits("text/csv", "a;ä;c\n".as_bytes()));
        assert!(!head_fits("image/webp", b"RIFF\x01\x02\x03\x04AVI "));
        assert!(!head_fits("text/csv", b"MZ\x90"));
        assert!(!head_fits("text/csv", b"a\0b"));
        assert!(!head_fits("application/x-unknown", b"\x7fELF"));
        assert!(!head_fits("application/pdf", b""));
    }
}
