//! XML as a tree of small elements, one branch of the root at a time.
//! Documents with a type declaration or entities of their own are refused, and so is anything that is nested too deeply.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::Unreadable;

/// How deeply elements may be nested.
const MOST_DEPTH: usize = 64;
/// How many elements a file may have. Each of them takes memory, however short it is.
const MOST_ELEMENTS: usize = 3_000_000;
/// How far into a document its outermost element is looked for, in bytes.
const HEAD_BYTES: usize = 1024 * 1024;

/// An element: its name without a prefix, its text, its attributes, and what is inside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
}

impl Element {
    /// The first element of a name inside this one.
    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All elements of a name inside this one.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> + 'a {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The trimmed text of an element inside this one. `None` if it is missing or blank.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.trim()).filter(|text| !text.is_empty())
    }

    /// The same as a number or whatever else can be read. `None` if it cannot.
    pub(super) fn value<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }

    /// The same as a flag: `1` and `true` are true.
    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.text(name), Some("1" | "true"))
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The encoding that the declaration in front of a document names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declaration = head.trim_start().strip_prefix("<?xml")?.split("?>").next()?;
    let name = declaration.split("encoding").nth(1)?.split(['"', '\'']).nth(1)?;
    // A declaration that reads as it stands is not in UTF-16, whatever it says.
    Encoding::for_label(name.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

/// The encoding that the first bytes of a document or its declaration name.
fn encoding_of(bytes: &[u8]) -> &'static Encoding {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    marked.or_else(|| declared(bytes)).unwrap_or(UTF_8)
}

/// The name of the outermost element, without a prefix. `None` if the beginning is no XML or has no element.
pub(super) fn outermost(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let (text, _, _) = encoding_of(head).decode(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut reader = Reader::from_str(text);
    while text.starts_with('<') {
        match reader.read_event().ok()? {
            Event::Start(start) | Event::Empty(start) => return Some(element(&start).ok()?.name),
            Event::Eof => return None,
            _ => {}
        }
    }
    None
}

/// The text of a document.
fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Unreadable> {
    let encoding = encoding_of(bytes);
    match encoding.decode(bytes) {
        (text, _, false) => Ok(text),
        _ => Err(Unreadable::because(format!("The file is not text in {}.", encoding.name()))),
    }
}

/// Reads a whole document. `root` is the name that its outermost element must have.
///
/// # Errors
/// When its bytes are no text, or it is not well-formed, of another kind, nested too deeply, or declares a document type.
pub(super) fn read(bytes: &[u8], root: &str) -> Result<Element, Unreadable> {
    let text = decoded(bytes)?;
    if text.contains('\0') {
        return Err(Unreadable::because("The file contains null characters. XML does not allow them."));
    }
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut open: Vec<Element> = Vec::new();
    let mut elements = 0;
    loop {
        let event = reader.read_event().map_err(|error| {
            let place = reader.error_position();
            Unreadable::because(format!("The file is not well-formed XML at byte {place}: {error}."))
        })?;
        if matches!(event, Event::Start(_) | Event::Empty(_)) {
            elements += 1;
            if elements > MOST_ELEMENTS {
                return Err(Unreadable::because(format!("The file has more than {MOST_ELEMENTS} elements.")));
            }
        }
        match event {
            Event::Start(start) => {
                open.push(element(&start)?);
                if open.len() > MOST_DEPTH {
                    return Err(Unreadable::because(format!(
                        "The elements of the file are nested more than {MOST_DEPTH} levels deep."
                    )));
                }
            }
            Event::Empty(start) => {
                let empty = element(&start)?;
                match open.last_mut() {
                    Some(parent) => parent.children.push(empty),
                    None => return is_root(empty, root),
                }
            }
            Event::End(_) => {
                let Some(done) = open.pop() else { continue };
                match open.last_mut() {
                    Some(parent) => parent.children.push(done),
                    None => {
                        nothing_follows(&mut reader)?;
                        return is_root(done, root);
                    }
                }
            }
            Event::Text(text) => append(&mut open, &text.xml10_content()),
            Event::CData(text) => append(&mut open, &text.xml10_content()),
            Event::GeneralRef(entity) => append(&mut open, &resolved(&entity)?),
            Event::DocType(_) => {
                return Err(Unreadable::because("A file with a document type declaration is not read."));
            }
            Event::Eof if elements == 0 => {
                return Err(Unreadable::because("This is no XML file: it has no element."));
            }
            Event::Eof => return Err(Unreadable::because("The file ends in the middle.")),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

/// After the outermost element there are only comments and blanks.
fn nothing_follows(reader: &mut Reader<&[u8]>) -> Result<(), Unreadable> {
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return Ok(()),
            Ok(Event::Comment(_) | Event::PI(_)) => {}
            Ok(Event::Text(text)) if text.xml10_content().trim().is_empty() => {}
            _ => return Err(Unreadable::because("The file goes on after its outermost element.")),
        }
    }
}

fn is_root(element: Element, root: &str) -> Result<Element, Unreadable> {
    match element.name == root {
        true => Ok(element),
        false => Err(Unreadable::because(format!(
            "The outermost element must be {root}, not {}.",
            element.name.chars().take(60).collect::<String>()
        ))),
    }
}

fn append(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn element(start: &BytesStart<'_>) -> Result<Element, Unreadable> {
    let mut element = Element { name: start.local_name().as_ref().to_owned(), ..Element::default() };
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| Unreadable::because(format!("An attribute: {error}.")))?;
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .map_err(|error| Unreadable::because(format!("An attribute: {error}.")))?;
        element.attributes.push((attribute.key.local_name().as_ref().to_owned(), value.into_owned()));
    }
    Ok(element)
}

/// The character of a reference. Only the five of the format itself and those by number are known.
fn resolved(entity: &BytesRef<'_>) -> Result<String, Unreadable> {
    let unknown = || Unreadable::because("The file has an entity that XML does not define.");
    if let Some(letter) = entity.resolve_char_ref().map_err(|_| unknown())? {
        return Ok(letter.to_string());
    }
    match entity.xml10_content().as_ref() {
        "amp" => Ok("&".to_owned()),
        "lt" => Ok("<".to_owned()),
        "gt" => Ok(">".to_owned()),
        "quot" => Ok("\"".to_owned()),
        "apos" => Ok("'".to_owned()),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        read(text.as_bytes(), "Project").unwrap_err().0
    }

    #[test]
    fn elements_keep_their_text_their_attributes_and_what_is_inside() {
        let text = "\u{feff}<?xml version=\"1.0\"?><p:Project xmlns:p=\"x\"><Name k=\"a&amp;b\">A &lt;b&gt; &#65;</Name>\
                    <Empty/><Data><![CDATA[<raw>]]></Data></p:Project>";
        let root = read(text.as_bytes(), "Project").unwrap();
        assert_eq!(root.text("Name"), Some("A <b> A"));
        assert_eq!(root.child("Name").unwrap().attribute("k"), Some("a&b"));
        assert_eq!(root.text("Data"), Some("<raw>"));
        assert_eq!(root.text("Empty"), None);
    }

    #[test]
    fn what_is_no_plain_document_is_refused_with_its_reason() {
        assert!(refusal("<Other/>").contains("must be Project, not Other"));
        assert!(refusal("<!DOCTYPE x [<!ENTITY a \"b\">]><Project>&a;</Project>").contains("document type"));
        assert!(refusal("<Project>&a;</Project>").contains("entity"));
        assert!(refusal("<Project><Name></Project>").contains("well-formed"));
        assert!(refusal("<Project><Name>").contains("ends in the middle"));
        assert!(refusal("").contains("no XML file"));
        assert!(refusal("{\"a\": 1}").contains("no XML file"));
        assert!(refusal("<Project></Project><Project></Project>").contains("goes on after"));
        assert!(refusal("<Project>\0</Project>").contains("null characters"));
        assert!(read(b"<Project><A/></Project>\n<!-- done -->\n", "Project").is_ok());
        assert!(refusal(&"<Project>".repeat(100)).contains("nested more than"));
        assert!(read(b"<Project>\xff</Project>", "Project").unwrap_err().0.contains("not text in UTF-8"));
        assert!(read(b"\xff\xfe<\0P", "Project").unwrap_err().0.contains("not text in UTF-16LE"));
    }

    #[test]
    fn the_outermost_element_is_found_in_any_encoding_and_behind_any_comment() {
        let text =
            format!("<?xml version=\"1.0\"?><!-- {} --><p:rss xmlns:p=\"x\"><a/>", "word ".repeat(3000));
        assert_eq!(outermost(text.as_bytes()).as_deref(), Some("rss"));
        let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(outermost(&wide).as_deref(), Some("rss"));
        assert_eq!(
            [outermost(b"{\"a\": \"<b>\"}"), outermost(b"<!-- only"), outermost(b"")],
            [None, None, None]
        );
    }

    #[test]
    fn a_document_is_read_in_the_encoding_that_it_names() {
        let of = |bytes: &[u8]| read(bytes, "Project").unwrap().text;
        let latin = b"<?xml version=\"1.0\" encoding='ISO-8859-1' ?><Project>Stra\xdfe</Project>";
        assert_eq!(of(latin), "Stra\u{df}e");
        let wide: Vec<u8> = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-16\"?><Project>\u{20ac}</Project>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(of(&wide), "\u{20ac}");
        assert_eq!(of("<?xml encoding=\"UTF-16\"?><Project>\u{20ac}</Project>".as_bytes()), "\u{20ac}");
    }
}
