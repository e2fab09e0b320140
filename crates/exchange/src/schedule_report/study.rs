//! Closer looks at one document: why a task stands where it stands, which chains lead to the finish, how sound the plan is,
//! what a change would do, how it looks as bars. The numbers are the engine's; this only tells them.

use std::fmt::Write;

use planwright_engine as engine;

use super::Options;
use crate::seed::schedule::{Plan, network};
use crate::seed::{Document, Rejection, parse};

/// Widest chart, in characters.
const CHART_WIDTH: i64 = 60;

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Study {
    /// Every bound on the early and late dates of a task, by its path.
    Explain(String),
    /// So many of the most critical chains that lead to the last task of each project.
    FloatPaths(usize),
    /// The fourteen checks of schedule quality.
    Health,
    /// The dates and likely dates if a task took so many working days more, or less.
    WhatIf(String, i32),
    /// A bar for each row.
    Gantt,
    /// The share of simulated runs that are finished by each day.
    Curve,
}

/// Tells what was asked for, one section after the other.
pub fn study(bytes: &[u8], options: &Options, studies: &[Study]) -> Result<String, Rejection> {
    let document = parse(bytes, options.today)?;
    let plan = network(&document, options.lag_calendar);
    let schedule = engine::schedule(&plan.network);
    let view = View { document: &document, plan: &plan, schedule: &schedule, options };
    let mut text = String::new();
    for study in studies {
        let section = match study {
            Study::Explain(task) => view.explain(view.find(task)?),
            Study::FloatPaths(count) => view.float_paths(*count),
            Study::Health => view.health(),
            Study::WhatIf(task, days) => view.what_if(view.find(task)?, *days),
            Study::Gantt => view.gantt(),
            Study::Curve => view.curve(),
        };
        text += &section;
        text.push('\n');
    }
    Ok(text)
}

struct View<'a> {
    document: &'a Document,
    plan: &'a Plan,
    schedule: &'a engine::Schedule,
    options: &'a Options,
}

impl View<'_> {
    /// The place of a task that was named by its path, with its project in front when there are several.
    fn find(&self, name: &str) -> Result<usize, Rejection> {
        let found: Vec<usize> = (0..self.plan.rows.len())
            .filter(|place| self.path(*place) == name || self.full_path(*place) == name)
            .collect();
        match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(Rejection::Unreadable(format!("there is no scheduled task at {name}"))),
            _ => Err(Rejection::Unreadable(format!(
                "several projects have a task at {name}; write project:{name}"
            ))),
        }
    }

    fn path(&self, place: usize) -> &str {
        let row = self.plan.rows[place];
        &self.document.projects[row.project].tasks[row.task].wbs_path
    }

    fn full_path(&self, place: usize) -> String {
        format!("{}:{}", self.document.projects[self.plan.rows[place].project].slug, self.path(place))
    }

    fn label(&self, place: usize) -> String {
        let row = self.plan.rows[place];
        let name = &self.document.projects[row.project].tasks[row.task].name;
        match self.document.projects.len() {
            1 => format!("{} {name}", self.path(place)),
            _ => format!("{} {name}", self.full_path(place)),
        }
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
        for project in 0..self.document.projects.len() {
            let own = |place: &usize| {
                self.plan.rows[*place].project == project && !self.plan.rows[*place].is_summary
            };
            let last = (0..self.plan.rows.len())
                .filter(own)
                .filter_map(|place| Some((self.schedule.tasks[place]?.early_finish, place)))
                .max();
            let Some((_, last)) = last else { continue };
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
        let quality = engine::quality(&self.plan.network, self.schedule);
        let mut text = String::from("Schedule quality (DCMA 14 points)\n");
        for result in &quality.checks {
            let verdict = match result.verdict {
                engine::Verdict::Passed => "passed",
                engine::Verdict::Failed => "FAILED",
                engine::Verdict::NotAssessed => "not assessed",
            };
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

    fn simulation(&self) -> engine::SimulationOptions {
        engine::SimulationOptions {
            runs: self.options.runs.max(1),
            seed: self.options.seed,
            threads: self.options.threads,
            ..engine::SimulationOptions::default()
        }
    }

    fn what_if(&self, place: usize, days: i32) -> String {
        let longer = |estimate: engine::ThreePoint| engine::ThreePoint {
            optimistic: (estimate.optimistic + f64::from(days)).max(0.0),
            most_likely: (estimate.most_likely + f64::from(days)).max(0.0),
            pessimistic: (estimate.pessimistic + f64::from(days)).max(0.0),
        };
        let change = |network: &mut engine::Network| {
            let task = &mut network.tasks[place];
            task.duration = task.duration.saturating_add(days).max(0);
            task.estimate = task.estimate.map(longer);
        };
        let mut changed = self.plan.network.clone();
        change(&mut changed);
        let after = engine::schedule(&changed);
        let (now, then) = engine::what_if(&self.plan.network, &self.simulation(), change);
        let mut text = format!("If {} took {days:+} days\n", self.label(place));
        let shown = |day: Option<engine::Day>| day.map_or("–".to_owned(), |day| day.to_string());
        let _ = writeln!(text, "  finish {} → {}", shown(self.schedule.finish), shown(after.finish));
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
        let simulation = engine::simulate(&self.plan.network, &self.simulation());
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

fn reason(reason: engine::Reason) -> &'static str {
    match reason {
        engine::Reason::ProjectStart => "project start",
        engine::Reason::DataDate => "data date",
        engine::Reason::PlannedStart => "planned start",
        engine::Reason::ActualStart => "actual start",
        engine::Reason::ActualDates => "actual dates",
        engine::Reason::Constraint => "constraint",
        engine::Reason::Deadline => "deadline",
        engine::Reason::Predecessor => "predecessor",
        engine::Reason::Successor => "successor",
        engine::Reason::ProjectFinish => "project finish",
        engine::Reason::TotalFloat => "its late date",
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;

    const PLAN: &str = r#"{"schema_version": "2.0",
        "program": {"slug": "p", "name": "P", "methodology": "WATERFALL"},
        "projects": [{"slug": "one", "name": "One", "methodology": "WATERFALL", "start_date": "2026-01-05",
            "tasks": [
                {"wbs_path": "1", "name": "Dig", "duration": 5, "estimate": {"optimistic": 4, "most_likely": 5, "pessimistic": 9}},
                {"wbs_path": "2", "name": "Order", "duration": 2},
                {"wbs_path": "3", "name": "Build", "duration": 3}],
            "dependencies": [
                {"predecessor": "1", "successor": "3", "dep_type": "FS"},
                {"predecessor": "2", "successor": "3", "dep_type": "FS"}]}]}"#;

    fn look(studies: &[Study]) -> Result<String, Rejection> {
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
        study(PLAN.as_bytes(), &Options { runs: 200, ..Options::on(today) }, studies)
    }

    #[test]
    fn the_predecessor_that_binds_is_named_and_the_other_one_has_slack() {
        let text = look(&[Study::Explain("3".into())]).unwrap();
        assert!(text.contains("early 2026-01-12 – 2026-01-14     0 d  binds  predecessor 1 Dig"), "{text}");
        assert!(text.contains("3 d         predecessor 2 Order"), "{text}");
    }

    #[test]
    fn a_change_within_the_float_moves_nothing_and_one_day_more_moves_the_finish() {
        let within = look(&[Study::WhatIf("2".into(), 3)]).unwrap();
        assert!(within.contains("finish 2026-01-14 → 2026-01-14"), "{within}");
        let beyond = look(&[Study::WhatIf("one:2".into(), 4)]).unwrap();
        assert!(beyond.contains("finish 2026-01-14 → 2026-01-15"), "{beyond}");
    }

    #[test]
    fn chains_bars_checks_and_curve_name_every_row_they_speak_of() {
        let text = look(&[Study::FloatPaths(2), Study::Gantt, Study::Health, Study::Curve]).unwrap();
        assert!(text.contains("1. float 0 d\n       1 Dig\n       3 Build"), "{text}");
        assert!(text.contains("2. float 3 d\n       2 Order\n       → 3 Build"), "{text}");
        assert!(
            text.contains("3 Build") && text.contains("CriticalPathTest") && text.contains("100.0 %"),
            "{text}"
        );
    }

    #[test]
    fn a_task_that_is_not_there_is_named() {
        assert!(look(&[Study::Explain("9".into())]).unwrap_err().to_string().contains("at 9"));
    }
}
