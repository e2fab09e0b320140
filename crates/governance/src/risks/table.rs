//! Risks from a table of comma-separated values: which columns mean what, and what is wrong with which row.
//! Nothing here writes anything.

use std::collections::HashMap;

use planwright_domain::ids::{TaskId, UserId};
use planwright_web::{ApiError, ApiResult, Input, Problems};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::model::{PatchedRiskRequest, RiskRequest};
use super::queries::MemberRow;
use super::rules::delay_problems;

/// How many rows a table may have.
pub const MOST_ROWS: usize = 500;
/// How many bytes a table may have.
pub const MOST_BYTES: usize = 2 * 1024 * 1024;

/// Something to know about one field of one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RiskImportIssue {
    /// The line of the table, where its head is 1.
    pub row: usize,
    /// The column.
    pub field: String,
    pub message: String,
}

/// What a table says.
#[derive(Debug, Default)]
pub struct Read {
    /// The risks that can be added.
    pub risks: Vec<PatchedRiskRequest>,
    /// How many rows cannot be added.
    pub skipped: usize,
    /// What is wrong with them.
    pub errors: Vec<RiskImportIssue>,
    /// What was assumed for rows that can be added.
    pub warnings: Vec<RiskImportIssue>,
}

/// The names of columns, as people write them, and the field that each means.
const COLUMNS: [(&str, &str); 22] = [
    ("title", "title"),
    ("description", "description"),
    ("status", "status"),
    ("probability", "probability"),
    ("p", "probability"),
    ("impact", "impact"),
    ("i", "impact"),
    ("category", "category"),
    ("response", "response"),
    ("mitigation_due_date", "mitigation_due_date"),
    ("mitigation_due", "mitigation_due_date"),
    ("due_date", "mitigation_due_date"),
    ("trigger", "trigger"),
    ("contingency", "contingency"),
    ("notes", "notes"),
    ("owner", "owner"),
    ("likelihood_percent", "likelihood_percent"),
    ("delay_low_days", "delay_low_days"),
    ("delay_days", "delay_days"),
    ("delay_high_days", "delay_high_days"),
    ("tasks", TASKS),
    ("task", TASKS),
];

/// The column that names tasks by short id or outline number, separated by commas, semicolons or blanks.
const TASKS: &str = "tasks";

/// Whom and what a table may name.
#[derive(Debug, Default)]
pub struct Known {
    /// The members of the project.
    pub members: Vec<MemberRow>,
    /// Its tasks by short id and by outline number.
    pub tasks: HashMap<String, TaskId>,
}

/// Reads a table.
///
/// # Errors
/// 400 when it is no table of risks at all, or holds too many rows.
pub fn read(bytes: &[u8], known: &Known) -> ApiResult<Read> {
    let wrong = |message: String| ApiError::invalid_field("file", message);
    let text = std::str::from_utf8(bytes).map_err(|_| wrong("The file must be text in UTF-8.".to_owned()))?;
    let text = text.trim_start_matches('\u{feff}');
    if has_open_quote(text) {
        return Err(wrong("A quotation mark is opened and not closed.".to_owned()));
    }
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let fields: Vec<Option<&str>> = head.iter().map(meant).collect();
    if !fields.contains(&Some("title")) {
        return Err(wrong("The first line must name the column Title.".to_owned()));
    }
    let mut read = Read { warnings: unread(&head, &fields), ..Read::default() };
    if let Some(twice) = doubled(&fields) {
        return Err(wrong(format!("Two columns mean {twice}. Leave one out.")));
    }
    for (count, record) in reader.records().enumerate() {
        if count >= MOST_ROWS {
            return Err(wrong(format!("The file may have at most {MOST_ROWS} risks.")));
        }
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let line = record.position().map_or(count + 2, |place| line_of(text, place));
        read.row(line, &fields, &record, known);
    }
    Ok(read)
}

/// The line on which a record begins: the reader stands before the blank lines above it.
fn line_of(text: &str, place: &csv::Position) -> usize {
    let ahead = text.as_bytes().get(place.byte() as usize..).unwrap_or_default();
    let blank = ahead.iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
    place.line() as usize + blank.filter(|byte| **byte == b'\n').count()
}

/// Whether a quotation mark is opened and never closed. Within quotation marks one of them is written twice.
fn has_open_quote(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

/// A warning for each column that has a name which means nothing.
fn unread(head: &csv::StringRecord, fields: &[Option<&str>]) -> Vec<RiskImportIssue> {
    let unknown = head.iter().zip(fields).filter(|(name, field)| field.is_none() && !name.is_empty());
    let warning = |(name, _): (&str, _)| RiskImportIssue {
        row: 1,
        field: name.to_owned(),
        message: "The column is not known. It was not read.".to_owned(),
    };
    unknown.map(warning).collect()
}

/// A field that two columns mean.
fn doubled<'a>(fields: &[Option<&'a str>]) -> Option<&'a str> {
    let known: Vec<&str> = fields.iter().flatten().copied().collect();
    known.iter().enumerate().find(|(at, field)| known[..*at].contains(field)).map(|(_, field)| *field)
}

/// The field that a column means.
fn meant(column: &str) -> Option<&'static str> {
    let name = column.trim().to_lowercase().replace([' ', '-'], "_");
    COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
}

impl Read {
    fn row(&mut self, line: usize, fields: &[Option<&str>], record: &csv::StringRecord, known: &Known) {
        let mut issues = Issues { line, errors: Vec::new(), warnings: Vec::new() };
        let mut body = Map::new();
        for (field, cell) in fields.iter().zip(record.iter()) {
            if let Some(field) = field.filter(|_| !cell.is_empty()) {
                body.insert(field.to_owned(), issues.value(field, cell, known));
            }
        }
        if record.iter().skip(fields.len()).any(|cell| !cell.is_empty()) {
            let message = format!("The row has more cells than there are columns, {}.", fields.len());
            issues.errors.push(RiskImportIssue { row: line, field: "row".to_owned(), message });
        }
        for field in ["probability", "impact"] {
            if !body.contains_key(field) {
                body.insert(field.to_owned(), json!(1));
                issues.warn(field, "Nothing is said here. 1 was assumed.");
            }
        }
        match RiskRequest::read(&body).and_then(in_order) {
            Ok(request) if issues.errors.is_empty() => {
                self.risks.push(request.into());
                self.warnings.extend(issues.warnings);
            }
            read => {
                let problems = read.err().map(Problems::into_json).unwrap_or_default();
                issues.refused(problems);
                self.skipped += 1;
                self.errors.extend(issues.errors);
            }
        }
    }
}

/// A request whose days are in order.
fn in_order(request: RiskRequest) -> Result<RiskRequest, Problems> {
    let low = request.delay_low_days.as_given().copied().flatten().map(i64::from);
    let likely = request.delay_days.as_given().copied().flatten().map(i64::from);
    let high = request.delay_high_days.as_given().copied().flatten().map(i64::from);
    let problems = delay_problems([low, likely, high]);
    if problems.is_empty() { Ok(request) } else { Err(problems) }
}

/// What there is to say about one row.
struct Issues {
    line: usize,
    errors: Vec<RiskImportIssue>,
    warnings: Vec<RiskImportIssue>,
}

impl Issues {
    /// The value of a cell as a request has it.
    fn value(&mut self, field: &str, cell: &str, known: &Known) -> Json {
        match field {
            "probability" | "impact" | "likelihood_percent" | "delay_low_days" | "delay_days"
            | "delay_high_days" => cell.parse::<i64>().map_or_else(|_| json!(cell), |number| json!(number)),
            "status" | "category" | "response" => json!(cell.to_uppercase().replace([' ', '-'], "_")),
            TASKS => self.tasks(cell, known),
            "owner" => match owner(cell, &known.members) {
                Some(person) => json!(person),
                None => {
                    let message = format!("\"{cell}\" is not a member of the project.");
                    self.errors.push(RiskImportIssue { row: self.line, field: field.to_owned(), message });
                    Json::Null
                }
            },
            _ => json!(cell),
        }
    }

    fn tasks(&mut self, cell: &str, known: &Known) -> Json {
        let names = cell.split([',', ';', ' ']).filter(|name| !name.is_empty());
        let mut found: Vec<TaskId> = Vec::new();
        for name in names {
            match known.tasks.get(&name.to_lowercase()) {
                Some(task) if found.contains(task) => {}
                Some(task) => found.push(*task),
                None => {
                    let message = format!("\"{name}\" is no task of the project.");
                    self.errors.push(RiskImportIssue { row: self.line, field: TASKS.to_owned(), message });
                }
            }
        }
        json!(found)
    }

    fn warn(&mut self, field: &str, message: &str) {
        let (row, field, message) = (self.line, field.to_owned(), message.to_owned());
        self.warnings.push(RiskImportIssue { row, field, message });
    }

    fn refused(&mut self, problems: Map<String, Json>) {
        for (field, messages) in problems {
            let said: Vec<&str> =
                messages.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            self.errors.push(RiskImportIssue { row: self.line, field, message: said.join(" ") });
        }
    }
}

/// The member who is named by id, address or user name.
fn owner(cell: &str, members: &[MemberRow]) -> Option<UserId> {
    let by: HashMap<String, UserId> = members
        .iter()
        .flat_map(|member| {
            let names =
                [member.user_id.to_string(), member.email.to_lowercase(), member.username.to_lowercase()];
            names.map(|name| (name, member.user_id))
        })
        .filter(|(name, _)| !name.is_empty())
        .collect();
    by.get(&cell.to_lowercase()).copied()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn known() -> Known {
        let (username, email) = ("mara".to_owned(), "Mara@example.test".to_owned());
        let members = vec![MemberRow { user_id: UserId(Uuid::from_u128(7)), username, email }];
        let tasks = [("1.2".to_owned(), TaskId(Uuid::from_u128(2)))].into();
        Known { members, tasks }
    }

    #[test]
    fn columns_are_found_under_the_names_that_people_use() {
        let table = "\u{feff}Title,P,I,Due Date,Owner,Colour\nRain,2,5,2026-05-01,mara@EXAMPLE.test,red\n";
        let read = read(table.as_bytes(), &known()).unwrap();
        assert_eq!((read.risks.len(), read.skipped), (1, 0));
        assert_eq!((read.warnings.len(), read.warnings[0].field.as_str()), (1, "Colour"));
        let risk = &read.risks[0];
        assert_eq!(risk.probability.as_given().map(|number| number.0), Some(2));
        assert_eq!(risk.owner.as_given(), Some(&Some(UserId(Uuid::from_u128(7)))));
        assert!(risk.mitigation_due_date.is_given());
    }

    #[test]
    fn a_row_without_numbers_is_added_with_warnings_and_one_with_a_wrong_number_is_not() {
        let table = "title,probability,impact,owner\nRain,,,\nSnow,9,2,nobody\n,1,1,\n";
        let read = read(table.as_bytes(), &known()).unwrap();
        assert_eq!((read.risks.len(), read.skipped), (1, 2));
        assert_eq!(read.warnings.iter().map(|issue| issue.row).collect::<Vec<_>>(), [2, 2]);
        let wrong: Vec<(usize, &str)> =
            read.errors.iter().map(|issue| (issue.row, issue.field.as_str())).collect();
        assert_eq!(wrong, [(3, "owner"), (3, "probability"), (4, "title")]);
    }

    #[test]
    fn an_error_names_the_line_whatever_stands_between_the_risks() {
        for end in ["\n", "\r\n"] {
            let table =
                ["Title,P,I,Notes", "", "Rain,9,1,", "Snow,1,1,\"wet", "and cold\"", "", "", "Hail,9,1,", ""]
                    .join(end);
            let read = read(table.as_bytes(), &known()).unwrap();
            assert_eq!(read.errors.iter().map(|issue| issue.row).collect::<Vec<_>>(), [3, 8]);
        }
    }

    #[test]
    fn a_file_that_is_no_table_of_risks_is_refused() {
        let read = |bytes: &[u8]| super::read(bytes, &Known::default());
        assert!(read(b"name,colour\na,b\n").is_err());
        assert!(read(&[0xff, 0xfe]).is_err());
        assert!(read(b"title,notes\nRain,\"wet\nSnow,cold\n").is_err(), "an open quotation mark");
        assert!(read(b"title,p,probability\nRain,1,2\n").is_err(), "two columns for one field");
        let long = format!("title\n{}", "Rain\n".repeat(MOST_ROWS + 1));
        assert!(read(long.as_bytes()).is_err());
    }

    #[test]
    fn tasks_are_named_by_number_and_surplus_cells_are_refused() {
        let table = "title,tasks\nRain,1.2\nSnow,9.9\nHail,1.2,wet\nFog,1.2,\n";
        let read = read(table.as_bytes(), &known()).unwrap();
        assert_eq!((read.risks.len(), read.skipped), (2, 2));
        assert_eq!(read.risks[0].tasks.as_given().map(|tasks| tasks.0.len()), Some(1));
        let wrong: Vec<(usize, &str)> =
            read.errors.iter().map(|issue| (issue.row, issue.field.as_str())).collect();
        assert_eq!(wrong, [(3, "tasks"), (4, "row")]);
    }
}
