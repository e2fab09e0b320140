//! The report of an import: what was made, what was not carried, and whose dates are not those of the file.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::TaskId;
use planwright_plan::import::append::Appended;
use planwright_plan::schedule::network::date;
use planwright_plan_files::Losses;
use planwright_plan_files::seed::{Document, TaskReference};

use super::model::{DateDifference, FileImportSummary, FileReport};
use super::queries::DatedRow;

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
        in_file.filter_map(|(task, dates)| difference(by_id.get(task)?, *dates, &by_id)).collect();
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
fn difference(row: &DatedRow, in_file: Span, by_id: &HashMap<TaskId, DatedRow>) -> Option<DateDifference> {
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
        reason: reason(row, in_file.0, HeldPhase::above(row, by_id)),
    })
}

/// A phase above a task that a link holds, and with it every row in it.
#[derive(Clone, Copy)]
struct HeldPhase<'a> {
    name: &'a str,
    /// The predecessor of the phase.
    follows: &'a str,
    /// Whether the task starts when the phase does, so that nothing else holds it up for longer.
    is_first: bool,
}

impl<'a> HeldPhase<'a> {
    /// The nearest phase with which a task starts, otherwise the nearest that a link holds.
    fn above(row: &DatedRow, by_id: &'a HashMap<TaskId, DatedRow>) -> Option<Self> {
        let first = row.phase.and_then(|id| by_id.get(&id));
        // No row of an import stands deeper than there are rows.
        let above = std::iter::successors(first, |phase| by_id.get(&phase.phase?)).take(by_id.len());
        let held: Vec<Self> = above
            .filter_map(|phase| {
                let (name, follows) = (phase.name.as_str(), phase.driving.as_deref()?);
                Some(Self { name, follows, is_first: phase.start == row.start })
            })
            .collect();
        held.iter().find(|phase| phase.is_first).or(held.first()).copied()
    }

    fn sentence(self) -> String {
        format!("It stands in \"{}\", which follows \"{}\".", self.name, self.follows)
    }
}

/// What holds the dates of a task, in sentences: first its start, and its length when only the finish differs.
fn reason(row: &DatedRow, file_start: Option<NaiveDate>, phase: Option<HeldPhase<'_>>) -> String {
    if row.is_phase {
        return "It spans its rows, from the first start to the last finish.".to_owned();
    }
    let Some(start) = row.start.and_then(date) else { return "It has no dates.".to_owned() };
    let begins = match (row.actual_start, row.actual_finish) {
        (Some(began), Some(ended)) => format!("It began on {began} and ended on {ended}, as recorded."),
        (Some(began), None) if row.percent_complete >= 100.0 => format!(
            "It began on {began} and is done. Its duration gives its finish, which is never after the status date."
        ),
        (Some(began), None) => began_on(row, began),
        (None, Some(ended)) => format!("It ended on {ended}, as recorded, and has no actual start."),
        (None, None) if row.percent_complete >= 100.0 => done_without_dates(row),
        (None, None) => not_begun(row, start, phase),
    };
    let has_same_start = file_start == Some(start) && row.actual_finish.is_none();
    match (has_same_start, &row.own_calendar) {
        (true, Some(name)) => {
            format!("{begins} It starts as in the file; its days are counted on its own calendar \"{name}\".")
        }
        (true, None) => {
            format!("{begins} It starts as in the file; its days are counted on the calendar of the project.")
        }
        (false, _) => begins,
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
fn not_begun(row: &DatedRow, start: NaiveDate, phase: Option<HeldPhase<'_>>) -> String {
    let constraint = row.constraint_type.as_deref().zip(row.constraint_date);
    let finish = row.finish.and_then(date);
    // Dates do not win over logic: a date that the plan does not keep is only reported.
    let is_pushed = |wanted: NaiveDate| {
        let is_linked = row.driving.is_some() || phase.is_some_and(|phase| phase.is_first);
        is_linked || row.project_start > wanted || row.status_date.is_some_and(|day| day > wanted)
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
    // A date of its own on the day of its start holds a row as well as the link of a phase does.
    let is_dated = row.planned_start == Some(start) || row.constraint_date == Some(start);
    let held = match (&row.driving, phase) {
        (Some(name), _) => format!("It follows \"{name}\"."),
        _ if row.constraint_type.as_deref() == Some("ALAP") => {
            "It stands as late as what follows allows.".to_owned()
        }
        (None, Some(phase)) if phase.is_first && !is_dated => phase.sentence(),
        _ if holds && overruled.is_none() => {
            let kind = row.constraint_type.as_deref().unwrap_or_default();
            let wanted = row.constraint_date.map(|day| day.to_string()).unwrap_or_default();
            format!("Its constraint {kind} {wanted} holds it.")
        }
        _ => held_by_nothing_linked(row, start, phase),
    };
    match overruled {
        Some((kind, wanted)) => {
            format!("{held} That overrules its constraint {kind} {wanted}: dates do not win over logic here.")
        }
        None => held,
    }
}

/// What holds the start of work that no link of its own and no constraint holds.
fn held_by_nothing_linked(row: &DatedRow, start: NaiveDate, phase: Option<HeldPhase<'_>>) -> String {
    let late = row.status_date.filter(|day| *day > row.project_start);
    if let Some(day) = late.filter(|day| row.planned_start.is_none_or(|own| own <= *day)) {
        return format!("It has not begun, so it starts no earlier than the status date {day}.");
    }
    match (row.planned_start, &row.own_calendar) {
        (Some(day), None) => {
            return format!("It starts no earlier than {day}, on a working day of the project.");
        }
        (Some(day), Some(calendar)) => {
            return format!(
                "It starts no earlier than {day}, on a working day of its calendar \"{calendar}\"."
            );
        }
        (None, _) => {}
    }
    match (&row.ahead, phase) {
        (Some(name), _) if start > row.project_start => {
            format!("It follows \"{name}\", on the next working day of its calendar.")
        }
        (None, Some(phase)) if start > row.project_start => phase.sentence(),
        _ => "It starts when the project starts, on its first working day.".to_owned(),
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
            phase: None,
            own_calendar: None,
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
        let difference = |row: &DatedRow, in_file| super::difference(row, in_file, &HashMap::new());
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
        let said = |row: DatedRow| reason(&row, None, None);
        assert!(said(alone.clone()).contains("when the project starts"));
        let behind = DatedRow { ahead: Some("Clear".to_owned()), ..alone.clone() };
        assert!(said(behind).contains("follows \"Clear\", on the next working day"));
        let late = DatedRow { status_date: Some(day(8)), ..alone.clone() };
        assert!(said(late.clone()).contains("status date 2026-01-08"));
        let begun = DatedRow { actual_start: Some(day(6)), ..late.clone() };
        assert!(
            said(begun.clone()).contains("began on 2026-01-06. What is left is planned from the status date")
        );
        let done = DatedRow { percent_complete: 100.0, ..begun.clone() };
        assert!(said(done).starts_with("It began on 2026-01-06 and is done."));
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

    #[test]
    fn a_row_in_a_phase_that_a_link_holds_names_that_link() {
        let id = |number| TaskId(uuid::Uuid::from_u128(number));
        let start = Some(20_467);
        let phase = DatedRow {
            id: id(1),
            name: "Works".to_owned(),
            is_phase: true,
            driving: Some("Permit".to_owned()),
            ..dated(start, Some(20_472))
        };
        let inner = DatedRow {
            id: id(2),
            name: "Ground".to_owned(),
            phase: Some(id(1)),
            driving: None,
            ..phase.clone()
        };
        let by_id = HashMap::from([(id(1), phase), (id(2), inner)]);
        let child = DatedRow { driving: None, ahead: None, phase: Some(id(2)), ..dated(start, start) };
        let said = |row: &DatedRow| reason(row, None, HeldPhase::above(row, &by_id));
        let held = "It stands in \"Works\", which follows \"Permit\".";
        assert_eq!(said(&child), held);
        let linked = DatedRow { driving: Some("Clear".to_owned()), ..child.clone() };
        assert_eq!(said(&linked), "It follows \"Clear\".");
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day);
        assert_eq!(date(20_467), day(14));
        let must =
            DatedRow { constraint_type: Some("MSO".to_owned()), constraint_date: day(6), ..child.clone() };
        assert_eq!(
            said(&must),
            format!("{held} That overrules its constraint MSO 2026-01-06: dates do not win over logic here.")
        );
        let earlier = DatedRow { constraint_type: Some("SNET".to_owned()), ..must };
        assert_eq!(said(&earlier), held, "a date that the link passes holds nothing");
        let planned =
            DatedRow { planned_start: day(16), ..DatedRow { start: Some(20_469), ..child.clone() } };
        assert!(said(&planned).starts_with("It starts no earlier than 2026-01-16"), "{}", said(&planned));
        let later = DatedRow { start: Some(20_470), ..child };
        assert_eq!(said(&later), held, "its calendar puts it on a later day");
    }

    #[test]
    fn work_that_only_ended_and_work_on_its_own_calendar_say_so() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day);
        let row = DatedRow {
            driving: None,
            ahead: None,
            percent_complete: 100.0,
            ..dated(Some(20_462), Some(20_462))
        };
        let ended = DatedRow { actual_finish: day(9), ..row };
        assert_eq!(
            reason(&ended, day(9), None),
            "It ended on 2026-01-09, as recorded, and has no actual start."
        );
        let own = DatedRow { own_calendar: Some("24 Hours".to_owned()), ..dated(Some(20_458), Some(20_460)) };
        assert!(
            reason(&own, day(5), None).ends_with("its days are counted on its own calendar \"24 Hours\".")
        );
        let planned = DatedRow { driving: None, planned_start: day(5), ..own };
        assert!(reason(&planned, None, None).ends_with("on a working day of its calendar \"24 Hours\"."));
    }
}
