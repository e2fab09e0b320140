//! Whether the content of a file is what its media type says. The first bytes tell most formats; Office files are archives
//! whose entries tell which program they are of.

use std::io::{Read, Seek, SeekFrom};

use zip::ZipArchive;

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

/// Whether the first letter is the beginning of a tag: what a browser might take for a page.
fn is_markup(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
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

/// Whether the entries of an archive are those of a file of the type. Nothing is unpacked but the parts that name types.
pub(super) fn inside_fits(media_type: &str, mut file: impl Read + Seek) -> bool {
    if !matches!(has_short_directory(&mut file), Ok(true)) {
        return false;
    }
    let Ok(mut archive) = ZipArchive::new(file) else { return false };
    match kind(media_type) {
        Kind::Office(folder) => {
            let names: Vec<String> = archive.file_names().flatten().map(|name| name.to_string()).collect();
            let is_foreign = |name: &String| {
                let is_of_other =
                    OFFICE_FOLDERS.iter().any(|other| *other != folder && name.starts_with(other));
                is_of_other || name.ends_with("vbaProject.bin")
            };
            !names.iter().any(is_foreign)
                && names.iter().any(|name| name.starts_with(folder))
                && text_of(&mut archive, "[Content_Types].xml")
                    .is_some_and(|types| is_of_type(&types, media_type))
        }
        Kind::OpenDocument => {
            text_of(&mut archive, "mimetype").is_some_and(|named| named.trim() == media_type)
                && archive.by_name("content.xml").is_ok()
        }
        _ => true,
    }
}

/// The folders of the programs of Office. A file has one of them.
const OFFICE_FOLDERS: [&str; 3] = ["word/", "xl/", "ppt/"];
/// So many entries an archive may have; documents of a thousand pages have some hundreds.
const MOST_ENTRIES: u16 = 10_000;
/// So many bytes the list of them may have.
const LONGEST_DIRECTORY: u64 = 4 << 20;
/// The longest part that names types.
const LONGEST_PART: u64 = 1 << 20;
/// The length of the record at the end of an archive, without its comment.
const END_RECORD: usize = 22;

/// Whether the list of entries is short enough to be read. It is at the end of an archive (APPNOTE 4.3.16).
fn has_short_directory(file: &mut (impl Read + Seek)) -> std::io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    let tail = length.min(END_RECORD as u64 + u64::from(u16::MAX));
    file.seek(SeekFrom::Start(length - tail))?;
    let mut bytes = Vec::new();
    file.take(tail).read_to_end(&mut bytes)?;
    let Some(at) = bytes.windows(4).rposition(|four| four == b"PK\x05\x06") else { return Ok(false) };
    let Some(record) = bytes.get(at..at + END_RECORD) else { return Ok(false) };
    let entries = u16::from_le_bytes([record[10], record[11]]);
    let begins = u32::from_le_bytes([record[16], record[17], record[18], record[19]]);
    let size = (length - tail + at as u64).saturating_sub(u64::from(begins));
    file.seek(SeekFrom::Start(0))?;
    Ok(entries <= MOST_ENTRIES && size <= LONGEST_DIRECTORY)
}

/// The text of a part; none if it is not there, too long or no text.
fn text_of(archive: &mut ZipArchive<impl Read + Seek>, name: &str) -> Option<String> {
    let entry = archive.by_name(name).ok()?;
    let mut text = String::new();
    let length = entry.take(LONGEST_PART + 1).read_to_string(&mut text).ok()?;
    (length as u64 <= LONGEST_PART).then_some(text)
}

/// Whether the list of types says that the main part is of this type, and nothing in it runs or is shown by a browser.
fn is_of_type(types: &str, media_type: &str) -> bool {
    let main = format!("\"{media_type}.main+xml\"");
    let runs = ["macroEnabled", "vbaProject", "text/html", "application/xhtml+xml"];
    types.contains(&main) && !runs.iter().any(|word| types.contains(word))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use super::*;

    const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    const ODT: &str = "application/vnd.oasis.opendocument.text";

    fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in entries {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

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

    #[test]
    fn an_archive_is_no_office_file_by_its_beginning_alone() {
        let plain = archive(&[("a.txt", "x")]);
        assert!(head_fits(DOCX, &plain));
        assert!(!inside_fits(DOCX, Cursor::new(&plain)));
        let types =
            |main: &str| format!("<Types><Override PartName=\"/a.xml\" ContentType=\"{main}\"/></Types>");
        let office = |types: &str, more: &[(&str, &str)]| {
            let entries = [&[("[Content_Types].xml", types), ("word/document.xml", "")], more].concat();
            inside_fits(DOCX, Cursor::new(&archive(&entries)))
        };
        let own = types(&format!("{DOCX}.main+xml"));
        assert!(office(&own, &[("docProps/app.xml", "")]));
        assert!(!office("", &[]), "nothing says what the main part is");
        assert!(!office(&types("application/vnd.ms-word.document.macroEnabled.main+xml"), &[]));
        assert!(!office(&format!("{own}{}", types("text/html")), &[]));
        assert!(!office(&own, &[("word/vbaProject.bin", "")]));
        assert!(!office(&own, &[("xl/workbook.xml", "")]), "one file is not of two programs");
        assert!(inside_fits(ODT, Cursor::new(&archive(&[("mimetype", ODT), ("content.xml", "")]))));
        assert!(!inside_fits(ODT, Cursor::new(&archive(&[("mimetype", ODT)]))));
        assert!(!inside_fits(ODT, Cursor::new(&archive(&[("mimetype", DOCX)]))));
        assert!(!inside_fits(ODT, Cursor::new(b"PK\x03\x04cut")));
    }

    #[test]
    fn a_list_of_entries_that_is_too_long_is_not_read() {
        let names: Vec<String> = (0..=MOST_ENTRIES).map(|number| format!("{number}")).collect();
        let mut entries = vec![("mimetype", ODT), ("content.xml", "")];
        entries.extend(names.iter().map(|name| (name.as_str(), "")));
        assert!(inside_fits(ODT, Cursor::new(&archive(&entries[..100]))));
        assert!(!inside_fits(ODT, Cursor::new(&archive(&entries))));
    }
}
