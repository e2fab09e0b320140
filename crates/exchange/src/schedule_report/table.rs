//! Tells an outcome to people: one table a project, then the finish and the critical path.

use std::fmt::Write;

use planwright_engine::{Day, FinishForecast};

use super::outcome::{Name, Outcome, ProjectOutcome, RowOutcome};
use crate::seed::vocabulary::Word;

/// Longer names are cut in the table, so that dates stay in sight.
const NAME_WIDTH: usize = 48;

/// One line of a table: five columns and the mark of a critical row.
struct Line {
    cells: [String; 6],
    mark: &'static str,
}

pub(super) fn text(outcome: &Outcome<'_>) -> String {
    let mut out = String::new();
    for project in &outcome.projects {
        write_project(&mut out, project);
    }
    if outcome.projects.len() > 1 {
        put(&mut out, format_args!("Program finish: {}\n", shown(outcome.finish)));
        write_forecast(&mut out, outcome.forecast.as_ref(), outcome.finish);
    }
    if let Some((runs, seed)) = outcome.simulated {
        put(&mut out, format_args!("Simulated {runs} times from seed {seed}.\n\n"));
    }
    write_critical_path(&mut out, outcome);
    for remark in &outcome.remarks {
        put(&mut out, format_args!("Note: {}\n", printable(remark)));
    }
    out
}

/// Writing to a text cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).unwrap_or_default();
}

fn write_project(out: &mut String, project: &ProjectOutcome<'_>) {
    let lags = project.lag_calendar.as_str();
    put(out, format_args!("{} (lags: {lags})\n\n", printable(&project.project.name)));
    let heading = ["WBS", "Name", "Days", "Start", "Finish", "Float"].map(str::to_owned);
    let mut lines = vec![Line { cells: heading, mark: "" }];
    lines.extend(project.rows.iter().map(line));
    let width =
        |column: usize| lines.iter().map(|line| line.cells[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    for line in &lines {
        let [wbs, name, days, start, finish, float] = &line.cells;
        let text = format!(
            "{wbs:<w0$}  {name:<w1$}  {days:>w2$}  {start:<w3$}  {finish:<w4$}  {float:>w5$}  {}",
            line.mark,
            w0 = widths[0],
            w1 = widths[1],
            w2 = widths[2],
            w3 = widths[3],
            w4 = widths[4],
            w5 = widths[5],
        );
        put(out, format_args!("{}\n", text.trim_end()));
    }
    put(out, format_args!("\nFinish: {}\n", shown(project.finish)));
    write_forecast(out, project.forecast.as_ref(), project.finish);
    if project.left_out > 0 {
        put(out, format_args!("Not scheduled: {} rows (epics, backlog)\n", project.left_out));
    }
    out.push('\n');
}

/// `P50 2026-03-20  P80 2026-03-27  P95 2026-04-03`, and how likely the computed date itself is.
fn write_forecast(out: &mut String, forecast: Option<&FinishForecast>, finish: Option<Day>) {
    let Some(forecast) = forecast else { return };
    let likely =
        [50, 80, 95].map(|percent| format!("P{percent} {}", forecast.percentile(f64::from(percent))));
    put(out, format_args!("Likely: {}\n", likely.join("  ")));
    if let Some(finish) = finish {
        let share = forecast.confidence(finish) * 100.0;
        put(out, format_args!("Chance to finish by {finish}: {share:.0} %\n"));
    }
}

fn line(row: &RowOutcome<'_>) -> Line {
    let name: String = "  ".repeat(row.depth).chars().chain(printable(&row.task.name).chars()).collect();
    let name = if name.chars().count() > NAME_WIDTH {
        name.chars().take(NAME_WIDTH - 1).chain(['…']).collect()
    } else {
        name
    };
    let wbs = row.task.wbs_path.clone();
    let Some(dates) = row.dates else {
        let blank = || "–".to_owned();
        return Line { cells: [wbs, name, blank(), blank(), blank(), blank()], mark: "left out" };
    };
    let days = if row.is_summary { String::new() } else { row.task.duration.to_string() };
    let is_done = dates.progress == planwright_engine::Progress::Complete;
    let mark = match (row.is_summary, dates.critical) {
        (false, true) => "critical",
        _ if is_done => "done",
        _ => "",
    };
    let start = dates.scheduled_start.to_string();
    Line {
        cells: [wbs, name, days, start, dates.early_finish.to_string(), dates.total_float.to_string()],
        mark,
    }
}

fn write_critical_path(out: &mut String, outcome: &Outcome<'_>) {
    if outcome.critical_path.is_empty() {
        return;
    }
    out.push_str("Critical path:\n");
    let several = outcome.projects.len() > 1;
    let path = |name: &Name<'_>| {
        if several { name.reference().to_string() } else { name.task.wbs_path.clone() }
    };
    let paths: Vec<String> = outcome.critical_path.iter().map(path).collect();
    let width = paths.iter().map(String::len).max().unwrap_or(0);
    for (path, name) in paths.iter().zip(&outcome.critical_path) {
        put(out, format_args!("  {path:<width$}  {}\n", printable(&name.task.name)));
    }
}

fn shown(day: Option<Day>) -> String {
    day.map_or_else(|| "nothing to schedule".to_owned(), |day| day.to_string())
}

/// A text without characters that would move the cursor of a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
