//! A shared schedule as SVG: bars over months, milestones as diamonds, links as lines. Colours are in the style sheet of the
//! page, so that no style is written inside it.

use std::collections::HashMap;
use std::fmt::Write;

use chrono::{Datelike, Duration, NaiveDate, Weekday};
use planwright_domain::words::DependencyType;
use planwright_sharing::shared::model::{SharedSchedule, SharedTask};
use planwright_web::form_page::escaped;
use planwright_web::language::Language;

use crate::words;

/// Sizes in pixels.
const NAMES: f64 = 260.0;
const CHART: f64 = 740.0;
const ROW: f64 = 22.0;
const HEAD: f64 = 30.0;
/// Longer names are cut.
const NAME_LETTERS: usize = 34;
/// So many months have their names at most; of more, the years have.
const MONTHS: i64 = 24;
/// So many days at most are marked by their weeks.
const DAYS_BY_WEEK: i64 = 70;

/// The picture; empty where no task has dates.
pub(crate) fn svg(language: Language, schedule: &SharedSchedule) -> String {
    let spans: Vec<(&SharedTask, NaiveDate, NaiveDate)> = schedule
        .tasks
        .iter()
        .filter_map(|task| Some((task, task.start()?, task.early_finish?.max(task.start()?))))
        .collect();
    let first = spans.iter().map(|(_, start, _)| *start).min();
    let last = spans.iter().map(|(_, _, finish)| *finish).max();
    let (Some(first), Some(last)) = (first, last) else { return String::new() };
    let scale = Scale { first, days: (last - first).num_days() + 1 };
    let height = HEAD + spans.len() as f64 * ROW + 8.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" role=\"img\" aria-label=\"{}\">",
        NAMES + CHART + 10.0,
        words::SCHEDULE.text(language)
    );
    write_scale(&mut out, language, &scale, last, height);
    let lines: HashMap<&str, (usize, f64, f64)> = spans
        .iter()
        .enumerate()
        .map(|(line, (task, start, finish))| {
            // A milestone is drawn at one moment, and its links meet it there.
            let end = if task.is_milestone { *start } else { *finish + Duration::days(1) };
            (task.short_id.as_str(), (line, scale.x(*start), scale.x(end)))
        })
        .collect();
    write_links(&mut out, schedule, &lines);
    for (line, (task, start, finish)) in spans.iter().enumerate() {
        write_row(&mut out, task, line, scale.x(*start), scale.x(*finish + Duration::days(1)));
    }
    out.push_str("</svg>");
    out
}

struct Scale {
    first: NaiveDate,
    days: i64,
}

impl Scale {
    /// Where a day begins.
    fn x(&self, day: NaiveDate) -> f64 {
        NAMES + (day - self.first).num_days() as f64 / self.days as f64 * CHART
    }
}

/// Which days are marked, and what stands at them.
type Marks = (fn(&NaiveDate) -> bool, fn(Language, NaiveDate) -> String);

fn write_scale(out: &mut String, language: Language, scale: &Scale, last: NaiveDate, height: f64) {
    let (is_marked, name): Marks = match scale.days {
        ..=DAYS_BY_WEEK => (|day| day.weekday() == Weekday::Mon, Language::day),
        days if days <= MONTHS * 31 => (|day| day.day() == 1, Language::month),
        _ => (|day| day.day() == 1 && day.month() == 1, |_, day| day.year().to_string()),
    };
    for day in scale.first.iter_days().take_while(|day| *day <= last).filter(is_marked) {
        let (x, name) = (scale.x(day), name(language, day));
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{HEAD}\" x2=\"{x:.1}\" y2=\"{height}\"/><text class=\"month\" x=\"{x:.1}\" y=\"18\">{name}</text>"
        );
    }
}

fn write_links(out: &mut String, schedule: &SharedSchedule, lines: &HashMap<&str, (usize, f64, f64)>) {
    for link in &schedule.dependencies {
        let ends =
            lines.get(link.predecessor_short_id.as_str()).zip(lines.get(link.successor_short_id.as_str()));
        let Some(((from, from_start, from_finish), (to, to_start, to_finish))) = ends else { continue };
        let middle = |line: usize| HEAD + line as f64 * ROW + ROW / 2.0;
        let (x1, x2) = match link.dep_type {
            DependencyType::FinishToStart => (from_finish, to_start),
            DependencyType::StartToStart => (from_start, to_start),
            DependencyType::FinishToFinish => (from_finish, to_finish),
            DependencyType::StartToFinish => (from_start, to_finish),
        };
        let (y1, y2) = (middle(*from), middle(*to));
        let _ = write!(out, "<path class=\"link\" d=\"M{x1:.1} {y1:.1}V{y2:.1}H{x2:.1}\"/>");
    }
}

fn write_row(out: &mut String, task: &SharedTask, line: usize, start: f64, finish: f64) {
    let top = HEAD + line as f64 * ROW;
    let middle = top + ROW / 2.0;
    let name: String = task.name.chars().take(NAME_LETTERS).collect();
    let cut = if task.name.chars().count() > NAME_LETTERS { "…" } else { "" };
    let _ = write!(out, "<text x=\"0\" y=\"{:.1}\">{}{cut}</text>", middle + 4.0, escaped(&name));
    let class = if task.is_critical { "bar critical" } else { "bar" };
    if task.is_milestone {
        let _ =
            write!(out, "<path class=\"{class}\" d=\"M{start:.1} {:.1}l6 6l-6 6l-6 -6z\"/>", middle - 6.0);
        return;
    }
    let (y, width) = (top + 5.0, (finish - start).max(1.0));
    let done = width * task.percent_complete.clamp(0, 100) as f64 / 100.0;
    let _ = write!(
        out,
        "<rect class=\"{class}\" x=\"{start:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"12\" rx=\"2\"/>\
         <rect class=\"done\" x=\"{start:.1}\" y=\"{:.1}\" width=\"{done:.1}\" height=\"4\"/>",
        y + 4.0
    );
}
