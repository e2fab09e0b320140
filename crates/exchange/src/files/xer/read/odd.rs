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

/// Notes activities of branches that are not there.
fn note_strays(branches: &[Row<'_, '_>], activities: &[Row<'_, '_>], losses: &mut Losses) {
    let known: HashSet<&str> = branches.iter().filter_map(|row| row.text("wbs_id")).collect();
    for row in activities.iter().filter(|row| row.text("wbs_id").is_some_and(|id| !known.contains(id))) {
        let reason = "An activity of a branch that is not there stands at the top.";
        losses.note("wbs_id", reason, shortened(row.text("task_code").unwrap_or("?"), 60));
    }
}
