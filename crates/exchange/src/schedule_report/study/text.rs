//! Closer looks as text for people: sections, bars and a curve drawn with letters.

use std::fmt::Write;

use planwright_engine as engine;

use super::{Study, Supposed, View, reason};
use crate::seed::Rejection;

/// Widest chart, in characters.
const CHART_WIDTH: i64 = 60;

impl View<'_> {
    /// One study as a section.
    pub(super) fn section(&self, study: &Study) -> Result<String, Rejection> {
        Ok(match study {
            Study::Explain(task) => self.explain(self.find(task)?),
            Study::FloatPaths(count) => self.float_paths(*count),
            Study::Health => self.health(),
            Study::WhatIf(task, days) => self.what_if(self.find(task)?, *days),
            Study::Gantt => self.gantt(),
            Study::Curve => self.curve(),
        })
    }

    fn explain(&self, place: usize) -> String {
        let mut text = format!("Why {} stands where it stands\n", self.label(place));
        let quantities = [("early", engine::Quantity::Early), ("late", engine::Quantity::Late)];
        for (name, quantity) in quantities {
            let Some(bounds) = engine::explain(&self.plan.network, place, quantity) else {
                let _ = writeln!(text, "  {name}: the row is a summary or was left out");
                continue;
            };
            for bound in bounds {
                let mark = if bound.binding { "binds" } else { "" };
                let from = bound.task.map(|task| format!(" {}", self.label(task))).unwrap_or_default();
                let _ = writeln!(
                    text,
                    "  {name:<5} {} – {}  {:>4} d  {mark:<5}  {}{from}",
                    bound.start,
                    bound.finish,
                    bound.slack,
                    reason(bound.reason)
                );
            }
        }
        text
    }

    fn float_paths(&self, count: usize) -> String {
        let mut text = String::from("Chains that lead to the finish, the most critical first\n");
        for last in self.last_leaves() {
            for (number, path) in engine::float_paths(&self.plan.network, last, count).iter().enumerate() {
                let _ = writeln!(text, "  {}. float {} d", number + 1, path.float);
                for task in &path.tasks {
                    let _ = writeln!(text, "       {}", self.label(*task));
                }
                if let Some(joins) = path.joins {
                    let _ = writeln!(text, "       → {}", self.label(joins));
                }
            }
        }
        text
    }

    fn health(&self) -> String {
        let quality = self.quality();
        let mut text = String::from("Schedule quality (DCMA 14 points)\n");
        for result in &quality.checks {
            let verdict = match result.verdict {
                engine::Verdict::Passed => "passed",
                engine::Verdict::Failed => "FAILED",
                engine::Verdict::NotAssessed => "not assessed",
            };
            if let Some(missing) = result.missing {
                let _ = writeln!(text, "  {verdict:<12} {:<20} {missing}", format!("{:?}", result.check));
                continue;
            }
            let _ = writeln!(
                text,
                "  {verdict:<12} {:<20} {:>7.3}  (limit {:.2}, {} looked at)",
                format!("{:?}", result.check),
                result.value,
                result.limit,
                result.population
            );
            if result.verdict == engine::Verdict::Failed {
                for task in &result.tasks {
                    let _ = writeln!(text, "                 {}", self.label(*task));
                }
            }
        }
        text
    }

    fn what_if(&self, place: usize, days: i32) -> String {
        let Supposed { finish, now, then } = self.supposed(place, days);
        let mut text = format!("If {} took {days:+} days\n", self.label(place));
        let shown = |day: Option<engine::Day>| day.map_or("–".to_owned(), |day| day.to_string());
        let _ = writeln!(text, "  finish {} → {}", shown(self.schedule.finish), shown(finish));
        for percent in [50.0, 80.0, 95.0] {
            let likely =
                |run: &engine::Simulation| run.finish.as_ref().map(|finish| finish.percentile(percent));
            let _ = writeln!(text, "  P{percent:<5} {} → {}", shown(likely(&now)), shown(likely(&then)));
        }
        text
    }

    fn gantt(&self) -> String {
        let (Some(start), Some(finish)) = (self.schedule.start, self.schedule.finish) else {
            return "Nothing is scheduled.\n".to_owned();
        };
        let days = i64::from(finish.0) - i64::from(start.0) + 1;
        let column =
            |day: engine::Day| (i64::from(day.0) - i64::from(start.0)) * CHART_WIDTH.min(days) / days;
        let mut text = format!("{start} to {finish}; # critical, = with float, - summary, ◆ milestone\n");
        for (place, row) in self.plan.rows.iter().enumerate() {
            let Some(dates) = self.schedule.tasks[place] else { continue };
            let (from, to) = (column(dates.scheduled_start), column(dates.early_finish));
            let mark = match () {
                () if row.is_summary => '-',
                () if dates.critical => '#',
                () => '=',
            };
            let is_milestone = !row.is_summary && self.plan.network.tasks[place].duration == 0;
            let bar: String = match is_milestone {
                true => "◆".to_owned(),
                false => std::iter::repeat_n(mark, (to - from + 1).max(1) as usize).collect(),
            };
            let label: String = self.label(place).chars().take(32).collect();
            let _ = writeln!(text, "{label:<32} {}{bar}", " ".repeat(from.max(0) as usize));
        }
        text
    }

    fn curve(&self) -> String {
        let simulation = self.simulated(&self.plan.network);
        let Some(finish) = simulation.finish else { return "Nothing is scheduled.\n".to_owned() };
        let points = finish.s_curve();
        let step = points.len().div_ceil(24).max(1);
        let mut text = format!("Finished by, in {} runs\n", simulation.runs);
        for point in points.iter().step_by(step).chain(points.last().filter(|_| points.len() % step != 1)) {
            let bar: String = std::iter::repeat_n('█', (point.share * CHART_WIDTH as f64) as usize).collect();
            let _ = writeln!(text, "{}  {:>5.1} %  {bar}", point.day, point.share * 100.0);
        }
        text
    }
}
