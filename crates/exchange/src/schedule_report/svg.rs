//! A plan as a picture: bars over a calendar, the critical path, today, and the day by which 80 % of the runs had finished.
//! The picture stands alone: no script, no font and no style sheet from elsewhere.

use std::fmt::Write;

use planwright_engine::Day;
use planwright_plan_files::seed::Rejection;
use planwright_plan_files::seed::engine_day;

use super::Options;
use super::outcome::Outcome;
use super::subject::Subject;
use super::terminal::{cut, printable};

/// Sizes in pixels.
const NAMES: f64 = 300.0;
const CHART: f64 = 680.0;
const ROW: f64 = 20.0;
const HEAD: f64 = 64.0;
const FOOT: f64 = 14.0;
/// Longer names are cut.
const NAME_COLUMNS: usize = 40;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1c2733}.title{font-size:15px;font-weight:600}\
    .month{fill:#5b6b7b}.grid{stroke:#dde3ea}.bar{fill:#7aa7d9}.critical{fill:#c8402f}.summary{fill:#4b5a69}\
    .done{opacity:.45}.float{stroke:#7aa7d9;stroke-width:1.5}.today{stroke:#0a7d4f;stroke-width:1.5;stroke-dasharray:4 3}\
    .likely{stroke:#8a4bbf;stroke-width:1.5;stroke-dasharray:2 3}.todaytext{fill:#0a7d4f}.likelytext{fill:#8a4bbf}";

/// Draws the plan that the bytes hold.
pub fn svg(bytes: &[u8], options: &Options) -> Result<String, Rejection> {
    let subject = Subject::read(bytes, options)?;
    let outcome = Outcome::of(&subject, options);
    Ok(Picture::of(&outcome, engine_day(options.today)).text())
}

struct Picture<'a> {
    outcome: &'a Outcome<'a>,
    first: Day,
    last: Day,
    /// Today, where it is within sight.
    today: Option<Day>,
    likely: Option<Day>,
    rows: Vec<usize>,
}

impl<'a> Picture<'a> {
    fn of(outcome: &'a Outcome<'a>, today: Day) -> Self {
        let likely =
            outcome.simulated().and_then(|run| run.finish.as_ref()).map(|finish| finish.percentile(80.0));
        let is_dated = |place: &usize| outcome.schedule.tasks[*place].is_some();
        let rows = outcome.subject.order.iter().copied().filter(is_dated).collect();
        let first = outcome.schedule.start.unwrap_or(today);
        let finish = outcome.schedule.finish.unwrap_or(first);
        let last = Day(finish.0.max(likely.map_or(finish.0, |day| day.0)) + 3);
        let today = (first.0..=last.0).contains(&today.0).then_some(today);
        Self { outcome, first: Day(first.0 - 1), last, today, likely, rows }
    }

    /// Where a day begins.
    fn x(&self, day: Day) -> f64 {
        let days = f64::from(self.last.0 - self.first.0 + 1);
        NAMES + f64::from(day.0 - self.first.0) / days * CHART
    }

    fn text(&self) -> String {
        let (width, height) = (NAMES + CHART + 10.0, HEAD + self.rows.len() as f64 * ROW + FOOT);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        self.write_head(&mut out);
        self.write_months(&mut out, height);
        for (line, place) in self.rows.iter().enumerate() {
            self.write_row(&mut out, HEAD + line as f64 * ROW, *place);
        }
        let bottom = height - FOOT;
        if let Some(today) = self.today {
            self.write_mark(&mut out, today, bottom, "today", &format!("today {today}"));
        }
        if let Some(likely) = self.likely {
            self.write_mark(&mut out, Day(likely.0 + 1), bottom, "likely", &format!("P80 {likely}"));
        }
        out.push_str("</svg>\n");
        out
    }

    fn write_head(&self, out: &mut String) {
        let projects = &self.outcome.subject.projects;
        let title = match projects.as_slice() {
            [one] if !one.name.is_empty() => &one.name,
            _ => &self.outcome.subject.name,
        };
        let finish = self.outcome.schedule.finish.map_or(String::new(), |day| format!("finish {day}"));
        let faults = self.outcome.schedule.faults.len();
        let doubt = if faults > 0 { format!(" – not certain, {faults} faults") } else { String::new() };
        put(
            out,
            format_args!("<text class=\"title\" x=\"10\" y=\"22\">{}</text>\n", escaped(&printable(title))),
        );
        put(out, format_args!("<text class=\"month\" x=\"10\" y=\"40\">{finish}{doubt}</text>\n"));
    }

    /// A line at the beginning of each month, with its name where there is room for it.
    fn write_months(&self, out: &mut String, height: f64) {
        let mut free = 0.0;
        for number in self.first.0..=self.last.0 {
            let (year, month, day) = Day(number).to_ymd();
            if day != 1 {
                continue;
            }
            let x = self.x(Day(number));
            put(
                out,
                format_args!(
                    "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\"/>\n",
                    HEAD - 8.0,
                    height - FOOT
                ),
            );
            if x >= free {
                put(
                    out,
                    format_args!(
                        "<text class=\"month\" x=\"{:.1}\" y=\"{}\">{year}-{month:02}</text>\n",
                        x + 3.0,
                        HEAD - 12.0
                    ),
                );
                free = x + 56.0;
            }
        }
    }

    fn write_row(&self, out: &mut String, top: f64, place: usize) {
        let Some(dates) = self.outcome.schedule.tasks[place] else { return };
        let row = &self.outcome.subject.rows[place];
        let label = escaped(&cut(&self.outcome.subject.label(place), NAME_COLUMNS - 2 * row.depth.min(6)));
        let indent = 10.0 + 12.0 * row.depth.min(6) as f64;
        put(out, format_args!("<text x=\"{indent}\" y=\"{:.1}\">{label}</text>\n", top + 14.0));
        let (from, to) = (self.x(dates.scheduled_start), self.x(Day(dates.early_finish.0 + 1)));
        let tone = match () {
            () if row.is_summary => "summary",
            () if dates.critical => "critical",
            () => "bar",
        };
        let state = if dates.progress == planwright_engine::Progress::Complete { " done" } else { "" };
        let told = format!("{label}: {} – {}", dates.scheduled_start, dates.early_finish);
        if !row.is_summary && self.outcome.subject.network.tasks[place].duration == 0 {
            let middle = top + ROW / 2.0;
            put(
                out,
                format_args!(
                    "<path class=\"{tone}{state}\" d=\"M{from:.1} {:.1}l6 6l-6 6l-6 -6z\"><title>{told}</title></path>\n",
                    middle - 6.0
                ),
            );
            return;
        }
        let (y, height) = if row.is_summary { (top + 7.0, 5.0) } else { (top + 4.0, 12.0) };
        put(
            out,
            format_args!(
                "<rect class=\"{tone}{state}\" x=\"{from:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height}\" rx=\"2\"><title>{told}</title></rect>\n",
                (to - from).max(1.0)
            ),
        );
        let late = self.x(Day(dates.late_finish.0 + 1)).min(NAMES + CHART);
        if !row.is_summary && state.is_empty() && late > to {
            put(
                out,
                format_args!(
                    "<line class=\"float\" x1=\"{to:.1}\" x2=\"{late:.1}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\n",
                    top + 10.0
                ),
            );
        }
    }

    /// A line through all rows, with its meaning at the top.
    fn write_mark(&self, out: &mut String, day: Day, bottom: f64, class: &str, meaning: &str) {
        let x = self.x(day).min(NAMES + CHART);
        let (anchor, y) = if class == "today" { ("start", 22.0) } else { ("end", 40.0) };
        put(
            out,
            format_args!(
                "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{bottom}\"/>\n",
                y + 4.0
            ),
        );
        put(
            out,
            format_args!(
                "<text class=\"{class}text\" x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{meaning}</text>\n"
            ),
        );
    }
}

/// Writing to a text cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).unwrap_or_default();
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::schedule_report::Format;

    #[test]
    fn a_picture_has_a_bar_for_each_row_the_critical_path_today_and_the_likely_finish() {
        let plan = r#"{"name": "A & B", "start": "2026-01-05", "calendar": {"working_days": 31},
            "tasks": [{"id": "a", "name": "<dig>", "duration": 5, "estimate": [4, 5, 9]}, {"id": "b", "duration": 2},
                      {"id": "c", "duration": 0}],
            "deps": [{"pred": "a", "succ": "c"}, {"pred": "b", "succ": "c"}]}"#;
        let today = NaiveDate::from_ymd_opt(2026, 1, 6).unwrap_or_default();
        let options = Options { format: Format::Simple, runs: 100, ..Options::on(today) };
        let picture = match svg(plan.as_bytes(), &options) {
            Ok(picture) => picture,
            Err(rejection) => panic!("{rejection}"),
        };
        assert_eq!(picture.matches("<rect class=").count() + picture.matches("<path class=").count(), 3);
        assert!(picture.contains("class=\"critical\"") && picture.contains("class=\"float\""), "{picture}");
        assert!(picture.contains("today 2026-01-06") && picture.contains("P80 2026-01-"), "{picture}");
        assert!(picture.contains("&lt;dig&gt;") && !picture.contains("<dig>"), "{picture}");
    }
}
