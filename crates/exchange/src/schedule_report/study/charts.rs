//! A plan as bars, and its runs as a curve, drawn with letters as wide as the terminal is.

use std::fmt::Write;

use planwright_engine::{self as engine, Confidence, Day, FinishForecast};
use planwright_plan_files::seed::Rejection;
use serde_json::{Value, json};

use super::super::json::{day, forecast};
use super::super::terminal::{cut, left};
use super::View;

/// Points of a drawn curve at most.
const POINTS: usize = 24;

/// Fewer columns than this cannot be drawn on.
const LEAST: usize = 44;

impl View<'_> {
    pub(super) fn gantt(&self) -> String {
        let (Some(start), Some(finish)) = (self.schedule.start, self.schedule.finish) else {
            return "Nothing is scheduled.\n".to_owned();
        };
        let columns = self.options.width.max(LEAST);
        let names = 32.min(columns / 3);
        let days = i64::from(finish.0) - i64::from(start.0) + 1;
        let room = ((columns - names - 1) as i64).min(days);
        let column = |day: Day| ((i64::from(day.0) - i64::from(start.0)) * room / days).clamp(0, room - 1);
        let mut text = format!("{start} to {finish}\n# critical, = float, - summary, ◆ milestone\n");
        for place in &self.subject.order {
            let Some(dates) = self.schedule.tasks[*place] else { continue };
            let (from, to) = (column(dates.scheduled_start), column(dates.early_finish));
            let is_summary = self.subject.rows[*place].is_summary;
            let mark = match () {
                () if is_summary => "-",
                () if dates.critical => "#",
                () => "=",
            };
            let is_point = !is_summary && self.subject.network.tasks[*place].duration == 0;
            let bar = if is_point { "◆".to_owned() } else { mark.repeat((to - from + 1).max(1) as usize) };
            let label = left(&cut(&self.subject.label(*place), names), names);
            let _ = writeln!(text, "{label} {}{bar}", " ".repeat(from as usize));
        }
        text
    }

    pub(super) fn bars(&self) -> Value {
        let bar = |place: &usize| {
            let dates = self.schedule.tasks[*place]?;
            let is_summary = self.subject.rows[*place].is_summary;
            Some(json!({
                "task": self.subject.reference(*place),
                "start": dates.scheduled_start.to_string(),
                "finish": dates.early_finish.to_string(),
                "is_summary": is_summary,
                "is_milestone": !is_summary && self.subject.network.tasks[*place].duration == 0,
                "is_critical": dates.critical,
            }))
        };
        json!({
            "study": "gantt",
            "start": day(self.schedule.start),
            "finish": day(self.schedule.finish),
            "bars": self.subject.order.iter().filter_map(bar).collect::<Vec<_>>(),
        })
    }

    pub(super) fn curve(&self) -> Result<String, Rejection> {
        let simulation = self.runs()?;
        let Some(finish) = simulation.finish else { return Ok("Nothing is scheduled.\n".to_owned()) };
        let points = finish.s_curve();
        let bars = self.options.width.max(LEAST) - "2026-01-09  100.0 %  ".len();
        let mut text = match self.is_uncertain() {
            true => format!("Finished by, in {} runs\n", simulation.runs),
            false => "Finished by (nothing in the plan is uncertain)\n".to_owned(),
        };
        for Confidence { day, share } in told(&points) {
            let bar = "█".repeat((share * bars as f64) as usize);
            let _ = writeln!(text, "{}", format!("{day}  {:>5.1} %  {bar}", share * 100.0).trim_end());
        }
        Ok(text)
    }

    pub(super) fn shares(&self) -> Result<Value, Rejection> {
        let simulation = self.runs()?;
        let finish = simulation.finish.as_ref();
        let points = finish.map(FinishForecast::s_curve).unwrap_or_default();
        let point = |point: &Confidence| json!({ "day": point.day.to_string(), "share": point.share });
        Ok(json!({
            "study": "curve",
            "runs": simulation.runs,
            "seed": simulation.seed,
            "points": points.iter().map(point).collect::<Vec<_>>(),
            "forecast": forecast(finish, self.schedule.finish),
        }))
    }

    fn runs(&self) -> Result<engine::Simulation, Rejection> {
        let none = || Rejection::Unreadable("the curve needs simulated runs, and --runs is 0".to_owned());
        self.simulated(&self.subject.network).ok_or_else(none)
    }
}

/// Some points of a curve, spread over it, the first and the last among them.
fn told(points: &[Confidence]) -> Vec<Confidence> {
    if points.len() <= POINTS {
        return points.to_vec();
    }
    (0..POINTS).map(|place| points[place * (points.len() - 1) / (POINTS - 1)]).collect()
}
