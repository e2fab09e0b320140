//! From a table to a plan: rows by their outline numbers, cells by what their columns mean, links by the rows they name.
//! A row with a cell that cannot be read stands in a branch for review, with the cell as it was.

mod links;
mod outline;

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::words::TaskStatus;

use super::cells::Table;
use super::columns::{self, Column, Confidence, Field};
use super::dates::{self, DateOrder, DateOrderFound};
use super::{CellProblem, TableOptions, TableRead, values};
use crate::assembly::{Found, FoundLink, FoundRow};
use crate::seed::model::{Resource, Task};
use crate::seed::workweek::WorkWeek;
use crate::{Losses, Unreadable};

/// The name of the branch with the rows that do not fit.
pub const REVIEW: &str = "Rows to review";
/// How many rows are shown as they stand in the file.
const SAMPLE: usize = 10;

/// Reads a table.
///
/// # Errors
/// When it is no table, is too large, or no column is the name of tasks.
pub fn read(bytes: &[u8], options: &TableOptions, today: NaiveDate) -> Result<TableRead, Unreadable> {
    let mut table = Table::read(bytes, options.most_rows)?;
    let said = columns::said(&options.columns);
    let columns = columns::meant(&table.head, &said);
    let places: HashMap<Field, usize> = Field::all()
        .filter_map(|field| {
            let column = columns.iter().find(|column| column.field == Some(field.name()))?;
            Some((field, column.index))
        })
        .collect();
    if !places.contains_key(&Field::Name) {
        let head = table.head.join(", ");
        let head: String = head.chars().take(200).collect();
        return Err(Unreadable::because(format!(
            "No column is the name of the tasks. The first line reads: {head}."
        )));
    }
    let date_order = order_of_dates(&table, &places, options);
    let losses = std::mem::take(&mut table.losses);
    let computed = columns::COMPUTED.map(|name| table.head.iter().position(|header| header == name));
    let shares = match computed.iter().all(Option::is_some) {
        _ if !table.is_workbook => Shares::None,
        // Such columns are in a file of ours, which writes every percentage as a share.
        true => Shares::Known,
        false if has_shares(&table, places.get(&Field::PercentComplete).copied()) => Shares::Guessed,
        false => Shares::None,
    };
    let has_texts = !table.is_workbook;
    let mut reading =
        Reading { places, date_order, losses, computed, shares, has_texts, ..Reading::default() };
    reading.note_unread(&table, &columns, &said);
    for (line, cells) in &table.rows {
        let valueless = |at: usize| table.valueless.contains(&(*line, at));
        match (0..cells.len()).any(valueless) {
            true => reading.row_with_gaps(*line, cells, valueless),
            false => reading.row(*line, cells),
        }
    }
    let links = reading.links();
    let (rows, order, parked) = reading.outline();
    let place_of: HashMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    let links = links.into_iter().filter_map(|link| {
        let (predecessor, successor) = (*place_of.get(&link.predecessor)?, *place_of.get(&link.successor)?);
        Some(FoundLink { predecessor, successor, ..link })
    });
    let found = Found {
        name: if options.name.is_empty() { "Imported table".to_owned() } else { options.name.clone() },
        resources: std::mem::take(&mut reading.resources),
        links: links.collect(),
        losses: std::mem::take(&mut reading.losses),
        rows,
        ..Found::default()
    };
    Ok(TableRead {
        plan: found.assemble(today)?,
        columns,
        sample: table.rows.iter().take(SAMPLE).map(|(_, cells)| cells.clone()).collect(),
        rows: table.rows.len(),
        parked,
        problems: reading.problems,
        date_order: reading.date_order,
    })
}

/// The order in which the dates of a table are written.
fn order_of_dates(table: &Table, places: &HashMap<Field, usize>, options: &TableOptions) -> DateOrderFound {
    let at = [Field::PlannedStart, Field::PlannedFinish].map(|field| places.get(&field).copied());
    let texts = table.rows.iter().flat_map(|(_, cells)| at.iter().flatten().filter_map(|at| cells.get(*at)));
    dates::order(texts.map(String::as_str).filter(|text| !text.is_empty()), options.date_order)
}

/// Whether the numbers of a column are shares, as a workbook holds 50 % as 0.5: none is above 1, and one is above 0. A plan in which
/// no row is done by more than one percent is so rare that 1 is taken for all of it. Other cells say nothing of it.
fn has_shares(table: &Table, column: Option<usize>) -> bool {
    let Some(column) = column else { return false };
    let cells = table.rows.iter().filter_map(|(_, cells)| cells.get(column));
    let numbers: Vec<f64> = cells.filter_map(|cell| cell.parse().ok()).collect();
    numbers.iter().all(|number| (0.0..=1.0).contains(number)) && numbers.iter().any(|number| *number > 0.0)
}

/// Whether percentages are written as shares, so that 0.5 is 50 percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Shares {
    #[default]
    None,
    /// Their numbers look like it.
    Guessed,
    /// The file is one of ours.
    Known,
}

/// A row with what places it.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    external_id: String,
    wbs: String,
    level: String,
    predecessors: String,
    /// What could not be read, as sentences. Such a row is parked.
    doubts: Vec<String>,
    found: FoundRow,
}

#[derive(Debug)]
struct Reading {
    places: HashMap<Field, usize>,
    date_order: DateOrderFound,
    rows: Vec<Row>,
    resources: Vec<Resource>,
    resource_places: HashMap<String, usize>,
    problems: Vec<CellProblem>,
    losses: Losses,
    /// The places of the dates that were computed when the file was written.
    computed: [Option<usize>; 2],
    /// Whether percentages are written as shares.
    shares: Shares,
    /// Whether numbers were typed as texts, where `1,000` and `1.000` can be a thousand.
    has_texts: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            places: HashMap::new(),
            date_order: dates::order(std::iter::empty(), None),
            rows: Vec::new(),
            resources: Vec::new(),
            resource_places: HashMap::new(),
            problems: Vec::new(),
            losses: Losses::default(),
            computed: [None; 2],
            shares: Shares::default(),
            has_texts: true,
        }
    }
}

impl Reading {
    fn cell<'c>(&self, cells: &'c [String], field: Field) -> &'c str {
        self.places.get(&field).and_then(|at| cells.get(*at)).map_or("", |cell| cell.trim())
    }

    /// Notes filled cells of columns that no field is read from, and cells behind the last column.
    fn note_unread(&mut self, table: &Table, columns: &[Column], said: &HashMap<&str, Option<Field>>) {
        let unread = columns.iter().filter(|column| {
            column.field.is_none()
                && (column.confidence == Confidence::Duplicate || !said.contains_key(column.header.as_str()))
                && !columns::COMPUTED.contains(&column.header.as_str())
        });
        for column in unread {
            let reason = match column.confidence {
                Confidence::Duplicate => "Another column means the same. This one is not read.",
                _ => "No field is read from this column.",
            };
            let name: String = column.header.chars().take(60).collect();
            let name = if name.is_empty() { format!("column {}", column.index + 1) } else { name };
            for (line, cells) in &table.rows {
                if cells.get(column.index).is_some_and(|cell| !cell.is_empty()) {
                    self.losses.note(&name, reason, format!("line {line}"));
                }
            }
        }
        for (line, cells) in &table.rows {
            if cells.iter().skip(table.head.len()).any(|cell| !cell.is_empty()) {
                let reason = "A row has more cells than the head. Those behind the last column are not read.";
                self.losses.note("Cells", reason, format!("line {line}"));
            }
        }
    }

    fn doubt(&mut self, row: &mut Row, field: Field, message: String) {
        row.doubts.push(format!("{}: {message}", field.name()));
        self.problems.push(CellProblem { row: row.line, field: field.name(), message });
    }

    /// The same for a row that stands in the list already.
    fn doubt_at(&mut self, at: usize, field: Field, message: String) {
        let mut row = std::mem::take(&mut self.rows[at]);
        self.doubt(&mut row, field, message);
        self.rows[at] = row;
    }

    /// A row of a workbook with cells that stand for no value. They count as blank, and the row is parked.
    fn row_with_gaps(&mut self, line: usize, cells: &[String], valueless: impl Fn(usize) -> bool) {
        let blanked = cells.iter().enumerate().map(|(at, cell)| match valueless(at) {
            true => String::new(),
            false => cell.clone(),
        });
        self.row(line, &blanked.collect::<Vec<_>>());
        let Some(mut row) = self.rows.pop() else { return };
        for field in Field::all() {
            let place = self.places.get(&field).copied().filter(|at| valueless(*at));
            if let Some(text) = place.and_then(|at| cells.get(at)) {
                let text: String = text.chars().take(60).collect();
                self.doubt(&mut row, field, format!("\"{text}\" has no value in the workbook."));
            }
        }
        self.rows.push(row);
    }

    fn row(&mut self, line: usize, cells: &[String]) {
        let [external_id, wbs, level, predecessors, name, notes, labels, resources] = [
            Field::ExternalId,
            Field::Wbs,
            Field::OutlineLevel,
            Field::Predecessors,
            Field::Name,
            Field::Notes,
            Field::Labels,
            Field::Resource,
        ]
        .map(|field| self.cell(cells, field).to_owned());
        let wbs = wbs.trim_matches('.').to_owned();
        let mut row = Row { line, external_id, wbs, level, predecessors, ..Row::default() };
        if name.is_empty() {
            self.doubt(&mut row, Field::Name, "The name is missing.".to_owned());
        }
        row.found.mark = format!("line {line}");
        row.found.task = Task { name, notes, ..Task::default() };
        row.found.labels = values::names(&labels).map(str::to_owned).collect();
        self.dates(&mut row, cells);
        self.progress(&mut row, cells);
        self.assign(&mut row, &resources);
        self.rows.push(row);
    }

    fn dates(&mut self, row: &mut Row, cells: &[String]) {
        let date = |reading: &mut Self, row: &mut Row, field| {
            let text = reading.cell(cells, field).to_owned();
            let read = dates::date(&text, reading.date_order.order);
            if read.is_none() && !text.is_empty() {
                reading.doubt(row, field, format!("\"{text}\" is not a date in this order."));
            }
            if read.is_some() && text.ends_with(['*', 'A']) {
                let reason = "The marks of Primavera for dates that came true (A) and for constraints (*) are not imported.";
                reading.losses.note(field.name(), reason, &*row.found.mark);
            }
            read
        };
        let start = date(self, row, Field::PlannedStart);
        let mut finish = date(self, row, Field::PlannedFinish);
        if let (Some(first), Some(last)) = (start, finish)
            && last < first
        {
            self.doubt(row, Field::PlannedFinish, "The finish is before the start.".to_owned());
            finish = None;
        }
        row.found.dates = match self.computed {
            [None, None] => (start, finish),
            places => {
                let day = |at: Option<usize>| dates::date(cells.get(at?)?, DateOrder::Iso);
                (day(places[0]), day(places[1]))
            }
        };
        row.found.task.planned_start = start;
        let is_milestone = self.cell(cells, Field::Milestone).to_owned();
        match values::flag(&is_milestone) {
            Some(flag) => row.found.task.is_milestone = flag,
            None => self.doubt(row, Field::Milestone, format!("\"{is_milestone}\" is not yes or no.")),
        }
        let duration = self.cell(cells, Field::Duration).to_owned();
        let is_uncertain = self.has_texts && values::is_grouped(&duration);
        match values::days(&duration).filter(|_| !is_uncertain) {
            Some(worked) => {
                row.found.task.duration = worked.days;
                let elapsed = "Elapsed days were turned into working days, five for seven.";
                let rounded = "Part of a day counts as a whole one.";
                let elapsed = worked.is_elapsed.then_some(elapsed);
                for reason in elapsed.into_iter().chain(worked.is_rounded.then_some(rounded)) {
                    self.losses.note("duration", reason, &*row.found.mark);
                }
            }
            None if duration.is_empty() => {
                row.found.task.duration = match (start, finish) {
                    _ if row.found.task.is_milestone => 0,
                    (Some(start), Some(finish)) => worked(start, finish),
                    _ => 1,
                };
            }
            None => self.doubt(row, Field::Duration, format!("\"{duration}\" is not a duration.")),
        }
        if start.is_none() && finish.is_some() {
            let reason = "A finish without a start is left out. Links and durations give the date.";
            self.losses.note("planned_finish", reason, &*row.found.mark);
        }
    }

    fn progress(&mut self, row: &mut Row, cells: &[String]) {
        let text = self.cell(cells, Field::PercentComplete).to_owned();
        if text.is_empty() {
            return;
        }
        let percent = values::percent(&text);
        // A text with a sign of its own is no number of the workbook.
        let shares = if text.ends_with('%') { Shares::None } else { self.shares };
        if shares == Shares::Guessed {
            let reason = "Numbers up to 1 were read as shares: 1 is 100 percent.";
            self.losses.note("percent_complete", reason, &*row.found.mark);
        }
        let percent = match shares {
            Shares::None => percent,
            Shares::Guessed | Shares::Known => percent.map(|share| (share * 1e8).round() / 1e6),
        };
        let Some(percent) = percent else {
            return self.doubt(
                row,
                Field::PercentComplete,
                format!("\"{text}\" is not a number from 0 to 100."),
            );
        };
        row.found.task.percent_complete = percent;
        row.found.task.status = match percent {
            done if done >= 100.0 => TaskStatus::Complete,
            begun if begun > 0.0 => TaskStatus::InProgress,
            _ => TaskStatus::NotStarted,
        };
    }

    fn assign(&mut self, row: &mut Row, text: &str) {
        for assigned in values::names(text) {
            let Some((name, units)) = values::assigned(assigned) else {
                self.doubt(row, Field::Resource, format!("\"{assigned}\" has no share of a resource."));
                continue;
            };
            let at = *self.resource_places.entry(name.to_lowercase()).or_insert_with(|| {
                let max_units = 1.0;
                self.resources.push(Resource { name: name.into_owned(), max_units, ..Resource::default() });
                self.resources.len() - 1
            });
            row.found.assignments.push((at, units));
        }
    }
}

/// How many days from Monday to Friday lie between two days, both counted; 36 525 at most.
fn worked(start: NaiveDate, finish: NaiveDate) -> u32 {
    let week = WorkWeek::default();
    let days = start.iter_days().take_while(|day| *day <= finish).take(60_000);
    u32::try_from(days.filter(|day| week.works(*day)).count()).unwrap_or(u32::MAX).clamp(1, 36_525)
}

#[cfg(test)]
mod tests;
