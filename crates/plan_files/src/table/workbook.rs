//! A plan as a workbook (XLSX) with the columns of the table: dates are dates, percentages are percentages, and a text is
//! never a formula. Rows are written one after the other, so that a large plan needs little memory.

use chrono::{Datelike, NaiveDate};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::write::{Cell, head, rows};
use crate::seed::model::Document;
use crate::unwritten::{self, Part};
use crate::{Computed, Losses, Unreadable, WrittenFile};

/// The most letters that a cell of a workbook holds.
const MOST_LETTERS: usize = 32_767;

/// The first project of a document as a workbook with one sheet.
///
/// # Errors
/// When the plan has more rows than a sheet.
pub fn workbook(document: &Document, computed: &Computed) -> Result<WrittenFile, Unreadable> {
    let mut losses = Losses::default();
    unwritten::note(document, &[Part::Labels], &mut losses);
    let written = content(rows(document, computed), &mut losses);
    let content =
        written.map_err(|error| Unreadable::because(format!("The workbook cannot be written: {error}.")))?;
    Ok(WrittenFile { content, losses })
}

fn content(rows: Vec<Vec<Cell>>, losses: &mut Losses) -> Result<Vec<u8>, XlsxError> {
    let (bold, day, share) = (
        Format::new().set_bold(),
        Format::new().set_num_format("yyyy-mm-dd"),
        Format::new().set_num_format("0.##%"),
    );
    let mut workbook = Workbook::new();
    // The same plan gives the same bytes.
    let properties = DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?);
    workbook.set_properties(&properties);
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name("Tasks")?;
    for (column, title) in (0..).zip(head()) {
        sheet.write_string_with_format(0, column, title, &bold)?;
    }
    for (line, row) in (1..).zip(rows) {
        for (column, cell) in (0..).zip(row) {
            write(sheet, (line, column), cell, (&day, &share), losses)?;
        }
    }
    workbook.save_to_buffer()
}

fn write(
    sheet: &mut Worksheet,
    (line, column): (u32, u16),
    cell: Cell,
    (day, share): (&Format, &Format),
    losses: &mut Losses,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Blank => Ok(()),
        Cell::Number(number) => sheet.write_number(line, column, number).map(drop),
        Cell::Percent(percent) => {
            sheet.write_number_with_format(line, column, percent / 100.0, share).map(drop)
        }
        Cell::Date(date) => match excel_date(date) {
            Some(found) => sheet.write_datetime_with_format(line, column, found, day).map(drop),
            // Workbooks know no day before the year 1900.
            None => sheet.write_string(line, column, date.to_string()).map(drop),
        },
        Cell::Text(text) => {
            let fits: String = text.chars().take(MOST_LETTERS).collect();
            if fits.len() < text.len() {
                let reason =
                    "A cell of a workbook holds 32 767 letters. The rest of the text is not written.";
                losses.note("Text", reason, format!("line {}", line + 1));
            }
            sheet.write_string(line, column, fits).map(drop)
        }
    }
}

fn excel_date(date: NaiveDate) -> Option<ExcelDateTime> {
    let year = u16::try_from(date.year()).ok()?;
    ExcelDateTime::from_ymd(year, date.month() as u8, date.day() as u8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::model::Task;
    use crate::table::{TableOptions, read};

    fn plan() -> Document {
        let text = b"id,wbs,name,duration,planned_start,percent_complete,resource,predecessors,milestone,notes,labels\n\
            1,1,=SUM(A1),,,,,,no,,\n\
            2,1.1,Dig,3,2026-01-05,50,Crew[50%],,no,\"+1 for, the oak\",outdoors\n\
            3,1.10,Pour,2,,100,,2FS+1d,no,,\n\
            4,2,Done,0,,,,3,yes,,\n";
        read(text, &TableOptions::default(), day(5)).unwrap().plan.document
    }

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    fn read_again(content: &[u8]) -> crate::table::TableRead {
        read(content, &TableOptions::default(), day(5)).unwrap()
    }

    #[test]
    fn a_plan_that_was_written_as_a_workbook_is_read_as_the_same_plan() {
        let plan = plan();
        let computed = Computed::from([("1.1".to_owned(), (day(5), day(7)))]);
        let written = workbook(&plan, &computed).unwrap();
        let again = read_again(&written.content);
        assert_eq!((again.parked, again.problems.len()), (0, 0), "{:?}", again.problems);
        assert!(again.plan.losses.0.is_empty(), "{:?}", again.plan.losses);
        assert_eq!(again.plan.document, plan);
        assert_eq!(again.plan.dates["1.1"], (Some(day(5)), Some(day(7))));
        let third = workbook(&again.plan.document, &computed).unwrap();
        assert_eq!(read_again(&third.content).plan.document, plan);
    }

    #[test]
    fn no_text_becomes_a_formula_and_a_percentage_is_one() {
        let content = workbook(&plan(), &Computed::new()).unwrap().content;
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(content)).unwrap();
        let mut sheet = String::new();
        let mut part = archive.by_name("xl/worksheets/sheet1.xml").unwrap();
        std::io::Read::read_to_string(&mut part, &mut sheet).unwrap();
        assert!(!sheet.contains("<f>"), "{sheet}");
        assert!(sheet.contains("<v>0.5</v>") && sheet.contains("=SUM(A1)"), "{sheet}");
    }

    #[test]
    fn a_text_that_no_cell_holds_is_cut_and_named() {
        let mut plan = plan();
        plan.projects[0].tasks[1] = Task { notes: "x".repeat(40_000), ..plan.projects[0].tasks[1].clone() };
        let written = workbook(&plan, &Computed::new()).unwrap();
        assert!(written.losses.0.iter().any(|loss| loss.field == "Text"), "{:?}", written.losses);
    }
}
