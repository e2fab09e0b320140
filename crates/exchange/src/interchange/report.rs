//! The report of an import: what was made, what was not carried, and whose dates are not those of the file.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::TaskId;
use planwright_plan::import::append::Appended;
use planwright_plan::schedule::network::date;

use super::model::{DateDifference, FileImportSummary, FileReport};
use super::queries::DatedRow;
use crate::files::Losses;
use crate::seed::{Document, TaskReference};

/// How many differences are listed.
pub(super) const MOST_LISTED: usize = 1_000;

/// The summary of an import, complete.
pub(super) fn summary(
    document: &Document,
    report: FileReport,
    appended: &Appended,
    dated: Vec<DatedRow>,
) -> FileImportSummary {
    let mut losses = Losses(report.losses);
    let names: HashMap<&str, &str> = document
        .projects
        .iter()
        .flat_map(|project| &project.tasks)
        .map(|task| (task.wbs_path.as_str(), task.name.as_str()))
        .collect();
    // Outline numbers of ours say little to whoever knows the file.
    let named = |end: &TaskReference| {
        let name = names.get(end.wbs_path.as_str()).copied().unwrap_or_default();
        name.chars().take(60).collect::<String>()
    };
    let links = document.projects.iter().flat_map(|project| &project.dependencies).zip(&appended.links);
    for (link, refusal) in links {
        if let Some(reason) = refusal {
            let row = format!("{} → {}", named(&link.predecessor), named(&link.successor));
            losses.note("predecessors", reason, row);
        }
    }
    for name in &appended.baselines_left_out {
        losses.note("baselines", "The project has a baseline of this name already.", name.as_str());
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

/// A start and a finish, as far as they are known.
pub(super) type Span = (Option<NaiveDate>, Option<NaiveDate>);

/// By how many calendar days a start and a finish are later than in the file. `None` if both are the same; only dates that
/// both sides have can differ.
pub(super) fn days_apart(in_file: Span, ours: Span) -> Option<(Option<i64>, Option<i64>)> {
    let days = |file: Option<NaiveDate>, ours: Option<NaiveDate>| {
        file.zip(ours).map(|(file, ours)| (ours - file).num_days())
    };
    let apart = (days(in_file.0, ours.0), days(in_file.1, ours.1));
    let differs = |days: Option<i64>| days.is_some_and(|days| days != 0);
    (differs(apart.0) || differs(apart.1)).then_some(apart)
}

/// How the dates of a task differ from those in the file. `None` if they do not.
fn difference(row: &DatedRow, in_file: Span) -> Option<DateDifference> {
    let (start, finish) = (row.start.and_then(date), row.finish.and_then(date));
    let (start_difference_days, finish_difference_days) = days_apart(in_file, (start, finish))?;
    Some(DateDifference {
        task: row.id,
        name: row.name.clone(),
        file_start: in_file.0,
        file_finish: in_file.1,
        start,
        finish,
        start_difference_days,
        finish_difference_days,
        reason: reason(row, in_file.0),
    })
}

/// What holds the dates of a task, in sentences: first its start, and its length when only the finish differs.
fn reason(row: &DatedRow, file_start: Option<NaiveDate>) -> String {
    if row.is_phase {
        return "It spans its rows, from the first start to the last finish.".to_owned();
    }
    let Some(start) = row.start.and_then(date) else { return "It has no dates.".to_owned() };
    let begins = match (row.actual_start, row.actual_finish) {
        (Some(began), Some(ended)) => format!("It began on {began} and ended on {ended}, as recorded."),
        (Some(began), None) => began_on(row, began),
        (None, _) if row.percent_complete >= 100.0 => done_without_dates(row),
        (None, _) => not_begun(row, start),
    };
    let has_same_start = file_start == Some(start) && row.actual_finish.is_none();
    match has_same_start {
        true => {
            format!("{begins} It starts as in the file; its days are counted on the calendar of the project.")
        }
        false => begins,
    }
}

fn began_on(row: &DatedRow, began: NaiveDate) -> String {
    match row.status_date {
        Some(day) => format!("It began on {began}. What is left is planned from the status date {day} on."),
        None => format!("It began on {began}. What is left follows what is done."),
    }
}

fn done_without_dates(row: &DatedRow) -> String {
    let latest = match row.status_date {
        Some(day) => format!("the status date {day}"),
        None => "the status date of the project".to_owned(),
    };
    format!(
        "It is done and has no actual dates. It is placed after the complete work before it, and never after {latest}."
    )
}

/// What holds the start of work that has not begun.
fn not_begun(row: &DatedRow, start: NaiveDate) -> String {
    let constraint = row.constraint_type.as_deref().zip(row.constraint_date);
    let finish = row.finish.and_then(date);
    // Dates do not win over logic: a date that the plan does not keep is only reported.
    let is_pushed = |wanted: NaiveDate| {
        row.driving.is_some() || row.project_start > wanted || row.status_date.is_some_and(|day| day > wanted)
    };
    let overruled =
        constraint.filter(|(_, wanted)| is_pushed(*wanted)).filter(|(kind, wanted)| match *kind {
            "MSO" | "START_ON" | "SNLT" => start > *wanted,
            "MFO" | "FINISH_ON" | "FNLT" => finish.is_some_and(|finish| finish > *wanted),
            _ => false,
        });
    let holds = constraint.is_some_and(|(kind, wanted)| match kind {
        "MSO" | "START_ON" | "SNET" => start >= wanted,
        "MFO" | "FINISH_ON" | "FNET" => finish.is_some_and(|finish| finish >= wanted),
        _ => false,
    });
    let held = match (&row.driving, row.status_date) {
        (Some(name), _) => format!("It follows \"{name}\"."),
        _ if row.constraint_type.as_deref() == Some("ALAP") => {
            "It stands as late as what follows allows.".to_owned()
        }
        _ if holds && overruled.is_none() => {
            let kind = row.constraint_type.as_deref().unwrap_or_default();
            let wanted = row.constraint_date.map(|day| day.to_string()).unwrap_or_default();
            format!("Its constraint {kind} {wanted} holds it.")
        }
        (None, Some(day)) if day > row.project_start && row.planned_start.is_none_or(|own| own <= day) => {
            format!("It has not begun, so it starts no earlier than the status date {day}.")
        }
        _ => match row.planned_start {
            Some(day) => format!("It starts no earlier than {day}, on a working day of the project."),
            None => match &row.ahead {
                Some(name) if start > row.project_start => {
                    format!("It follows \"{name}\", on the next working day of its calendar.")
                }
                _ => "It starts when the project starts, on its first working day.".to_owned(),
            },
        },
    };
    match overruled {
        Some((kind, wanted)) => {
            format!("{held} That overrules its constraint {kind} {wanted}: dates do not win over logic here.")
        }
        None => held,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A task that follows another one and has not begun.
    fn dated(start: Option<i32>, finish: Option<i32>) -> DatedRow {
        DatedRow {
            id: TaskId(uuid::Uuid::nil()),
            name: "Dig".to_owned(),
            start,
            finish,
            is_phase: false,
            constraint_type: None,
            constraint_date: None,
            planned_start: None,
            actual_start: None,
            actual_finish: None,
            percent_complete: 0.0,
            project_start: NaiveDate::from_ymd_opt(2026, 1, 5).unwrap(),
            status_date: None,
            driving: Some("Clear".to_owned()),
            ahead: Some("Clear".to_owned()),
        }
    }

    #[test]
    fn only_dates_that_both_sides_have_can_differ() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day);
        let number = |day: u32| Some(20_453 + day as i32);
        let row = |start, finish| dated(start, finish);
        assert_eq!(date(20_459), day(6));
        assert_eq!(difference(&row(number(5), number(6)), (day(5), day(6))), None);
        assert_eq!(difference(&row(number(5), None), (day(5), day(6))), None);
        assert_eq!(difference(&row(number(5), number(6)), (None, None)), None);
        let found = difference(&row(number(5), number(8)), (day(5), day(6))).unwrap();
        assert_eq!((found.start_difference_days, found.finish_difference_days), (Some(0), Some(2)));
        assert!(
            found.reason.starts_with("It follows \"Clear\". It starts as in the file;"),
            "{}",
            found.reason
        );
        let moved = difference(&row(number(7), number(8)), (day(5), day(8))).unwrap();
        assert_eq!((moved.start_difference_days, moved.finish_difference_days), (Some(2), Some(0)));
        assert_eq!(moved.reason, "It follows \"Clear\".");
    }

    #[test]
    fn the_reason_is_what_really_holds_the_dates() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let alone = DatedRow { driving: None, ahead: None, ..dated(Some(20_461), Some(20_462)) };
        let said = |row: DatedRow| reason(&row, None);
        assert!(said(alone.clone()).contains("when the project starts"));
        let behind = DatedRow { ahead: Some("Clear".to_owned()), ..alone.clone() };
        assert!(said(behind).contains("follows \"Clear\", on the next working day"));
        let late = DatedRow { status_date: Some(day(8)), ..alone.clone() };
        assert!(said(late.clone()).contains("status date 2026-01-08"));
        let begun = DatedRow { actual_start: Some(day(6)), ..late.clone() };
        assert!(
            said(begun.clone()).contains("began on 2026-01-06. What is left is planned from the status date")
        );
        let ended = DatedRow { actual_finish: Some(day(7)), ..begun };
        assert!(said(ended).contains("ended on 2026-01-07, as recorded"));
        let done = DatedRow { percent_complete: 100.0, ..late.clone() };
        assert!(said(done).starts_with("It is done and has no actual dates."));
        assert!(said(DatedRow { is_phase: true, ..late.clone() }).contains("spans its rows"));
        let planned = DatedRow { planned_start: Some(day(8)), ..alone.clone() };
        assert!(said(planned).contains("no earlier than 2026-01-08, on a working day"));
        let kind = |kind: &str, wanted| DatedRow {
            constraint_type: Some(kind.to_owned()),
            constraint_date: Some(day(wanted)),
            ..alone.clone()
        };
        assert_eq!(said(kind("SNET", 8)), "Its constraint SNET 2026-01-08 holds it.");
        let must = DatedRow { driving: Some("Clear".to_owned()), ..kind("MSO", 6) };
        assert_eq!(
            said(must),
            "It follows \"Clear\". That overrules its constraint MSO 2026-01-06: dates do not win over logic here."
        );
    }
}
