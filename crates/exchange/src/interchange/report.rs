//! The report of an import: what was made, what was not carried, and whose dates are not those of the file.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::TaskId;
use planwright_plan::import::append::Appended;
use planwright_plan::schedule::network::date;

use super::model::{DateDifference, FileImportSummary, FileReport};
use super::queries::DatedRow;
use crate::files::Losses;
use crate::seed::Document;

/// How many differences are listed.
const MOST_LISTED: usize = 100;

/// The summary of an import, complete.
pub(super) fn summary(
    document: &Document,
    report: FileReport,
    appended: &Appended,
    dated: Vec<DatedRow>,
) -> FileImportSummary {
    let mut losses = Losses(report.losses);
    let links = document.projects.iter().flat_map(|project| &project.dependencies).zip(&appended.links);
    for (link, refusal) in links {
        if let Some(reason) = refusal {
            let row = format!("{} → {}", link.predecessor.wbs_path, link.successor.wbs_path);
            losses.note("predecessors", reason, row);
        }
    }
    let by_id: HashMap<TaskId, DatedRow> = dated.into_iter().map(|row| (row.id, row)).collect();
    let in_file = appended.tasks.iter().zip(&report.dates);
    let differences: Vec<DateDifference> =
        in_file.filter_map(|(task, dates)| difference(by_id.get(task)?, *dates)).collect();
    FileImportSummary {
        tasks_created: appended.tasks.len(),
        dependencies_created: appended.links_made(),
        resources_assigned: appended.resources,
        parked_row_count: report.parked,
        row_errors: report
            .problems
            .into_iter()
            .map(|(row, field, text)| format!("Line {row}, {field}: {text}"))
            .collect(),
        warnings: losses.sentences(),
        losses: losses.0,
        date_difference_count: differences.len(),
        date_differences: differences.into_iter().take(MOST_LISTED).collect(),
    }
}

/// How the dates of a task differ from those in the file. `None` if they do not.
fn difference(row: &DatedRow, in_file: (Option<NaiveDate>, Option<NaiveDate>)) -> Option<DateDifference> {
    let (start, finish) = (row.start.and_then(date), row.finish.and_then(date));
    let differs =
        |file: Option<NaiveDate>, ours: Option<NaiveDate>| file.is_some() && ours.is_some() && file != ours;
    if !differs(in_file.0, start) && !differs(in_file.1, finish) {
        return None;
    }
    let days = finish.zip(in_file.1).map(|(ours, file)| (ours - file).num_days());
    Some(DateDifference {
        task: row.id,
        name: row.name.clone(),
        file_start: in_file.0,
        file_finish: in_file.1,
        start,
        finish,
        finish_difference_days: days,
        reason: reason(row),
    })
}

fn reason(row: &DatedRow) -> String {
    match (&row.driving, &row.constraint_type, row.planned_start) {
        (Some(name), ..) => format!("It follows \"{name}\"."),
        (None, Some(kind), _) => format!("Its constraint {kind} holds it."),
        (None, None, Some(day)) => {
            format!("It starts no earlier than {day}, on a working day of the project.")
        }
        (None, None, None) => "It starts when the project starts, on its first working day.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_that_both_sides_have_can_differ() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day);
        let number = |day: u32| Some(20_453 + day as i32);
        let row = |start, finish| DatedRow {
            id: TaskId(uuid::Uuid::nil()),
            name: "Dig".to_owned(),
            start,
            finish,
            constraint_type: None,
            planned_start: None,
            driving: Some("Clear".to_owned()),
        };
        assert_eq!(date(20_459), day(6));
        assert_eq!(difference(&row(number(5), number(6)), (day(5), day(6))), None);
        assert_eq!(difference(&row(number(5), None), (day(5), day(6))), None);
        assert_eq!(difference(&row(number(5), number(6)), (None, None)), None);
        let found = difference(&row(number(5), number(8)), (day(5), day(6))).unwrap();
        assert_eq!((found.finish_difference_days, found.reason.as_str()), (Some(2), "It follows \"Clear\"."));
    }
}
