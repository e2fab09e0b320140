//! The answers of the engine and of the other tool about a plan, read from their output.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::day::{Moment, day};
use super::plan::{Plan, Tool, task_name};

/// What the engine says about a task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OurTask {
    /// First and last day at the earliest.
    pub(crate) early: [i32; 2],
    /// First and last day at the latest.
    pub(crate) late: [i32; 2],
    /// Whether a milestone falls at the end of its day.
    pub(crate) end: bool,
    /// Total float.
    pub(crate) float: i32,
}

/// What another tool says about a task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TheirTask {
    /// Early start and finish.
    pub(crate) early: [Moment; 2],
    /// Late start and finish.
    pub(crate) late: [Moment; 2],
    /// Total float.
    pub(crate) float: f64,
}

/// Reads the answer of the engine.
pub(crate) fn ours(plan: &Plan, line: &str) -> Result<Vec<OurTask>> {
    let answer: Value = serde_json::from_str(line).context("the engine answered no JSON")?;
    let read = |index: usize| -> Result<OurTask> {
        let row = &answer["tasks"][task_name(index)];
        let day_of = |name: &str| day(row[name].as_str().with_context(|| format!("no {name}"))?);
        Ok(OurTask {
            early: [day_of("es_day")?, day_of("ef_day")?],
            late: [day_of("ls_day")?, day_of("lf_day")?],
            end: row["end"].as_bool().context("no end")?,
            float: i32::try_from(row["tf"].as_i64().context("no float")?)?,
        })
    };
    (0..plan.tasks.len()).map(read).collect()
}

/// Reads the answer of a tool.
pub(crate) fn theirs(plan: &Plan, tool: Tool, answer: &Value) -> Result<Vec<TheirTask>> {
    let rows = &answer[tool.name()];
    if let Some(error) = answer["error"].as_str().or(rows["error"].as_str()) {
        bail!("{} failed: {error}", tool.name());
    }
    let read = |index: usize| -> Result<TheirTask> {
        let row = &rows[task_name(index)];
        let moment = |at: usize| Moment::parse(row[at].as_str().context("no date")?);
        Ok(TheirTask {
            early: [moment(0)?, moment(1)?],
            late: [moment(2)?, moment(3)?],
            float: row[4].as_f64().unwrap_or(0.0),
        })
    };
    (0..plan.tasks.len()).map(read).collect()
}
