//! What a file says that is wrong, or that nothing else looks at.

use std::collections::HashSet;

use chrono::NaiveDate;

use super::Reading;
use crate::Losses;
use crate::assembly::shortened;
use crate::instants::{days, evening};
use crate::unread::{NOT_READ, says_nothing};
use crate::xer::fields;
use crate::xer::tables::{Row, Tables};

/// A start and a finish, as far as they are known.
type Span = (Option<NaiveDate>, Option<NaiveDate>);

/// The first and the last day of an activity in the file. A milestone at a finish is at the end of its day.
pub(super) fn days_of(row: Row<'_, '_>) -> Span {
    let start = ["act_start_date", "early_start_date", "target_start_date"];
    let finish = ["act_end_date", "early_end_date", "target_end_date"];
    of_activity(row, &start, &finish)
}

/// The days on which the work of an activity began and ended.
pub(super) fn actual_days(row: Row<'_, '_>) -> Span {
    of_activity(row, &["act_start_date"], &["act_end_date"])
}

fn of_activity(row: Row<'_, '_>, start: &[&str], finish: &[&str]) -> Span {
    let start = start.iter().find_map(|field| row.moment(field));
    let finish = finish.iter().find_map(|field| row.end(field));
    match row.is("task_type", "TT_FinMile") {
        true => (start.map(evening), finish.map(evening)),
        false => days(start, finish),
    }
}

impl Reading<'_, '_> {
    /// Names where the status of an activity and its dates or its work contradict each other.
    pub(super) fn note_contradictions(&mut self, row: Row<'_, '_>, mark: &str) {
        let has = |field: &str| row.text(field).is_some();
        let is = |status: &str| row.is("status_code", status);
        let hours = |field: &str| row.number(field).unwrap_or(0.0);
        let is_used_up = has("remain_drtn_hr_cnt")
            && hours("remain_drtn_hr_cnt") <= 0.0
            && hours("target_drtn_hr_cnt") > 0.0;
        // The start of a milestone is its finish.
        let is_begun_milestone = row.is("task_type", "TT_Mile") && has("act_start_date");
        let facts = [
            (
                is("TK_NotStart") && has("act_start_date") && !has("act_end_date"),
                "An activity with an actual start is in progress.",
            ),
            (
                is("TK_Active") && !has("act_start_date") && !has("act_end_date"),
                "Work in progress without an actual start begins where the plan puts it.",
            ),
            (
                is("TK_Active") && !has("act_end_date") && is_used_up,
                "Work in progress of which nothing remains is complete.",
            ),
            (
                is("TK_Complete") && !has("act_end_date") && !is_begun_milestone,
                "Complete work without an actual finish ends where the plan puts it.",
            ),
        ];
        for (_, reason) in facts.iter().filter(|(is_so, _)| *is_so) {
            self.losses.note("status_code", reason, mark);
        }
    }
}

/// Notes what is left out of a file besides what its readers note.
pub(super) fn note(
    tables: &Tables<'_>,
    project: &str,
    (branches, activities): (&[Row<'_, '_>], &[Row<'_, '_>]),
    losses: &mut Losses,
) {
    if !tables.is_ended {
        let reason = "The line that ends a file (%E) is missing. The file may have been cut off.";
        losses.note("File", reason, "");
    }
    for line in &tables.strays {
        let reason =
            "A line that is no row of a table is not read. A line break in a name may have cut a row.";
        losses.note("File", reason, format!("line {line}"));
    }
    note_unread(tables, project, losses);
    note_values(tables, project, activities, losses);
    note_strays(branches, activities, losses);
}

/// Notes every filled column that is neither read nor computed, in the tables that are looked at.
fn note_unread(tables: &Tables<'_>, project: &str, losses: &mut Losses) {
    for table in fields::tables() {
        let Some(known) = fields::known(table) else { continue };
        let besides = tables.columns_besides(table, &known);
        for row in tables.rows(table).filter(|row| row.text("proj_id").is_none_or(|id| id == project)) {
            let names = ["task_code", "rsrc_name", "wbs_name", "clndr_name", "actv_code_name", "task_id"];
            let mark = names.iter().find_map(|name| row.text(name)).unwrap_or_default();
            if row.has_surplus() {
                let reason = "A row has more cells than the table has columns. Those behind the last one are not read.";
                losses.note(table, reason, shortened(mark, 60));
            }
            if row.is_short() {
                let reason =
                    "A row has fewer cells than the table has columns. The missing ones count as blank.";
                losses.note(table, reason, shortened(mark, 60));
            }
            for column in &besides {
                if row.text(column).is_some_and(|value| !says_nothing(value)) {
                    let column: String = column.chars().take(60).collect();
                    losses.note(&format!("{table}.{column}"), NOT_READ, shortened(mark, 60));
                }
            }
        }
    }
}

const PROJECT_DATES: [&str; 2] = ["plan_start_date", "last_recalc_date"];
const DATES: [&str; 6] = [
    "act_start_date",
    "act_end_date",
    "early_start_date",
    "early_end_date",
    "target_start_date",
    "target_end_date",
];
const STATUSES: [&str; 3] = ["TK_NotStart", "TK_Active", "TK_Complete"];
const TYPES: [&str; 6] = ["TT_Task", "TT_Rsrc", "TT_LOE", "TT_Mile", "TT_FinMile", "TT_WBS"];

/// Notes values that are wrong and that nothing else names.
fn note_values(tables: &Tables<'_>, project: &str, activities: &[Row<'_, '_>], losses: &mut Losses) {
    let unreadable = |row: &Row<'_, '_>, fields: &[&str], mark: &str, losses: &mut Losses| {
        for field in fields.iter().filter(|field| row.text(field).is_some() && row.moment(field).is_none()) {
            losses.note(field, "A date that cannot be read is left out.", mark);
        }
    };
    for row in tables.rows("PROJECT").filter(|row| row.text("proj_id").unwrap_or_default() == project) {
        unreadable(&row, &PROJECT_DATES, row.text("proj_short_name").unwrap_or_default(), losses);
    }
    for row in activities {
        let mark = [row.text("task_code"), row.text("task_name")].into_iter().flatten().collect::<Vec<_>>();
        let mark = shortened(&mark.join(" "), 60);
        unreadable(row, &DATES, &mark, losses);
        if row.text("status_code").is_some_and(|word| !STATUSES.contains(&word)) {
            losses.note("status_code", "A status with an unknown word is told by its dates.", &*mark);
        }
        if row.text("task_type").is_some_and(|word| !TYPES.contains(&word)) {
            losses.note("task_type", "An activity of an unknown type became a task.", &*mark);
        }
        match row.number("phys_complete_pct") {
            None if row.text("phys_complete_pct").is_some() => {
                losses.note("phys_complete_pct", "A percentage that cannot be read is not imported.", &*mark);
            }
            Some(percent) if !(0.0..=100.0).contains(&percent) => {
                losses.note(
                    "phys_complete_pct",
                    "A percentage below 0 or above 100 is not imported.",
                    &*mark,
                );
            }
            _ => {}
        }
    }
}

/// Notes activities of branches that are not there.
fn note_strays(branches: &[Row<'_, '_>], activities: &[Row<'_, '_>], losses: &mut Losses) {
    let known: HashSet<&str> = branches.iter().filter_map(|row| row.text("wbs_id")).collect();
    for row in activities.iter().filter(|row| row.text("wbs_id").is_some_and(|id| !known.contains(id))) {
        let reason = "An activity of a branch that is not there stands at the top.";
        losses.note("wbs_id", reason, shortened(row.text("task_code").unwrap_or("?"), 60));
    }
}
