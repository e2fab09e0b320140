//! The fourteen checks of schedule quality, each with the rows and links that fail it.

use std::fmt::Write;

use planwright_engine::{self as engine, CheckResult, QualityCheck, Verdict};
use serde_json::{Value, json};

use super::View;

impl View<'_> {
    pub(super) fn health(&self) -> String {
        let mut text = String::from("Schedule quality (DCMA 14 points)\n");
        for result in &self.quality().checks {
            let verdict = match result.verdict {
                Verdict::Passed => "passed",
                Verdict::Failed => "FAILED",
                Verdict::NotAssessed => "not assessed",
            };
            let check = result.check.to_string();
            if let Some(missing) = result.missing {
                let _ = writeln!(text, "  {verdict:<12} {check:<27} {missing}");
                continue;
            }
            let is_index =
                matches!(result.check, QualityCheck::CriticalPathLength | QualityCheck::BaselineExecution);
            let (value, limit) = match is_index {
                true => (format!("{:.3}", result.value), format!("at least {:.2}", result.limit)),
                false => (
                    format!("{:.1} %", 100.0 * result.value),
                    format!("at most {:.0} %", 100.0 * result.limit),
                ),
            };
            let _ = writeln!(
                text,
                "  {verdict:<12} {check:<27} {value:>7}  ({limit}, {} looked at)",
                result.population
            );
            if result.verdict == Verdict::Failed {
                for task in &result.tasks {
                    let _ = writeln!(text, "                 {}", self.subject.label(*task));
                }
            }
        }
        text
    }

    pub(super) fn checks(&self) -> Value {
        let check = |result: &CheckResult| {
            let verdict = match result.verdict {
                Verdict::Passed => "passed",
                Verdict::Failed => "failed",
                Verdict::NotAssessed => "not_assessed",
            };
            let links = result.links.iter().map(|link| {
                let [predecessor, successor] = self.subject.link(*link);
                json!({ "predecessor": predecessor, "successor": successor })
            });
            json!({
                "check": result.check.to_string().replace(' ', "_"),
                "verdict": verdict,
                "missing": result.missing.map(|missing| missing.to_string()),
                "value": result.value,
                "limit": result.limit,
                "population": result.population,
                "tasks": self.subject.references(&result.tasks),
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

    fn quality(&self) -> engine::Quality {
        engine::quality(&self.subject.network, self.schedule, &self.subject.records)
    }
}
