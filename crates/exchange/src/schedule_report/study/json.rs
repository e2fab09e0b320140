//! Closer looks as JSON for programs: the same numbers as `text`, rows by their references.

use planwright_engine as engine;
use serde_json::{Value, json};

use super::super::forecast::PERCENTILES;
use super::{Study, Supposed, View, reason};
use crate::seed::{Rejection, TaskReference};

impl View<'_> {
    /// One study as an object; `study` says which.
    pub(super) fn object(&self, study: &Study) -> Result<Value, Rejection> {
        Ok(match study {
            Study::Explain(task) => self.bounds(self.find(task)?),
            Study::FloatPaths(count) => self.chains(*count),
            Study::Health => self.checks(),
            Study::WhatIf(task, days) => self.difference(self.find(task)?, *days),
            Study::Gantt => self.bars(),
            Study::Curve => self.shares(),
        })
    }

    fn reference(&self, place: usize) -> String {
        let row = self.plan.rows[place];
        let project = &self.document.projects[row.project];
        TaskReference::new(&project.slug, &project.tasks[row.task].wbs_path).to_string()
    }

    fn references(&self, places: &[usize]) -> Vec<String> {
        places.iter().map(|place| self.reference(*place)).collect()
    }

    fn bounds(&self, place: usize) -> Value {
        let told = |quantity| {
            let bounds = engine::explain(&self.plan.network, place, quantity)?;
            let bound = |bound: engine::Contribution| {
                json!({
                    "reason": reason(bound.reason),
                    "task": bound.task.map(|task| self.reference(task)),
                    "start": bound.start.to_string(),
                    "finish": bound.finish.to_string(),
                    "slack": bound.slack,
                    "binds": bound.binding,
                })
            };
            Some(bounds.into_iter().map(bound).collect::<Vec<_>>())
        };
        json!({
            "study": "explain",
            "task": self.reference(place),
            "early": told(engine::Quantity::Early),
            "late": told(engine::Quantity::Late),
        })
    }

    fn chains(&self, count: usize) -> Value {
        let chain = |path: &engine::FloatPath| {
            json!({
                "float": path.float,
                "tasks": self.references(&path.tasks),
                "joins": path.joins.map(|task| self.reference(task)),
            })
        };
        let towards = |last: usize| {
            let paths = engine::float_paths(&self.plan.network, last, count);
            json!({ "to": self.reference(last), "paths": paths.iter().map(chain).collect::<Vec<_>>() })
        };
        json!({
            "study": "float_paths",
            "chains": self.last_leaves().into_iter().map(towards).collect::<Vec<_>>(),
        })
    }

    fn checks(&self) -> Value {
        let check = |result: &engine::CheckResult| {
            let verdict = match result.verdict {
                engine::Verdict::Passed => "passed",
                engine::Verdict::Failed => "failed",
                engine::Verdict::NotAssessed => "not_assessed",
            };
            let links = result.links.iter().map(|link| {
                let (project, place) = self.plan.links[*link];
                let link = &self.document.projects[project].dependencies[place];
                json!({ "predecessor": link.predecessor.to_string(), "successor": link.successor.to_string() })
            });
            json!({
                "check": format!("{:?}", result.check),
                "verdict": verdict,
                "missing": result.missing.map(|missing| missing.to_string()),
                "value": result.value,
                "limit": result.limit,
                "population": result.population,
                "tasks": self.references(&result.tasks),
                "links": links.collect::<Vec<_>>(),
            })
        };
        let quality = self.quality();
        json!({
            "study": "health",
            "passed": quality.passed(),
            "checks": quality.checks.iter().map(check).collect::<Vec<_>>(),
        })
    }

    fn difference(&self, place: usize, days: i32) -> Value {
        let Supposed { finish, now, then } = self.supposed(place, days);
        let likely = |simulation: &engine::Simulation| {
            let finish = simulation.finish.as_ref()?;
            let day = |percent: u32| finish.percentile(f64::from(percent)).to_string();
            let days = PERCENTILES.iter().map(|percent| (format!("p{percent}"), Value::from(day(*percent))));
            Some(Value::Object(days.collect()))
        };
        json!({
            "study": "what_if",
            "task": self.reference(place),
            "days": days,
            "finish": { "before": shown(self.schedule.finish), "after": shown(finish) },
            "forecast": { "before": likely(&now), "after": likely(&then) },
        })
    }

    fn bars(&self) -> Value {
        let bar = |(place, row): (usize, &crate::seed::schedule::Row)| {
            let dates = self.schedule.tasks[place]?;
            Some(json!({
                "task": self.reference(place),
                "start": dates.scheduled_start.to_string(),
                "finish": dates.early_finish.to_string(),
                "is_summary": row.is_summary,
                "is_milestone": !row.is_summary && self.plan.network.tasks[place].duration == 0,
                "is_critical": dates.critical,
            }))
        };
        let bars = self.plan.rows.iter().enumerate().filter_map(bar);
        json!({
            "study": "gantt",
            "start": shown(self.schedule.start),
            "finish": shown(self.schedule.finish),
            "bars": bars.collect::<Vec<_>>(),
        })
    }

    fn shares(&self) -> Value {
        let simulation = self.simulated(&self.plan.network);
        let points = simulation.finish.map(|finish| finish.s_curve()).unwrap_or_default();
        let point =
            |point: &engine::Confidence| json!({ "day": point.day.to_string(), "share": point.share });
        json!({
            "study": "curve",
            "runs": simulation.runs,
            "seed": simulation.seed,
            "points": points.iter().map(point).collect::<Vec<_>>(),
        })
    }
}

fn shown(day: Option<engine::Day>) -> Value {
    day.map_or(Value::Null, |day| Value::String(day.to_string()))
}
