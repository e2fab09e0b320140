//! Tells an outcome to people: one table a project, then the finish, deadlines and the critical path.

use std::fmt::Write;

use planwright_engine::{Day, FinishForecast, Progress};

use super::outcome::Outcome;
use super::terminal::{cut, left, printable, right, width};

/// Longer names are cut in the table, so that dates stay in sight.
const NAME_WIDTH: usize = 48;

/// One line of a table: its columns and the mark of a critical row.
struct Line {
    cells: Vec<String>,
    mark: &'static str,
}

pub(super) fn text(outcome: &Outcome<'_>) -> String {
    let mut out = String::new();
    let several = outcome.subject.projects.len() > 1;
    write_faults(&mut out, outcome);
    for project in 0..outcome.subject.projects.len() {
        write_project(&mut out, outcome, project);
    }
    let simulated = outcome.simulated().filter(|_| outcome.schedule.faults.is_empty());
    if several {
        let finish = outcome.schedule.finish;
        put(&mut out, format_args!("Program finish: {}{}\n", shown(finish), doubt(outcome)));
        write_forecast(&mut out, simulated.and_then(|run| run.finish.as_ref()), finish);
    }
    if let Some(run) = simulated {
        put(&mut out, format_args!("Simulated {} times from seed {}.\n\n", run.runs, run.seed));
    }
    write_deadlines(&mut out, outcome);
    write_critical_path(&mut out, outcome);
    for remark in outcome.remarks().into_iter().skip(outcome.schedule.faults.len()) {
        put(&mut out, format_args!("Note: {}\n", printable(&remark)));
    }
    out
}

/// What was left out comes first: everything below is computed without it.
fn write_faults(out: &mut String, outcome: &Outcome<'_>) {
    let faults = &outcome.schedule.faults;
    if faults.is_empty() {
        return;
    }
    out.push_str("This plan cannot be scheduled as it is. The dates below leave out:\n");
    for fault in faults {
        put(out, format_args!("  {}\n", printable(&outcome.subject.fault(fault))));
    }
    out.push('\n');
}

/// What stands behind a finish that was computed without something.
fn doubt(outcome: &Outcome<'_>) -> &'static str {
    if outcome.schedule.faults.is_empty() { "" } else { " (not certain: see what was left out, above)" }
}

/// Writing to a text cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).unwrap_or_default();
}

fn write_project(out: &mut String, outcome: &Outcome<'_>, index: usize) {
    let project = &outcome.subject.projects[index];
    let title = [project.name.as_str(), "Plan"].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    put(out, format_args!("{} (lags: {})\n\n", printable(title), project.lags));
    let with_program = outcome.has_program_floats();
    let mut heading = ["WBS", "Name", "Days", "Start", "Finish", "Float"].map(str::to_owned).to_vec();
    if with_program {
        heading.push("In program".to_owned());
    }
    let columns = heading.len();
    let mut lines = vec![Line { cells: heading, mark: "" }];
    lines.extend(outcome.rows_of(index).map(|place| line(outcome, place, with_program)));
    let widest = |column: usize| lines.iter().map(|line| width(&line.cells[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    for line in &lines {
        let cells =
            line.cells.iter().zip(&widths).enumerate().map(|(column, (cell, columns))| match column {
                2 | 5 | 6 => right(cell, *columns),
                _ => left(cell, *columns),
            });
        let text = format!("{}  {}", cells.collect::<Vec<_>>().join("  "), line.mark);
        put(out, format_args!("{}\n", text.trim_end()));
    }
    let finish = outcome.schedule.projects.get(index).and_then(|dates| dates.finish);
    put(out, format_args!("\nFinish: {}{}\n", shown(finish), doubt(outcome)));
    let is_whole = outcome.schedule.faults.is_empty();
    let likely = outcome.simulated().filter(|_| is_whole).and_then(|run| run.projects.get(index)?.as_ref());
    write_forecast(out, likely, finish);
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

fn line(outcome: &Outcome<'_>, place: usize, with_program: bool) -> Line {
    let row = &outcome.subject.rows[place];
    let name = cut(&format!("{}{}", "  ".repeat(row.depth), printable(&row.name)), NAME_WIDTH);
    let mut cells = vec![printable(&row.path), name];
    let Some(dates) = outcome.schedule.tasks[place] else {
        cells.extend(vec!["–".to_owned(); if with_program { 5 } else { 4 }]);
        return Line { cells, mark: "left out" };
    };
    let duration = outcome.subject.network.tasks[place].duration;
    cells.push(if row.is_summary { String::new() } else { duration.to_string() });
    cells.extend([dates.scheduled_start, dates.early_finish].map(|day| day.to_string()));
    cells.push(dates.total_float.to_string());
    if with_program {
        cells.push(dates.program_total_float.to_string());
    }
    let mark = match row.is_summary {
        false if dates.critical => "critical",
        _ if dates.progress == Progress::Complete => "done",
        false if dates.on_longest_path => "longest path",
        _ => "",
    };
    Line { cells, mark }
}

/// Every deadline, when the row comes, and how likely it is kept.
fn write_deadlines(out: &mut String, outcome: &Outcome<'_>) {
    let due: Vec<(usize, Day)> = outcome
        .subject
        .order
        .iter()
        .filter_map(|place| {
            let deadline = outcome.subject.network.tasks[*place].deadline?;
            (!outcome.subject.rows[*place].is_summary).then_some((*place, deadline))
        })
        .collect();
    if due.is_empty() {
        return;
    }
    out.push_str("Deadlines:\n");
    for (place, deadline) in due {
        let Some(dates) = outcome.schedule.tasks[place] else { continue };
        let run = outcome.simulated().and_then(|run| run.tasks[place]?.deadline_met);
        let chance = run.map_or(String::new(), |share| format!(", met in {:.0} % of runs", share * 100.0));
        let label = outcome.subject.label(place);
        put(out, format_args!("  {label}: due {deadline}, expected {}{chance}\n", dates.early_finish));
    }
    out.push('\n');
}

fn write_critical_path(out: &mut String, outcome: &Outcome<'_>) {
    let path = &outcome.schedule.critical_path;
    if path.is_empty() {
        return;
    }
    out.push_str("Critical path:\n");
    let subject = outcome.subject;
    let several = subject.projects.len() > 1;
    let names: Vec<String> = path
        .iter()
        .map(|place| {
            printable(&if several { subject.reference(*place) } else { subject.rows[*place].path.clone() })
        })
        .collect();
    let columns = names.iter().map(|name| width(name)).max().unwrap_or(0);
    for (name, place) in names.iter().zip(path) {
        let text = format!("  {}  {}", left(name, columns), printable(&subject.rows[*place].name));
        put(out, format_args!("{}\n", text.trim_end()));
    }
}

fn shown(day: Option<Day>) -> String {
    day.map_or_else(|| "nothing to schedule".to_owned(), |day| day.to_string())
}
