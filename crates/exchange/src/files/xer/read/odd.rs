//! What a file says that is wrong, or that nothing else looks at.

use std::collections::HashSet;

use crate::files::Losses;
use crate::files::assembly::shortened;
use crate::files::unread::{NOT_READ, says_nothing};
use crate::files::xer::fields;
use crate::files::xer::tables::{Row, Tables};

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
