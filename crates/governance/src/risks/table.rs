//! Risks from a table of comma-separated values: which columns mean what, and what is wrong with which row.
//! Nothing here writes anything.

use std::collections::HashMap;

use planwright_domain::ids::UserId;
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
const COLUMNS: [(&str, &str); 20] = [
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
];

/// Reads a table.
///
/// # Errors
/// 400 when it is no table of risks at all, or holds too many rows.
pub fn read(bytes: &[u8], members: &[MemberRow]) -> ApiResult<Read> {
    let wrong = |message: String| ApiError::invalid_field("file", message);
    let text = std::str::from_utf8(bytes).map_err(|_| wrong("The file must be text in UTF-8.".to_owned()))?;
    let text = text.trim_start_matches('\u{feff}');
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let fields: Vec<Option<&str>> = head.iter().map(meant).collect();
    if !fields.contains(&Some("title")) {
        return Err(wrong("The first line must name the column Title.".to_owned()));
    }
    let mut read = Read::default();
    for (at, record) in reader.records().enumerate() {
        if at >= MOST_ROWS {
            return Err(wrong(format!("The file may have at most {MOST_ROWS} risks.")));
        }
        let record = record.map_err(|error| wrong(error.to_string()))?;
        read.row(at + 2, &fields, &record, members);
    }
    Ok(read)
}

/// The field that a column means.
fn meant(column: &str) -> Option<&'static str> {
    let name = column.trim().to_lowercase().replace([' ', '-'], "_");
    COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
}

impl Read {
    fn row(
        &mut self,
        line: usize,
        fields: &[Option<&str>],
        record: &csv::StringRecord,
        members: &[MemberRow],
    ) {
        let mut issues = Issues { line, errors: Vec::new(), warnings: Vec::new() };
        let mut body = Map::new();
        for (field, cell) in fields.iter().zip(record.iter()) {
            if let Some(field) = field.filter(|_| !cell.is_empty()) {
                body.insert(field.to_owned(), issues.value(field, cell, members));
            }
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
    fn value(&mut self, field: &str, cell: &str, members: &[MemberRow]) -> Json {
        match field {
            "probability" | "impact" | "likelihood_percent" | "delay_low_days" | "delay_days"
            | "delay_high_days" => cell.parse::<i64>().map_or_else(|_| json!(cell), |number| json!(number)),
            "status" | "category" | "response" => json!(cell.to_uppercase().replace([' ', '-'], "_")),
            "owner" => match owner(cell, members) {
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

    fn members() -> Vec<MemberRow> {
        let (username, email) = ("mara".to_owned(), "Mara@example.test".to_owned());
        vec![MemberRow { user_id: UserId(Uuid::from_u128(7)), username, email }]
    }

    #[test]
    fn columns_are_found_under_the_names_that_people_use() {
        let table = "\u{feff}Title,P,I,Due Date,Owner,Colour\nRain,2,5,2026-05-01,mara@EXAMPLE.test,red\n";
        let read = read(table.as_bytes(), &members()).unwrap();
        assert_eq!((read.risks.len(), read.skipped, read.warnings.len()), (1, 0, 0));
        let risk = &read.risks[0];
        assert_eq!(risk.probability.as_given().map(|number| number.0), Some(2));
        assert_eq!(risk.owner.as_given(), Some(&Some(UserId(Uuid::from_u128(7)))));
        assert!(risk.mitigation_due_date.is_given());
    }

    #[test]
    fn a_row_without_numbers_is_added_with_warnings_and_one_with_a_wrong_number_is_not() {
        let table = "title,probability,impact,owner\nRain,,,\nSnow,9,2,nobody\n,1,1,\n";
        let read = read(table.as_bytes(), &members()).unwrap();
        assert_eq!((read.risks.len(), read.skipped), (1, 2));
        assert_eq!(read.warnings.iter().map(|issue| issue.row).collect::<Vec<_>>(), [2, 2]);
        let wrong: Vec<(usize, &str)> =
            read.errors.iter().map(|issue| (issue.row, issue.field.as_str())).collect();
        assert_eq!(wrong, [(3, "owner"), (3, "probability"), (4, "title")]);
    }

    #[test]
    fn a_file_that_is_no_table_of_risks_is_refused() {
        assert!(read(b"name,colour\na,b\n", &[]).is_err());
        assert!(read(&[0xff, 0xfe], &[]).is_err());
        let long = format!("title\n{}", "Rain\n".repeat(MOST_ROWS + 1));
        assert!(read(long.as_bytes(), &[]).is_err());
    }
}
