//! The cells of a table as texts, from CSV with any usual separator or from the first sheet of a workbook.
//! The number of rows is limited before anything is kept, and so is what a workbook holds packed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{Cursor, Read};

use calamine::{Data, Reader, Xlsx, XlsxFormulaMetadata};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use zip::ZipArchive;

use crate::seed::Ceiling;
use crate::{Losses, Unreadable};

/// The most columns.
const MOST_COLUMNS: usize = 200;
/// How much a workbook may hold when it is unpacked, in bytes.
const MOST_UNPACKED: u64 = 100 * 1024 * 1024;
/// What begins a document type declaration, and how far into a part it is looked for.
const DOCUMENT_TYPE: &[u8] = b"<!DOCTYPE";
const HEAD_BYTES: u64 = 4_096;
/// How many letters of a formula are shown.
const MOST_OF_FORMULA: usize = 60;
/// How many parts a workbook may have.
const MOST_PARTS: usize = 10_000;

/// A table: its head and what stands below it. Blank rows are left out; the others know their line.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<(usize, Vec<String>)>,
    /// Whether it is a sheet of a workbook, where 50 % is the number 0.5.
    pub(super) is_workbook: bool,
    /// The cells of a workbook that stand for no value, by line and place: errors, and formulas whose value was not stored.
    pub(super) valueless: HashSet<(usize, usize)>,
    /// What of the file is not in the table.
    pub(super) losses: Losses,
}

impl Table {
    /// Reads a file by what is in it and not by its name, if it has no more rows than that.
    pub(super) fn read(bytes: &[u8], most: usize) -> Result<Self, Unreadable> {
        let (mut losses, mut valueless) = Default::default();
        let is_workbook = is_workbook(bytes);
        let lines = match bytes {
            _ if is_workbook => sheet(bytes, most, &mut valueless, &mut losses)?,
            [0xd0, 0xcf, 0x11, 0xe0, ..] => {
                return Err(Unreadable::because("This is an old .xls workbook. Save it as .xlsx or .csv."));
            }
            _ => lines(bytes, most, &mut losses)?,
        };
        let mut rows = lines.into_iter().enumerate().map(|(at, cells)| (at + 1, cells));
        let is_filled = |(_, cells): &(usize, Vec<String>)| cells.iter().any(|cell| !cell.is_empty());
        let (_, head) =
            rows.by_ref().find(is_filled).ok_or_else(|| Unreadable::because("The file is empty."))?;
        if head.len() > MOST_COLUMNS {
            return Err(Unreadable::because(format!("The table may have at most {MOST_COLUMNS} columns.")));
        }
        let rows: Vec<_> = rows.filter(is_filled).take(most.saturating_add(1)).collect();
        match rows.len() > most {
            true => Err(Unreadable::because(Ceiling { bytes: 0, rows: most }.too_long())),
            false => Ok(Self { head, rows, is_workbook, valueless, losses }),
        }
    }
}

/// Whether a file is a workbook, by what is in it.
pub fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// The text of a file in UTF-8, in UTF-16 as Excel writes "Unicode text", or in the letters of Windows.
fn decoded<'b>(bytes: &'b [u8], losses: &mut Losses) -> Result<Cow<'b, str>, Unreadable> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes).filter(|(one, _)| *one != UTF_8) {
        let (text, _, has_errors) = encoding.decode(bytes);
        return match has_errors {
            false => Ok(text),
            true => Err(Unreadable::because("The file must be text in UTF-8 or UTF-16.")),
        };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => {
            let reason = "The file is not in UTF-8. Its letters were read as those of Windows (1252).";
            losses.note("Encoding", reason, "");
            Ok(WINDOWS_1252.decode_without_bom_handling(bytes).0)
        }
    }
}

/// The separator that a first line `sep=;` names, as Excel writes it, and the text behind it.
fn named_separator(text: &str) -> Option<(u8, &str)> {
    let rest = text.strip_prefix("sep=").or_else(|| text.strip_prefix("SEP="))?;
    let separator = *rest.as_bytes().first().filter(|byte| byte.is_ascii())?;
    let rest = &rest[1..];
    (rest.is_empty() || rest.starts_with(['\r', '\n'])).then_some((separator, rest))
}

/// A cell without the apostrophe that stands before what looks like a formula.
fn without_guard(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => cell,
    }
}

/// Whether a spreadsheet would take a text for a formula.
pub(super) fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

fn lines(bytes: &[u8], most: usize, losses: &mut Losses) -> Result<Vec<Vec<String>>, Unreadable> {
    let text = decoded(bytes, losses)?;
    let text = text.trim_start_matches('\u{feff}');
    let (separator, text) = named_separator(text).unwrap_or_else(|| (separator(text), text));
    if text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
        let reason =
            "The file has an odd number of quotation marks. What stands behind an open one is in one cell.";
        losses.note("Quotation marks", reason, "");
    }
    if text.contains('\0') {
        return Err(Unreadable::because("The file contains null characters. It is not a table."));
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| Unreadable::because(format!("The table cannot be read: {error}.")))?;
        let line = record.position().map_or(rows.len() + 1, |place| line_of(text, place));
        // Blank lines are skipped by the reader and still count.
        while rows.len() + 1 < line && rows.len() < lines_for(most) {
            rows.push(Vec::new());
        }
        rows.push(record.iter().map(|cell| without_guard(cell).to_owned()).collect());
        if rows.len() > lines_for(most) {
            break;
        }
    }
    Ok(rows)
}

/// How many lines so many rows may take, with blank ones between them.
fn lines_for(rows: usize) -> usize {
    rows.saturating_mul(2)
}

/// The line on which a record begins: the reader stands before the blank lines above it.
fn line_of(text: &str, place: &csv::Position) -> usize {
    let rest = text.as_bytes().get(place.byte() as usize..).unwrap_or_default();
    let blank =
        rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).filter(|byte| **byte == b'\n').count();
    place.line() as usize + blank
}

/// The separator that the first line has most of.
fn separator(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: u8| first.bytes().filter(|byte| *byte == separator).count();
    // The last of equals wins, so the comma stands at the end.
    [b'\t', b'|', b';', b','].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(b',')
}

fn sheet(
    bytes: &[u8],
    most: usize,
    valueless: &mut HashSet<(usize, usize)>,
    losses: &mut Losses,
) -> Result<Vec<Vec<String>>, Unreadable> {
    refuse_bombs(bytes)?;
    let wrong =
        |error: calamine::XlsxError| Unreadable::because(format!("The workbook cannot be read: {error}."));
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(wrong)?;
    let first = workbook.sheet_names().first().cloned();
    let first = first.ok_or_else(|| Unreadable::because("The workbook has no sheet."))?;
    for other in workbook.sheet_names().iter().skip(1) {
        losses.note("Sheet", "Only the first sheet is read.", other.chars().take(60).collect::<String>());
    }
    let mut cells = workbook.worksheet_cells_reader(&first).map_err(wrong)?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut left = MOST_UNPACKED as usize;
    // Cell by cell, because a range has a place for each cell up to the last one, wherever a file says that it is.
    // A formula that many cells share stands once in a file, and is not written out for each of them.
    while let Some(found) = cells.next_cell_with_formula_metadata().map_err(wrong)? {
        let (row, column) = (found.pos.0 as usize, found.pos.1 as usize);
        let value = Data::from(found.value);
        let text = match (&value, found.formula) {
            // Other programs would compute it. A stored blank result is a blank text instead.
            (Data::Empty, Some(formula)) => shown(&formula),
            _ => cell(&value),
        };
        if text.is_empty() {
            continue;
        }
        if matches!(value, Data::Empty | Data::Error(_)) {
            valueless.insert((row + 1, column));
        }
        if row >= lines_for(most) || column >= MOST_COLUMNS {
            return Err(Unreadable::because(format!(
                "The workbook has a value in row {} and column {}. A table may have at most {most} rows and {MOST_COLUMNS} columns.",
                row + 1,
                column + 1
            )));
        }
        // Many cells can share one long text of the file.
        left = left
            .checked_sub(text.len())
            .ok_or_else(|| Unreadable::because("The workbook holds more than 100 MB of text."))?;
        if rows.len() <= row {
            rows.resize_with(row + 1, Vec::new);
        }
        if rows[row].len() <= column {
            rows[row].resize_with(column + 1, String::new);
        }
        rows[row][column] = text;
    }
    Ok(rows)
}

/// The beginning of a formula, for people.
fn shown(formula: &XlsxFormulaMetadata) -> String {
    match formula {
        XlsxFormulaMetadata::Normal { formula } | XlsxFormulaMetadata::Shared { formula, .. } => {
            format!("={}", formula.chars().take(MOST_OF_FORMULA).collect::<String>())
        }
        _ => "=…".to_owned(),
    }
}

/// A cell as a text. Dates are written year first, so that no order has to be guessed.
fn cell(value: &Data) -> String {
    match value {
        Data::String(text) => text.trim().to_owned(),
        Data::DateTime(time) if time.is_datetime() => {
            let (year, month, day, ..) = time.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        Data::DateTimeIso(text) => text.get(..10).unwrap_or(text).to_owned(),
        Data::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => format!("{number:.0}"),
        Data::Empty => String::new(),
        other => other.to_string(),
    }
}

/// Unpacks a workbook once into nothing: sizes that a packed file names for itself prove nothing.
fn refuse_bombs(bytes: &[u8]) -> Result<(), Unreadable> {
    let wrong = |_| Unreadable::because("The workbook cannot be unpacked.");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(wrong)?;
    if archive.len() > MOST_PARTS {
        return Err(Unreadable::because(format!("The workbook has more than {MOST_PARTS} parts.")));
    }
    let mut left = MOST_UNPACKED;
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).map_err(wrong)?.take(left + 1);
        let unpackable = |_| Unreadable::because("The workbook cannot be unpacked.");
        let mut head = Vec::new();
        part.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(unpackable)?;
        if head.windows(DOCUMENT_TYPE.len()).any(|bytes| bytes == DOCUMENT_TYPE) {
            return Err(Unreadable::because("A workbook with a document type declaration is not read."));
        }
        let rest = std::io::copy(&mut part, &mut std::io::sink()).map_err(unpackable)?;
        let size = head.len() as u64 + rest;
        left = left
            .checked_sub(size)
            .ok_or_else(|| Unreadable::because("The workbook holds more than 100 MB when it is unpacked."))?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Table, Unreadable> {
        Table::read(bytes, 5_000)
    }

    #[test]
    fn the_usual_separators_are_recognised_and_blank_lines_keep_the_numbers_right() {
        for text in
            ["Name,Duration\n\nDig,3\n", "Name;Duration\n\nDig;3\n", "\u{feff}Name\tDuration\n\nDig\t3"]
        {
            let table = read(text.as_bytes()).unwrap();
            assert_eq!(table.head, ["Name", "Duration"]);
            assert_eq!(table.rows, [(3, vec!["Dig".to_owned(), "3".to_owned()])]);
        }
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_reason() {
        let refusal = |bytes: &[u8]| read(bytes).unwrap_err().0;
        assert!(refusal(b"").contains("empty"));
        assert!(refusal(b"\xff\xfeN").contains("UTF-8"));
        assert!(refusal(b"PK\x03\x04garbage").contains("unpacked"));
        assert!(refusal(&[0xd0, 0xcf, 0x11, 0xe0, 0]).contains(".xlsx"));
        let long = format!("Name\n{}", "x\n".repeat(5_001));
        assert!(refusal(long.as_bytes()).contains("5000 rows"));
    }

    #[test]
    fn what_excel_writes_besides_plain_utf_8_is_read() {
        let utf_16: Vec<u8> =
            "\u{feff}Name\tDuration\r\nGr\u{e4}ben\t3".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&utf_16).unwrap().rows[0].1, ["Gräben", "3"]);
        let windows = read(b"Name;Duration\nGr\xe4ben;3").unwrap();
        assert_eq!(
            (windows.rows[0].1[0].as_str(), windows.losses.0[0].field.as_str()),
            ("Gräben", "Encoding")
        );
        let named = read(b"sep=;\r\nName;Duration, days\r\nDig;3").unwrap();
        assert_eq!((named.head.len(), named.rows[0].0), (2, 3));
        let guarded = read(b"Name\n'=SUM(A1)\n''-x\n'quoted\n").unwrap();
        let cells: Vec<&str> = guarded.rows.iter().map(|(_, cells)| cells[0].as_str()).collect();
        assert_eq!(cells, ["=SUM(A1)", "'-x", "'quoted"]);
        assert_eq!(read(b"Name\n\"Dig\nPour\n").unwrap().losses.0[0].field, "Quotation marks");
    }

    /// A workbook with one sheet of these cells, each an address and a text.
    fn workbook(cells: &[(&str, &str)]) -> Vec<u8> {
        let cell = |(address, text): &(&str, &str)| {
            format!("<row><c r=\"{address}\" t=\"inlineStr\"><is><t>{text}</t></is></c></row>")
        };
        packed(&cells.iter().map(cell).collect::<String>())
    }

    /// A workbook with one sheet of these rows in its own format.
    pub(in crate::table) fn packed(rows: &str) -> Vec<u8> {
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
        let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
        let kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let relation = |kind: &str, target: &str| {
            format!(
                "<Relationships xmlns=\"{relations}\"><Relationship Id=\"a\" Type=\"{kinds}/{kind}\" Target=\"{target}\"/></Relationships>"
            )
        };
        let parts = [
            ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
            ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
            (
                "xl/workbook.xml",
                format!(
                    "<workbook xmlns=\"{main}\" xmlns:r=\"{kinds}\"><sheets><sheet name=\"Plan\" sheetId=\"1\" r:id=\"a\"/></sheets></workbook>"
                ),
            ),
            (
                "xl/worksheets/sheet1.xml",
                format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
            ),
        ];
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in parts {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut writer, content.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn a_workbook_is_read_cell_by_cell_wherever_its_cells_are() {
        let table =
            read(&workbook(&[("A2", "Name"), ("B2", "Duration"), ("A4", "Dig"), ("B4", "3")])).unwrap();
        assert_eq!(table.head, ["Name", "Duration"]);
        assert_eq!(table.rows, [(4, vec!["Dig".to_owned(), "3".to_owned()])]);
    }

    #[test]
    fn a_cell_far_away_is_refused_by_its_place_before_room_is_made_for_it() {
        let far = workbook(&[("A1", "Name"), ("A2", "Dig"), ("XFD1048576", "x")]);
        let refusal = read(&far).unwrap_err().0;
        assert!(refusal.contains("row 1048576 and column 16384"), "{refusal}");
    }
}
