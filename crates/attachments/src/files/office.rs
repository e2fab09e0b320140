//! Whether an archive is a file of Office or of OpenDocument, and holds nothing that runs. Names and media types are compared
//! as Office does it, without regard to case (ECMA-376, part 2). Nothing is unpacked but the parts that name types and relations.

use std::io::{Read, Seek, SeekFrom};

use quick_xml::XmlVersion::Implicit1_0;
use quick_xml::events::Event;
use zip::ZipArchive;

/// The part that names the types of the others.
const TYPES: &str = "[content_types].xml";
/// The folders of the programs of Office. A file has one of them.
const OFFICE_FOLDERS: [&str; 3] = ["word/", "xl/", "ppt/"];
/// Parts of a name, a type or a relation that only something has that runs, or that a browser shows.
const RUNS: [&str; 5] = ["macroenabled", "vbaproject", "macrosheet", "text/html", "application/xhtml+xml"];
/// So many entries an archive may have; documents of a thousand pages have some hundreds.
const MOST_ENTRIES: u16 = 10_000;
/// So many bytes the list of them may have.
const LONGEST_DIRECTORY: u64 = 4 << 20;
/// The longest part that names types or relations.
const LONGEST_PART: u64 = 1 << 20;
/// How long all parts that name relations may be together.
const LONGEST_RELATIONS: usize = 16 << 20;
/// The length of the record at the end of an archive, without its comment.
const END_RECORD: usize = 22;

/// An archive whose list of entries is short enough to be read.
pub(super) struct Archive<R> {
    zip: ZipArchive<R>,
    /// The names of its entries in lower case.
    names: Vec<String>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the list of entries. None if it is no archive or has too many.
    pub(super) fn of(mut file: R) -> Option<Self> {
        if !matches!(has_short_directory(&mut file), Ok(true)) {
            return None;
        }
        let zip = ZipArchive::new(file).ok()?;
        let names = zip.file_names().flatten().map(|name| name.to_string().to_lowercase()).collect();
        Some(Self { zip, names })
    }

    /// Whether it is a file of Office of this type, whose program has this folder.
    pub(super) fn is_office(&mut self, folder: &str, media_type: &str) -> bool {
        let is_foreign = |name: &String| {
            let is_of_other = OFFICE_FOLDERS.iter().any(|other| *other != folder && name.starts_with(other));
            is_of_other || runs(name)
        };
        let types = self.names.iter().filter(|name| *name == TYPES).count();
        types == 1
            && !self.names.iter().any(is_foreign)
            && self.names.iter().any(|name| name.starts_with(folder))
            && self.says_type(media_type)
            && self.has_quiet_relations()
    }

    /// Whether it is a file of OpenDocument of this type.
    pub(super) fn is_open_document(&mut self, media_type: &str) -> bool {
        self.text_of("mimetype").is_some_and(|named| named.trim() == media_type)
            && self.names.iter().any(|name| name == "content.xml")
    }

    /// Whether the list of types says that the main part is of this type, and nothing in it runs.
    fn says_type(&mut self, media_type: &str) -> bool {
        let main = format!("{media_type}.main+xml").to_lowercase();
        let types = self.text_of(TYPES).and_then(|text| values(&text, "ContentType"));
        types.is_some_and(|types| types.contains(&main) && !types.iter().any(|named| runs(named)))
    }

    /// Whether no relation leads to something that runs.
    fn has_quiet_relations(&mut self) -> bool {
        let relations: Vec<String> =
            self.names.iter().filter(|name| name.ends_with(".rels")).cloned().collect();
        let mut length = 0;
        relations.iter().all(|name| {
            let Some(text) = self.text_of(name) else { return false };
            length += text.len();
            let kinds = values(&text, "Type");
            length <= LONGEST_RELATIONS && kinds.is_some_and(|kinds| !kinds.iter().any(|kind| runs(kind)))
        })
    }

    /// The text of a part by its name in lower case; none if it is not there, too long or no text.
    fn text_of(&mut self, name: &str) -> Option<String> {
        let at = self.names.iter().position(|other| other == name)?;
        let entry = self.zip.by_index(at).ok()?;
        let mut text = String::new();
        let length = entry.take(LONGEST_PART + 1).read_to_string(&mut text).ok()?;
        (length as u64 <= LONGEST_PART).then_some(text)
    }
}

fn runs(text: &str) -> bool {
    RUNS.iter().any(|word| text.contains(word))
}

/// The values of an attribute of all elements, in lower case. None if it is no XML, or has a document type.
fn values(text: &str, attribute: &str) -> Option<Vec<String>> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut values = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) | Event::Empty(element) => {
                for found in element.attributes() {
                    let found = found.ok()?;
                    if found.key.local_name().as_ref() == attribute {
                        values.push(found.normalized_value(Implicit1_0).ok()?.to_lowercase());
                    }
                }
            }
            Event::DocType(_) => return None,
            Event::Eof => return Some(values),
            _ => {}
        }
    }
}

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

    fn is_docx(entries: &[(&str, &str)]) -> bool {
        Archive::of(Cursor::new(archive(entries))).unwrap().is_office("word/", DOCX)
    }

    fn is_odt(entries: &[(&str, &str)]) -> bool {
        Archive::of(Cursor::new(archive(entries))).is_some_and(|mut archive| archive.is_open_document(ODT))
    }

    fn types(list: &[&str]) -> String {
        let one = |named: &&str| format!("<Override PartName=\"/a.xml\" ContentType=\"{named}\"/>");
        format!("<Types>{}</Types>", list.iter().map(one).collect::<String>())
    }

    #[test]
    fn a_file_of_office_names_its_type_and_has_parts_of_one_program() {
        let own = types(&[&format!("{DOCX}.main+xml")]);
        let office = |types: &str, more: &[(&str, &str)]| {
            is_docx(&[&[("[Content_Types].xml", types), ("word/document.xml", "")], more].concat())
        };
        assert!(office(&own, &[("docProps/app.xml", "")]));
        assert!(!is_docx(&[("a.txt", "x")]), "an archive is no file of Office by its beginning alone");
        assert!(!office("", &[]), "nothing says what the main part is");
        assert!(!office(&format!("<Types><!--{own}--></Types>"), &[]), "a comment says nothing");
        assert!(!office(&own, &[("xl/workbook.xml", "")]), "one file is not of two programs");
        assert!(!office(&own, &[("[content_types].XML", &own)]), "there is one list of types");
        assert!(!office(&format!("<!DOCTYPE Types>{own}"), &[]));
    }

    #[test]
    fn what_runs_is_found_whatever_its_name_is() {
        let own = format!("{DOCX}.main+xml");
        let with = |named: &str, more: &[(&str, &str)]| {
            let types = types(&[&own, named]);
            is_docx(&[&[("[Content_Types].xml", types.as_str()), ("word/document.xml", "")], more].concat())
        };
        let relation = |kind: &str| format!("<Relationships><Relationship Type=\"{kind}\"/></Relationships>");
        assert!(with("image/png", &[("word/_rels/document.xml.rels", &relation("http://a/styles"))]));
        for named in [
            "application/vnd.ms-word.document.macroEnabled.main+xml",
            "Application/VND.MS-OFFICE.vbaPROJECT",
            "application/vnd.ms-office.vba&#80;roject",
            "application/vnd.ms-excel.intlmacrosheet+xml",
            "text/html",
            "&unknown;",
        ] {
            assert!(!with(named, &[]), "{named}");
        }
        for name in ["word/vbaProject.bin", "word/VBAPROJECT.BIN", "word/macrosheets/sheet1.xml"] {
            assert!(!with("image/png", &[(name, "")]), "{name}");
        }
        let leading = relation("http://schemas.microsoft.com/office/2006/relationships/vbaProject");
        assert!(!with("image/png", &[("word/_rels/document.xml.rels", &leading)]));
    }

    #[test]
    fn a_file_of_open_document_names_its_type() {
        assert!(is_odt(&[("mimetype", ODT), ("content.xml", "")]));
        assert!(!is_odt(&[("mimetype", ODT)]));
        assert!(!is_odt(&[("mimetype", DOCX), ("content.xml", "")]));
        assert!(Archive::of(Cursor::new(b"PK\x03\x04cut")).is_none());
    }

    #[test]
    fn a_list_of_entries_that_is_too_long_is_not_read() {
        let names: Vec<String> = (0..=MOST_ENTRIES).map(|number| format!("{number}")).collect();
        let mut entries = vec![("mimetype", ODT), ("content.xml", "")];
        entries.extend(names.iter().map(|name| (name.as_str(), "")));
        assert!(is_odt(&entries[..100]));
        assert!(!is_odt(&entries));
    }
}
