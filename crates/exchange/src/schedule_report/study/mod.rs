//! Closer looks at one document: why a task stands where it stands, which chains lead to the finish, how sound the plan is,
//! what a change would do, how it looks as bars. The numbers are the engine's; `text` tells them to people, `json` to
//! programs.

mod json;
mod text;

use std::collections::HashMap;

use planwright_engine as engine;
use serde_json::{Value, json};

use super::Options;
use crate::seed::schedule::{Plan, engine_day, network};
use crate::seed::{Document, Rejection, TaskReference, parse};

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

/// Tells what was asked for, in that order: one section after the other, or one JSON object whose `studies` hold one
/// object each.
pub fn study(bytes: &[u8], options: &Options, studies: &[Study]) -> Result<String, Rejection> {
    let document = parse(bytes, options.today)?;
    let plan = network(&document, options.lag_calendar);
    let schedule = engine::schedule(&plan.network);
    let view = View { document: &document, plan: &plan, schedule: &schedule, options };
    if options.json {
        let told: Result<Vec<Value>, Rejection> = studies.iter().map(|study| view.object(study)).collect();
        let value = json!({ "program": document.program.slug, "studies": told? });
        return Ok(format!("{value:#}\n"));
    }
    let mut text = String::new();
    for study in studies {
        text += &view.section(study)?;
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

    /// The last leaf of each project that has one.
    fn last_leaves(&self) -> Vec<usize> {
        let last_of = |project: usize| {
            let own = |place: &usize| {
                self.plan.rows[*place].project == project && !self.plan.rows[*place].is_summary
            };
            let leaves = (0..self.plan.rows.len()).filter(own);
            leaves.filter_map(|place| Some((self.schedule.tasks[place]?.early_finish, place))).max()
        };
        (0..self.document.projects.len()).filter_map(last_of).map(|(_, place)| place).collect()
    }

    fn quality(&self) -> engine::Quality {
        engine::quality(&self.plan.network, self.schedule, &self.records())
    }

    /// What the document says of resources and of the baseline that is measured against.
    fn records(&self) -> engine::Records {
        let mut records = engine::Records::default();
        let task = |place: usize| {
            let row = self.plan.rows[place];
            &self.document.projects[row.project].tasks[row.task]
        };
        let is_staffed = |place: usize| !task(place).assignments.is_empty() || task(place).assignee.is_some();
        if (0..self.plan.rows.len()).any(is_staffed) {
            records.has_resources = (0..self.plan.rows.len()).map(is_staffed).collect();
        }
        let active = self.document.projects.iter().filter_map(|project| {
            let baseline = project.baselines.iter().find(|baseline| baseline.is_active)?;
            Some(baseline.tasks.iter())
        });
        let finishes: HashMap<&TaskReference, engine::Day> =
            active.flatten().filter_map(|frozen| Some((&frozen.task, engine_day(frozen.finish?)))).collect();
        let finish = |place: usize| {
            let project = &self.document.projects[self.plan.rows[place].project];
            finishes.get(&TaskReference::new(&project.slug, self.path(place))).copied()
        };
        records.baseline_finish = (0..self.plan.rows.len()).map(finish).collect();
        records
    }

    fn simulation(&self) -> engine::SimulationOptions {
        engine::SimulationOptions {
            runs: self.options.runs.max(1),
            seed: self.options.seed,
            threads: self.options.threads,
            ..engine::SimulationOptions::default()
        }
    }

    /// What a change of duration, in working days, would do.
    fn supposed(&self, place: usize, days: i32) -> Supposed {
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
        let finish = engine::schedule(&changed).finish;
        // The same random numbers in both: the difference is the change and not chance.
        let (now, then) = (self.simulated(&self.plan.network), self.simulated(&changed));
        Supposed { finish, now, then }
    }

    fn simulated(&self, network: &engine::Network) -> engine::Simulation {
        engine::simulate_watched(network, &self.simulation(), &|runs| self.options.watch.told(runs))
    }
}

/// A plan with a change in it.
struct Supposed {
    /// The computed finish with the change.
    finish: Option<engine::Day>,
    /// Likely dates without it, and with it.
    now: engine::Simulation,
    then: engine::Simulation,
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
    fn as_json_every_look_is_an_object_with_the_same_numbers() {
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
        let options = Options { runs: 200, json: true, ..Options::on(today) };
        let studies = [
            Study::Explain("3".into()),
            Study::FloatPaths(2),
            Study::Health,
            Study::WhatIf("2".into(), 4),
            Study::Gantt,
            Study::Curve,
        ];
        let text = study(PLAN.as_bytes(), &options, &studies).unwrap();
        let told: Value = serde_json::from_str(&text).unwrap();
        let of = |index: usize, name: &str| {
            assert_eq!(told["studies"][index]["study"], name);
            told["studies"][index].clone()
        };
        let first = of(0, "explain")["early"][0].clone();
        assert_eq!((&first["task"], &first["binds"]), (&json!("one:1"), &json!(true)));
        let paths = of(1, "float_paths")["chains"][0]["paths"].clone();
        assert_eq!(paths[1], json!({"float": 3, "tasks": ["one:2"], "joins": "one:3"}));
        let resources = of(2, "health")["checks"][9].clone();
        assert_eq!(resources["verdict"], "not_assessed");
        assert_eq!(resources["missing"], "nobody said which rows have resources");
        assert_eq!(of(3, "what_if")["finish"], json!({"before": "2026-01-14", "after": "2026-01-15"}));
        assert_eq!(of(4, "gantt")["bars"].as_array().map(Vec::len), Some(3));
        assert_eq!(
            of(5, "curve")["points"]
                .as_array()
                .and_then(|points| points.last())
                .map(|last| last["share"].clone()),
            Some(json!(1.0))
        );
    }

    #[test]
    fn a_simulation_tells_of_all_its_runs() {
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
        let told = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
        let sum = told.clone();
        let watch = crate::schedule_report::Watch::by(move |runs| {
            sum.fetch_add(runs, std::sync::atomic::Ordering::Relaxed);
        });
        let options = Options { runs: 2_500, watch, ..Options::on(today) };
        study(PLAN.as_bytes(), &options, &[Study::WhatIf("1".into(), 1), Study::Curve]).unwrap();
        assert_eq!(told.load(std::sync::atomic::Ordering::Relaxed), 3 * 2_500);
    }

    #[test]
    fn a_baseline_and_assignments_are_assessed() {
        let plan = PLAN
            .replace(r#""start_date": "2026-01-05","#, r#""start_date": "2026-01-05", "status_date": "2026-01-12",
                "baselines": [{"name": "B", "is_active": true, "tasks": [{"task": "1", "finish": "2026-01-09"}]}],"#);
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap_or_default();
        let text = study(plan.as_bytes(), &Options::on(today), &[Study::Health]).unwrap();
        assert!(text.contains("FAILED       MissedTasks            1.000"), "{text}");
        assert!(text.contains("not assessed Resources            nobody said"), "{text}");
    }

    #[test]
    fn a_task_that_is_not_there_is_named() {
        assert!(look(&[Study::Explain("9".into())]).unwrap_err().to_string().contains("at 9"));
    }
}
