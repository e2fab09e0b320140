//! A file as tables: a line of names (`%F`) and lines of values (`%R`) below the name of each table (`%T`).
//! The letters are UTF-8 or, as older versions write them, those of Windows.

use std::borrow::Cow;
use std::collections::HashMap;

use chrono::{NaiveDate, NaiveDateTime};

use crate::Unreadable;

/// The most values that a file may have in all its tables.
const MOST_VALUES: usize = 20_000_000;

/// The text of a file, whatever letters it is written in.
///
/// # Errors
/// When it does not begin as such files do.
pub(super) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, Unreadable> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if !bytes.starts_with(b"ERMHDR") {
        return Err(Unreadable::because(
            "This is no XER file: it does not begin with ERMHDR. In Primavera P6, choose File, Export, Primavera PM - (XER).",
        ));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => Ok(encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0),
    }
}

/// One table.
#[derive(Debug, Default)]
pub(super) struct Table<'t> {
    columns: HashMap<&'t str, usize>,
    /// How many columns the head has; a name that stands there twice counts twice.
    width: usize,
    rows: Vec<Vec<&'t str>>,
}

/// The tables of a file, by their names.
#[derive(Debug, Default)]
pub(super) struct Tables<'t> {
    list: Vec<(&'t str, Table<'t>)>,
    /// Whether the line that ends a file is there.
    pub(super) is_ended: bool,
    /// The numbers of lines that belong to no table.
    pub(super) strays: Vec<usize>,
}

impl<'t> Tables<'t> {
    /// Takes a text apart.
    ///
    /// # Errors
    /// When a row stands outside a table, or there are too many values.
    pub(super) fn of(text: &'t str) -> Result<Self, Unreadable> {
        let mut tables = Self::default();
        let mut values = 0;
        for (number, line) in text.lines().enumerate() {
            let mut cells = line.split('\t');
            let kind = cells.next().unwrap_or_default();
            match (kind, tables.list.last_mut()) {
                ("%T", _) => {
                    let name = cells.next().unwrap_or_default().trim();
                    tables.list.push((name, Table::default()));
                }
                ("%F", Some((_, table))) => {
                    let head: Vec<&str> = cells.map(str::trim).collect();
                    table.width = head.len();
                    table.columns = head.into_iter().enumerate().map(|(at, name)| (name, at)).collect();
                }
                ("%R", Some((_, table))) => {
                    let row: Vec<&str> = cells.collect();
                    values += row.len();
                    if values > MOST_VALUES {
                        return Err(Unreadable::because(format!(
                            "The file has more than {MOST_VALUES} values."
                        )));
                    }
                    table.rows.push(row);
                }
                ("%F" | "%R", None) => {
                    let line = number + 1;
                    return Err(Unreadable::because(format!("Line {line} stands before the first table.")));
                }
                ("%E", _) => tables.is_ended = true,
                _ if number > 0 && !line.trim().is_empty() => tables.strays.push(number + 1),
                _ => {}
            }
        }
        Ok(tables)
    }

    /// The rows of a table; none if the file does not have it.
    pub(super) fn rows<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Row<'a, 't>> {
        let tables = self.list.iter().filter(move |(known, _)| *known == name);
        tables.flat_map(|(_, table)| table.rows.iter().map(move |values| Row { table, values }))
    }

    /// The columns of a table besides those that are known, in their order.
    pub(super) fn columns_besides(&self, name: &str, known: &[&str]) -> Vec<&'t str> {
        let of_name = self.list.iter().filter(|(known, _)| *known == name);
        let columns = of_name.flat_map(|(_, table)| &table.columns);
        let mut besides: Vec<(usize, &str)> = columns
            .filter(|(column, _)| !known.contains(*column))
            .map(|(column, at)| (*at, *column))
            .collect();
        besides.sort_unstable();
        besides.into_iter().map(|(_, column)| column).collect()
    }

    /// The names of all tables with the number of their rows.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&'t str, usize)> + '_ {
        self.list.iter().map(|(name, table)| (*name, table.rows.len()))
    }
}

/// One row of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a, 't> {
    table: &'a Table<'t>,
    values: &'a [&'t str],
}

impl<'a, 't> Row<'a, 't> {
    /// Whether a value stands behind the last column of the table.
    pub(super) fn has_surplus(self) -> bool {
        self.values.iter().skip(self.table.width).any(|value| !value.trim().is_empty())
    }

    /// Whether the row ends before the last column of the table.
    pub(super) fn is_short(self) -> bool {
        self.values.len() < self.table.width
    }

    /// The trimmed value of a column. `None` if it is missing or blank.
    pub(super) fn text(self, column: &str) -> Option<&'t str> {
        let value = self.values.get(*self.table.columns.get(column)?)?.trim();
        (!value.is_empty()).then_some(value)
    }

    /// The same as a number. `None` if it cannot be read, or is no finite number.
    pub(super) fn number(self, column: &str) -> Option<f64> {
        // Some versions write the comma of their country.
        let text = self.text(column)?;
        let read = text.parse().or_else(|_| text.replace(',', ".").parse());
        read.ok().filter(|number: &f64| number.is_finite())
    }

    /// The same as an instant.
    pub(super) fn moment(self, column: &str) -> Option<NaiveDateTime> {
        let text = self.text(column)?;
        let minute =
            text.get(..16).and_then(|text| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").ok());
        minute.or_else(|| text.get(..10)?.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0))
    }

    /// The same as an instant at which work ends. A day without a time ends in its evening.
    pub(super) fn end(self, column: &str) -> Option<NaiveDateTime> {
        match self.text(column)?.parse::<NaiveDate>() {
            Ok(day) => day.and_hms_opt(23, 59, 0),
            Err(_) => self.moment(column),
        }
    }

    /// The same as a day.
    pub(super) fn day(self, column: &str) -> Option<NaiveDate> {
        self.moment(column).map(|moment| moment.date())
    }

    /// Whether the value of a column is a word.
    pub(super) fn is(self, column: &str, word: &str) -> bool {
        self.text(column) == Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_the_names_of_their_columns() {
        let text = "ERMHDR\t8.0\r\n%T\tTASK\r\n%F\ttask_id\ttask_name\thours\twhen\r\n%R\t7\tDig\t1,5\t2026-01-05 08:00\r\n%R\t8\r\n%E\r\n";
        let tables = Tables::of(text).unwrap();
        let rows: Vec<_> = tables.rows("TASK").collect();
        assert_eq!((rows[0].text("task_name"), rows[0].number("hours")), (Some("Dig"), Some(1.5)));
        assert_eq!(rows[0].day("when"), NaiveDate::from_ymd_opt(2026, 1, 5));
        assert_eq!((rows[1].text("task_name"), rows[1].text("nothing")), (None, None));
        assert_eq!(tables.rows("PROJECT").count(), 0);
        assert_eq!((rows[0].is_short(), rows[1].is_short()), (false, true));
        let cut = Tables::of("ERMHDR\n%T\tTASK\n%F\ta\n%R\t1\nrest of a name\n\n%E").unwrap();
        assert_eq!(cut.strays, [5]);
    }

    #[test]
    fn letters_of_windows_are_read_and_other_files_are_refused() {
        assert_eq!(text(b"ERMHDR\t\xe9\t").unwrap(), "ERMHDR\t\u{e9}\t");
        assert!(text(b"PK\x03\x04").unwrap_err().0.contains("no XER file"));
        assert!(Tables::of("ERMHDR\n%R\t1").unwrap_err().0.contains("Line 2"));
    }
}
